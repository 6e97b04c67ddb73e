//! Products with the derivatives of a step, without the matrices.
//!
//! A product solves for one vector, a matrix for every input.

use sinew_math::Vec3;
use sinew_math::vector::{add_scaled, dot};
use sinew_model::enums::Integrator;
use sinew_model::{Data, Model};

use super::error::{TransitionError, unsupported};
use super::hard::{fill_hard, is_hard};
use super::integrate::{PositionMap, position_maps};
use super::linear::{StepWork, check_length, with_linear};
use super::parameter::{Factors, ParameterGradient, add_parameters, check_parameter};
use super::runge_kutta::{pull_stages, push_stages};
use super::switches::Switches;
use crate::finite::Transition;

/// The gradient of a function of the state after a step, by the inputs of the step.
#[derive(Debug, Default)]
pub struct StepGradient<'a, 'p> {
    /// By position, velocity and activation: 2 `nv` + `na` numbers.
    pub state: &'a mut [f64],
    /// By the controls.
    pub ctrl: &'a mut [f64],
    /// By parameters of the model; added to the present values.
    pub params: &'a mut [ParameterGradient<'p>],
}

/// The gradient by the inputs of a step, from the gradient by the state after it: Aᵀ x and Bᵀ x.
///
/// `x` has 2 `nv` + `na` numbers, as the rows of A. Gradients by state and controls replace the
/// present values, gradients by parameters are added. The state is as before afterwards, and
/// everything that [`forward`](crate::forward) computes is up to date, except sensors.
pub fn step_vjp(
    m: &Model,
    d: &mut Data,
    x: &[f64],
    out: StepGradient<'_, '_>,
) -> Result<Switches, TransitionError> {
    let n = 2 * m.nv + m.na;
    check_length("x", x.len(), n)?;
    check_length("state", out.state.len(), n)?;
    check_length("ctrl", out.ctrl.len(), m.nu)?;
    for gradient in &*out.params {
        let (parameter, found) = (gradient.parameter, gradient.out.len());
        check_length(parameter.name(), found, parameter.len(m))?;
        check_parameter(m, parameter)?;
    }
    if m.opt.integrator == Integrator::Rk4 {
        return pull_stages(m, d, x, [out.state, out.ctrl], out.params);
    }
    if is_hard(m) {
        return pull_matrices(m, d, x, out);
    }
    with_linear(m, d, true, |m, d, work| pull_back(m, d, work, x, out))
}

/// The change of the state after a step: A dx + B du.
///
/// `state` has 2 `nv` + `na` numbers and `ctrl` has `nu`. The result replaces `out`, which has the
/// length of `state`. The state is as before afterwards, and everything that
/// [`forward`](crate::forward) computes is up to date, except sensors.
pub fn step_jvp(
    m: &Model,
    d: &mut Data,
    state: &[f64],
    ctrl: &[f64],
    out: &mut [f64],
) -> Result<Switches, TransitionError> {
    let n = 2 * m.nv + m.na;
    check_length("state", state.len(), n)?;
    check_length("ctrl", ctrl.len(), m.nu)?;
    check_length("out", out.len(), n)?;
    if m.opt.integrator == Integrator::Rk4 {
        return push_stages(m, d, [state, ctrl], out);
    }
    if is_hard(m) {
        return push_matrices(m, d, [state, ctrl], out);
    }
    with_linear(m, d, true, |m, d, work| push_forward(m, d, work, [state, ctrl], out))
}

/// Aᵀ x and Bᵀ x by the matrices.
fn pull_matrices(
    m: &Model,
    d: &mut Data,
    x: &[f64],
    out: StepGradient<'_, '_>,
) -> Result<Switches, TransitionError> {
    if !out.params.is_empty() {
        return unsupported("gradients by parameters with exact friction");
    }
    with_matrices(m, d, |a, b| {
        out.state.fill(0.0);
        out.ctrl.fill(0.0);
        for (row, x) in x.iter().enumerate() {
            add_scaled(out.state, &a[row * out.state.len()..][..out.state.len()], *x);
            add_scaled(out.ctrl, &b[row * m.nu..][..m.nu], *x);
        }
    })
}

/// A dx + B du by the matrices.
fn push_matrices(
    m: &Model,
    d: &mut Data,
    [state, ctrl]: [&[f64]; 2],
    out: &mut [f64],
) -> Result<Switches, TransitionError> {
    with_matrices(m, d, |a, b| {
        for (row, out) in out.iter_mut().enumerate() {
            *out = dot(&a[row * state.len()..][..state.len()], state)
                + dot(&b[row * m.nu..][..m.nu], ctrl);
        }
    })
}

/// Calls `f` with A and B of a step with exact friction.
fn with_matrices(
    m: &Model,
    d: &mut Data,
    f: impl FnOnce(&[f64], &[f64]),
) -> Result<Switches, TransitionError> {
    let n = 2 * m.nv + m.na;
    let (mut a, mut b) = (vec![0.0; n * n], vec![0.0; n * m.nu]);
    let mut out = Transition { a: Some(&mut a), b: Some(&mut b), ..Default::default() };
    let switches = fill_hard(m, d, &mut out)?;
    f(&a, &b);
    Ok(switches)
}

/// Aᵀ x and Bᵀ x.
fn pull_back(m: &Model, d: &Data, work: &mut StepWork, x: &[f64], out: StepGradient<'_, '_>) {
    let (nv, h) = (m.nv, m.opt.timestep);
    let StepGradient { state, ctrl, params } = out;
    let (by_pos, rest) = x.split_at(nv);
    let (by_vel, by_act) = rest.split_at(nv);
    state.fill(0.0);
    ctrl.fill(0.0);

    // through the positions: to the position before, and to the velocity after
    let (pos, rest) = state.split_at_mut(nv);
    let (vel, act) = rest.split_at_mut(nv);
    vel.copy_from_slice(by_vel);
    position_maps(m, &work.vel, |map| match map {
        PositionMap::Straight(v) => {
            pos[v] += by_pos[v];
            vel[v] += h * by_pos[v];
        }
        PositionMap::Turn(v, [back, jacobian]) => {
            let turn = Vec3::from_slice(&by_pos[v..]);
            let (own, through) = (back.tmul_vec(turn), jacobian.tmul_vec(turn) * h);
            for k in 0..3 {
                pos[v + k] += own[k];
                vel[v + k] += through[k];
            }
        }
    });

    // through the activations
    for (k, slopes) in work.actuators.activations.iter().enumerate() {
        act[k] += slopes.act * by_act[k];
        if slopes.ctrl != 0.0 {
            ctrl[slopes.actuator] += slopes.ctrl * by_act[k];
        }
    }

    // through the acceleration
    let [mut by_acc, mut by_force] = core::mem::take(&mut work.vectors);
    by_acc.clear();
    by_acc.extend(vel.iter().map(|x| h * x));
    by_force.clear();
    by_force.resize(nv, 0.0);
    work.solve_adjoint(m, d, &mut by_acc, &mut by_force);
    let inputs = state.iter_mut().chain(ctrl);
    for (input, out) in inputs.enumerate() {
        let range = input * nv..(input + 1) * nv;
        *out += dot(&work.residual.rows[range], &by_force);
        if work.scheme.is_some() {
            *out += dot(work.extra.rows(input..input + 1), &by_acc);
        }
    }
    if !params.is_empty() {
        let factors = Factors { by_force: &by_force, by_acc: &by_acc };
        add_parameters(m, d, work, factors, params);
    }
    work.vectors = [by_acc, by_force];
}

/// A dx + B du.
fn push_forward(
    m: &Model,
    d: &Data,
    work: &mut StepWork,
    [state, ctrl]: [&[f64]; 2],
    out: &mut [f64],
) {
    let (nv, h) = (m.nv, m.opt.timestep);

    // the acceleration
    let mut vectors = core::mem::take(&mut work.vectors);
    let [acc, extra] = &mut vectors;
    for vector in [&mut *acc, &mut *extra] {
        vector.clear();
        vector.resize(nv, 0.0);
    }
    for (input, &by) in state.iter().chain(ctrl).enumerate().filter(|(_, by)| **by != 0.0) {
        let range = input * nv..(input + 1) * nv;
        add_scaled(acc, &work.residual.rows[range], by);
        if work.scheme.is_some() {
            add_scaled(extra, work.extra.rows(input..input + 1), by);
        }
    }
    work.solve_direction(m, d, acc, extra);

    // velocities, positions and activations
    let (pos, rest) = out.split_at_mut(nv);
    let (vel, act) = rest.split_at_mut(nv);
    for (v, vel) in vel.iter_mut().enumerate() {
        *vel = state[nv + v] + h * acc[v];
    }
    position_maps(m, &work.vel, |map| match map {
        PositionMap::Straight(v) => pos[v] = state[v] + h * vel[v],
        PositionMap::Turn(v, [back, jacobian]) => {
            let own = back * Vec3::from_slice(&state[v..]);
            let through = jacobian * Vec3::from_slice(&vel[v..]) * h;
            for k in 0..3 {
                pos[v + k] = own[k] + through[k];
            }
        }
    });
    for (k, slopes) in work.actuators.activations.iter().enumerate() {
        act[k] = slopes.act * state[2 * nv + k];
        if slopes.ctrl != 0.0 {
            act[k] += slopes.ctrl * ctrl[slopes.actuator];
        }
    }
    work.vectors = vectors;
}
