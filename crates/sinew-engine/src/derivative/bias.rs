//! Derivative of the bias force: the recursive Newton-Euler pass, differentiated column by column.
//!
//! A row per body with one spatial column for each dof of its ancestors, itself and its subtree
//! (`B_colind`); ancestors come first.

use core::ops::Range;

use sinew_math::Spatial;
use sinew_model::enums::JointType;
use sinew_model::{BodyId, Data, DofId, Model};

use crate::sleep::{for_bodies, for_bodies_back, for_dofs};
use crate::work::{DerivativeWork, scratch};

/// Subtracts d qfrc_bias / d qvel.
#[doc(alias = "mjd_rne_vel")]
pub(super) fn subtract_bias_vel(m: &Model, d: &mut Data, deriv: &mut [f64]) {
    let mut work = core::mem::take(&mut scratch(d).derivative);
    for columns in [&mut work.cvel, &mut work.cacc, &mut work.cfrc] {
        columns.resize(m.nB, Spatial::ZERO);
    }
    for_bodies(m, d, |d, run| outwards(m, d, run, &mut work));

    // inwards: a parent also carries its children
    let cfrc = &mut work.cfrc;
    for_bodies_back(m, d, |_, run| {
        for b in run.rev().map(BodyId::new) {
            let parent = m.body_parentid[b];
            if m.body_weldid[parent] != BodyId::WORLD {
                add_to_parent(m, row(m, b), row(m, parent), cfrc);
            }
        }
    });

    // rows of the derivative have the columns of the dof's body
    for_dofs(m, d, |d, run| {
        for v in run {
            let adr = m.D_rowadr[v] as usize;
            for (k, col) in row(m, m.dof_bodyid[v]).enumerate() {
                deriv[adr + k] -= d.cdof[v].dot(cfrc[col]);
            }
        }
    });
    scratch(d).derivative = work;
}

/// Outwards: d cvel, d cacc, then d cfrc = I d cacc + d cvel × (I v) + v × (I d cvel).
fn outwards(m: &Model, d: &Data, bodies: Range<usize>, work: &mut DerivativeWork) {
    let (cvel, cacc, cfrc) = (&mut work.cvel, &mut work.cacc, &mut work.cfrc);
    for b in bodies.map(BodyId::new) {
        for columns in [&mut *cvel, &mut *cacc, &mut *cfrc] {
            columns[row(m, b)].fill(Spatial::ZERO);
        }
        if b == BodyId::WORLD {
            continue;
        }
        motion_columns(m, d, b, cvel, cacc);
        let momentum = d.cinert[b] * d.cvel[b];
        for k in row(m, b) {
            let (dv, da) = (cvel[k], cacc[k]);
            let turning = dv.cross_force(momentum) + d.cvel[b].cross_force(d.cinert[b] * dv);
            cfrc[k] = d.cinert[b] * da + turning;
        }
    }
}

/// Columns of a body's velocity and acceleration: the parent's, moved by its own joints.
#[doc(alias = "mjd_comVel_vel")]
fn motion_columns(m: &Model, d: &Data, b: BodyId, cvel: &mut [Spatial], cacc: &mut [Spatial]) {
    let start = row(m, b).start;
    let from = row(m, m.body_parentid[b]).start;
    let above = m.body_chain(m.body_parentid[b]).count();
    cvel.copy_within(from..from + above, start);
    cacc.copy_within(from..from + above, start);

    // dofs so far, ancestors' and own
    let mut end = start + above;
    for j in m.body_joints(b) {
        let mut own = m.jnt_dofs(j).map(DofId::idx);
        if m.jnt_type[j] == JointType::Free {
            // axes of translation do not turn
            end = add_own(d, own.by_ref().take(3), cvel, cacc, end);
        }
        for v in own.clone() {
            // the others turn with the dofs before them
            for k in start..end {
                cacc[k] += cvel[k].cross_motion(d.cdof[v]) * d.qvel[v];
            }
        }
        end = add_own(d, own, cvel, cacc, end);
    }
}

/// Puts the columns of a joint's dofs at `end` and returns the new end.
fn add_own(
    d: &Data,
    dofs: impl Iterator<Item = usize>,
    cvel: &mut [Spatial],
    cacc: &mut [Spatial],
    mut end: usize,
) -> usize {
    for v in dofs {
        cacc[end] += d.cdof_dot[v];
        cvel[end] += d.cdof[v];
        end += 1;
    }
    end
}

/// Adds the columns of a child to the columns of its parent, which has all of them.
fn add_to_parent(m: &Model, child: Range<usize>, parent: Range<usize>, columns: &mut [Spatial]) {
    let mut k = child.start;
    for p in parent {
        if k < child.end && m.B_colind[k] == m.B_colind[p] {
            let column = columns[k];
            columns[p] += column;
            k += 1;
        }
    }
}

/// Where the columns of a body are.
fn row(m: &Model, b: BodyId) -> Range<usize> {
    let start = m.B_rowadr[b] as usize;
    start..start + m.B_rownnz[b] as usize
}
