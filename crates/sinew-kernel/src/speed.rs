//! Velocities along the joints of a body, with which the motion axes of its dofs turn.

use sinew_math::algebra::Spatials;

use crate::joint::{BALL, FREE};
use crate::real::Real;
use crate::rows::*;
use crate::tables::{Model, World};

/// Velocities before and after the joint of a dof. A free joint counts as one that moves and one
/// that turns.
#[inline(never)]
pub(crate) fn around<R: Real>(m: Model<'_, R>, w: World<'_, R>, v: usize) -> [Spatials<R>; 2] {
    let b = m.dof_body().at(v) as usize;
    let mut vel = get6(w.cvel(), m.body_parent().at(b) as usize);
    let (first, joints) = (m.body_jntadr().at(b) as usize, m.body_jntnum().at(b) as usize);
    let mut at = m.jnt_dofadr().at(first) as usize;
    for j in first..first + joints {
        let kind = m.jnt_type().at(j);
        let size = if kind == FREE || kind == BALL { 3 } else { 1 };
        for _ in 0..if kind == FREE { 2 } else { 1 } {
            let before = vel;
            for k in at..at + size {
                vel = vel.plus(get6(w.cdof(), k).scale(w.qvel().at(k)));
            }
            at += size;
            if v < at {
                return [before, vel];
            }
        }
    }
    [vel, vel]
}

/// Whether a dof is one of the three angular velocities of a ball or free joint.
#[inline(always)]
pub(crate) fn turns_quaternion<R: Real>(m: Model<'_, R>, v: usize) -> bool {
    let b = m.dof_body().at(v) as usize;
    let first = m.body_jntadr().at(b) as usize;
    (first..first + m.body_jntnum().at(b) as usize).any(|j| {
        let at = m.jnt_dofadr().at(j) as usize;
        match m.jnt_type().at(j) {
            FREE => v >= at + 3 && v < at + 6,
            BALL => v >= at && v < at + 3,
            _ => false,
        }
    })
}
