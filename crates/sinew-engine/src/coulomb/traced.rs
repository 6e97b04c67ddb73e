//! The case of each cone in a step.

use sinew_cone::{Cone, State};

/// The case of a cone in a step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Traced {
    /// First constraint row of the cone.
    pub(crate) row: usize,
    pub(crate) cone: Cone,
    pub(crate) state: State,
    /// Smallest velocity of its normal, besides restitution.
    pub(crate) bias: f64,
    /// Restitution times speed of approach, less the bias, and the share of it that is given.
    pub(crate) bounce: f64,
    pub(crate) share: f64,
    /// Whether the depth of its contact is not that which the collision found.
    pub(crate) shallow: bool,
    pub(crate) push: Option<Push>,
}

/// The effect of the position's correction on a row.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Push {
    /// The multiplier: inertia times shift is the sum of the rows times these.
    pub(crate) force: f64,
    /// Whether the row moves as far as it should.
    pub(crate) acts: bool,
    pub(crate) goal: Goal,
}

/// How far a row should move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Goal {
    /// Minus this share of the violation that the step leaves.
    Share(f64),
    /// To its place after a bounce at the time of touch.
    Flight,
}
