//! A whole step, its two halves, and the choice of the integrator.

use sinew_model::enums::{EnableBit, Integrator, Stage, Timer};
use sinew_model::{Data, Model};

use crate::hooks::{self, Hooks};
use crate::sensor::sensors_of;
use crate::step::check::{check_acc, check_pos, check_vel};
use crate::step::forward::{Outputs, forces, forward_skip_with, position, velocity};
use crate::step::integrate::{euler_skip, implicit_skip, runge_kutta_with};
use crate::step::inverse::compare_fwd_inv;
use crate::timer::{timed, timed_from, timed_rest};

/// One step: forward dynamics, then the integrator of the model.
pub fn step_with(m: &Model, d: &mut Data, hooks: &mut (impl Hooks + ?Sized)) {
    step_skip_with(m, d, Stage::None, false, hooks);
}

/// One step without the stages up to `skip`, whose results and factors are taken as they are, with
/// or without sensors. Runge-Kutta evaluates all stages.
#[doc(alias = "mj_stepSkip")]
pub(crate) fn step_skip_with(
    m: &Model,
    d: &mut Data,
    skip: Stage,
    skip_sensor: bool,
    hooks: &mut (impl Hooks + ?Sized),
) {
    let start = hooks.time();
    check_pos(m, d);
    check_vel(m, d);
    forward_skip_with(m, d, skip, skip_sensor, hooks);
    check_acc(m, d);
    compare_if_enabled(m, d);
    let end = timed_integration(m, d, m.opt.integrator, skip, hooks);
    d.clock(Timer::Step, end - start, 1);
}

/// First half of a step: everything that depends on position and velocity. The last of the user's
/// hooks is `control`.
pub fn step1_with(m: &Model, d: &mut Data, hooks: &mut (impl Hooks + ?Sized)) {
    timed(d, hooks, Timer::Step, |d, hooks| {
        check_pos(m, d);
        check_vel(m, d);
        position(m, d, Outputs::Sensors, hooks);
        velocity(m, d, Outputs::Sensors, hooks);
        hooks::call(hooks, "mjcb_control", |hooks| hooks.control(m, d));
    });
}

/// Second half of a step, after the user has set controls: forces, acceleration, integration.
/// Runge-Kutta needs whole steps and is replaced by Euler.
pub fn step2_with(m: &Model, d: &mut Data, hooks: &mut (impl Hooks + ?Sized)) {
    let whole = m.opt.integrator == Integrator::Rk4;
    let integrator = if whole { Integrator::Euler } else { m.opt.integrator };

    // the first half has counted the step
    timed_rest(d, hooks, Timer::Step, |d, hooks| {
        forces(m, d, hooks);
        sensors_of(m, d, Stage::Acc, hooks);
        check_acc(m, d);
        compare_if_enabled(m, d);
        timed_integration(m, d, integrator, Stage::None, hooks);
    });
}

/// Advances state and time from the accelerations of `forward`, with the integrator of the model.
pub fn advance(m: &Model, d: &mut Data) {
    integrate(m, d, m.opt.integrator, Stage::None, &mut ());
}

/// Integration with its timer; returns the time when it ended. Runge-Kutta is evaluations of
/// `forward`, which are counted.
fn timed_integration(
    m: &Model,
    d: &mut Data,
    integrator: Integrator,
    skip: Stage,
    hooks: &mut (impl Hooks + ?Sized),
) -> f64 {
    if integrator == Integrator::Rk4 {
        integrate(m, d, integrator, skip, hooks);
        return hooks.time();
    }
    let start = hooks.time();
    let step = |d: &mut Data, hooks: &mut _| integrate(m, d, integrator, skip, hooks);
    timed_from(d, hooks, Timer::Advance, start, step).1
}

/// Advances with an integrator, whose factors are taken as they are if `skip` says so.
pub(super) fn integrate(
    m: &Model,
    d: &mut Data,
    integrator: Integrator,
    skip: Stage,
    hooks: &mut (impl Hooks + ?Sized),
) {
    match integrator {
        Integrator::Rk4 => runge_kutta_with(m, d, hooks),
        Integrator::Implicit | Integrator::Implicitfast => {
            implicit_skip(m, d, skip >= Stage::Vel, hooks)
        }
        _ => euler_skip(m, d, skip >= Stage::Pos, hooks),
    }
}

/// Compares forward with inverse dynamics if the model enables it. Where no inverse exists, for
/// discrete time with Runge-Kutta and for hard contacts, the comparison stays zero: a step has no
/// error to return.
pub(super) fn compare_if_enabled(m: &Model, d: &mut Data) {
    if !m.opt.enabled(EnableBit::Fwdinv) {
        return;
    }
    if m.coulomb.enabled || compare_fwd_inv(m, d).is_err() {
        d.solver_fwdinv = [0.0; 2];
    }
}
