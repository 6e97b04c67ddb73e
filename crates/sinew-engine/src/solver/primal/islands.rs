//! The primal solvers on the rows of a step: Newton and conjugate gradient on the acceleration,
//! island by island or on all rows at once.

use sinew_math::vector;
use sinew_model::enums::{DisableBit, SolverType};
use sinew_model::{Data, Model, options};

use super::descent::{Scratch, Settings, solve};
use super::nnz::inertia_entries;
use super::part::{all_rows, island_part};
use super::problem::Problem;
use crate::smooth::inertia::mul_m;
use crate::solver::free_dofs::free_dofs;
use crate::solver::stats::{STAT_ISLANDS, cost_scale, save_stat};
use crate::work::scratch;

/// Memory of the primal solvers from step to step.
#[derive(Debug, Default)]
struct PrimalWork {
    problems: Vec<Problem>,
    descent: Scratch,
    /// Without islands: the numbers from zero on.
    counting: Vec<i32>,
}

/// Newton or conjugate gradient.
///
/// Writes `efc_b`, `qacc`, `efc_force`, `efc_state`, `qfrc_constraint`, `H` of contacts that slide,
/// the statistics. With islands, `efc_state` is that at `qacc_smooth`, as in MuJoCo; `iefc_state`
/// has the states at the solution.
pub(crate) fn primal(m: &Model, d: &mut Data, iterations: usize) {
    // options, and a problem for each island
    let settings = Settings {
        newton: m.opt.solver == SolverType::Newton,
        iterations,
        ls_iterations: options::iterations(m.opt.ls_iterations),
        tolerance: m.opt.tolerance,
        ls_tolerance: m.opt.ls_tolerance,
    };
    let by_island =
        d.nisland > 0 && !m.opt.disabled(DisableBit::Island) && m.opt.noslip_iterations == 0;
    let mut work = scratch(d).solver.take::<PrimalWork>();
    let count = if by_island { d.nisland } else { 1 };
    if work.problems.len() < count {
        work.problems.resize_with(count, Problem::default);
    }
    let PrimalWork { problems, descent, counting } = &mut *work;
    let problems = &mut problems[..count];

    // gather, and choose where to start
    if by_island {
        for (island, problem) in problems.iter_mut().enumerate() {
            problem.gather(m, d, &island_part(m, d, island), settings.newton);
        }
        d.iefc_state.resize(d.nefc);
    } else {
        counting.clear();
        counting.extend(0..m.nv.max(d.nefc) as i32);
        problems[0].gather(m, d, &all_rows(m, d, counting), settings.newton);
    }
    start(m, d, problems, by_island);
    free_dofs(d);

    // solve, with statistics
    let mut inertia = 0;
    for (island, problem) in problems.iter_mut().enumerate() {
        let scale = if by_island { 1.0 / problem.inertia.trace } else { cost_scale(m) };
        let save = |iter, stat| save_stat(&mut d.solver, island, iter, stat);
        let iterations = solve(problem, descent, &settings, scale, save);
        if island < STAT_ISLANDS {
            d.solver_niter[island] += iterations as i32;
            d.solver_nnz[island] = 0;
            if settings.newton && !m.is_sparse() {
                d.solver_nnz[island] = (problem.n * problem.n) as i32;
            } else if settings.newton {
                let part =
                    if by_island { island_part(m, d, island) } else { all_rows(m, d, counting) };
                // MuJoCo makes space for M of all islands up to this one
                inertia += inertia_entries(m, &part);
                let entries = problem.newton_entries(m, d, &part);
                d.solver_nnz[island] = (entries + inertia) as i32;
            }
        }
        problem.scatter(d, by_island);
    }
    scratch(d).solver.put(work);
}

/// Where all problems start: at the last acceleration, unless the smooth one is better.
fn start(m: &Model, d: &mut Data, problems: &mut [Problem], by_island: bool) {
    // at the smooth acceleration, which also gives `efc_b`
    let warm = !m.opt.disabled(DisableBit::Warmstart);
    let mut smooth_cost = 0.0;
    for problem in problems.iter_mut() {
        problem.start_smooth();
        let rows = &mut problem.rows;
        rows.put(&rows.jar, &mut d.efc_b);
        if by_island && warm {
            rows.put_states(&mut d.efc_state, |row| row);
        }
        smooth_cost += problem.counts.cost;
    }
    if !warm {
        problems.iter_mut().for_each(Problem::start_inertia);
        return;
    }

    // at the last acceleration
    let mut warm_cost = if by_island { free_gauss(m, d) } else { 0.0 };
    for problem in problems.iter_mut() {
        problem.pick(&d.qacc_warmstart, |v| &mut v.qacc);
        problem.start_inertia();
        problem.start_rows();
        warm_cost += problem.counts.cost + problem.gauss;
    }

    // the better of the two
    if warm_cost > smooth_cost {
        for problem in problems.iter_mut() {
            problem.start_smooth();
            problem.start_inertia();
        }
    } else if !by_island && d.nisland > 0 {
        // dofs in no island are known to move freely
        let problem = &mut problems[0];
        for (x, &dof) in problem.v.qacc.iter_mut().zip(&problem.dofs) {
            if d.dof_island[dof as usize] < 0 {
                *x = d.qacc_smooth[dof as usize];
            }
        }
        problem.start_inertia();
    }
}

/// ½ (M q̈ - f_smooth) · (q̈ - q̈_smooth) of the dofs in no island, at the last acceleration: the
/// choice of the start counts them in.
fn free_gauss(m: &Model, d: &mut Data) -> f64 {
    if d.nidof >= m.nv {
        return 0.0;
    }
    let mut ma = scratch(d).take_dof(m.nv);
    let free = d.map_idof2dof.get(d.nidof..).unwrap_or_default();
    mul_m(m, d, &mut ma, &d.qacc_warmstart);
    let cost = free.iter().fold(0.0, |sum, &i| {
        let i = i as usize;
        sum + 0.5 * (ma[i] - d.qfrc_smooth[i]) * (d.qacc_warmstart[i] - d.qacc_smooth[i])
    });
    scratch(d).dof = ma;
    cost
}

impl Problem {
    /// The acceleration is the smooth one.
    fn start_smooth(&mut self) {
        vector::copy(&mut self.v.qacc, &self.v.qacc_smooth);
        self.start_rows();
    }

    /// Gives the solution to the data.
    fn scatter(&mut self, d: &mut Data, by_island: bool) {
        self.put(&self.v.qacc, &mut d.qacc);
        self.put(&self.v.qfrc, &mut d.qfrc_constraint);
        for contact in self.rows.cones.iter().filter(|contact| contact.slid) {
            contact.cone.hessian(&contact.u, d.contact[contact.contact].H.as_flattened_mut());
        }
        let rows = &mut self.rows;
        rows.put(&rows.force, &mut d.efc_force);
        if by_island {
            // the rows of an island keep their order
            rows.put_states(&mut d.iefc_state, |row| d.map_efc2iefc[row] as usize);
        } else {
            rows.put_states(&mut d.efc_state, |row| row);
        }
    }
}
