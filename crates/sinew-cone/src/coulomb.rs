//! Coulomb's law by a sequence of convex problems.
//!
//! The convex problem lets a sliding contact separate with `mu |g_t|`, the price of being convex.
//! De Saxcé's correction takes that speed away again: with `s = mu |g_t|` the law is
//! `λ ∈ K`, `g + s n ∈ K*`, `λ ⊥ g + s n`, which for a fixed `s` is the convex problem with `b_n - s`.
//! The sequence solves it, renews `s`, and stops when the law holds (De Saxcé and Feng 1998; Acary,
//! Cadoux, Lemaréchal and Malick 2011).

use crate::certificate;
use crate::search::Target;
use crate::{Criterion, Problem, Solver, Status};

/// Tolerance of the convex problems over that of the law.
const INNER: f64 = 0.1;

impl Solver {
    pub(crate) fn solve_coulomb(&mut self, problem: &Problem<'_>, warm: Option<&[f64]>) {
        let n = problem.rows();
        let (mut iterations, mut outer) = (0, 0);
        let target = Target {
            tolerance: (INNER * self.options.tolerance).min(1e-9),
            relative: true,
            max_iterations: self.options.max_iterations,
        };
        while outer < self.options.max_outer.max(1) {
            outer += 1;

            // convex problem with the last correction
            if outer == 1 {
                self.search.run(&target, warm);
            } else {
                self.search.frame.set_rhs(&self.rhs);
                self.convex.resize(n, 0.0);
                let last = std::mem::take(&mut self.convex);
                self.search.run(&target, Some(&last));
                self.convex = last;
            }
            iterations += self.search.iterations;
            self.search.frame.leave(&self.search.best, &mut self.solution.impulses);

            // does the law hold?
            self.certify(problem, true);
            let absolute = self.options.criterion == Criterion::Absolute;
            match self.solution.status {
                Some(Status::Converged | Status::IllPosed) => break,
                Some(Status::ConvergedRelative) if !absolute => break,
                _ => {}
            }
            self.correct(problem);
            self.convex.clear();
            self.convex.extend_from_slice(&self.solution.impulses);
        }
        if !self.solution.converged {
            self.search.frame.set_rhs(problem.b());
            self.solve_convex(problem, warm);
            iterations += self.solution.iterations;
            let convex = std::mem::take(&mut self.solution.status);
            self.certify(problem, true);
            self.solution.status =
                if convex == Some(Status::IllPosed) { convex } else { Some(Status::NotConverged) };
            self.solution.converged = false;
        }
        self.solution.iterations = iterations;
        self.solution.outer_iterations = outer;
    }

    /// `b_n - s` for the next convex problem.
    fn correct(&mut self, problem: &Problem<'_>) {
        self.rhs.clear();
        self.rhs.extend_from_slice(problem.b());
        let mut first = 0;
        for cone in problem.cones() {
            let g = &self.solution.velocity[first..first + cone.dim()];
            self.rhs[first] -= certificate::slip(cone, g);
            first += cone.dim();
        }
    }
}
