//! From constraint rows to constraint forces and accelerations.
//!
//! `primal` has Newton's method and conjugate gradient, which search the acceleration. `dual` has
//! projected Gauss-Seidel and noslip, which search the forces. `kernel` has the hot loops, `zones`
//! the force and cost of a row by zone, `stats` MuJoCo's counters.

mod dual;
mod free_dofs;
mod kernel;
mod primal;
pub(crate) mod stats;
#[cfg(test)]
mod tests;
mod update;
mod zones;

use sinew_math::vector;
use sinew_model::enums::SolverType;
use sinew_model::{Data, Model, options};

use dual::{noslip, pgs};
use primal::primal;
pub use update::constraint_update;
pub(crate) use zones::{EllipticCone, dry_friction};

/// Constraint forces and the acceleration with them; without rows, the acceleration of the smooth
/// forces. `qfrc_constraint` and `solver_niter` are zero before.
///
/// Reads `qacc_smooth`, `qfrc_smooth`, `qacc_warmstart`, the constraint rows and islands, `M`,
/// `qLD`. Writes `qacc`, `qfrc_constraint`, `efc_b`, `efc_force`, `efc_state`, the statistics.
#[inline(always)]
pub(crate) fn solve(m: &Model, d: &mut Data) {
    if d.nefc == 0 || m.nv == 0 {
        vector::copy(&mut d.qacc, &d.qacc_smooth);
    } else {
        solve_rows(m, d);
    }
}

#[inline(never)]
fn solve_rows(m: &Model, d: &mut Data) {
    for list in [&mut d.efc_b, &mut d.efc_force] {
        list.resize(d.nefc);
    }
    d.efc_state.resize(d.nefc);

    let iterations = options::iterations(m.opt.iterations);
    match m.opt.solver {
        SolverType::Cg | SolverType::Newton => primal(m, d, iterations),
        _ => pgs(m, d, iterations),
    }
    let noslip_iterations = options::iterations(m.opt.noslip_iterations);
    if noslip_iterations > 0 {
        noslip(m, d, noslip_iterations);
    }
}
