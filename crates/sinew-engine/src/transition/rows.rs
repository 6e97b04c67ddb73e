//! Rows that belong together while their derivatives are summed up.

use core::ops::Range;

use sinew_math::Spatial;
use sinew_model::{BodyId, Data, DofId, Model, TendonId};

use super::arm::Arm;
use super::residual::Residual;
use super::tree::Wrenches;
use super::twist::Twists;
use crate::constraint::jacobian_row;
use crate::sparse::SparseRow;

/// Maximum number of rows that belong together: the edges of a pyramid of six dimensions.
pub(super) const MAX_ROWS: usize = 10;

/// Rows that belong together, with one pattern: their changes, and the weight of their forces.
#[derive(Debug, Default)]
pub(super) struct Block {
    /// The dofs of the pattern.
    pub(super) dofs: Vec<DofId>,
    /// Change of e by position, row after row.
    pub(super) change: Vec<f64>,
    /// Relative change of the regularisation D by position.
    pub(super) stiffening: Vec<f64>,
    /// W, row after row.
    pub(super) weight: [[f64; MAX_ROWS]; MAX_ROWS],
    /// Of a contact, the axis of each row at the point. The axis times the relative motion that a
    /// dof gives both bodies there is the entry of the Jacobian.
    pub(super) axes: Vec<Spatial>,
    pub(super) motions: Vec<Spatial>,
    /// Of a contact, the change of the wrench with its frame and its point by each dof.
    pub(super) turned: Vec<Spatial>,
}

/// Inputs of rows besides the model and its data.
#[derive(Clone, Copy)]
pub(super) struct RowContext<'a> {
    pub(super) m: &'a Model,
    pub(super) d: &'a Data,
    /// Motion of the bodies at the acceleration, without the velocity's part.
    pub(super) acc: &'a Twists,
    /// Motion of the bodies at the velocity.
    pub(super) vel: &'a Twists,
    /// The arms of the tendons.
    pub(super) tendons: &'a [Arm],
}

/// Scratch of the rows of one constraint.
#[derive(Debug, Default)]
pub(super) struct RowScratch {
    /// The row of a joint or a tendon.
    pub(super) row: SparseRow,
    /// Which of two bodies each dof of the pattern moves.
    pub(super) moves: Vec<[bool; 2]>,
}

/// Where the changes of rows go.
pub(super) struct RowOutput<'a> {
    pub(super) block: &'a mut Block,
    pub(super) residual: &'a mut Residual,
    pub(super) wrenches: &'a mut Wrenches,
    pub(super) scratch: &'a mut RowScratch,
}

impl Block {
    /// Takes the pattern of some rows, and no change.
    pub(super) fn prepare(&mut self, d: &Data, rows: Range<usize>) {
        let (columns, _) = jacobian_row(d, rows.start);
        self.dofs.clear();
        self.dofs.extend(columns.iter().map(|&v| DofId::new(v as usize)));
        let width = self.dofs.len();
        self.change.clear();
        self.change.resize(width * rows.len(), 0.0);
        self.stiffening.clear();
        self.stiffening.resize(width, 0.0);
        [&mut self.axes, &mut self.motions, &mut self.turned].into_iter().for_each(Vec::clear);
    }

    /// The wrench of forces of the rows of a contact.
    pub(super) fn wrench(&self, forces: &[f64]) -> Spatial {
        let axes = self.axes.iter().zip(forces);
        axes.fold(Spatial::ZERO, |sum, (&axis, &force)| sum + axis * force)
    }

    /// Adds the change of the reference of a row whose violation changes by `slope` in each dof.
    pub(super) fn add_violation(&mut self, d: &Data, row: usize, local: usize, slope: &[f64]) {
        let [k, _, imp, imp_slope] = d.efc_KBIP[row];
        let scale = k * (imp + imp_slope * (d.efc_pos[row] - d.efc_margin[row]));
        let width = self.dofs.len();
        let change = &mut self.change[local * width..(local + 1) * width];
        for (change, slope) in change.iter_mut().zip(slope) {
            *change += scale * slope;
        }
    }

    /// Sets the relative change of the regularisation by that of the violation.
    pub(super) fn set_stiffening(
        &mut self,
        d: &Data,
        row: usize,
        slope: impl Iterator<Item = f64>,
    ) {
        let [_, _, imp, imp_slope] = d.efc_KBIP[row];
        let scale = imp_slope / (imp * (1.0 - imp));
        for (stiffening, slope) in self.stiffening.iter_mut().zip(slope) {
            *stiffening = scale * slope;
        }
    }
}

/// The changes of a row whose Jacobian is the gradient of its violation, at constant Jacobian.
pub(super) fn gradient_row(d: &Data, row: usize, block: &mut Block) {
    let (_, jacobian) = jacobian_row(d, row);
    block.add_violation(d, row, 0, jacobian);
    block.set_stiffening(d, row, jacobian.iter().copied());
}

/// Adds the change of the Jacobian of a row in which a tendon's arm counts `scale`. The change of J
/// x, for every dof that turns the arm, and the change of the force are added.
pub(super) fn tendon_row_change(
    context: &RowContext<'_>,
    t: TendonId,
    scale: f64,
    row: usize,
    out: &mut RowOutput<'_>,
) {
    let RowContext { m, d, tendons, .. } = *context;
    let arm = &tendons[t.idx()];
    if !arm.turns {
        return;
    }
    let (columns, jacobian) = jacobian_row(d, row);
    let [_, b, ..] = d.efc_KBIP[row];
    let weight = out.block.weight[0][0];
    for (place, &v) in arm.dofs.iter().enumerate() {
        let change = arm.rate_change(place, &d.qacc) + b * arm.rate_change(place, &d.qvel);
        let by_pos = out.residual.by_pos(v.idx());
        for (&w, x) in columns.iter().zip(jacobian) {
            by_pos[w as usize] += x * weight * scale * change;
        }
    }
    arm.add_force_change(-d.efc_force[row] * scale, m.nv, out.residual.pos(), |_| true);
}

impl RowContext<'_> {
    /// Finds which of two bodies each dof of a pattern moves.
    pub(super) fn set_moves(
        &self,
        bodies: [BodyId; 2],
        dofs: &[DofId],
        moves: &mut Vec<[bool; 2]>,
    ) {
        moves.clear();
        moves.resize(dofs.len(), [false; 2]);
        for (k, body) in bodies.into_iter().enumerate() {
            for v in self.m.body_chain(body) {
                if let Ok(place) = dofs.binary_search(&v) {
                    moves[place][k] = true;
                }
            }
        }
    }
}
