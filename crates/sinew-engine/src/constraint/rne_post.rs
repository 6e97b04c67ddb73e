//! Recursive Newton-Euler after the constraints are solved: forces on the bodies and between them.
//!
//! Featherstone, *Rigid Body Dynamics Algorithms* (2008), §5.3, with contacts and equalities as
//! external forces.

use sinew_math::{Spatial, Vec3};
use sinew_model::enums::{EqType, ObjType};
use sinew_model::{BodyId, Data, EqId, FlexId, Model, SiteId};

use crate::constraint::contact_force::contact_force;
use crate::smooth::com::mul_dof_vec;
use crate::smooth::rne::{force_moved, world_acceleration};

/// Accelerations of the bodies, external forces on them and forces between them, with the final
/// acceleration of the step.
///
/// Reads `cinert`, `cdof`, `cdof_dot`, `cvel`, `qvel`, `qacc`, `xfrc_applied`, `contact`, `efc_*`.
/// Writes `cacc`, `cfrc_ext`, `cfrc_int`, `flg_rnepost`.
#[doc(alias = "mj_rnePostConstraint")]
pub fn rne_post_constraint(m: &Model, d: &mut Data) {
    // forces that the user applies at the centres of mass, moved to the tree's centre of mass
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
        cfrc_int[b] = cinert[b].force(&acc, &cvel[b]) - cfrc_ext[b];
    }

    // inwards: down to the world
    for b in m.bodies().skip(1).rev() {
        let child = cfrc_int[b];
        cfrc_int[m.body_parentid[b]] += child;
    }
    d.flg_rnepost = true;
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
                // an id that somebody wrote may be of a constraint with more rows
                let Some(efc) = d.efc_force.get(row..row + rows) else { return };
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
    // the first point of a connect is at the start of its data, the first point of a weld after the
    // other
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
