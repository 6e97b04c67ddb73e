//! Derivatives of sensors of limits, of energies, of moving centres of mass and of distances along
//! rays.

use sinew_geom::ray::Ray;
use sinew_math::{Quat, Spatial, Vec3};
use sinew_model::enums::{ConstraintType, DisableBit, JointType, SensorType};
use sinew_model::{BodyId, Data, JointId, Model, SiteId, TendonId};

use super::arm::Arm;
use super::limit::limit_sign;
use super::passive::spring_slope;
use super::reading::{ACC, POS, Reading, VEL};
use super::rotation::straight_dofs;
use super::twist::Twists;
use crate::constraint::jacobian_row;
use crate::later;
use crate::ray::{RayFilter, ray};
use crate::smooth::inertia::mul_m;

/// The position, the velocity or the force of a limit; zero without a row.
pub(super) fn limit_reading(
    m: &Model,
    d: &Data,
    kind: SensorType,
    id: usize,
    tendons: &[Arm],
    out: &mut Reading,
) {
    let of_tendon = matches!(
        kind,
        SensorType::Tendonlimitpos | SensorType::Tendonlimitvel | SensorType::Tendonlimitfrc
    );
    let wanted = if of_tendon { ConstraintType::LimitTendon } else { ConstraintType::LimitJoint };
    let is_own = |row: &usize| d.efc_type[*row] == wanted && d.efc_id[*row] == id as i32;
    let Some(row) = (0..d.nefc).find(is_own) else { return };

    // slopes of the row by position, velocity and acceleration
    let [k, b, imp, imp_slope] = d.efc_KBIP[row];
    let force = d.efc_force[row];
    let (by_dist, [by_rate_vel, by_rate_acc]) = match kind {
        SensorType::Jointlimitpos | SensorType::Tendonlimitpos => (1.0, [0.0; 2]),
        SensorType::Jointlimitvel | SensorType::Tendonlimitvel => (0.0, [1.0, 0.0]),
        _ if force == 0.0 => return,
        _ => {
            let stiffness = d.efc_D[row];
            let gap = d.efc_pos[row] - d.efc_margin[row];
            let by_dist =
                force * imp_slope / (imp * (1.0 - imp)) - stiffness * k * (imp + imp_slope * gap);
            (by_dist, [-stiffness * b, -stiffness])
        }
    };
    let (columns, jacobian) = jacobian_row(d, row);
    for (&v, x) in columns.iter().zip(jacobian) {
        out.dofs[POS][v as usize] += by_dist * x;
        out.dofs[VEL][v as usize] += by_rate_vel * x;
        out.dofs[ACC][v as usize] += by_rate_acc * x;
    }

    // arms that turn
    if of_tendon {
        let (arm, sign) = (&tendons[id], limit_sign(m, d, TendonId::new(id), row));
        for (place, v) in arm.dofs.iter().enumerate() {
            let vel = by_rate_vel * arm.rate_change(place, &d.qvel);
            let acc = by_rate_acc * arm.rate_change(place, &d.qacc);
            out.dofs[POS][v.idx()] += sign * (vel + acc);
        }
    }
}

/// The potential energy of gravity and springs.
pub(super) fn potential_energy(m: &Model, d: &Data, tendons: &[Arm], out: &mut Reading) {
    let slopes = &mut out.dofs[POS];
    if !m.opt.disabled(DisableBit::Gravity) {
        for b in m.bodies().skip(1) {
            let at = d.xipos[b] - d.subtree_com[m.body_rootid[b]];
            for v in m.body_chain(b) {
                let moved = d.cdof[v].lin + d.cdof[v].rot.cross(at);
                slopes[v.idx()] -= m.body_mass[b] * m.opt.gravity.dot(moved);
            }
        }
    }
    if m.opt.disabled(DisableBit::Spring) {
        return;
    }
    for j in m.joints().filter(|&j| !later::joint_spring(m, j).is_zero()) {
        joint_energy(m, d, j, slopes);
    }
    for (t, arm) in m.tendons().zip(tendons) {
        let [pull, _] = spring_slope(m, d, t);
        for (v, length) in arm.dofs.iter().zip(&arm.length) {
            slopes[v.idx()] -= pull * length;
        }
    }
}

/// The energy of the spring of a joint.
fn joint_energy(m: &Model, d: &Data, j: JointId, slopes: &mut [f64]) {
    let (adr, dof) = (m.jnt_qpos(j).start, m.jnt_dofadr[j].idx());
    let straight = straight_dofs(m.jnt_type[j]);
    for k in 0..straight {
        let dif = d.qpos[adr + k] - m.qpos_spring[adr + k];
        slopes[dof + k] += later::joint_spring(m, j).at(dif) * dif;
    }
    if matches!(m.jnt_type[j], JointType::Free | JointType::Ball) {
        let quat = Quat::from_slice(d.qpos.split_at(adr + straight).1).normalize().0;
        let rest = Quat::from_slice(m.qpos_spring.split_at(adr + straight).1);
        let turn = quat.rotvec_from(rest) * m.jnt_stiffness[j];
        (0..3).for_each(|k| slopes[dof + straight + k] += turn[k]);
    }
}

/// The kinetic energy ½ vᵀ M v. Bodies after a dof turn with it, and with the velocity before the
/// dof alone the energy changes.
pub(super) fn kinetic_energy(
    m: &Model,
    d: &Data,
    twists: &Twists,
    momentum: &mut Vec<Spatial>,
    out: &mut Reading,
) {
    momentum.clear();
    momentum.extend(m.bodies().map(|b| d.cinert[b] * twists.body[b.idx()]));
    for b in m.bodies().skip(1).rev() {
        let own = momentum[b.idx()];
        momentum[m.body_parentid[b].idx()] += own;
    }
    for v in m.dofs() {
        let below = momentum[m.dof_bodyid[v].idx()];
        out.dofs[POS][v.idx()] -= d.cdof[v].cross_motion(twists.before[v.idx()]).dot(below);
    }
    mul_m(m, d, &mut out.dofs[VEL], &d.qvel);
}

/// The velocity of the centre of mass of a body with all below it.
pub(super) fn subtree_velocity(
    m: &Model,
    d: &Data,
    root: BodyId,
    twists: &Twists,
    out: &mut [Reading],
) {
    let total = m.body_subtreemass[root];
    if total <= 0.0 {
        return;
    }
    for b in m.bodies().filter(|&b| is_below(m, b, root)) {
        let at = d.xipos[b] - d.subtree_com[m.body_rootid[b]];
        let share = m.body_mass[b] / total;
        let turn = twists.body[b.idx()].rot;
        for v in m.body_chain(b) {
            let moved = d.cdof[v].lin + d.cdof[v].rot.cross(at);
            let change = twists.change(d, b, v);
            let change = change.lin + change.rot.cross(at) + turn.cross(moved);
            for (k, reading) in out.iter_mut().take(3).enumerate() {
                reading.dofs[POS][v.idx()] += share * change[k];
                reading.dofs[VEL][v.idx()] += share * moved[k];
            }
        }
    }
}

/// Whether a body is another or below it.
fn is_below(m: &Model, mut body: BodyId, root: BodyId) -> bool {
    while body != root && body != BodyId::WORLD {
        body = m.body_parentid[body];
    }
    body == root
}

/// The distance from a site along its axis to the surface of a geom.
pub(super) fn ray_distance(m: &Model, d: &Data, site: SiteId, out: &mut Reading) {
    let own = m.site_bodyid[site];
    let filter = RayFilter { exclude: Some(own), ..RayFilter::default() };
    let beam = Ray { origin: d.site_xpos[site], dir: d.site_xmat[site].col(2) };
    let Some(hit) = ray(m, d, beam, &filter) else { return };
    let (point, facing) = (beam.at(hit.dist), hit.normal.dot(beam.dir));
    for (body, sign) in [(m.geom_bodyid[hit.geom], 1.0), (own, -1.0)] {
        let at: Vec3 = point - d.subtree_com[m.body_rootid[body]];
        for v in m.body_chain(body) {
            let moved = d.cdof[v].lin + d.cdof[v].rot.cross(at);
            out.dofs[POS][v.idx()] += sign * hit.normal.dot(moved) / facing;
        }
    }
}
