//! Controllers of position and velocity: `<pid>`, which came with MuJoCo 3.12.
//!
//! With the length l, the velocity v and up to three controls the force is
//! kp (u_pos - l) + kv (u_vel - v) + ki z + u_ff. A control that is absent is zero. Activations are
//! the setpoint, if its rate is limited, and the integral z of u_pos - l, if ki is not zero.

use sinew_math::{Vec3, scalar};
use sinew_model::enums::{JointType, TrnType};
use sinew_model::later::{INPUT_FF, INPUT_POS, INPUT_VEL, INPUT_VOLTAGE};
use sinew_model::{ActuatorId, Data, JointId, Model};

/// The controls of an actuator as position, velocity, force and voltage; zero where one is absent.
pub(super) fn unpack(m: &Model, u: ActuatorId, ctrl: &[f64]) -> [f64; 4] {
    let spec = m.actuator_inputs(u);
    let mut present = ctrl[m.actuator_rows(u)].iter();
    [INPUT_POS, INPUT_VEL, INPUT_FF, INPUT_VOLTAGE].map(|bit| match spec & bit {
        0 => 0.0,
        _ => present.next().copied().unwrap_or(0.0),
    })
}

/// The activation that drives an actuator: the present one, or that after the step.
pub(super) fn drive(m: &Model, d: &Data, u: ActuatorId, adr: usize) -> f64 {
    if !m.actuator_actearly[u].get() {
        return d.act[adr];
    }
    let next = d.act[adr] + d.act_dot[adr] * m.opt.timestep;
    let [lo, hi] = m.actuator_actrange[u];
    if m.actuator_actlimited[u].get() { scalar::clip(next, lo, hi) } else { next }
}

/// Length of a full turn where an actuator turns about all axes; else nothing.
fn period(m: &Model, u: ActuatorId) -> Option<f64> {
    let gear = &m.actuator_gear[u];
    let (slide, spin) = (Vec3::from_slice(gear), Vec3::from_slice(&gear[3..]));
    let [target, reference] = m.actuator_trnid[u];
    let axis = match m.actuator_trntype[u] {
        TrnType::Site if reference >= 0 && slide == Vec3::ZERO => spin,
        TrnType::Joint | TrnType::Jointinparent => {
            let ball = m.jnt_type[JointId::new(target as usize)] == JointType::Ball;
            ball.then_some(slide)?
        }
        _ => return None,
    };
    let period = 2.0 * core::f64::consts::PI * axis.norm();
    (period > 0.0).then_some(period)
}

/// The angle next to `goal` among those that `angle` stands for.
fn nearest(angle: f64, goal: f64, period: Option<f64>) -> f64 {
    match period {
        Some(period) => angle - period * ((angle - goal) / period).round(),
        None => angle,
    }
}

/// Address of the integral, if there is one.
fn integral(m: &Model, u: ActuatorId) -> Option<usize> {
    let last = m.actuator_actadr[u] + m.actuator_actnum[u] - 1;
    let here = m.actuator_actnum[u] > 0 && m.actuator_gainprm[u][0] > 0.0;
    here.then_some(last as usize)
}

/// The target position, after the limit of its rate.
fn setpoint(m: &Model, d: &Data, u: ActuatorId, asked: f64) -> f64 {
    let rate = m.actuator_dynprm[u][1];
    if m.actuator_actnum[u] == 0 || rate <= 0.0 {
        return asked;
    }
    let before = d.act[m.actuator_actadr[u] as usize];
    let most = rate * m.opt.timestep;
    scalar::clip(nearest(asked, before, period(m, u)), before - most, before + most)
}

/// Writes the rates of the activations of a controller.
#[cold]
#[inline(never)]
pub(super) fn put_rates(m: &Model, d: &mut Data, u: ActuatorId, ctrl: &[f64]) {
    if !m.is_pid(u) || m.actuator_actnum[u] == 0 {
        return;
    }
    let [most, rate, ..] = m.actuator_dynprm[u];
    let goal = setpoint(m, d, u, unpack(m, u, ctrl)[0]);
    if rate > 0.0 {
        let adr = m.actuator_actadr[u] as usize;
        d.act_dot[adr] = (goal - d.act[adr]) / m.opt.timestep;
    }
    if let Some(adr) = integral(m, u) {
        // on a circle the error is at most half a turn
        let error = nearest(goal - d.actuator_length[u], 0.0, period(m, u));
        d.act_dot[adr] = match d.act[adr] {
            sum if most > 0.0 && sum >= most => error.min(0.0),
            sum if most > 0.0 && sum <= -most => error.max(0.0),
            _ => error,
        };
    }
}

/// Force of a controller, before its limits.
#[cold]
#[inline(never)]
pub(super) fn force(m: &Model, d: &Data, u: ActuatorId, ctrl: &[f64]) -> f64 {
    if !m.is_pid(u) {
        return 0.0;
    }
    let (length, velocity) = (d.actuator_length[u], d.actuator_velocity[u]);
    let [constant, kp, kv, ..] = m.actuator_biasprm[u];
    let [pos, vel, ff, _] = unpack(m, u, ctrl);
    let goal = nearest(setpoint(m, d, u, pos), length, period(m, u));

    // controls, then the integral and the feedback
    let mut force = -kp * goal - kv * vel + ff;
    if let Some(adr) = integral(m, u) {
        force += m.actuator_gainprm[u][0] * drive(m, d, u, adr);
    }
    force + (constant + kp * length + kv * velocity)
}
