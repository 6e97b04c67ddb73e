//! The convex law, alone and on the way to Coulomb's, and the end of both laws' searches.

use super::{Given, Solver};
use crate::dense::zero;
use crate::methods::Task;
use crate::problem::Problem;
use crate::solution::{Law, Solution};
use crate::target::Target;
use crate::tuning::{MOST_SMALL, MOST_STEPS, ROUGH, STEPS, SWEEP_WORK};

impl Solver {
    /// Solves a problem by the convex law.
    pub(super) fn solve_convex(&mut self, given: Given<'_>, warm: Option<&[f64]>) {
        let target = self.target();
        let rows = given.b().len();
        if warm.is_none() && target.tolerance >= ROUGH && self.sweep_roughly(given, target) {
            return;
        }
        // the smaller system: chains of links take three quarters of the time
        if warm.is_none() && rows <= MOST_SMALL && self.system.columns() >= rows {
            self.make_matrix(given);
        }
        let Solver { law, system, interior, .. } = self;
        let mut at = Task { p: system, target, slip: false };
        if !law.seek_convex(&mut at, interior, warm) && rows <= MOST_SMALL {
            // the last digits, which systems by rows and barriers lose to rounding
            self.make_matrix(given);
            let Solver { law, system, splitting, .. } = self;
            let mut at = Task { p: system, target, slip: false };
            law.enter_best(&mut at);
            let steps = STEPS * target.max_iterations;
            splitting.seek(&mut at, law, steps);
        }
        self.take_best(given);
        if !self.solution.converged {
            self.keep_descent(given, warm);
        }
        self.solution.outer_iterations = 1;
    }

    /// Sweeps by the convex law from scratch; true if that is enough.
    fn sweep_roughly(&mut self, given: Given<'_>, target: Target) -> bool {
        let target = Target { max_iterations: MOST_STEPS.min(target.max_iterations), ..target };
        let mut at = Task { p: &mut self.system, target, slip: false };
        let found = self.law.sweep_to_the_end(&mut at, None);
        if found {
            self.take_best(given);
            self.solution.outer_iterations = 1;
        }
        found
    }

    /// Continues by the matrix of a problem that is given by rows. The matrix has more digits where
    /// contacts barely slide and barely stick. Many steps take less time with it (three quarters
    /// for piles of 50 from scratch).
    pub(super) fn make_matrix(&mut self, given: Given<'_>) {
        let Given::Rows(rows) = given else { return };
        if self.system.is_matrix() {
            return;
        }
        let Solver { law, system, matrix, line, other, .. } = self;
        rows.multiply_out(line, matrix);
        if let Ok(problem) = Problem::new(matrix, rows.b(), rows.cones()) {
            // the best point goes along: the contacts have another order
            other.resize(rows.b().len(), 0.0);
            law.best.resize(system.frame.stride(), 0.0);
            system.frame.leave(&law.best, other);
            system.set_matrix(&problem);
            system.soften(self.options.regularization);
            system.frame.enter(other, &mut law.best);
        }
    }

    /// Solves the convex problem, softened or not, and leaves its impulses in `other`.
    pub(super) fn relax(&mut self, given: Given<'_>, soft: f64) {
        let target = self.target();
        let left = target.max_iterations.saturating_sub(self.law.iterations);
        let target = Target { relative: true, max_iterations: left.min(MOST_STEPS), ..target };
        let share = self.options.regularization;
        let Solver { law, relaxed, system, interior, other, .. } = self;
        if soft > 0.0 {
            system.soften(share + soft);
        }
        relaxed.seek_convex(&mut Task { p: system, target, slip: false }, interior, None);
        if soft > 0.0 {
            system.soften(share);
        }
        law.iterations += relaxed.iterations;
        zero([&mut *other], given.b().len());
        system.frame.leave(&relaxed.best, other);
    }

    /// Takes the convex point where no point obeys the law, if it is nearer to the law or the best
    /// one would add energy.
    pub(super) fn settle_for_less(&mut self, given: Given<'_>) {
        let Solution { residual, objective, .. } = self.solution;
        std::mem::swap(&mut self.solution.impulses, &mut self.other);
        self.certify(given);
        if residual < self.solution.residual && objective <= 0.0 {
            std::mem::swap(&mut self.solution.impulses, &mut self.other);
            self.certify(given);
        }
        self.solution.iterations = self.law.iterations;
        self.solution.outer_iterations = 1;
    }

    /// Sweeps until that is enough, or the iterations run out.
    pub(super) fn sweep_to_the_end(&mut self, given: Given<'_>, warm: Option<&[f64]>) {
        // no last step gains digits here: the tolerance itself, with room for rounding
        let mut target = Target { tolerance: 0.9 * self.options.tolerance, ..self.target() };
        if warm.is_some() {
            let most = SWEEP_WORK * target.max_iterations / given.b().len().max(1);
            target.max_iterations = target.max_iterations.min(most);
        }
        let slip = self.options.law == Law::Coulomb;
        let mut at = Task { p: &mut self.system, target, slip };
        self.law.sweep_to_the_end(&mut at, warm);
        self.take_best(given);
        self.solution.outer_iterations = 0;
    }
}
