//! Potential and kinetic energy.

use sinew_math::{Quat, Vec3, vector};
use sinew_model::enums::{DisableBit, JointType, ObjType, SleepState};
use sinew_model::{Data, JointId, Model};

use crate::later;
use crate::sleep::{some_asleep, state_of};
use crate::smooth::inertia::mul_sym_rows;
use crate::work::Work;

/// Potential energy: gravity, springs of joints and tendons, and springs of the edges of flexible
/// lines. As in MuJoCo, other flexes and sleeping springs do not count.
///
/// Reads `xipos`, `qpos`, `ten_length`, `flexedge_length`. Writes `energy[0]`, `flg_energypos`.
#[doc(alias = "mj_energyPos")]
pub fn energy_pos(m: &Model, d: &mut Data) {
    let mut energy = 0.0;

    // gravity: -m g·x
    if !m.opt.disabled(DisableBit::Gravity) {
        for b in m.bodies().skip(1) {
            energy -= m.body_mass[b] * m.opt.gravity.dot(d.xipos[b]);
        }
    }

    // springs: ½ k x²
    if !m.opt.disabled(DisableBit::Spring) {
        let some_asleep = some_asleep(m, d);
        let skip = |kind, id| some_asleep && state_of(m, d, kind, id) != SleepState::Awake;
        for j in m.joints().filter(|&j| !later::joint_spring(m, j).is_zero()) {
            if !skip(ObjType::Joint, j.idx()) {
                energy = add_joint_spring(m, d, j, energy);
            }
        }
        for t in m.tendons() {
            if skip(ObjType::Tendon, t.idx()) {
                continue;
            }
            let stretch = tendon_stretch(d.ten_length[t], later::tendon_rest(m, d, t));
            energy += match m.later {
                None => 0.5 * m.tendon_stiffness[t] * stretch * stretch,
                Some(_) => later::tendon_spring(m, t).potential(-stretch),
            };
        }
        for f in m.flexes().filter(|&f| m.flex_dim[f] == 1 && !m.flex_rigid[f].get()) {
            let stiffness = m.flex_edgestiffness[f];
            for edge in m.flex_edges(f).filter(|&edge| !m.flexedge_rigid[edge].get()) {
                let stretch = m.flexedge_length0[edge] - d.flexedge_length[edge];
                energy += 0.5 * stiffness * stretch * stretch;
            }
        }
    }
    d.energy[0] = energy;
    d.flg_energypos = true;
}

/// Kinetic energy ½ q̇ᵀ M q̇.
///
/// Reads `M`, `qvel`. Writes `energy[1]`, `flg_energyvel`.
#[doc(alias = "mj_energyVel")]
pub fn energy_vel(m: &Model, d: &mut Data) {
    let Data { work, M, qvel, .. } = d;
    let momentum = &mut Work::of(work).dof;
    momentum.resize(m.nv);
    // a dof at rest needs no row: its momentum is multiplied by zero
    let moving = m.dofs().filter(|&i| qvel[i] != 0.0);
    mul_sym_rows(m, M, momentum, qvel, moving);
    d.energy[1] = 0.5 * vector::dot(momentum, qvel);
    d.flg_energyvel = true;
}

/// How far a tendon is from the range of lengths at which its spring rests: negative when longer.
pub(crate) fn tendon_stretch(length: f64, [lower, upper]: [f64; 2]) -> f64 {
    if length > upper {
        upper - length
    } else if length < lower {
        lower - length
    } else {
        0.0
    }
}

/// `energy` plus the energy of a joint's spring.
fn add_joint_spring(m: &Model, d: &Data, j: JointId, mut energy: f64) -> f64 {
    let spring = later::joint_spring(m, j);
    let stiffness = m.jnt_stiffness[j];
    let adr = m.jnt_qpos(j).start;
    let (qpos, rest) = (d.qpos.split_at(adr).1, later::joint_rest(m, d, j));
    let vector_energy = |dif: Vec3| match m.later {
        None => 0.5 * stiffness * dif.dot(dif),
        Some(_) => spring.potential(dif.norm()),
    };
    let turn = |at: usize| {
        let dif = Quat::from_slice(&qpos[at..]).rotvec_from(Quat::from_slice(&rest[at..]));
        vector_energy(dif)
    };
    match m.jnt_type[j] {
        JointType::Free => {
            energy += vector_energy(Vec3::from_slice(qpos) - Vec3::from_slice(rest));
            energy + turn(3)
        }
        JointType::Ball => energy + turn(0),
        _ if m.later.is_some() => energy + spring.potential(qpos[0] - rest[0]),
        _ => energy + 0.5 * stiffness * (qpos[0] - rest[0]) * (qpos[0] - rest[0]),
    }
}
