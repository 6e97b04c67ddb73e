//! Derivatives of actuator forces and of activations.
//!
//! An actuator has a force s(drive, l, w) with the velocity w = J q̇. It adds Jᵀ s to the forces on
//! the dofs, so that by position it adds Jᵀ (s_l dl + s_w dw) + dJᵀ s.

use sinew_math::{Quat, Spatial, Vec3, scalar};
use sinew_model::enums::{BiasType, DisableBit, DynType, GainType, JointType, TrnType};
use sinew_model::{ActuatorId, BodyId, Data, DofId, JointId, Model, SiteId};

use super::mat6::Mat6;
use super::residual::Residual;
use super::rotation::right_jacobian_inverse;
use super::tree::Wrenches;
use super::twist::Twists;
use crate::actuator::actuation::{actuator_disabled, next_activation};
use crate::actuator::transmission::moment_row;
use crate::sparse::SparseRow;

/// Slopes of the force of an actuator.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ForceSlopes {
    /// By what drives it: control or activation.
    pub(super) drive: f64,
    pub(super) length: f64,
    pub(super) velocity: f64,
    /// Of the slope by velocity, by what drives it.
    pub(super) mixed: f64,
    /// Whether the force is at a limit.
    pub(super) limited: bool,
}

/// What drives an actuator, by the numbers it depends on.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct DriveSlopes {
    /// By its activation, and where that is.
    pub(super) act: Option<(usize, f64)>,
    pub(super) ctrl: f64,
}

/// An activation after the step, by itself and by the control of its actuator.
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
    /// The dofs that an actuator moves and its moment arm on each.
    row: SparseRow,
    /// Change of its length and its velocity by the position of each of them.
    changes: Vec<[f64; 2]>,
}

/// Adds the derivatives of all actuators. `twists` are those of the velocity.
pub(super) fn add_actuators(
    m: &Model,
    d: &Data,
    twists: &Twists,
    work: &mut ActuatorWork,
    residual: &mut Residual,
    wrenches: &mut Wrenches,
) {
    activations(m, d, &mut work.activations);
    if m.nu == 0 || m.opt.disabled(DisableBit::Actuation) {
        return;
    }
    find_limits(m, d, &mut work.at_limit);
    for u in m.actuators().filter(|&u| !actuator_disabled(m, u)) {
        let (slopes, drive) = (force_slopes(m, d, u), drive_slopes(m, d, u));
        find_slopes(m, d, twists, u, work);
        let force = d.actuator_force[u];
        if m.actuator_trntype[u] == TrnType::Site {
            let (body, wrench) = site_wrench(m, d, u);
            wrenches.add(body, wrench * force, &Mat6::carried(wrench * force));
        } else {
            add_turning_moment(m, d, u, force, residual.pos());
        }
        if slopes.limited {
            continue;
        }
        for (&w, &moment) in work.row.ind.iter().zip(&work.row.val) {
            if work.at_limit[w.idx()] {
                continue;
            }
            residual.by_ctrl(u.idx())[w.idx()] -= moment * slopes.drive * drive.ctrl;
            if let Some((act, by_act)) = drive.act {
                residual.by_act(act)[w.idx()] -= moment * slopes.drive * by_act;
            }
            let inputs = work.row.ind.iter().zip(&work.row.val).zip(&work.changes);
            for ((&v, &rate), &[length, velocity]) in inputs {
                let change = slopes.length * length + slopes.velocity * velocity;
                residual.by_pos(v.idx())[w.idx()] -= moment * change;
                residual.by_vel(v.idx())[w.idx()] -= moment * slopes.velocity * rate;
            }
        }
    }
}

/// The dofs that an actuator may move with its arms, and the changes of its length and velocity by
/// their positions. `twists` are those of the velocity.
pub(super) fn find_slopes<'a>(
    m: &Model,
    d: &Data,
    twists: &Twists,
    u: ActuatorId,
    work: &'a mut ActuatorWork,
) -> (&'a SparseRow, &'a [[f64; 2]]) {
    set_moments(m, d, u, &mut work.row);
    set_changes(m, d, twists, u, work);
    (&work.row, &work.changes)
}

/// The activations after the step.
fn activations(m: &Model, d: &Data, out: &mut Vec<ActivationSlopes>) {
    out.clear();
    out.resize(m.na, ActivationSlopes { act: 1.0, ..Default::default() });
    if m.opt.disabled(DisableBit::Actuation) {
        return;
    }
    for u in m.actuators() {
        let Ok(first) = usize::try_from(m.actuator_actadr[u]) else { continue };
        let last = first + m.actuator_actnum[u].max(1) as usize - 1;
        let [act, ctrl] = if actuator_disabled(m, u) {
            [1.0, 0.0]
        } else {
            next_activation_slopes(m, d, u, last)
        };
        out[last] = ActivationSlopes { act, ctrl, actuator: u.idx() };
    }
}

/// The activation after the step, by itself and by the control.
fn next_activation_slopes(m: &Model, d: &Data, u: ActuatorId, last: usize) -> [f64; 2] {
    let h = m.opt.timestep;
    let tau = time_constant(m, u);
    let [act, ctrl] = rate_slopes(m, u);
    let span = match m.actuator_dyntype[u] {
        DynType::Filterexact => tau * (1.0 - scalar::exp(-h / tau)),
        _ => h,
    };
    let next = d.act[last] + d.act_dot[last] * span;
    let [lo, hi] = m.actuator_actrange[u];
    if m.actuator_actlimited[u].get() && (next < lo || next > hi) {
        return [0.0; 2];
    }
    [1.0 + act * span, ctrl * span * ctrl_slope(m, d, u)]
}

/// The rate of an activation, by itself and by the control.
fn rate_slopes(m: &Model, u: ActuatorId) -> [f64; 2] {
    match m.actuator_dyntype[u] {
        DynType::Integrator => [0.0, 1.0],
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

pub(super) fn drive_slopes(m: &Model, d: &Data, u: ActuatorId) -> DriveSlopes {
    let Ok(first) = usize::try_from(m.actuator_actadr[u]) else {
        return DriveSlopes { act: None, ctrl: ctrl_slope(m, d, u) };
    };
    let last = first + m.actuator_actnum[u].max(1) as usize - 1;
    if m.actuator_actearly[u].get() {
        let [act, ctrl] = next_activation_slopes(m, d, u, last);
        DriveSlopes { act: Some((last, act)), ctrl }
    } else {
        DriveSlopes { act: Some((last, 1.0)), ctrl: 0.0 }
    }
}

/// What drives an actuator.
pub(super) fn drive(m: &Model, d: &Data, u: ActuatorId) -> f64 {
    let Ok(first) = usize::try_from(m.actuator_actadr[u]) else {
        let [lo, hi] = m.actuator_ctrlrange[u];
        let clamped = !m.opt.disabled(DisableBit::Clampctrl) && m.actuator_ctrllimited[u].get();
        return if clamped { scalar::clip(d.ctrl[u], lo, hi) } else { d.ctrl[u] };
    };
    let last = first + m.actuator_actnum[u].max(1) as usize - 1;
    if m.actuator_actearly[u].get() {
        next_activation(m, d, u, last, d.act_dot[last])
    } else {
        d.act[last]
    }
}

pub(super) fn force_slopes(m: &Model, d: &Data, u: ActuatorId) -> ForceSlopes {
    let (len, vel) = (d.actuator_length[u], d.actuator_velocity[u]);
    let (gain, bias) = (&m.actuator_gainprm[u], &m.actuator_biasprm[u]);
    let [gain, gain_len, gain_vel] = match m.actuator_gaintype[u] {
        GainType::Affine => [gain[0] + gain[1] * len + gain[2] * vel, gain[1], gain[2]],
        _ => [gain[0], 0.0, 0.0],
    };
    let [bias_len, bias_vel] = match m.actuator_biastype[u] {
        BiasType::Affine => [bias[1], bias[2]],
        _ => [0.0; 2],
    };
    let drive = drive(m, d, u);
    let [lo, hi] = m.actuator_forcerange[u];
    let force = d.actuator_force[u];
    ForceSlopes {
        drive: gain,
        length: bias_len + gain_len * drive,
        velocity: bias_vel + gain_vel * drive,
        mixed: gain_vel,
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

/// The dofs that an actuator may move, also those on which its arm is zero here, and its arms.
pub(super) fn set_moments(m: &Model, d: &Data, u: ActuatorId, row: &mut SparseRow) {
    row.clear();
    if m.actuator_trntype[u] == TrnType::Site {
        let (body, wrench) = site_wrench(m, d, u);
        for v in m.body_chain(body) {
            row.push(v, d.cdof[v].dot(wrench));
        }
        row.reverse();
        return;
    }
    let (dofs, moments) = moment_row(d, u);
    row.ind.extend_from_slice(dofs);
    row.val.extend_from_slice(moments);
}

/// Sets the changes of length and velocity. `twists` are those of the velocity.
fn set_changes(m: &Model, d: &Data, twists: &Twists, u: ActuatorId, work: &mut ActuatorWork) {
    let ActuatorWork { row, changes, .. } = work;
    changes.clear();
    if m.actuator_trntype[u] == TrnType::Site {
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
    // the length is that of the rotation along the gear; free joints have none
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
