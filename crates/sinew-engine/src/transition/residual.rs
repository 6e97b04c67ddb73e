//! Derivatives of the residual G = M q̈ + c - τ - Jᵀf by everything a step depends on.

use core::ops::Range;

use sinew_model::Model;

/// One row of `nv` numbers per input: the dofs of position, of velocity, the activations, the
/// controls.
#[derive(Debug, Default)]
pub(super) struct Residual {
    pub(super) nv: usize,
    na: usize,
    pub(super) rows: Vec<f64>,
}

impl Residual {
    pub(super) fn clear(&mut self, m: &Model) {
        (self.nv, self.na) = (m.nv, m.na);
        self.rows.clear();
        self.rows.resize((2 * m.nv + m.na + m.nu) * m.nv, 0.0);
    }

    /// Takes zeros for the inputs of position alone; other inputs have no rows.
    pub(super) fn clear_pos(&mut self, m: &Model) {
        (self.nv, self.na) = (m.nv, m.na);
        self.rows.clear();
        self.rows.resize(m.nv * m.nv, 0.0);
    }

    /// The rows of some inputs, as far as there are any.
    pub(super) fn rows(&self, inputs: Range<usize>) -> &[f64] {
        let all = inputs.start * self.nv..inputs.end * self.nv;
        let end = all.end.min(self.rows.len());
        &self.rows[all.start.min(end)..end]
    }

    /// All rows by position.
    pub(super) fn pos(&mut self) -> &mut [f64] {
        &mut self.rows[..self.nv * self.nv]
    }

    /// All rows by position, and all rows by velocity.
    pub(super) fn pos_vel(&mut self) -> (&mut [f64], &mut [f64]) {
        let size = self.nv * self.nv;
        let (pos, rest) = self.rows.split_at_mut(size);
        (pos, &mut rest[..size])
    }

    /// The row by the position of a dof.
    pub(super) fn by_pos(&mut self, dof: usize) -> &mut [f64] {
        self.row(dof)
    }

    /// The row by the velocity of a dof.
    pub(super) fn by_vel(&mut self, dof: usize) -> &mut [f64] {
        self.row(self.nv + dof)
    }

    /// The row by an activation.
    pub(super) fn by_act(&mut self, act: usize) -> &mut [f64] {
        self.row(2 * self.nv + act)
    }

    /// The row by a control.
    pub(super) fn by_ctrl(&mut self, ctrl: usize) -> &mut [f64] {
        self.row(2 * self.nv + self.na + ctrl)
    }

    fn row(&mut self, input: usize) -> &mut [f64] {
        let range = self.range(input);
        &mut self.rows[range]
    }

    fn range(&self, input: usize) -> Range<usize> {
        input * self.nv..(input + 1) * self.nv
    }
}
