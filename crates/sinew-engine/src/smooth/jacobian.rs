//! Jacobians of points and axes, dense or along a chain of dofs, and forces mapped through them.
//!
//! A dense Jacobian is three rows of `nv` numbers, a sparse one three rows of one number per dof
//! of a chain, in increasing order.

use sinew_math::{Spatial, Vec3};
use sinew_model::enums::JointType;
use sinew_model::table::Table;
use sinew_model::{BodyId, Data, DofId, GeomId, Model, SiteId};

use crate::dof_chain::merged;

/// Velocity of a point per unit rate of a dof: the column of its Jacobian.
///
/// `offset` is the point relative to the centre of mass of the body's tree.
pub fn point_jacobian(cdof: Spatial, offset: Vec3) -> Vec3 {
    cdof.lin + cdof.rot.cross(offset)
}

/// Jacobian of a point that moves with a body: its velocity (`jacp`), the body's angular velocity
/// (`jacr`); 3 rows of `nv`.
///
/// Reads `cdof`, `subtree_com`.
#[doc(alias = "mj_jac")]
pub fn jac(
    m: &Model,
    d: &Data,
    jacp: Option<&mut [f64]>,
    jacr: Option<&mut [f64]>,
    point: Vec3,
    body: BodyId,
) {
    let offset = point - d.subtree_com[m.body_rootid[body]];
    let mut out = Columns::cleared(jacp, jacr);
    for v in m.body_chain(body) {
        out.set(v.idx(), point_jacobian(d.cdof[v], offset), d.cdof[v].rot);
    }
}

/// Jacobian of a body's frame.
#[doc(alias = "mj_jacBody")]
pub fn jac_body(
    m: &Model,
    d: &Data,
    jacp: Option<&mut [f64]>,
    jacr: Option<&mut [f64]>,
    body: BodyId,
) {
    jac(m, d, jacp, jacr, d.xpos[body], body);
}

/// Jacobian of a body's centre of mass.
#[doc(alias = "mj_jacBodyCom")]
pub fn jac_body_com(
    m: &Model,
    d: &Data,
    jacp: Option<&mut [f64]>,
    jacr: Option<&mut [f64]>,
    body: BodyId,
) {
    jac(m, d, jacp, jacr, d.xipos[body], body);
}

/// Jacobian of a geom's centre.
#[doc(alias = "mj_jacGeom")]
pub fn jac_geom(
    m: &Model,
    d: &Data,
    jacp: Option<&mut [f64]>,
    jacr: Option<&mut [f64]>,
    geom: GeomId,
) {
    jac(m, d, jacp, jacr, d.geom_xpos[geom], m.geom_bodyid[geom]);
}

/// Jacobian of a site.
#[doc(alias = "mj_jacSite")]
pub fn jac_site(
    m: &Model,
    d: &Data,
    jacp: Option<&mut [f64]>,
    jacr: Option<&mut [f64]>,
    site: SiteId,
) {
    jac(m, d, jacp, jacr, d.site_xpos[site], m.site_bodyid[site]);
}

/// Jacobian of the centre of mass of a subtree.
#[doc(alias = "mj_jacSubtreeCom")]
pub fn jac_subtree_com(m: &Model, d: &Data, jacp: &mut [f64], body: BodyId) {
    jacp.fill(0.0);

    // mass-weighted sum over the subtree: the bodies that follow until one has an older parent
    for b in m.bodies().skip(body.idx()) {
        if b > body && m.body_parentid[b] < body {
            break;
        }
        let offset = d.xipos[b] - d.subtree_com[m.body_rootid[b]];
        for v in m.body_chain(b) {
            let column = point_jacobian(d.cdof[v], offset);
            for k in 0..3 {
                jacp[k * m.nv + v.idx()] += column[k] * m.body_mass[b];
            }
        }
    }
    let scale = 1.0 / m.body_subtreemass[body];
    for x in jacp {
        *x *= scale;
    }
}

/// Jacobian of a point, and of an axis that turns with a body.
#[doc(alias = "mj_jacPointAxis")]
pub fn jac_point_axis(
    m: &Model,
    d: &Data,
    jac_point: Option<&mut [f64]>,
    jac_axis: Option<&mut [f64]>,
    point: Vec3,
    axis: Vec3,
    body: BodyId,
) {
    jac(m, d, jac_point, None, point, body);
    if let Some(jac_axis) = jac_axis {
        jac_axis.fill(0.0);
        for v in m.body_chain(body) {
            set_column(jac_axis, v.idx(), d.cdof[v].rot.cross(axis));
        }
    }
}

/// Time derivative of the Jacobian of a point that moves with a body.
///
/// Reads `cdof`, `cdof_dot`, `cvel`, `subtree_com`.
#[doc(alias = "mj_jacDot")]
pub fn jac_dot(
    m: &Model,
    d: &Data,
    jacp: Option<&mut [f64]>,
    jacr: Option<&mut [f64]>,
    point: Vec3,
    body: BodyId,
) {
    let offset = point - d.subtree_com[m.body_rootid[body]];
    let cvel = d.cvel[body];
    let point_vel = cvel.lin - offset.cross(cvel.rot);
    let mut out = Columns::cleared(jacp, jacr);
    for v in m.body_chain(body) {
        // axes of a ball turn with the body itself, not with its parent
        let joint = m.dof_jntid[v];
        let of_ball = match m.jnt_type[joint] {
            JointType::Ball => true,
            JointType::Free => v.idx() >= m.jnt_dofadr[joint].idx() + 3,
            _ => false,
        };
        let rate =
            if of_ball { d.cvel[m.dof_bodyid[v]].cross_motion(d.cdof[v]) } else { d.cdof_dot[v] };
        let column = rate.lin + rate.rot.cross(offset) + d.cdof[v].rot.cross(point_vel);
        out.set(v.idx(), column, rate.rot);
    }
}

/// The dofs that move either of two bodies, in increasing order.
#[doc(alias = "mj_mergeChain")]
pub fn merge_chain(m: &Model, b1: BodyId, b2: BodyId, chain: &mut Vec<DofId>) {
    chain.clear();
    chain.extend(merged(m, m.body_last_dof(b1), m.body_last_dof(b2)).map(|link| link.dof));
    chain.reverse();
}

/// Jacobian of a point that moves with a body, over the dofs of a chain that holds all of the
/// body's; 3 rows of `chain.len()`.
#[doc(alias = "mj_jacSparse")]
pub fn jac_sparse(
    m: &Model,
    d: &Data,
    jacp: Option<&mut [f64]>,
    jacr: Option<&mut [f64]>,
    point: Vec3,
    body: BodyId,
    chain: &[DofId],
) {
    let mut out = Columns::cleared(jacp, jacr);
    for (k, pos, rot) in chain_columns(m, d, BodyPoint { pos: point, body }, chain) {
        out.set(k, pos, rot);
    }
}

/// A point that moves with a body.
#[derive(Clone, Copy, Debug)]
pub struct BodyPoint {
    /// Where it is, in the world.
    pub pos: Vec3,
    /// The body.
    pub body: BodyId,
}

/// Jacobian of the difference `to - from` of two points over a chain that holds the dofs of both
/// bodies. The result is 3 rows of `chain.len()`, of the positions (`jacp`) and of the rotations
/// (`jacr`).
#[doc(alias = "mj_jacDifPair")]
pub fn jac_dif_pair(
    m: &Model,
    d: &Data,
    jacp: Option<&mut [f64]>,
    jacr: Option<&mut [f64]>,
    [from, to]: [BodyPoint; 2],
    chain: &[DofId],
) {
    let mut out = Columns::cleared(jacp, jacr);
    for (k, pos, rot) in chain_columns(m, d, to, chain) {
        out.set(k, pos, rot);
    }
    for (k, pos, rot) in chain_columns(m, d, from, chain) {
        out.subtract(k, pos, rot);
    }
}

/// Adds to `qfrc` the generalised force of a force and torque at a point of a body.
///
/// Reads `cdof`, `subtree_com`.
#[doc(alias = "mj_applyFT")]
pub fn apply_ft(
    m: &Model,
    d: &Data,
    force: Vec3,
    torque: Vec3,
    point: Vec3,
    body: BodyId,
    qfrc: &mut [f64],
) {
    let offset = point - d.subtree_com[m.body_rootid[body]];
    for v in m.body_chain(body) {
        let cdof = d.cdof[v];
        qfrc[v.idx()] += project(point_jacobian(cdof, offset), force);
        qfrc[v.idx()] += project(cdof.rot, torque);
    }
}

/// A force that acts on a point of a body.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PointForce {
    pub(crate) force: Vec3,
    pub(crate) point: Vec3,
    pub(crate) body: BodyId,
}

/// `apply_ft` of a force alone, where `qfrc` is a field of the data too: `cdof` and `subtree_com`
/// are all it reads.
pub(crate) fn add_point_force(
    m: &Model,
    cdof: &Table<DofId, Spatial>,
    subtree_com: &Table<BodyId, Vec3>,
    at: PointForce,
    qfrc: &mut [f64],
) {
    let offset = at.point - subtree_com[m.body_rootid[at.body]];
    for v in m.body_chain(at.body) {
        qfrc[v.idx()] += project(point_jacobian(cdof[v], offset), at.force);
    }
}

/// Whether the user applies forces or torques to bodies. Most often there is nothing: one look at
/// all of them, without their signs.
#[inline(always)]
pub(crate) fn is_any_applied(d: &Data) -> bool {
    d.xfrc_applied.flat().iter().fold(0, |bits, x| bits | x.to_bits()) << 1 != 0
}

/// Adds to `qfrc` the forces and torques that the user applies to bodies.
///
/// Reads `xfrc_applied`, `xipos`, `cdof`, `subtree_com`.
#[doc(alias = "mj_xfrcAccumulate")]
pub fn xfrc_accumulate(m: &Model, d: &Data, qfrc: &mut [f64]) {
    for b in m.bodies().skip(1) {
        // this field alone has the force first
        let Spatial { rot: force, lin: torque } = d.xfrc_applied[b];
        if force != Vec3::ZERO || torque != Vec3::ZERO {
            apply_ft(m, d, force, torque, d.xipos[b], b, qfrc);
        }
    }
}

/// The columns of a point's Jacobian, each with its place in a chain. Stops at a dof that the
/// chain lacks: the caller owes a chain with all dofs of the body.
fn chain_columns<'a>(
    m: &'a Model,
    d: &'a Data,
    point: BodyPoint,
    chain: &'a [DofId],
) -> impl Iterator<Item = (usize, Vec3, Vec3)> + 'a {
    let offset = point.pos - d.subtree_com[m.body_rootid[point.body]];
    let mut at = chain.len();
    m.body_chain(point.body).map_while(move |v| {
        while at > 0 && chain[at - 1] > v {
            at -= 1;
        }
        let k = at.checked_sub(1).filter(|&k| chain[k] == v)?;
        Some((k, point_jacobian(d.cdof[v], offset), d.cdof[v].rot))
    })
}

/// Jᵀ f for one column; a zero component adds nothing, even to an infinite column.
#[inline]
pub(crate) fn project(column: Vec3, force: Vec3) -> f64 {
    // a sum that begins with zero stays the same if zero is added
    let mut sum = 0.0;
    for k in 0..3 {
        sum += if force[k] != 0.0 { column[k] * force[k] } else { 0.0 };
    }
    sum
}

/// The Jacobians that the caller wants, written column by column.
struct Columns<'a> {
    pos: Option<&'a mut [f64]>,
    rot: Option<&'a mut [f64]>,
}

impl<'a> Columns<'a> {
    fn cleared(mut pos: Option<&'a mut [f64]>, mut rot: Option<&'a mut [f64]>) -> Self {
        for out in [&mut pos, &mut rot].into_iter().flatten() {
            out.fill(0.0);
        }
        Columns { pos, rot }
    }

    fn set(&mut self, k: usize, pos: Vec3, rot: Vec3) {
        for (out, column) in [(&mut self.pos, pos), (&mut self.rot, rot)] {
            if let Some(out) = out {
                set_column(out, k, column);
            }
        }
    }

    fn subtract(&mut self, k: usize, pos: Vec3, rot: Vec3) {
        for (out, column) in [(&mut self.pos, pos), (&mut self.rot, rot)] {
            if let Some(out) = out {
                let width = out.len() / 3;
                for axis in 0..3 {
                    out[axis * width + k] -= column[axis];
                }
            }
        }
    }
}

/// Sets column `k` of a matrix of three rows.
fn set_column(mat: &mut [f64], k: usize, column: Vec3) {
    let width = mat.len() / 3;
    for axis in 0..3 {
        mat[axis * width + k] = column[axis];
    }
}
