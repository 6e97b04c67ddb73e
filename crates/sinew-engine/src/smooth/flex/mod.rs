//! Flexible objects: where their vertices are, the boxes of their elements, and the lengths and
//! strains that elasticity and constraints work on.
//!
//! A flex is a mesh of edges, triangles or tetrahedra whose vertices are fixed to bodies, most
//! often one small body for each. Or its vertices are interpolated between a few nodes (`basis`),
//! and only those are fixed to bodies.

pub(crate) mod basis;
mod boxes;
pub(crate) mod edge;
pub(crate) mod strain;
mod vertex;
pub(crate) mod weighted;
pub(crate) mod work;

pub use basis::weight as eval_basis;

use sinew_model::{Data, FlexId, Model};

use crate::sparse::dot_index;

/// Places the flexes: vertices, boxes, edges and strains.
///
/// Reads `xpos`, `xmat`, `cdof`, `subtree_com`. Writes `flexvert_xpos`, `flexelem_aabb`,
/// `bvh_aabb_dyn`, `flexedge_length`, `flexedge_J`, `flexvert_length`, `flexvert_J`.
#[doc(alias = "mj_flex")]
pub fn flex(m: &Model, d: &mut Data) {
    if m.nflex == 0 {
        return;
    }
    vertex::place(m, d);
    boxes::elements(m, d);
    boxes::trees(m, d);
    d.flexvert_J.fill([0.0; 2]);
    d.flexedge_J.fill(0.0);
    for f in m.flexes().filter(|&f| moves_by_vertices(m, f)) {
        edge::edges(m, d, f);
        if strain::is_constrained(m, f) {
            strain::strains(m, d, f);
        }
    }
}

/// Rates of change of the lengths of all edges: J q̇.
///
/// Reads `flexedge_J`, `qvel`. Writes `flexedge_velocity`.
pub(crate) fn flex_vel(m: &Model, d: &mut Data) {
    let Data { flexedge_velocity, flexedge_J, qvel, .. } = d;
    for f in m.flexes() {
        let edges = m.flex_edges(f);
        if !moves_by_vertices(m, f) {
            flexedge_velocity.rows_mut(edges).fill(0.0);
            continue;
        }
        for e in edges {
            let (row, cols) = (flexedge_J.rows(edge::row(m, e)), edge::row(m, e));
            flexedge_velocity[e] = dot_index(m.flexedge_J_colind.rows(cols), row, qvel);
        }
    }
}

/// Whether the vertices of a flex move independently of each other, so that its edges can stretch.
fn moves_by_vertices(m: &Model, f: FlexId) -> bool {
    !m.flex_rigid[f].get() && m.flex_interp[f] == 0
}
