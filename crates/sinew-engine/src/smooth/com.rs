//! Quantities about the centre of mass of each kinematic tree.
//!
//! Spatial vectors of one tree are all taken about its centre of mass: numerically good far from
//! the origin, and inertias of children simply add.

use core::ops::Range;

use sinew_math::{Inertia, InertiaPair, MINVAL, Mat3, Spatial, Vec3};
use sinew_model::enums::{JointType, SleepState};
use sinew_model::{BodyId, Data, DofId, Model, Table};

use crate::sleep::{for_bodies, some_asleep};

/// Centres of mass, inertias and motion axes.
///
/// Reads `xipos`, `ximat`, `xmat`, `xanchor`, `xaxis`. Writes `subtree_com`, `cinert`, `cdof`.
#[doc(alias = "mj_comPos")]
pub fn com_pos(m: &Model, d: &mut Data) {
    // mass moments, summed towards the root, over subtree mass
    for_bodies(m, d, |d, run| moments(m, d, run));
    if some_asleep(m, d) {
        sum_awake_moments(m, d);
    } else {
        sum_moments(m, &mut d.subtree_com);
    }

    // the root of a body comes before it
    d.cinert[BodyId::WORLD] = Inertia::default();
    for_bodies(m, d, |d, run| {
        over_mass(m, d, run.clone());
        inertias(m, d, run.start.max(1)..run.end);
        motion_axes(m, d, m.joint_range(run));
    });
}

fn moments(m: &Model, d: &mut Data, bodies: Range<usize>) {
    let places = d.xipos.rows(bodies.clone()).iter().zip(m.body_mass.rows(bodies.clone()));
    for (com, (&pos, &mass)) in d.subtree_com.rows_mut(bodies).iter_mut().zip(places) {
        *com = pos * mass;
    }
}

fn sum_moments(m: &Model, subtree_com: &mut Table<BodyId, Vec3>) {
    let mut total = subtree_com[BodyId::WORLD];
    for b in m.bodies().skip(1).rev() {
        let moment = subtree_com[b];
        match m.body_parentid[b] {
            BodyId::WORLD => total += moment,
            parent => subtree_com[parent] += moment,
        }
    }
    subtree_com[BodyId::WORLD] = total;
}

/// `sum_moments` where trees sleep: of those the centre of mass is still known.
fn sum_awake_moments(m: &Model, d: &mut Data) {
    let Data { subtree_com, parent_awake_ind, body_awake, nparent_awake, .. } = d;
    for &b in parent_awake_ind.iter().take(*nparent_awake).rev() {
        let b = b as usize;
        if b == 0 || b >= m.nbody {
            continue;
        }
        let asleep = body_awake[b] == SleepState::Asleep;
        let moment = if asleep { subtree_com[b] * m.body_subtreemass[b] } else { subtree_com[b] };
        subtree_com[m.body_parentid[b]] += moment;
    }
}

fn over_mass(m: &Model, d: &mut Data, bodies: Range<usize>) {
    let places = d.xipos.rows(bodies.clone()).iter().zip(m.body_subtreemass.rows(bodies.clone()));
    for (com, (&pos, &mass)) in d.subtree_com.rows_mut(bodies).iter_mut().zip(places) {
        if mass < MINVAL {
            *com = pos;
        } else {
            *com *= 1.0 / mass;
        }
    }
}

/// Inertias about the tree's centre of mass.
fn inertias(m: &Model, d: &mut Data, bodies: Range<usize>) {
    let Data { subtree_com, cinert, xipos, ximat, .. } = d;
    let (xipos, ximat) = (&**xipos, &**ximat);
    let root = |b: usize| subtree_com[m.body_rootid[b]];
    let mut b = bodies.start;
    let (cinert2, cinert1) = cinert.rows_mut(bodies).as_chunks_mut::<2>();
    for [first, second] in cinert2 {
        InertiaPair::from_principal(
            [&m.body_inertia[b], &m.body_inertia[b + 1]],
            [&ximat[b], &ximat[b + 1]],
            [xipos[b] - root(b), xipos[b + 1] - root(b + 1)],
            [m.body_mass[b], m.body_mass[b + 1]],
        )
        .put(first, second);
        b += 2;
    }
    if let [last] = cinert1 {
        let offset = xipos[b] - root(b);
        *last = Inertia::from_principal(m.body_inertia[b], ximat[b], offset, m.body_mass[b]);
    }
}

/// Velocities of the bodies and rates of the motion axes.
///
/// Reads `cdof`, `qvel`. Writes `cvel`, `cdof_dot`.
#[doc(alias = "mj_comVel")]
pub fn com_vel(m: &Model, d: &mut Data) {
    d.cvel[BodyId::WORLD] = Spatial::ZERO;
    for_bodies(m, d, |d, run| velocities(m, d, run.start.max(1)..run.end));
}

fn velocities(m: &Model, d: &mut Data, bodies: Range<usize>) {
    let Data { cvel, cdof_dot, cdof, qvel, .. } = d;
    for b in bodies.map(BodyId::new) {
        let mut vel = cvel[m.body_parentid[b]];
        for j in m.body_joints(b) {
            let first = m.jnt_dofadr[j].idx();
            let kind = m.jnt_type[j];
            if !matches!(kind, JointType::Ball | JointType::Free) {
                // ċdof = v × cdof
                cdof_dot[first] = vel.cross_motion(cdof[first]);
                vel += mul_dof_vec(cdof, qvel, first..first + 1);
                continue;
            }
            let mut ball = first;
            if kind == JointType::Free {
                // axes of translation are fixed
                for v in first..first + 3 {
                    cdof_dot[v] = Spatial::ZERO;
                }
                vel += mul_dof_vec(cdof, qvel, first..first + 3);
                ball = first + 3;
            }
            // a ball's three axes all with the velocity before the joint
            for v in ball..ball + 3 {
                cdof_dot[v] = vel.cross_motion(cdof[v]);
            }
            vel += mul_dof_vec(cdof, qvel, ball..ball + 3);
        }
        cvel[b] = vel;
    }
}

/// Σ axis · rate over a range of dofs.
// always inlined: see `local_2_global`
#[doc(alias = "mju_mulDofVec")]
#[inline(always)]
pub(crate) fn mul_dof_vec(
    axes: &Table<DofId, Spatial>,
    rates: &Table<DofId, f64>,
    dofs: core::ops::Range<usize>,
) -> Spatial {
    let (axes, rates) = (&axes.split_at(dofs.start).1[..dofs.len()], rates.split_at(dofs.start).1);
    if let ([axis], [rate, ..]) = (axes, rates) {
        return *axis * *rate;
    }
    let mut sum = Spatial::ZERO;
    for (&axis, &rate) in axes.iter().zip(rates) {
        if rate != 0.0 {
            sum += axis * rate;
        }
    }
    sum
}

/// The axes of a free joint's translation.
const ALONG: [Spatial; 3] = [
    Spatial::new(Vec3::ZERO, Vec3::X),
    Spatial::new(Vec3::ZERO, Vec3::Y),
    Spatial::new(Vec3::ZERO, Vec3::Z),
];

/// Motion axis of each dof of some joints, about the tree's centre of mass.
fn motion_axes(m: &Model, d: &mut Data, joints: Range<usize>) {
    let Data { cdof, subtree_com, xmat, xanchor, xaxis, .. } = d;
    let frames = xanchor.rows(joints.clone()).iter().zip(xaxis.rows(joints.clone()));
    let places = m.jnt_bodyid.rows(joints.clone()).iter().zip(m.jnt_dofadr.rows(joints.clone()));
    let joints = m.jnt_type.rows(joints).iter().zip(places);
    for ((&kind, (&b, first)), (&anchor, &axis)) in joints.zip(frames) {
        let offset = subtree_com[m.body_rootid[b]] - anchor;
        let first = first.idx();
        match kind {
            JointType::Hinge => turn(&mut cdof[first], axis, offset),
            JointType::Slide => cdof[first] = Spatial::new(Vec3::ZERO, axis),
            JointType::Ball => turns(&mut cdof.split_at_mut(first).1[..3], &xmat[b], offset),
            _ => {
                // a free joint moves along the world's axes, then turns like a ball
                let (along, turning) = cdof.split_at_mut(first).1[..6].split_at_mut(3);
                along.copy_from_slice(&ALONG);
                turns(turning, &xmat[b], offset);
            }
        }
    }
}

/// The axes of a ball joint: those of its body.
#[inline(always)]
fn turns(out: &mut [Spatial], mat: &Mat3, offset: Vec3) {
    turn(&mut out[0], mat.col(0), offset);
    turn(&mut out[1], mat.col(1), offset);
    turn(&mut out[2], mat.col(2), offset);
}

/// Rotation about an axis through a point, as seen from the point `offset` away.
// always inlined, and written in place: see `local_2_global`
#[inline(always)]
fn turn(out: &mut Spatial, axis: Vec3, offset: Vec3) {
    out.rot = axis;
    out.lin = axis.cross(offset);
}
