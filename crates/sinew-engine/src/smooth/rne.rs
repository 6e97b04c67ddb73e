//! Recursive Newton-Euler: forces from motion.
//!
//! Featherstone, *Rigid Body Dynamics Algorithms* (2008), §5.3.

use sinew_math::{Inertia, InertiaPair, Spatial, SpatialPair, Vec3};
use sinew_model::enums::{DisableBit, EqType, ObjType};
use sinew_model::work::RneWork;
use sinew_model::{BodyId, Data, EqId, FlexId, Model, SiteId};

use crate::constraint::contact_force::contact_force;
use crate::smooth::com::mul_dof_vec;

/// Generalised force M q̈ + c(q, q̇) into `result`; without `acceleration` only c, the bias force.
///
/// Reads `cinert`, `cdof`, `cdof_dot`, `cvel`, `qvel`, `qacc` (with `acceleration`).
#[doc(alias = "mj_rne")]
pub fn rne(m: &Model, d: &mut Data, acceleration: bool, result: &mut [f64]) {
    let Data { work, cinert, cdof, cdof_dot, cvel, qvel, qacc, .. } = d;
    let RneWork { cacc, cfrc } = &mut work.rne;

    // outwards: acceleration of each body
    cacc[BodyId::WORLD] = world_acceleration(m);
    for (b, &parent) in m.body_parentid.iter().enumerate().skip(1) {
        let dofs = m.body_dof_range(BodyId::new(b));
        let mut acc = cacc[parent] + mul_dof_vec(cdof_dot, qvel, dofs.clone());
        if acceleration {
            acc += mul_dof_vec(cdof, qacc, dofs);
        }
        cacc[b] = acc;
    }
    cfrc[BodyId::WORLD] = Spatial::ZERO;
    body_forces(&mut (**cfrc)[1..], &(**cinert)[1..], &(**cacc)[1..], &(**cvel)[1..]);

    // inwards: a parent also carries its children
    for b in m.bodies().skip(1).rev() {
        let parent = m.body_parentid[b];
        if parent != BodyId::WORLD {
            let child = cfrc[b];
            cfrc[parent] += child;
        }
    }

    for ((x, &axis), &b) in result.iter_mut().zip(cdof.iter()).zip(m.dof_bodyid.iter()) {
        *x = axis.dot(cfrc[b]);
    }
}

/// Accelerations of the bodies, external forces on them and forces between them, with the final
/// acceleration of the step.
///
/// Reads `cinert`, `cdof`, `cdof_dot`, `cvel`, `qvel`, `qacc`, `xfrc_applied`, `contact`, `efc_*`.
/// Writes `cacc`, `cfrc_ext`, `cfrc_int`, `flg_rnepost`.
#[doc(alias = "mj_rnePostConstraint")]
pub fn rne_post_constraint(m: &Model, d: &mut Data) {
    // forces that the user applies at the centres of mass, taken to that of the tree
    let cfrc_ext = &mut d.cfrc_ext;
    cfrc_ext.fill(Spatial::ZERO);
    for b in m.bodies().skip(1) {
        let Spatial { rot: force, lin: torque } = d.xfrc_applied[b];
        if force != Vec3::ZERO || torque != Vec3::ZERO {
            let dif = d.subtree_com[m.body_rootid[b]] - d.xipos[b];
            cfrc_ext[b] += force_moved(Spatial::new(torque, force), dif);
        }
    }
    add_contact_forces(m, d);
    add_equality_forces(m, d);

    // outwards: accelerations, and the force that the joint must give
    let Data { cacc, cfrc_ext, cfrc_int, cinert, cdof, cdof_dot, cvel, qvel, qacc, .. } = d;
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

/// The forces it takes to move bodies: I acc + vel × I vel, for two of them at once.
fn body_forces(force: &mut [Spatial], inertia: &[Inertia], acc: &[Spatial], vel: &[Spatial]) {
    let (force2, force1) = force.as_chunks_mut::<2>();
    let ((inertia2, inertia1), (acc2, acc1), (vel2, vel1)) =
        (inertia.as_chunks::<2>(), acc.as_chunks::<2>(), vel.as_chunks::<2>());
    for (((force, [i, j]), [a, b]), [v, w]) in force2.iter_mut().zip(inertia2).zip(acc2).zip(vel2) {
        let (inertia, vel) = (InertiaPair::new(i, j), SpatialPair::new(v, w));
        let momentum = vel.cross_force(inertia.mul(vel));
        *force = inertia.mul(SpatialPair::new(a, b)).plus(momentum).split();
    }
    if let ([force], [inertia], [acc], [vel]) = (force1, inertia1, acc1, vel1) {
        *force = *inertia * *acc + vel.cross_force(*inertia * *vel);
    }
}

/// A force (torque:force) about a point, taken to the point `dif` away.
#[inline(always)]
pub(crate) fn force_moved(force: Spatial, dif: Vec3) -> Spatial {
    Spatial::new(force.rot - dif.cross(force.lin), force.lin)
}

/// Contacts push the bodies of their geoms apart.
fn add_contact_forces(m: &Model, d: &mut Data) {
    for c in 0..d.contact.len() {
        let contact = &d.contact[c];
        let (frame, point) = (contact.frame, contact.pos);
        let [Ok(geom1), Ok(geom2)] = contact.geom.map(usize::try_from) else { continue };
        if contact.efc_address < 0 {
            continue;
        }
        let local = contact_force(m, d, c);
        let force = Spatial::new(frame.tmul_vec(local.torque), frame.tmul_vec(local.force));
        push(m, d, m.geom_bodyid[geom1], force * -1.0, point);
        push(m, d, m.geom_bodyid[geom2], force, point);
    }
}

/// Connect and weld constraints pull their bodies together.
fn add_equality_forces(m: &Model, d: &mut Data) {
    let mut row = 0;
    while row < d.ne {
        let e = EqId::new(d.efc_id[row] as usize);
        let weld = m.eq_type[e] == EqType::Weld;
        match m.eq_type[e] {
            EqType::Connect | EqType::Weld => {
                let rows = if weld { 6 } else { 3 };
                let efc = &d.efc_force.split_at(row).1[..rows];
                let torque = if weld { Vec3::from_slice(&efc[3..]) } else { Vec3::ZERO };
                let force = Spatial::new(torque, Vec3::from_slice(efc));
                for (sign, first) in [(1.0, true), (-1.0, false)] {
                    let (body, offset) = equality_anchor(m, e, first);
                    let point = d.xmat[body] * offset + d.xpos[body];
                    push(m, d, body, force * sign, point);
                }
                row += rows;
            }
            EqType::Flex | EqType::Flexvert => row += flex_rows(m, e),
            _ => row += 1,
        }
    }
}

/// The body of a connect or weld constraint's first or second object, and the point on it.
fn equality_anchor(m: &Model, e: EqId, first: bool) -> (BodyId, Vec3) {
    let id = if first { m.eq_obj1id[e] } else { m.eq_obj2id[e] } as usize;
    if m.eq_objtype[e] == ObjType::Site {
        return (m.site_bodyid[id], m.site_pos[SiteId::new(id)]);
    }
    // the first point of a connect is at the start of its data, that of a weld after the other
    let at = if first == (m.eq_type[e] == EqType::Weld) { 3 } else { 0 };
    (BodyId::new(id), Vec3::from_slice(&m.eq_data[e][at..]))
}

/// Rows of a flex constraint: one for each edge that can stretch, or two for each vertex.
fn flex_rows(m: &Model, e: EqId) -> usize {
    let flex = FlexId::new(m.eq_obj1id[e] as usize);
    if m.eq_type[e] == EqType::Flexvert {
        return 2 * m.flex_vertnum[flex] as usize;
    }
    let first = m.flex_edgeadr[flex] as usize;
    let edges = first..first + m.flex_edgenum[flex] as usize;
    edges.filter(|&edge| !m.flexedge_rigid[edge].get()).count()
}

/// Adds a force on a body at a point of the world.
fn push(m: &Model, d: &mut Data, b: BodyId, force: Spatial, point: Vec3) {
    if b != BodyId::WORLD {
        d.cfrc_ext[b] += force_moved(force, d.subtree_com[m.body_rootid[b]] - point);
    }
}

/// Gravity as an upward acceleration of the world.
fn world_acceleration(m: &Model) -> Spatial {
    if m.opt.disabled(DisableBit::Gravity) {
        Spatial::ZERO
    } else {
        Spatial::new(Vec3::ZERO, m.opt.gravity * -1.0)
    }
}
