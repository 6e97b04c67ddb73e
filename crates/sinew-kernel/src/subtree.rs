//! Centres of mass of subtrees, and their velocities.

use sinew_math::algebra::Vec3s;

use crate::real::Real;
use crate::rows::*;
use crate::tables::{Model, World};

/// Σ mass · x over a body and those below.
#[inline(always)]
pub(crate) fn moment_of_mass<R: Real>(
    m: Model<'_, R>,
    root: usize,
    of: impl Fn(usize) -> Vec3s<R>,
) -> Vec3s<R> {
    let mut sum = zero3();
    for b in root..m.body_end().at(root) as usize {
        sum = sum + of(b).scale(m.body_mass().at(b));
    }
    sum
}

/// The centre of mass of a body and those below; the body's own, if they have no mass.
#[inline(always)]
pub(crate) fn subtree_com<R: Real>(m: Model<'_, R>, w: World<'_, R>, root: usize) -> Vec3s<R> {
    let mass = m.subtree_mass().at(root);
    if mass < R::of(sinew_math::MINVAL) {
        return get3(w.xipos(), root);
    }
    moment_of_mass(m, root, |b| get3(w.xipos(), b)).scale(R::ONE / mass)
}

/// Velocity of the subtree.
#[inline(always)]
pub(crate) fn subtree_velocity<R: Real>(m: Model<'_, R>, w: World<'_, R>, root: usize) -> Vec3s<R> {
    let mass = m.subtree_mass().at(root).max(R::of(sinew_math::MINVAL));
    let velocity = |b: usize| {
        let vel = get6(w.cvel(), b);
        let com = get3(w.com(), m.body_root().at(b) as usize);
        vel.lin - (get3(w.xipos(), b) - com).cross(vel.rot)
    };
    moment_of_mass(m, root, velocity).scale(R::ONE / mass)
}
