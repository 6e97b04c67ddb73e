//! Settings of a solve, and its solution.

use crate::problem::{Error, ErrorKind};

/// Which law the impulses obey.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Law {
    /// The convex problem as stated. A sliding contact separates at the speed of its friction
    /// coefficient times its sliding speed, and presses harder for it.
    #[default]
    Convex,
    /// Coulomb's law: a sliding contact keeps contact. Not the optimum of anything, and in rare
    /// cases without a solution.
    Coulomb,
}

/// The error that the tolerance bounds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Criterion {
    /// `residual < tolerance * max(|λ|∞, τ |b|∞)`, the same in all units, and `scaled_residual`
    /// below about a hundred thousand times the tolerance.
    #[default]
    Relative,
    /// `residual < tolerance`, as long as there is progress. Light bodies under heavy ones put this
    /// beyond double precision; the solution then is [`Status::ConvergedRelative`].
    Absolute,
}

/// Options of a solver, all at run time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// Largest accepted residual, see [`Solution::residual`].
    pub tolerance: f64,
    /// Maximum number of iterations of all methods together; one iteration is one factorisation.
    /// Where the first-order method is needed it takes at most twenty steps for each.
    pub max_iterations: usize,
    /// The error that the tolerance bounds.
    pub criterion: Criterion,
    /// Added to the diagonal of `A`, relative to each entry. Zero solves the problem as given;
    /// 1e-10 makes impulses unique where contacts are statically indeterminate.
    pub regularization: f64,
    /// Which law the impulses obey.
    pub law: Law,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            tolerance: 1e-8,
            max_iterations: 200,
            criterion: Criterion::Relative,
            regularization: 0.0,
            law: Law::Convex,
        }
    }
}

impl Options {
    pub(crate) fn check(&self) -> Result<(), Error> {
        let bad = |name, value| Err(Error::new(ErrorKind::Option { name, value }));
        if !(self.tolerance > 0.0 && self.tolerance.is_finite()) {
            return bad("tolerance", self.tolerance);
        }
        if !(self.regularization >= 0.0 && self.regularization.is_finite()) {
            return bad("regularization", self.regularization);
        }
        Ok(())
    }
}

/// How a solution ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// The residual is below the tolerance.
    Converged,
    /// The residual is below the tolerance times the largest impulse.
    ConvergedRelative,
    /// The impulses grow without bound: `b` asks dependent rows for contradictory velocities. An
    /// example is a body squeezed between two plates that are to give it different speeds.
    IllPosed,
    /// The iterations ran out, or none of the methods made progress. The best point is returned.
    NotConverged,
}

/// Impulses and their errors.
#[derive(Clone, Debug, Default)]
pub struct Solution {
    /// The impulses `λ`, feasible.
    pub impulses: Vec<f64>,
    /// `A λ - b`: the remaining velocity of each row.
    pub velocity: Vec<f64>,
    /// The state of each cone.
    pub states: Vec<State>,
    /// How it ended.
    pub status: Option<Status>,
    /// Whether the residual met the criterion.
    pub converged: bool,
    /// Factorisations.
    pub iterations: usize,
    /// Convex problems solved. One for the convex law; none for Coulomb's where Newton's method
    /// from the warm start found the answer.
    pub outer_iterations: usize,
    /// `|λ - Π(λ - τ (A λ - b))|`, with the correction of Coulomb's law where that was asked for:
    /// an impulse. `τ` is one over the mean of the diagonal of `A`, or simply one where that is
    /// within a thousandfold of it.
    pub residual: f64,
    /// The largest error by contact, with one over the largest entry of its own diagonal in the
    /// place of `τ`, times that entry. This is the error of a contact's velocity. For a contact
    /// that should rest it is the velocity itself, otherwise the difference from the impulses'
    /// result.
    pub velocity_error: f64,
    /// `velocity_error` over the largest entry of `b`: a number without units, for any scales of
    /// `A` and `b`.
    pub scaled_residual: f64,
    /// `½ λᵀ A λ - bᵀ λ`.
    pub objective: f64,
    /// Entries of the matrix that was worked with: `A`, or `B` where that was enough.
    pub entries: usize,
}

/// The state of a contact, or of any other cone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// The contact holds and does not move. Free rows and intervals between their
    /// ends are in this state too.
    Stick,
    /// On the surface and moving: the contact slides. An interval at one of its ends is in this
    /// state.
    Slide,
    /// At the apex: no impulse.
    Separate,
}
