//! Rows of joint and tendon limits.

use sinew_math::{Quat, Vec3, scalar};
use sinew_model::enums::{ConstraintType, JointType, ObjType};
use sinew_model::{Data, JointId, Model};

use crate::constraint::impedance::Response;
use crate::constraint::rows::{Origin, RowValues, commit_one, jacobian};
use crate::constraint::scalar_row::{append_row, tendon_row};
use crate::sleep::{is_asleep, some_asleep};
use crate::work::scratch;

/// Rows of all joints, then of all tendons that are closer to a limit than their margin.
pub(crate) fn limits(m: &Model, d: &mut Data) {
    let some_asleep = some_asleep(m, d);
    for j in m.joints().filter(|&j| m.jnt_limited[j].get()) {
        if some_asleep && is_asleep(m, d, ObjType::Joint, j.idx()) {
            continue;
        }
        match m.jnt_type[j] {
            JointType::Slide | JointType::Hinge => scalar_limit(m, d, j),
            JointType::Ball => turn_limit(m, d, j),
            // only with the load option `free_joint_limits`: in MuJoCo free joints have no limits
            JointType::Free => turn_limit(m, d, j),
            _ => {}
        }
    }
    if m.tendons().any(|t| m.tendon_limited[t].get()) {
        tendon_limits(m, d);
    }
}

/// Whether a joint may be closer to a limit than its margin.
pub(crate) fn may_be_reached(m: &Model, d: &Data) -> bool {
    let limited = |&j: &JointId| m.jnt_limited[j].get();
    m.joints().filter(limited).any(|j| match m.jnt_type[j] {
        JointType::Slide | JointType::Hinge => {
            let value = d.qpos[m.jnt_qpos(j).start];
            distances(m.jnt_range[j], value).into_iter().any(|(dist, _)| dist < m.jnt_margin[j])
        }
        _ => true,
    })
}

/// Whether a tendon is closer to a limit than its margin.
pub(crate) fn tendon_may_be_reached(m: &Model, d: &Data) -> bool {
    m.tendons().filter(|&t| m.tendon_limited[t].get()).any(|t| {
        let ends = distances(m.tendon_range[t], d.ten_length[t]);
        ends.into_iter().any(|(dist, _)| dist < m.tendon_margin[t])
    })
}

/// A slide or hinge stays within its range.
fn scalar_limit(m: &Model, d: &mut Data, j: JointId) {
    let value = d.qpos[m.jnt_qpos(j).start];
    let dof = m.jnt_dofadr[j].idx();
    for (dist, slope) in distances(m.jnt_range[j], value) {
        if dist < m.jnt_margin[j] {
            let entries = jacobian(d, 1, &[dof as i32]);
            d.efc_J[entries.start] = slope;
            commit_joint(m, d, j, dof, dist);
        }
    }
}

/// The limit of the rotation of a ball or free joint. The bound is the larger number of its range;
/// as an extension, one number bounds the swing and one the twist about z.
fn turn_limit(m: &Model, d: &mut Data, j: JointId) {
    let q = &d.qpos.flat()[m.jnt_qpos(j)];
    let quat = Quat::from_slice(&q[q.len() - 4..]).normalize().0;
    let [lo, hi] = m.jnt_range[j];
    if lo > 0.0 {
        let ends = [swing(quat).map(|x| (lo, x)), twist(quat).map(|x| (hi, x))];
        for (most, (angle, slope)) in ends.into_iter().flatten() {
            append_turn(m, d, j, slope, most - angle);
        }
    } else {
        let (axis, angle) = quat.to_vel(1.0).normalize();
        append_turn(m, d, j, -axis, if lo > hi { lo } else { hi } - angle);
    }
}

/// Angle between the z axes before and after a rotation, and minus its derivative; none where the
/// derivative is undefined.
fn swing(Quat { w, x, y, z }: Quat) -> Option<(f64, Vec3)> {
    let (turned, straight) = (x * x + y * y, w * w + z * z);
    let slope = Vec3::new(w * x + y * z, w * y - x * z, 0.0) * (-1.0 / (straight * turned).sqrt());
    let angle = 2.0 * scalar::atan2(turned.sqrt(), straight.sqrt());
    slope.is_finite().then_some((angle, slope))
}

/// Magnitude of a rotation's part about z, and minus its derivative; none after half a turn of
/// swing, where it is undefined.
fn twist(Quat { w, x, y, z }: Quat) -> Option<(f64, Vec3)> {
    // q and -q are one rotation: with w not negative the angle is within half a turn
    let (w, x, y, z) = if w < 0.0 { (-w, -x, -y, -z) } else { (w, x, y, z) };
    let straight = w * w + z * z;
    let angle = 2.0 * scalar::atan2(z, w);
    let slope = Vec3::new((x * z - w * y) / straight, (w * x + y * z) / straight, 1.0);
    let slope = if angle < 0.0 { slope } else { -slope };
    slope.is_finite().then_some((angle.abs(), slope))
}

/// Appends a row over the three dofs of a rotation if it is near its limit.
fn append_turn(m: &Model, d: &mut Data, j: JointId, slope: Vec3, dist: f64) {
    if dist < m.jnt_margin[j] {
        let dof = m.jnt_dofadr[j].idx() + m.jnt_type[j].nv() - 3;
        let entries = jacobian(d, 1, &[0, 1, 2].map(|k| (dof + k) as i32));
        d.efc_J.rows_mut(entries).copy_from_slice(&slope.to_array());
        commit_joint(m, d, j, dof, dist);
    }
}

fn commit_joint(m: &Model, d: &mut Data, j: JointId, dof: usize, dist: f64) {
    let margin = m.jnt_margin[j];
    let response = Response::new(m, m.jnt_solref[j], m.jnt_solimp[j], dist - margin);
    let from = Origin { kind: ConstraintType::LimitJoint, id: j.idx() };
    commit_one(d, from, &values(response, dist, margin, m.dof_invweight0[dof]));
}

/// Tendons stay within their ranges.
fn tendon_limits(m: &Model, d: &mut Data) {
    let mut work = scratch(d).constraint.take().unwrap_or_default();
    for t in m.tendons().filter(|&t| m.tendon_limited[t].get()) {
        let margin = m.tendon_margin[t];
        let ends = distances(m.tendon_range[t], d.ten_length[t]);
        for (dist, slope) in ends.into_iter().filter(|(dist, _)| *dist < margin) {
            tendon_row(m, d, t, &mut work.row);
            for x in &mut work.row.val {
                *x *= slope;
            }
            let (solref, solimp) = (m.tendon_solref_lim[t], m.tendon_solimp_lim[t]);
            let response = Response::new(m, solref, solimp, dist - margin);
            let from = Origin { kind: ConstraintType::LimitTendon, id: t.idx() };
            let efcadr = d.nefc as i32;
            let values = values(response, dist, margin, m.tendon_invweight0[t]);
            append_row(m, d, &work.row, from, values);
            if d.tendon_efcadr[t] == -1 {
                d.tendon_efcadr[t] = efcadr;
            }
        }
    }
    scratch(d).constraint = Some(work);
}

/// Distances to the lower and the upper end of a range, and how each grows with the value.
fn distances([lo, hi]: [f64; 2], value: f64) -> [(f64, f64); 2] {
    [(-(lo - value), 1.0), (hi - value, -1.0)]
}

fn values(response: Response, pos: f64, margin: f64, diag: f64) -> RowValues {
    let r = response.regularisation(diag);
    RowValues { pos, margin, frictionloss: 0.0, response, r }
}
