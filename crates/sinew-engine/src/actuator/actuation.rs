//! Actuation: from controls and activations to actuator forces and joint forces.

use sinew_math::{MINVAL, Vec3, scalar, vector};
use sinew_model::enums::{
    BiasType, DisableBit, DynType, EnableBit, GainType, ObjType, PluginCapabilityBit, TrnType,
    Warning,
};
use sinew_model::later::{DYN_DCMOTOR, DYN_PID, GAIN_DCMOTOR, GAIN_PID, GAIN_SO3};
use sinew_model::{ActuatorId, Data, Model, TendonId};

use crate::actuator::history::read_ctrl;
use crate::actuator::muscle::{muscle_bias, muscle_dynamics, muscle_gain, muscle_gain_bias};
use crate::actuator::{dcmotor, pid, servo};
use crate::bad_numbers::first_bad;
use crate::hooks::{self, Hooks};
use crate::instances;
use crate::sleep::is_asleep;
use crate::work::scratch;

/// Actuator forces, their effect on the joints, and the rates of activations.
///
/// Reads `ctrl`, `act`, `history`, `actuator_length`, `actuator_velocity`, `actuator_moment`,
/// `qfrc_gravcomp`. Writes `actuator_force`, `qfrc_actuator`, `act_dot`.
pub fn fwd_actuation_with(m: &Model, d: &mut Data, hooks: &mut (impl Hooks + ?Sized)) {
    vector::zero(&mut d.actuator_force);
    vector::zero(&mut d.qfrc_actuator);
    if m.nu == 0 || m.opt.disabled(DisableBit::Actuation) {
        return;
    }

    // rates of activation
    let mut ctrl = core::mem::take(&mut scratch(d).actuation.ctrl);
    effective_ctrl(m, d, &mut ctrl);
    let may_sleep = m.opt.enabled(EnableBit::Sleep);
    let asleep = |d: &Data, u: ActuatorId| may_sleep && is_asleep(m, d, ObjType::Actuator, u.idx());
    if m.na > 0 {
        for u in m.actuators() {
            if asleep(d, u) {
                continue;
            }
            activation_rate(m, d, u, &ctrl, hooks);
        }
    }
    if m.nplugin > 0 {
        instances::act_dot(m, d);
    }

    // forces: the plain ones at once, those with hooks one by one
    if !plain_forces(m, d, &ctrl) {
        let own = |u: &ActuatorId| !is_plain(m, *u) && !is_of_plugin(m, *u);
        for u in m.actuators().filter(own).filter(|&u| !actuator_disabled(m, u)) {
            if asleep(d, u) {
                continue;
            }
            d.actuator_force[u] = user_force(m, d, u, &ctrl, hooks);
        }
    }
    scratch(d).actuation.ctrl = ctrl;
    if m.nplugin > 0 {
        instances::compute(m, d, PluginCapabilityBit::Actuator);
    }

    // limits of tendons and actuators, then the joints
    if m.ntendon > 0 {
        limit_tendon_force(m, d);
    }
    if m.later.is_some() {
        limit_later_forces(m, d);
        dcmotor::add_mechanical(m, d, |d, u| rests(m, d, u));
    } else {
        let limits = m.actuator_forcelimited.iter().zip(m.actuator_forcerange.iter());
        for (force, (limited, &[lo, hi])) in d.actuator_force.iter_mut().zip(limits) {
            if limited.get() {
                *force = scalar::clip(*force, lo, hi);
            }
        }
    }
    joint_force(m, d);
}

/// Whether an actuator's group is switched off.
#[doc(alias = "mj_actuatorDisabled")]
pub fn actuator_disabled(m: &Model, u: ActuatorId) -> bool {
    let group = m.actuator_group[u];
    (0..=30).contains(&group) && m.opt.disableactuator & (1 << group) != 0
}

/// The activation at address `adr` after one step at the rate `act_dot`, clamped to its range.
#[doc(alias = "mj_nextActivation")]
pub fn next_activation(m: &Model, d: &Data, u: ActuatorId, adr: usize, act_dot: f64) -> f64 {
    let act = if m.actuator_dyntype[u] == DynType::Filterexact {
        // the filter's own solution: act + (ctrl - act)(1 - exp(-h / tau))
        let tau = time_constant(m, u);
        d.act[adr] + act_dot * tau * (1.0 - scalar::exp(-m.opt.timestep / tau))
    } else if m.actuator_dyntype[u] == DYN_DCMOTOR {
        return dcmotor::next(m, d, u, adr, act_dot);
    } else {
        d.act[adr] + act_dot * m.opt.timestep
    };
    if !m.actuator_actlimited[u].get() {
        return act;
    }
    let [lo, hi] = m.actuator_actrange[u];
    scalar::clip(act, lo, hi)
}

/// Advances all activations by one step at the rates `act_dot`; disabled actuators stay.
pub fn advance_act(m: &Model, d: &mut Data, act_dot: &[f64]) {
    if m.na == 0 || m.opt.disabled(DisableBit::Actuation) {
        return;
    }
    for u in m.actuators() {
        let Ok(first) = usize::try_from(m.actuator_actadr[u]) else { continue };
        let off = actuator_disabled(m, u);
        for adr in first..first + m.actuator_actnum[u] as usize {
            let rate = if off { 0.0 } else { act_dot[adr] };
            d.act[adr] = next_activation(m, d, u, adr, rate);
        }
    }
    if m.later.is_some() {
        servo::anchor(m, d);
    }
}

/// Forces within their limits; a servo of orientations has a limit of its norm.
#[cold]
#[inline(never)]
fn limit_later_forces(m: &Model, d: &mut Data) {
    for u in m.actuators().filter(|&u| m.actuator_forcelimited[u].get()) {
        if m.actuator_gaintype[u] == GAIN_SO3 {
            servo::limit(m, d, u);
        } else {
            let [lo, hi] = m.actuator_forcerange[u];
            d.actuator_force[u] = scalar::clip(d.actuator_force[u], lo, hi);
        }
    }
}

/// Controls after delay and clamping; all zero if one of them is bad.
fn effective_ctrl(m: &Model, d: &mut Data, ctrl: &mut Vec<f64>) {
    vector::set_len(ctrl, m.nu);
    vector::copy(ctrl, &d.ctrl);
    if m.nhistory > 0 {
        delay_ctrl(m, d, ctrl);
    }
    if !m.opt.disabled(DisableBit::Clampctrl) {
        let limits = m.actuator_ctrllimited.iter().zip(m.actuator_ctrlrange.iter());
        for (ctrl, (limited, &[lo, hi])) in ctrl.iter_mut().zip(limits) {
            if limited.get() {
                *ctrl = scalar::clip(*ctrl, lo, hi);
            }
        }
    }
    if let Some(bad) = first_bad(ctrl) {
        d.warn(Warning::Badctrl, bad);
        ctrl.fill(0.0);
    }
}

/// Replaces the controls of actuators with a delay by their controls at that time before.
#[cold]
#[inline(never)]
fn delay_ctrl(m: &Model, d: &Data, ctrl: &mut [f64]) {
    for u in m.actuators().filter(|&u| m.actuator_delay[u] != 0.0) {
        ctrl[u.idx()] = read_ctrl(m, d, u, d.time, m.actuator_history[u][1]);
    }
}

/// Time constant of an activation filter.
fn time_constant(m: &Model, u: ActuatorId) -> f64 {
    let tau = m.actuator_dynprm[u][0];
    if MINVAL > tau { MINVAL } else { tau }
}

/// Writes the rate of an actuator's activation.
fn activation_rate(
    m: &Model,
    d: &mut Data,
    u: ActuatorId,
    ctrl: &[f64],
    hooks: &mut (impl Hooks + ?Sized),
) {
    let Ok(first) = usize::try_from(m.actuator_actadr[u]) else { return };
    let num = m.actuator_actnum[u] as usize;
    d.act_dot.flat_mut()[first..first + num].fill(0.0);
    if num == 0 {
        return;
    }

    // the last activation follows the dynamics; others rest
    let last = first + num - 1;
    let (act, all, ctrl) = (d.act[last], ctrl, ctrl[u.idx()]);
    let [p0, p1, p2, ..] = m.actuator_dynprm[u];
    d.act_dot[last] = match m.actuator_dyntype[u] {
        DynType::Integrator => ctrl,
        DynType::Filter | DynType::Filterexact => (ctrl - act) / time_constant(m, u),
        DynType::Muscle => muscle_dynamics(ctrl, act, [p0, p1, p2]),
        DYN_DCMOTOR => return dcmotor::put_rates(m, d, u, all),
        DYN_PID => return pid::put_rates(m, d, u, all),
        _ if num == 1 => hooks::call(hooks, "mjcb_act_dyn", |hooks| hooks.act_dyn(m, d, u)),
        _ => {
            hooks::call(hooks, "mjcb_act_dyn", |hooks| hooks.act_dyn(m, d, u));
            return;
        }
    };
}

/// Whether a plugin computes the force of an actuator.
#[inline]
fn is_of_plugin(m: &Model, u: ActuatorId) -> bool {
    m.nplugin > 0 && m.actuator_plugin[u].get().is_some()
}

/// Whether an actuator's gain and bias are the engine's own.
fn is_plain(m: &Model, u: ActuatorId) -> bool {
    let gain =
        matches!(m.actuator_gaintype[u], GainType::Fixed | GainType::Affine | GainType::Muscle);
    let bias =
        matches!(m.actuator_biastype[u], BiasType::None | BiasType::Affine | BiasType::Muscle);
    gain && bias
}

/// Forces of the actuators that need no hooks: gain * (control or activation) + bias. Whether these
/// are all.
fn plain_forces(m: &Model, d: &mut Data, ctrl: &[f64]) -> bool {
    let n = m.nu;
    let (gaintype, gainprm) = (m.actuator_gaintype.rows(0..n), m.actuator_gainprm.rows(0..n));
    let (biastype, biasprm) = (m.actuator_biastype.rows(0..n), m.actuator_biasprm.rows(0..n));
    let (actadr, ctrl) = (m.actuator_actadr.rows(0..n), &ctrl[..n]);
    let some_rest = m.opt.disableactuator != 0 || m.nplugin > 0 || m.opt.enabled(EnableBit::Sleep);
    let mut all = true;
    for u in 0..n {
        if some_rest && rests(m, d, ActuatorId::new(u)) {
            continue;
        }

        // the input: control or activation
        let (len, vel) = (d.actuator_length[u], d.actuator_velocity[u]);
        let drive = if actadr[u] < 0 { ctrl[u] } else { activation(m, d, ActuatorId::new(u)) };

        // gain and bias
        let affine = |p: &[f64; 10]| p[0] + p[1] * len + p[2] * vel;
        let gain = match gaintype[u] {
            GainType::Fixed => Some(gainprm[u][0]),
            GainType::Affine => Some(affine(&gainprm[u])),
            _ => None,
        };
        let bias = match biastype[u] {
            BiasType::None => Some(0.0),
            BiasType::Affine => Some(affine(&biasprm[u])),
            _ => None,
        };
        if let (Some(gain), Some(bias)) = (gain, bias) {
            d.actuator_force[u] = gain * drive + bias;
        } else if is_plain(m, ActuatorId::new(u)) {
            d.actuator_force[u] = muscle_force(m, d, ActuatorId::new(u), drive);
        } else {
            all = false;
        }
    }
    all
}

/// Whether an actuator is switched off, of a plugin, or asleep.
#[cold]
#[inline(never)]
fn rests(m: &Model, d: &Data, u: ActuatorId) -> bool {
    let may_sleep = m.opt.enabled(EnableBit::Sleep);
    actuator_disabled(m, u)
        || is_of_plugin(m, u)
        || may_sleep && is_asleep(m, d, ObjType::Actuator, u.idx())
}

/// Force of an actuator with the gain or the bias of a muscle.
// not inlined: few actuators are muscles
#[inline(never)]
fn muscle_force(m: &Model, d: &Data, u: ActuatorId, drive: f64) -> f64 {
    let (len, vel) = (d.actuator_length[u], d.actuator_velocity[u]);
    let (range, acc0) = (m.actuator_lengthrange[u], m.actuator_acc0[u]);
    let (gainprm, biasprm) = (&m.actuator_gainprm[u], &m.actuator_biasprm[u]);
    let affine = |p: &[f64; 10]| p[0] + p[1] * len + p[2] * vel;
    let [gain, bias] = match (m.actuator_gaintype[u], m.actuator_biastype[u]) {
        (GainType::Muscle, BiasType::Muscle) => {
            muscle_gain_bias(len, vel, range, acc0, [gainprm, biasprm])
        }
        (GainType::Muscle, bias) => {
            let bias = if bias == BiasType::None { 0.0 } else { affine(biasprm) };
            [muscle_gain(len, vel, range, acc0, gainprm), bias]
        }
        (gain, _) => {
            let gain = if gain == GainType::Fixed { gainprm[0] } else { affine(gainprm) };
            [gain, muscle_bias(len, range, acc0, biasprm)]
        }
    };
    gain * drive + bias
}

/// The activation that drives an actuator: the present one, or that after the step.
// not inlined, as `muscle_force`
#[inline(never)]
fn activation(m: &Model, d: &Data, u: ActuatorId) -> f64 {
    let last = (m.actuator_actadr[u] + m.actuator_actnum[u] - 1) as usize;
    if m.actuator_actearly[u].get() {
        next_activation(m, d, u, last, d.act_dot[last])
    } else {
        d.act[last]
    }
}

/// Force of an actuator whose gain or bias is the user's.
fn user_force(
    m: &Model,
    d: &mut Data,
    u: ActuatorId,
    ctrl: &[f64],
    hooks: &mut (impl Hooks + ?Sized),
) -> f64 {
    match m.actuator_gaintype[u] {
        GAIN_DCMOTOR => return dcmotor::force(m, d, u, ctrl),
        GAIN_PID => return pid::force(m, d, u, ctrl),
        GAIN_SO3 => return servo::force(m, d, u, ctrl),
        _ => {}
    }
    let (len, vel) = (d.actuator_length[u], d.actuator_velocity[u]);
    let affine = |p: &[f64; 10]| p[0] + p[1] * len + p[2] * vel;
    let (range, acc0) = (m.actuator_lengthrange[u], m.actuator_acc0[u]);

    // gain
    let prm = &m.actuator_gainprm[u];
    let gain = match m.actuator_gaintype[u] {
        GainType::Fixed => prm[0],
        GainType::Affine => affine(prm),
        GainType::Muscle => muscle_gain(len, vel, range, acc0, prm),
        _ => hooks::call(hooks, "mjcb_act_gain", |hooks| hooks.act_gain(m, d, u)),
    };

    // bias
    let drive = if m.actuator_actadr[u] < 0 { ctrl[u.idx()] } else { activation(m, d, u) };
    let prm = &m.actuator_biasprm[u];
    let bias = match m.actuator_biastype[u] {
        BiasType::None => 0.0,
        BiasType::Affine => affine(prm),
        BiasType::Muscle => muscle_bias(len, range, acc0, prm),
        _ => hooks::call(hooks, "mjcb_act_bias", |hooks| hooks.act_bias(m, d, u)),
    };
    gain * drive + bias
}

/// Scales the forces on a tendon whose sum is outside the tendon's range.
fn limit_tendon_force(m: &Model, d: &mut Data) {
    let on_limited = |u: ActuatorId| {
        let t = TendonId::new(m.actuator_trnid[u][0].max(0) as usize);
        (m.actuator_trntype[u] == TrnType::Tendon && m.tendon_actfrclimited[t].get()).then_some(t)
    };
    if !m.tendon_actfrclimited.iter().any(|limited| limited.get()) {
        return;
    }
    // MuJoCo looks for limited tendons among the actuators that it computes itself
    let seen = |u: ActuatorId| !is_of_plugin(m, u) && !actuator_disabled(m, u);
    if !m.actuators().any(|u| on_limited(u).is_some() && seen(u)) {
        return;
    }

    // sum on each tendon
    let mut total = core::mem::take(&mut scratch(d).actuation.tendon_force);
    total.clear();
    total.resize(m.ntendon, 0.0);
    for u in m.actuators() {
        if let Some(t) = on_limited(u) {
            total[t.idx()] += d.actuator_force[u];
        }
    }

    // scaled to the range
    for u in m.actuators() {
        let Some(t) = on_limited(u) else { continue };
        let [lo, hi] = m.tendon_actfrcrange[t];
        let sum = total[t.idx()];
        if sum < lo && sum != 0.0 {
            d.actuator_force[u] *= lo / sum;
        } else if sum > hi && sum != 0.0 {
            d.actuator_force[u] *= hi / sum;
        }
    }
    scratch(d).actuation.tendon_force = total;
}

/// momentᵀ force, plus gravity compensation by actuators, within the limits of the joints.
fn joint_force(m: &Model, d: &mut Data) {
    // momentᵀ force
    let Data { qfrc_actuator, actuator_force, actuator_moment, moment_colind, .. } = d;
    let (cols, moments) = (&**moment_colind, actuator_moment.flat());
    let rows = d.moment_rowadr.iter().zip(d.moment_rownnz.iter());
    for (&force, (&adr, &nnz)) in actuator_force.iter().zip(rows) {
        if force == 0.0 {
            continue;
        }
        let row = adr as usize..adr as usize + nnz as usize;
        for (&dof, x) in cols[row.clone()].iter().zip(&moments[row]) {
            qfrc_actuator[dof] += x * force;
        }
    }

    // gravity compensation
    let gravity = !m.opt.disabled(DisableBit::Gravity) && m.opt.gravity != Vec3::ZERO;
    if m.ngravcomp > 0 && gravity {
        for j in m.joints().filter(|&j| m.jnt_actgravcomp[j].get()) {
            for dof in m.jnt_dofs(j) {
                d.qfrc_actuator[dof] += d.qfrc_gravcomp[dof];
            }
        }
    }

    // limits of the joints
    for (j, _) in m.jnt_actfrclimited.iter().enumerate().filter(|(_, limited)| limited.get()) {
        let dof = m.jnt_dofadr[j];
        let [lo, hi] = m.jnt_actfrcrange[j];
        d.qfrc_actuator[dof] = scalar::clip(d.qfrc_actuator[dof], lo, hi);
    }
}
