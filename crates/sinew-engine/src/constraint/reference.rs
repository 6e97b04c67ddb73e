//! Reference acceleration of the constraint rows.

use sinew_model::{Data, Model};

use crate::constraint::adhesive::add_adhesive_reference;
use crate::constraint::moving::add_surface_velocity;
use crate::constraint::product::{mul_jac_vec, mul_jac_vec_dense};

/// Velocity and reference acceleration of the constraint rows.
///
/// Reads the rows, `qvel`, and of contacts that pull `efc_R`. Writes `efc_vel`, `efc_aref`.
#[doc(alias = "mj_referenceConstraint")]
#[inline(always)]
pub fn reference_constraint(m: &Model, d: &mut Data) {
    if d.nefc != 0 || !d.efc_vel.is_empty() || !d.efc_aref.is_empty() {
        reference_rows(m, d);
    }
}

#[inline(never)]
fn reference_rows(m: &Model, d: &mut Data) {
    let mut vel = core::mem::take(&mut d.efc_vel);
    vel.resize(d.nefc);
    if m.is_sparse() {
        mul_jac_vec(d, &mut vel, &d.qvel);
    } else {
        mul_jac_vec_dense(d, &mut vel, &d.qvel);
    }
    d.efc_vel = vel;
    if m.later.is_some() {
        add_surface_velocity(m, d);
    }

    // aref = -B vel - K imp (pos - margin)
    d.efc_aref.resize(d.nefc);
    let Data { efc_aref, efc_vel, efc_KBIP, efc_pos, efc_margin, .. } = d;
    let gaps = efc_pos.iter().zip(efc_margin.iter());
    let rows = efc_vel.iter().zip(efc_KBIP.iter()).zip(gaps);
    for (aref, ((vel, [k, b, imp, _]), (pos, margin))) in efc_aref.iter_mut().zip(rows) {
        *aref = -b * vel - k * imp * (pos - margin);
    }
    if m.later.is_some() {
        add_adhesive_reference(m, d);
    }
}
