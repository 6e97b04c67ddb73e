//! The primal solvers on the rows of a step: Newton and conjugate gradient on the acceleration,
//! island by island or on all rows at once.

use sinew_model::enums::{DisableBit, SolverType};
use sinew_model::options::SolverStat;
use sinew_model::{Data, Model};

use super::descent::{Room, Settings, solve};
use super::dual::cost_scale;
use super::free_dofs;
use super::problem::{Part, Problem};
use crate::smooth::inertia::mul_m;
use crate::work::scratch;

/// Islands of which statistics are kept, and iterations of each.
const STAT_ISLANDS: usize = 20;
pub(crate) const STAT_ITERATIONS: usize = 200;

/// Scratch of the solvers.
#[derive(Debug, Default)]
pub(super) struct Work {
    problems: Vec<Problem>,
    room: Room,
    /// Without islands: the numbers from zero on.
    counting: Vec<i32>,
    /// A vector over rows.
    pub(super) rows: Vec<f64>,
}

/// Newton or conjugate gradient.
///
/// Writes `efc_b`, `qacc`, `efc_force`, `efc_state`, `qfrc_constraint`, `H` of contacts that slide,
/// the statistics. With islands, `efc_state` is that at `qacc_smooth`, as in MuJoCo; `iefc_state`
/// has the states at the solution.
pub(super) fn primal(m: &Model, d: &mut Data, iterations: usize) {
    let settings = Settings {
        newton: m.opt.solver == SolverType::Newton,
        iterations,
        ls_iterations: usize::try_from(m.opt.ls_iterations).unwrap_or(0),
        tolerance: m.opt.tolerance,
        ls_tolerance: m.opt.ls_tolerance,
    };
    let by_island =
        d.nisland > 0 && !m.opt.disabled(DisableBit::Island) && m.opt.noslip_iterations == 0;
    let mut work = scratch(d).solver.take::<Work>();
    let count = if by_island { d.nisland } else { 1 };
    if work.problems.len() < count {
        work.problems.resize_with(count, Problem::default);
    }
    let Work { problems, room, counting, .. } = &mut *work;
    let problems = &mut problems[..count];

    // gather, and choose where to start
    if by_island {
        for (island, problem) in problems.iter_mut().enumerate() {
            problem.gather(m, d, &island_part(d, island), settings.newton);
        }
        resize_island_lists(d);
    } else {
        counting.clear();
        counting.extend(0..m.nv.max(d.nefc) as i32);
        problems[0].gather(m, d, &all_rows(m, d, counting), settings.newton);
    }
    start(m, d, problems, by_island);
    free_dofs(d);

    let mut inertia = 0;
    for (island, problem) in problems.iter_mut().enumerate() {
        let scale = if by_island { 1.0 / problem.inertia.trace } else { cost_scale(m) };
        let save = |iter, stat| save_stat(&mut d.solver, island, iter, stat);
        let iterations = solve(problem, room, &settings, scale, save);
        if island < STAT_ISLANDS {
            d.solver_niter[island] += iterations as i32;
            d.solver_nnz[island] = 0;
            if settings.newton {
                let part =
                    if by_island { island_part(d, island) } else { all_rows(m, d, counting) };
                // MuJoCo makes room for M of all islands up to this one
                inertia += part.inertia_entries(m);
                d.solver_nnz[island] = problem.newton_entries(m, &part, inertia) as i32;
            }
        }
        problem.scatter(d, by_island);
    }
    scratch(d).solver.put(work);
}

/// All dofs and rows; `counting` has the numbers from zero on.
pub(super) fn all_rows<'a>(m: &Model, d: &Data, counting: &'a [i32]) -> Part<'a> {
    let (dofs, rows) = (&counting[..m.nv], &counting[..d.nefc]);
    Part { dofs, place: dofs, first: 0, rows, ne: d.ne, nf: d.nf }
}

/// The dofs and rows of an island.
fn island_part(d: &Data, island: usize) -> Part<'_> {
    let size = |list: &[i32]| list.get(island).map_or(0, |&n| n.max(0) as usize);
    let (first, nv) = (size(&d.island_idofadr), size(&d.island_nv));
    let (row, nefc) = (size(&d.island_iefcadr), size(&d.island_nefc));
    Part {
        dofs: d.map_idof2dof.get(first..first + nv).unwrap_or_default(),
        place: &d.map_dof2idof,
        first,
        rows: d.map_iefc2efc.get(row..row + nefc).unwrap_or_default(),
        ne: size(&d.island_ne),
        nf: size(&d.island_nf),
    }
}

fn resize_island_lists(d: &mut Data) {
    for list in [&mut d.iacc, &mut d.iacc_smooth, &mut d.ifrc_smooth, &mut d.ifrc_constraint] {
        list.resize(d.nidof);
    }
    for list in [&mut d.iefc_aref, &mut d.iefc_force] {
        list.resize(d.nefc);
    }
    d.iefc_state.resize(d.nefc);
}

/// Where all problems start: at the last acceleration, unless the smooth one is better.
fn start(m: &Model, d: &mut Data, problems: &mut [Problem], by_island: bool) {
    let warm = !m.opt.disabled(DisableBit::Warmstart);
    let mut smooth_cost = 0.0;
    for problem in problems.iter_mut() {
        problem.start_smooth();
        for (&efc, &jar) in problem.rows.efc.iter().zip(&problem.rows.jar) {
            if let Some(row) = efc {
                d.efc_b[row as usize] = jar;
            }
        }
        if by_island && warm {
            for (i, state) in problem.rows.states() {
                if let Some(row) = problem.rows.efc[i] {
                    d.efc_state[row as usize] = state;
                }
            }
        }
        smooth_cost += problem.census.cost;
    }
    if !warm {
        problems.iter_mut().for_each(Problem::start_inertia);
        return;
    }

    let mut warm_cost = if by_island { free_gauss(m, d) } else { 0.0 };
    for problem in problems.iter_mut() {
        for (x, &dof) in problem.v.qacc.iter_mut().zip(&problem.dofs) {
            *x = d.qacc_warmstart[dof as usize];
        }
        problem.start_inertia();
        problem.start_rows();
        warm_cost += problem.census.cost + problem.gauss();
    }
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

fn save_stat(stats: &mut Vec<SolverStat>, island: usize, iter: usize, stat: SolverStat) {
    if island >= STAT_ISLANDS || iter >= STAT_ITERATIONS {
        return;
    }
    let at = island * STAT_ITERATIONS + iter;
    if stats.len() <= at {
        stats.resize(at + 1, NO_STAT);
    }
    stats[at] = stat;
}

/// Statistics of an iteration that was not made.
pub(crate) const NO_STAT: SolverStat = SolverStat {
    improvement: 0.0,
    gradient: 0.0,
    lineslope: 0.0,
    nactive: 0,
    nchange: 0,
    neval: 0,
    nupdate: 0,
};

impl Problem {
    /// The acceleration is the smooth one.
    fn start_smooth(&mut self) {
        self.v.qacc.copy_from_slice(&self.v.qacc_smooth);
        self.start_rows();
    }

    /// Gives the solution to the data.
    fn scatter(&self, d: &mut Data, by_island: bool) {
        let v = &self.v;
        for (k, &dof) in self.dofs.iter().enumerate() {
            d.qacc[dof as usize] = v.qacc[k];
            d.qfrc_constraint[dof as usize] = v.qfrc[k];
        }
        for (&efc, &force) in self.rows.efc.iter().zip(&self.rows.force) {
            if let Some(row) = efc {
                d.efc_force[row as usize] = force;
            }
        }
        for cone in self.rows.cones.iter().filter(|cone| cone.slid) {
            cone.hessian(d.contact[cone.contact].H.as_flattened_mut());
        }
        if by_island {
            self.scatter_island(d);
        } else {
            for (i, state) in self.rows.states() {
                if let Some(row) = self.rows.efc[i] {
                    d.efc_state[row as usize] = state;
                }
            }
        }
    }

    /// The lists that are sorted by island.
    fn scatter_island(&self, d: &mut Data) {
        let v = &self.v;
        for (k, &dof) in self.dofs.iter().enumerate() {
            let place = d.map_dof2idof[dof as usize] as usize;
            for (list, values) in [
                (&mut d.iacc, &v.qacc),
                (&mut d.iacc_smooth, &v.qacc_smooth),
                (&mut d.ifrc_smooth, &v.qfrc_smooth),
                (&mut d.ifrc_constraint, &v.qfrc),
            ] {
                // absent only if the model's trees and dofs contradict each other
                if let Some(x) = list.get_mut(place) {
                    *x = values[k];
                }
            }
        }
        for (i, state) in self.rows.states() {
            if let Some(row) = self.rows.efc[i] {
                let place = d.map_efc2iefc[row as usize] as usize;
                d.iefc_state[place] = state;
                d.iefc_force[place] = self.rows.force[i];
                d.iefc_aref[place] = self.rows.aref[i];
            }
        }
    }
}
