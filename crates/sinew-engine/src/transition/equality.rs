//! Derivatives of equality constraints.

use core::ops::Range;

use sinew_math::{Spatial, Vec3};
use sinew_model::enums::{EqType, ObjType};
use sinew_model::{BodyId, EqId, JointId, TendonId};

use super::error::{TransitionError, unsupported_object};
use super::rows::{Block, RowContext, RowOutput, RowScratch, gradient_row, tendon_row_change};
use super::twist::Twists;
use crate::constraint::{Anchor, Turn, anchors, jacobian_row};

/// Two points that stay together.
pub(super) fn connect_rows(
    context: &RowContext<'_>,
    e: EqId,
    rows: Range<usize>,
    out: &mut RowOutput<'_>,
) {
    let ends = anchors(context.m, context.d, e);
    norm_rows(context, rows.clone(), out.block);
    point_rows(context, &ends, rows.start, out);
}

/// Two frames that stay together: the points, then the vector part of conj(q₁) q₀, scaled.
pub(super) fn weld_rows(
    context: &RowContext<'_>,
    e: EqId,
    rows: Range<usize>,
    out: &mut RowOutput<'_>,
) {
    let RowContext { m, d, .. } = *context;
    let ends = anchors(m, d, e);
    norm_rows(context, rows.clone(), out.block);
    point_rows(context, &ends, rows.start, out);

    // the rows of rotation
    let turn = Turn::new(m, d, e, &ends);
    let start = rows.start + 3;
    let force = Vec3::from_slice(d.efc_force.rows(start..start + 3));
    let [_, b, ..] = d.efc_KBIP[start];
    let rate = |body: BodyId, at: &Twists| at.body[body.idx()].rot;
    let relative = |at: &Twists| rate(ends[0].body, at) - rate(ends[1].body, at);
    let rates = relative(context.acc) + relative(context.vel) * b;
    let width = out.block.dofs.len();
    let RowOutput { block, scratch, residual, wrenches } = out;
    for (j, (&dof, &moves)) in block.dofs.iter().zip(&scratch.moves).enumerate() {
        let axis = |k: usize| if moves[k] { d.cdof[dof].rot } else { Vec3::ZERO };
        let [first, second] = [axis(0), axis(1)];
        let turned = |at: &Twists, k: usize| {
            if moves[k] { at.change(d, ends[k].body, dof).rot } else { Vec3::ZERO }
        };
        let change = |at: &Twists| turned(at, 0) - turned(at, 1);
        let changes = change(context.acc) + change(context.vel) * b;
        let rows = turn.column(changes) + turn.column_change(rates, [first, second]);
        for k in 0..3 {
            block.change[(k + 3) * width + j] += rows[k];
        }
    }

    // dJᵀ f, where the axis of each dof turns too
    for (&dof, moves) in block.dofs.iter().zip(&scratch.moves) {
        let axis = |k: usize| if moves[k] { d.cdof[dof].rot } else { Vec3::ZERO };
        let turns = [axis(0), axis(1)];
        for (&other, moves) in block.dofs.iter().zip(&scratch.moves) {
            let sign = f64::from(u8::from(moves[0])) - f64::from(u8::from(moves[1]));
            let change = turn.column_change(d.cdof[other].rot * sign, turns).dot(force);
            residual.by_pos(dof.idx())[other.idx()] -= change;
        }
    }

    // a torque that stays as it is while the axes turn
    let torque = turn.pull_back(force);
    wrenches.add_fixed(ends[0].body, Spatial::new(torque, Vec3::ZERO));
    wrenches.add_fixed(ends[1].body, Spatial::new(-torque, Vec3::ZERO));
}

/// The changes by the violation of rows that soften together by the length of their violation.
fn norm_rows(context: &RowContext<'_>, rows: Range<usize>, block: &mut Block) {
    let d = context.d;
    let pos = d.efc_pos.rows(rows.clone());
    let norm = sinew_math::vector::norm(pos);
    let width = block.dofs.len();
    let [k, _, imp, imp_slope] = d.efc_KBIP[rows.start];

    // change of the norm, kept where the relative change of D will be
    block.stiffening.fill(0.0);
    for (row, x) in rows.clone().zip(pos).filter(|_| norm > 0.0) {
        for (sum, slope) in block.stiffening.iter_mut().zip(jacobian_row(d, row).1) {
            *sum += x / norm * slope;
        }
    }
    for (local, row) in rows.clone().enumerate() {
        let (_, jacobian) = jacobian_row(d, row);
        let change = &mut block.change[local * width..(local + 1) * width];
        for ((change, slope), norm) in change.iter_mut().zip(jacobian).zip(&block.stiffening) {
            *change += k * (imp * slope + imp_slope * norm * d.efc_pos[row]);
        }
    }
    let scale = imp_slope / (imp * (1.0 - imp));
    block.stiffening.iter_mut().for_each(|x| *x *= scale);
}

/// The change of the Jacobian of the points: de += dJ (a + b v), and the wrenches of the force.
fn point_rows(context: &RowContext<'_>, ends: &[Anchor; 2], start: usize, out: &mut RowOutput<'_>) {
    let RowContext { m, d, .. } = *context;
    let force = Vec3::from_slice(d.efc_force.rows(start..start + 3));
    let [_, b, ..] = d.efc_KBIP[start];
    let width = out.block.dofs.len();
    let RowScratch { moves, .. } = &mut *out.scratch;
    context.set_moves([ends[0].body, ends[1].body], &out.block.dofs, moves);
    for (k, (end, sign)) in ends.iter().zip([1.0, -1.0]).enumerate() {
        let at = end.pos - d.subtree_com[m.body_rootid[end.body]];
        for (j, &dof) in out.block.dofs.iter().enumerate() {
            if !moves[j][k] {
                continue;
            }
            let axis = d.cdof[dof];
            let moved = axis.lin + axis.rot.cross(at);
            let change = |twists: &Twists| {
                let change = twists.change(d, end.body, dof);
                let turn = twists.body[end.body.idx()].rot;
                change.lin + change.rot.cross(at) + turn.cross(moved)
            };
            let changes = change(context.acc) + change(context.vel) * b;
            for axis in 0..3 {
                out.block.change[axis * width + j] += sign * changes[axis];
            }
        }
        out.wrenches.add_at_point(end.body, at, force * sign);
    }
}

/// A joint or tendon that follows a polynomial of another.
pub(super) fn coupling_rows(
    context: &RowContext<'_>,
    e: EqId,
    row: usize,
    out: &mut RowOutput<'_>,
) -> Result<(), TransitionError> {
    let RowContext { m, d, tendons, .. } = *context;
    gradient_row(d, row, out.block);
    let of_tendons = m.eq_type[e] == EqType::Tendon;
    if of_tendons {
        let t = TendonId::new(m.eq_obj1id[e].max(0) as usize);
        if tendons[t.idx()].is_rough {
            return unsupported_object(m, ObjType::Equality, e.idx(), "a path inside a geom");
        }
        tendon_row_change(context, t, 1.0, row, out);
    }
    let Ok(second) = usize::try_from(m.eq_obj2id[e]) else { return Ok(()) };

    // curvature of the polynomial; the second coordinate has the slope -p'(x)
    let [_, c1, c2, c3, c4, ..] = m.eq_data[e];
    let joint = m.eq_type[e] == EqType::Joint;
    let x = if joint {
        let adr = m.jnt_qpos(JointId::new(second)).start;
        d.qpos[adr] - m.qpos0[adr]
    } else {
        let t = TendonId::new(second);
        d.ten_length[t] - m.tendon_length0[t]
    };
    if of_tendons {
        let t = TendonId::new(second);
        if tendons[t.idx()].is_rough {
            return unsupported_object(m, ObjType::Equality, e.idx(), "a path inside a geom");
        }
        let slope = c1 + x * (2.0 * c2 + x * (3.0 * c3 + x * 4.0 * c4));
        tendon_row_change(context, t, -slope, row, out);
    }
    let curvature = -(2.0 * c2 + 6.0 * c3 * x + 12.0 * c4 * x * x);
    let row_of_second = &mut out.scratch.row;
    row_of_second.clear();
    if joint {
        row_of_second.push(m.jnt_dofadr[JointId::new(second)], 1.0);
    } else {
        crate::constraint::tendon_row(m, d, TendonId::new(second), row_of_second);
    }
    let [_, b, ..] = d.efc_KBIP[row];
    let entries = || row_of_second.ind.iter().zip(&row_of_second.val);
    let rate = entries().fold(0.0, |sum, (&v, x)| sum + x * (d.qacc[v] + b * d.qvel[v]));
    for (&v, &x) in entries() {
        if let Ok(j) = out.block.dofs.binary_search(&v) {
            out.block.change[j] += curvature * x * rate;
        }
        for (&w, &y) in entries() {
            out.residual.by_pos(v.idx())[w.idx()] -= d.efc_force[row] * curvature * x * y;
        }
    }
    Ok(())
}
