//! Derivatives of the rows of contacts.
//!
//! R is the frame, p the point, and (Ω, U) the motion of the second body relative to the first at
//! p. A row of translation has R_k·U. Where the frame turns by dθ, the row changes by R_k·(dU + Ω ×
//! dp + U × dθ). The wrench of the forces turns by dθ, and its torque about a fixed point changes
//! by dp × F.

use core::ops::Range;

use sinew_math::{Spatial, Vec3};
use sinew_model::enums::ConstraintType;
use sinew_model::{BodyId, Contact, Data, GeomId};

use super::error::{TransitionError, unsupported};
use super::rows::{Block, RowContext, RowOutput};
use super::surface::{Carrier, ContactChange, Surfaces};

/// A contact between two bodies.
pub(super) struct Touch<'a> {
    pub(super) con: &'a Contact,
    pub(super) bodies: [BodyId; 2],
    /// From the centre of mass of each body's tree to the point.
    pub(super) at: [Vec3; 2],
    /// The relative motion at the acceleration and at the velocity.
    motions: [Spatial; 2],
    is_pyramid: bool,
}

impl<'a> Touch<'a> {
    /// A contact with its first row, and its geoms.
    pub(super) fn new(
        context: &RowContext<'a>,
        (id, row): (usize, usize),
    ) -> Result<(Self, [GeomId; 2]), TransitionError> {
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
        let is_pyramid = d.efc_type[row] == ConstraintType::ContactPyramidal;
        Ok((Touch { con, bodies, at, motions, is_pyramid }, geoms))
    }

    /// A motion about the centre of mass of a body's tree, taken to the point.
    pub(super) fn at_point(&self, motion: Spatial, body: usize) -> Spatial {
        at_point(motion, self.at[body])
    }

    /// Sets the axis of each row: its product with the relative motion is the row.
    pub(super) fn set_axes(&self, rows: Range<usize>, block: &mut Block) {
        let frame = &self.con.frame;
        let axis = |k: usize| {
            let axis = frame.row(k % 3);
            if k < 3 { Spatial::new(Vec3::ZERO, axis) } else { Spatial::new(axis, Vec3::ZERO) }
        };
        block.axes.extend((0..rows.len()).map(|local| {
            if self.is_pyramid {
                let (k, sign) = (local / 2, if local % 2 == 0 { 1.0 } else { -1.0 });
                axis(0) + axis(k + 1) * (sign * self.con.friction[k])
            } else {
                axis(local)
            }
        }));
    }

    /// The change of the violation, and of the regularisation relative to it.
    pub(super) fn violation(&self, d: &Data, row: usize, change: ContactChange) -> [f64; 2] {
        let [k, _, imp, imp_slope] = d.efc_KBIP[row];
        let gap = d.efc_pos[row] - d.efc_margin[row];
        let slope = k * (imp + imp_slope * gap) * change.dist;
        [slope, imp_slope / (imp * (1.0 - imp)) * change.dist]
    }

    /// Number of rows, of so many, that have the violation: all edges of a pyramid share it.
    pub(super) fn violated(&self, count: usize) -> usize {
        if self.is_pyramid { count } else { 1 }
    }

    /// Changes of the relative motions at the acceleration and at the velocity, in the frame of the
    /// contact. `turned` has their changes at a fixed point.
    pub(super) fn carried(&self, turned: [Spatial; 2], change: ContactChange) -> [Spatial; 2] {
        let carried = |turned: Spatial, whole: Spatial| {
            let lin = whole.rot.cross(change.point) + whole.lin.cross(change.turn);
            turned + Spatial::new(whole.rot.cross(change.turn), lin)
        };
        [0, 1].map(|k| carried(turned[k], self.motions[k]))
    }
}

/// Sets the changes of the rows of a contact, and the change of their Jacobian at their force.
pub(super) fn contact_rows(
    context: &RowContext<'_>,
    id: usize,
    rows: Range<usize>,
    out: &mut RowOutput<'_>,
) -> Result<(), TransitionError> {
    let RowContext { m, d, acc, vel, .. } = *context;
    let (touch, geoms) = Touch::new(context, (id, rows.start))?;
    let surfaces = Surfaces::new(m, d, geoms, touch.con)?;
    let RowOutput { block, scratch, wrenches, .. } = out;
    context.set_moves(touch.bodies, &block.dofs, &mut scratch.moves);
    touch.set_axes(rows.clone(), block);
    let wrench = block.wrench(d.efc_force.rows(rows.clone()));
    let (width, violated) = (block.dofs.len(), touch.violated(rows.len()));
    for j in 0..width {
        let (dof, moves) = (block.dofs[j], scratch.moves[j]);
        let motion = |k: usize| {
            if moves[k] { touch.at_point(d.cdof[dof], k) } else { Spatial::ZERO }
        };
        let motions = [motion(0), motion(1)];
        let change = surfaces.change(Carrier { motions });
        block.motions.push(motions[1] - motions[0]);
        block.turned.push(turned_wrench(change, wrench));
        let [violation, stiffening] = touch.violation(d, rows.start, change);
        block.stiffening[j] = stiffening;
        let turned = [acc, vel].map(|twists| {
            let turned = |k: usize| {
                if moves[k] {
                    touch.at_point(twists.change(d, touch.bodies[k], dof), k)
                } else {
                    Spatial::ZERO
                }
            };
            turned(1) - turned(0)
        });
        let [acc, vel] = touch.carried(turned, change);
        for (local, row) in rows.clone().enumerate() {
            let [_, b, ..] = d.efc_KBIP[row];
            let own = if local < violated { violation } else { 0.0 };
            block.change[local * width + j] += own + block.axes[local].dot(acc + vel * b);
        }
    }

    // the wrench of the force, which stays as it is while the axes of the dofs turn
    for (k, sign) in [(0, -1.0), (1, 1.0)] {
        let Spatial { rot, lin } = wrench * sign;
        wrenches.add_fixed(touch.bodies[k], Spatial::new(rot + touch.at[k].cross(lin), lin));
    }
    Ok(())
}

/// A motion about the centre of mass, taken to a point.
fn at_point(motion: Spatial, at: Vec3) -> Spatial {
    Spatial::new(motion.rot, motion.lin + motion.rot.cross(at))
}

/// The change of a wrench at the point of a contact.
pub(super) fn turned_wrench(
    change: ContactChange,
    Spatial { rot: torque, lin: force }: Spatial,
) -> Spatial {
    let torque = change.turn.cross(torque) + change.point.cross(force);
    Spatial::new(torque, change.turn.cross(force))
}
