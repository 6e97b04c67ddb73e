//! Derivatives of the rows of contacts.
//!
//! With the frame R, the point p and the motion (Ω, U) of the second body relative to the first at
//! p, a row of translation has R_k·U. Where the frame turns by dθ, the row changes by
//! R_k·(dU + Ω × dp) + (dθ × R_k)·U. The wrench of the forces turns by dθ, and its torque about a
//! fixed point changes by dp × F.

use core::ops::Range;

use sinew_math::{Spatial, Vec3};
use sinew_model::enums::{ConeType, ConstraintType};
use sinew_model::{BodyId, Contact, DofId, GeomId};

use super::error::{TransitionError, unsupported};
use super::rows::{Block, RowContext, RowOutput, RowScratch};
use super::surface::{Carrier, ContactChange, Surfaces};
use super::twist::Twists;

/// A contact between two bodies.
struct Touch<'a> {
    con: &'a Contact,
    bodies: [BodyId; 2],
    /// From the centre of mass of each body's tree to the point.
    at: [Vec3; 2],
    dim: usize,
}

/// Sets the changes of the rows of a contact, and adds the change of their Jacobian at their force.
pub(super) fn contact_rows(
    context: &RowContext<'_>,
    id: usize,
    rows: Range<usize>,
    out: &mut RowOutput<'_>,
) -> Result<(), TransitionError> {
    let RowContext { m, d, .. } = *context;
    let con = &d.contact[id];
    let [Ok(g1), Ok(g2)] = con.geom.map(usize::try_from) else {
        return unsupported("contact of a flexible object");
    };
    let geoms = [GeomId::new(g1), GeomId::new(g2)];
    let bodies = geoms.map(|g| m.geom_bodyid[g]);
    let at = bodies.map(|b| con.pos - d.subtree_com[m.body_rootid[b]]);
    let touch = Touch { con, bodies, at, dim: con.dim.clamp(1, 6) as usize };
    let surfaces = Surfaces::new(m, d, geoms, con)?;

    // motions of both bodies at the point
    let RowScratch { motions, moves, .. } = &mut *out.scratch;
    context.set_moves(bodies, &out.block.dofs, moves);
    motions.clear();
    motions.extend(out.block.dofs.iter().zip(&*moves).map(|(&dof, moves)| {
        [0, 1].map(
            |k: usize| {
                if moves[k] { at_point(d.cdof[dof], touch.at[k]) } else { Spatial::ZERO }
            },
        )
    }));
    let normal_force = wrench(&touch, &axis_forces(context, &touch, rows.clone()));
    for j in 0..out.block.dofs.len() {
        let motions = out.scratch.motions[j];
        let change = surfaces.change(Carrier { motions });
        add_violation(context, rows.clone(), j, change, out.block);
        let by_axis = axis_changes(context, &touch, (j, change), out);
        put_rows(context, &touch, rows.clone(), j, &by_axis, out);
        add_turned_force(j, change, normal_force, out);
    }

    // the wrench of the force, which stays as it is while the axes of the dofs turn
    for (k, sign) in [(0, -1.0), (1, 1.0)] {
        let Spatial { rot, lin } = normal_force * sign;
        out.wrenches.add_fixed(bodies[k], Spatial::new(rot + touch.at[k].cross(lin), lin));
    }
    Ok(())
}

/// A motion about the centre of mass, taken to a point.
fn at_point(motion: Spatial, at: Vec3) -> Spatial {
    Spatial::new(motion.rot, motion.lin + motion.rot.cross(at))
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

/// Forces along the axes of the contact: normal and tangents, then torques about them.
fn axis_forces(context: &RowContext<'_>, touch: &Touch<'_>, rows: Range<usize>) -> [f64; 6] {
    let forces = context.d.efc_force.rows(rows.clone());
    let mut out = [0.0; 6];
    if context.d.efc_type[rows.start] == ConstraintType::ContactPyramidal {
        for (k, pair) in forces.chunks_exact(2).enumerate() {
            out[0] += pair[0] + pair[1];
            out[k + 1] = touch.con.friction[k] * (pair[0] - pair[1]);
        }
    } else {
        out[..forces.len()].copy_from_slice(forces);
    }
    out
}

/// The wrench at the point of forces along the axes.
fn wrench(touch: &Touch<'_>, forces: &[f64; 6]) -> Spatial {
    let frame = &touch.con.frame;
    Spatial::new(
        frame.tmul_vec(Vec3::from_slice(&forces[3..])),
        frame.tmul_vec(Vec3::from_slice(&forces[..3])),
    )
}

/// Changes of J a and of J v along the axes, by the position of the dof at place `j`.
fn axis_changes(
    context: &RowContext<'_>,
    touch: &Touch<'_>,
    (j, change): (usize, ContactChange),
    out: &RowOutput<'_>,
) -> [[f64; 6]; 2] {
    let dof: DofId = out.block.dofs[j];
    let moves = out.scratch.moves[j];
    let mut by_axis = [[0.0; 6]; 2];
    for (values, twists) in by_axis.iter_mut().zip([context.acc, context.vel]) {
        let relative = |motion: &dyn Fn(usize) -> Spatial| motion(1) - motion(0);
        let whole: Spatial =
            relative(&|k| at_point(twists.body[touch.bodies[k].idx()], touch.at[k]));
        let turned = relative(&|k| turned(twists, context, touch, (k, dof), moves[k]));
        for k in 0..touch.dim {
            let axis = touch.con.frame.row(k % 3);
            let turning = change.turn.cross(axis);
            values[k] = if k < 3 {
                axis.dot(turned.lin + whole.rot.cross(change.point)) + turning.dot(whole.lin)
            } else {
                axis.dot(turned.rot) + turning.dot(whole.rot)
            };
        }
    }
    by_axis
}

/// Change of the motion of one body at the point as a place in the world.
fn turned(
    twists: &Twists,
    context: &RowContext<'_>,
    touch: &Touch<'_>,
    (k, dof): (usize, DofId),
    moves: bool,
) -> Spatial {
    if moves {
        at_point(twists.change(context.d, touch.bodies[k], dof), touch.at[k])
    } else {
        Spatial::ZERO
    }
}

/// Adds the changes along the axes to those of the rows.
fn put_rows(
    context: &RowContext<'_>,
    touch: &Touch<'_>,
    rows: Range<usize>,
    j: usize,
    [acc, vel]: &[[f64; 6]; 2],
    out: &mut RowOutput<'_>,
) {
    let d = context.d;
    let width = out.block.dofs.len();
    let pyramid = context.m.cone() == ConeType::Pyramidal && touch.dim > 1;
    for (local, row) in rows.enumerate() {
        let [_, b, ..] = d.efc_KBIP[row];
        let value = |k: usize| acc[k] + b * vel[k];
        out.block.change[local * width + j] += if pyramid {
            let (k, sign) = (local / 2, if local % 2 == 0 { 1.0 } else { -1.0 });
            value(0) + sign * touch.con.friction[k] * value(k + 1)
        } else {
            value(local)
        };
    }
}

/// Subtracts the force of the dofs by the change of the wrench at place `j`.
fn add_turned_force(j: usize, change: ContactChange, wrench: Spatial, out: &mut RowOutput<'_>) {
    let Spatial { rot: torque, lin: force } = wrench;
    let torque = change.turn.cross(torque) + change.point.cross(force);
    let force = change.turn.cross(force);
    let dof = out.block.dofs[j].idx();
    for (&w, [first, second]) in out.block.dofs.iter().zip(&out.scratch.motions) {
        let relative = *second - *first;
        out.residual.by_pos(dof)[w.idx()] -= relative.rot.dot(torque) + relative.lin.dot(force);
    }
}
