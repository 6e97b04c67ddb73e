//! Quantities about the centre of mass of each kinematic tree.
//!
//! Spatial vectors of one tree are all taken about its centre of mass: numerically good far from
//! the origin, and inertias of children simply add.

use core::ops::Range;

use sinew_math::{Inertia, InertiaPair, MINVAL, Mat3, Spatial, Vec3};
use sinew_model::enums::{JointType, SleepState};
use sinew_model::{BodyId, Data, Model};

use crate::smooth::ranges::BodyJoints;

use crate::sleep::{for_bodies, some_asleep};

/// Centres of mass, inertias and motion axes.
///
/// Reads `xipos`, `ximat`, `xmat`, `xanchor`, `xaxis`. Writes `subtree_com`, `cinert`, `cdof`.
#[doc(alias = "mj_comPos")]
pub fn com_pos(m: &Model, d: &mut Data) {
    d.cinert[BodyId::WORLD] = Inertia::default();
    if some_asleep(m, d) {
        return awake_com_pos(m, d);
    }
    subtree_centers(m, d);
    inertias(m, d, 1..m.nbody);
    motion_axes(m, d, 0..m.njnt);
}

/// [`com_pos`] where trees sleep.
#[cold]
#[inline(never)]
fn awake_com_pos(m: &Model, d: &mut Data) {
    for_bodies(m, d, |d, run| moments(m, d, run));
    sum_awake_moments(m, d);
    for_bodies(m, d, |d, run| over_mass(m, d, run));
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
#[inline(always)]
fn inertias(m: &Model, d: &mut Data, bodies: Range<usize>) {
    let end = bodies.end;
    let Data { subtree_com, cinert, xipos, ximat, .. } = d;
    let cinert = cinert.rows_mut(0..end);
    let (xipos, ximat) = (xipos.rows(0..end), ximat.rows(0..end));
    let (inertia, mass) = (m.body_inertia.rows(0..end), m.body_mass.rows(0..end));
    let root = m.body_rootid.rows(0..end);
    let offset = |b: usize| xipos[b] - subtree_com[root[b]];
    let mut b = bodies.start;
    while b + 1 < end {
        let two = InertiaPair::from_principal(
            [&inertia[b], &inertia[b + 1]],
            [&ximat[b], &ximat[b + 1]],
            [offset(b), offset(b + 1)],
            [mass[b], mass[b + 1]],
        );
        let (first, second) = cinert.split_at_mut(b + 1);
        two.put(&mut first[b], &mut second[0]);
        b += 2;
    }
    if b < end {
        cinert[b] = Inertia::from_principal(inertia[b], ximat[b], offset(b), mass[b]);
    }
}

/// Velocities of the bodies and rates of the motion axes.
///
/// Reads `cdof`, `qvel`. Writes `cvel`, `cdof_dot`.
#[doc(alias = "mj_comVel")]
pub fn com_vel(m: &Model, d: &mut Data) {
    d.cvel[BodyId::WORLD] = Spatial::ZERO;
    if some_asleep(m, d) {
        return awake_com_vel(m, d);
    }
    velocities(m, d, 1..m.nbody);
}

/// [`com_vel`] where trees sleep.
#[cold]
#[inline(never)]
fn awake_com_vel(m: &Model, d: &mut Data) {
    for_bodies(m, d, |d, run| velocities(m, d, run.start.max(1)..run.end));
}

#[inline(always)]
fn velocities(m: &Model, d: &mut Data, bodies: Range<usize>) {
    let Data { cvel, cdof_dot, cdof, qvel, .. } = d;
    let (end, nv) = (bodies.end, m.nv);
    let cvel = cvel.rows_mut(0..end);
    let parent = m.body_parentid.rows(0..end);
    let joints = BodyJoints::of(m, end);
    let (kind, first_dof) = (m.jnt_type.rows(0..m.njnt), m.jnt_dofadr.rows(0..m.njnt));
    let (cdof, cdof_dot, qvel) = (cdof.rows(0..nv), cdof_dot.rows_mut(0..nv), qvel.rows(0..nv));
    for b in bodies {
        let mut vel = cvel[parent[b].idx()];
        for j in joints.range(b) {
            let first = first_dof[j].idx();
            let kind = kind[j];
            if !matches!(kind, JointType::Ball | JointType::Free) {
                // ċdof = v × cdof
                let axis = cdof[first];
                cdof_dot[first] = vel.cross_motion(axis);
                vel += axis * qvel[first];
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
// inlined, as `local_2_global`
#[doc(alias = "mju_mulDofVec")]
#[inline(always)]
pub(crate) fn mul_dof_vec(axes: &[Spatial], rates: &[f64], dofs: Range<usize>) -> Spatial {
    let (axes, rates) = (&axes[dofs.clone()], &rates[dofs]);
    if let ([axis], [rate]) = (axes, rates) {
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
#[inline(always)]
fn motion_axes(m: &Model, d: &mut Data, joints: Range<usize>) {
    let (end, nv) = (joints.end, m.nv);
    let Data { cdof, subtree_com, xmat, xanchor, xaxis, .. } = d;
    let cdof = cdof.rows_mut(0..nv);
    let (xanchor, xaxis) = (xanchor.rows(0..end), xaxis.rows(0..end));
    let (kind, body) = (m.jnt_type.rows(0..end), m.jnt_bodyid.rows(0..end));
    let first_dof = m.jnt_dofadr.rows(0..end);
    for j in joints {
        let (b, first) = (body[j], first_dof[j].idx());
        let offset = subtree_com[m.body_rootid[b]] - xanchor[j];
        match kind[j] {
            JointType::Hinge => turn(&mut cdof[first], xaxis[j], offset),
            JointType::Slide => cdof[first] = Spatial::new(Vec3::ZERO, xaxis[j]),
            JointType::Ball => turns(&mut cdof[first..first + 3], &xmat[b], offset),
            _ => {
                // a free joint moves along the world's axes, then turns like a ball
                let (along, turning) = cdof[first..first + 6].split_at_mut(3);
                along.copy_from_slice(&ALONG);
                turns(turning, &xmat[b], offset);
            }
        }
    }
}

/// The axes of a ball joint: the axes of its body.
#[inline(always)]
fn turns(out: &mut [Spatial], mat: &Mat3, offset: Vec3) {
    turn(&mut out[0], mat.col(0), offset);
    turn(&mut out[1], mat.col(1), offset);
    turn(&mut out[2], mat.col(2), offset);
}

/// Rotation about an axis through a point, as seen from the point `offset` away.
// inlined, and written in place, as `local_2_global`
#[inline(always)]
fn turn(out: &mut Spatial, axis: Vec3, offset: Vec3) {
    out.rot = axis;
    out.lin = axis.cross(offset);
}
