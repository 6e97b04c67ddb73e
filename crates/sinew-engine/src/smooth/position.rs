//! Positions as points of a manifold: orientations are unit quaternions.

use core::ops::Range;

use sinew_math::{Quat, Vec3};
use sinew_model::Model;
use sinew_model::enums::JointType;

/// Moves `qpos` along `qvel` for the time `dt`.
#[doc(alias = "mj_integratePos")]
pub fn integrate_pos(m: &Model, qpos: &mut [f64], qvel: &[f64], dt: f64) {
    integrate_joints(m, qpos, qvel, dt, 0..m.njnt);
}

/// `integrate_pos` for some joints.
#[doc(alias = "mj_integratePosInd")]
pub(crate) fn integrate_joints(
    m: &Model,
    qpos: &mut [f64],
    qvel: &[f64],
    dt: f64,
    joints: Range<usize>,
) {
    let end = joints.end;
    let (kind, adr) = (m.jnt_type.rows(0..end), m.jnt_qposadr.rows(0..end));
    let dof = m.jnt_dofadr.rows(0..end);
    for j in joints {
        let (q, v) = (adr[j] as usize, dof[j].idx());
        match kind[j] {
            JointType::Free => {
                for k in 0..3 {
                    qpos[q + k] += dt * qvel[v + k];
                }
                turn(&mut qpos[q + 3..], &qvel[v + 3..], dt);
            }
            JointType::Ball => turn(&mut qpos[q..], &qvel[v..], dt),
            _ => qpos[q] += dt * qvel[v],
        }
    }
}

/// The velocity that takes `qpos1` to `qpos2` in the time `dt`.
#[doc(alias = "mj_differentiatePos")]
pub fn differentiate_pos(m: &Model, qvel: &mut [f64], dt: f64, qpos1: &[f64], qpos2: &[f64]) {
    for j in m.joints() {
        let (q, v) = (m.jnt_qpos(j).start, m.jnt_dofadr[j].idx());
        let mut ball = |q: usize, v: usize| {
            let dif = Quat::from_slice(&qpos2[q..]).rotvec_from(Quat::from_slice(&qpos1[q..]));
            qvel[v..v + 3].copy_from_slice(&(dif * (1.0 / dt)).to_array());
        };
        match m.jnt_type[j] {
            JointType::Free => {
                ball(q + 3, v + 3);
                for k in 0..3 {
                    qvel[v + k] = (qpos2[q + k] - qpos1[q + k]) / dt;
                }
            }
            JointType::Ball => ball(q, v),
            _ => qvel[v] = (qpos2[q] - qpos1[q]) / dt,
        }
    }
}

/// Normalizes every quaternion in `qpos`.
#[doc(alias = "mj_normalizeQuat")]
pub fn normalize_quat(m: &Model, qpos: &mut [f64]) {
    for j in m.joints() {
        let adr = match m.jnt_type[j] {
            JointType::Free => m.jnt_qpos(j).start + 3,
            JointType::Ball => m.jnt_qpos(j).start,
            _ => continue,
        };
        let quat = Quat::from_slice(&qpos[adr..]).normalize().0;
        qpos[adr..adr + 4].copy_from_slice(&quat.to_array());
    }
}

/// Turns the quaternion at the start of `quat` at the rate at the start of `vel`.
fn turn(quat: &mut [f64], vel: &[f64], dt: f64) {
    let turned = Quat::from_slice(quat).integrate(Vec3::from_slice(vel), dt);
    quat[..4].copy_from_slice(&turned.to_array());
}
