//! Where the dual solvers start.

use core::mem::take;

use sinew_math::{sparse, vector};
use sinew_model::enums::DisableBit;
use sinew_model::{Data, Model};

use super::work::DualWork;
use crate::constraint::{inertia_row, mul_jac_vec};
use crate::solver::free_dofs::free_dofs;
use crate::solver::update::constraint_update;
use crate::work::scratch;

/// Forces from which the dual solver starts: those at the last acceleration, if they are better
/// than none.
///
/// Writes `efc_b`, `qacc`, `efc_force`, `efc_state`, `qfrc_constraint`.
pub(crate) fn start_dual(m: &Model, d: &mut Data) {
    // b = J q̈_smooth - aref
    let mut efc_b = take(&mut d.efc_b);
    mul_jac_vec(d, &mut efc_b, &d.qacc_smooth);
    for (b, aref) in efc_b.iter_mut().zip(d.efc_aref.iter()) {
        *b -= aref;
    }
    d.efc_b = efc_b;
    if m.opt.disabled(DisableBit::Warmstart) {
        d.qacc.copy_from_slice(&d.qacc_smooth);
        d.efc_force.fill(0.0);
        return;
    }
    d.qacc.copy_from_slice(&d.qacc_warmstart);

    // forces at the last acceleration
    let mut work = scratch(d).dual.take::<DualWork>();
    let jar = &mut work.jar;
    jar.clear();
    jar.resize(d.nefc, 0.0);
    mul_jac_vec(d, jar, &d.qacc_warmstart);
    for (jar, aref) in jar.iter_mut().zip(d.efc_aref.iter()) {
        *jar -= aref;
    }
    constraint_update(m, d, jar, None, false);

    // kept if ½ f·A f + f·b is not above that of no force
    for (i, product) in jar.iter_mut().enumerate() {
        let (cols, vals) = inertia_row(d, i);
        *product = sparse::dot(cols, vals, &d.efc_force);
    }
    let cost = vector::dot(&d.efc_force, &d.efc_b) + 0.5 * vector::dot(&d.efc_force, jar);
    if cost > 0.0 {
        d.efc_force.fill(0.0);
        d.qfrc_constraint.fill(0.0);
    }
    scratch(d).dual.put(work);
    free_dofs(d);
}
