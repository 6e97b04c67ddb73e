//! The pipeline's table of contents.

use sinew_model::enums::{DisableBit, EnableBit, Integrator, Stage, Timer};
use sinew_model::{Data, Model};

use crate::actuator::actuation::fwd_actuation_with;
use crate::actuator::transmission::{actuator_vel, transmission};
use crate::collision::collision_with;
use crate::constraint::{make_constraint, project_constraint, reference_constraint};
use crate::hooks::Hooks;
use crate::island::island;
use crate::passive::forces::passive_with;
use crate::sensor::sensors_of;
use crate::smooth::camlight::camlight;
use crate::smooth::com::{com_pos, com_vel};
use crate::smooth::energy::{energy_pos, energy_vel};
use crate::smooth::flex::{flex, flex_vel};
use crate::smooth::inertia::{factor_m, make_m, solve_ld};
use crate::smooth::jacobian::xfrc_accumulate;
use crate::smooth::kinematics::kinematics;
use crate::smooth::rne::rne;
use crate::solver::fwd_constraint;
use crate::step::check::{check_acc, check_pos, check_vel};
use crate::step::integrate::{
    euler, euler_skip, implicit, implicit_skip, runge_kutta, runge_kutta_with,
};
use crate::step::inverse::compare_fwd_inv;
use crate::tendon::path::{tendon, tendon_bias, tendon_vel};

/// One step: forward dynamics, then the integrator of the model.
#[doc(alias = "mj_step")]
pub fn step(m: &Model, d: &mut Data) {
    step_with(m, d, &mut ());
}

/// `step`, with the user's hooks.
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
    let begin = hooks.time();
    check_pos(m, d);
    check_vel(m, d);
    forward_skip_with(m, d, skip, skip_sensor, hooks);
    check_acc(m, d);
    compare_if_enabled(m, d);
    let start = hooks.time();
    match m.opt.integrator {
        Integrator::Rk4 => runge_kutta_with(m, d, hooks),
        Integrator::Implicit | Integrator::Implicitfast => implicit_skip(m, d, skip >= Stage::Vel),
        _ => euler_skip(m, d, skip >= Stage::Pos),
    }
    // Runge-Kutta is evaluations of `forward`, which are counted
    if m.opt.integrator != Integrator::Rk4 {
        tally(d, hooks, Timer::Advance, start);
    }
    tally(d, hooks, Timer::Step, begin);
}

/// Compares forward with inverse dynamics if the model asks for it. Where no inverse exists, for
/// discrete time with Runge-Kutta and for hard contacts, the comparison stays zero: a step has no error
/// to return.
fn compare_if_enabled(m: &Model, d: &mut Data) {
    if !m.opt.enabled(EnableBit::Fwdinv) {
        return;
    }
    if m.coulomb.enabled || compare_fwd_inv(m, d).is_err() {
        d.solver_fwdinv = [0.0; 2];
    }
}

/// Advances state and time from the accelerations of `forward`, with the integrator of the model.
pub fn advance(m: &Model, d: &mut Data) {
    match m.opt.integrator {
        Integrator::Rk4 => runge_kutta(m, d),
        Integrator::Implicit | Integrator::Implicitfast => implicit(m, d),
        _ => euler(m, d),
    }
}

/// First half of a step: everything that depends on position and velocity.
#[doc(alias = "mj_step1")]
pub fn step1(m: &Model, d: &mut Data) {
    step1_with(m, d, &mut ());
}

/// `step1`, with the user's hooks; the last of them is `control`.
pub fn step1_with(m: &Model, d: &mut Data, hooks: &mut (impl Hooks + ?Sized)) {
    let begin = hooks.time();
    check_pos(m, d);
    check_vel(m, d);
    position(m, d, false, hooks);
    velocity(m, d, false, hooks);
    hooks.control(m, d);
    tally(d, hooks, Timer::Step, begin);
}

/// Second half of a step, after the user has set controls: forces, acceleration, integration.
/// Runge-Kutta needs whole steps and is replaced by Euler.
#[doc(alias = "mj_step2")]
pub fn step2(m: &Model, d: &mut Data) {
    step2_with(m, d, &mut ());
}

/// `step2`, with the user's hooks.
pub fn step2_with(m: &Model, d: &mut Data, hooks: &mut (impl Hooks + ?Sized)) {
    let begin = hooks.time();
    forces(m, d, hooks);
    sensors_of(m, d, Stage::Acc, hooks);
    check_acc(m, d);
    compare_if_enabled(m, d);
    let start = hooks.time();
    match m.opt.integrator {
        Integrator::Implicit | Integrator::Implicitfast => implicit(m, d),
        _ => euler(m, d),
    }
    tally(d, hooks, Timer::Advance, start);

    // the first half has counted the step
    d.clock(Timer::Step, hooks.time() - begin, 0);
}

/// From controls to acceleration.
fn forces(m: &Model, d: &mut Data, hooks: &mut (impl Hooks + ?Sized)) {
    let start = hooks.time();
    fwd_actuation_with(m, d, hooks);
    tally(d, hooks, Timer::Actuation, start);
    fwd_acceleration(m, d);
    let start = hooks.time();
    fwd_constraint(m, d);
    tally(d, hooks, Timer::Constraint, start);
}

/// Forward dynamics: from position, velocity and controls to acceleration.
#[doc(alias = "mj_forward")]
pub fn forward(m: &Model, d: &mut Data) {
    forward_skip(m, d, Stage::None, false);
}

/// `forward`, with the user's hooks.
pub fn forward_with(m: &Model, d: &mut Data, hooks: &mut (impl Hooks + ?Sized)) {
    forward_skip_with(m, d, Stage::None, false, hooks);
}

/// Forward dynamics without the stages up to `skip`, with or without sensors.
#[doc(alias = "mj_forwardSkip")]
pub fn forward_skip(m: &Model, d: &mut Data, skip: Stage, skip_sensor: bool) {
    forward_skip_with(m, d, skip, skip_sensor, &mut ());
}

/// `forward_skip`, with the user's hooks.
pub fn forward_skip_with(
    m: &Model,
    d: &mut Data,
    skip: Stage,
    skip_sensor: bool,
    hooks: &mut (impl Hooks + ?Sized),
) {
    let begin = hooks.time();
    if skip < Stage::Pos {
        position(m, d, skip_sensor, hooks);
    }
    if skip < Stage::Vel {
        velocity(m, d, skip_sensor, hooks);
    }
    if !m.opt.disabled(DisableBit::Actuation) {
        hooks.control(m, d);
    }
    forces(m, d, hooks);
    if !skip_sensor {
        d.flg_rnepost = false;
        sensors_of(m, d, Stage::Acc, hooks);
    }
    tally(d, hooks, Timer::Forward, begin);
}

/// Frames: everything that is geometry alone.
#[doc(alias = "mj_fwdKinematics")]
pub fn fwd_kinematics(m: &Model, d: &mut Data) {
    kinematics(m, d);
    com_pos(m, d);
    camlight(m, d);
    flex(m, d);
    tendon(m, d);
}

/// What depends on position.
#[doc(alias = "mj_fwdPosition")]
pub fn fwd_position(m: &Model, d: &mut Data) {
    fwd_position_with(m, d, &mut ());
}

/// `fwd_position`, with the user's hooks.
pub fn fwd_position_with(m: &Model, d: &mut Data, hooks: &mut (impl Hooks + ?Sized)) {
    position_stages(m, d, true, hooks);
}

/// The stages that depend on position; islands and the inertia of rows only if a solver follows.
pub(crate) fn position_stages(
    m: &Model,
    d: &mut Data,
    for_solver: bool,
    hooks: &mut (impl Hooks + ?Sized),
) {
    let begin = hooks.time();
    d.flg_energypos = false;
    fwd_kinematics(m, d);
    tally(d, hooks, Timer::PosKinematics, begin);

    let start = hooks.time();
    make_m(m, d);
    factor_m(m, d);
    tally(d, hooks, Timer::PosInertia, start);

    collision_with(m, d, hooks);

    let start = hooks.time();
    make_constraint(m, d);
    if for_solver {
        island(m, d);
    }
    tally(d, hooks, Timer::PosMake, start);

    // the second part of a stage that is counted already
    let start = hooks.time();
    transmission(m, d);
    d.clock(Timer::PosKinematics, hooks.time() - start, 0);

    if for_solver {
        let start = hooks.time();
        project_constraint(m, d);
        tally(d, hooks, Timer::PosProject, start);
    }
    tally(d, hooks, Timer::Position, begin);
}

/// Counts a stage that began at `start` and has ended now.
pub(crate) fn tally(d: &mut Data, hooks: &mut (impl Hooks + ?Sized), timer: Timer, start: f64) {
    d.clock(timer, hooks.time() - start, 1);
}

/// What depends on velocity.
///
/// Writes `ten_velocity`, `actuator_velocity`, `cvel`, `cdof_dot`, the passive forces, `qfrc_bias`.
#[doc(alias = "mj_fwdVelocity")]
pub fn fwd_velocity(m: &Model, d: &mut Data) {
    fwd_velocity_with(m, d, &mut ());
}

/// `fwd_velocity`, with the user's hooks.
pub fn fwd_velocity_with(m: &Model, d: &mut Data, hooks: &mut (impl Hooks + ?Sized)) {
    let start = hooks.time();
    d.flg_subtreevel = false;
    d.flg_energyvel = false;
    flex_vel(m, d);
    tendon_vel(m, d);
    if m.opt.disabled(DisableBit::Actuation) {
        d.actuator_velocity.fill(0.0);
    } else {
        actuator_vel(m, d);
    }
    com_vel(m, d);
    passive_with(m, d, hooks);
    reference_constraint(m, d);
    let mut bias = d.work.take_dof(m.nv);
    rne(m, d, false, &mut bias);
    tendon_bias(m, d, &mut bias);
    d.qfrc_bias.copy_from_slice(&bias);
    d.work.dof = bias;
    tally(d, hooks, Timer::Velocity, start);
}

/// Sum of all forces but constraint forces, and the acceleration they give.
///
/// Reads `qfrc_passive`, `qfrc_bias`, `qfrc_applied`, `qfrc_actuator`, `xfrc_applied`, `qLD`,
/// `qLDiagInv`. Writes `qfrc_smooth`, `qacc_smooth`.
#[doc(alias = "mj_fwdAcceleration")]
pub fn fwd_acceleration(m: &Model, d: &mut Data) {
    let mut qfrc = core::mem::take(&mut d.work.dof);
    qfrc.resize(m.nv);
    let inner = d.qfrc_passive.iter().zip(d.qfrc_bias.iter());
    let outer = d.qfrc_applied.iter().zip(d.qfrc_actuator.iter());
    for (sum, ((passive, bias), (applied, actuator))) in qfrc.iter_mut().zip(inner.zip(outer)) {
        *sum = passive - bias + applied + actuator;
    }
    xfrc_accumulate(m, d, &mut qfrc);
    d.qfrc_smooth.copy_from_slice(&qfrc);
    d.qacc_smooth.copy_from_slice(&qfrc);
    d.work.dof = qfrc;
    solve_ld(m, &mut d.qacc_smooth, &d.qLD, &d.qLDiagInv);
}

/// Position stage with its sensors and energy, which a sensor may have computed already.
fn position(m: &Model, d: &mut Data, skip_sensor: bool, hooks: &mut (impl Hooks + ?Sized)) {
    fwd_position_with(m, d, hooks);
    if !skip_sensor {
        sensors_of(m, d, Stage::Pos, hooks);
    }
    if d.flg_energypos {
        return;
    }
    if m.opt.enabled(EnableBit::Energy) {
        energy_pos(m, d);
    } else {
        d.energy = [0.0; 2];
    }
}

/// Velocity stage with its sensors and energy, which a sensor may have computed already.
pub(crate) fn velocity(
    m: &Model,
    d: &mut Data,
    skip_sensor: bool,
    hooks: &mut (impl Hooks + ?Sized),
) {
    fwd_velocity_with(m, d, hooks);
    if !skip_sensor {
        sensors_of(m, d, Stage::Vel, hooks);
    }
    if m.opt.enabled(EnableBit::Energy) && !d.flg_energyvel {
        energy_vel(m, d);
    }
}
