//! Derivatives of the constraint rows.
//!
//! With e = J a - aref and the force f = φ(e), of which the regularisation D is a factor:
//!
//! ```text
//! de = dJ (a + b v) + (k imp + k imp' (pos - margin)) dpos       by position
//! de = b J                                                       by velocity
//! df = -W de + f imp' / (imp (1 - imp)) dpos
//! ```
//!
//! Rows that exert no force and are not at a switch have no part in it.

use core::ops::Range;

use sinew_model::enums::{ConstraintState, ConstraintType, EqType};
use sinew_model::{Data, DofId, EqId, GeomId, JointId, Model, TendonId};

use super::arm::Arm;
use super::contact::contact_rows;
use super::equality::{connect_rows, coupling_rows, weld_rows};
use super::error::TransitionError;
use super::ground::{add_ground_contact, moving_one};
use super::hessian::Hessian;
use super::limit::{limit_row, turn_rows};
use super::residual::Residual;
use super::rows::{
    Block, MAX_ROWS, RowContext, RowOutput, RowScratch, gradient_row, tendon_row_change,
};
use super::sums::RowSums;
use super::switches::Switches;
use super::tree::Wrenches;
use super::twist::Twists;
use crate::constraint::{jacobian_row, mul_jac_vec};
use crate::solver::{EllipticCone, dry_friction};

/// Scratch of the rows.
#[derive(Debug, Default)]
pub(super) struct ConstraintWork {
    error: Vec<f64>,
    block: Block,
    acc: Twists,
    scratch: RowScratch,
    sums: RowSums,
}

/// Adds the derivatives of all rows, and the wrenches of their forces; factors the matrix H.
pub(super) fn add_constraints(
    m: &Model,
    d: &Data,
    (vel, tendons): (&Twists, &[Arm]),
    work: &mut ConstraintWork,
    residual: &mut Residual,
    wrenches: &mut Wrenches,
    hessian: &mut Hessian,
) -> Result<Switches, TransitionError> {
    let mut switches = Switches::NONE;
    hessian.begin(m, d);
    if d.nefc == 0 {
        return Ok(switches);
    }
    let ConstraintWork { error, block, acc, scratch, sums } = work;
    acc.set(m, d, &d.qacc);
    let context = RowContext { m, d, acc, vel, tendons };
    error.clear();
    error.resize(d.nefc, 0.0);
    mul_jac_vec(d, error, &d.qacc);
    error.iter_mut().zip(d.efc_aref.iter()).for_each(|(e, aref)| *e -= aref);

    let mut start = 0;
    while start < d.nefc {
        let rows = start..(start + rows_together(m, d, start)).min(d.nefc);
        start = rows.end;
        let active = set_weight(d, rows.clone(), error, &mut block.weight, &mut switches);
        if !active {
            continue;
        }
        if add_single(m, d, rows.start, block.weight[0][0], residual, hessian) {
            continue;
        }
        if let Some(contact) = on_ground(m, d, rows.start) {
            add_ground_contact(wrenches, &context, contact, rows, block)?;
            continue;
        }
        block.prepare(d, rows.clone());
        let mut out = RowOutput { block, residual, wrenches, scratch };
        row_changes(&context, rows.clone(), &mut out)?;
        sums.add(d, rows, block, residual);
        hessian.add(m, &block.dofs, &sums.gram);
    }
    wrenches.footings.finish(m, d, [acc, vel], hessian);
    hessian.factor();
    Ok(switches)
}

/// Adds a row that is a constant for one dof, given its weight; whether it is one.
fn add_single(
    m: &Model,
    d: &Data,
    row: usize,
    weight: f64,
    residual: &mut Residual,
    hessian: &mut Hessian,
) -> bool {
    let is_limit = d.efc_type[row] == ConstraintType::LimitJoint;
    if !is_limit && d.efc_type[row] != ConstraintType::FrictionDof {
        return false;
    }
    let ([column], [x]) = jacobian_row(d, row) else { return false };
    let (v, x) = (DofId::new(*column as usize), *x);
    let [k, b, imp, imp_slope] = d.efc_KBIP[row];
    let squared = weight * x * x;
    hessian.add_diagonal(m, v, squared);
    residual.by_vel(v.idx())[v.idx()] += b * squared;
    if is_limit {
        let slope = k * (imp + imp_slope * (d.efc_pos[row] - d.efc_margin[row]));
        let stiffening = imp_slope / (imp * (1.0 - imp));
        let force = d.efc_force[row];
        residual.by_pos(v.idx())[v.idx()] += slope * squared - force * stiffening * x * x;
    }
    true
}

/// The contact of a row and which of its bodies moves, if one alone does.
fn on_ground(m: &Model, d: &Data, row: usize) -> Option<(usize, usize)> {
    let kind = d.efc_type[row];
    let kinds = [
        ConstraintType::ContactFrictionless,
        ConstraintType::ContactPyramidal,
        ConstraintType::ContactElliptic,
    ];
    if !kinds.contains(&kind) {
        return None;
    }
    let id = usize::try_from(d.efc_id[row]).ok()?;
    let [Ok(g1), Ok(g2)] = d.contact[id].geom.map(usize::try_from) else { return None };
    let bodies = [g1, g2].map(|g| m.geom_bodyid[GeomId::new(g)]);
    moving_one(m, bodies).map(|mover| (id, mover))
}

/// How many rows from `start` belong together.
fn rows_together(m: &Model, d: &Data, start: usize) -> usize {
    let id = d.efc_id[start].max(0) as usize;
    match d.efc_type[start] {
        ConstraintType::Equality => match m.eq_type[id] {
            EqType::Connect => 3,
            EqType::Weld => 6,
            _ => 1,
        },
        ConstraintType::ContactElliptic => d.contact[id].dim.clamp(1, 6) as usize,
        ConstraintType::ContactPyramidal => 2 * (d.contact[id].dim.clamp(2, 6) as usize - 1),
        _ => 1,
    }
}

/// Sets W of some rows, and how far they are from a switch; returns whether they have a force.
fn set_weight(
    d: &Data,
    rows: Range<usize>,
    error: &[f64],
    weight: &mut [[f64; MAX_ROWS]; MAX_ROWS],
    switches: &mut Switches,
) -> bool {
    weight.iter_mut().take(rows.len()).for_each(|row| row[..rows.len()].fill(0.0));
    let kind = d.efc_type[rows.start];
    if !matches!(
        kind,
        ConstraintType::Equality | ConstraintType::FrictionDof | ConstraintType::FrictionTendon
    ) {
        switches.at_gap(d.efc_pos[rows.start] - d.efc_margin[rows.start]);
    }
    if kind == ConstraintType::ContactElliptic {
        return set_cone_weight(d, rows, error, weight, switches);
    }
    let mut active = false;
    for (k, row) in rows.enumerate() {
        let (e, stiffness) = (error[row], d.efc_D[row]);
        let quadratic = match kind {
            ConstraintType::Equality => true,
            ConstraintType::FrictionDof | ConstraintType::FrictionTendon => {
                let (loss, r) = (d.efc_frictionloss[row], d.efc_R[row]);
                switches.at_acceleration(e.abs() - r * loss);
                // the force of a row that slides is constant, but its direction may turn
                active = true;
                dry_friction(e, stiffness, loss, r * loss).state == ConstraintState::Quadratic
            }
            _ => {
                switches.at_acceleration(e);
                e < 0.0
            }
        };
        active |= quadratic;
        weight[k][k] = if quadratic { stiffness } else { 0.0 };
    }
    active
}

/// `set_weight` of an elliptic contact.
fn set_cone_weight(
    d: &Data,
    rows: Range<usize>,
    error: &[f64],
    weight: &mut [[f64; MAX_ROWS]; MAX_ROWS],
    switches: &mut Switches,
) -> bool {
    let dim = rows.len();
    let contact = &d.contact[d.efc_id[rows.start].max(0) as usize];
    let cone = EllipticCone::new(contact, dim, d.efc_D[rows.start]);
    let zone = cone.update(d.efc_D.rows(rows.clone()), &error[rows.clone()], &mut [0.0; 6][..dim]);

    // distances from the sides of both cones, in units of the normal row
    let (normal, mu) = (zone.u[0], cone.mu);
    let unit = 1.0 / (mu * (1.0 + mu * mu).sqrt());
    switches.at_acceleration((normal - mu * zone.tangent) * unit);
    switches.at_acceleration((mu * normal + zone.tangent) * unit);
    match zone.state {
        ConstraintState::Quadratic => {
            for (k, row) in rows.enumerate() {
                weight[k][k] = d.efc_D[row];
            }
        }
        ConstraintState::Cone => {
            let mut hessian = [0.0; 36];
            cone.hessian(&zone.u, &mut hessian);
            for k in 0..dim {
                weight[k][..dim].copy_from_slice(&hessian[k * dim..(k + 1) * dim]);
            }
        }
        _ => return false,
    }
    true
}

/// Sets the changes of some rows, and adds those of their Jacobian at their force.
pub(super) fn row_changes(
    context: &RowContext<'_>,
    rows: Range<usize>,
    out: &mut RowOutput<'_>,
) -> Result<(), TransitionError> {
    let RowContext { m, d, .. } = *context;
    let id = d.efc_id[rows.start].max(0) as usize;
    match d.efc_type[rows.start] {
        ConstraintType::Equality => match m.eq_type[id] {
            EqType::Connect => connect_rows(context, EqId::new(id), rows, out),
            EqType::Weld => weld_rows(context, EqId::new(id), rows, out),
            _ => coupling_rows(context, EqId::new(id), rows.start, out)?,
        },
        ConstraintType::LimitJoint => {
            gradient_row(d, rows.start, out.block);
            turn_rows(context, JointId::new(id), rows.start, out)?;
        }
        ConstraintType::LimitTendon => {
            gradient_row(d, rows.start, out.block);
            limit_row(context, TendonId::new(id), rows.start, out)?;
        }
        ConstraintType::FrictionTendon => {
            tendon_row_change(context, TendonId::new(id), 1.0, rows.start, out);
        }
        // dry friction of dofs has a constant Jacobian
        ConstraintType::FrictionDof => {}
        _ => contact_rows(context, id, rows, out)?,
    }
    Ok(())
}
