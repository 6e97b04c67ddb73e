//! Forces, states and cost of constraint rows at a given acceleration.

use sinew_model::enums::{ConstraintState, ConstraintType};
use sinew_model::{Contact, Data, Model};

use super::zones::{EllipticCone, RowZone, dry_friction};
use crate::constraint::mul_jac_t_vec;
use crate::work::scratch;

/// Forces and states of the constraint rows at `jar` = J q̈ - aref, and their cost.
///
/// Reads the constraint rows. Writes `efc_force`, `efc_state`, `qfrc_constraint`, and `H` of the
/// contacts that slide if `with_cone_hessian`.
#[doc(alias = "mj_constraintUpdate")]
pub fn constraint_update(
    _m: &Model,
    d: &mut Data,
    jar: &[f64],
    cost: Option<&mut f64>,
    with_cone_hessian: bool,
) {
    let total = update_all(d, jar, with_cone_hessian);
    if let Some(cost) = cost {
        *cost = total;
    }

    // Jᵀ force
    let nv = d.qfrc_constraint.len();
    let mut qfrc = scratch(d).take_dof(nv);
    mul_jac_t_vec(d, &mut qfrc, &d.efc_force);
    if d.nefc > 0 {
        d.qfrc_constraint.copy_from_slice(&qfrc);
    }
    scratch(d).dof = qfrc;
}

/// Forces and states of the constraint rows alone.
///
/// Reads the constraint rows. Writes `efc_force`, `efc_state`.
pub(crate) fn forces_at(d: &mut Data, jar: &[f64]) {
    update_all(d, jar, false);
}

/// Forces, states and cost of the rows.
fn update_all(d: &mut Data, jar: &[f64], with_cone_hessian: bool) -> f64 {
    let Data { efc_force, efc_state, contact, .. } = d;
    let rows = RowsView {
        ne: d.ne,
        nf: d.nf,
        kind: &d.efc_type,
        id: &d.efc_id,
        d: &d.efc_D,
        r: &d.efc_R,
        frictionloss: &d.efc_frictionloss,
    };
    update_rows(&rows, jar, contact, efc_state, efc_force, with_cone_hessian)
}

/// The rows as far as forces depend on them: equalities first, then dry friction.
struct RowsView<'a> {
    ne: usize,
    nf: usize,
    kind: &'a [ConstraintType],
    id: &'a [i32],
    d: &'a [f64],
    r: &'a [f64],
    frictionloss: &'a [f64],
}

/// Fills `state` and `force`; returns the cost.
fn update_rows(
    rows: &RowsView<'_>,
    jar: &[f64],
    contact: &mut [Contact],
    state: &mut [ConstraintState],
    force: &mut [f64],
    with_cone_hessian: bool,
) -> f64 {
    let mut cost = 0.0;
    let n = jar.len().min(rows.kind.len()).min(state.len());
    let mut i = 0;
    while i < n {
        // the rows of an elliptic contact together
        if i >= rows.ne + rows.nf && rows.kind[i] == ConstraintType::ContactElliptic {
            let index = usize::try_from(rows.id[i]).ok();
            if let Some(con) = index.and_then(|c| contact.get_mut(c)) {
                let dim = (con.dim.clamp(1, 6) as usize).min(n - i);
                let cone = EllipticCone::new(con, dim, rows.d[i]);
                let zone =
                    cone.update(&rows.d[i..i + dim], &jar[i..i + dim], &mut force[i..i + dim]);
                if with_cone_hessian && zone.state == ConstraintState::Cone {
                    cone.hessian(&zone.u, con.H.as_flattened_mut());
                }
                state[i..i + dim].fill(zone.state);
                cost += zone.cost;
                i += dim;
                continue;
            }
        }
        let zone = rows.single(i, jar[i]);
        (state[i], force[i]) = (zone.state, zone.force);
        cost += zone.cost;
        i += 1;
    }
    cost
}

impl RowsView<'_> {
    /// A row that is no part of a cone, or of one whose contact does not exist.
    fn single(&self, i: usize, x: f64) -> RowZone {
        const SATISFIED: RowZone =
            RowZone { state: ConstraintState::Satisfied, force: 0.0, cost: 0.0 };
        let d = self.d[i];
        let quadratic =
            RowZone { state: ConstraintState::Quadratic, force: -d * x, cost: 0.5 * d * x * x };
        if i < self.ne {
            quadratic
        } else if i < self.ne + self.nf {
            let loss = self.frictionloss[i];
            dry_friction(x, d, loss, self.r[i] * loss)
        } else if x >= 0.0 || self.kind[i] == ConstraintType::ContactElliptic {
            SATISFIED
        } else {
            quadratic
        }
    }
}
