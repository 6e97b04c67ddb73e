//! Servos of orientations: `<orientation>`, which came with MuJoCo 3.11.
//!
//! q is the orientation of a ball joint or of a site relative to another, p the target and ω the
//! angular velocity. The torque is kp log(q⁻¹ p) - kv ω. Three rows have its components and the
//! controls, a fourth has the last number of a quaternion.

use sinew_math::{MINVAL, Quat, Vec3};
use sinew_model::enums::DynType;
use sinew_model::later::{CHART_QUAT, GAIN_SO3};
use sinew_model::{ActuatorId, Data, JointId, Model, SiteId};

use crate::actuator::pid::drive;
use crate::dof_chain::{Moves, merged};
use crate::smooth::dof_path::Carried;
use crate::sparse::SparseRow;

/// The orientation that a vector of rotation stands for.
fn orientation(v: Vec3) -> Quat {
    let angle = v.norm();
    match angle < MINVAL {
        true => Quat::IDENTITY,
        false => Quat::from_axis_angle(Vec3::new(v.x / angle, v.y / angle, v.z / angle), angle),
    }
}

/// The three numbers of a servo's rows in a table.
fn of_rows(rows: &core::ops::Range<usize>, table: &[f64]) -> Vec3 {
    Vec3::from_slice(&table[rows.start..rows.start + 3])
}

/// Length of a row: a component of the present rotation; its moments go to `row`.
#[cold]
#[inline(never)]
pub(super) fn transmission(m: &Model, d: &Data, u: ActuatorId, row: &mut SparseRow) -> f64 {
    let Some(rows) = m.servo_rows(u) else { return 0.0 };
    let k = u.idx() - rows.start;
    if k >= 3 {
        return 0.0;
    }
    let [target, reference] = m.actuator_trnid[u];
    let Ok(reference) = usize::try_from(reference).map(SiteId::new) else {
        let j = JointId::new(target as usize);
        let quat = Quat::from_slice(&d.qpos.flat()[m.jnt_qpos(j)]).normalize().0;
        row.push(m.jnt_dofs(j).nth(k).unwrap_or(m.jnt_dofadr[j]), 1.0);
        return quat.to_vel(1.0)[k];
    };

    let s = SiteId::new(target as usize);
    let quat = |s: SiteId| d.xquat[m.site_bodyid[s]] * m.site_quat[s];
    let length = quat(s).rotvec_from(quat(reference))[k];

    // moments about the axis of the site: dofs that move both sites cancel
    let axis = d.site_xmat[s].col(k);
    let (first, second) = (Carried::site(m, d, reference), Carried::site(m, d, s));
    for link in merged(m, first.dof, second.dof) {
        let cdof = d.cdof[link.dof];
        let moment = match link.moves {
            Moves::Both => continue,
            Moves::First => (-cdof.rot).dot(axis),
            Moves::Second => cdof.rot.dot(axis),
        };
        if moment != 0.0 {
            row.push(link.dof, moment);
        }
    }
    row.reverse();
    length
}

/// Torque of a row, before its limit.
#[cold]
#[inline(never)]
pub(super) fn force(m: &Model, d: &Data, u: ActuatorId, ctrl: &[f64]) -> f64 {
    let Some(rows) = m.servo_rows(u) else { return 0.0 };
    let k = u.idx() - rows.start;
    if k >= 3 {
        return 0.0;
    }
    let first = ActuatorId::new(rows.start);
    let goal = match m.actuator_inputs(first) {
        CHART_QUAT => Quat::from_slice(&ctrl[rows.clone()]).normalize().0,
        _ => orientation(asked(m, d, &rows, ctrl)),
    };
    let present = orientation(of_rows(&rows, &d.actuator_length));
    let error = goal.rotvec_from(present)[k];
    let [constant, _, damping, ..] = m.actuator_biasprm[u];
    m.actuator_gainprm[u][0] * error + constant + damping * d.actuator_velocity[u]
}

/// The target as a vector of rotation: controls, or activations that follow them.
fn asked(m: &Model, d: &Data, rows: &core::ops::Range<usize>, ctrl: &[f64]) -> Vec3 {
    let number = |u: usize| {
        let id = ActuatorId::new(u);
        match usize::try_from(m.actuator_actadr[id]) {
            Ok(adr) => drive(m, d, id, adr),
            Err(_) => ctrl[u],
        }
    };
    Vec3::new(number(rows.start), number(rows.start + 1), number(rows.start + 2))
}

/// Bounds the norm of the torque of the servo that begins with a row.
pub(super) fn limit(m: &Model, d: &mut Data, u: ActuatorId) {
    let Some(rows) = m.servo_rows(u).filter(|rows| rows.start == u.idx()) else { return };
    let (torque, [_, most]) = (of_rows(&rows, &d.actuator_force), m.actuator_forcerange[u]);
    let norm = torque.norm();
    if norm > most {
        let scale = most / norm;
        let torques: &mut [f64] = &mut d.actuator_force;
        torques[rows.start..rows.start + 3].iter_mut().for_each(|x| *x *= scale);
    }
}

/// Whether the torque of a row's servo is at its limit.
pub(crate) fn is_limited(m: &Model, d: &Data, u: ActuatorId) -> bool {
    let rows = m.servo_rows(u).filter(|_| m.actuator_forcelimited[u].get());
    rows.is_some_and(|rows| of_rows(&rows, &d.actuator_force).norm() >= m.actuator_forcerange[u][1])
}

/// Replaces target rotations by equal ones of at most half a turn, where activations hold them.
#[cold]
#[inline(never)]
pub(super) fn anchor(m: &Model, d: &mut Data) {
    let holds = |u: &ActuatorId| {
        m.actuator_gaintype[*u] == GAIN_SO3 && m.actuator_dyntype[*u] == DynType::Integrator
    };
    for u in m.whole_actuators().filter(holds) {
        let Ok(adr) = usize::try_from(m.actuator_actadr[u]) else { continue };
        let Some(act) = d.act.flat_mut().get_mut(adr..adr + 3) else { continue };
        let angle = Vec3::from_slice(act).norm();
        if angle > core::f64::consts::PI {
            let turn = 2.0 * core::f64::consts::PI;
            let scale = (angle - turn * (angle / turn).round()) / angle;
            act.iter_mut().for_each(|x| *x *= scale);
        }
    }
}
