//! Constraint rows: what equalities, dry friction, limits and contacts ask of the acceleration.
//!
//! A row wants J q̈ = aref and pays with the force f = -(J q̈ - aref) / R: equalities always, dry
//! friction up to a bound, limits and contacts only when that pushes. Rows are sparse: each has
//! the dofs that move its bodies, whether the model's Jacobians are sparse or not.
//! Theory: MuJoCo docs, "Computation / Constraint model".

mod chain;
mod contact;
pub(crate) mod contact_force;
mod equality;
mod friction;
mod impedance;
mod limit;
mod lists;
mod product;
mod project;
mod rows;
mod scalar_row;

use sinew_model::enums::DisableBit;
use sinew_model::{Data, Model};

use product::mul_jac_vec_dense;
pub use product::{jacobian_row, mul_jac_t_vec, mul_jac_vec};
pub use project::{inertia_row, is_dual, project_constraint};
use rows::Rows;

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
fn discard_rows(d: &mut Data) {
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

/// Velocity and reference acceleration of the constraint rows.
///
/// Reads the rows, `qvel`. Writes `efc_vel`, `efc_aref`.
#[doc(alias = "mj_referenceConstraint")]
pub fn reference_constraint(m: &Model, d: &mut Data) {
    let mut vel = core::mem::take(&mut d.efc_vel);
    vel.resize(d.nefc);
    if m.is_sparse() {
        mul_jac_vec(d, &mut vel, &d.qvel);
    } else {
        mul_jac_vec_dense(d, &mut vel, &d.qvel);
    }
    d.efc_vel = vel;

    // aref = -B vel - K imp (pos - margin)
    d.efc_aref.resize(d.nefc);
    let Data { efc_aref, efc_vel, efc_KBIP, efc_pos, efc_margin, .. } = d;
    let gaps = efc_pos.iter().zip(efc_margin.iter());
    let rows = efc_vel.iter().zip(efc_KBIP.iter()).zip(gaps);
    for (aref, ((vel, [k, b, imp, _]), (pos, margin))) in efc_aref.iter_mut().zip(rows) {
        *aref = -b * vel - k * imp * (pos - margin);
    }
}
