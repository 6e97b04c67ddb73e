//! Rows of joint and tendon limits.

use sinew_math::{Quat, Vec3};
use sinew_model::enums::{ConstraintType, JointType};
use sinew_model::{Data, JointId, Model};

use crate::constraint::impedance::Response;
use crate::constraint::rows::{Origin, RowValues, Rows};
use crate::constraint::scalar_row::{append_row, tendon_row};

/// Rows of all joints, then of all tendons that are closer to a limit than their margin.
pub(crate) fn limits(m: &Model, d: &mut Data, rows: &mut Rows) {
    for j in m.joints().filter(|&j| m.jnt_limited[j].get()) {
        match m.jnt_type[j] {
            JointType::Slide | JointType::Hinge => scalar_limit(m, d, j, rows),
            JointType::Ball => ball_limit(m, d, j, rows),
            _ => {}
        }
    }
    if m.tendons().any(|t| m.tendon_limited[t].get()) {
        tendon_limits(m, d, rows);
    }
}

/// A slide or hinge stays within its range.
fn scalar_limit(m: &Model, d: &Data, j: JointId, rows: &mut Rows) {
    let value = d.qpos[m.jnt_qpos(j).start];
    let dof = m.jnt_dofadr[j].idx() as i32;
    for (dist, slope) in distances(m.jnt_range[j], value) {
        if dist < m.jnt_margin[j] {
            rows.jacobian(1, [dof].into_iter())[0] = slope;
            commit_joint(m, j, dist, rows);
        }
    }
}

/// A ball joint turns by no more than the larger number of its range.
fn ball_limit(m: &Model, d: &Data, j: JointId, rows: &mut Rows) {
    let quat = Quat::from_slice(&d.qpos.flat()[m.jnt_qpos(j)]).normalize().0;
    let (axis, angle) = quat.to_vel(1.0).normalize();
    let [lo, hi] = m.jnt_range[j];
    let dist = if lo > hi { lo } else { hi } - angle;
    if dist < m.jnt_margin[j] {
        append_turn(m, j, -axis, dist, rows);
    }
}

/// Appends a row over the three dofs of a ball joint.
fn append_turn(m: &Model, j: JointId, slope: Vec3, dist: f64, rows: &mut Rows) {
    let dof = m.jnt_dofadr[j].idx() as i32;
    rows.jacobian(1, [dof, dof + 1, dof + 2].into_iter()).copy_from_slice(&slope.to_array());
    commit_joint(m, j, dist, rows);
}

fn commit_joint(m: &Model, j: JointId, dist: f64, rows: &mut Rows) {
    let margin = m.jnt_margin[j];
    let response = Response::new(m, m.jnt_solref[j], m.jnt_solimp[j], dist - margin);
    let from = Origin { kind: ConstraintType::LimitJoint, id: j.idx() };
    let diag = m.dof_invweight0[m.jnt_dofadr[j]];
    rows.commit(from, [values(response, dist, margin, diag)]);
}

/// Tendons stay within their ranges.
fn tendon_limits(m: &Model, d: &mut Data, rows: &mut Rows) {
    let mut row = core::mem::take(&mut d.work.constraint.row);
    for t in m.tendons().filter(|&t| m.tendon_limited[t].get()) {
        let margin = m.tendon_margin[t];
        let ends = distances(m.tendon_range[t], d.ten_length[t]);
        for (dist, slope) in ends.into_iter().filter(|(dist, _)| *dist < margin) {
            tendon_row(m, d, t, &mut row);
            for x in &mut row.val {
                *x *= slope;
            }
            let (solref, solimp) = (m.tendon_solref_lim[t], m.tendon_solimp_lim[t]);
            let response = Response::new(m, solref, solimp, dist - margin);
            let from = Origin { kind: ConstraintType::LimitTendon, id: t.idx() };
            let efcadr = rows.len() as i32;
            let values = values(response, dist, margin, m.tendon_invweight0[t]);
            append_row(m, rows, &row, from, values);
            if d.tendon_efcadr[t] == -1 {
                d.tendon_efcadr[t] = efcadr;
            }
        }
    }
    d.work.constraint.row = row;
}

/// Distances to the lower and the upper end of a range, and how each grows with the value.
fn distances([lo, hi]: [f64; 2], value: f64) -> [(f64, f64); 2] {
    [(-(lo - value), 1.0), (hi - value, -1.0)]
}

fn values(response: Response, pos: f64, margin: f64, diag: f64) -> RowValues {
    let r = response.regularisation(diag);
    RowValues { pos, margin, frictionloss: 0.0, response, r }
}
