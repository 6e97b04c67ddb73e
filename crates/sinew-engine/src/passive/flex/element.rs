//! Elasticity of triangles and tetrahedra whose vertices move by themselves.
//!
//! The energy of an element is quadratic in its Green strain: the squared lengths of its edges less
//! their squares at rest. `flex_stiffness` is the matrix of that form. Damping is generalised
//! Rayleigh damping: the strain of the last step takes part. Kharevych et al., "Geometric,
//! Variational Integrators for Computer Animation" (2006), 5.2.

use sinew_math::Vec3;
use sinew_model::{BodyId, Data, FlexId, Model};

use crate::smooth::flex::work::FlexWork;
use crate::smooth::jacobian::{PointForce, add_point_force};
use crate::work::scratch;

/// The edges of a triangle and of a tetrahedron, by their corners.
const TRIANGLE: [[usize; 2]; 3] = [[1, 2], [2, 0], [0, 1]];
const TETRAHEDRON: [[usize; 2]; 6] = [[0, 1], [1, 2], [2, 0], [2, 3], [0, 3], [1, 3]];

/// Adds the elastic forces of a flex.
pub(super) fn elasticity(m: &Model, d: &mut Data, f: FlexId) {
    let mut work = scratch(d).flex.take::<FlexWork>();
    let force = &mut work.vertex_force;
    force.clear();
    force.resize(m.flex_verts(f).len(), Vec3::ZERO);
    if m.flex_dim[f] == 2 {
        add_elements::<3, 3>(m, d, f, &TRIANGLE, force);
    } else {
        add_elements::<6, 4>(m, d, f, &TETRAHEDRON, force);
    }
    for (v, &force) in m.flex_verts(f).zip(force.iter()) {
        apply(m, d, v, force);
    }
    scratch(d).flex.put(work);
}

/// Sums up the forces on the vertices, element by element; `N` is the number of corners.
fn add_elements<const E: usize, const N: usize>(
    m: &Model,
    d: &Data,
    f: FlexId,
    edges: &[[usize; 2]; E],
    force: &mut [Vec3],
) {
    // strains of the edges, with the strains of the step before
    let dt = m.opt.timestep;
    let damping = if dt > 0.0 { m.flex_damping[f] / dt } else { 0.0 };
    let strain = |edge: usize| {
        let (length, rest) = (d.flexedge_length[edge], m.flexedge_length0[edge]);
        let before = length - d.flexedge_velocity[edge] * dt;
        length * length - rest * rest + (length * length - before * before) * damping
    };

    // force = - Σ strain · K · gradient of the squared lengths
    let (first_edge, elems) = (m.flex_edges(f).start, m.flex_elems(f));
    let pos = d.flexvert_xpos.rows(m.flex_verts(f));
    let edge_ids = m.flex_elemedge.split_at(m.flex_elemedgeadr[f].max(0) as usize).1;
    let corners = m.flex_elem.split_at(m.flex_elemdataadr[f].max(0) as usize).1;
    let rows = corners.as_chunks::<N>().0.iter().zip(edge_ids.as_chunks::<E>().0);
    for ((corners, edge_ids), stiffness) in rows.zip(m.flex_stiffness.rows(elems)) {
        let strain = edge_ids.map(|edge| strain(first_edge + edge as usize));
        let place = corners.map(|v| pos[v as usize]);
        let gradient = edges.map(|[a, b]| place[a] - place[b]);
        let local = element_force(edges, &strain, &gradient, stiffness);
        for (&v, local) in corners.iter().zip(local) {
            force[v as usize] += local;
        }
    }
}

/// Forces on the corners of an element. `stiffness` is the upper triangle of a symmetric matrix.
///
/// The tensions K · strain are summed up first; MuJoCo multiplies every part by its gradient.
#[inline]
fn element_force<const E: usize>(
    edges: &[[usize; 2]; E],
    strain: &[f64; E],
    gradient: &[Vec3; E],
    stiffness: &[f64; 21],
) -> [Vec3; 4] {
    // tension = K · strain, from the upper triangle of K
    let mut tension = [0.0; E];
    let mut at = 0;
    for i in 0..E {
        tension[i] += stiffness[at] * strain[i];
        for j in i + 1..E {
            let k = stiffness[at + j - i];
            tension[i] += k * strain[j];
            tension[j] += k * strain[i];
        }
        at += E - i;
    }

    // each edge pulls its two ends together
    let mut force = [Vec3::ZERO; 4];
    for ((&[a, b], &gradient), tension) in edges.iter().zip(gradient).zip(tension) {
        let part = gradient * tension;
        force[a] -= part;
        force[b] += part;
    }
    force
}

/// Adds the force on a vertex to the forces on its body's dofs.
fn apply(m: &Model, d: &mut Data, v: usize, force: Vec3) {
    let body: BodyId = m.flex_vert_body(v);
    if m.body_simple[body] == 2 {
        // sliders along the world's axes
        let dofs = m.body_dof_range(body);
        for (qfrc, x) in d.qfrc_spring.rows_mut(dofs).iter_mut().zip(force.to_array()) {
            *qfrc += x;
        }
    } else {
        let at = PointForce { force, point: d.flexvert_xpos[v], body };
        add_point_force(m, &d.cdof, &d.subtree_com, at, &mut d.qfrc_spring);
    }
}
