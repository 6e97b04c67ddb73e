//! Velocities of the bodies, and the force of their motion.

use core::ops::Range;

use sinew_math::Spatial;
use sinew_math::four::{Inertias, Spatials, equal};
use sinew_math::simd::Lane;
use sinew_model::enums::JointType;
use sinew_model::{BodyId, Model};

use super::field::Field;
use super::work::FourWork;
use crate::smooth::rne::world_acceleration;

/// Velocities of the bodies and rates of the motion axes.
#[inline(always)]
pub(super) fn velocities<L: Lane>(m: &Model, w: &mut FourWork) {
    w.cvel.resize(6 * m.nbody);
    w.cdof_dot.resize(6 * m.nv);
    *w.cvel.row_mut(0) = [[0.0; 4]; 6];
    for b in m.bodies().skip(1) {
        let mut vel = Spatials::<L>::load(w.cvel.row(m.body_parentid[b].idx()));
        for j in m.body_joints(b) {
            let first = m.jnt_dofadr[j].idx();
            let kind = m.jnt_type[j];
            if !matches!(kind, JointType::Ball | JointType::Free) {
                carry(w, vel, first);
                vel = vel.plus(mul_dof_vec(&w.cdof, &w.qvel, first..first + 1));
                continue;
            }
            let mut ball = first;
            if kind == JointType::Free {
                // axes of translation are fixed
                for v in first..first + 3 {
                    *w.cdof_dot.row_mut(v) = [[0.0; 4]; 6];
                }
                vel = vel.plus(mul_dof_vec(&w.cdof, &w.qvel, first..first + 3));
                ball = first + 3;
            }
            // a ball's three axes all with the velocity before the joint
            for v in ball..ball + 3 {
                carry(w, vel, v);
            }
            vel = vel.plus(mul_dof_vec(&w.cdof, &w.qvel, ball..ball + 3));
        }
        vel.store(w.cvel.row_mut(b.idx()));
    }
}

/// ċdof = v × cdof
#[inline(always)]
fn carry<L: Lane>(w: &mut FourWork, vel: Spatials<L>, dof: usize) {
    vel.cross_motion(Spatials::load(w.cdof.row(dof))).store(w.cdof_dot.row_mut(dof));
}

/// Σ axis · rate over a range of dofs.
#[inline(always)]
fn mul_dof_vec<L: Lane>(axes: &Field, rates: &Field, dofs: Range<usize>) -> Spatials<L> {
    if dofs.len() == 1 {
        return Spatials::load(axes.row(dofs.start)).scale(L::load(&rates.all()[dofs.start]));
    }
    let mut sum = Spatials::<L>::splat(Spatial::ZERO);
    for v in dofs {
        let rate = L::load(&rates.all()[v]);
        let more = sum.plus(Spatials::load(axes.row(v)).scale(rate));
        sum = Spatials::select(equal(rate, L::splat(0.0)), sum, more);
    }
    sum
}

/// Acceleration of each body, and the force on it.
#[inline(always)]
pub(super) fn outwards<L: Lane>(m: &Model, w: &mut FourWork) {
    w.cacc.resize(6 * m.nbody);
    w.cfrc.resize(6 * m.nbody);
    Spatials::<L>::splat(world_acceleration(m)).store(w.cacc.row_mut(0));
    *w.cfrc.row_mut(0) = [[0.0; 4]; 6];
    for b in 1..m.nbody {
        let parent = Spatials::<L>::load(w.cacc.row(m.body_parentid[b].idx()));
        let dofs = m.body_dof_range(BodyId::new(b));
        let acc = parent.plus(mul_dof_vec(&w.cdof_dot, &w.qvel, dofs));
        acc.store(w.cacc.row_mut(b));
        let (inertia, vel) = (Inertias::load(w.cinert.row(b)), Spatials::load(w.cvel.row(b)));
        let force = inertia.mul(acc).plus(vel.cross_force(inertia.mul(vel)));
        force.store(w.cfrc.row_mut(b));
    }
}

/// Forces of the subtrees, and along each dof.
#[inline(always)]
pub(super) fn inwards<L: Lane>(m: &Model, w: &mut FourWork) {
    for b in (1..m.nbody).rev() {
        let parent = m.body_parentid[b];
        if parent != BodyId::WORLD {
            let child = Spatials::<L>::load(w.cfrc.row(b));
            let parent = w.cfrc.row_mut(parent.idx());
            Spatials::load(parent).plus(child).store(parent);
        }
    }
    w.qfrc_bias.resize(m.nv);
    for (v, out) in w.qfrc_bias.all_mut().iter_mut().enumerate() {
        let force = Spatials::<L>::load(w.cfrc.row(m.dof_bodyid[v].idx()));
        Spatials::load(w.cdof.row(v)).dot(force).store(out);
    }
}
