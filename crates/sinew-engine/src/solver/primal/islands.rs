//! The primal solvers on the rows of a step: Newton and conjugate gradient on the acceleration,
//! island by island or on all rows at once.

use sinew_math::vector;
use sinew_model::enums::{DisableBit, SolverType};
use sinew_model::{Data, Model, options};

use super::descent::{Scratch, Settings, solve};
use super::nnz::inertia_entries;
use super::part::{Part, all_rows, island_part};
use super::problem::Problem;
use super::symbolic::Fronts;
use crate::smooth::inertia::mul_m;
use crate::solver::free_dofs::free_dofs;
use crate::solver::stats::{STAT_ISLANDS, cost_scale, save_stat};
use crate::work::scratch;

/// Memory of the primal solvers from step to step.
#[derive(Debug, Default)]
struct PrimalWork {
    problems: Vec<Problem>,
    /// The problem of one island after the other.
    passing: Problem,
    descent: Scratch,
    /// Without islands: the numbers from zero on.
    counting: Vec<i32>,
    /// Whether the smooth acceleration was the better start in the last step.
    was_smooth: bool,
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
    let PrimalWork { problems, passing, descent, counting, was_smooth } = &mut *work;
    if problems.len() < count {
        problems.resize_with(count, Problem::default);
    }
    let problems = &mut problems[..count];
    if by_island {
        d.iefc_state.resize(d.nefc);
    } else {
        counting.clear();
        counting.extend(0..m.nv.max(d.nefc) as i32);
    }

    // gather, and choose where to start
    let warm = !m.opt.disabled(DisableBit::Warmstart);
    let newton = settings.newton;
    let outset = Outset { m, by_island, warm, newton, counting, expects_smooth: *was_smooth };
    *was_smooth = outset.start(d, problems, passing, |problem| {
        solve(problem, descent, &settings, 1.0 / problem.inertia.trace, |_, _| {});
    });
    free_dofs(d);

    // solve, with statistics
    let mut inertia = 0;
    for (island, problem) in problems.iter_mut().enumerate() {
        if outset.is_early(d, island) {
            continue;
        }
        let scale = if by_island { 1.0 / problem.inertia.trace } else { cost_scale(m) };
        let save = |iter, stat| save_stat(&mut d.solver, island, iter, stat);
        let iterations = solve(problem, descent, &settings, scale, save);
        if island < STAT_ISLANDS {
            d.solver_niter[island] += iterations as i32;
            d.solver_nnz[island] = 0;
            if settings.newton && !m.is_sparse() {
                d.solver_nnz[island] = (problem.n * problem.n) as i32;
            } else if settings.newton {
                let part = outset.part(d, island);
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

/// How problems start.
struct Outset<'a> {
    m: &'a Model,
    by_island: bool,
    /// Whether the last acceleration is considered.
    warm: bool,
    newton: bool,
    counting: &'a [i32],
    /// Whether the smooth acceleration is expected to be the better start.
    expects_smooth: bool,
}

impl Outset<'_> {
    /// Gathers all problems and chooses where they start: at the last acceleration, unless the
    /// smooth one is better. Whether it is the smooth one.
    ///
    /// The problems of many islands are larger than the caches. Small problems without statistics
    /// are therefore solved one after the other in the same memory, from the expected start. They
    /// are solved again if the other start is better.
    fn start(
        &self,
        d: &mut Data,
        problems: &mut [Problem],
        passing: &mut Problem,
        mut solve: impl FnMut(&mut Problem),
    ) -> bool {
        let mut smooth_cost = 0.0;
        let mut warm_cost = if self.by_island && self.warm { free_gauss(self.m, d) } else { 0.0 };
        for (island, problem) in problems.iter_mut().enumerate() {
            let early = self.is_early(d, island);
            let problem = if early { &mut *passing } else { problem };
            let [smooth, last] = self.begin(d, island, problem);
            smooth_cost += smooth;
            warm_cost += last;
            if early {
                if self.expects_smooth && self.warm {
                    problem.start_smooth();
                    problem.start_inertia();
                }
                solve(problem);
                problem.scatter(d, true);
            }
        }
        if !self.warm {
            return false;
        }

        // the better of the two
        let smooth = warm_cost > smooth_cost;
        for (island, problem) in problems.iter_mut().enumerate() {
            let early = self.is_early(d, island);
            if early && smooth == self.expects_smooth {
                continue;
            }
            let problem = if early { &mut *passing } else { problem };
            if early {
                self.begin(d, island, problem);
            }
            if smooth {
                problem.start_smooth();
                problem.start_inertia();
            }
            if early {
                problem.forget_curvatures(d);
                solve(problem);
                problem.scatter(d, true);
            }
        }
        if !smooth && !self.by_island && d.nisland > 0 {
            // dofs in no island are known to move freely
            let problem = &mut problems[0];
            for (x, &dof) in problem.v.qacc.iter_mut().zip(&problem.dofs) {
                if d.dof_island[dof as usize] < 0 {
                    *x = d.qacc_smooth[dof as usize];
                }
            }
            problem.start_inertia();
        }
        smooth
    }

    /// Whether an island is solved as soon as it has been gathered.
    fn is_early(&self, d: &Data, island: usize) -> bool {
        island >= STAT_ISLANDS && Fronts::small(self.part(d, island).dofs.len())
    }

    /// Gathers a problem, which then starts at the last acceleration, if that is considered. Also
    /// the costs at the smooth acceleration and at the last one.
    fn begin(&self, d: &mut Data, island: usize, problem: &mut Problem) -> [f64; 2] {
        problem.gather(self.m, d, &self.part(d, island), self.newton);

        // at the smooth acceleration, which also gives `efc_b`
        problem.start_smooth();
        let rows = &mut problem.rows;
        rows.put(&rows.jar, &mut d.efc_b);
        if self.by_island && self.warm {
            rows.put_states(&mut d.efc_state, |row| row);
        }
        let smooth = problem.counts.cost;
        if !self.warm {
            problem.start_inertia();
            return [smooth, 0.0];
        }

        // at the last acceleration
        problem.pick(&d.qacc_warmstart, |v| &mut v.qacc);
        problem.start_inertia();
        problem.start_rows();
        [smooth, problem.counts.cost + problem.gauss]
    }

    fn part<'a>(&'a self, d: &'a Data, island: usize) -> Part<'a> {
        if self.by_island {
            island_part(self.m, d, island)
        } else {
            all_rows(self.m, d, self.counting)
        }
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

    /// Removes what an earlier solution has written for contacts that slide.
    fn forget_curvatures(&self, d: &mut Data) {
        for contact in &self.rows.cones {
            d.contact[contact.contact].H = [[0.0; 6]; 6];
        }
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
