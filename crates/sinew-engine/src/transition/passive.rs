//! Derivatives of the passive and the applied forces.

use sinew_math::{Mat3, Quat, Spatial, Vec3};
use sinew_model::enums::{DisableBit, JointType};
use sinew_model::{BodyId, Data, JointId, Model, TendonId};

use super::arm::Arm;
use super::residual::Residual;
use super::rotation::right_jacobian_inverse;
use super::tree::Wrenches;
use crate::later;
use crate::smooth::energy::tendon_stretch;

/// Adds the derivatives of springs and dampers, and the wrenches of gravity compensation and of the
/// user.
pub(super) fn add_passive(
    m: &Model,
    d: &Data,
    tendons: &[Arm],
    residual: &mut Residual,
    wrenches: &mut Wrenches,
) {
    applied(m, d, wrenches);
    let spring = !m.opt.disabled(DisableBit::Spring);
    let damper = !m.opt.disabled(DisableBit::Damper);
    if spring {
        for j in m.joints().filter(|&j| !later::joint_spring(m, j).is_zero()) {
            joint_spring(m, d, j, residual);
        }
    }
    if damper {
        for v in m.dofs() {
            let damping = later::dof_damper(m, v).drag_slope(d.qvel[v]);
            residual.by_vel(v.idx())[v.idx()] += damping;
        }
    }
    for (t, arm) in m.tendons().zip(tendons) {
        let [pull, stiffness] = if spring { spring_slope(m, d, t) } else { [0.0; 2] };
        let damping = if damper { damper_slope(m, d, t) } else { 0.0 };
        if stiffness != 0.0 || damping != 0.0 {
            add_spring(d, arm, [stiffness, damping], residual);
            let force = pull - damping * d.ten_velocity[t];
            arm.add_force_change(-force, m.nv, residual.pos(), |_| true);
        }
    }
    if (spring || damper) && m.ngravcomp > 0 && m.has_gravity() {
        for b in m.bodies().skip(1).filter(|&b| m.body_gravcomp[b] != 0.0) {
            let force = m.opt.gravity * -(m.body_mass[b] * m.body_gravcomp[b]);
            wrenches.add_at_point(b, inertial_offset(m, d, b), force);
        }
    }
}

/// The wrenches that the user applies to bodies.
fn applied(m: &Model, d: &Data, wrenches: &mut Wrenches) {
    for b in m.bodies().skip(1) {
        // this field alone has the force first
        let Spatial { rot: force, lin: torque } = d.xfrc_applied[b];
        if force != Vec3::ZERO || torque != Vec3::ZERO {
            wrenches.add_at_point(b, inertial_offset(m, d, b), force);
            wrenches.add_fixed(b, Spatial::new(torque, Vec3::ZERO));
        }
    }
}

/// From the centre of mass of a body's tree to the body's.
fn inertial_offset(m: &Model, d: &Data, b: BodyId) -> Vec3 {
    d.xipos[b] - d.subtree_com[m.body_rootid[b]]
}

fn joint_spring(m: &Model, d: &Data, j: JointId, residual: &mut Residual) {
    let stiffness = m.jnt_stiffness[j];
    let (adr, dof) = (m.jnt_qpos(j).start, m.jnt_dofadr[j].idx());
    match m.jnt_type[j] {
        JointType::Free => {
            for v in dof..dof + 3 {
                residual.by_pos(v)[v] += stiffness;
            }
            let turn = turn_slope(m, d, adr + 3);
            add_block(residual, dof + 3, turn, stiffness);
        }
        JointType::Ball => add_block(residual, dof, turn_slope(m, d, adr), stiffness),
        _ => {
            let dif = d.qpos[adr] - m.qpos_spring[adr];
            residual.by_pos(dof)[dof] += later::joint_spring(m, j).slope(dif);
        }
    }
}

/// Change of the rotation from the rest of a spring by a turn of the body.
fn turn_slope(m: &Model, d: &Data, adr: usize) -> Mat3 {
    let quat = Quat::from_slice(d.qpos.split_at(adr).1).normalize().0;
    let rest = Quat::from_slice(m.qpos_spring.split_at(adr).1);
    right_jacobian_inverse(quat.rotvec_from(rest))
}

fn add_block(residual: &mut Residual, dof: usize, block: Mat3, scale: f64) {
    for col in 0..3 {
        for row in 0..3 {
            residual.by_pos(dof + col)[dof + row] += scale * block.0[row][col];
        }
    }
}

/// Force and stiffness of the spring of a tendon where it is: zero within its range of rest.
pub(super) fn spring_slope(m: &Model, d: &Data, t: TendonId) -> [f64; 2] {
    let ([lower, upper], length) = (m.tendon_lengthspring[t], d.ten_length[t]);
    let stretch = tendon_stretch(length, [lower, upper]);
    let rests = (lower..=upper).contains(&length);
    let spring = later::tendon_spring(m, t);
    if rests { [0.0; 2] } else { [spring.at(-stretch) * stretch, spring.slope(-stretch)] }
}

/// Damping of a tendon at its velocity.
fn damper_slope(m: &Model, d: &Data, t: TendonId) -> f64 {
    later::tendon_damper(m, t).drag_slope(d.ten_velocity[t])
}

/// Adds Jᵀ (stiffness dl + damping dJ v) and Jᵀ damping J.
fn add_spring(d: &Data, arm: &Arm, [stiffness, damping]: [f64; 2], residual: &mut Residual) {
    for (place, &v) in arm.dofs.iter().enumerate() {
        let x = arm.values[place];
        let change = stiffness * arm.length[place] + damping * arm.rate_change(place, &d.qvel);
        for (&w, &y) in arm.dofs.iter().zip(&arm.values) {
            residual.by_pos(v.idx())[w.idx()] += change * y;
            residual.by_vel(v.idx())[w.idx()] += damping * x * y;
        }
    }
}
