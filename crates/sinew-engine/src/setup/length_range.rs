//! Length ranges of actuators: from limits, or by pulling and pushing until the model stops.

use core::fmt;

use crate::step::reset::reset_data;
use sinew_math::{MINVAL, scalar, vector};
use sinew_model::enums::{BiasType, DisableBit, GainType, LRMode, TrnType};
use sinew_model::{ActuatorId, Data, JointId, Model, TendonId};

use crate::actuator::transmission::moment_row;
use crate::hooks::Hooks;
use crate::smooth::inertia::solve_ld;
use crate::step::advance::{step1_with, step2_with};

/// Options of the estimation.
#[doc(alias = "mjLROpt")]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LengthRangeOptions {
    /// Actuators to process.
    pub mode: LRMode,
    /// Keep a range that is already there.
    pub useexisting: bool,
    /// Use the limits of joints and tendons where there are any.
    pub uselimit: bool,
    /// Acceleration the pulling force should give.
    pub accel: f64,
    /// Largest force; 0 for no limit.
    pub maxforce: f64,
    /// Time constant by which velocities decay, at least 0.01 s.
    pub timeconst: f64,
    /// Time step; 0 for the model's.
    pub timestep: f64,
    /// Simulated time.
    pub inttotal: f64,
    /// Part of that time, at its end, in which lengths are looked at.
    pub interval: f64,
    /// How much the length may still move in that part, relative to the range.
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

/// Why an actuator has no length range.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LengthRangeError {
    /// The simulation diverged.
    Unstable(ActuatorId),
    /// The lengths found are no range.
    Invalid(ActuatorId, [f64; 2]),
    /// The length did not come to rest: its extremes at the end, and the range.
    NotConverged(ActuatorId, [f64; 2], [f64; 2]),
    /// More steps would be needed than anybody waits for.
    TooLong(ActuatorId),
}

impl LengthRangeError {
    /// The actuator without a range.
    pub fn actuator(&self) -> ActuatorId {
        use LengthRangeError as E;
        let (E::Unstable(u) | E::Invalid(u, _) | E::NotConverged(u, _, _) | E::TooLong(u)) = *self;
        u
    }
}

impl fmt::Display for LengthRangeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use LengthRangeError as E;
        let u = self.actuator().idx();
        match self {
            E::Unstable(_) => write!(f, "Unstable lengthrange simulation in actuator {u}"),
            E::Invalid(_, [lo, hi]) => {
                write!(f, "Invalid lengthrange ({lo}, {hi}) in actuator {u}")
            }
            E::NotConverged(_, [a, b], [lo, hi]) => write!(
                f,
                "Lengthrange computation did not converge in actuator {u}:\n  \
                 eval ({a}, {b})\n  range ({lo}, {hi})"
            ),
            E::TooLong(_) => {
                write!(f, "lengthrange simulation of actuator {u} needs too many steps")
            }
        }
    }
}

impl core::error::Error for LengthRangeError {}

/// Simulated steps, of all actuators together, beyond which the estimation refuses.
const MAX_STEPS: f64 = 1e7;

/// Sets the length ranges of all actuators that the options request, as the compiler does: without
/// contacts, dry friction, springs, dampers, gravity and actuation. Returns the reason of a
/// failure.
pub fn set_length_ranges(m: &mut Model, opt: &LengthRangeOptions) -> Vec<LengthRangeError> {
    let wanting: Vec<ActuatorId> = m.actuators().filter(|&u| needs_range(m, u, opt)).collect();
    if wanting.is_empty() {
        return Vec::new();
    }

    // options of the simulation
    let saved = m.opt;
    m.opt.disableflags = DisableBit::Frictionloss.0
        | DisableBit::Contact.0
        | DisableBit::Spring.0
        | DisableBit::Damper.0
        | DisableBit::Gravity.0
        | DisableBit::Actuation.0;
    if opt.timestep > 0.0 {
        m.opt.timestep = opt.timestep;
    }

    // ranges, one actuator after the other
    let simulated = wanting.iter().filter(|&&u| usable_limits(m, u, opt).is_none()).count();
    let failed = if too_long(m, opt, simulated) {
        wanting.into_iter().map(LengthRangeError::TooLong).collect()
    } else {
        let mut d = Data::new(m);
        wanting
            .iter()
            .filter_map(|&u| set_length_range_with(m, &mut d, u, opt, &mut ()).err())
            .collect()
    };
    m.opt = saved;
    failed
}

/// Sets the length range of an actuator, if the options request it. Leaves `d` in the last state of
/// the simulation.
pub fn set_length_range_with(
    m: &mut Model,
    d: &mut Data,
    u: ActuatorId,
    opt: &LengthRangeOptions,
    hooks: &mut (impl Hooks + ?Sized),
) -> Result<(), LengthRangeError> {
    if !needs_range(m, u, opt) {
        return Ok(());
    }
    if let Some(range) = usable_limits(m, u, opt) {
        m.actuator_lengthrange[u] = range;
        return Ok(());
    }

    // extremes at the end of pulling and of pushing
    let mut extremes = [[0.0; 2]; 2];
    for (side, extreme) in extremes.iter_mut().enumerate() {
        *extreme = extreme_lengths(m, d, Pull { u, push: side == 1, opt }, hooks)?;
    }

    // a range, and both its ends at rest
    let range = [extremes[0][0], extremes[1][1]];
    let size = range[1] - range[0];
    if size <= 0.0 || size.is_nan() {
        return Err(LengthRangeError::Invalid(u, range));
    }
    for eval in extremes {
        if eval[1] - eval[0] > opt.tolrange * size {
            return Err(LengthRangeError::NotConverged(u, eval, range));
        }
    }
    m.actuator_lengthrange[u] = range;
    Ok(())
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

/// Whether simulating `n` actuators in both directions takes too many steps.
fn too_long(m: &Model, opt: &LengthRangeOptions, n: usize) -> bool {
    let steps = 2.0 * n as f64 * opt.inttotal / m.opt.timestep;
    n > 0 && (steps > MAX_STEPS || steps.is_nan())
}

/// Range of the joint or tendon an actuator acts on, if limited and wanted.
fn usable_limits(m: &Model, u: ActuatorId, opt: &LengthRangeOptions) -> Option<[f64; 2]> {
    if !opt.uselimit {
        return None;
    }
    // MuJoCo 3.5.0 reads the target from `actuator_trnid[index]` although each actuator has two
    // entries there. So from the second actuator on the limits belong to another actuator's target.
    let k = u.idx();
    let id = usize::try_from(m.actuator_trnid[k / 2][k % 2]).ok()?;
    match m.actuator_trntype[u] {
        TrnType::Joint | TrnType::Jointinparent if id < m.njnt => {
            let j = JointId::new(id);
            m.jnt_limited[j].get().then(|| m.jnt_range[j])
        }
        TrnType::Tendon if id < m.ntendon => {
            let t = TendonId::new(id);
            m.tendon_limited[t].get().then(|| m.tendon_range[t])
        }
        _ => None,
    }
}

/// Which actuator is pulled or pushed, and how.
#[derive(Clone, Copy)]
struct Pull<'a> {
    u: ActuatorId,
    push: bool,
    opt: &'a LengthRangeOptions,
}

/// Simulates a constant pull (or push) and returns the shortest and longest length at the end.
fn extreme_lengths(
    m: &Model,
    d: &mut Data,
    pull: Pull<'_>,
    hooks: &mut (impl Hooks + ?Sized),
) -> Result<[f64; 2], LengthRangeError> {
    let Pull { u, opt, .. } = pull;
    if too_long(m, opt, 1) {
        return Err(LengthRangeError::TooLong(u));
    }
    reset_data(m, d);
    let mut moment = vec![0.0; m.nv];
    let mut found: Option<[f64; 2]> = None;
    while d.time < opt.inttotal {
        let before = d.time;
        let length = pull_step(m, d, pull, &mut moment, hooks);
        // time runs backwards only by a reset
        if d.time <= before {
            return Err(LengthRangeError::Unstable(u));
        }
        if d.time > opt.inttotal - opt.interval {
            let [lo, hi] = found.unwrap_or([length; 2]);
            let lo = if length < lo { length } else { lo };
            let hi = if length > hi { length } else { hi };
            found = Some([lo, hi]);
        }
    }
    Ok(found.unwrap_or([0.0; 2]))
}

/// One step under a force along the actuator's moment that gives the wanted acceleration, with
/// decaying velocity. Returns the length before the step.
fn pull_step(
    m: &Model,
    d: &mut Data,
    pull: Pull<'_>,
    moment: &mut [f64],
    hooks: &mut (impl Hooks + ?Sized),
) -> f64 {
    let Pull { u, push, opt } = pull;
    let slow = if 0.01 > opt.timeconst { 0.01 } else { opt.timeconst };
    let decay = scalar::exp(-m.opt.timestep / slow);
    d.qvel.iter_mut().for_each(|v| *v *= decay);
    step1_with(m, d, hooks);

    // force = ± accel moment / |M⁻¹ moment|
    moment.fill(0.0);
    let (ind, val) = moment_row(d, u);
    for (v, x) in ind.iter().zip(val) {
        moment[v.idx()] = *x;
    }
    let Data { qfrc_applied: force, qLD, qLDiagInv, .. } = d;
    force.copy_from_slice(moment);
    solve_ld(m, force, qLD, qLDiagInv);
    let above = |x: f64| if MINVAL > x { MINVAL } else { x };
    let sign = if push { 1.0 } else { -1.0 };
    let scale = sign * opt.accel / above(vector::norm(force));
    for (f, x) in force.iter_mut().zip(&*moment) {
        *f = x * scale;
    }
    let norm = vector::norm(force);
    if opt.maxforce > 0.0 && norm > opt.maxforce {
        force.iter_mut().for_each(|f| *f *= opt.maxforce / above(norm));
    }

    step2_with(m, d, hooks);
    d.actuator_length[u]
}
