//! Mass of the whole model.

use sinew_math::MINVAL;
use sinew_model::Model;

/// Sum of the masses of all bodies.
#[doc(alias = "mj_getTotalmass")]
pub fn get_totalmass(m: &Model) -> f64 {
    m.body_mass.iter().skip(1).sum()
}

/// Scales masses and inertias to a total; call `set_const` afterwards.
#[doc(alias = "mj_setTotalmass")]
pub fn set_totalmass(m: &mut Model, mass: f64) {
    let scale = (mass / get_totalmass(m).max(MINVAL)).max(MINVAL);
    for b in m.bodies().skip(1) {
        m.body_mass[b] *= scale;
        m.body_inertia[b] *= scale;
    }
}
