//! Derivatives of a step by the Runge-Kutta method.
//!
//! The rates of a state Y are F = (v, a, rate of activation). A stage goes from the start along the
//! rates of the stage before it, and the step along a mean:
//!
//! ```text
//! Y_i = Y ⊕ h c_i F_(i-1)    Y' = Y ⊕ h Σ b_i F_i
//! ```
//!
//! Each stage is made linear as a step is. Matrices and products along a direction go through the
//! stages forwards, gradients backwards.

use sinew_math::Vec3;
use sinew_math::vector::{add_scaled, dot};
use sinew_model::{Data, Model};

use super::actuator::{ActivationSlopes, last_slopes};
use super::error::TransitionError;
use super::integrate::{PositionMap, position_maps};
use super::linear::{StepWork, check_start, linearize};
use super::parameter::{Factors, ParameterGradient, add_parameters};
use super::refine::refine;
use super::switches::Switches;
use crate::finite::Transition;
use crate::plain::forward;
use crate::work::scratch;

/// How far along the rates of the stage before it each stage is.
const ALONG: [f64; 4] = [0.0, 0.5, 0.5, 1.0];

/// Weights of the stages.
const WEIGHT: [f64; 4] = [1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0];

/// A state or its rates: position, velocity, activations.
#[derive(Debug, Default)]
struct Point {
    pos: Vec<f64>,
    vel: Vec<f64>,
    act: Vec<f64>,
}

impl Point {
    fn set(&mut self, [pos, vel, act]: [&[f64]; 3]) {
        for (to, from) in [(&mut self.pos, pos), (&mut self.vel, vel), (&mut self.act, act)] {
            to.clear();
            to.extend_from_slice(from);
        }
    }

    fn set_state(&mut self, d: &Data) {
        self.set([&d.qpos, &d.qvel, &d.act]);
    }

    fn set_rates(&mut self, d: &Data) {
        self.set([&d.qvel, &d.qacc, &d.act_dot]);
    }

    fn put(&self, d: &mut Data) {
        d.qpos.copy_from_slice(&self.pos);
        d.qvel.copy_from_slice(&self.vel);
        d.act.copy_from_slice(&self.act);
    }
}

/// How a state depends on the start and on the rates that lead to it.
#[derive(Debug, Default)]
struct Move {
    maps: Vec<PositionMap>,
    /// Of each activation by itself and by its rate.
    acts: Vec<[f64; 2]>,
}

/// Scratch of the stages.
#[derive(Debug, Default)]
pub(super) struct StageWork {
    start: Point,
    rates: [Point; 4],
    /// From the start to each stage, and to the end in place of the first.
    moves: [Move; 4],
    /// The velocity that a move goes along.
    along: Vec<f64>,
    /// For each input the change of the state of a stage, of its rates, and of their mean.
    changes: Vec<f64>,
    rate: Vec<f64>,
    mean: Vec<f64>,
    starts: Vec<f64>,
    /// Gradients on the way back: by the mean, by the rates of a stage, by its state, by the rates
    /// before it, by its force.
    back: [Vec<f64>; 5],
}

/// Fills the matrices.
pub(super) fn fill_stages(
    m: &Model,
    d: &mut Data,
    out: &mut Transition<'_>,
) -> Result<Switches, TransitionError> {
    let (n, inputs) = (2 * m.nv + m.na, 2 * m.nv + m.na + m.nu);
    with_stages(m, d, |m, d, work, stages| {
        stages.begin(inputs, n);
        for input in 0..n {
            stages.starts[input * n + input] = 1.0;
        }
        stages.changes.copy_from_slice(&stages.starts);
        let switches = forwards(m, d, work, stages, &mut |m, d, work, stages, stage| {
            if stage == 0 && (out.c.is_some() || out.d.is_some()) {
                work.fill_sensors(m, d, out);
            }
            work.solve_all(m, d);
            let StageWork { changes, rate, mean, .. } = stages;
            for input in 0..inputs {
                let row = input * n..(input + 1) * n;
                let (change, rate) = (&changes[row.clone()], &mut rate[row.clone()]);
                let ctrl = input.checked_sub(n);
                by_rates(m, work, change, |u| if Some(u) == ctrl { 1.0 } else { 0.0 }, rate);
                acceleration(m, &work.residual.rows, change, ctrl, &mut rate[m.nv..2 * m.nv]);
                add_scaled(&mut mean[row], rate, WEIGHT[stage]);
            }
        })?;
        let StageWork { moves, starts, mean, changes, .. } = stages;
        for input in 0..inputs {
            let row = input * n..(input + 1) * n;
            let change = &mut changes[row.clone()];
            moves[0].push(m, [&starts[row.clone()], &mean[row]], 1.0, change);
            let (matrix, ncol, column) = match input.checked_sub(n) {
                None => (&mut out.a, n, input),
                Some(u) => (&mut out.b, m.nu, u),
            };
            if let Some(matrix) = matrix {
                change.iter().enumerate().for_each(|(k, x)| matrix[k * ncol + column] = *x);
            }
        }
        Ok(switches)
    })
}

/// A dx + B du.
pub(super) fn push_stages(
    m: &Model,
    d: &mut Data,
    [state, ctrl]: [&[f64]; 2],
    out: &mut [f64],
) -> Result<Switches, TransitionError> {
    let (nv, n) = (m.nv, 2 * m.nv + m.na);
    let no_extra = vec![0.0; nv];
    with_stages(m, d, |m, d, work, stages| {
        stages.begin(1, n);
        stages.starts.copy_from_slice(state);
        stages.changes.copy_from_slice(state);
        let switches = forwards(m, d, work, stages, &mut |m, d, work, stages, stage| {
            let StageWork { changes, rate, mean, .. } = stages;
            by_rates(m, work, changes, |u| ctrl[u], rate);
            let acc = &mut rate[nv..2 * nv];
            acc.fill(0.0);
            for (input, &by) in changes.iter().chain(ctrl).enumerate() {
                add_scaled(acc, &work.residual.rows[input * nv..(input + 1) * nv], by);
            }
            work.solve_direction(m, d, acc, &no_extra);
            add_scaled(mean, rate, WEIGHT[stage]);
        })?;
        stages.moves[0].push(m, [&stages.starts, &stages.mean], 1.0, out);
        Ok(switches)
    })
}

/// Aᵀ x and Bᵀ x.
pub(super) fn pull_stages(
    m: &Model,
    d: &mut Data,
    x: &[f64],
    [state, ctrl]: [&mut [f64]; 2],
    params: &mut [ParameterGradient<'_>],
) -> Result<Switches, TransitionError> {
    let (nv, n) = (m.nv, 2 * m.nv + m.na);
    with_stages(m, d, |m, d, work, stages| {
        // the rates of all stages; the last is where the way back begins
        for stage in 0..4 {
            if stage > 0 {
                stages.go(m, d, stage);
            }
            forward(m, d);
            refine(m, d)?;
            stages.rates[stage].set_rates(d);
        }
        stages.finish(m);

        // back from the end
        state.fill(0.0);
        ctrl.fill(0.0);
        let mut back = core::mem::take(&mut stages.back);
        for (list, len) in back.iter_mut().zip([n, n, n, n, nv]) {
            list.clear();
            list.resize(len, 0.0);
        }
        let [by_mean, by_rate, by_change, next, by_force] = &mut back;
        stages.moves[0].pull(m, x, [&mut *state, by_mean]);
        let mut switches = Switches::NONE;
        for stage in (0..4).rev() {
            // the rates count in the mean and in the next stage
            by_rate.copy_from_slice(next);
            add_scaled(by_rate, by_mean, WEIGHT[stage]);
            stages.state_of(m, d, stage);
            switches.also(linearize(m, d, true, work)?);

            // from the rates to the state of the stage
            by_change.fill(0.0);
            by_change[nv..2 * nv].copy_from_slice(&by_rate[..nv]);
            for (k, slopes) in work.actuators.rates.iter().enumerate() {
                by_change[2 * nv + k] += slopes.act * by_rate[2 * nv + k];
                if slopes.ctrl != 0.0 {
                    ctrl[slopes.actuator] += slopes.ctrl * by_rate[2 * nv + k];
                }
            }
            let by_acc = &mut by_rate[nv..2 * nv];
            work.solve_adjoint(m, d, by_acc, by_force);
            for (input, out) in by_change.iter_mut().chain(&mut *ctrl).enumerate() {
                *out += dot(&work.residual.rows[input * nv..(input + 1) * nv], by_force);
            }
            if !params.is_empty() {
                let factors = Factors { by_force, by_acc };
                add_parameters(m, d, work, factors, params);
            }

            // from the stage to the start and to the rates before it
            if stage == 0 {
                state.iter_mut().zip(&*by_change).for_each(|(sum, x)| *sum += x);
            } else {
                next.fill(0.0);
                stages.moves[stage].pull(m, by_change, [&mut *state, next]);
                next.iter_mut().for_each(|x| *x *= ALONG[stage]);
            }
        }
        stages.back = back;
        Ok(switches)
    })
}

/// Calls `f` at a checked state with the scratch memory. Afterwards the state is restored, and the
/// quantities that follow from it are up to date.
fn with_stages(
    m: &Model,
    d: &mut Data,
    f: impl FnOnce(
        &Model,
        &mut Data,
        &mut StepWork,
        &mut StageWork,
    ) -> Result<Switches, TransitionError>,
) -> Result<Switches, TransitionError> {
    check_start(m, d)?;
    let mut work = scratch(d).transition.take::<StepWork>();
    let mut stages = scratch(d).stages.take::<StageWork>();
    stages.start.set_state(d);
    let time = d.time;
    let result = f(m, d, &mut work, &mut stages);
    stages.start.put(d);
    d.time = time;
    forward(m, d);
    scratch(d).stages.put(stages);
    scratch(d).transition.put(work);
    result
}

/// The operation on the changes at a stage.
type Visit<'a> = &'a mut dyn FnMut(&Model, &Data, &mut StepWork, &mut StageWork, usize);

/// Linearises the stages one after another. `visit` sets the changes of the rates and adds them to
/// the mean; the changes of the next stage follow from them.
fn forwards(
    m: &Model,
    d: &mut Data,
    work: &mut StepWork,
    stages: &mut StageWork,
    visit: Visit<'_>,
) -> Result<Switches, TransitionError> {
    let n = (2 * m.nv + m.na).max(1);
    let mut switches = Switches::NONE;
    for stage in 0..4 {
        if stage > 0 {
            stages.go(m, d, stage);
            let StageWork { moves, changes, starts, rate, .. } = &mut *stages;
            let rows = changes.chunks_exact_mut(n);
            for ((change, start), rate) in
                rows.zip(starts.chunks_exact(n)).zip(rate.chunks_exact(n))
            {
                moves[stage].push(m, [start, rate], ALONG[stage], change);
            }
        }
        // sensors belong to the first stage
        switches.also(linearize(m, d, stage > 0, work)?);
        stages.rates[stage].set_rates(d);
        visit(m, d, work, stages, stage);
    }
    stages.finish(m);
    Ok(switches)
}

/// Changes of the rates by changes of a state and of the controls, without the acceleration.
fn by_rates(
    m: &Model,
    work: &StepWork,
    change: &[f64],
    ctrl: impl Fn(usize) -> f64,
    rate: &mut [f64],
) {
    let nv = m.nv;
    rate[..nv].copy_from_slice(&change[nv..2 * nv]);
    for (k, &ActivationSlopes { act, ctrl: by_ctrl, actuator }) in
        work.actuators.rates.iter().enumerate()
    {
        let through = if by_ctrl == 0.0 { 0.0 } else { by_ctrl * ctrl(actuator) };
        rate[2 * nv + k] = act * change[2 * nv + k] + through;
    }
}

/// The change of the acceleration from its derivatives by all inputs.
fn acceleration(m: &Model, rows: &[f64], change: &[f64], ctrl: Option<usize>, out: &mut [f64]) {
    out.fill(0.0);
    let row = |input: usize| &rows[input * m.nv..(input + 1) * m.nv];
    for (input, &by) in change.iter().enumerate().filter(|(_, by)| **by != 0.0) {
        add_scaled(out, row(input), by);
    }
    if let Some(u) = ctrl {
        add_scaled(out, row(change.len() + u), 1.0);
    }
}

impl StageWork {
    /// Makes room for the changes of a state, row after row.
    fn begin(&mut self, rows: usize, n: usize) {
        for x in [&mut self.changes, &mut self.rate, &mut self.mean, &mut self.starts] {
            x.clear();
            x.resize(rows * n, 0.0);
        }
    }

    /// Sets the state of a stage, and how it depends on the start.
    fn go(&mut self, m: &Model, d: &mut Data, stage: usize) {
        self.state_of(m, d, stage);
        let StageWork { moves, along, .. } = self;
        let acts = &mut moves[stage].acts;
        acts.clear();
        acts.resize(m.na, [1.0, m.opt.timestep]);
        moves[stage].set_maps(m, along);
    }

    /// Sets the state of a stage, and the velocity that leads to it.
    fn state_of(&mut self, m: &Model, d: &mut Data, stage: usize) {
        let StageWork { start, rates, along, .. } = self;
        start.put(d);
        let Some(before) = stage.checked_sub(1) else { return };
        let (c, h) = (ALONG[stage], m.opt.timestep);
        let rates = &rates[before];
        along.clear();
        along.extend(rates.pos.iter().map(|x| 0.0 + x * c));
        crate::smooth::position::integrate_pos(m, &mut d.qpos, along, h);
        add_scaled(&mut d.qvel, &rates.vel, c * h);
        add_scaled(&mut d.act, &rates.act, c * h);
    }

    /// Sets how the state after the step depends on the start.
    fn finish(&mut self, m: &Model) {
        let StageWork { start, rates, along, moves, .. } = self;
        along.clear();
        along.resize(m.nv, 0.0);
        let acts = &mut moves[0].acts;
        acts.clear();
        acts.resize(m.na, [0.0; 2]);
        for (rates, weight) in rates.iter().zip(WEIGHT) {
            add_scaled(along, &rates.pos, weight);
            acts.iter_mut().zip(&rates.act).for_each(|(sum, rate)| sum[0] += weight * rate);
        }
        for k in 0..m.na {
            moves[0].acts[k] = last_slopes(m, k, start.act[k], moves[0].acts[k][0]);
        }
        moves[0].set_maps(m, along);
    }
}

impl Move {
    fn set_maps(&mut self, m: &Model, along: &[f64]) {
        self.maps.clear();
        position_maps(m, along, |map| self.maps.push(map));
    }

    /// The change of the state from the change of the start and the change of the rates, which
    /// count `scale`.
    fn push(&self, m: &Model, [start, rate]: [&[f64]; 2], scale: f64, out: &mut [f64]) {
        let (nv, h) = (m.nv, m.opt.timestep * scale);
        for map in &self.maps {
            match map {
                PositionMap::Straight(v) => out[*v] = start[*v] + h * rate[*v],
                PositionMap::Turn(v, [back, jacobian]) => {
                    let own = *back * Vec3::from_slice(&start[*v..]);
                    let through = *jacobian * Vec3::from_slice(&rate[*v..]) * h;
                    (0..3).for_each(|k| out[v + k] = own[k] + through[k]);
                }
            }
        }
        for v in nv..2 * nv {
            out[v] = start[v] + h * rate[v];
        }
        for (k, [own, by_rate]) in self.acts.iter().enumerate() {
            out[2 * nv + k] = own * start[2 * nv + k] + by_rate * scale * rate[2 * nv + k];
        }
    }

    /// Adds the gradient by the start, and that by the rates.
    fn pull(&self, m: &Model, x: &[f64], [start, rate]: [&mut [f64]; 2]) {
        let (nv, h) = (m.nv, m.opt.timestep);
        for map in &self.maps {
            match map {
                PositionMap::Straight(v) => {
                    start[*v] += x[*v];
                    rate[*v] += h * x[*v];
                }
                PositionMap::Turn(v, [back, jacobian]) => {
                    let turn = Vec3::from_slice(&x[*v..]);
                    let (own, through) = (back.tmul_vec(turn), jacobian.tmul_vec(turn) * h);
                    for k in 0..3 {
                        start[v + k] += own[k];
                        rate[v + k] += through[k];
                    }
                }
            }
        }
        for v in nv..2 * nv {
            start[v] += x[v];
            rate[v] += h * x[v];
        }
        for (k, [own, by_rate]) in self.acts.iter().enumerate() {
            start[2 * nv + k] += own * x[2 * nv + k];
            rate[2 * nv + k] += by_rate * x[2 * nv + k];
        }
    }
}
