//! Forces of actuators, and their activations.

use sinew_math::algebra::Vec3s;

use crate::history;
use crate::memory::Slice;
use crate::muscle;
use crate::real::Real;
use crate::rows::*;
use crate::tables::{Model, World};
use crate::team::Team;
use crate::transmission::{length, moments};

/// Which parts of an actuator are those of a muscle: bits.
pub mod part {
    /// The gain.
    pub const GAIN: u32 = 1;
    /// The bias.
    pub const BIAS: u32 = 2;
    /// The activation.
    pub const RATE: u32 = 4;
}

/// Moments, forces, derivatives of the forces by velocity, and rates of activations.
#[inline(always)]
pub(crate) fn actuators<R: Real, T: Team>(t: T, m: Model<'_, R>, w: World<'_, R>, contacts: usize) {
    let nu = m.nu() as usize;
    moments(t, m, w, contacts);
    t.par(nu, |u| force::<R, T>(m, w, u));

    // limits of all actuators of a tendon, then of each
    t.par(m.npull() as usize, |p| {
        let mut sum = R::ZERO;
        for i in m.pull_adr().at(p) as usize..m.pull_adr().at(p + 1) as usize {
            sum += w.act_force().at(m.pull_act().at(i) as usize);
        }
        let [lo, hi] = [m.pull_range().at(p), m.pull_range().at(m.npull() as usize + p)];
        let within = sum == R::ZERO || sum >= lo && sum <= hi;
        w.pull_scale().put(p, if within { R::ONE } else { sum.clip(lo, hi) / sum });
    });
    t.par(nu, |u| {
        let mut force = w.act_force().at(u);
        if m.npull() > 0 && m.act_pull().at(u) != NONE {
            force = force * w.pull_scale().at(m.act_pull().at(u) as usize);
        }
        let [lo, hi] = pair(m.act_forcerange(), nu, u);
        if force <= lo || force >= hi {
            w.act_slope().put(u, R::ZERO);
        }
        w.act_force().put(u, force.clip(lo, hi));
    });
}

/// The activation of an actuator that has one after a step at a rate.
#[inline(always)]
pub(crate) fn next_activation<R: Real>(m: Model<'_, R>, w: World<'_, R>, u: usize, rate: R) -> R {
    let [lo, hi] = pair(m.act_range(), m.nu() as usize, u);
    let act = w.act().at(m.act_act().at(u) as usize);
    (act + rate * m.act_time().at(u)).clip(lo, hi)
}

#[inline(always)]
fn pair<R: Real>(of: Slice<'_, R>, n: usize, u: usize) -> [R; 2] {
    [of.at(u), of.at(n + u)]
}

/// The force of an actuator before it is limited.
#[inline(always)]
fn force<R: Real, T: Team>(m: Model<'_, R>, w: World<'_, R>, u: usize) {
    let nu = m.nu() as usize;
    let (len, mut vel) = (length::<R, T>(m, w, u), R::ZERO);
    for e in m.act_adr().at(u) as usize..m.act_adr().at(u + 1) as usize {
        vel += w.moment().at(e) * w.qvel().at(m.act_dof().at(e) as usize);
    }

    // the input: the control, or an activation
    let [lo, hi] = pair(m.act_ctrlrange(), nu, u);
    let (raw, parts) = (w.ctrl().at(u), if T::FULL { m.act_muscle().at(u) } else { 0 });
    let ctrl = if T::FULL && m.delayed() != 0 { history::control(m, w, u) } else { raw };
    let (mut drive, mut raw) = (ctrl.clip(lo, hi), raw);
    let a = m.act_act().at(u);
    if a != NONE {
        let act = w.act().at(a as usize);
        let [by_ctrl, by_act] = pair(m.act_rate(), nu, u);
        let rate = if parts & part::RATE != 0 {
            muscle::rate(m, u, drive, act)
        } else {
            by_ctrl * drive + by_act * act
        };
        w.act_dot().put(a as usize, rate);
        drive = if m.act_early().at(u) != 0 { next_activation(m, w, u, rate) } else { act };
        raw = drive;
    }

    // gain and bias
    let affine = |p: Vec3s<R>| p.x + p.y * len + p.z * vel;
    let (by_drive, rest) = (get3(m.act_gain(), u), get3(m.act_bias(), u));
    let [gain, gain_slope] = if parts & part::GAIN != 0 {
        muscle::gain(m, u, len, vel)
    } else {
        [affine(by_drive), by_drive.z]
    };
    let [bias, bias_slope] = if parts & part::BIAS != 0 {
        [muscle::bias(m, u, len), R::ZERO]
    } else {
        [affine(rest), rest.z]
    };
    // MuJoCo's derivative is by the control before it is delayed and clamped
    w.act_slope().put(u, gain_slope * raw + bias_slope);
    w.act_force().put(u, gain * drive + bias);
}
