//! Lengths of the edges of flexes, and their Jacobians.

use core::cmp::Ordering;
use core::ops::Range;

use sinew_math::Vec3;
use sinew_model::{BodyId, Data, FlexId, Model};

use crate::dof_chain::{ChainLink, Moves, merged};
use crate::smooth::dof_path::{Carried, relative};
use crate::smooth::jacobian::project;

/// Where the row of an edge is in `flexedge_J` and `flexedge_J_colind`.
pub(crate) fn row(m: &Model, edge: usize) -> Range<usize> {
    let adr = m.flexedge_J_rowadr[edge].max(0) as usize;
    adr..adr + m.flexedge_J_rownnz[edge].max(0) as usize
}

/// Lengths of a flex's edges, and how they change with the dofs if a force or constraint needs
/// that. Rows are zero before.
pub(super) fn edges(m: &Model, d: &mut Data, f: FlexId) {
    let with_jacobian = m.flex_edgeequality[f] == 1
        || m.flex_edgedamping[f] != 0.0
        || m.flex_edgestiffness[f] != 0.0
        || m.flex_damping[f] != 0.0;
    let verts = m.flex_verts(f);
    for edge in m.flex_edges(f) {
        let [from, to] = m.flex_edge[edge];
        let ends = [verts.start + from as usize, verts.start + to as usize];
        let (direction, length) = (d.flexvert_xpos[ends[1]] - d.flexvert_xpos[ends[0]]).normalize();
        d.flexedge_length[edge] = length;
        if !with_jacobian {
            continue;
        }

        // J = directionᵀ (J_to - J_from), over the dofs that move either end
        if let Some([low, high]) = sliding_ends(m, edge, verts.start) {
            let out = d.flexedge_J.rows_mut(row(m, edge));
            let (out_low, out_high) = out.split_at_mut(low.dofs.len().min(out.len()));
            for (end, out) in [(low, out_low), (high, out_high)] {
                let direction = direction * end.sign;
                for (out, cdof) in out.iter_mut().zip(d.cdof.rows(end.dofs)) {
                    *out = project(cdof.lin, direction);
                }
            }
            continue;
        }
        carried_row(m, d, edge, ends, direction);
    }
}

/// The row of an edge between any two bodies. Dofs that move both ends do not change the length:
/// zero, where MuJoCo has a rounding error.
fn carried_row(m: &Model, d: &mut Data, edge: usize, ends: [usize; 2], direction: Vec3) {
    let carried = |v: usize| Carried::new(m, d, m.flex_vert_body(v), d.flexvert_xpos[v]);
    let (first, second) = (carried(ends[0]), carried(ends[1]));
    let Data { flexedge_J, cdof, .. } = d;
    let dofs = merged(m, first.dof, second.dof).take_while(|link| link.moves != Moves::Both);
    let row = flexedge_J.rows_mut(row(m, edge));
    for (out, ChainLink { dof, moves }) in row.iter_mut().rev().zip(dofs) {
        *out = project(relative(&first, &second, cdof[dof], moves), direction);
    }
}

/// An end of an edge on a body that only slides, or does not move.
pub(crate) struct SlidingEnd {
    /// The dofs of the body.
    pub(crate) dofs: Range<usize>,
    /// Whether the edge becomes longer or shorter as the body goes along it: 1 or -1.
    pub(crate) sign: f64,
}

/// The ends of an edge, that with the lower dofs first, if nothing but sliders of their own moves
/// their two bodies. `first` is the first vertex of the flex.
#[inline]
pub(crate) fn sliding_ends(m: &Model, edge: usize, first: usize) -> Option<[SlidingEnd; 2]> {
    let [a, b] = m.flex_edge[edge];
    let low = sliders(m, m.flex_vert_body(first + a as usize))?;
    let high = sliders(m, m.flex_vert_body(first + b as usize))?;
    let (low, high) = (SlidingEnd { dofs: low, sign: -1.0 }, SlidingEnd { dofs: high, sign: 1.0 });
    match low.dofs.start.cmp(&high.dofs.start) {
        Ordering::Less => Some([low, high]),
        Ordering::Greater => Some([high, low]),
        Ordering::Equal => None,
    }
}

/// The dofs of a body if they are sliders and nothing above it moves.
#[inline]
pub(crate) fn sliders(m: &Model, body: BodyId) -> Option<Range<usize>> {
    let dofs = m.body_dof_range(body);
    let alone = match dofs.is_empty() {
        true => m.body_last_dof(body).is_none(),
        false => m.body_simple[body] == 2 && m.dof_parentid[dofs.start].get().is_none(),
    };
    alone.then_some(dofs)
}
