//! Integrators: from accelerations to the next state.

use core::mem::take;

use crate::work::{RateVectors, StateVectors, scratch};
use sinew_math::vector;
use sinew_model::enums::{DisableBit, Integrator, Stage};
use sinew_model::{Data, Model};

use crate::actuator::actuation::advance_act;
use crate::actuator::history::record_ctrl;
use crate::coulomb::apply_shift;
use crate::derivative::lu::{factor_lu, solve_lu};
use crate::derivative::{
    euler_matrix, factor_flexes, implicit_matrix, skip_flexes, smooth_vel, solve_flexes,
};
use crate::hooks::Hooks;
use crate::instances;
use crate::sensor::record_sensors;
use crate::smooth::inertia::{factor_i, solve_ld};
use crate::smooth::position::integrate_pos;
use crate::step::forward::forward_skip_with;

/// One semi-implicit Euler step, with joint damping implicit.
///
/// Reads `qacc`, `act_dot`, `M`, `qfrc_smooth`, `qfrc_constraint`.
/// Writes `qpos`, `qvel`, `act`, `history`, `time`, `qacc_warmstart`, `qH`, `qHDiagInv`.
#[doc(alias = "mj_Euler")]
pub fn euler(m: &Model, d: &mut Data) {
    euler_skip(m, d, false);
}

/// `euler`, with the factor in `qH` as it is if `skip_factor`.
#[doc(alias = "mj_EulerSkip")]
pub(crate) fn euler_skip(m: &Model, d: &mut Data, skip_factor: bool) {
    let implicit = !m.opt.disabled(DisableBit::Eulerdamp)
        && !m.opt.disabled(DisableBit::Damper)
        && m.dof_damping.iter().any(|&b| b > 0.0);
    let mut qacc = take_qacc(m, d);
    if implicit {
        // (M + h B) q̈ = f
        let Data { qH, qHDiagInv, M, qfrc_smooth, qfrc_constraint, .. } = d;
        if !skip_factor {
            euler_matrix(m, M, qH);
            factor_i(m, qH, qHDiagInv);
        }
        for (a, (f, c)) in qacc.iter_mut().zip(qfrc_smooth.iter().zip(qfrc_constraint.iter())) {
            *a = f + c;
        }
        solve_ld(m, &mut qacc, qH, qHDiagInv);
    } else {
        qacc.copy_from_slice(&d.qacc);
    }
    advance_at_rates(m, d, qacc);
}

/// One step with velocity-dependent forces implicit: all of them (`implicit`), or without bias
/// forces, which keeps the matrix symmetric (`implicitfast`).
///
/// Reads `M`, `qfrc_smooth`, `qfrc_constraint`, `act_dot` and what `smooth_vel` reads.
/// Writes `qpos`, `qvel`, `act`, `history`, `time`, `qacc_warmstart`, `qDeriv`, and `qLU`, or `qH`
/// and `qHDiagInv`.
#[doc(alias = "mj_implicit")]
pub fn implicit(m: &Model, d: &mut Data) {
    implicit_skip(m, d, false);
}

/// `implicit`, with the factor in `qLU` or `qH` as it is if `skip_factor`.
#[doc(alias = "mj_implicitSkip")]
pub(crate) fn implicit_skip(m: &Model, d: &mut Data, skip_factor: bool) {
    let full = m.opt.integrator == Integrator::Implicit;
    if !skip_factor {
        smooth_vel(m, d, full);
        implicit_matrix(m, d, full);
        factor_flexes(m, d);
    } else {
        skip_flexes(m, d);
    }
    let mut qacc = take_qacc(m, d);
    let Data { qLU, qH, qHDiagInv, qfrc_smooth, qfrc_constraint, .. } = d;
    for (a, (f, c)) in qacc.iter_mut().zip(qfrc_smooth.iter().zip(qfrc_constraint.iter())) {
        *a = f + c;
    }

    // (M - h D) q̈ = f
    if full {
        if !skip_factor {
            factor_lu(m, qLU);
        }
        solve_lu(m, qLU, &mut qacc);
    } else {
        if !skip_factor {
            factor_i(m, qH, qHDiagInv);
        }
        solve_ld(m, &mut qacc, qH, qHDiagInv);
    }
    if m.nflex > 0 {
        solve_flexes(m, d, &mut qacc);
    }
    advance_at_rates(m, d, qacc);
}

/// The scratch vector for the acceleration to integrate.
fn take_qacc(m: &Model, d: &mut Data) -> Vec<f64> {
    let mut qacc = take(&mut scratch(d).integrate.qacc);
    qacc.resize(m.nv, 0.0);
    qacc
}

/// Advances with the acceleration of `take_qacc` and the present rates of activation.
fn advance_at_rates(m: &Model, d: &mut Data, qacc: Vec<f64>) {
    let mut act_dot = take(&mut scratch(d).integrate.act_dot);
    act_dot.clear();
    act_dot.extend_from_slice(&d.act_dot);
    advance(m, d, &act_dot, &qacc, None);
    scratch(d).integrate.act_dot = act_dot;
    scratch(d).integrate.qacc = qacc;
}

/// One step of the classical Runge-Kutta method of fourth order.
///
/// Reads `qacc`, `act_dot` of the present state.
/// Writes `qpos`, `qvel`, `act`, `history`, `time`, `qacc_warmstart`, and what `forward` writes.
pub fn runge_kutta_with(m: &Model, d: &mut Data, hooks: &mut (impl Hooks + ?Sized)) {
    let mut work = take(&mut scratch(d).integrate);
    let (h, time) = (m.opt.timestep, d.time);
    let (start, rate, sum) = (&mut work.start, &mut work.rate, &mut work.sum);
    save(start, d);
    reset_rates(sum, d);
    reset_rates(rate, d);
    add_rates(sum, d, 1.0 / 6.0);

    // three more evaluations, each from the start along the rates of the one before
    for (along, weight) in [(0.5, 1.0 / 3.0), (0.5, 1.0 / 3.0), (1.0, 1.0 / 6.0)] {
        reset_rates(rate, d);
        add_rates(rate, d, along);
        restore(start, d);
        integrate_pos(m, &mut d.qpos, &rate.qvel, h);
        vector::add_scaled(&mut d.qvel, &rate.qacc, h);
        vector::add_scaled(&mut d.act, &rate.act_dot, h);
        d.time = time + along * h;
        forward_skip_with(m, d, Stage::None, true, hooks);
        add_rates(sum, d, weight);
    }

    // the step itself, along the weighted sum
    restore(start, d);
    d.time = time;
    advance(m, d, &sum.act_dot, &sum.qacc, Some(&sum.qvel));
    scratch(d).integrate = work;
}

/// Advances histories, activations, velocities, positions and time; positions move along `qvel`
/// if given, along the new velocity otherwise.
#[doc(alias = "mj_advance")]
pub(crate) fn advance(
    m: &Model,
    d: &mut Data,
    act_dot: &[f64],
    qacc: &[f64],
    qvel: Option<&[f64]>,
) {
    if m.nhistory > 0 {
        record_ctrl(m, d);
        record_sensors(m, d);
    }
    advance_act(m, d, act_dot);
    vector::add_scaled(&mut d.qvel, qacc, m.opt.timestep);
    let Data { qpos, qvel: new_qvel, .. } = d;
    integrate_pos(m, qpos, qvel.unwrap_or(new_qvel), m.opt.timestep);
    if !d.coulomb.shift.is_empty() {
        apply_shift(m, d);
    }
    d.time += m.opt.timestep;
    instances::advance(m, d);
    d.qacc_warmstart.copy_from_slice(&d.qacc);
}

fn save(to: &mut StateVectors, d: &Data) {
    let pairs: [(&mut Vec<f64>, &[f64]); 3] =
        [(&mut to.qpos, &d.qpos), (&mut to.qvel, &d.qvel), (&mut to.act, &d.act)];
    for (to, from) in pairs {
        to.clear();
        to.extend_from_slice(from);
    }
}

fn restore(from: &StateVectors, d: &mut Data) {
    d.qpos.copy_from_slice(&from.qpos);
    d.qvel.copy_from_slice(&from.qvel);
    d.act.copy_from_slice(&from.act);
}

fn reset_rates(rates: &mut RateVectors, d: &Data) {
    for (rate, n) in [
        (&mut rates.qvel, d.qvel.len()),
        (&mut rates.qacc, d.qvel.len()),
        (&mut rates.act_dot, d.act.len()),
    ] {
        rate.clear();
        rate.resize(n, 0.0);
    }
}

fn add_rates(to: &mut RateVectors, d: &Data, weight: f64) {
    vector::add_scaled(&mut to.qvel, &d.qvel, weight);
    vector::add_scaled(&mut to.qacc, &d.qacc, weight);
    vector::add_scaled(&mut to.act_dot, &d.act_dot, weight);
}
