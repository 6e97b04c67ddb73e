//! Contacts of a moving body with one that never moves.
//!
//! With the unit wrench g of a row about the centre of mass, the row of the Jacobian is g·S. The
//! wrench of all rows changes with the motion S of the body, where ξ is the twist before the dof:
//!
//! ```text
//! dw = E S + A (ξ_a × S) + B (ξ_v × S)     A = Σ g W gᵀ,  B = Σ g W b gᵀ
//! ```
//!
//! A is the share in the matrix H, B the change with the velocity. The matrices add up over all
//! contacts of a body and over the bodies below, so that a pair of dofs costs a few dot products.

use core::ops::Range;

use sinew_math::Spatial;
use sinew_model::{BodyId, Data, Model};

use super::contact::{Touch, turned_wrench};
use super::error::TransitionError;
use super::hessian::Hessian;
use super::mat6::{Mat6, UNIT};
use super::residual::Residual;
use super::rows::{Block, MAX_ROWS, RowContext};
use super::surface::{Carrier, Surfaces};
use super::tree::Wrenches;
use super::twist::Twists;

/// Sums over the contacts of each body with the ground, and scratch of the dofs.
#[derive(Debug, Default)]
pub(super) struct Footings {
    bodies: Vec<Footing>,
    dofs: Vec<[Spatial; 2]>,
    any: bool,
}

/// How the wrench of all contacts of a body opposes its acceleration and its velocity.
#[derive(Clone, Copy, Debug)]
struct Footing {
    by_acc: Mat6,
    by_vel: Mat6,
    any: bool,
}

impl Footing {
    const NONE: Footing = Footing { by_acc: Mat6::ZERO, by_vel: Mat6::ZERO, any: false };
}

/// Which of two bodies moves, if one alone does.
pub(super) fn moving_one(m: &Model, bodies: [BodyId; 2]) -> Option<usize> {
    match bodies.map(|b| m.body_treeid[b].get().is_some()) {
        [true, false] => Some(0),
        [false, true] => Some(1),
        _ => None,
    }
}

impl Footings {
    pub(super) fn clear(&mut self, m: &Model) {
        if self.bodies.len() != m.nbody || core::mem::take(&mut self.any) {
            self.bodies.clear();
            self.bodies.resize(m.nbody, Footing::NONE);
        }
    }

    /// Adds the rows of a contact whose body `mover` alone moves. `block` has their weight.
    pub(super) fn add(
        &mut self,
        context: &RowContext<'_>,
        (id, mover): (usize, usize),
        rows: Range<usize>,
        block: &mut Block,
        wrenches: &mut Wrenches,
    ) -> Result<(), TransitionError> {
        let RowContext { m, d, .. } = *context;
        let (touch, geoms) = Touch::new(context, (id, rows.start))?;
        let surfaces = Surfaces::new(m, d, geoms, touch.con)?;
        let (count, violated) = (rows.len(), touch.violated(rows.len()));
        block.axes.clear();
        touch.set_axes(rows.clone(), block);
        let (body, at) = (touch.bodies[mover], touch.at[mover]);
        let sign = if mover == 0 { -1.0 } else { 1.0 };
        let to_centre = |w: Spatial| Spatial::new(w.rot + at.cross(w.lin), w.lin) * sign;

        // the change E of the wrench by each unit motion
        let forces = d.efc_force.rows(rows.clone());
        let wrench = block.wrench(forces);
        let mut change = Mat6::ZERO;
        for (motion, out) in UNIT.into_iter().zip(&mut change.0) {
            let mut motions = [Spatial::ZERO; 2];
            motions[mover] = touch.at_point(motion, mover);
            let moved = surfaces.change(Carrier { motions });
            let turned = |twists: &Twists| {
                let turned = motion.cross_motion(twists.body[body.idx()]);
                touch.at_point(turned, mover) * sign
            };
            let changes = touch.carried([turned(context.acc), turned(context.vel)], moved);
            let [violation, stiffening] = touch.violation(d, rows.start, moved);
            let mut errors = [0.0; MAX_ROWS];
            for (local, row) in rows.clone().enumerate() {
                let [_, b, ..] = d.efc_KBIP[row];
                let own = if local < violated { violation } else { 0.0 };
                errors[local] = own + block.axes[local].dot(changes[0] + changes[1] * b);
            }
            let mut by_pos = [0.0; MAX_ROWS];
            for (local, (out, force)) in by_pos.iter_mut().zip(forces).enumerate() {
                let weights = block.weight[local][..count].iter().zip(&errors);
                *out = weights.fold(-force * stiffening, |sum, (w, e)| sum + w * e);
            }
            *out = to_centre(turned_wrench(moved, wrench) - block.wrench(&by_pos[..count]));
        }
        wrenches.add(body, to_centre(wrench), &change);
        self.add_rows(d, rows, body, block, to_centre);
        Ok(())
    }

    /// Adds g W gᵀ and g W b gᵀ of all rows.
    fn add_rows(
        &mut self,
        d: &Data,
        rows: Range<usize>,
        body: BodyId,
        block: &Block,
        to_centre: impl Fn(Spatial) -> Spatial,
    ) {
        let count = rows.len();
        let mut units = [Spatial::ZERO; MAX_ROWS];
        units.iter_mut().zip(&block.axes).for_each(|(unit, &axis)| *unit = to_centre(axis));
        let own = &mut self.bodies[body.idx()];
        (own.any, self.any) = (true, true);
        for (local, &unit) in units[..count].iter().enumerate() {
            let (mut by_acc, mut by_vel) = (Spatial::ZERO, Spatial::ZERO);
            let weights = block.weight[local][..count].iter().zip(&units).zip(rows.clone());
            for ((&weight, &other), row) in weights.filter(|((weight, _), _)| **weight != 0.0) {
                by_acc += other * weight;
                by_vel += other * (weight * d.efc_KBIP[row][1]);
            }
            own.by_acc.add_product(unit, by_acc);
            own.by_vel.add_product(unit, by_vel);
        }
    }

    /// Adds the shares of all contacts in the residual and in H, besides E.
    pub(super) fn finish(
        &mut self,
        context: &RowContext<'_>,
        residual: &mut Residual,
        hessian: &mut Hessian,
    ) {
        if !self.any {
            return;
        }
        let RowContext { m, d, acc, vel, .. } = *context;
        let Footings { bodies, dofs, .. } = self;
        for b in m.bodies().skip(1).rev().filter(|b| m.body_treeid[*b].get().is_some()) {
            let (own, parent) = (b.idx(), m.body_parentid[b].idx());
            if bodies[own].any && parent != 0 {
                let Footing { by_acc, by_vel, .. } = bodies[own];
                let sum = &mut bodies[parent];
                sum.by_acc.add(&by_acc);
                sum.by_vel.add(&by_vel);
                sum.any = true;
            }
        }
        dofs.resize(m.nv, [Spatial::ZERO; 2]);
        let (pos, vel_rows) = residual.pos_vel();
        let nv = m.nv;
        for i in m.dofs() {
            let own = &bodies[m.dof_bodyid[i].idx()];
            if !own.any {
                continue;
            }
            let (v, axis) = (i.idx(), d.cdof[i]);
            let turned = [acc, vel].map(|twists| twists.before[v].cross_motion(axis));
            dofs[v] = turned;
            let (by_acc, by_vel) = (own.by_acc.mul(axis), own.by_vel.mul(axis));
            let of_vel = own.by_vel.tmul(axis);
            let by_turn = own.by_acc.mul(turned[0]) + own.by_vel.mul(turned[1]);
            for j in m.dof_chain(i) {
                let (w, above, [acc_turned, vel_turned]) = (j.idx(), d.cdof[j], dofs[j.idx()]);
                hessian.add_pair(m, [j, i], by_acc.dot(above));
                pos[w * nv + v] += by_acc.dot(acc_turned) + of_vel.dot(vel_turned);
                vel_rows[w * nv + v] += of_vel.dot(above);
                if v != w {
                    pos[v * nv + w] += by_turn.dot(above);
                    vel_rows[v * nv + w] += by_vel.dot(above);
                }
            }
        }
    }
}
