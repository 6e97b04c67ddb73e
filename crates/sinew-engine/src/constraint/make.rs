//! The rows of all constraints, in MuJoCo's order.

use sinew_model::enums::DisableBit;
use sinew_model::{Data, Model};

use crate::constraint::{contact, equality, friction, limit, rows};

/// Makes the constraint rows of position.
///
/// Reads `contact` and the position stage. Writes `ne`, `nf`, `nl`, `nefc`, the `efc_*` lists that
/// depend on position, and `efc_address` of each contact.
#[doc(alias = "mj_makeConstraint")]
pub fn make_constraint(m: &Model, d: &mut Data) {
    (d.ne, d.nf, d.nl, d.nefc, d.nJ, d.nA) = (0, 0, 0, 0, 0, 0);
    if m.ntendon > 0 {
        d.tendon_efcadr.resize(m.ntendon);
        d.tendon_efcadr.fill(-1);
    }
    let possible = m.nv > 0 && !m.opt.disabled(DisableBit::Constraint) && has_sources(m, d);
    // most steps of a small model have no rows, and had none before
    if possible || !are_cleared(d) {
        if possible {
            rows::prepare(d);
            append_all(m, d);
        }
        rows::finish(d);
        resize_results(d);
    }
    d.maxuse_con = d.maxuse_con.max(d.contact.len());
    d.maxuse_efc = d.maxuse_efc.max(d.nefc);
}

/// Whether anything is there that may have rows.
fn has_sources(m: &Model, d: &Data) -> bool {
    !d.contact.is_empty()
        || m.nemax > 0
        || m.ntendon > 0 && tendons_have_rows(m, d)
        || m.dof_frictionloss.iter().any(|&loss| loss != 0.0)
        || limit::may_be_reached(m, d)
}

/// Whether tendons may have rows.
fn tendons_have_rows(m: &Model, d: &Data) -> bool {
    m.tendon_frictionloss.iter().any(|&loss| loss > 0.0) || limit::tendon_may_be_reached(m, d)
}

/// Drops all rows, as MuJoCo does when its memory is full.
pub(super) fn discard_rows(d: &mut Data) {
    (d.ne, d.nf, d.nl, d.nefc, d.nJ, d.nA, d.nisland) = (0, 0, 0, 0, 0, 0, 0);
    rows::finish(d);
    resize_results(d);
    for contact in &mut d.contact {
        contact.efc_address = -1;
    }
    d.tendon_efcadr.fill(-1);
}

/// Rows of all kinds, in MuJoCo's order, and how many there are of each.
fn append_all(m: &Model, d: &mut Data) {
    if !m.opt.disabled(DisableBit::Equality) && m.nemax > 0 {
        equality::equalities(m, d);
    }
    d.ne = d.nefc;
    if !m.opt.disabled(DisableBit::Frictionloss) {
        friction::dry_friction(m, d);
    }
    d.nf = d.nefc - d.ne;
    if !m.opt.disabled(DisableBit::Limit) {
        limit::limits(m, d);
    }
    d.nl = d.nefc - d.ne - d.nf;
    if !m.opt.disabled(DisableBit::Contact) {
        contact::contacts(m, d);
    }
}

/// Whether the lists of rows are empty, also those that somebody may have set alone.
fn are_cleared(d: &Data) -> bool {
    let integers =
        [&d.efc_id, &d.efc_J_rownnz, &d.efc_J_rowadr, &d.efc_J_rowsuper, &d.efc_J_colind];
    let numbers = [&d.efc_J, &d.efc_pos, &d.efc_margin, &d.efc_frictionloss, &d.efc_diagApprox];
    let results = [&d.efc_D, &d.efc_R, &d.efc_vel, &d.efc_aref, &d.efc_b, &d.efc_force];
    let entries = d.efc_type.len() + d.efc_KBIP.len() + d.efc_state.len();
    let entries = integers.iter().fold(entries, |sum, list| sum + list.len());
    numbers.iter().chain(&results).fold(entries, |sum, list| sum + list.len()) == 0
}

/// Gives the lists that later stages fill one entry per row.
#[inline(always)]
fn resize_results(d: &mut Data) {
    for list in [&mut d.efc_vel, &mut d.efc_aref, &mut d.efc_b, &mut d.efc_force] {
        list.resize(d.nefc);
    }
    d.efc_state.resize(d.nefc);
}
