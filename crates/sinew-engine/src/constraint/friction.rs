//! Rows of dry friction in dofs and tendons.

use sinew_model::enums::{ConstraintType, ObjType};
use sinew_model::{Data, Model};

use crate::constraint::impedance::Response;
use crate::constraint::rows::{Origin, RowValues, commit_one, jacobian};
use crate::constraint::scalar_row::{append_row, tendon_row};
use crate::sleep::{is_asleep, some_asleep};
use crate::work::scratch;

/// Rows of all dofs, then of all tendons that have friction loss.
pub(crate) fn dry_friction(m: &Model, d: &mut Data) {
    let some_asleep = some_asleep(m, d);
    for (v, &frictionloss) in m.dofs().zip(&*m.dof_frictionloss) {
        if frictionloss == 0.0 || some_asleep && is_asleep(m, d, ObjType::Dof, v.idx()) {
            continue;
        }
        let response = Response::new(m, m.dof_solref[v], m.dof_solimp[v], 0.0);
        let entries = jacobian(d, 1, &[v.idx() as i32]);
        d.efc_J[entries.start] = 1.0;
        let from = Origin { kind: ConstraintType::FrictionDof, id: v.idx() };
        commit_one(d, from, &values(response, frictionloss, m.dof_invweight0[v]));
    }

    if m.ntendon == 0 {
        return;
    }
    let mut work = scratch(d).constraint.take().unwrap_or_default();
    // the sign counts here, unlike for dofs: MuJoCo leaves a negative loss of a tendon out
    for t in m.tendons().filter(|&t| m.tendon_frictionloss[t] > 0.0) {
        let frictionloss = m.tendon_frictionloss[t];
        tendon_row(m, d, t, &mut work.row);
        let response = Response::new(m, m.tendon_solref_fri[t], m.tendon_solimp_fri[t], 0.0);
        let from = Origin { kind: ConstraintType::FrictionTendon, id: t.idx() };
        let efcadr = d.nefc as i32;
        append_row(m, d, &work.row, from, values(response, frictionloss, m.tendon_invweight0[t]));
        if d.tendon_efcadr[t] == -1 {
            d.tendon_efcadr[t] = efcadr;
        }
    }
    scratch(d).constraint = Some(work);
}

fn values(response: Response, frictionloss: f64, diag: f64) -> RowValues {
    RowValues {
        pos: 0.0,
        margin: 0.0,
        frictionloss,
        response: response.without_stiffness(),
        r: response.regularisation(diag),
    }
}
