//! Acceleration without constraints.

use sinew_model::{Data, Model};

use crate::smooth::inertia::solve_ld;
use crate::smooth::jacobian::xfrc_accumulate;
use crate::work::scratch;

/// Sum of all forces but constraint forces, and the acceleration they give.
///
/// Reads `qfrc_passive`, `qfrc_bias`, `qfrc_applied`, `qfrc_actuator`, `xfrc_applied`, `qLD`,
/// `qLDiagInv`. Writes `qfrc_smooth`, `qacc_smooth`.
#[doc(alias = "mj_fwdAcceleration")]
pub fn fwd_acceleration(m: &Model, d: &mut Data) {
    let mut qfrc = core::mem::take(&mut scratch(d).dof);
    qfrc.resize(m.nv);
    let inner = d.qfrc_passive.iter().zip(d.qfrc_bias.iter());
    let outer = d.qfrc_applied.iter().zip(d.qfrc_actuator.iter());
    for (sum, ((passive, bias), (applied, actuator))) in qfrc.iter_mut().zip(inner.zip(outer)) {
        *sum = passive - bias + applied + actuator;
    }
    xfrc_accumulate(m, d, &mut qfrc);
    d.qfrc_smooth.copy_from_slice(&qfrc);
    d.qacc_smooth.copy_from_slice(&qfrc);
    scratch(d).dof = qfrc;
    solve_ld(m, &mut d.qacc_smooth, &d.qLD, &d.qLDiagInv);
}
