//! Rollouts and products with their derivatives.
//!
//! A state is `qpos`, `qvel` and `act`, one after another. A gradient needs the states from the
//! last to the first: one of every √n steps is kept, and the steps between are made again.

use sinew_model::enums::StateBit;
use sinew_model::state::{get_state, set_state, state_size};
use sinew_model::{Data, Model};

use super::coordinates::{change_to_dofs, change_to_qpos, gradient_to_dofs, gradient_to_qpos};
use super::error::TransitionError;
use super::linear::{check_length, check_state};
use super::parameter::ParameterGradient;
use super::product::{StepGradient, step_jvp, step_vjp};
use super::support::check_model;
use crate::plain::step;

/// A rollout: the first state and the controls of every step, row after row.
#[derive(Clone, Copy, Debug)]
pub struct Rollout<'a> {
    /// `qpos`, `qvel` and `act` before the first step.
    pub start: &'a [f64],
    /// The controls: `steps` rows of `nu` numbers.
    pub ctrl: &'a [f64],
    /// Number of steps.
    pub steps: usize,
}

/// The gradient of a number that depends on the states of a rollout.
#[derive(Debug, Default)]
pub struct RolloutGradient<'a, 'p> {
    /// By the first state.
    pub start: &'a mut [f64],
    /// By the controls of every step.
    pub ctrl: &'a mut [f64],
    /// By parameters of the model; added to the present values.
    pub params: &'a mut [ParameterGradient<'p>],
}

/// The state that a repeated step needs to have the same bits.
const KEPT: i32 = StateBit::Fullphysics.0 | StateBit::Warmstart.0;

impl Rollout<'_> {
    /// Number of values of a state.
    pub fn state_len(m: &Model) -> usize {
        m.nq + m.nv + m.na
    }

    /// Writes the states after every step to `states`, row after row.
    pub fn run(&self, m: &Model, d: &mut Data, states: &mut [f64]) -> Result<(), TransitionError> {
        let len = Rollout::state_len(m);
        check_length("states", states.len(), self.steps * len)?;
        self.begin(m, d)?;
        for (k, row) in states.chunks_exact_mut(len.max(1)).enumerate() {
            self.advance(m, d, k)?;
            let (pos, rest) = row.split_at_mut(m.nq);
            let (vel, act) = rest.split_at_mut(m.nv);
            pos.copy_from_slice(&d.qpos);
            vel.copy_from_slice(&d.qvel);
            act.copy_from_slice(&d.act);
        }
        check_states(d)
    }

    /// The gradient from that by the states after every step: a row for each.
    pub fn vjp(
        &self,
        m: &Model,
        d: &mut Data,
        by_states: &[f64],
        out: RolloutGradient<'_, '_>,
    ) -> Result<(), TransitionError> {
        let (n, len) = (2 * m.nv + m.na, Rollout::state_len(m));
        check_length("by_states", by_states.len(), self.steps * len)?;
        check_length("start", out.start.len(), len)?;
        check_length("ctrl", out.ctrl.len(), self.steps * m.nu)?;
        self.begin(m, d)?;

        // the first state of every segment
        let stride = self.steps.isqrt().max(1);
        let size = state_size(m, KEPT).unwrap_or(0);
        let mut marks = Vec::new();
        for k in 0..self.steps {
            if k % stride == 0 {
                keep(m, d, size, &mut marks);
            }
            self.advance(m, d, k)?;
        }
        check_states(d)?;

        // segments from the last
        let mut after = d.qpos.to_vec();
        let (mut by_after, mut by_before) = (vec![0.0; n], vec![0.0; n]);
        let (mut states, mut by_dofs) = (Vec::new(), vec![0.0; m.nv]);
        for segment in (0..self.steps.div_ceil(stride)).rev() {
            let range = segment * stride..self.steps.min((segment + 1) * stride);
            restore(m, d, &marks[segment * size..(segment + 1) * size]);
            states.clear();
            for k in range.clone() {
                keep(m, d, size, &mut states);
                if k + 1 < range.end {
                    self.advance(m, d, k)?;
                }
            }
            for k in range.clone().rev() {
                // the gradient by the state after the step
                let by_state = &by_states[k * len..(k + 1) * len];
                let (by_qpos, rest) = by_state.split_at(m.nq);
                gradient_to_dofs(m, &after, by_qpos, &mut by_dofs);
                let own = by_dofs.iter().chain(rest);
                by_after.iter_mut().zip(own).for_each(|(sum, x)| *sum += x);

                // the step
                let local = k - range.start;
                restore(m, d, &states[local * size..(local + 1) * size]);
                d.ctrl.copy_from_slice(self.controls(m, k));
                let ctrl = &mut out.ctrl[k * m.nu..(k + 1) * m.nu];
                let gradient =
                    StepGradient { state: &mut by_before, ctrl, params: &mut *out.params };
                step_vjp(m, d, &by_after, gradient)?;
                core::mem::swap(&mut by_after, &mut by_before);
                after.copy_from_slice(&d.qpos);
            }
        }

        // by the first state
        let (pos, rest) = out.start.split_at_mut(m.nq);
        gradient_to_qpos(m, &self.start[..m.nq], &by_after[..m.nv], pos);
        rest.copy_from_slice(&by_after[m.nv..]);
        Ok(())
    }

    /// The changes of the states after every step, where the first state changes by `start` and the
    /// controls by `ctrl`.
    pub fn jvp(
        &self,
        m: &Model,
        d: &mut Data,
        [start, ctrl]: [&[f64]; 2],
        out: &mut [f64],
    ) -> Result<(), TransitionError> {
        let (n, len) = (2 * m.nv + m.na, Rollout::state_len(m));
        check_length("change of start", start.len(), len)?;
        check_length("change of ctrl", ctrl.len(), self.steps * m.nu)?;
        check_length("out", out.len(), self.steps * len)?;
        self.begin(m, d)?;
        let (mut before, mut after) = (vec![0.0; n], vec![0.0; n]);
        let (pos, rest) = start.split_at(m.nq);
        change_to_dofs(m, &self.start[..m.nq], pos, &mut before[..m.nv]);
        before[m.nv..].copy_from_slice(rest);
        let mut mark = Vec::new();
        let size = state_size(m, KEPT).unwrap_or(0);
        for (k, row) in out.chunks_exact_mut(len.max(1)).enumerate() {
            mark.clear();
            keep(m, d, size, &mut mark);
            d.ctrl.copy_from_slice(self.controls(m, k));
            step_jvp(m, d, &before, &ctrl[k * m.nu..(k + 1) * m.nu], &mut after)?;
            restore(m, d, &mark);
            self.advance(m, d, k)?;
            let (pos, rest) = row.split_at_mut(m.nq);
            change_to_qpos(m, &d.qpos, &after[..m.nv], pos);
            rest.copy_from_slice(&after[m.nv..]);
            core::mem::swap(&mut before, &mut after);
        }
        Ok(())
    }

    /// Sets the first state.
    fn begin(&self, m: &Model, d: &mut Data) -> Result<(), TransitionError> {
        check_model(m)?;
        check_length("start", self.start.len(), Rollout::state_len(m))?;
        check_length("ctrl", self.ctrl.len(), self.steps * m.nu)?;
        let (pos, rest) = self.start.split_at(m.nq);
        let (vel, act) = rest.split_at(m.nv);
        d.qpos.copy_from_slice(pos);
        d.qvel.copy_from_slice(vel);
        d.act.copy_from_slice(act);
        Ok(())
    }

    fn controls(&self, m: &Model, k: usize) -> &[f64] {
        &self.ctrl[k * m.nu..(k + 1) * m.nu]
    }

    /// Makes step `k`.
    fn advance(&self, m: &Model, d: &mut Data, k: usize) -> Result<(), TransitionError> {
        check_states(d)?;
        d.ctrl.copy_from_slice(self.controls(m, k));
        check_state("ctrl", &d.ctrl)?;
        step(m, d);
        Ok(())
    }
}

/// An error for a state that a step would reset.
fn check_states(d: &Data) -> Result<(), TransitionError> {
    check_state("qpos", &d.qpos)?;
    check_state("qvel", &d.qvel)?;
    check_state("act", &d.act)
}

/// Appends the state.
fn keep(m: &Model, d: &Data, size: usize, states: &mut Vec<f64>) {
    let start = states.len();
    states.resize(start + size, 0.0);
    get_state(m, d, &mut states[start..], KEPT).expect("the state has the size of the model");
}

fn restore(m: &Model, d: &mut Data, state: &[f64]) {
    set_state(m, d, state, KEPT).expect("the state has the size of the model");
}
