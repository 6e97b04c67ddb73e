//! Passive forces: springs, dampers, elasticity of flexes, gravity compensation, fluid.

use core::ops::Range;

use sinew_math::{Quat, Vec3, vector};
use sinew_model::enums::{DisableBit, JointType, ObjType, PluginCapabilityBit, SleepState};
use sinew_model::{BodyId, Data, JointId, Model};

use crate::constraint::add_adhesion;
use crate::hooks::{self, Hooks};
use crate::instances;
use crate::later::{self, Poly};
use crate::passive::flex::contact::contact_springs;
use crate::passive::flex::enabled::Enabled;
use crate::passive::flex::forces as flex_forces;
use crate::passive::fluid::fluid;
use crate::sleep::{for_bodies, for_dofs, some_asleep, state_of};
use crate::smooth::energy::tendon_stretch;
use crate::smooth::jacobian::apply_ft;

/// All passive forces and their sum.
///
/// Reads `qpos`, `qvel`, `ten_length`, `ten_velocity`, `ten_J`, and for gravity compensation and
/// fluid `xipos`, `ximat`, `cdof`, `cvel`, `subtree_com`, `geom_xpos`, `geom_xmat`. For contacts
/// that pull, reads `contact`, `efc_J`.
/// Writes `qfrc_spring`, `qfrc_damper`, `qfrc_gravcomp`, `qfrc_fluid`, `qfrc_passive`.
pub fn passive_with(m: &Model, d: &mut Data, hooks: &mut (impl Hooks + ?Sized)) {
    let spring = !m.opt.disabled(DisableBit::Spring);
    let damper = !m.opt.disabled(DisableBit::Damper);
    for_dofs(
        m,
        d,
        #[inline(always)]
        |d, run| {
            vector::zero(d.qfrc_spring.rows_mut(run.clone()));
            vector::zero(d.qfrc_gravcomp.rows_mut(run.clone()));
            vector::zero(d.qfrc_fluid.rows_mut(run.clone()));
            dof_dampers(m, d, damper, run);
        },
    );

    // with both flags, MuJoCo drops all passive forces, not springs and dampers alone
    if !spring && !damper {
        for_dofs(m, d, |d, run| vector::zero(d.qfrc_passive.rows_mut(run)));
        return;
    }

    if spring {
        for_bodies(
            m,
            d,
            #[inline(always)]
            |d, run| joint_springs(m, d, m.joint_range(run)),
        );
    }
    if m.nflex > 0 {
        flex_forces(m, d, Enabled { spring, damper });
    }
    if m.ntendon > 0 {
        tendon_spring_dampers(m, d, spring, damper);
    }
    if m.nflex > 0 {
        contact_springs(m, d);
    }
    for_dofs(
        m,
        d,
        #[inline(always)]
        |d, run| {
            let parts = [d.qfrc_spring.rows(run.clone()), d.qfrc_damper.rows(run.clone())];
            vector::combine(d.qfrc_passive.rows_mut(run), parts, |[spring, damper]| {
                spring + damper
            });
        },
    );

    let compensated = m.ngravcomp > 0 && m.has_gravity();
    if compensated {
        gravcomp(m, d);
    }
    if m.opt.viscosity != 0.0 || m.opt.density != 0.0 {
        fluid(m, d);
        for_dofs(m, d, |d, run| {
            let Data { qfrc_passive, qfrc_fluid, .. } = d;
            vector::add_scaled(qfrc_passive.rows_mut(run.clone()), qfrc_fluid.rows(run), 1.0);
        });
    }
    if compensated {
        // joints may have it counted among their actuators instead
        for_dofs(m, d, |d, run| {
            for v in run.filter(|&v| !m.jnt_actgravcomp[m.dof_jntid[v]].get()) {
                d.qfrc_passive[v] += d.qfrc_gravcomp[v];
            }
        });
    }
    if m.later.is_some() {
        adhesion(m, d);
    }
    hooks::call(hooks, "mjcb_passive", |hooks| hooks.passive(m, d));
    if m.nplugin > 0 {
        instances::compute(m, d, PluginCapabilityBit::Passive);
    }
}

/// Forces of contacts that pull.
#[cold]
#[inline(never)]
fn adhesion(m: &Model, d: &mut Data) {
    let mut force = core::mem::take(&mut d.qfrc_passive);
    add_adhesion(m, d, &mut force);
    d.qfrc_passive = force;
}

#[inline(always)]
fn dof_dampers(m: &Model, d: &mut Data, damper: bool, dofs: Range<usize>) {
    if damper && m.later.is_some() {
        later::dof_drag(m, d, dofs);
        return;
    }
    let rates = [m.dof_damping.rows(dofs.clone()), d.qvel.rows(dofs.clone())];
    let forces = d.qfrc_damper.rows_mut(dofs);
    if !damper {
        forces.fill(0.0);
        return;
    }
    vector::combine(
        forces,
        rates,
        |[damping, vel]| {
            if damping == 0.0 { 0.0 } else { -damping * vel }
        },
    );
}

#[inline(always)]
fn joint_springs(m: &Model, d: &mut Data, joints: Range<usize>) {
    if m.later.is_some() {
        let joints = joints.map(JointId::new);
        joints.filter(|&j| !later::joint_spring(m, j).is_zero()).for_each(|j| {
            match m.plastic_joint(j) {
                None => joint_spring(m, d, j),
                Some(_) => yielding_spring(m, d, j),
            }
        });
        return;
    }
    for (j, &stiffness) in joints.clone().zip(m.jnt_stiffness.rows(joints)) {
        if stiffness != 0.0 {
            joint_spring(m, d, JointId::new(j));
        }
    }
}

// not inlined: few joints have springs
#[inline(never)]
fn joint_spring(m: &Model, d: &mut Data, j: JointId) {
    let spring = later::joint_spring(m, j);
    let (qpos_adr, dof_adr) = (m.jnt_qpos(j).start, m.jnt_dofadr[j].idx());
    match m.jnt_type[j] {
        JointType::Free => {
            let pos = Vec3::from_slice(d.qpos.split_at(qpos_adr).1);
            let dif = pos - Vec3::from_slice(m.qpos_spring.split_at(qpos_adr).1);
            vector_spring(d, spring, dif, dof_adr);
            ball_spring(m, d, spring, [qpos_adr + 3, dof_adr + 3]);
        }
        JointType::Ball => ball_spring(m, d, spring, [qpos_adr, dof_adr]),
        _ => {
            let dif = d.qpos[qpos_adr] - m.qpos_spring[qpos_adr];
            d.qfrc_spring[dof_adr] = -spring.at(dif) * dif;
        }
    }
}

/// The force of a spring that rests where the plastic state says; free joints have none.
fn yielding_spring(m: &Model, d: &mut Data, j: JointId) {
    let spring = later::joint_spring(m, j);
    let (qpos_adr, dof_adr) = (m.jnt_qpos(j).start, m.jnt_dofadr[j].idx());
    let rest = later::joint_rest(m, d, j);
    if m.jnt_type[j] == JointType::Ball {
        let quat = Quat::from_slice(d.qpos.split_at(qpos_adr).1).normalize().0;
        let dif = quat.rotvec_from(Quat::from_slice(rest));
        vector_spring(d, spring, dif, dof_adr);
    } else {
        let dif = d.qpos[qpos_adr] - rest[0];
        d.qfrc_spring[dof_adr] = -spring.at(dif) * dif;
    }
}

/// Torque of the spring of a joint, given the places of its quaternion and of its dofs.
fn ball_spring(m: &Model, d: &mut Data, spring: Poly, [qpos_adr, dof_adr]: [usize; 2]) {
    let quat = Quat::from_slice(d.qpos.split_at(qpos_adr).1).normalize().0;
    let rest = Quat::from_slice(m.qpos_spring.split_at(qpos_adr).1);
    vector_spring(d, spring, quat.rotvec_from(rest), dof_adr);
}

/// Force of a spring of three dofs, whose stiffness depends on the length of its deflection.
fn vector_spring(d: &mut Data, spring: Poly, dif: Vec3, dof_adr: usize) {
    let stiffness = spring.at(dif.norm());
    for k in 0..3 {
        d.qfrc_spring[dof_adr + k] = -stiffness * dif[k];
    }
}

fn tendon_spring_dampers(m: &Model, d: &mut Data, spring: bool, damper: bool) {
    let constants = m.tendon_stiffness.iter().zip(m.tendon_damping.iter());
    if m.later.is_none() && { constants }.all(|(&spring, &damper)| (spring, damper) == (0.0, 0.0)) {
        return;
    }
    let (sparse, some_asleep) = (m.is_sparse(), some_asleep(m, d));
    for t in m.tendons() {
        if some_asleep && state_of(m, d, ObjType::Tendon, t.idx()) != SleepState::Awake {
            continue;
        }
        let none = Poly([0.0; 3]);
        let stiffness = if spring { later::tendon_spring(m, t) } else { none };
        let damping = if damper { later::tendon_damper(m, t) } else { none };
        if stiffness.is_zero() && damping.is_zero() {
            continue;
        }
        let stretch = tendon_stretch(d.ten_length[t], later::tendon_rest(m, d, t));
        let pull = stiffness.at(-stretch) * stretch;
        let drag = damping.drag(d.ten_velocity[t]);

        // through the tendon's Jacobian
        let Data { qfrc_spring, qfrc_damper, ten_J, ten_J_colind, .. } = d;
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
    let mut qfrc = core::mem::take(&mut d.qfrc_gravcomp);
    for_bodies(m, d, |d, run| {
        let bodies = run.map(BodyId::new).filter(|&b| b != BodyId::WORLD);
        for b in bodies.filter(|&b| m.body_gravcomp[b] != 0.0) {
            let force = m.opt.gravity * -(m.body_mass[b] * m.body_gravcomp[b]);
            apply_ft(m, d, force, Vec3::ZERO, d.xipos[b], b, &mut qfrc);
        }
    });
    d.qfrc_gravcomp = qfrc;
}
