//! Feasible lengths of actuators: given, taken from limits, or found by pulling both ways.

use core::fmt;

use sinew_math::scalar::exp;
use sinew_math::vector::norm;
use sinew_model::enums::{BiasType, DisableBit, GainType, LRMode, TrnType};
use sinew_model::ids::ActuatorId;
use sinew_model::{Data, Model};

use crate::forward::{step1, step2};
use crate::inertia::solve_m;
use crate::reset_data;

/// How lengths are found (`compiler/lengthrange`).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LengthRangeOptions {
    /// Which actuators need a range.
    pub mode: LRMode,
    /// Whether a range that is given stays.
    pub useexisting: bool,
    /// Whether limits of the joint or tendon are taken as they are.
    pub uselimit: bool,
    /// Acceleration with which is pulled.
    pub accel: f64,
    /// Most force, or 0.
    pub maxforce: f64,
    /// Time constant with which velocity dies out.
    pub timeconst: f64,
    /// Time step, or 0 for that of the model.
    pub timestep: f64,
    /// How long is pulled.
    pub inttotal: f64,
    /// The last part of that time, in which lengths are looked at.
    pub interval: f64,
    /// Most change in that part, relative to the range.
    pub tolrange: f64,
}

impl Default for LengthRangeOptions {
    fn default() -> Self {
        LengthRangeOptions {
            mode: LRMode::Muscle,
            useexisting: true,
            uselimit: false,
            accel: 20.0,
            maxforce: 0.0,
            timeconst: 1.0,
            timestep: 0.01,
            inttotal: 10.0,
            interval: 2.0,
            tolrange: 0.05,
        }
    }
}

/// Why no range was found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LengthRangeError {
    /// The state became bad while pulling.
    Unstable(ActuatorId),
    /// The two ends are not in order.
    Invalid(ActuatorId, [f64; 2]),
    /// The length still changed at the end.
    NotConverged(ActuatorId, [f64; 2], [f64; 2]),
    /// More steps would be needed than anybody can wait for.
    TooLong,
    /// Limits or equalities would hold the model, and constraint forces are not computed.
    NeedsConstraints(ActuatorId),
}

impl fmt::Display for LengthRangeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use LengthRangeError as E;
        match self {
            E::Unstable(u) => write!(f, "Unstable lengthrange simulation in actuator {}", u.idx()),
            E::Invalid(u, [lo, hi]) => {
                write!(f, "Invalid lengthrange ({lo}, {hi}) in actuator {}", u.idx())
            }
            E::NotConverged(u, [a, b], [lo, hi]) => write!(
                f,
                "Lengthrange computation did not converge in actuator {}:\n  \
                 eval ({a}, {b})\n  range ({lo}, {hi})",
                u.idx()
            ),
            E::TooLong => write!(f, "lengthrange simulation needs too many steps"),
            E::NeedsConstraints(u) => write!(
                f,
                "the lengthrange of actuator {} depends on limits or equality constraints, which \
                 are not simulated yet; set 'lengthrange' or <compiler><lengthrange uselimit>",
                u.idx()
            ),
        }
    }
}

impl core::error::Error for LengthRangeError {}

/// Most steps for all actuators together.
const MAX_STEPS: f64 = 1e7;

/// Sets `actuator_lengthrange` of all actuators that need it; returns what went wrong.
#[doc(alias = "mj_setLengthRange")]
pub fn set_length_ranges(m: &mut Model, opt: &LengthRangeOptions) -> Vec<LengthRangeError> {
    let mut errors = Vec::new();
    let wanting: Vec<ActuatorId> = m.actuators().filter(|&u| needs_range(m, u, opt)).collect();
    let mut pulled = Vec::new();
    for &u in &wanting {
        match range_of_limits(m, u).filter(|_| opt.uselimit) {
            Some(range) => m.actuator_lengthrange[u] = range,
            None => pulled.push(u),
        }
    }
    if pulled.is_empty() {
        return errors;
    }

    // pull in a world without friction, contacts, springs, dampers, gravity and actuation
    let saved = m.opt.clone();
    m.opt.disableflags = [
        DisableBit::Frictionloss,
        DisableBit::Contact,
        DisableBit::Spring,
        DisableBit::Damper,
        DisableBit::Gravity,
        DisableBit::Actuation,
    ]
    .iter()
    .fold(0, |flags, bit| flags | bit.0);
    if opt.timestep > 0.0 {
        m.opt.timestep = opt.timestep;
    }
    let steps = 2.0 * opt.inttotal / m.opt.timestep * pulled.len() as f64;
    // written so that a NaN is too long as well
    let short = steps <= MAX_STEPS;
    if short {
        let mut d = Data::new(m);
        for u in pulled {
            match pull_both_ways(m, &mut d, u, opt) {
                Ok(range) => m.actuator_lengthrange[u] = range,
                Err(error) => errors.push(error),
            }
        }
    } else {
        errors.push(LengthRangeError::TooLong);
    }
    m.opt = saved;
    errors
}

/// Whether a range is wanted and not given.
fn needs_range(m: &Model, u: ActuatorId, opt: &LengthRangeOptions) -> bool {
    let (gain, bias) = (m.actuator_gaintype[u], m.actuator_biastype[u]);
    let muscle = gain == GainType::Muscle || bias == BiasType::Muscle;
    let user = gain == GainType::User || bias == BiasType::User;
    let wanted = match opt.mode {
        LRMode::None => false,
        LRMode::Muscle => muscle,
        LRMode::Muscleuser => muscle || user,
        _ => true,
    };
    let [lo, hi] = m.actuator_lengthrange[u];
    wanted && !(opt.useexisting && lo < hi)
}

/// The limits of what an actuator acts on.
fn range_of_limits(m: &Model, u: ActuatorId) -> Option<[f64; 2]> {
    let target = usize::try_from(m.actuator_trnid[u][0]).ok()?;
    match m.actuator_trntype[u] {
        TrnType::Joint | TrnType::Jointinparent => {
            m.jnt_limited[target].get().then(|| m.jnt_range[target])
        }
        TrnType::Tendon => m.tendon_limited[target].get().then(|| m.tendon_range[target]),
        _ => None,
    }
}

/// Shortest and longest length reached from `qpos0`.
fn pull_both_ways(
    m: &Model,
    d: &mut Data,
    u: ActuatorId,
    opt: &LengthRangeOptions,
) -> Result<[f64; 2], LengthRangeError> {
    let held = m.jnt_limited.iter().chain(m.tendon_limited.iter()).any(|f| f.get());
    if held || m.eq_active0.iter().any(|f| f.get()) {
        return Err(LengthRangeError::NeedsConstraints(u));
    }

    let mut ends = [[0.0; 2]; 2];
    for (side, sign) in [(0, -1.0), (1, 1.0)] {
        reset_data(m, d);
        let mut seen: Option<[f64; 2]> = None;
        while d.time < opt.inttotal {
            let length = pull(m, d, u, sign, opt);
            if d.time == 0.0 {
                return Err(LengthRangeError::Unstable(u));
            }
            if d.time > opt.inttotal - opt.interval {
                let [lo, hi] = seen.unwrap_or([length; 2]);
                seen = Some([lo.min(length), hi.max(length)]);
            }
        }
        ends[side] = seen.unwrap_or_default();
    }

    let range = [ends[0][0], ends[1][1]];
    let width = range[1] - range[0];
    if width <= 0.0 {
        return Err(LengthRangeError::Invalid(u, range));
    }
    for end in ends {
        if end[1] - end[0] > opt.tolrange * width {
            return Err(LengthRangeError::NotConverged(u, end, range));
        }
    }
    Ok(range)
}

/// One step with a force along the actuator; the length before it.
fn pull(m: &Model, d: &mut Data, u: ActuatorId, sign: f64, opt: &LengthRangeOptions) -> f64 {
    let decay = exp(-m.opt.timestep / opt.timeconst.max(0.01));
    for v in d.qvel.iter_mut() {
        *v *= decay;
    }
    step1(m, d);

    // dense row of the moment
    let mut moment = vec![0.0; m.nv];
    let adr = d.moment_rowadr[u] as usize;
    for k in adr..adr + d.moment_rownnz[u] as usize {
        moment[d.moment_colind[k].idx()] = d.actuator_moment[k];
    }

    // force with the wanted acceleration
    let tiny = 1e-15;
    let mut acc = vec![0.0; m.nv];
    solve_m(m, d, &mut acc, &moment);
    let scale = sign * opt.accel / norm(&acc).max(tiny);
    for (f, x) in d.qfrc_applied.iter_mut().zip(&moment) {
        *f = x * scale;
    }
    let size = norm(&d.qfrc_applied);
    if opt.maxforce > 0.0 && size > opt.maxforce {
        let scale = opt.maxforce / size.max(tiny);
        d.qfrc_applied.iter_mut().for_each(|f| *f *= scale);
    }
    step2(m, d);
    d.actuator_length[u]
}
