//! Scratch of the derivatives with exact friction.

use sinew_model::{Data, Model};

use super::dense::Dense;
use super::law::LinearLaw;
use super::rows::{ChangeWork, Changes, Rows};
use crate::constraint::jacobian_row;
use crate::coulomb::SpinChange;
use crate::transition::residual::Residual;

/// Scratch of the derivatives with exact friction.
#[derive(Debug, Default)]
pub(crate) struct HardWork {
    pub(super) rows: Rows,
    pub(super) changes: ChangeWork,
    pub(super) spins: Vec<SpinChange>,
    /// The midpoint rule's part of the torques, for every input.
    pub(super) turned: Residual,
    /// Changes of J v⁺ and of J v by position.
    pub(super) at_end: Changes,
    pub(super) at_start: Changes,
    /// M⁻¹ Jᵀ, a row for each constraint row, and A.
    pub(super) response: Vec<f64>,
    pub(super) matrix: Vec<f64>,
    pub(super) laws: Vec<LinearLaw>,
    /// The rows with impulses that may change.
    pub(super) active: Vec<usize>,
    pub(super) system: Dense,
    pub(super) shift: Shift,
    pub(super) zero: Vec<f64>,
}

/// How the correction of the position changes.
#[derive(Debug, Default)]
pub(super) struct Shift {
    /// Velocity of the rows before the step.
    pub(super) start: Vec<f64>,
    /// The rows that are moved.
    pub(super) rows: Vec<usize>,
    pub(super) goals: Vec<Slopes>,
    pub(super) system: Dense,
    /// M ds for every input while multipliers stay as they are, then ds; the changes of J s.
    pub(super) by_input: Residual,
    pub(super) changes: Changes,
    /// The same for p.
    pub(super) free: Residual,
    pub(super) free_changes: Changes,
    pub(super) flies: bool,
}

/// Derivatives of the goal of a row: by its velocity before the step, without impulses and after,
/// and by its violation.
pub(super) type Slopes = [f64; 4];

/// The velocity of a constraint row after the impulses.
pub(super) fn velocity(m: &Model, d: &Data, row: usize) -> f64 {
    let (dofs, values) = jacobian_row(d, row);
    let after = |v: usize| d.qvel[v] + m.opt.timestep * d.qacc[v];
    dofs.iter().zip(values).map(|(&v, x)| x * after(v as usize)).sum()
}
