//! The public face: options in, solution out, buffers kept.

mod exact;
mod sparse;

use crate::certificate;
use crate::certificate::Units;
use crate::cone::Cone;
use crate::coulomb::{LawSearch, SlipSystem, Splitting, VelocitySystem};
use crate::problem::{Error, ErrorKind, Problem};
use crate::search::Search;
use crate::solution::{Criterion, Law, Options, Solution, Status};
use crate::target::Target;
use crate::tuning::{ILL_POSED, MOVING, VELOCITY};

/// Solves problems one after the other and keeps its buffers: after the largest problem has been
/// seen, nothing is allocated.
///
/// ```
/// use sinew_cone::{Cone, Options, Problem, Solver, State};
///
/// // a point of mass 10 hits the ground at 1 m/s, sliding at 5 m/s; restitution 0.5
/// let a = [0.1, 0.0, 0.0, 0.0, 0.1, 0.0, 0.0, 0.0, 0.1];
/// let cones = [Cone::contact(0.3)];
/// let mut solver = Solver::new(Options::default());
/// let solution = solver.solve(&Problem::new(&a, &[1.5, -3.0, -4.0], &cones)?, None)?;
/// assert!(solution.converged);
/// assert_eq!(solution.states, [State::Slide]);
/// assert!((solution.impulses[0] - 30.0 / 1.09).abs() < 1e-6);
///
/// // the next step starts from this one's impulses
/// let last = solution.impulses.clone();
/// let solution = solver.solve(&Problem::new(&a, &[1.5, -2.9, -4.0], &cones)?, Some(&last))?;
/// assert!(solution.converged);
/// # Ok::<(), sinew_cone::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Solver {
    /// Options of the next solve.
    pub options: Options,
    pub(crate) search: Search,
    pub(crate) solution: Solution,
    pub(crate) rhs: Vec<f64>,
    pub(crate) convex: Vec<f64>,
    pub(crate) law: LawSearch,
    pub(crate) slip: SlipSystem,
    pub(crate) splitting: Splitting,
    pub(crate) velocity: VelocitySystem,
    pub(crate) matrix: Vec<f64>,
    pub(crate) spread: Vec<f64>,
    /// The best point from a warm start that failed, and its residual.
    pub(crate) kept: Vec<f64>,
    pub(crate) kept_residual: f64,
    pub(crate) units: Units,
}

impl Solver {
    /// A solver with empty buffers.
    pub fn new(options: Options) -> Solver {
        Solver { options, ..Solver::default() }
    }

    /// Solves a problem, from the impulses of a similar one if there are any.
    ///
    /// A warm start need not be feasible; it is projected. Whatever happens, the result is feasible
    /// and finite, and its objective is not above that of the start nor that of no impulse.
    ///
    /// # Errors
    /// A warm start of the wrong length or with NaN, or an option outside its range.
    pub fn solve(
        &mut self,
        problem: &Problem<'_>,
        warm: Option<&[f64]>,
    ) -> Result<&Solution, Error> {
        self.options.check()?;
        if let Some(warm) = warm {
            check_warm(warm, problem.rows())?;
        }
        let n = problem.rows();
        self.solution.impulses.clear();
        self.solution.impulses.resize(n, 0.0);
        self.solution.velocity.clear();
        self.solution.velocity.resize(n, 0.0);
        self.units.set(problem.b(), |k| problem.a()[k * n + k]);
        self.search.frame.step = self.units.step;
        self.solve_dense(problem, warm, 0);
        self.solution.entries = problem.a().len();
        Ok(&self.solution)
    }

    /// Solves a problem that was checked; as many factorisations are `spent` on Newton's method
    /// from the warm start, which has failed.
    pub(crate) fn solve_dense(
        &mut self,
        problem: &Problem<'_>,
        warm: Option<&[f64]>,
        spent: usize,
    ) {
        self.search.set(problem, self.options.regularization);
        match self.options.law {
            Law::Convex => self.solve_convex(problem, warm, spent),
            Law::Coulomb => self.solve_coulomb(problem, warm, spent),
        }
    }

    /// The last solution.
    pub fn solution(&self) -> &Solution {
        &self.solution
    }

    fn solve_convex(&mut self, problem: &Problem<'_>, warm: Option<&[f64]>, spent: usize) {
        let target = Target {
            tolerance: self.options.tolerance,
            relative: self.options.criterion == Criterion::Relative,
            speed: self.units.speed,
            unit: self.units.impulse(),
            max_iterations: self.options.max_iterations.saturating_sub(spent),
            beyond: 0.1,
        };
        self.search.run(&target, warm);
        self.finish_convex(problem, warm);
        self.solution.iterations += spent;
    }

    /// Turns the best point of the search into the solution.
    fn finish_convex(&mut self, problem: &Problem<'_>, warm: Option<&[f64]>) {
        let solution = &mut self.solution;
        self.search.frame.leave(&self.search.law.best, &mut solution.impulses);
        solution.iterations = self.search.law.iterations;
        solution.outer_iterations = 1;
        self.certify(problem, false);
        if !self.solution.converged {
            self.keep_descent(problem, warm);
        }
    }

    /// Velocity, states, residual and status of the impulses.
    pub(crate) fn certify(&mut self, problem: &Problem<'_>, coulomb: bool) {
        let solution = &mut self.solution;
        if solution.impulses.iter().any(|x| !x.is_finite()) {
            solution.impulses.fill(0.0);
        }
        certificate::velocity(problem, &solution.impulses, &mut solution.velocity);
        self.judge(problem.b(), problem.cones(), self.search.load(), coulomb);
    }

    /// The same where the velocity is known.
    pub(crate) fn judge(&mut self, b: &[f64], cones: &[Cone], load: f64, coulomb: bool) {
        let tolerance = self.options.tolerance;
        let (solution, units) = (&mut self.solution, &self.units);
        let found = certificate::Residual::of(cones, solution, units, coulomb);
        solution.residual = found.impulse;
        solution.velocity_error = found.velocity;
        solution.scaled_residual = found.velocity / units.speed;
        let largest = solution.impulses.iter().fold(units.impulse(), |a: f64, x| a.max(x.abs()));
        // the search measures velocities in another norm of a contact
        let moves = found.velocity > 10.0 * VELOCITY * tolerance * units.speed;
        let status = if load > ILL_POSED {
            Status::IllPosed
        } else if moves {
            Status::NotConverged
        } else if solution.residual < tolerance * units.impulse().min(1.0) {
            Status::Converged
        } else if solution.residual < tolerance * largest {
            Status::ConvergedRelative
        } else {
            Status::NotConverged
        };
        solution.status = Some(status);
        solution.converged = matches!(status, Status::Converged | Status::ConvergedRelative);
        solution.objective = certificate::objective(b, solution);
        let still = (MOVING * units.speed).max(10.0 * solution.residual / units.step);
        solution.states.clear();
        let mut first = 0;
        for cone in cones {
            let rows = first..first + cone.dim();
            let (impulse, g) = (&solution.impulses[rows.clone()], &solution.velocity[rows]);
            solution.states.push(certificate::state(cone, impulse, g, still));
            first += cone.dim();
        }
    }

    /// Falls back to the projected start if an unfinished search ended above it.
    fn keep_descent(&mut self, problem: &Problem<'_>, warm: Option<&[f64]>) {
        let status = self.solution.status;
        self.rhs.clear();
        match warm {
            Some(warm) => self.rhs.extend_from_slice(warm),
            None => self.rhs.resize(problem.rows(), 0.0),
        }
        for start_from_zero in [false, true] {
            if start_from_zero {
                self.rhs.fill(0.0);
            }
            let mut first = 0;
            for cone in problem.cones() {
                cone.project(&mut self.rhs[first..first + cone.dim()]);
                first += cone.dim();
            }
            if problem.objective(&self.rhs) < self.solution.objective {
                self.solution.impulses.copy_from_slice(&self.rhs);
                self.certify(problem, false);
                self.solution.status = status;
                self.solution.converged = false;
            }
        }
    }
}

pub(crate) fn check_warm(warm: &[f64], rows: usize) -> Result<(), Error> {
    if warm.len() != rows {
        return Err(Error::new(ErrorKind::WarmStart { rows, len: warm.len() }));
    }
    match warm.iter().position(|x| !x.is_finite()) {
        Some(row) => Err(Error::new(ErrorKind::NotFinite { what: "warm start", row, col: 0 })),
        None => Ok(()),
    }
}

/// Solves one problem with buffers of its own; see [`Solver`] for many.
///
/// # Errors
/// As [`Solver::solve`].
pub fn solve(
    problem: &Problem<'_>,
    options: &Options,
    warm: Option<&[f64]>,
) -> Result<Solution, Error> {
    let mut solver = Solver::new(*options);
    solver.solve(problem, warm)?;
    Ok(solver.solution)
}
