//! Integrators: from accelerations to the next state.

use core::mem::take;
use core::ops::Range;

use crate::work::{IntegrateWork, RateVectors, StateVectors, scratch};
use sinew_math::vector;
use sinew_model::awake::update_sleep;
use sinew_model::enums::{DisableBit, Integrator, Stage};
use sinew_model::{Data, Model};

use crate::actuator::actuation::advance_act;
use crate::actuator::history::record_ctrl;
use crate::coulomb;
use crate::derivative::lu::{factor_lu, solve_lu};
use crate::derivative::{
    euler_matrix, factor_flexes, implicit_matrix, skip_flexes, smooth_vel, solve_flexes,
};
use crate::hooks::{Hooks, Quiet};
use crate::instances;
use crate::sensor::record_sensors;
use crate::sleep::{awake_dofs, fall_asleep, for_bodies, for_dofs, some_asleep};
use crate::smooth::factor::{factor_dofs, solve_dofs};
use crate::smooth::position::{integrate_joints, integrate_pos};
use crate::step::forward::{Wanted, evaluate, forward_skip_with};

/// One semi-implicit Euler step, with joint damping implicit.
///
/// Reads `qacc`, `act_dot`, `M`, `qfrc_smooth`, `qfrc_constraint`.
/// Writes `qpos`, `qvel`, `act`, `history`, `time`, `qacc_warmstart`, `qH`, `qHDiagInv`.
#[doc(alias = "mj_Euler")]
pub fn euler(m: &Model, d: &mut Data) {
    euler_skip(m, d, false, &mut ());
}

/// `euler`, with the factor in `qH` as it is if `skip_factor`.
#[doc(alias = "mj_EulerSkip")]
pub(crate) fn euler_skip(
    m: &Model,
    d: &mut Data,
    skip_factor: bool,
    hooks: &mut (impl Hooks + ?Sized),
) {
    let implicit = !m.opt.disabled(DisableBit::Eulerdamp)
        && !m.opt.disabled(DisableBit::Damper)
        && is_damped(m, d);
    let mut qacc = take_qacc(m, d);
    for_dofs(m, d, |d, run| {
        let Data { qH, qHDiagInv, M, .. } = d;
        if !implicit {
            vector::copy(&mut qacc[run.clone()], d.qacc.rows(run));
            return;
        }

        // (M + h B) q̈ = f
        if !skip_factor {
            euler_matrix(m, run.clone(), M, qH);
            factor_dofs(m, run.clone(), qH, qHDiagInv);
        }
        sum_forces(d, run.clone(), &mut qacc);
        solve_dofs(m, run, &mut qacc, &d.qH, &d.qHDiagInv);
    });
    advance_at_rates(m, d, qacc, hooks);
}

/// Whether a dof that is awake has damping.
fn is_damped(m: &Model, d: &Data) -> bool {
    let damped = |damping: &[f64]| damping.iter().any(|&b| b > 0.0);
    if !some_asleep(m, d) {
        return damped(&m.dof_damping);
    }
    awake_dofs(m, d).any(|run| damped(m.dof_damping.rows(run)))
}

/// The sum of all forces on some dofs, into `qfrc`.
fn sum_forces(d: &Data, dofs: Range<usize>, qfrc: &mut [f64]) {
    let forces = d.qfrc_smooth.rows(dofs.clone()).iter().zip(d.qfrc_constraint.rows(dofs.clone()));
    for (sum, (f, c)) in qfrc[dofs].iter_mut().zip(forces) {
        *sum = f + c;
    }
}

/// One step with velocity-dependent forces implicit: all of them (`implicit`), or without bias
/// forces, which keeps the matrix symmetric (`implicitfast`).
///
/// Reads `M`, `qfrc_smooth`, `qfrc_constraint`, `act_dot` and what `smooth_vel` reads.
/// Writes `qpos`, `qvel`, `act`, `history`, `time`, `qacc_warmstart`, `qDeriv`, and `qLU`, or `qH`
/// and `qHDiagInv`.
#[doc(alias = "mj_implicit")]
pub fn implicit(m: &Model, d: &mut Data) {
    implicit_skip(m, d, false, &mut ());
}

/// `implicit`, with the factor in `qLU` or `qH` as it is if `skip_factor`.
#[doc(alias = "mj_implicitSkip")]
pub(crate) fn implicit_skip(
    m: &Model,
    d: &mut Data,
    skip_factor: bool,
    hooks: &mut (impl Hooks + ?Sized),
) {
    let full = m.opt.integrator == Integrator::Implicit;
    if !skip_factor {
        smooth_vel(m, d, full);
        implicit_matrix(m, d, full);
    }

    // flexes move implicitly only while nothing sleeps, as in MuJoCo
    if skip_factor || some_asleep(m, d) {
        skip_flexes(m, d);
    } else {
        factor_flexes(m, d);
    }

    // (M - h D) q̈ = f
    let mut qacc = take_qacc(m, d);
    for_dofs(m, d, |d, run| {
        sum_forces(d, run.clone(), &mut qacc);
        let Data { qLU, qH, qHDiagInv, .. } = d;
        match (full, skip_factor) {
            (true, false) => factor_lu(m, run.clone(), qLU),
            (false, false) => factor_dofs(m, run.clone(), qH, qHDiagInv),
            _ => {}
        }
        if full {
            solve_lu(m, run, qLU, &mut qacc);
        } else {
            solve_dofs(m, run, &mut qacc, qH, qHDiagInv);
        }
    });
    if m.nflex > 0 {
        solve_flexes(m, d, &mut qacc);
    }
    advance_at_rates(m, d, qacc, hooks);
}

/// The scratch vector for the acceleration to integrate.
fn take_qacc(m: &Model, d: &mut Data) -> Vec<f64> {
    let mut qacc = take(&mut scratch(d).integrate.qacc);
    vector::set_len(&mut qacc, m.nv);
    qacc
}

/// Advances with the acceleration of `take_qacc` and the present rates of activation.
fn advance_at_rates(m: &Model, d: &mut Data, qacc: Vec<f64>, hooks: &mut (impl Hooks + ?Sized)) {
    let mut act_dot = take(&mut scratch(d).integrate.act_dot);
    vector::set_len(&mut act_dot, m.na);
    vector::copy(&mut act_dot, &d.act_dot);
    advance(m, d, Rates { act_dot: &act_dot, qacc: &qacc, qvel: None }, hooks);
    scratch(d).integrate.act_dot = act_dot;
    scratch(d).integrate.qacc = qacc;
}

/// One step of the classical Runge-Kutta method of fourth order.
///
/// Reads `qacc`, `act_dot` of the present state.
/// Writes `qpos`, `qvel`, `act`, `history`, `time`, `qacc_warmstart`, and what `forward` writes.
pub fn runge_kutta_with(m: &Model, d: &mut Data, hooks: &mut (impl Hooks + ?Sized)) {
    let mut work = take(&mut scratch(d).integrate);
    let time = d.time;
    work.begin(d);
    let seen = hooks.reads_views() || m.nplugin > 0;
    for (along, weight, wanted) in evaluations(seen, Wanted::Views) {
        work.go(m, d, along, time);
        evaluate(m, d, Stage::None, wanted, hooks);
        add_rates(&mut work.sum, d, weight);
    }
    work.end(m, d, time, hooks);
    scratch(d).integrate = work;
}

/// `runge_kutta_with` for four worlds, which `evaluate` evaluates together, the last time for what is
/// wanted after the step.
pub(super) fn runge_kutta_four(
    m: &Model,
    worlds: &mut [&mut Data; 4],
    last: Wanted,
    evaluate: fn(&Model, &mut [&mut Data; 4], Wanted),
) {
    let mut works: [IntegrateWork; 4] = Default::default();
    let mut times = [0.0; 4];
    for ((d, work), time) in worlds.iter_mut().zip(&mut works).zip(&mut times) {
        *work = take(&mut scratch(d).integrate);
        *time = d.time;
        work.begin(d);
    }
    for (along, weight, wanted) in evaluations(m.nplugin > 0, last) {
        for ((d, work), &time) in worlds.iter_mut().zip(&mut works).zip(&times) {
            work.go(m, d, along, time);
        }
        evaluate(m, worlds, wanted);
        for (d, work) in worlds.iter_mut().zip(&mut works) {
            add_rates(&mut work.sum, d, weight);
        }
    }
    for ((d, mut work), time) in worlds.iter_mut().zip(works).zip(times) {
        work.end(m, d, time, &mut Quiet);
        scratch(d).integrate = work;
    }
}

/// The evaluations after the first: how far along the rates of the one before, with what weight, and
/// what they leave behind, which may be seen in those between.
#[inline(always)]
fn evaluations(seen: bool, last: Wanted) -> [(f64, f64, Wanted); 3] {
    let between = if seen { Wanted::Views } else { Wanted::Nothing };
    [(0.5, 1.0 / 3.0, between), (0.5, 1.0 / 3.0, between), (1.0, 1.0 / 6.0, last)]
}

impl IntegrateWork {
    /// Keeps the state, and the rates there.
    #[inline(always)]
    fn begin(&mut self, d: &Data) {
        save(&mut self.start, d);
        reset_rates(&mut self.sum, d);
        add_rates(&mut self.sum, d, 1.0 / 6.0);
    }

    /// Goes from the start along the rates of the present state.
    #[inline(always)]
    fn go(&mut self, m: &Model, d: &mut Data, along: f64, time: f64) {
        let (rate, h) = (&mut self.rate, m.opt.timestep);
        reset_rates(rate, d);
        add_rates(rate, d, along);
        restore(&self.start, d);
        integrate_pos(m, &mut d.qpos, &rate.qvel, h);
        vector::add_scaled(&mut d.qvel, &rate.qacc, h);
        vector::add_scaled(&mut d.act, &rate.act_dot, h);
        d.time = time + along * h;
    }

    /// The step itself, along the weighted sum.
    #[inline(always)]
    fn end(&mut self, m: &Model, d: &mut Data, time: f64, hooks: &mut (impl Hooks + ?Sized)) {
        restore(&self.start, d);
        d.time = time;
        let sum = &self.sum;
        let rates = Rates { act_dot: &sum.act_dot, qacc: &sum.qacc, qvel: Some(&sum.qvel) };
        advance(m, d, rates, hooks);
    }
}

/// How a state changes in a step; positions move along `qvel` if given, along the new velocity
/// otherwise.
struct Rates<'a> {
    act_dot: &'a [f64],
    qacc: &'a [f64],
    qvel: Option<&'a [f64]>,
}

/// Advances histories, activations, velocities, positions and time, and puts to sleep what has come
/// to rest.
#[doc(alias = "mj_advance")]
fn advance(m: &Model, d: &mut Data, rates: Rates<'_>, hooks: &mut (impl Hooks + ?Sized)) {
    if m.nhistory > 0 {
        record_ctrl(m, d);
        record_sensors(m, d);
    }
    if m.na > 0 {
        advance_act(m, d, rates.act_dot);
    }
    if fall_asleep(m, d) > 0 {
        // what depends on velocity is left as it is at rest
        forward_skip_with(m, d, Stage::Pos, false, hooks);
        update_sleep(m, d);
    }
    let h = m.opt.timestep;
    for_dofs(m, d, |d, run| {
        vector::add_scaled(d.qvel.rows_mut(run.clone()), &rates.qacc[run], h);
    });
    for_bodies(m, d, |d, run| {
        let Data { qpos, qvel, .. } = d;
        integrate_joints(m, qpos, rates.qvel.unwrap_or(qvel), h, m.joint_range(run));
    });
    if m.coulomb.enabled {
        coulomb::end(m, d);
    }
    d.time += h;
    if m.nplugin > 0 {
        instances::advance(m, d);
    }
    vector::copy(&mut d.qacc_warmstart, &d.qacc);
}

fn save(to: &mut StateVectors, d: &Data) {
    let pairs: [(&mut Vec<f64>, &[f64]); 3] =
        [(&mut to.qpos, &d.qpos), (&mut to.qvel, &d.qvel), (&mut to.act, &d.act)];
    for (to, from) in pairs {
        vector::set_len(to, from.len());
        vector::copy(to, from);
    }
}

fn restore(from: &StateVectors, d: &mut Data) {
    vector::copy(&mut d.qpos, &from.qpos);
    vector::copy(&mut d.qvel, &from.qvel);
    vector::copy(&mut d.act, &from.act);
}

fn reset_rates(rates: &mut RateVectors, d: &Data) {
    for (rate, n) in [
        (&mut rates.qvel, d.qvel.len()),
        (&mut rates.qacc, d.qvel.len()),
        (&mut rates.act_dot, d.act.len()),
    ] {
        vector::set_len(rate, n);
        vector::zero(rate);
    }
}

fn add_rates(to: &mut RateVectors, d: &Data, weight: f64) {
    vector::add_scaled(&mut to.qvel, &d.qvel, weight);
    vector::add_scaled(&mut to.qacc, &d.qacc, weight);
    vector::add_scaled(&mut to.act_dot, &d.act_dot, weight);
}
