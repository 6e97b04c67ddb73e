//! From constraint rows to constraint forces and accelerations.

mod dual;
mod noslip;
mod pgs;
mod qcqp;
mod update;

use sinew_model::{Data, Model};

pub use update::constraint_update;

/// Constraint forces and the acceleration with them; without rows, that of the smooth forces.
///
/// Reads `qacc_smooth`. Writes `qacc`, `qfrc_constraint`.
#[doc(alias = "mj_fwdConstraint")]
pub fn fwd_constraint(_m: &Model, d: &mut Data) {
    d.qfrc_constraint.fill(0.0);
    d.qacc.copy_from_slice(&d.qacc_smooth);
    d.solver_niter.fill(0);
}
