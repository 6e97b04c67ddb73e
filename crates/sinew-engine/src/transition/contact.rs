//! Derivatives of the rows of contacts.
//!
//! R is the frame, p the point, and (Ω, U) the motion of the second body relative to the first at
//! p. A row of translation has R_k·U. Where the frame turns by dθ, the row changes by R_k·(dU + Ω ×
//! dp + U × dθ). The wrench of the forces turns by dθ, and its torque about a fixed point changes
//! by dp × F.

use core::ops::Range;

use sinew_math::{Spatial, Vec3};
use sinew_model::enums::ConstraintType;
use sinew_model::{BodyId, Contact, DofId, GeomId};

use super::error::{TransitionError, unsupported};
use super::rows::{Block, RowContext, RowOutput};
use super::surface::{Carrier, ContactChange, Surfaces};
use super::twist::Twists;

/// A contact between two bodies.
struct Touch<'a> {
    con: &'a Contact,
    bodies: [BodyId; 2],
    /// From the centre of mass of each body's tree to the point.
    at: [Vec3; 2],
    /// The relative motion at the acceleration and at the velocity.
    motions: [Spatial; 2],
}

/// Sets the changes of the rows of a contact, and the change of their Jacobian at their force.
pub(super) fn contact_rows(
    context: &RowContext<'_>,
    id: usize,
    rows: Range<usize>,
    out: &mut RowOutput<'_>,
) -> Result<(), TransitionError> {
    let RowContext { m, d, acc, vel, .. } = *context;
    let con = &d.contact[id];
    let [Ok(g1), Ok(g2)] = con.geom.map(usize::try_from) else {
        return unsupported("contact of a flexible object");
    };
    let geoms = [GeomId::new(g1), GeomId::new(g2)];
    let bodies = geoms.map(|g| m.geom_bodyid[g]);
    let at = bodies.map(|b| con.pos - d.subtree_com[m.body_rootid[b]]);
    let motions = [acc, vel].map(|twists| {
        let [first, second] = [0, 1].map(|k| at_point(twists.body[bodies[k].idx()], at[k]));
        second - first
    });
    let touch = Touch { con, bodies, at, motions };
    let surfaces = Surfaces::new(m, d, geoms, con)?;
    let RowOutput { block, scratch, wrenches, .. } = out;
    context.set_moves(bodies, &block.dofs, &mut scratch.moves);
    set_axes(context, &touch, rows.clone(), block);
    let wrench = block.wrench(d.efc_force.rows(rows.clone()));
    for j in 0..block.dofs.len() {
        let (dof, moves) = (block.dofs[j], scratch.moves[j]);
        let motion = |k: usize| if moves[k] { at_point(d.cdof[dof], at[k]) } else { Spatial::ZERO };
        let motions = [motion(0), motion(1)];
        let change = surfaces.change(Carrier { motions });
        block.motions.push(motions[1] - motions[0]);
        block.turned.push(turned_wrench(change, wrench));
        add_violation(context, rows.clone(), j, change, block);
        let changes = motion_changes(context, &touch, (dof, moves), change);
        put_rows(context, rows.clone(), j, changes, block);
    }

    // the wrench of the force, which stays as it is while the axes of the dofs turn
    for (k, sign) in [(0, -1.0), (1, 1.0)] {
        let Spatial { rot, lin } = wrench * sign;
        wrenches.add_fixed(bodies[k], Spatial::new(rot + at[k].cross(lin), lin));
    }
    Ok(())
}

/// A motion about the centre of mass, taken to a point.
fn at_point(motion: Spatial, at: Vec3) -> Spatial {
    Spatial::new(motion.rot, motion.lin + motion.rot.cross(at))
}

/// Sets the axis of each row: its product with the relative motion is the row.
fn set_axes(context: &RowContext<'_>, touch: &Touch<'_>, rows: Range<usize>, block: &mut Block) {
    let frame = &touch.con.frame;
    let axis = |k: usize| {
        let axis = frame.row(k % 3);
        if k < 3 { Spatial::new(Vec3::ZERO, axis) } else { Spatial::new(axis, Vec3::ZERO) }
    };
    let pyramid = context.d.efc_type[rows.start] == ConstraintType::ContactPyramidal;
    for local in 0..rows.len() {
        block.axes.push(if pyramid {
            let (k, sign) = (local / 2, if local % 2 == 0 { 1.0 } else { -1.0 });
            axis(0) + axis(k + 1) * (sign * touch.con.friction[k])
        } else {
            axis(local)
        });
    }
}

/// Adds the change of the violation by the dof at place `j`, which all edges of a pyramid share.
fn add_violation(
    context: &RowContext<'_>,
    rows: Range<usize>,
    j: usize,
    change: ContactChange,
    block: &mut Block,
) {
    let d = context.d;
    let [k, _, imp, imp_slope] = d.efc_KBIP[rows.start];
    block.stiffening[j] = imp_slope / (imp * (1.0 - imp)) * change.dist;
    let pyramid = d.efc_type[rows.start] == ConstraintType::ContactPyramidal;
    let gap = d.efc_pos[rows.start] - d.efc_margin[rows.start];
    let slope = k * (imp + imp_slope * gap) * change.dist;
    let width = block.dofs.len();
    for local in 0..if pyramid { rows.len() } else { 1 } {
        block.change[local * width + j] += slope;
    }
}

/// Changes of the relative motions at the acceleration and at the velocity, in the frame of the
/// contact, by the position of a dof.
fn motion_changes(
    context: &RowContext<'_>,
    touch: &Touch<'_>,
    (dof, moves): (DofId, [bool; 2]),
    change: ContactChange,
) -> [Spatial; 2] {
    let turned = |twists: &Twists| {
        let of = |k: usize| {
            if moves[k] {
                at_point(twists.change(context.d, touch.bodies[k], dof), touch.at[k])
            } else {
                Spatial::ZERO
            }
        };
        of(1) - of(0)
    };
    let carried = |turned: Spatial, whole: Spatial| {
        let lin = whole.rot.cross(change.point) + whole.lin.cross(change.turn);
        turned + Spatial::new(whole.rot.cross(change.turn), lin)
    };
    let [acc, vel] = touch.motions;
    [carried(turned(context.acc), acc), carried(turned(context.vel), vel)]
}

/// Adds the changes of the motions to the changes of the rows.
fn put_rows(
    context: &RowContext<'_>,
    rows: Range<usize>,
    j: usize,
    [acc, vel]: [Spatial; 2],
    block: &mut Block,
) {
    let width = block.dofs.len();
    for (local, row) in rows.enumerate() {
        let [_, b, ..] = context.d.efc_KBIP[row];
        block.change[local * width + j] += block.axes[local].dot(acc + vel * b);
    }
}

/// The change of a wrench at the point of a contact.
fn turned_wrench(change: ContactChange, Spatial { rot: torque, lin: force }: Spatial) -> Spatial {
    let torque = change.turn.cross(torque) + change.point.cross(force);
    Spatial::new(torque, change.turn.cross(force))
}
