//! The rows of all constraints, in MuJoCo's order.

use sinew_model::enums::DisableBit;
use sinew_model::{Data, Model};

use crate::constraint::rows::Rows;
use crate::constraint::{contact, equality, friction, limit};

/// Makes the constraint rows of position.
///
/// Reads `contact` and the position stage. Writes `ne`, `nf`, `nl`, `nefc`, the `efc_*` lists that
/// depend on position, and `efc_address` of each contact.
#[doc(alias = "mj_makeConstraint")]
pub fn make_constraint(m: &Model, d: &mut Data) {
    (d.ne, d.nf, d.nl, d.nefc, d.nJ, d.nA) = (0, 0, 0, 0, 0, 0);
    let mut rows = Rows::take(d);
    d.tendon_efcadr.resize(m.ntendon);
    d.tendon_efcadr.fill(-1);
    if !m.opt.disabled(DisableBit::Constraint) && m.nv > 0 {
        append_all(m, d, &mut rows);
    }
    rows.put_back(d);
    resize_results(d);
    d.maxuse_con = d.maxuse_con.max(d.contact.len());
    d.maxuse_efc = d.maxuse_efc.max(d.nefc);
}

/// Drops all rows, as MuJoCo does when its memory is full.
pub(super) fn discard_rows(d: &mut Data) {
    (d.ne, d.nf, d.nl, d.nefc, d.nJ, d.nA, d.nisland) = (0, 0, 0, 0, 0, 0, 0);
    Rows::take(d).put_back(d);
    resize_results(d);
    for contact in &mut d.contact {
        contact.efc_address = -1;
    }
    d.tendon_efcadr.fill(-1);
}

/// Rows of all kinds, in MuJoCo's order, and how many there are of each.
fn append_all(m: &Model, d: &mut Data, rows: &mut Rows) {
    if !m.opt.disabled(DisableBit::Equality) && m.nemax > 0 {
        equality::equalities(m, d, rows);
    }
    d.ne = rows.len();
    if !m.opt.disabled(DisableBit::Frictionloss) {
        friction::dry_friction(m, d, rows);
    }
    d.nf = rows.len() - d.ne;
    if !m.opt.disabled(DisableBit::Limit) {
        limit::limits(m, d, rows);
    }
    d.nl = rows.len() - d.ne - d.nf;
    if !m.opt.disabled(DisableBit::Contact) {
        contact::contacts(m, d, rows);
    }
}

/// Gives the lists that later stages fill one entry per row.
fn resize_results(d: &mut Data) {
    for list in [&mut d.efc_vel, &mut d.efc_aref, &mut d.efc_b, &mut d.efc_force] {
        list.resize(d.nefc);
    }
    d.efc_state.resize(d.nefc);
}
