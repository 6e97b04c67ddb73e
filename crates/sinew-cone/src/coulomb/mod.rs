//! Coulomb's law: what the convex problem relaxes is taken back.
//!
//! The convex problem lets a sliding contact separate with `mu |g_t|`, the price of being convex.
//! De Saxcé's correction takes that speed away again: with `s = mu |g_t|` the law is
//! `λ ∈ K`, `g + s n ∈ K*`, `λ ⊥ g + s n` (De Saxcé and Feng 1998). In the scaled frame `s` is `|w_t|`, and the
//! law is again a natural map, `F(y) = y - Π(y - (w + |w_t| e_n)) = 0`, no longer that of an objective.
//!
//! 1. Newton's method on it from the warm start. Most steps of a simulation end here, after about as many
//!    iterations as the convex problem takes.
//! 2. For a fixed `s` the law is the convex problem with `b_n - s`, which can always be solved. The sequence
//!    that solves it and renews `s` tends to the law (Acary, Cadoux, Lemaréchal and Malick 2011), slowly;
//!    each of its members, and mostly the first, is a start for Newton's method. Where contacts are
//!    statically indeterminate the law has many solutions. The velocity of the convex problem is unique: from there
//!    a search ends at the one nearest to it, and not at one that depends on the order of the contacts.
//!
//! The law may have no solution. Then the result is a point that nearly obeys it, or the convex one.

mod bricks;
mod contact;
mod law;
mod lu;
mod system;
mod velocity;

use crate::certificate;
use crate::search::{Search, Target};
use crate::{Criterion, Law, Problem, Solution, Solver, SparseProblem, Status};
pub(crate) use contact::Contact;
pub(crate) use law::LawSearch;
use law::{Effort, Place};
pub(crate) use system::SlipSystem;
pub(crate) use velocity::VelocitySystem;

/// Newton's method from impulses of a similar problem, and from the best point on in other manners.
const WARM: Effort = Effort { steps: 24, sweeps: 3, smoothing: 0.1 };
const START: [Effort; 3] = [
    WARM,
    Effort { steps: 24, sweeps: 10, smoothing: 0.3 },
    Effort { steps: 24, sweeps: 0, smoothing: 0.01 },
];

/// Newton's method from the impulses of a convex problem, in one manner after the other: where contacts
/// barely slide and barely stick each of them fails elsewhere.
const FINISH: [Effort; 6] = [
    Effort { steps: 8, sweeps: 0, smoothing: 0.01 },
    WARM,
    Effort { steps: 12, sweeps: 0, smoothing: 0.0 },
    Effort { steps: 12, sweeps: 0, smoothing: 1.0 },
    Effort { steps: 12, sweeps: 1, smoothing: 0.0 },
    Effort { steps: 12, sweeps: 10, smoothing: 0.3 },
];

/// Tolerance of the search over that of the law. A last step gains many digits; where it gains none, the
/// tolerance itself is enough.
const MARGIN: f64 = 0.1;

/// Excess that is enough, with room for the roundings of the certificate.
const ENOUGH: f64 = 0.9 / MARGIN;

/// Share of the convex point's residual up to which a point that misses the law is taken instead.
const NEARLY: f64 = 1e-2;

/// Largest tolerance of the convex problems: only an accurate one is a better start than the last.
const CONVEX: f64 = 1e-9;

/// How far beyond their tolerance the convex problems go where that is cheap: the better they are, the
/// better a start.
const BEYOND: f64 = 1e-3;

/// Convex problems without a better point, after which the sequence is given up.
const PATIENCE: usize = 15;

impl Solver {
    pub(crate) fn solve_coulomb(&mut self, problem: &Problem<'_>, warm: Option<&[f64]>) {
        self.solve_coulomb_by(problem, warm, &START);
    }

    /// The same where Newton's method from the warm start has failed.
    pub(crate) fn solve_coulomb_otherwise(&mut self, problem: &Problem<'_>, warm: Option<&[f64]>) {
        self.solve_coulomb_by(problem, warm, &[]);
    }

    fn solve_coulomb_by(
        &mut self,
        problem: &Problem<'_>,
        warm: Option<&[f64]>,
        efforts: &[Effort],
    ) {
        let target = self.law_target();
        let Search { frame, cones, .. } = &self.search;
        let at = Place { frame, cones, target: &target, slip: true };
        let found = self.law.seek(at, &mut self.slip, warm, efforts);
        let (mut iterations, mut outer) = (self.law.iterations, 0);
        if !found {
            (iterations, outer) = self.approach_law(problem, &target, warm);
        }
        self.take_best(problem);
        if self.solution.status == Some(Status::NotConverged) && outer > 0 {
            let Solution { residual, objective, .. } = self.solution;
            self.take_convex(problem);
            if residual < NEARLY * self.solution.residual && objective <= 0.0 {
                self.take_best(problem);
            }
        }
        self.solution.iterations = iterations;
        self.solution.outer_iterations = outer;
    }

    fn law_target(&self) -> Target {
        // the convex problem has no last digits that are hard to get
        let margin = if self.options.law == Law::Coulomb { MARGIN } else { 1.0 };
        Target {
            tolerance: margin * self.options.tolerance,
            relative: self.options.criterion == Criterion::Relative,
            max_iterations: self.options.max_iterations,
            beyond: BEYOND,
        }
    }

    /// Newton's method from impulses of a similar problem, by its sparse rows alone; true if it found a
    /// solution. It does not begin if there are more than `most` columns.
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
        let found = self.law.seek(at, &mut self.velocity, Some(warm), &START);
        self.solution.iterations = self.law.iterations;
        self.solution.outer_iterations = 0;
        found
    }

    /// The sequence of convex problems, each followed by Newton's method on the law. Leaves the solution
    /// of the first one in `convex`; the numbers of factorisations and problems.
    fn approach_law(
        &mut self,
        problem: &Problem<'_>,
        target: &Target,
        warm: Option<&[f64]>,
    ) -> (usize, usize) {
        let convex = Target { tolerance: target.tolerance.min(CONVEX), relative: true, ..*target };
        let (mut iterations, mut outer, mut waited) = (0, 0, 0);
        let mut record = f64::INFINITY;
        self.rhs.clear();
        self.rhs.extend_from_slice(problem.b());
        while outer < self.options.max_outer.max(1) && waited < PATIENCE {
            outer += 1;

            // the convex problem with the last correction, from the last solution
            self.search.frame.set_rhs(&self.rhs);
            let last = std::mem::take(&mut self.solution.impulses);
            self.search.run(&convex, if outer == 1 { warm } else { Some(&last) });
            self.solution.impulses = last;
            self.search.frame.leave(&self.search.best, &mut self.solution.impulses);
            iterations += self.search.iterations;
            if outer == 1 {
                self.convex.clone_from(&self.solution.impulses);
            }

            // from there to the law
            self.search.frame.set_rhs(problem.b());
            let at =
                Place { frame: &self.search.frame, cones: &self.search.cones, target, slip: true };
            let start = &self.solution.impulses;
            let found = FINISH.into_iter().any(|effort| {
                self.law.enter(at, &mut self.slip, Some(start))
                    || self.law.newton(at, &mut self.slip, effort)
            });
            if found || self.law.excess < ENOUGH {
                break;
            }
            waited = if self.law.excess < 0.5 * record { 0 } else { waited + 1 };
            record = record.min(self.law.excess);
            self.correct(problem);
        }
        (iterations + self.law.iterations, outer)
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

    /// `b_n - s` for the next convex problem.
    fn correct(&mut self, problem: &Problem<'_>) {
        certificate::velocity(problem, &self.solution.impulses, &mut self.solution.velocity);
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
