//! From the best point of a search to a solution with its certificate.

use super::{Given, Solver};
use crate::certificate;
use crate::cone::with_rows;
use crate::dense;
use crate::methods::load;
use crate::solution::{Law, Status};
use crate::tuning::{ILL_POSED, MOVING, VELOCITY};

impl Solver {
    /// Makes the best point of the search the solution.
    pub(super) fn take_best(&mut self, given: Given<'_>) {
        self.system.frame.leave(&self.law.best, &mut self.solution.impulses);
        self.solution.iterations = self.law.iterations;
        self.certify(given);
    }

    /// Velocity, states, residual and status of the impulses.
    pub(super) fn certify(&mut self, given: Given<'_>) {
        let (b, cones) = (given.b(), given.cones());
        self.set_velocity(given);
        let coulomb = self.options.law == Law::Coulomb;
        let tolerance = self.options.tolerance;
        let load = load(&self.system.frame, &self.law.best);
        let (solution, units) = (&mut self.solution, &self.units);
        let found = certificate::Residual::of(cones, solution, units, coulomb);
        solution.residual = found.impulse;
        solution.velocity_error = found.velocity;
        solution.scaled_residual = found.velocity / units.speed;
        let largest = solution.impulses.iter().fold(units.impulse(), |a: f64, x| a.max(x.abs()));

        // the search measures velocities in another norm of a contact
        let moves = found.velocity > 7.0 * VELOCITY * tolerance * units.speed;
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

        // states
        let still = (MOVING * units.speed).max(10.0 * solution.residual / units.step);
        solution.states.clear();
        for (cone, rows) in with_rows(cones) {
            let (impulse, g) = (&solution.impulses[rows.clone()], &solution.velocity[rows]);
            solution.states.push(certificate::state(cone, impulse, g, still));
        }
    }

    /// `A λ - b` of the problem as it was given.
    fn set_velocity(&mut self, given: Given<'_>) {
        let solution = &mut self.solution;
        let problem = match given {
            Given::Matrix(problem) => {
                let (a, b) = (problem.a(), problem.b());
                dense::gradient(a, &solution.impulses, b, &mut solution.velocity);
                return;
            }
            Given::Rows(problem) => problem,
        };
        // u = Bᵀ λ, in a vector that is zero before and after
        let u = &mut self.spread;
        u.resize(problem.width().max(u.len()), 0.0);
        for (k, x) in solution.impulses.iter().enumerate() {
            problem.rows().add_to(k, *x, u);
        }
        for (k, g) in solution.velocity.iter_mut().enumerate() {
            *g = problem.rows().dot(k, u) - problem.b()[k];
        }
        problem.rows().columns().iter().for_each(|&c| u[c as usize] = 0.0);
    }

    /// Falls back to the projected start, or to no impulse, if an unfinished search ended above it.
    pub(super) fn keep_descent(&mut self, given: Given<'_>, warm: Option<&[f64]>) {
        let status = self.solution.status;
        for start in [warm, None] {
            let objective = self.solution.objective;
            self.other.clear();
            self.other.extend_from_slice(&self.solution.impulses);
            match start {
                Some(warm) => self.solution.impulses.copy_from_slice(warm),
                None => self.solution.impulses.fill(0.0),
            }
            for (cone, rows) in with_rows(given.cones()) {
                cone.project(&mut self.solution.impulses[rows]);
            }
            self.certify(given);
            if self.solution.objective >= objective {
                std::mem::swap(&mut self.solution.impulses, &mut self.other);
                self.certify(given);
            }
        }
        self.solution.status = status;
        self.solution.converged = false;
    }
}
