//! Recursive Newton-Euler: forces from motion.
//!
//! Featherstone, *Rigid Body Dynamics Algorithms* (2008), §5.3.

use sinew_math::{Spatial, Vec3};
use sinew_model::enums::DisableBit;
use sinew_model::work::RneWork;
use sinew_model::{BodyId, Data, Model};

use crate::com::mul_dof_vec;

/// Generalised force M q̈ + c(q, q̇) into `result`; without `acceleration` only c, the bias force.
///
/// Reads `cinert`, `cdof`, `cdof_dot`, `cvel`, `qvel`, `qacc` (with `acceleration`).
#[doc(alias = "mj_rne")]
pub fn rne(m: &Model, d: &mut Data, acceleration: bool, result: &mut [f64]) {
    let Data { work, cinert, cdof, cdof_dot, cvel, qvel, qacc, .. } = d;
    let RneWork { cacc, cfrc } = &mut work.rne;

    // outwards: acceleration of each body, and the force it takes
    cacc[BodyId::WORLD] = world_acceleration(m);
    cfrc[BodyId::WORLD] = Spatial::ZERO;
    for b in m.bodies().skip(1) {
        let dofs = m.body_dof_range(b);
        let mut acc = cacc[m.body_parentid[b]] + mul_dof_vec(cdof_dot, qvel, dofs.clone());
        if acceleration {
            acc += mul_dof_vec(cdof, qacc, dofs);
        }
        cacc[b] = acc;
        cfrc[b] = cinert[b] * acc + cvel[b].cross_force(cinert[b] * cvel[b]);
    }

    // inwards: a parent also carries its children
    for b in m.bodies().skip(1).rev() {
        let parent = m.body_parentid[b];
        if parent != BodyId::WORLD {
            let child = cfrc[b];
            cfrc[parent] += child;
        }
    }

    for v in m.dofs() {
        result[v.idx()] = cdof[v].dot(cfrc[m.dof_bodyid[v]]);
    }
}

/// Accelerations of the bodies, external forces on them and forces between them, with the final
/// acceleration of the step.
///
/// Reads `cinert`, `cdof`, `cdof_dot`, `cvel`, `qvel`, `qacc`, `xfrc_applied`.
/// Writes `cacc`, `cfrc_ext`, `cfrc_int`, `flg_rnepost`.
#[doc(alias = "mj_rnePostConstraint")]
pub fn rne_post_constraint(m: &Model, d: &mut Data) {
    let Data { cacc, cfrc_ext, cfrc_int, cinert, cdof, cdof_dot, cvel, qvel, qacc, .. } = d;

    // forces that the user applies at the centres of mass, taken to that of the tree
    cfrc_ext.fill(Spatial::ZERO);
    for b in m.bodies().skip(1) {
        let Spatial { rot: force, lin: torque } = d.xfrc_applied[b];
        if force != Vec3::ZERO || torque != Vec3::ZERO {
            let dif = d.subtree_com[m.body_rootid[b]] - d.xipos[b];
            cfrc_ext[b] += Spatial::new(torque - dif.cross(force), force);
        }
    }

    // outwards: accelerations, and the force that the joint must give
    cacc[BodyId::WORLD] = world_acceleration(m);
    cfrc_int[BodyId::WORLD] = Spatial::ZERO;
    for b in m.bodies().skip(1) {
        let dofs = m.body_dof_range(b);
        let mut acc = cacc[m.body_parentid[b]] + mul_dof_vec(cdof_dot, qvel, dofs.clone());
        acc += mul_dof_vec(cdof, qacc, dofs);
        cacc[b] = acc;
        let force = cinert[b] * acc + cvel[b].cross_force(cinert[b] * cvel[b]);
        cfrc_int[b] = force - cfrc_ext[b];
    }

    // inwards: down to the world
    for b in m.bodies().skip(1).rev() {
        let child = cfrc_int[b];
        cfrc_int[m.body_parentid[b]] += child;
    }
    d.flg_rnepost = true;
}

/// Gravity as an upward acceleration of the world.
fn world_acceleration(m: &Model) -> Spatial {
    if m.opt.disabled(DisableBit::Gravity) {
        Spatial::ZERO
    } else {
        Spatial::new(Vec3::ZERO, m.opt.gravity * -1.0)
    }
}
