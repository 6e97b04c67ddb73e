//! The order in which Coulomb's law is searched for: see [`crate::coulomb`].

use super::Solver;
use super::sparse::MOST;
use crate::coulomb::{MARGIN, MOST_DENSE, NEWTON, Place, Way};
use crate::problem::Problem;
use crate::search::Search;
use crate::solution::{Criterion, Law, Solution, Status};
use crate::sparse::SparseProblem;
use crate::target::Target;

/// Steps of the first-order method for every iteration of the budget, and the share of the
/// iterations that it may use up itself. From scratch a problem of few rows has as many steps as take
/// the time of `MOST_SOFT` rows.
const COLD_STEPS: usize = 20;
const COLD_SHARE: f64 = 0.9;
const STEPS: usize = 10;
const SHARE: f64 = 0.5;

/// Steps after a warm start that has failed, of a problem that is small.
const WARM_STEPS: usize = 200;

/// Steps by the convex law from scratch, before interior points. With as many as by Coulomb's law the slowest
/// walls and pyramids take three times as long.
const CONVEX_STEPS: usize = 400;

/// For every iteration of the budget, steps after a warm start that has failed times the rows of a
/// larger problem, but at least one step: up to this number of rows they take the same time for all
/// sizes. A step of a wall of 36 bricks that a ball has hit (600 rows) takes a seventh of what it
/// takes with the matrix.
pub(super) const WARM_WORK: usize = 600;

/// Share of the largest impulse up to which a point that misses the law is taken without a look at
/// the convex one.
const CLOSE: f64 = 1e-3;

/// Share of the convex point's residual up to which a point that misses the law is taken instead.
const NEARLY: f64 = 1e-2;

/// Largest tolerance of the convex problem: only an accurate one is a good start.
const CONVEX: f64 = 1e-9;

/// Softness of its contacts, relative to the diagonal of `A`: of impulses that give the same
/// velocities it takes the smallest, and symmetric problems have symmetric answers.
const SOFT: f64 = 1e-6;

/// Most rows for which that is done: in walls and pyramids the law is farther away, and
/// factorisations are dear.
pub(super) const MOST_SOFT: usize = 150;

/// Most factorisations for it.
const MOST_CONVEX: usize = 30;

/// How far beyond its tolerance the convex problem goes where that is cheap: the better it is, the
/// better a start.
const BEYOND: f64 = 1e-3;

impl Solver {
    /// Solves a problem by Coulomb's law. Where as many factorisations are `spent` on Newton's
    /// method from the warm start, that has failed.
    pub(crate) fn solve_coulomb(
        &mut self,
        problem: &Problem<'_>,
        warm: Option<&[f64]>,
        spent: usize,
    ) {
        let target = self.law_target();
        let Search { frame, cones, .. } = &self.search;
        let at = Place { frame, cones, target: &target, slip: true };
        let start = warm.filter(|_| spent == 0);
        let found = self.law.seek(at, &mut self.slip, start, spent);
        if !found {
            self.approach_law(problem, &target, warm);
        }
        self.take_best(problem);
        if self.solution.status == Some(Status::NotConverged) && !found {
            let Solution { residual, objective, .. } = self.solution;
            self.take_convex(problem);
            if residual < NEARLY * self.solution.residual && objective <= 0.0 {
                self.take_best(problem);
            }
        }
        self.solution.iterations = self.law.iterations;
        self.solution.outer_iterations = usize::from(!found);
    }

    pub(super) fn law_target(&self) -> Target {
        // the convex problem has no last digits that are hard to get
        let margin = if self.options.law == Law::Coulomb { MARGIN } else { 1.0 };
        Target {
            tolerance: margin * self.options.tolerance,
            relative: self.options.criterion == Criterion::Relative,
            speed: self.units.speed,
            unit: self.units.impulse(),
            max_iterations: self.options.max_iterations,
            beyond: BEYOND,
        }
    }

    /// Searches by sparse rows alone, from impulses of a similar problem if there are any; true if
    /// that found a solution, none if there are more than `most` columns. The best point is left in
    /// `law`.
    pub(crate) fn search_rows(
        &mut self,
        problem: &SparseProblem<'_>,
        warm: Option<&[f64]>,
        most: usize,
    ) -> Option<bool> {
        self.law.iterations = 0;
        if !self.velocity.set(problem, &mut self.search.frame, most) {
            return None;
        }
        let found = self.seek_law(problem, warm, self.options.law == Law::Coulomb, 0);
        self.solution.iterations = self.law.iterations;
        self.solution.outer_iterations = 0;
        Some(found)
    }

    /// The same for a problem that is set, by Coulomb's law or by the convex one.
    fn seek_law(
        &mut self,
        problem: &SparseProblem<'_>,
        warm: Option<&[f64]>,
        slip: bool,
        spent: usize,
    ) -> bool {
        let target = self.law_target();
        let at = Place { frame: &self.search.frame, cones: problem.cones(), target: &target, slip };
        let (law, velocity) = (&mut self.law, &mut self.velocity);
        if law.seek(at, velocity, warm, spent) {
            return true;
        }
        law.enter_best(at, velocity);
        let rows = problem.b().len();
        // the matrix is made where that fails
        let few = match warm {
            Some(_) => (rows <= MOST_DENSE).then_some(WARM_STEPS),
            None => (!slip && rows <= MOST).then_some(CONVEX_STEPS),
        };
        if let Some(steps) = few {
            return self.splitting.seek(at, velocity, law, Way { steps, warm: warm.is_some() });
        }
        let first = target.share(COLD_SHARE);
        let first = Place { target: &first, ..at };
        let steps = match warm {
            Some(_) => target.max_iterations.max(WARM_WORK * target.max_iterations / rows),
            None => COLD_STEPS * target.max_iterations,
        };
        let way = Way { steps, warm: warm.is_some() };
        if self.splitting.seek(first, velocity, law, way) {
            return true;
        }
        if warm.is_none() {
            return slip && law.polish_best(at, velocity);
        }
        if law.excess * target.tolerance < CLOSE {
            return false;
        }
        // as many again: without, single steps of a struck wall end with 0.8 of the impulses off
        law.enter_best(at, velocity);
        self.splitting.seek(first, velocity, law, way)
    }

    /// Where the law was not found: takes the best point that was, or the convex one if that is not
    /// much worse.
    pub(crate) fn settle_for_less(&mut self, problem: &SparseProblem<'_>) {
        let Solution { residual, objective, .. } = self.solution;
        if self.law.excess * self.law_target().tolerance < CLOSE && objective <= 0.0 {
            return;
        }
        self.kept.clear();
        self.kept.extend_from_slice(&self.solution.impulses);
        let spent = self.law.iterations;
        let start = std::mem::take(&mut self.kept);
        self.seek_law(problem, Some(&start), false, spent);
        self.kept = start;
        self.finish_sparse(problem);
        if residual < NEARLY * self.solution.residual && objective <= 0.0 {
            self.solution.impulses.copy_from_slice(&self.kept);
            self.certify_rows(problem);
        }
        self.solution.iterations = self.law.iterations;
        self.solution.outer_iterations = 1;
    }

    /// The convex problem, whose solution is left in `convex`, and from there to the law. In walls
    /// and pyramids that is no nearer than no impulse: with many rows and no warm start the
    /// first-order method begins there.
    fn approach_law(&mut self, problem: &Problem<'_>, target: &Target, warm: Option<&[f64]>) {
        let (rows, cold) = (problem.rows(), warm.is_none());
        let soft = cold && rows <= MOST_SOFT;
        if cold && !soft && self.split(rows, target, cold, false) {
            return;
        }
        let left = target.max_iterations.saturating_sub(self.law.iterations);
        let convex = Target {
            tolerance: target.tolerance.min(CONVEX),
            relative: true,
            max_iterations: left.min(MOST_CONVEX),
            ..*target
        };
        if soft {
            self.search.frame.soften(SOFT);
        }
        self.search.run(&convex, warm);
        if soft {
            self.search.frame.harden();
        }
        if !self.leave_convex(problem, target) && !self.law.is_enough() {
            self.split(rows, target, cold, true);
        }
    }

    /// The first-order method, from the solution of the convex problem if that is known, and the
    /// last digits; true if the law was found to hold.
    fn split(&mut self, rows: usize, target: &Target, cold: bool, convex: bool) -> bool {
        let Search { frame, cones, .. } = &self.search;
        let at = Place { frame, cones, target, slip: true };
        let (law, slip) = (&mut self.law, &mut self.slip);
        if convex {
            law.enter(at, slip, Some(&self.convex));
        }
        let steps = if cold { COLD_STEPS * MOST_SOFT.max(rows) / rows.max(1) } else { STEPS };
        let first = target.share(if cold && convex { COLD_SHARE } else { SHARE });
        let first = Place { target: &first, ..at };
        let way = Way { steps: steps * target.max_iterations, warm: !cold };
        self.splitting.seek(first, slip, law, way) || convex && law.polish_best(at, slip)
    }

    /// From the solution of the convex problem, which is kept, to the law; true if that succeeds.
    fn leave_convex(&mut self, problem: &Problem<'_>, target: &Target) -> bool {
        self.convex.resize(problem.rows(), 0.0);
        self.search.frame.leave(&self.search.law.best, &mut self.convex);
        self.law.iterations += self.search.law.iterations;
        let Search { frame, cones, .. } = &self.search;
        let at = Place { frame, cones, target, slip: true };
        let (law, slip) = (&mut self.law, &mut self.slip);
        law.enter(at, slip, Some(&self.convex)) || law.newton(at, slip, NEWTON)
    }

    /// Makes the best point of the search the solution.
    fn take_best(&mut self, problem: &Problem<'_>) {
        self.search.law.best.clone_from(&self.law.best);
        self.search.frame.leave(&self.law.best, &mut self.solution.impulses);
        self.certify(problem, true);
    }

    /// Makes the convex solution the solution: it takes energy away, at every contact.
    fn take_convex(&mut self, problem: &Problem<'_>) {
        self.solution.impulses.copy_from_slice(&self.convex);
        self.certify(problem, true);
    }
}
