//! Derivatives of actuator forces and of activations.
//!
//! An actuator has a force s(drive, l, w) with the velocity w = J q̇. The actuator adds Jᵀ s to the
//! forces on the dofs, and by position Jᵀ (s_l dl + s_w dw) + dJᵀ s.

use sinew_math::{Quat, Spatial, Vec3, scalar};
use sinew_model::enums::{BiasType, DisableBit, DynType, GainType, JointType, TrnType};
use sinew_model::{ActuatorId, BodyId, Data, DofId, JointId, Model, SiteId, TendonId};

use super::arm::{Arm, ArmScratch, set_site, set_slider_crank};
use super::mat6::Mat6;
use super::muscle::{Gain, muscle_bias_slope, muscle_gain_slopes, muscle_rate_slopes};
use super::residual::Residual;
use super::rotation::right_jacobian_inverse;
use super::tree::Wrenches;
use super::twist::Twists;
use crate::actuator::actuation::{actuator_disabled, next_activation};
use crate::actuator::muscle::muscle_bias;
use crate::actuator::transmission::moment_row;
use crate::sparse::SparseRow;

/// Slopes of the force of an actuator.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ForceSlopes {
    /// By the input: control or activation.
    pub(super) drive: f64,
    pub(super) length: f64,
    pub(super) velocity: f64,
    /// The slope by velocity that implicit integrators take.
    pub(super) implicit: f64,
    /// Of that slope, by the input.
    pub(super) mixed: f64,
    /// Of that slope, by length and by velocity.
    pub(super) curve: [f64; 2],
    /// Whether the force is at a limit.
    pub(super) limited: bool,
}

/// The slopes of an actuator's input, by the numbers it depends on.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct DriveSlopes {
    /// By its activation, and where that is.
    pub(super) act: Option<(usize, f64)>,
    pub(super) ctrl: f64,
}

/// An activation after the step, or its rate, by itself and by the control of its actuator.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ActivationSlopes {
    pub(super) act: f64,
    pub(super) ctrl: f64,
    /// The actuator, if it has dynamics of its own.
    pub(super) actuator: usize,
}

/// Scratch: which dofs have their actuator force at a limit.
#[derive(Debug, Default)]
pub(super) struct ActuatorWork {
    pub(super) at_limit: Vec<bool>,
    pub(super) activations: Vec<ActivationSlopes>,
    /// The rates of the activations.
    pub(super) rates: Vec<ActivationSlopes>,
    moments: Moments,
    /// Change of the length and the velocity of an actuator by the position of each dof it moves.
    changes: Vec<[f64; 2]>,
    /// The actuators on which a force depends, and how much.
    sources: Vec<(ActuatorId, f64)>,
}

/// The dofs that an actuator moves and its moment arm on each.
#[derive(Debug, Default)]
pub(super) struct Moments {
    pub(super) row: SparseRow,
    /// The same with its changes, if it turns.
    pub(super) arm: Arm,
    scratch: ArmScratch,
}

impl Moments {
    /// Takes the dofs of an actuator, also dofs on which its arm is zero here.
    pub(super) fn set(&mut self, m: &Model, d: &Data, tendons: &[Arm], u: ActuatorId) {
        let Moments { row, arm, scratch } = self;
        row.clear();
        arm.clear();
        match m.actuator_trntype[u] {
            TrnType::Site if is_wrench(m, u) => {
                let (body, wrench) = site_wrench(m, d, u);
                for v in m.body_chain(body) {
                    row.push(v, d.cdof[v].dot(wrench));
                }
                row.reverse();
                return;
            }
            TrnType::Site => set_site(m, d, u, scratch, arm),
            TrnType::Slidercrank => set_slider_crank(m, d, u, scratch, arm),
            TrnType::Tendon => {
                let tendon = &tendons[m.actuator_trnid[u][0].max(0) as usize];
                if tendon.turns {
                    arm.set_scaled(tendon, m.actuator_gear[u][0]);
                }
            }
            _ => {}
        }
        if arm.turns {
            row.ind.extend_from_slice(&arm.dofs);
            row.val.extend_from_slice(&arm.values);
        } else {
            let (dofs, moments) = moment_row(d, u);
            row.ind.extend_from_slice(dofs);
            row.val.extend_from_slice(moments);
        }
    }
}

/// Whether an actuator is a wrench on the body of a site, which goes through the recursion of the
/// trees. Limits on joints need the wrench's arms.
pub(super) fn is_wrench(m: &Model, u: ActuatorId) -> bool {
    m.actuator_trntype[u] == TrnType::Site
        && m.actuator_trnid[u][1] < 0
        && !m.jnt_actfrclimited.iter().any(|limited| limited.get())
}

/// Adds the derivatives of all actuators. `twists` are the twists at the velocity.
pub(super) fn add_actuators(
    m: &Model,
    d: &Data,
    (twists, tendons): (&Twists, &[Arm]),
    work: &mut ActuatorWork,
    residual: &mut Residual,
    wrenches: &mut Wrenches,
) {
    activations(m, d, work);
    if m.nu == 0 || m.opt.disabled(DisableBit::Actuation) {
        return;
    }
    find_limits(m, d, &mut work.at_limit);
    for u in m.actuators().filter(|&u| !actuator_disabled(m, u)) {
        find_slopes(m, d, (twists, tendons), u, work);
        let force = d.actuator_force[u];
        if is_wrench(m, u) {
            let (body, wrench) = site_wrench(m, d, u);
            wrenches.add(body, wrench * force, &Mat6::carried(wrench * force));
        } else {
            add_turning_moment(m, d, u, force, residual.pos());
            let ActuatorWork { moments, at_limit, .. } = &*work;
            moments.arm.add_force_change(-force, m.nv, residual.pos(), |w| !at_limit[w]);
        }
        let own = force_slopes(m, d, u);
        if own.limited {
            continue;
        }
        set_sources(m, d, u, &mut work.sources);
        for k in 0..work.sources.len() {
            let (source, share) = work.sources[k];
            let slopes = if source == u { own } else { force_slopes(m, d, source) };
            add_source(m, d, u, (source, share, slopes), work, residual);
        }
    }
}

/// Adds the change of an actuator's force with the state of the actuator `source`, which has the
/// same arm up to a factor.
fn add_source(
    m: &Model,
    d: &Data,
    u: ActuatorId,
    (source, share, slopes): (ActuatorId, f64, ForceSlopes),
    work: &ActuatorWork,
    residual: &mut Residual,
) {
    let drive = drive_slopes(m, d, source);
    let ActuatorWork { moments: Moments { row, .. }, changes, at_limit, .. } = work;
    let ratio = if source == u { 1.0 } else { m.actuator_gear[source][0] / m.actuator_gear[u][0] };
    for (&w, &moment) in row.ind.iter().zip(&row.val) {
        if at_limit[w.idx()] {
            continue;
        }
        let moment = moment * share;
        residual.by_ctrl(source.idx())[w.idx()] -= moment * slopes.drive * drive.ctrl;
        if let Some((act, by_act)) = drive.act {
            residual.by_act(act)[w.idx()] -= moment * slopes.drive * by_act;
        }
        let inputs = row.ind.iter().zip(&row.val).zip(changes);
        for ((&v, &rate), &[length, velocity]) in inputs {
            let change = slopes.length * length + slopes.velocity * velocity;
            residual.by_pos(v.idx())[w.idx()] -= moment * ratio * change;
            residual.by_vel(v.idx())[w.idx()] -= moment * ratio * slopes.velocity * rate;
        }
    }
}

/// Lists the actuators on which the force of an actuator depends: itself, or all of the tendon
/// where their sum is cut. Then F_u' = F_u limit / Σ F.
pub(super) fn set_sources(
    m: &Model,
    d: &Data,
    u: ActuatorId,
    sources: &mut Vec<(ActuatorId, f64)>,
) {
    sources.clear();
    let on = |u: ActuatorId| {
        let t = TendonId::new(m.actuator_trnid[u][0].max(0) as usize);
        (m.actuator_trntype[u] == TrnType::Tendon && m.tendon_actfrclimited[t].get()).then_some(t)
    };
    let alive = |k: &ActuatorId| !actuator_disabled(m, *k);
    let Some(t) = on(u) else { return sources.push((u, 1.0)) };
    let others = || m.actuators().filter(|&k| on(k) == Some(t)).filter(alive);
    let sum = others().fold(0.0, |sum, k| sum + raw_force(m, d, k));
    let [lo, hi] = m.tendon_actfrcrange[t];
    if sum == 0.0 || (lo..=hi).contains(&sum) {
        return sources.push((u, 1.0));
    }
    let limit = if sum < lo { lo } else { hi };
    let through_sum = -raw_force(m, d, u) * limit / (sum * sum);
    sources.extend(others().map(|k| (k, through_sum + if k == u { limit / sum } else { 0.0 })));
}

/// The dofs that an actuator may move with its arms, and the changes of its length and velocity by
/// their positions. `twists` are the twists at the velocity.
pub(super) fn find_slopes<'a>(
    m: &Model,
    d: &Data,
    (twists, tendons): (&Twists, &[Arm]),
    u: ActuatorId,
    work: &'a mut ActuatorWork,
) -> (&'a SparseRow, &'a [[f64; 2]]) {
    work.moments.set(m, d, tendons, u);
    set_changes(m, d, twists, u, work);
    (&work.moments.row, &work.changes)
}

/// The activations after the step.
fn activations(m: &Model, d: &Data, work: &mut ActuatorWork) {
    let ActuatorWork { activations, rates, .. } = work;
    activations.clear();
    activations.resize(m.na, ActivationSlopes { act: 1.0, ..Default::default() });
    rates.clear();
    rates.resize(m.na, ActivationSlopes::default());
    if m.opt.disabled(DisableBit::Actuation) {
        return;
    }
    for u in m.actuators() {
        let Ok(first) = usize::try_from(m.actuator_actadr[u]) else { continue };
        let last = first + m.actuator_actnum[u].max(1) as usize - 1;
        let rate = rate_slopes(m, d, u, last);
        let [act, ctrl] = if actuator_disabled(m, u) {
            [1.0, 0.0]
        } else {
            next_activation_slopes(m, d, u, (last, rate))
        };
        activations[last] = ActivationSlopes { act, ctrl, actuator: u.idx() };
        let [act, ctrl] = [rate[0], rate[1] * ctrl_slope(m, d, u)];
        rates[last] = ActivationSlopes { act, ctrl, actuator: u.idx() };
    }
}

/// The activation at place `k` after a Runge-Kutta step from `start` at the mean rate `rate`, by
/// both.
pub(super) fn last_slopes(m: &Model, k: usize, start: f64, rate: f64) -> [f64; 2] {
    if m.opt.disabled(DisableBit::Actuation) {
        return [1.0, 0.0];
    }
    let owner = m.actuators().find(|&u| {
        let Ok(first) = usize::try_from(m.actuator_actadr[u]) else { return false };
        (first..first + m.actuator_actnum[u].max(0) as usize).contains(&k)
    });
    let Some(u) = owner.filter(|&u| !actuator_disabled(m, u)) else { return [1.0, 0.0] };
    let span = step_span(m, u);
    if is_cut(m, u, start + rate * span) { [0.0; 2] } else { [1.0, span] }
}

/// The change of an activation in a step per unit of its rate.
fn step_span(m: &Model, u: ActuatorId) -> f64 {
    let h = m.opt.timestep;
    if m.actuator_dyntype[u] == DynType::Filterexact {
        let tau = time_constant(m, u);
        tau * (1.0 - scalar::exp(-h / tau))
    } else {
        h
    }
}

/// Whether an activation is cut to its range.
fn is_cut(m: &Model, u: ActuatorId, act: f64) -> bool {
    let [lo, hi] = m.actuator_actrange[u];
    m.actuator_actlimited[u].get() && (act < lo || act > hi)
}

/// The activation after the step, by itself and by the control, given the slopes of its rate.
fn next_activation_slopes(
    m: &Model,
    d: &Data,
    u: ActuatorId,
    (last, [act, ctrl]): (usize, [f64; 2]),
) -> [f64; 2] {
    let span = step_span(m, u);
    if is_cut(m, u, d.act[last] + d.act_dot[last] * span) {
        return [0.0; 2];
    }
    [1.0 + act * span, ctrl * span * ctrl_slope(m, d, u)]
}

/// The rate of an activation, by itself and by the control.
fn rate_slopes(m: &Model, d: &Data, u: ActuatorId, last: usize) -> [f64; 2] {
    match m.actuator_dyntype[u] {
        DynType::Integrator => [0.0, 1.0],
        DynType::Muscle => {
            let [p0, p1, p2, ..] = m.actuator_dynprm[u];
            muscle_rate_slopes(clamped_ctrl(m, d, u), d.act[last], [p0, p1, p2])
        }
        _ => [-1.0 / time_constant(m, u), 1.0 / time_constant(m, u)],
    }
}

fn time_constant(m: &Model, u: ActuatorId) -> f64 {
    m.actuator_dynprm[u][0].max(sinew_math::MINVAL)
}

/// The control after clamping, by the control.
fn ctrl_slope(m: &Model, d: &Data, u: ActuatorId) -> f64 {
    let [lo, hi] = m.actuator_ctrlrange[u];
    let clamped = !m.opt.disabled(DisableBit::Clampctrl) && m.actuator_ctrllimited[u].get();
    if clamped && (d.ctrl[u] < lo || d.ctrl[u] > hi) { 0.0 } else { 1.0 }
}

/// The control after clamping.
fn clamped_ctrl(m: &Model, d: &Data, u: ActuatorId) -> f64 {
    let [lo, hi] = m.actuator_ctrlrange[u];
    let clamped = !m.opt.disabled(DisableBit::Clampctrl) && m.actuator_ctrllimited[u].get();
    if clamped { scalar::clip(d.ctrl[u], lo, hi) } else { d.ctrl[u] }
}

pub(super) fn drive_slopes(m: &Model, d: &Data, u: ActuatorId) -> DriveSlopes {
    let Ok(first) = usize::try_from(m.actuator_actadr[u]) else {
        return DriveSlopes { act: None, ctrl: ctrl_slope(m, d, u) };
    };
    let last = first + m.actuator_actnum[u].max(1) as usize - 1;
    if m.actuator_actearly[u].get() {
        let rate = rate_slopes(m, d, u, last);
        let [act, ctrl] = next_activation_slopes(m, d, u, (last, rate));
        DriveSlopes { act: Some((last, act)), ctrl }
    } else {
        DriveSlopes { act: Some((last, 1.0)), ctrl: 0.0 }
    }
}

/// The input of an actuator.
pub(super) fn drive(m: &Model, d: &Data, u: ActuatorId) -> f64 {
    let Ok(first) = usize::try_from(m.actuator_actadr[u]) else {
        return clamped_ctrl(m, d, u);
    };
    let last = first + m.actuator_actnum[u].max(1) as usize - 1;
    if m.actuator_actearly[u].get() {
        next_activation(m, d, u, last, d.act_dot[last])
    } else {
        d.act[last]
    }
}

/// The gain with its slopes.
fn gain_slopes(m: &Model, d: &Data, u: ActuatorId) -> Gain {
    let (len, vel) = (d.actuator_length[u], d.actuator_velocity[u]);
    let prm = &m.actuator_gainprm[u];
    match m.actuator_gaintype[u] {
        GainType::Affine => Gain {
            value: prm[0] + prm[1] * len + prm[2] * vel,
            by_length: prm[1],
            by_velocity: prm[2],
            curve: [0.0; 2],
        },
        GainType::Muscle => {
            let (range, acc0) = (m.actuator_lengthrange[u], m.actuator_acc0[u]);
            muscle_gain_slopes([len, vel], range, acc0, prm)
        }
        _ => Gain { value: prm[0], ..Gain::default() },
    }
}

/// The bias with its slopes by length and velocity.
fn bias_slopes(m: &Model, d: &Data, u: ActuatorId) -> [f64; 3] {
    let (len, vel) = (d.actuator_length[u], d.actuator_velocity[u]);
    let prm = &m.actuator_biasprm[u];
    match m.actuator_biastype[u] {
        BiasType::Affine => [prm[0] + prm[1] * len + prm[2] * vel, prm[1], prm[2]],
        BiasType::Muscle => {
            let (range, acc0) = (m.actuator_lengthrange[u], m.actuator_acc0[u]);
            let slope = muscle_bias_slope(len, range, acc0, prm);
            [muscle_bias(len, range, acc0, prm), slope, 0.0]
        }
        _ => [0.0; 3],
    }
}

/// The force before limits.
fn raw_force(m: &Model, d: &Data, u: ActuatorId) -> f64 {
    gain_slopes(m, d, u).value * drive(m, d, u) + bias_slopes(m, d, u)[0]
}

pub(super) fn force_slopes(m: &Model, d: &Data, u: ActuatorId) -> ForceSlopes {
    let gain = gain_slopes(m, d, u);
    let [_, bias_len, bias_vel] = bias_slopes(m, d, u);
    let drive = drive(m, d, u);
    // MuJoCo takes the control before clamping for implicit integrators
    let raw = if m.actuator_dyntype[u] == DynType::None { d.ctrl[u] } else { drive };
    let [lo, hi] = m.actuator_forcerange[u];
    let force = d.actuator_force[u];
    ForceSlopes {
        drive: gain.value,
        length: bias_len + gain.by_length * drive,
        velocity: bias_vel + gain.by_velocity * drive,
        implicit: bias_vel + gain.by_velocity * raw,
        mixed: gain.by_velocity,
        curve: gain.curve.map(|x| x * raw),
        limited: m.actuator_forcelimited[u].get() && (force <= lo || force >= hi),
    }
}

/// Finds the dofs whose actuator force is outside the range of their joint.
fn find_limits(m: &Model, d: &Data, at_limit: &mut Vec<bool>) {
    at_limit.clear();
    at_limit.resize(m.nv, false);
    for j in m.joints().filter(|&j| m.jnt_actfrclimited[j].get()) {
        // the force is clamped to the range
        let (v, [lo, hi]) = (m.jnt_dofadr[j], m.jnt_actfrcrange[j]);
        at_limit[v.idx()] = d.qfrc_actuator[v] <= lo || d.qfrc_actuator[v] >= hi;
    }
}

/// Sets the changes of length and velocity. `twists` are the twists at the velocity.
fn set_changes(m: &Model, d: &Data, twists: &Twists, u: ActuatorId, work: &mut ActuatorWork) {
    let ActuatorWork { moments: Moments { row, arm, .. }, changes, .. } = work;
    changes.clear();
    if arm.turns {
        let rates = arm.length.iter().enumerate();
        changes.extend(rates.map(|(v, &length)| [length, arm.rate_change(v, &d.qvel)]));
        return;
    }
    if is_wrench(m, u) {
        let (_, wrench) = site_wrench(m, d, u);
        changes.extend(row.ind.iter().map(|&v| [0.0, moment_change(d, twists, wrench, v)]));
        return;
    }
    // fixed tendons have constant arms
    changes.extend(row.val.iter().map(|&moment| [moment, 0.0]));
    let Some((turn, quat)) = turning(m, d, u) else { return };
    let gear = Vec3::from_slice(&row.val[turn..]);
    let rate = Vec3::from_slice(&d.qvel.flat()[row.ind[turn].idx()..]);
    let parent = m.actuator_trntype[u] == TrnType::Jointinparent;
    // the length is the length of the rotation along the gear; free joints have none
    let by_turn = right_jacobian_inverse(quat.to_vel(1.0)).tmul_vec(gear);
    for (k, axis) in AXES.into_iter().enumerate() {
        let length = if turn == 0 { by_turn[k] } else { 0.0 };
        // a gear in the parent turns back as the child turns
        let change = if parent { gear.cross(axis) } else { Vec3::ZERO };
        let also = if parent && turn == 0 { change.dot(quat.to_vel(1.0)) } else { 0.0 };
        changes[turn + k] = [length + also, change.dot(rate)];
    }
    changes[..turn].fill([0.0; 2]);
}

const AXES: [Vec3; 3] = [Vec3::X, Vec3::Y, Vec3::Z];

/// Change of the velocity of an actuator of a site by the position of a dof that moves it.
pub(super) fn moment_change(d: &Data, twists: &Twists, wrench: Spatial, v: DofId) -> f64 {
    -d.cdof[v].cross_motion(twists.before[v.idx()]).dot(wrench)
}

/// The place of the turns among the dofs of an actuator's joint, and the orientation, if it has.
fn turning(m: &Model, d: &Data, u: ActuatorId) -> Option<(usize, Quat)> {
    if !matches!(m.actuator_trntype[u], TrnType::Joint | TrnType::Jointinparent) {
        return None;
    }
    let j = JointId::new(m.actuator_trnid[u][0].max(0) as usize);
    let turn = match m.jnt_type[j] {
        JointType::Free => 3,
        JointType::Ball => 0,
        _ => return None,
    };
    let quat = Quat::from_slice(d.qpos.split_at(m.jnt_qpos(j).start + turn).1);
    Some((turn, quat.normalize().0))
}

/// Subtracts the change of a moment that turns back with the child, at a force.
pub(super) fn add_turning_moment(m: &Model, d: &Data, u: ActuatorId, force: f64, pos: &mut [f64]) {
    let Some((turn, _)) = turning(m, d, u) else { return };
    if m.actuator_trntype[u] != TrnType::Jointinparent {
        return;
    }
    let (dofs, moments) = moment_row(d, u);
    let (gear, dof) = (Vec3::from_slice(&moments[turn..]), dofs[turn].idx());
    for (k, axis) in AXES.into_iter().enumerate() {
        let change = gear.cross(axis);
        for row in 0..3 {
            pos[(dof + k) * m.nv + dof + row] -= force * change[row];
        }
    }
}

/// The body of a site and the wrench on it per unit of force.
pub(super) fn site_wrench(m: &Model, d: &Data, u: ActuatorId) -> (BodyId, Spatial) {
    let s = SiteId::new(m.actuator_trnid[u][0].max(0) as usize);
    let (body, gear) = (m.site_bodyid[s], &m.actuator_gear[u]);
    let force = d.site_xmat[s] * Vec3::from_slice(gear);
    let torque = d.site_xmat[s] * Vec3::from_slice(&gear[3..]);
    let at = d.site_xpos[s] - d.subtree_com[m.body_rootid[body]];
    (body, Spatial::new(torque + at.cross(force), force))
}
