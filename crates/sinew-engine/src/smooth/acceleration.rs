//! Acceleration without constraints.

use sinew_math::vector;
use sinew_model::{Data, Model};

use crate::sleep::for_dofs;
use crate::smooth::factor::solve_dofs;
use crate::smooth::jacobian::{is_any_applied, xfrc_accumulate};
use crate::work::set_aside;

/// Sum of all forces but constraint forces, and the acceleration they give.
///
/// Reads `qfrc_passive`, `qfrc_bias`, `qfrc_applied`, `qfrc_actuator`, `xfrc_applied`, `qLD`,
/// `qLDiagInv`. Writes `qfrc_smooth`, `qacc_smooth`.
#[doc(alias = "mj_fwdAcceleration")]
#[inline(always)]
pub fn fwd_acceleration(m: &Model, d: &mut Data) {
    // forces on the dofs
    for_dofs(
        m,
        d,
        #[inline(always)]
        |d, dofs| {
            let forces = [&d.qfrc_passive, &d.qfrc_bias, &d.qfrc_applied, &d.qfrc_actuator];
            let forces = forces.map(|force| force.rows(dofs.clone()));
            vector::combine(
                d.qfrc_smooth.rows_mut(dofs),
                forces,
                |[passive, bias, applied, actuator]| passive - bias + applied + actuator,
            );
        },
    );

    // forces on the bodies
    if is_any_applied(d) {
        set_aside(d, |d| &mut d.qfrc_smooth, |d, qfrc| xfrc_accumulate(m, d, qfrc));
    }

    // qacc_smooth = M⁻¹ qfrc_smooth
    for_dofs(
        m,
        d,
        #[inline(always)]
        |d, run| {
            let Data { qacc_smooth, qfrc_smooth, qLD, qLDiagInv, .. } = d;
            vector::copy(qacc_smooth.rows_mut(run.clone()), qfrc_smooth.rows(run.clone()));
            solve_dofs(m, run, qacc_smooth, qLD, qLDiagInv);
        },
    );
}
