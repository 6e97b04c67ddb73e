//! Projected Gauss-Seidel: forces of one constraint after another, in the space of the rows.

use sinew_model::{Data, Model};

/// Improves `efc_force` in at most `max_iter` sweeps.
#[doc(alias = "mj_solPGS")]
#[allow(dead_code)]
pub(crate) fn pgs(_m: &Model, _d: &mut Data, _max_iter: usize) {}
