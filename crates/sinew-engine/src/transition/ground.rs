//! Derivatives of the rows of contacts between a body that moves and one that never does.
//!
//! Every change is linear in the motion of the body. Six unit motions give the derivatives by all
//! dofs that carry the body.

use core::ops::Range;

use sinew_math::Spatial;
use sinew_model::{BodyId, Data, Model};

use super::contact::{Touch, turned_wrench};
use super::error::TransitionError;
use super::footing::Footings;
use super::mat6::{Mat6, UNIT};
use super::rows::{Block, MAX_ROWS, RowContext};
use super::surface::{Carrier, Surfaces};
use super::tree::Wrenches;
use super::twist::Twists;

/// Which of two bodies moves, if one alone does.
pub(super) fn moving_one(m: &Model, bodies: [BodyId; 2]) -> Option<usize> {
    match bodies.map(|b| m.body_treeid[b].get().is_some()) {
        [true, false] => Some(0),
        [false, true] => Some(1),
        _ => None,
    }
}

/// Adds the rows of a contact whose body `mover` alone moves. `block` has their weight.
pub(super) fn add_ground_contact(
    wrenches: &mut Wrenches,
    context: &RowContext<'_>,
    (id, mover): (usize, usize),
    rows: Range<usize>,
    block: &mut Block,
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
    add_rows(d, rows, body, block, (&mut wrenches.footings, to_centre));
    Ok(())
}

/// Adds g W gᵀ and g W b gᵀ of all rows.
fn add_rows(
    d: &Data,
    rows: Range<usize>,
    body: BodyId,
    block: &Block,
    (footings, to_centre): (&mut Footings, impl Fn(Spatial) -> Spatial),
) {
    let count = rows.len();
    let mut units = [Spatial::ZERO; MAX_ROWS];
    units.iter_mut().zip(&block.axes).for_each(|(unit, &axis)| *unit = to_centre(axis));
    for (local, &unit) in units[..count].iter().enumerate() {
        let (mut by_acc, mut by_vel) = (Spatial::ZERO, Spatial::ZERO);
        let weights = block.weight[local][..count].iter().zip(&units).zip(rows.clone());
        for ((&weight, &other), row) in weights.filter(|((weight, _), _)| **weight != 0.0) {
            by_acc += other * weight;
            by_vel += other * (weight * d.efc_KBIP[row][1]);
        }
        footings.add(body, unit, [by_acc, by_vel]);
    }
}
