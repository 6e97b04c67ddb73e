//! Integrators: from accelerations to the next state.

use core::mem::{swap, take};
use core::ops::Range;

use crate::work::{IntegrateWork, RateVectors, StateVectors, Work, scratch};
use sinew_math::vector;
use sinew_model::awake::update_sleep;
use sinew_model::enums::{DisableBit, Integrator, Stage};
use sinew_model::{Data, DofId, Model, Table};

use crate::actuator::actuation::advance_act;
use crate::actuator::history::record_ctrl;
use crate::coulomb;
use crate::derivative::lu::{factor_lu, solve_lu};
use crate::derivative::{
    euler_matrix, factor_flexes, implicit_matrix, skip_flexes, smooth_vel, solve_flexes,
};
use crate::hooks::{Hooks, Quiet};
use crate::instances;
use crate::later;
use crate::plastic;
use crate::sensor::record_sensors;
use crate::sleep::{awake_dofs, fall_asleep, for_bodies, for_dofs, some_asleep};
use crate::smooth::com::com_pos;
use crate::smooth::factor::{factor_dofs, solve_dofs};
use crate::smooth::kinematics::kinematics;
use crate::smooth::position::{integrate_joints, integrate_pos};
use crate::step::forward::{Outputs, evaluate, forward_skip_with};
use crate::tendon::tendon;

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
    set_qacc_len(m, d);
    for_dofs(
        m,
        d,
        #[inline(always)]
        |d, run| {
            let Data { work, qH, qHDiagInv, M, qvel, .. } = d;
            let qacc = &mut Work::of(work).integrate.qacc;
            if !implicit {
                vector::copy(&mut qacc[run.clone()], d.qacc.rows(run));
                return;
            }

            // (M + h B) q̈ = f
            if !skip_factor {
                euler_matrix(m, run.clone(), [M, qvel], qH);
                factor_dofs(m, run.clone(), qH, qHDiagInv);
            }
            sum_forces([&d.qfrc_smooth, &d.qfrc_constraint], run.clone(), qacc);
            solve_dofs(m, run, qacc, qH, qHDiagInv);
        },
    );
    advance(m, d, Along::Acceleration, hooks);
}

/// Whether a dof that is awake has damping.
fn is_damped(m: &Model, d: &Data) -> bool {
    if !some_asleep(m, d) {
        return later::any_damper(m, 0..m.nv);
    }
    awake_dofs(m, d).any(|run| later::any_damper(m, run))
}

/// The sum of all forces on some dofs, into `qfrc`.
fn sum_forces(forces: [&Table<DofId, f64>; 2], dofs: Range<usize>, qfrc: &mut [f64]) {
    let forces = forces.map(|force| force.rows(dofs.clone()));
    vector::combine(&mut qfrc[dofs], forces, |[smooth, constraint]| smooth + constraint);
}

/// One step with velocity-dependent forces implicit: all of them (`implicit`), or without bias
/// forces, which keeps the matrix symmetric (`implicitfast`).
///
/// Reads `M`, `qfrc_smooth`, `qfrc_constraint`, `act_dot` and the inputs of `smooth_vel`. Writes
/// `qpos`, `qvel`, `act`, `history`, `time`, `qacc_warmstart`, `qDeriv`, and `qLU`, or `qH` and
/// `qHDiagInv`.
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
    set_qacc_len(m, d);
    for_dofs(
        m,
        d,
        #[inline(always)]
        |d, run| {
            let Data { work, qLU, qH, qHDiagInv, .. } = d;
            let qacc = &mut Work::of(work).integrate.qacc;
            sum_forces([&d.qfrc_smooth, &d.qfrc_constraint], run.clone(), qacc);
            match (full, skip_factor) {
                (true, false) => factor_lu(m, run.clone(), qLU),
                (false, false) => factor_dofs(m, run.clone(), qH, qHDiagInv),
                _ => {}
            }
            if full {
                solve_lu(m, run, qLU, qacc);
            } else {
                solve_dofs(m, run, qacc, qH, qHDiagInv);
            }
        },
    );
    if m.nflex > 0 {
        let mut qacc = take(&mut scratch(d).integrate.qacc);
        solve_flexes(m, d, &mut qacc);
        scratch(d).integrate.qacc = qacc;
    }
    advance(m, d, Along::Acceleration, hooks);
}

/// Makes room for the acceleration to integrate.
#[inline(always)]
fn set_qacc_len(m: &Model, d: &mut Data) {
    vector::set_len(&mut scratch(d).integrate.qacc, m.nv);
}

/// One step of the classical Runge-Kutta method of fourth order.
///
/// Reads `qacc`, `act_dot` of the present state. Writes `qpos`, `qvel`, `act`, `history`, `time`,
/// `qacc_warmstart`, and the outputs of `forward`.
pub fn runge_kutta_with(m: &Model, d: &mut Data, hooks: &mut (impl Hooks + ?Sized)) {
    let mut work = take(&mut scratch(d).integrate);
    let time = d.time;
    work.begin(d);
    let seen = hooks.reads_views() || m.nplugin > 0;
    for (along, weight, wanted) in evaluations(seen, Outputs::Views) {
        work.go(m, d, along, time);
        evaluate(m, d, Stage::None, wanted, hooks);
        add_rates(&mut work.sum, d, weight);
    }
    work.end(m, d, time, hooks);
}

/// `runge_kutta_with` for four worlds, which `evaluate` evaluates together, the last time for the
/// outputs after the step.
pub(super) fn runge_kutta_four(
    m: &Model,
    worlds: &mut [&mut Data; 4],
    last: Outputs,
    evaluate: fn(&Model, &mut [&mut Data; 4], Outputs),
) {
    // states and rates at the start
    let mut works: [IntegrateWork; 4] = Default::default();
    let mut times = [0.0; 4];
    for ((d, work), time) in worlds.iter_mut().zip(&mut works).zip(&mut times) {
        *work = take(&mut scratch(d).integrate);
        *time = d.time;
        work.begin(d);
    }

    // evaluations along the rates, summed with their weights
    for (along, weight, wanted) in evaluations(m.nplugin > 0, last) {
        for ((d, work), &time) in worlds.iter_mut().zip(&mut works).zip(&times) {
            work.go(m, d, along, time);
        }
        evaluate(m, worlds, wanted);
        for (d, work) in worlds.iter_mut().zip(&mut works) {
            add_rates(&mut work.sum, d, weight);
        }
    }

    // the step along the weighted mean
    for ((d, work), time) in worlds.iter_mut().zip(works).zip(times) {
        work.end(m, d, time, &mut Quiet);
    }
}

/// The evaluations after the first. Each has the distance along the rates of the one before, the
/// weight, and the outputs, which may be seen in the middle ones.
#[inline(always)]
fn evaluations(seen: bool, last: Outputs) -> [(f64, f64, Outputs); 3] {
    let between = if seen { Outputs::Views } else { Outputs::Nothing };
    [(0.5, 1.0 / 3.0, between), (0.5, 1.0 / 3.0, between), (1.0, 1.0 / 6.0, last)]
}

impl IntegrateWork {
    /// Keeps the state, and the rates there.
    #[inline(always)]
    fn begin(&mut self, d: &Data) {
        save(&mut self.start, d);
        set_rates(&mut self.sum, d, 1.0 / 6.0);
    }

    /// Goes from the start along the rates of the present state.
    #[inline(always)]
    fn go(&mut self, m: &Model, d: &mut Data, along: f64, time: f64) {
        let (rate, h) = (&mut self.rate, m.opt.timestep);
        set_rates(rate, d, along);
        restore(&self.start, d);
        integrate_pos(m, &mut d.qpos, &rate.qvel, h);
        vector::add_scaled(&mut d.qvel, &rate.qacc, h);
        vector::add_scaled(&mut d.act, &rate.act_dot, h);
        d.time = time + along * h;
    }

    /// The step itself, along the weighted sum; `self` is back in its state then.
    #[inline(always)]
    fn end(self, m: &Model, d: &mut Data, time: f64, hooks: &mut (impl Hooks + ?Sized)) {
        restore(&self.start, d);
        d.time = time;
        scratch(d).integrate = self;
        advance(m, d, Along::Sum, hooks);
    }
}

/// How a state changes in a step.
#[derive(Clone, Copy)]
enum Along {
    /// With `qacc` of the scratch memory and the present rates of activation; positions move along
    /// the new velocity.
    Acceleration,
    /// Along the sum of rates that the scratch memory has.
    Sum,
}

/// Advances histories, activations, velocities, positions and time, and puts resting trees to
/// sleep.
#[doc(alias = "mj_advance")]
fn advance(m: &Model, d: &mut Data, along: Along, hooks: &mut (impl Hooks + ?Sized)) {
    if m.nhistory > 0 {
        record_ctrl(m, d);
        record_sensors(m, d);
    }
    if m.na > 0 {
        advance_activations(m, d, along);
    }
    if fall_asleep(m, d) > 0 {
        // quantities that depend on velocity keep their values at rest
        forward_skip_with(m, d, Stage::Pos, false, hooks);
        update_sleep(m, d);
    }
    let h = m.opt.timestep;
    for_dofs(
        m,
        d,
        #[inline(always)]
        |d, run| {
            let IntegrateWork { qacc, sum, .. } = &Work::of(&mut d.work).integrate;
            let qacc = if matches!(along, Along::Sum) { &sum.qacc } else { qacc };
            vector::add_scaled(d.qvel.rows_mut(run.clone()), &qacc[run], h);
        },
    );
    for_bodies(
        m,
        d,
        #[inline(always)]
        |d, run| {
            let Data { work, qpos, qvel, .. } = d;
            let sum = &Work::of(work).integrate.sum;
            let qvel: &[f64] = if matches!(along, Along::Sum) { &sum.qvel } else { qvel };
            integrate_joints(m, qpos, qvel, h, m.joint_range(run));
        },
    );
    if m.coulomb.enabled {
        coulomb::end(m, d);
    }
    if m.nplastic() > 0 {
        advance_plastic(m, d, along);
    }
    d.time += h;
    if m.nplugin > 0 {
        instances::advance(m, d);
    }
    vector::copy(&mut d.qacc_warmstart, &d.qacc);
}

/// Lets springs yield.
#[cold]
fn advance_plastic(m: &Model, d: &mut Data, along: Along) {
    if matches!(along, Along::Acceleration) {
        plastic::advance(m, d, None);
        return;
    }

    // other states have been evaluated since the start: lengths of tendons are those of the start
    let mut work = take(&mut scratch(d).integrate);
    let mut exchange =
        |d: &mut Data| d.qpos.iter_mut().zip(&mut work.start.qpos).for_each(|(x, y)| swap(x, y));
    exchange(d);
    kinematics(m, d);
    com_pos(m, d);
    tendon(m, d);
    exchange(d);
    plastic::advance(m, d, Some(&work.sum.qvel));
    scratch(d).integrate = work;
}

fn advance_activations(m: &Model, d: &mut Data, along: Along) {
    let IntegrateWork { act_dot, sum, .. } = &mut scratch(d).integrate;
    let mut act_dot = take(act_dot);
    vector::set_len(&mut act_dot, m.na);
    match along {
        Along::Sum => vector::copy(&mut act_dot, &sum.act_dot),
        Along::Acceleration => vector::copy(&mut act_dot, &d.act_dot),
    }
    advance_act(m, d, &act_dot);
    scratch(d).integrate.act_dot = act_dot;
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

fn set_rates(rates: &mut RateVectors, d: &Data, weight: f64) {
    let pairs: [(&mut Vec<f64>, &[f64]); 3] =
        [(&mut rates.qvel, &d.qvel), (&mut rates.qacc, &d.qacc), (&mut rates.act_dot, &d.act_dot)];
    for (rate, from) in pairs {
        vector::set_len(rate, from.len());
        // a sum that begins with zero has no negative zeros
        vector::combine(rate, [from], |[x]| 0.0 + x * weight);
    }
}

fn add_rates(to: &mut RateVectors, d: &Data, weight: f64) {
    vector::add_scaled(&mut to.qvel, &d.qvel, weight);
    vector::add_scaled(&mut to.qacc, &d.qacc, weight);
    vector::add_scaled(&mut to.act_dot, &d.act_dot, weight);
}
