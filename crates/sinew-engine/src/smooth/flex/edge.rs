//! Lengths of the edges of flexes, and their Jacobians.

use core::ops::Range;

use sinew_model::{Data, FlexId, Model};

use crate::dof_chain::{ChainLink, merged};
use crate::smooth::dof_path::{Carried, relative};
use crate::smooth::jacobian::project;

/// Where the row of an edge is in `flexedge_J` and `flexedge_J_colind`.
pub(crate) fn row(m: &Model, edge: usize) -> Range<usize> {
    let adr = m.flexedge_J_rowadr[edge].max(0) as usize;
    adr..adr + m.flexedge_J_rownnz[edge].max(0) as usize
}

/// Lengths of a flex's edges, and how they change with the dofs if a force or constraint asks for
/// that.
pub(super) fn edges(m: &Model, d: &mut Data, f: FlexId) {
    let with_jacobian = m.flex_edgeequality[f] == 1
        || m.flex_edgedamping[f] != 0.0
        || m.flex_edgestiffness[f] != 0.0
        || m.flex_damping[f] != 0.0;
    let verts = m.flex_verts(f);
    for edge in m.flex_edges(f) {
        let ends = m.flex_edge[edge].map(|v| verts.start + v as usize);
        let [from, to] = ends.map(|v| d.flexvert_xpos[v]);
        let (direction, length) = (to - from).normalize();
        d.flexedge_length[edge] = length;
        if !with_jacobian {
            continue;
        }

        // J = directionᵀ (J_to - J_from), over the dofs that move either end
        let [first, second] =
            ends.map(|v| Carried::new(m, d, m.flex_vert_body(v), d.flexvert_xpos[v]));
        let Data { flexedge_J, cdof, .. } = d;
        let out = flexedge_J.rows_mut(row(m, edge));
        let dofs = merged(m, first.dof, second.dof);
        for (out, ChainLink { dof, moves }) in out.iter_mut().rev().zip(dofs) {
            *out = project(relative(&first, &second, cdof[dof], moves), direction);
        }
    }
}
