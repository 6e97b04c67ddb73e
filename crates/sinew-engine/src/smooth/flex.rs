//! Flexes: where their vertices are, the boxes around their elements, lengths of their edges and
//! strains at their vertices, with the Jacobians of both.

use sinew_math::{MINVAL, Vec3};
use sinew_model::enums::DisableBit;
use sinew_model::{BodyId, Data, FlexId, Model};

use crate::smooth::dof_path::{Carried, merged, relative};

/// Positions, boxes, edges and strains of all flexes.
///
/// Reads `xpos`, `xmat`, `subtree_com`, `cdof`. Writes `flexvert_xpos`, `flexelem_aabb`,
/// `bvh_aabb_dyn`, `flexedge_length`, `flexedge_J`, `flexvert_length`, `flexvert_J`.
#[doc(alias = "mj_flex")]
pub fn flex(m: &Model, d: &mut Data) {
    if m.nflex == 0 {
        return;
    }
    for f in m.flexes() {
        place_vertices(m, d, f);
        box_elements(m, d, f);
        if !m.opt.disabled(DisableBit::Midphase) {
            box_nodes(m, d, f);
        }
    }
    d.flexedge_J.fill(0.0);
    d.flexvert_J.fill([0.0; 2]);
    for f in m.flexes() {
        // edges of a rigid flex do not stretch, those of an interpolated one exert no force
        if !m.flex_rigid[f].get() && m.flex_interp[f] == 0 {
            measure_edges(m, d, f);
            if has_vertex_strain(m, f) {
                measure_strain(m, d, f);
            }
        }
    }
}

/// Whether equality constraints hold the strain at the vertices of a flex.
pub(crate) fn has_vertex_strain(m: &Model, f: FlexId) -> bool {
    m.flex_dim[f] == 2 && m.flex_edgeequality[f] == 2
}

/// Positions of the vertices: carried by their bodies, or interpolated between nodes.
fn place_vertices(m: &Model, d: &mut Data, f: FlexId) {
    let Data { flexvert_xpos, xpos, xmat, .. } = d;
    let centered = m.flex_centered[f].get();
    let carried = |body: BodyId, local: Vec3| match centered {
        true => xpos[body],
        false => xmat[body] * local + xpos[body],
    };
    if m.flex_interp[f] == 0 {
        for v in m.flex_verts(f) {
            let body = m.flex_vertbodyid[v].get().unwrap_or(BodyId::WORLD);
            flexvert_xpos[v] = carried(body, m.flex_vert[v]);
        }
        return;
    }

    // x = Σ node φ(x₀) over the lattice of nodes
    let order = m.flex_interp[f];
    let mut nodes = [Vec3::ZERO; MAX_NODES];
    let rows = m.flex_nodes(f);
    for (node, n) in nodes.iter_mut().zip(rows.clone()) {
        *node = carried(m.flex_nodebodyid[n], m.flex_node[n]);
    }
    for v in m.flex_verts(f) {
        let mut at = Vec3::ZERO;
        for (i, &node) in nodes[..rows.len().min(MAX_NODES)].iter().enumerate() {
            at += node * basis(m.flex_vert0[v], i, order);
        }
        flexvert_xpos[v] = at;
    }
}

/// Most nodes of an interpolated flex (`mjMAXFLEXNODES`): three along each axis.
const MAX_NODES: usize = 27;

/// Value at a point of the unit cube of the Lagrange polynomial that belongs to node `i`.
#[doc(alias = "mju_evalBasis")]
pub(crate) fn basis(x: Vec3, i: usize, order: i32) -> f64 {
    let width = order as usize + 1;
    phi(x.z, i % width, order)
        * phi(x.y, i / width % width, order)
        * phi(x.x, i / width / width, order)
}

/// Lagrange polynomial number `i` of the nodes 0, 1 or 0, ½, 1.
fn phi(s: f64, i: usize, order: i32) -> f64 {
    match (order, i) {
        (1, 0) => 1.0 - s,
        (1, _) => s,
        (_, 0) => 2.0 * s * s - 3.0 * s + 1.0,
        (_, 1) => 4.0 * (s - s * s),
        _ => 2.0 * s * s - s,
    }
}

/// Boxes around the elements, wider by the radius.
fn box_elements(m: &Model, d: &mut Data, f: FlexId) {
    let Data { flexelem_aabb, flexvert_xpos, .. } = d;
    let verts: &[Vec3] = flexvert_xpos;
    let verts = &verts[m.flex_verts(f)];
    let radius = m.flex_radius[f];
    for (e, row) in m.flex_elems(f).enumerate() {
        let corners = m.flex_elem_verts(f, e);
        let mut lo = verts[corners[0] as usize];
        let mut hi = lo;
        for &v in &corners[1..] {
            for k in 0..3 {
                let x = verts[v as usize][k];
                lo[k] = min(lo[k], x);
                hi[k] = max(hi[k], x);
            }
        }
        for k in 0..3 {
            flexelem_aabb[row][k] = 0.5 * (hi[k] + lo[k]);
            flexelem_aabb[row][k + 3] = 0.5 * (hi[k] - lo[k]) + radius;
        }
    }
}

/// Boxes of the nodes of a flex's tree: leaves from the elements, the others from their children.
#[doc(alias = "mj_updateDynamicBVH")]
fn box_nodes(m: &Model, d: &mut Data, f: FlexId) {
    let Ok(first) = usize::try_from(m.flex_bvhadr[f]) else { return };
    let Data { bvh_aabb_dyn, flexelem_aabb, .. } = d;
    let elems = m.flex_elems(f).start;
    let boxes: &mut [[f64; 6]] = bvh_aabb_dyn;
    let boxes = &mut boxes[first - m.nbvhstatic..];

    // children follow their parents
    for i in (0..m.flex_bvhnum[f] as usize).rev() {
        if let Ok(e) = usize::try_from(m.bvh_nodeid[first + i]) {
            boxes[i] = flexelem_aabb[elems + e];
            continue;
        }
        let [a, b] = m.bvh_child[first + i].map(|c| boxes[c as usize]);
        for k in 0..3 {
            let lo = min(a[k] - a[k + 3], b[k] - b[k + 3]);
            let hi = max(a[k] + a[k + 3], b[k] + b[k + 3]);
            boxes[i][k] = 0.5 * (hi + lo);
            boxes[i][k + 3] = 0.5 * (hi - lo);
        }
    }
}

/// Lengths of the edges and, where something acts along them, their Jacobians.
fn measure_edges(m: &Model, d: &mut Data, f: FlexId) {
    let needs_jacobian = m.flex_edgeequality[f] == 1
        || m.flex_edgedamping[f] != 0.0
        || m.flex_edgestiffness[f] != 0.0
        || m.flex_damping[f] != 0.0;
    let base = m.flex_verts(f).start;
    for e in m.flex_edges(f) {
        let [v1, v2] = m.flex_edge[e].map(|v| base + v as usize);
        let [p1, p2] = [v1, v2].map(|v| d.flexvert_xpos[v]);
        let (along, length) = (p2 - p1).normalize();
        d.flexedge_length[e] = length;
        if !needs_jacobian {
            continue;
        }

        // J = alongᵀ (J₂ - J₁), over the dofs of both ends
        let first = carried(m, d, v1);
        let second = carried(m, d, v2);
        let adr = m.flexedge_J_rowadr[e] as usize;
        let end = adr + m.flexedge_J_rownnz[e] as usize;
        for (at, (dof, moves)) in (adr..end).rev().zip(merged(m, first.dof, second.dof)) {
            let column = relative(&first, &second, d.cdof[dof], moves);
            d.flexedge_J[at] = project(column, along);
        }
    }
}

/// A vertex as a point of its body.
fn carried(m: &Model, d: &Data, v: usize) -> Carried {
    let body = m.flex_vertbodyid[v].get().unwrap_or(BodyId::WORLD);
    Carried::new(m, d, body, d.flexvert_xpos[v])
}

/// Invariants of the strain at each vertex, and their Jacobians.
///
/// Chen, Kry, Vouga, *Locking-free Simulation of Isometric Thin Plates* (2019): the deformation
/// gradient at a vertex is fitted to the edges around it; its Cauchy-Green tensor C has the
/// invariants tr C - 2 and det C - 1. As in MuJoCo they are scaled by the root of the vertex's mass.
fn measure_strain(m: &Model, d: &mut Data, f: FlexId) {
    let mut rows = core::mem::take(&mut d.work.flex.rows);
    rows.iter_mut().for_each(|row| {
        row.clear();
        row.resize(m.nv, 0.0);
    });
    for v in m.flex_verts(f) {
        let metric = m.flex_vertmetric[v];

        // F = (Σ w dy dxᵀ) B⁻¹, over the edges at the vertex
        let mut a = [0.0; 6];
        for edge in edges_at(m, f, v) {
            let dy = d.flexvert_xpos[edge.ends[1]] - d.flexvert_xpos[edge.ends[0]];
            for k in 0..3 {
                a[2 * k] += edge.weight * dy[k] * edge.rest[0];
                a[2 * k + 1] += edge.weight * dy[k] * edge.rest[1];
            }
        }
        let grad = mul_322(a, metric);

        // C = Fᵀ F and its invariants
        let c = [
            grad[0] * grad[0] + grad[2] * grad[2] + grad[4] * grad[4],
            grad[0] * grad[1] + grad[2] * grad[3] + grad[4] * grad[5],
            grad[1] * grad[0] + grad[3] * grad[2] + grad[5] * grad[4],
            grad[1] * grad[1] + grad[3] * grad[3] + grad[5] * grad[5],
        ];
        let scale = match m.flex_vertbodyid[v].get().map(|b| m.body_mass[b]) {
            Some(mass) if mass > MINVAL => mass.sqrt(),
            _ => 1.0,
        };
        d.flexvert_length[v] =
            [(c[0] + c[3] - 2.0) * scale, (c[0] * c[3] - c[1] * c[2] - 1.0) * scale];

        // their gradients by the ends of each edge, through the Jacobians of the ends
        let trace = mul_322(grad, metric);
        let det = mul_322(mul_322(grad, [c[3], -c[1], -c[2], c[0]]), metric);
        for edge in edges_at(m, f, v) {
            for (row, part) in rows.iter_mut().zip([trace, det]) {
                let rest = edge.rest;
                let along = |k: usize| part[2 * k] * rest[0] + part[2 * k + 1] * rest[1];
                let first = Vec3::new(along(0), along(1), along(2)) * (-2.0 * edge.weight);
                for (end, force) in edge.ends.into_iter().zip([first, first * -1.0]) {
                    let point = carried(m, d, end);
                    for (dof, _) in merged(m, point.dof, None) {
                        row[dof.idx()] += project(point.column(d.cdof[dof]), force);
                    }
                }
            }
        }

        // to the sparse rows
        for (i, row) in rows.iter_mut().enumerate() {
            let adr = m.flexvert_J_rowadr[v][i] as usize;
            let colind = m.flexvert_J_colind.as_flattened();
            let jac = d.flexvert_J.as_flattened_mut();
            for k in adr..adr + m.flexvert_J_rownnz[v][i] as usize {
                let x = &mut row[colind[k] as usize];
                jac[k] += core::mem::take(x) * scale;
            }
        }
    }
    d.work.flex.rows = rows;
}

/// An edge at a vertex.
pub(crate) struct EdgeAt {
    /// Its ends, as rows of `flex_vert`.
    pub(crate) ends: [usize; 2],
    /// From the first end to the second at rest, in the plane of the flex; the third is the height.
    pub(crate) rest: Vec3,
    /// Mass of the body at the end that is not the vertex.
    pub(crate) weight: f64,
}

/// The edges at vertex `v`, a row of `flex_vert`, of a flex with vertex strain.
pub(crate) fn edges_at(m: &Model, f: FlexId, v: usize) -> impl Iterator<Item = EdgeAt> + '_ {
    let (verts, edges) = (m.flex_verts(f).start, m.flex_edges(f).start);
    let adr = m.flex_vertedgeadr[v] as usize;
    let list = &m.flex_vertedge.as_flattened()[adr..][..m.flex_vertedgenum[v] as usize];
    list.iter().map(move |&e| {
        let ends = m.flex_edge[edges + e as usize].map(|v| verts + v as usize);
        let mut rest = m.flex_vert0[ends[1]] - m.flex_vert0[ends[0]];
        for k in 0..3 {
            rest[k] *= 2.0 * m.flex_size[f][k];
        }
        let neighbor = if v == ends[0] { ends[1] } else { ends[0] };
        let mass = m.flex_vertbodyid[neighbor].get().map_or(1.0, |b| m.body_mass[b]);
        EdgeAt { ends, rest, weight: if mass < MINVAL { MINVAL } else { mass } }
    })
}

/// Product of a 3×2 and a 2×2 matrix.
fn mul_322(a: [f64; 6], b: [f64; 4]) -> [f64; 6] {
    let mut c = [0.0; 6];
    for k in 0..3 {
        c[2 * k] = a[2 * k] * b[0] + a[2 * k + 1] * b[2];
        c[2 * k + 1] = a[2 * k] * b[1] + a[2 * k + 1] * b[3];
    }
    c
}

/// columnᵀ force; a zero component of the force adds nothing, as in `mju_mulMatTVec`.
fn project(column: Vec3, force: Vec3) -> f64 {
    let mut sum = 0.0;
    for k in 0..3 {
        if force[k] != 0.0 {
            sum += column[k] * force[k];
        }
    }
    sum
}

/// The smaller number, the second if they cannot be compared, as in MuJoCo.
fn min(a: f64, b: f64) -> f64 {
    if a <= b { a } else { b }
}

/// The larger number, the second if they cannot be compared, as in MuJoCo.
fn max(a: f64, b: f64) -> f64 {
    if a >= b { a } else { b }
}
