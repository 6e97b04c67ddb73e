//! Where projected Gauss-Seidel starts.

use core::mem::take;

use sinew_model::enums::DisableBit;
use sinew_model::{Data, Model};

use super::cone::Softness;
use super::work::{DualWork, update_states};
use crate::constraint::mul_jac_vec;
use crate::solver::update::forces_at;

/// Forces from which the solver starts: those at the last acceleration, if they are better than
/// none. Also the rows of A, the cones, and the residual at these forces.
///
/// Writes `efc_b`, `efc_force`, `efc_state`.
pub(crate) fn start(m: &Model, d: &mut Data, work: &mut DualWork) {
    // b = J q̈_smooth - aref
    let mut efc_b = take(&mut d.efc_b);
    minus_reference(d, &mut efc_b, &d.qacc_smooth);
    d.efc_b = efc_b;

    // forces at the last acceleration
    let warm = !m.opt.disabled(DisableBit::Warmstart);
    if warm {
        let jar = &mut work.jar;
        jar.resize(d.nefc, 0.0);
        minus_reference(d, jar, &d.qacc_warmstart);
        forces_at(d, jar);
    } else {
        d.efc_force.fill(0.0);
    }
    work.prepare(d, Softness::Soft);

    // kept if ½ f·A f + f·b is not above its value for no force
    if warm && twice_cost(d, &work.residual) > 0.0 {
        d.efc_force.fill(0.0);
        work.residual.copy_from_slice(&d.efc_b);
    }
    update_states(d, &work.cones);
}

/// out = J q̈ - aref
fn minus_reference(d: &Data, out: &mut [f64], qacc: &[f64]) {
    mul_jac_vec(d, out, qacc);
    for (out, aref) in out.iter_mut().zip(d.efc_aref.iter()) {
        *out -= aref;
    }
}

/// f·A f + 2 f·b, with the residual A f + b.
fn twice_cost(d: &Data, residual: &[f64]) -> f64 {
    let rows = d.efc_force.iter().zip(residual.iter().zip(d.efc_b.iter()));
    rows.fold(0.0, |sum, (f, (res, b))| sum + f * (res + b))
}
