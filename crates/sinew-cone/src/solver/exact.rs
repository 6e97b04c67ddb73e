//! The order in which Coulomb's law is searched for: see [`crate::coulomb`].

use super::Solver;
use crate::coulomb::{ENOUGH, Effort, MARGIN, Place};
use crate::problem::Problem;
use crate::search::{Search, Target};
use crate::solution::{Criterion, Law, Solution, Status};
use crate::sparse::SparseProblem;

/// Newton's method from the impulses of the convex problem.
const FINISH: Effort = Effort { steps: 8, sweeps: 0, smoothing: 0.01 };

/// Steps of the first-order method for every iteration of the budget, half of which it may use up
/// itself, and where a warm start has failed.
const STEPS: usize = 10;
const WARM_STEPS: usize = 200;

/// Share of the convex point's residual up to which a point that misses the law is taken instead.
const NEARLY: f64 = 1e-2;

/// Largest tolerance of the convex problem: only an accurate one is a good start.
const CONVEX: f64 = 1e-9;

/// Softness of its contacts, relative to the diagonal of `A`: of impulses that give the same
/// velocities it takes the smallest, and symmetric problems have symmetric answers.
const SOFT: f64 = 1e-6;

/// Most rows for which that is tried first: in walls and pyramids the law is farther away, and
/// factorisations are dear.
const MOST_SOFT: usize = 150;

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

    fn law_target(&self) -> Target {
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

    /// Newton's method from impulses of a similar problem, by its sparse rows alone; true if it
    /// found a solution. It does not begin if there are more than `most` columns.
    pub(crate) fn resume(
        &mut self,
        problem: &SparseProblem<'_>,
        warm: &[f64],
        most: usize,
    ) -> bool {
        self.law.iterations = 0;
        if !self.velocity.set(problem, &mut self.search.frame, most) {
            return false;
        }
        let slip = self.options.law == Law::Coulomb;
        let target = self.law_target();
        let cones = problem.cones();
        let at = Place { frame: &self.search.frame, cones, target: &target, slip };
        let (law, velocity) = (&mut self.law, &mut self.velocity);
        let found = law.seek(at, velocity, Some(warm), 0) || {
            law.enter_best(at, velocity);
            self.splitting.seek(at, velocity, law, WARM_STEPS)
        };
        self.solution.iterations = self.law.iterations;
        self.solution.outer_iterations = 0;
        found
    }

    /// The convex problem, whose solution is left in `convex`, and from there to the law.
    fn approach_law(&mut self, problem: &Problem<'_>, target: &Target, warm: Option<&[f64]>) {
        let left = target.max_iterations.saturating_sub(self.law.iterations);
        let convex = Target {
            tolerance: target.tolerance.min(CONVEX),
            relative: true,
            max_iterations: left.min(MOST_CONVEX),
            ..*target
        };
        if warm.is_none() && problem.rows() <= MOST_SOFT {
            self.search.frame.soften(SOFT);
            self.search.run(&convex, None);
            self.search.frame.harden();
            if self.leave_convex(problem, target) {
                return;
            }
        }
        let left = target.max_iterations.saturating_sub(self.law.iterations);
        let convex = Target { max_iterations: left.min(MOST_CONVEX), ..convex };
        self.search.run(&convex, warm);
        if self.leave_convex(problem, target) {
            return;
        }
        let Search { frame, cones, .. } = &self.search;
        let at = Place { frame, cones, target, slip: true };
        let (law, slip) = (&mut self.law, &mut self.slip);
        if law.excess >= ENOUGH {
            law.enter(at, slip, Some(&self.convex));
            let half = Target { max_iterations: target.max_iterations / 2, ..*target };
            let first = Place { target: &half, ..at };
            if !self.splitting.seek(first, slip, law, STEPS * target.max_iterations) {
                law.polish_best(at, slip);
            }
        }
    }

    /// From the solution of the convex problem, which is kept, to the law; true if that succeeds.
    fn leave_convex(&mut self, problem: &Problem<'_>, target: &Target) -> bool {
        self.convex.resize(problem.rows(), 0.0);
        self.search.frame.leave(&self.search.best, &mut self.convex);
        self.law.iterations += self.search.iterations;
        let Search { frame, cones, .. } = &self.search;
        let at = Place { frame, cones, target, slip: true };
        let (law, slip) = (&mut self.law, &mut self.slip);
        law.enter(at, slip, Some(&self.convex)) || law.newton(at, slip, FINISH)
    }

    /// Makes the best point of the search the solution.
    fn take_best(&mut self, problem: &Problem<'_>) {
        self.search.best.copy_from_slice(&self.law.best);
        self.search.frame.leave(&self.law.best, &mut self.solution.impulses);
        self.certify(problem, true);
    }

    /// Makes the convex solution the solution: it takes energy away, at every contact.
    fn take_convex(&mut self, problem: &Problem<'_>) {
        self.solution.impulses.copy_from_slice(&self.convex);
        self.certify(problem, true);
    }
}
