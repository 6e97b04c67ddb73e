//! The order in which Coulomb's law is searched for: see [`crate::coulomb`].

use super::Solver;
use crate::coulomb::{Place, Way};
use crate::problem::Problem;
use crate::search::Search;
use crate::solution::{Criterion, Law, Solution, Status};
use crate::sparse::SparseProblem;
use crate::target::Target;
use crate::tuning::{
    BEYOND, CLOSE_MISS, COLD_SHARE, COLD_STEPS, CONVEX_STEPS, CONVEX_TOLERANCE, MARGIN,
    MATRIX_SHARE, MATRIX_STEPS, MOST_CONVEX, MOST_MATRIX, MOST_SMALL, NEWTON, SOFTNESS, WARM_STEPS,
    WARM_WORK,
};

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
            if residual < self.solution.residual && objective <= 0.0 {
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
            Some(_) => (rows <= MOST_SMALL).then_some(WARM_STEPS),
            None => (!slip && rows <= MOST_MATRIX).then_some(CONVEX_STEPS),
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
        if law.excess * target.tolerance < CLOSE_MISS {
            return false;
        }
        // as many again: without, single steps of a struck wall end with 0.8 of the impulses off
        law.enter_best(at, velocity);
        self.splitting.seek(first, velocity, law, way)
    }

    /// Where the law was not found: takes the best point that was, or the convex one if that is nearer to
    /// the law, or if the other would add energy.
    pub(crate) fn settle_for_less(&mut self, problem: &SparseProblem<'_>) {
        let Solution { residual, objective, .. } = self.solution;
        if self.law.excess * self.law_target().tolerance < CLOSE_MISS && objective <= 0.0 {
            return;
        }
        self.kept.clear();
        self.kept.extend_from_slice(&self.solution.impulses);
        let spent = self.law.iterations;
        let start = std::mem::take(&mut self.kept);
        self.seek_law(problem, Some(&start), false, spent);
        self.kept = start;
        self.finish_sparse(problem);
        if residual < self.solution.residual && objective <= 0.0 {
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
        let soft = cold && rows <= MOST_SMALL;
        if cold && !soft && self.split(rows, target, cold, false) {
            return;
        }
        let left = target.max_iterations.saturating_sub(self.law.iterations);
        let convex = Target {
            tolerance: target.tolerance.min(CONVEX_TOLERANCE),
            relative: true,
            max_iterations: left.min(MOST_CONVEX),
            ..*target
        };
        if soft {
            self.search.frame.soften(SOFTNESS);
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
        let steps =
            if cold { COLD_STEPS * MOST_SMALL.max(rows) / rows.max(1) } else { MATRIX_STEPS };
        let first = target.share(if cold && convex { COLD_SHARE } else { MATRIX_SHARE });
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
