//! Strains at the vertices of a cloth, which constraints keep at zero.
//!
//! At a vertex the edges around it give the best-fitting deformation gradient F, weighted by the
//! masses at their other ends. The strains are the invariants of Fᵀ F less their values at rest:
//! tr(FᵀF) - 2 and det(FᵀF) - 1. Chen, Kry and Vouga, "Locking-free Simulation of Isometric Thin
//! Plates" (2019); the scale by the root of the vertex's mass is MuJoCo's.

use core::ops::Range;

use sinew_math::{MINVAL, Vec3};
use sinew_model::{Data, FlexId, Model};

use crate::smooth::dof_path::Carried;
use crate::smooth::flex::edge::sliders;
use crate::smooth::jacobian::project;

/// Whether constraints act on the strains of a flex.
pub(crate) fn is_constrained(m: &Model, f: FlexId) -> bool {
    m.flex_dim[f] == 2 && m.flex_edgeequality[f] == 2
}

/// Where the two rows of a vertex are in `flexvert_J` and `flexvert_J_colind`, as flat numbers.
pub(crate) fn rows(m: &Model, vert: usize) -> [Range<usize>; 2] {
    core::array::from_fn(|k| {
        let adr = m.flexvert_J_rowadr[vert][k].max(0) as usize;
        adr..adr + m.flexvert_J_rownnz[vert][k].max(0) as usize
    })
}

/// Strains of all vertices of a flex, and their Jacobians.
pub(super) fn strains(m: &Model, d: &mut Data, f: FlexId) {
    for v in m.flex_verts(f) {
        let fit = Fit::new(m, d, f, v);
        let [[a, b], [c, e]] = fit.cauchy;
        d.flexvert_length[v] = [(a + e - 2.0) * fit.scale, (a * e - b * c - 1.0) * fit.scale];
        jacobian(m, d, f, v, &fit);
    }
}

/// Two columns of three rows, or the rows of a 2 × 2 matrix.
type Mat32 = [[f64; 2]; 3];
type Mat22 = [[f64; 2]; 2];

/// The deformation at a vertex.
struct Fit {
    /// Deformation gradient, 3 × 2.
    gradient: Mat32,
    /// Cauchy strain Fᵀ F.
    cauchy: Mat22,
    /// Inverse of the shape matrix at rest.
    metric: Mat22,
    /// Root of the vertex's mass, by which strains are scaled.
    scale: f64,
}

impl Fit {
    fn new(m: &Model, d: &Data, f: FlexId, v: usize) -> Fit {
        // A = Σ w dy dxᵀ,  F = A (Σ w dx dxᵀ)⁻¹
        let mut shape = [[0.0; 2]; 3];
        for spoke in spokes(m, f, v) {
            let [from, to] = spoke.ends.map(|end| d.flexvert_xpos[end]);
            let moved = to - from;
            for (row, y) in shape.iter_mut().zip(moved.to_array()) {
                for (sum, x) in row.iter_mut().zip(spoke.rest.to_array()) {
                    *sum += spoke.weight * y * x;
                }
            }
        }
        let [a, b, c, e] = m.flex_vertmetric[v];
        let metric = [[a, b], [c, e]];
        let gradient = product(&shape, &metric);
        let entry = |i: usize, j: usize| {
            gradient[0][i] * gradient[0][j]
                + gradient[1][i] * gradient[1][j]
                + gradient[2][i] * gradient[2][j]
        };
        let cauchy = [[entry(0, 0), entry(0, 1)], [entry(1, 0), entry(1, 1)]];
        let mass = m.body_mass[m.flex_vert_body(v)];
        let scale = if mass > MINVAL { mass.sqrt() } else { 1.0 };
        Fit { gradient, cauchy, metric, scale }
    }
}

/// Adds up the Jacobians of a vertex's strains over the edges around it.
fn jacobian(m: &Model, d: &mut Data, f: FlexId, v: usize, fit: &Fit) {
    let [[a, b], [c, e]] = fit.cauchy;
    let of_trace = product(&fit.gradient, &fit.metric);
    let of_det = product(&product(&fit.gradient, &[[e, -b], [-c, a]]), &fit.metric);
    let rows = rows(m, v);
    for spoke in spokes(m, f, v) {
        // derivatives by the places of both ends of the edge
        let by_first = [&of_trace, &of_det]
            .map(|by| apply(by, [spoke.rest.x, spoke.rest.y]) * (-2.0 * spoke.weight));
        add(m, d, &rows, spoke.ends[0], by_first);
        add(m, d, &rows, spoke.ends[1], by_first.map(|force| -force));
    }
    for row in rows {
        for x in &mut d.flexvert_J.flat_mut()[row] {
            *x *= fit.scale;
        }
    }
}

/// Adds forceᵀ J of a vertex to both rows, which have one pattern.
fn add(m: &Model, d: &mut Data, rows: &[Range<usize>; 2], vert: usize, force: [Vec3; 2]) {
    let body = m.flex_vert_body(vert);
    let columns = &m.flexvert_J_colind.as_flattened()[rows[0].clone()];
    if let Some(dofs) = sliders(m, body) {
        // side by side in the row
        let at = columns.iter().position(|&c| c as usize == dofs.start).unwrap_or(columns.len());
        for (row, force) in rows.iter().zip(force) {
            let out = &mut d.flexvert_J.flat_mut()[row.clone()];
            for (out, dof) in out.iter_mut().skip(at).zip(dofs.clone()) {
                *out += project(d.cdof[dof].lin, force);
            }
        }
        return;
    }
    let point = Carried::new(m, d, body, d.flexvert_xpos[vert]);
    for dof in m.body_chain(body) {
        let Ok(k) = columns.binary_search(&(dof.idx() as i32)) else { continue };
        for (row, force) in rows.iter().zip(force) {
            if let Some(out) = d.flexvert_J.flat_mut()[row.clone()].get_mut(k) {
                *out += project(point.column(d.cdof[dof]), force);
            }
        }
    }
}

/// An edge as seen from a vertex.
pub(crate) struct Spoke {
    /// Vertices of the edge, in its order.
    pub(crate) ends: [usize; 2],
    /// The edge at rest; a cloth lies in the first two axes.
    pub(crate) rest: Vec3,
    /// Mass at the other end.
    pub(crate) weight: f64,
}

impl Spoke {
    fn new(m: &Model, f: FlexId, v: usize, edge: usize) -> Spoke {
        let first = m.flex_verts(f).start;
        let ends = m.flex_edge[edge].map(|v| first + v as usize);
        let [from, to] = ends.map(|end| m.flex_vert0[end]);
        let (rest, size) = (to - from, m.flex_size[f]);
        let other = if v == ends[0] { ends[1] } else { ends[0] };
        let mass = m.body_mass[m.flex_vert_body(other)];
        Spoke {
            ends,
            rest: rest.mul_elem(size * 2.0),
            weight: if mass < MINVAL { MINVAL } else { mass },
        }
    }
}

/// The edges at a vertex.
pub(crate) fn spokes(m: &Model, f: FlexId, v: usize) -> impl Iterator<Item = Spoke> + '_ {
    let first = m.flex_edges(f).start;
    let adr = m.flex_vertedgeadr[v].max(0) as usize;
    let list = adr..adr + m.flex_vertedgenum[v].max(0) as usize;
    let edges = m.flex_vertedge.as_flattened()[list].iter();
    edges.map(move |&edge| Spoke::new(m, f, v, first + edge as usize))
}

fn product(a: &Mat32, b: &Mat22) -> Mat32 {
    a.map(|row| core::array::from_fn(|k| row[0] * b[0][k] + row[1] * b[1][k]))
}

fn apply(a: &Mat32, x: [f64; 2]) -> Vec3 {
    let [p, q, r] = a.map(|row| row[0] * x[0] + row[1] * x[1]);
    Vec3::new(p, q, r)
}
