//! Stages without user hooks. Each calls the function with the suffix `_with`, which documents its
//! reads and writes, with empty hooks.

use sinew_model::enums::Stage;
use sinew_model::{ActuatorId, Data, Model};

use crate::actuator::actuation::fwd_actuation_with;
use crate::collision::collision_with;
use crate::finite::{
    FiniteDifferenceError, InverseJacobians, Transition, inverse_fd_with, transition_fd_with,
};
use crate::passive::forces::passive_with;
use crate::sensor::{sensor_acc_with, sensor_pos_with, sensor_vel_with};
use crate::setup::length_range::{LengthRangeError, LengthRangeOptions, set_length_range_with};
use crate::step::advance::{step_with, step1_with, step2_with};
use crate::step::forward::{forward_skip_with, forward_with, fwd_position_with, fwd_velocity_with};
use crate::step::integrate::runge_kutta_with;
use crate::step::inverse::{InverseError, inv_position_with, inverse_skip_with, inverse_with};

/// One step: forward dynamics, then the integrator of the model.
#[doc(alias = "mj_step")]
pub fn step(m: &Model, d: &mut Data) {
    step_with(m, d, &mut ());
}

/// First half of a step: everything that depends on position and velocity.
#[doc(alias = "mj_step1")]
pub fn step1(m: &Model, d: &mut Data) {
    step1_with(m, d, &mut ());
}

/// Second half of a step, after the user has set controls: forces, acceleration, integration.
/// Runge-Kutta needs whole steps and is replaced by Euler.
#[doc(alias = "mj_step2")]
pub fn step2(m: &Model, d: &mut Data) {
    step2_with(m, d, &mut ());
}

/// Forward dynamics: from position, velocity and controls to acceleration.
#[doc(alias = "mj_forward")]
pub fn forward(m: &Model, d: &mut Data) {
    forward_with(m, d, &mut ());
}

/// Forward dynamics without the stages up to `skip`, with or without sensors.
#[doc(alias = "mj_forwardSkip")]
pub fn forward_skip(m: &Model, d: &mut Data, skip: Stage, skip_sensor: bool) {
    forward_skip_with(m, d, skip, skip_sensor, &mut ());
}

/// Stages that depend on position.
#[doc(alias = "mj_fwdPosition")]
pub fn fwd_position(m: &Model, d: &mut Data) {
    fwd_position_with(m, d, &mut ());
}

/// Contacts, sorted by the bodies in contact.
#[doc(alias = "mj_collision")]
pub fn collision(m: &Model, d: &mut Data) {
    collision_with(m, d, &mut ());
}

/// Stages that depend on velocity.
#[doc(alias = "mj_fwdVelocity")]
pub fn fwd_velocity(m: &Model, d: &mut Data) {
    fwd_velocity_with(m, d, &mut ());
}

/// All passive forces and their sum.
#[doc(alias = "mj_passive")]
pub fn passive(m: &Model, d: &mut Data) {
    passive_with(m, d, &mut ());
}

/// Actuator forces, their effect on the joints, and the rates of activations.
#[doc(alias = "mj_fwdActuation")]
pub fn fwd_actuation(m: &Model, d: &mut Data) {
    fwd_actuation_with(m, d, &mut ());
}

/// Sensors that depend on position.
#[doc(alias = "mj_sensorPos")]
pub fn sensor_pos(m: &Model, d: &mut Data) {
    sensor_pos_with(m, d, &mut ());
}

/// Sensors that depend on velocity.
#[doc(alias = "mj_sensorVel")]
pub fn sensor_vel(m: &Model, d: &mut Data) {
    sensor_vel_with(m, d, &mut ());
}

/// Sensors that depend on acceleration and forces.
#[doc(alias = "mj_sensorAcc")]
pub fn sensor_acc(m: &Model, d: &mut Data) {
    sensor_acc_with(m, d, &mut ());
}

/// One step of the classical Runge-Kutta method of fourth order.
#[doc(alias = "mj_RungeKutta")]
pub fn runge_kutta(m: &Model, d: &mut Data) {
    runge_kutta_with(m, d, &mut ());
}

/// Inverse dynamics: the force, beyond passive and constraint forces, that gives `qacc`.
///
/// ```
/// use sinew_model::{Data, Model};
/// let mut m = Model::default();
/// m.nbody = 1; // the world alone
/// m.allocate();
/// let mut d = Data::new(&m);
/// sinew_engine::inverse(&m, &mut d)?;
/// assert!(d.qfrc_inverse.is_empty());
/// # Ok::<(), sinew_engine::InverseError>(())
/// ```
#[doc(alias = "mj_inverse")]
pub fn inverse(m: &Model, d: &mut Data) -> Result<(), InverseError> {
    inverse_with(m, d, &mut ())
}

/// Inverse dynamics without the stages up to `skip`, with or without sensors.
#[doc(alias = "mj_inverseSkip")]
pub fn inverse_skip(
    m: &Model,
    d: &mut Data,
    skip: Stage,
    skip_sensor: bool,
) -> Result<(), InverseError> {
    inverse_skip_with(m, d, skip, skip_sensor, &mut ())
}

/// Stages that depend on position, without the preparations of the constraint solver.
#[doc(alias = "mj_invPosition")]
pub fn inv_position(m: &Model, d: &mut Data) {
    inv_position_with(m, d, &mut ());
}

/// Stages that depend on velocity, as in forward dynamics.
#[doc(alias = "mj_invVelocity")]
pub fn inv_velocity(m: &Model, d: &mut Data) {
    fwd_velocity_with(m, d, &mut ());
}

/// Derivatives of a step and its sensors by state and controls, with nudges of `eps` forward, or
/// also backward if `centered`.
///
/// ```
/// use sinew_engine::{Transition, transition_fd};
/// use sinew_model::{Data, Model};
/// let mut m = Model::default();
/// m.nbody = 1; // the world alone
/// m.allocate();
/// let mut d = Data::new(&m);
/// let n = 2 * m.nv + m.na;
/// let mut a = vec![0.0; n * n];
/// transition_fd(&m, &mut d, 1e-6, true, Transition { a: Some(&mut a), ..Default::default() })?;
/// # Ok::<(), sinew_engine::FiniteDifferenceError>(())
/// ```
#[doc(alias = "mjd_transitionFD")]
pub fn transition_fd(
    m: &Model,
    d: &mut Data,
    eps: f64,
    centered: bool,
    out: Transition<'_>,
) -> Result<(), FiniteDifferenceError> {
    transition_fd_with(m, d, eps, centered, out, &mut ())
}

/// Derivatives of inverse dynamics and its sensors by position, velocity and acceleration, with
/// forward differences of size `eps`. With `actuation`, the actuators' forces are subtracted from
/// the inverse force.
#[doc(alias = "mjd_inverseFD")]
pub fn inverse_fd(
    m: &Model,
    d: &mut Data,
    eps: f64,
    actuation: bool,
    out: InverseJacobians<'_>,
) -> Result<(), FiniteDifferenceError> {
    inverse_fd_with(m, d, eps, actuation, out, &mut ())
}

/// Sets the length range of an actuator, if the options request it.
#[doc(alias = "mj_setLengthRange")]
pub fn set_length_range(
    m: &mut Model,
    d: &mut Data,
    u: ActuatorId,
    opt: &LengthRangeOptions,
) -> Result<(), LengthRangeError> {
    set_length_range_with(m, d, u, opt, &mut ())
}
