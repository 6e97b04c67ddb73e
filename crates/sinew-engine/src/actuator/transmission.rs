//! Transmission: actuator lengths and the moment arms that turn actuator forces into joint forces.

use sinew_math::{Quat, Vec3, vector};
use sinew_model::enums::{ConeType, DisableBit, JointType, ObjType, TrnType};
use sinew_model::later::TRN_SO3;
use sinew_model::{
    ActuatorId, BodyId, Contact, Data, DofId, GeomId, JointId, Model, SiteId, TendonId,
};

use crate::actuator::servo;
use crate::constraint;
use crate::dof_chain::{ChainLink, Moves, merged};
use crate::sleep::{is_asleep, some_asleep};
use crate::smooth::dof_path::{Carried, relative};
use crate::sparse;
use crate::sparse::SparseRow;
use crate::work::{ActuationWork, scratch};

/// Lengths and moments of all actuators.
///
/// Reads `qpos`, `xquat`, `site_xpos`, `site_xmat`, `subtree_com`, `cdof`, `ten_length`, `ten_J`
/// and, for adhesion, `contact` and `efc_J`. Writes `actuator_length`, `moment_rownnz`,
/// `moment_rowadr`, `moment_colind`, `actuator_moment`.
#[doc(alias = "mj_transmission")]
pub fn transmission(m: &Model, d: &mut Data) {
    if m.nu == 0 {
        return;
    }
    if some_asleep(m, d) {
        return others(m, d, 0, 0);
    }
    let (next, nnz) = single_dofs(m, d, 0, 0);
    if next < m.nu {
        others(m, d, next, nnz);
    }
}

/// [`transmission`] from actuator `next` on, with moments at address `nnz`.
// not inlined: most actuators drive a single dof
#[inline(never)]
fn others(m: &Model, d: &mut Data, mut next: usize, mut nnz: usize) {
    let some_asleep = some_asleep(m, d);
    while next < m.nu {
        let u = ActuatorId::new(next);
        d.moment_rowadr[u] = nnz as i32;
        let added = match m.actuator_trntype[u] {
            _ if some_asleep && is_asleep(m, d, ObjType::Actuator, next) => 0,
            TrnType::Tendon => tendon(m, d, u, nnz),
            _ => other(m, d, u, nnz),
        };
        d.moment_rownnz[u] = added as i32;
        (next, nnz) = (next + 1, nnz + added);
        if !some_asleep {
            (next, nnz) = single_dofs(m, d, next, nnz);
        }
    }
}

/// Lengths and moments of a run of hinge and slide actuators, which begins at `first`. Moments go
/// to address `nnz`. Gives the next actuator and address.
#[inline(always)]
fn single_dofs(m: &Model, d: &mut Data, first: usize, mut nnz: usize) -> (usize, usize) {
    // tables cut to their lengths once, so that the loop below checks no bounds
    let (n, njnt) = (m.nu, m.njnt);
    let Data { qpos, actuator_length, moment_rowadr, moment_rownnz, .. } = d;
    let (length, qpos) = (actuator_length.rows_mut(0..n), &**qpos);
    let (rowadr, rownnz) = (moment_rowadr.rows_mut(0..n), moment_rownnz.rows_mut(0..n));
    let (cols, moments) = (&mut *d.moment_colind, d.actuator_moment.flat_mut());
    let (kind, target) = (m.actuator_trntype.rows(0..n), m.actuator_trnid.rows(0..n));
    let gear = m.actuator_gear.rows(0..n);
    let (joint_kind, dof) = (m.jnt_type.rows(0..njnt), m.jnt_dofadr.rows(0..njnt));
    let adr = m.jnt_qposadr.rows(0..njnt);

    // length = gear · q, moment = gear at the dof of the joint
    for u in first..n {
        if !matches!(kind[u], TrnType::Joint | TrnType::Jointinparent) {
            return (u, nnz);
        }
        let j = target[u][0] as usize;
        if matches!(joint_kind[j], JointType::Ball | JointType::Free) {
            return (u, nnz);
        }
        let gear = gear[u][0];
        length[u] = qpos[adr[j] as usize] * gear;
        (rowadr[u], rownnz[u]) = (nnz as i32, 1);
        (cols[nnz], moments[nnz]) = (dof[j], gear);
        nnz += 1;
    }
    (n, nnz)
}

/// Length of an actuator of any kind but the simplest; its moment goes to address `nnz`. Gives the
/// number of entries.
#[inline(never)]
fn other(m: &Model, d: &mut Data, u: ActuatorId, nnz: usize) -> usize {
    let mut row = core::mem::take(&mut scratch(d).actuation.row);
    row.clear();
    d.actuator_length[u] = match m.actuator_trntype[u] {
        TrnType::Joint | TrnType::Jointinparent => joint(m, d, u, &mut row),
        TrnType::Slidercrank => slider_crank(m, d, u, &mut row),
        TrnType::Site => site(m, d, u, &mut row),
        TrnType::Body => adhesion(m, d, u, &mut row),
        TRN_SO3 => servo::transmission(m, d, u, &mut row),
        _ => 0.0,
    };
    let added = row.ind.len();
    (*d.moment_colind)[nnz..nnz + added].copy_from_slice(&row.ind);
    d.actuator_moment.flat_mut()[nnz..nnz + added].copy_from_slice(&row.val);
    scratch(d).actuation.row = row;
    added
}

/// Velocities of all actuators; zero if actuation is switched off.
///
/// Reads `actuator_moment`, `qvel`. Writes `actuator_velocity`.
#[inline(always)]
pub fn actuator_vel(m: &Model, d: &mut Data) {
    if m.opt.disabled(DisableBit::Actuation) {
        vector::zero(&mut d.actuator_velocity);
        return;
    }
    let Data { actuator_velocity, actuator_moment, moment_colind, qvel, .. } = d;
    let (cols, moments) = (&**moment_colind, actuator_moment.flat());
    let rows = d.moment_rowadr.iter().zip(d.moment_rownnz.iter());
    for (vel, (&adr, &nnz)) in actuator_velocity.iter_mut().zip(rows) {
        let (adr, nnz) = (adr as usize, nnz as usize);
        *vel = if nnz == 1 {
            // a sum that begins with zero has no negative zeros
            0.0 + moments[adr] * qvel[cols[adr]]
        } else {
            sparse::dot(&cols[adr..adr + nnz], &moments[adr..adr + nnz], qvel)
        };
    }
}

/// Non-zeros of an actuator's moment.
pub(crate) fn moment_row(d: &Data, u: ActuatorId) -> (&[DofId], &[f64]) {
    let start = d.moment_rowadr[u] as usize;
    let range = start..start + d.moment_rownnz[u] as usize;
    (&(*d.moment_colind)[range.clone()], &d.actuator_moment.flat()[range])
}

/// The object an actuator acts on, as a row number.
fn target(m: &Model, u: ActuatorId) -> usize {
    m.actuator_trnid[u][0] as usize
}

/// The two halves of an actuator's gear: translation and rotation.
fn gears(m: &Model, u: ActuatorId) -> (Vec3, Vec3) {
    let gear = &m.actuator_gear[u];
    (Vec3::from_slice(gear), Vec3::from_slice(&gear[3..]))
}

/// A joint; a ball or free one takes the gear as a wrench, in the frame of the joint's child or of
/// its parent.
fn joint(m: &Model, d: &Data, u: ActuatorId, row: &mut SparseRow) -> f64 {
    let j = JointId::new(target(m, u));
    let q = &d.qpos.flat()[m.jnt_qpos(j)];
    let (gear, gear_rot) = gears(m, u);
    let to_child = |quat: Quat, axis: Vec3| {
        if m.actuator_trntype[u] == TrnType::Joint { axis } else { quat.conj().rotate(axis) }
    };
    let mut dofs = m.jnt_dofs(j);
    let mut push = |v: Vec3| {
        for (x, dof) in v.to_array().into_iter().zip(dofs.by_ref()) {
            row.push(dof, x);
        }
    };
    match m.jnt_type[j] {
        JointType::Ball => {
            let quat = Quat::from_slice(q).normalize().0;
            let axis = to_child(quat, gear);
            push(axis);
            quat.to_vel(1.0).dot(axis)
        }
        JointType::Free => {
            let quat = Quat::from_slice(&q[3..]).normalize().0;
            push(gear);
            push(to_child(quat, gear_rot));
            0.0
        }
        _ => {
            row.push(m.jnt_dofadr[j], gear.x);
            q[0] * gear.x
        }
    }
}

/// A tendon, scaled by the gear; its moment goes to address `nnz`. Gives the number of entries.
fn tendon(m: &Model, d: &mut Data, u: ActuatorId, nnz: usize) -> usize {
    let t = TendonId::new(target(m, u));
    let gear = m.actuator_gear[u][0];
    d.actuator_length[u] = d.ten_length[t] * gear;
    let Data { moment_colind, actuator_moment, ten_J, ten_J_colind, .. } = d;
    let out_ind = &mut moment_colind.split_at_mut(nnz).1;
    let out_val = &mut actuator_moment.split_at_mut(nnz).1;

    // the row of the tendon, or its non-zero entries
    if m.is_sparse() {
        let row = d.ten_J_rowadr[t] as usize;
        let row = row..row + d.ten_J_rownnz[t] as usize;
        out_ind[..row.len()].copy_from_slice(&ten_J_colind.flat()[row.clone()]);
        for (x, val) in out_val.iter_mut().zip(&ten_J.flat()[row.clone()]) {
            *x = val * gear;
        }
        return row.len();
    }
    let mut added = 0;
    for (dof, val) in ten_J[t].iter().enumerate() {
        let x = val * gear;
        if x != 0.0 {
            out_ind[added] = DofId::new(dof);
            out_val[added] = x;
            added += 1;
        }
    }
    added
}

/// A crank of fixed length between a site and a slider on the z axis of another.
///
/// With v from slider to crank, a the axis and r the rod: length = aᵀv - √((aᵀv)² + r² - vᵀv).
fn slider_crank(m: &Model, d: &Data, u: ActuatorId, row: &mut SparseRow) -> f64 {
    let [crank, slider] = m.actuator_trnid[u].map(|id| SiteId::new(id as usize));
    let rod = m.actuator_cranklength[u];
    let gear = m.actuator_gear[u][0];
    let axis = d.site_xmat[slider].col(2);
    let vec = d.site_xpos[crank] - d.site_xpos[slider];

    // length and its derivatives; a rod that is too short follows the slider
    let along = vec.dot(axis);
    let det = along * along + rod * rod - vec.dot(vec);
    let (length, by_vec, by_axis) = if det <= 0.0 {
        (along, axis, vec)
    } else {
        let root = det.sqrt();
        let share = 1.0 - along / root;
        (along - root, axis * share + vec * (1.0 / root), vec * share)
    };

    // chain rule over the motion of both sites
    let (first, second) = (Carried::site(m, d, slider), Carried::site(m, d, crank));
    for ChainLink { dof, moves } in merged(m, first.dof, second.dof) {
        let cdof = d.cdof[dof];
        let vec_col = relative(&first, &second, cdof, moves);
        let axis_col = if moves == Moves::Second { Vec3::ZERO } else { cdof.rot.cross(axis) };
        let mut moment = 0.0;
        for k in 0..3 {
            moment += by_axis[k] * axis_col[k] + by_vec[k] * vec_col[k];
        }
        push_nonzero(row, dof, moment * gear);
    }
    row.reverse();
    length * gear
}

/// A site: a wrench in its frame, or its pose relative to a reference site along the gear.
fn site(m: &Model, d: &Data, u: ActuatorId, row: &mut SparseRow) -> f64 {
    let s = SiteId::new(target(m, u));
    let (gear, gear_rot) = gears(m, u);
    let at = Carried::site(m, d, s);
    let Ok(reference) = usize::try_from(m.actuator_trnid[u][1]).map(SiteId::new) else {
        let mat = d.site_xmat[s];
        let (force, torque) = (mat * gear, mat * gear_rot);
        if let Some(last) = at.dof {
            for dof in m.dof_chain(last) {
                let cdof = d.cdof[dof];
                push_nonzero(row, dof, at.column(cdof).dot(force) + cdof.rot.dot(torque));
            }
        }
        row.reverse();
        return 0.0;
    };

    // length along translational and rotational gear
    let mat = d.site_xmat[reference];
    let mut length = 0.0;
    if gear != Vec3::ZERO {
        let vec = mat.tmul_vec(d.site_xpos[s] - d.site_xpos[reference]);
        length += vec.dot(gear);
    }
    if gear_rot != Vec3::ZERO {
        // the order of this product is MuJoCo 3.5.0's; it is no orientation once a site is rotated
        let quat = |s: SiteId| m.site_quat[s] * d.xquat[m.site_bodyid[s]];
        length += quat(s).rotvec_from(quat(reference)).dot(gear_rot);
    }

    // moment: dofs that move both sites cancel
    let (force, torque) = (mat * gear, mat * gear_rot);
    let ref_at = Carried::site(m, d, reference);
    for ChainLink { dof, moves } in merged(m, ref_at.dof, at.dof) {
        let cdof = d.cdof[dof];
        let moment = match moves {
            Moves::Both => continue,
            Moves::First => (-ref_at.column(cdof)).dot(force) + (-cdof.rot).dot(torque),
            Moves::Second => at.column(cdof).dot(force) + cdof.rot.dot(torque),
        };
        push_nonzero(row, dof, moment);
    }
    row.reverse();
    length
}

/// Adhesion: minus the mean of the normals of all contacts of a body.
fn adhesion(m: &Model, d: &mut Data, u: ActuatorId, row: &mut SparseRow) -> f64 {
    let body = BodyId::new(target(m, u));
    let mut work = core::mem::take(&mut scratch(d).actuation);
    let ActuationWork { dense, excluded, .. } = &mut work;

    // sum of the normals, from constraint rows and without
    for sum in [&mut *dense, &mut *excluded] {
        sum.clear();
        sum.resize(m.nv, 0.0);
    }
    let mut count = 0;
    for con in &d.contact {
        let Some([b1, b2]) = contact_bodies(m, con) else { continue };
        if b1 != body && b2 != body {
            continue;
        }
        match con.exclude {
            0 => add_normal_rows(m, d, con, dense),
            1 => add_gap_normal(m, d, con, [b1, b2], excluded),
            _ => continue,
        }
        count += 1;
    }

    // minus their mean
    if count > 0 {
        let scale = -1.0 / f64::from(count);
        for (dof, (x, y)) in m.dofs().zip(dense.iter().zip(&*excluded)) {
            push_nonzero(row, dof, (x + y) * scale);
        }
    }
    scratch(d).actuation = work;
    0.0
}

/// The bodies of a contact; none if a flex is involved.
fn contact_bodies(m: &Model, con: &Contact) -> Option<[BodyId; 2]> {
    let [g1, g2] = con.geom.map(|g| usize::try_from(g).ok());
    Some([m.geom_bodyid[GeomId::new(g1?)], m.geom_bodyid[GeomId::new(g2?)]])
}

/// Adds the normal of a contact from its constraint rows: the first row, or the mean over the edges
/// of the friction pyramid.
fn add_normal_rows(m: &Model, d: &Data, con: &Contact, out: &mut [f64]) {
    let Ok(first) = usize::try_from(con.efc_address) else { return };
    let (rows, weight) = if con.dim == 1 || m.cone() == ConeType::Elliptic {
        (1, 1.0)
    } else {
        let tangents = con.dim - 1;
        (2 * tangents as usize, 0.5 / f64::from(tangents))
    };
    for r in first..(first + rows).min(d.nefc) {
        let (ind, row) = constraint::jacobian_row(d, r);
        for (&i, x) in ind.iter().zip(row) {
            out[i as usize] += x * weight;
        }
    }
}

/// Adds the normal of a contact that lies within its gap and so has no constraint rows.
fn add_gap_normal(m: &Model, d: &Data, con: &Contact, bodies: [BodyId; 2], out: &mut [f64]) {
    let [first, second] = bodies.map(|b| Carried::new(m, d, b, con.pos));
    let normal = con.frame.row(0);
    for ChainLink { dof, moves } in merged(m, first.dof, second.dof) {
        out[dof.idx()] += relative(&first, &second, d.cdof[dof], moves).dot(normal);
    }
}

/// Appends an entry unless it is zero.
fn push_nonzero(row: &mut SparseRow, dof: DofId, x: f64) {
    if x != 0.0 {
        row.push(dof, x);
    }
}
