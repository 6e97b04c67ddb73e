//! Derivatives of the limits of joints that turn freely, and of tendons.

use sinew_math::{Mat3, Quat, Vec3};
use sinew_model::enums::{JointType, ObjType};
use sinew_model::{Data, JointId, Model, TendonId};

use super::error::{TransitionError, unsupported_object};
use super::rotation::right_jacobian_inverse;
use super::rows::{RowContext, RowOutput, tendon_row_change};

/// Adds the change of the row of a tendon's limit: the arm, or minus the arm above.
pub(super) fn limit_row(
    context: &RowContext<'_>,
    t: TendonId,
    row: usize,
    out: &mut RowOutput<'_>,
) -> Result<(), TransitionError> {
    let RowContext { m, d, tendons, .. } = *context;
    if tendons[t.idx()].is_rough {
        return unsupported_object(m, ObjType::Tendon, t.idx(), "a limit of a path inside a geom");
    }
    tendon_row_change(context, t, limit_sign(m, d, t, row), row, out);
    Ok(())
}

/// Which end of its range the row of a tendon is for: 1 for the lower one, -1 for the upper one.
pub(super) fn limit_sign(m: &Model, d: &Data, t: TendonId, row: usize) -> f64 {
    let [lower, upper] = m.tendon_range[t].map(|end| (d.ten_length[t] - end).abs());
    let dist = d.efc_pos[row].abs();
    if (dist - lower).abs() <= (dist - upper).abs() { 1.0 } else { -1.0 }
}

/// Adds the change of the row of a rotation's angle. The Jacobian is minus the axis n, which
/// changes by (I - n nᵀ) / θ J(φ)⁻¹. Rows of hinges and slides do not change.
pub(super) fn turn_rows(
    context: &RowContext<'_>,
    j: JointId,
    row: usize,
    out: &mut RowOutput<'_>,
) -> Result<(), TransitionError> {
    let RowContext { m, d, .. } = *context;
    let turn = match m.jnt_type[j] {
        JointType::Ball => 0,
        JointType::Free => 3,
        _ => return Ok(()),
    };
    if m.jnt_range[j][0] > 0.0 {
        return unsupported_object(m, ObjType::Joint, j.idx(), "limits of swing and twist");
    }
    let quat = Quat::from_slice(d.qpos.split_at(m.jnt_qpos(j).start + turn).1).normalize().0;
    let phi = quat.to_vel(1.0);
    let (axis, angle) = phi.normalize();
    let turned = right_jacobian_inverse(phi);
    let across = |x: Vec3| (x - axis * axis.dot(x)) * (-1.0 / angle);
    let change =
        Mat3::from_cols(across(turned.col(0)), across(turned.col(1)), across(turned.col(2)));

    // de += dJ (a + b v), and dJᵀ f
    let dof = m.jnt_dofadr[j].idx() + turn;
    let [_, b, ..] = d.efc_KBIP[row];
    let rate = |k: usize| d.qacc[dof + k] + b * d.qvel[dof + k];
    let rates = Vec3::new(rate(0), rate(1), rate(2));
    for k in 0..3 {
        out.block.change[k] += change.col(k).dot(rates);
        for i in 0..3 {
            out.residual.by_pos(dof + k)[dof + i] -= d.efc_force[row] * change.0[i][k];
        }
    }
    Ok(())
}
