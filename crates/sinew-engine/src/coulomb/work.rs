//! Scratch of the mode, kept between steps.

use sinew_cone::{Cone, Solver, SparseRows, State};
use sinew_math::Vec3;
use sinew_model::coulomb::Impulses;

use super::traced::{Goal, Push, Traced};

/// Scratch of the mode.
#[derive(Default)]
pub(super) struct Work {
    pub(super) solver: Solver,
    pub(super) drift: DriftWork,
    /// The current rows: rows of an island.
    pub(super) rows: Vec<usize>,
    pub(super) cones: Vec<Cone>,
    /// J L⁻¹ D^-½ over `rows`, times the root of `mass`. The product with its transpose is A = J
    /// M⁻¹ Jᵀ, in units in which A is of order one.
    pub(super) half: SparseRows,
    /// The diagonal of A, and one over its mean.
    pub(super) diagonal: Vec<f64>,
    pub(super) mass: f64,
    /// -J v: the velocity that the impulses must cancel.
    pub(super) demand: Vec<f64>,
    /// The least value of J v⁺, besides restitution.
    pub(super) bias: Vec<f64>,
    /// Restitution times speed of approach.
    pub(super) bounce: Vec<f64>,
    /// Velocity of the rows from which their energy is measured.
    pub(super) before: Vec<f64>,
    /// Depth of the contact of each cone.
    pub(super) depth: Vec<f64>,
    /// The right-hand side, scaled.
    pub(super) rhs: Vec<f64>,
    /// The share of the restitution that was given.
    pub(super) share: f64,
    pub(super) warm: Vec<f64>,
    /// Whether every row is where it should be without impulses: nothing was solved.
    pub(super) idle: bool,
    /// Impulses of `rows`.
    pub(super) impulse: Vec<f64>,
    /// Velocity of `rows` after the impulses.
    pub(super) after: Vec<f64>,
    /// Forces without the constraints'.
    pub(super) smooth: Vec<f64>,
    /// v, the velocity without impulses.
    pub(super) free: Vec<f64>,
    /// A vector over the dofs.
    pub(super) image: Vec<f64>,
    /// Dofs that a row moves, and how.
    pub(super) chain: Vec<u32>,
    pub(super) values: Vec<f64>,
    /// Impulses of the step before.
    pub(super) last: Impulses,
    pub(super) memory: Memory,
    /// The case of each cone in the step, on request.
    pub(super) trace: Option<Vec<Traced>>,
}

impl Work {
    /// The state of each cone; empty if the step needed no solver.
    pub(super) fn states(&self) -> &[State] {
        if self.idle { &[] } else { &self.solver.solution().states }
    }
}

/// Scratch of the correction.
#[derive(Default)]
pub(super) struct DriftWork {
    pub(super) solver: Solver,
    /// Which of the current rows take part.
    pub(super) rows: Vec<usize>,
    pub(super) cones: Vec<Cone>,
    /// How far each is to move.
    pub(super) goals: Vec<Goal>,
    pub(super) half: SparseRows,
    pub(super) rhs: Vec<f64>,
    /// The unit of the multipliers; zero if there are none.
    pub(super) unit: f64,
}

impl DriftWork {
    /// The correction's effect on a row; `None` if the row took no part.
    pub(super) fn push(&self, row: usize) -> Option<Push> {
        let place = self.rows.iter().position(|&k| k == row)?;
        let goal = self.goals[place];
        if self.unit == 0.0 {
            // too little is violated, but an equality is kept beyond that
            let acts = self.cones[place] == Cone::Free && goal != Goal::Flight;
            return acts.then_some(Push { force: 0.0, acts, goal });
        }
        let solution = self.solver.solution();
        Some(Push {
            force: solution.impulses[place] * self.unit,
            acts: solution.states[place] != State::Separate,
            goal,
        })
    }
}

/// The last step's contacts and rows in an order in which they are found fast, and scratch.
#[derive(Default)]
pub(super) struct Memory {
    /// Geoms and index of each contact of the last step, sorted.
    pub(super) contacts: Vec<(Pair, usize)>,
    /// Source and index of each of its rows, sorted.
    pub(super) rows: Vec<([i32; 2], usize)>,
    /// Which of the rows are taken.
    pub(super) taken: Vec<bool>,
    /// The current contacts, sorted.
    pub(super) fresh: Vec<Fresh>,
}

/// The geoms of a contact.
pub(super) type Pair = [i32; 2];

/// A current contact: its geoms, its first row, and its point in the frame of the second geom.
#[derive(Clone, Copy)]
pub(super) struct Fresh {
    pub(super) pair: Pair,
    pub(super) first: usize,
    pub(super) contact: usize,
    pub(super) point: Vec3,
}
