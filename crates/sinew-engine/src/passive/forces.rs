//! Passive forces: springs, dampers, elasticity of flexes, gravity compensation, fluid.

use sinew_math::{Quat, Vec3, vector};
use sinew_model::enums::{DisableBit, JointType, PluginCapabilityBit};
use sinew_model::{Data, JointId, Model};

use crate::hooks::Hooks;
use crate::instances;
use crate::passive::flex::contact::contact_springs;
use crate::passive::flex::enabled::Enabled;
use crate::passive::flex::forces as flex_forces;
use crate::passive::fluid::fluid;
use crate::smooth::energy::tendon_stretch;
use crate::smooth::jacobian::apply_ft;
use crate::work::scratch;

/// All passive forces and their sum.
///
/// Reads `qpos`, `qvel`, `ten_length`, `ten_velocity`, `ten_J`, and for gravity compensation and
/// fluid `xipos`, `ximat`, `cdof`, `cvel`, `subtree_com`, `geom_xpos`, `geom_xmat`.
/// Writes `qfrc_spring`, `qfrc_damper`, `qfrc_gravcomp`, `qfrc_fluid`, `qfrc_passive`.
pub fn passive_with(m: &Model, d: &mut Data, hooks: &mut (impl Hooks + ?Sized)) {
    d.qfrc_spring.fill(0.0);
    d.qfrc_gravcomp.fill(0.0);
    d.qfrc_fluid.fill(0.0);

    // with both flags, MuJoCo drops all passive forces, not springs and dampers alone
    let spring = !m.opt.disabled(DisableBit::Spring);
    let damper = !m.opt.disabled(DisableBit::Damper);
    if !spring && !damper {
        d.qfrc_damper.fill(0.0);
        d.qfrc_passive.fill(0.0);
        return;
    }

    if spring {
        joint_springs(m, d);
    }
    if damper {
        let rates = m.dof_damping.iter().zip(d.qvel.iter());
        for (force, (&damping, &vel)) in d.qfrc_damper.iter_mut().zip(rates) {
            *force = if damping == 0.0 { 0.0 } else { -damping * vel };
        }
    } else {
        d.qfrc_damper.fill(0.0);
    }
    flex_forces(m, d, Enabled { spring, damper });
    tendon_spring_dampers(m, d, spring, damper);
    contact_springs(m, d);
    let parts = d.qfrc_spring.iter().zip(d.qfrc_damper.iter());
    for (force, (spring, damper)) in d.qfrc_passive.iter_mut().zip(parts) {
        *force = spring + damper;
    }

    let compensated = m.ngravcomp > 0 && m.has_gravity();
    if compensated {
        gravcomp(m, d);
    }
    if m.opt.viscosity != 0.0 || m.opt.density != 0.0 {
        fluid(m, d);
        vector::add_scaled(&mut d.qfrc_passive, &d.qfrc_fluid, 1.0);
    }
    if compensated {
        // joints may have it counted among their actuators instead
        for v in m.dofs().filter(|&v| !m.jnt_actgravcomp[m.dof_jntid[v]].get()) {
            d.qfrc_passive[v] += d.qfrc_gravcomp[v];
        }
    }
    hooks.passive(m, d);
    instances::compute(m, d, PluginCapabilityBit::Passive);
}

fn joint_springs(m: &Model, d: &mut Data) {
    for j in m.joints().filter(|&j| m.jnt_stiffness[j] != 0.0) {
        let (qpos_adr, dof_adr) = (m.jnt_qpos(j).start, m.jnt_dofadr[j].idx());
        match m.jnt_type[j] {
            JointType::Free => {
                for k in 0..3 {
                    let dif = d.qpos[qpos_adr + k] - m.qpos_spring[qpos_adr + k];
                    d.qfrc_spring[dof_adr + k] = -m.jnt_stiffness[j] * dif;
                }
                ball_spring(m, d, j, qpos_adr + 3, dof_adr + 3);
            }
            JointType::Ball => ball_spring(m, d, j, qpos_adr, dof_adr),
            _ => {
                let dif = d.qpos[qpos_adr] - m.qpos_spring[qpos_adr];
                d.qfrc_spring[dof_adr] = -m.jnt_stiffness[j] * dif;
            }
        }
    }
}

/// Torque of the spring of a joint whose quaternion is at `qpos_adr`.
fn ball_spring(m: &Model, d: &mut Data, j: JointId, qpos_adr: usize, dof_adr: usize) {
    let quat = Quat::from_slice(d.qpos.split_at(qpos_adr).1).normalize().0;
    let rest = Quat::from_slice(m.qpos_spring.split_at(qpos_adr).1);
    let dif = quat.rotvec_from(rest);
    for k in 0..3 {
        d.qfrc_spring[dof_adr + k] = -m.jnt_stiffness[j] * dif[k];
    }
}

fn tendon_spring_dampers(m: &Model, d: &mut Data, spring: bool, damper: bool) {
    let Data { qfrc_spring, qfrc_damper, ten_J, ten_J_colind, ten_length, ten_velocity, .. } = d;
    let sparse = m.is_sparse();
    for t in m.tendons() {
        let stiffness = if spring { m.tendon_stiffness[t] } else { 0.0 };
        let damping = if damper { m.tendon_damping[t] } else { 0.0 };
        if stiffness == 0.0 && damping == 0.0 {
            continue;
        }
        let stretch = tendon_stretch(ten_length[t], m.tendon_lengthspring[t]);
        let pull = stiffness * stretch;
        let drag = -damping * ten_velocity[t];

        // through the tendon's Jacobian
        for (qfrc, force) in [(&mut *qfrc_spring, pull), (&mut *qfrc_damper, drag)] {
            if force == 0.0 {
                continue;
            }
            if sparse {
                let adr = d.ten_J_rowadr[t] as usize;
                let row = adr..adr + d.ten_J_rownnz[t] as usize;
                for (&v, &val) in ten_J_colind.flat()[row.clone()].iter().zip(&ten_J.flat()[row]) {
                    qfrc[v] += val * force;
                }
            } else {
                vector::add_scaled(qfrc, &ten_J[t], force);
            }
        }
    }
}

/// Weight taken off bodies, as a force at their centres of mass.
fn gravcomp(m: &Model, d: &mut Data) {
    let mut qfrc = scratch(d).take_dof(m.nv);
    for b in m.bodies().skip(1).filter(|&b| m.body_gravcomp[b] != 0.0) {
        let force = m.opt.gravity * -(m.body_mass[b] * m.body_gravcomp[b]);
        apply_ft(m, d, force, Vec3::ZERO, d.xipos[b], b, &mut qfrc);
    }
    d.qfrc_gravcomp.copy_from_slice(&qfrc);
    scratch(d).dof = qfrc;
}
