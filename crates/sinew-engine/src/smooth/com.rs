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
    if some_asleep(m, d) {
        for_bodies(m, d, |d, run| moments(m, d, run));
        sum_awake_moments(m, d);
        for_bodies(m, d, |d, run| over_mass(m, d, run));
    } else {
        subtree_centers(m, d);
    }

    d.cinert[BodyId::WORLD] = Inertia::default();
    for_bodies(m, d, |d, run| {
        inertias(m, d, run.start.max(1)..run.end);
        motion_axes(m, d, m.joint_range(run));
    });
}

/// Centres of mass of all subtrees: mass moments, summed towards the root, over subtree mass.
fn subtree_centers(m: &Model, d: &mut Data) {
    let n = m.nbody;
    let Data { subtree_com, xipos, .. } = d;
    let (com, pos) = (subtree_com.rows_mut(0..n), xipos.rows(0..n));
    let (mass, parent) = (m.body_mass.rows(0..n), m.body_parentid.rows(0..n));
    let total = m.body_subtreemass.rows(0..n);
    for b in 0..n {
        com[b] = pos[b] * mass[b];
    }
    let mut world = com[0];
    for b in (1..n).rev() {
        let moment = com[b];
        match parent[b] {
            BodyId::WORLD => world += moment,
            parent => com[parent.idx()] += moment,
        }
        com[b] = center(moment, total[b], pos[b]);
    }
    com[0] = center(world, total[0], pos[0]);
}

/// The centre of a mass with a moment; `pos` if there is no mass.
#[inline(always)]
fn center(moment: Vec3, mass: f64, pos: Vec3) -> Vec3 {
    if mass < MINVAL { pos } else { moment * (1.0 / mass) }
}

fn moments(m: &Model, d: &mut Data, bodies: Range<usize>) {
    let places = d.xipos.rows(bodies.clone()).iter().zip(m.body_mass.rows(bodies.clone()));
    for (com, (&pos, &mass)) in d.subtree_com.rows_mut(bodies).iter_mut().zip(places) {
        *com = pos * mass;
    }
}

/// Sums of moments where trees sleep: of those the centre of mass is still known.
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
        *com = center(*com, mass, pos);
    }
}

/// Inertias about the tree's centre of mass, of two bodies at a time.
fn inertias(m: &Model, d: &mut Data, bodies: Range<usize>) {
    let Data { subtree_com, cinert, xipos, ximat, .. } = d;
    let n = bodies.len();
    let cinert = &mut cinert.rows_mut(bodies.clone())[..n];
    let (xipos, ximat) = (&xipos.rows(bodies.clone())[..n], &ximat.rows(bodies.clone())[..n]);
    let (inertia, mass) =
        (&m.body_inertia.rows(bodies.clone())[..n], &m.body_mass.rows(bodies.clone())[..n]);
    let root = &m.body_rootid.rows(bodies)[..n];
    let offset = |i: usize| xipos[i] - subtree_com[root[i]];
    let mut i = 0;
    while i + 1 < n {
        let two = InertiaPair::from_principal(
            [&inertia[i], &inertia[i + 1]],
            [&ximat[i], &ximat[i + 1]],
            [offset(i), offset(i + 1)],
            [mass[i], mass[i + 1]],
        );
        let (first, second) = cinert.split_at_mut(i + 1);
        two.put(&mut first[i], &mut second[0]);
        i += 2;
    }
    if i < n {
        cinert[i] = Inertia::from_principal(inertia[i], ximat[i], offset(i), mass[i]);
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
