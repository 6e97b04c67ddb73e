//! From constraint rows to constraint forces and accelerations.

mod descent;
mod dual;
mod fill;
mod hessian;
mod kernel;
mod lane;
mod noslip;
mod pgs;
mod primal;
mod problem;
mod qcqp;
mod search;
mod symbolic;
#[cfg(test)]
mod tests;
mod update;
mod zones;

use core::mem::take;

use sinew_math::vector;
use sinew_model::enums::{DisableBit, SolverType};
use sinew_model::{Data, Model};

use crate::constraint::mul_jac_vec;
use crate::work::scratch;
use noslip::noslip;
use pgs::pgs;
pub(crate) use primal::{NO_STAT, STAT_ITERATIONS};
use primal::{Work, primal};
pub use update::constraint_update;

/// Constraint forces and the acceleration with them; without rows, that of the smooth forces.
/// `qfrc_constraint` and `solver_niter` are zero before.
///
/// Reads `qacc_smooth`, `qfrc_smooth`, `qacc_warmstart`, the constraint rows and islands, `M`,
/// `qLD`. Writes `qacc`, `qfrc_constraint`, `efc_b`, `efc_force`, `efc_state`, the statistics.
pub(crate) fn solve(m: &Model, d: &mut Data) {
    if d.nefc == 0 || m.nv == 0 {
        d.qacc.copy_from_slice(&d.qacc_smooth);
        return;
    }
    for list in [&mut d.efc_b, &mut d.efc_force] {
        list.resize(d.nefc);
    }
    d.efc_state.resize(d.nefc);

    let iterations = usize::try_from(m.opt.iterations).unwrap_or(0);
    match m.opt.solver {
        SolverType::Cg | SolverType::Newton => primal(m, d, iterations),
        _ => {
            start_dual(m, d);
            pgs(m, d, iterations);
        }
    }
    let noslip_iterations = usize::try_from(m.opt.noslip_iterations).unwrap_or(0);
    if noslip_iterations > 0 {
        noslip(m, d, noslip_iterations);
    }
}

/// Forces from which the dual solver starts: those at the last acceleration, if they are better
/// than none.
///
/// Writes `efc_b`, `qacc`, `efc_force`, `efc_state`, `qfrc_constraint`.
fn start_dual(m: &Model, d: &mut Data) {
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
    let mut work = scratch(d).solver.take::<Work>();
    let jar = &mut work.rows;
    jar.clear();
    jar.resize(d.nefc, 0.0);
    mul_jac_vec(d, jar, &d.qacc_warmstart);
    for (jar, aref) in jar.iter_mut().zip(d.efc_aref.iter()) {
        *jar -= aref;
    }
    constraint_update(m, d, jar, None, false);

    // ½ f·A f + f·b
    for (i, product) in jar.iter_mut().enumerate() {
        let start = d.efc_AR_rowadr.get(i).map_or(0, |&adr| adr.max(0) as usize);
        let end = start + d.efc_AR_rownnz.get(i).map_or(0, |&nnz| nnz.max(0) as usize);
        *product = match (d.efc_AR_colind.get(start..end), d.efc_AR.get(start..end)) {
            (Some(cols), Some(vals)) => crate::sparse::dot_index(cols, vals, &d.efc_force),
            _ => 0.0,
        };
    }
    let cost = vector::dot(&d.efc_force, &d.efc_b) + 0.5 * vector::dot(&d.efc_force, jar);
    if cost > 0.0 {
        d.efc_force.fill(0.0);
        d.qfrc_constraint.fill(0.0);
    }
    scratch(d).solver.put(work);
    free_dofs(d);
}

/// Dofs in no island move freely.
fn free_dofs(d: &mut Data) {
    if d.nisland > 0 {
        let Data { qacc, qacc_smooth, map_idof2dof, .. } = d;
        for &dof in map_idof2dof.iter().skip(d.nidof) {
            qacc[dof as usize] = qacc_smooth[dof as usize];
        }
    }
}
