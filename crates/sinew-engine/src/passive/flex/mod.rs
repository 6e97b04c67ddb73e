//! Forces of flexible objects: elasticity of their elements, bending of cloth, springs and dampers
//! along their edges, and contacts that push as springs do.

mod bending;
pub(crate) mod contact;
mod edge;
mod element;
pub(crate) mod enabled;
pub(crate) mod interpolated;

use sinew_model::{Data, Model};

use crate::passive::flex::enabled::Enabled;

/// Adds the forces of all flexes to `qfrc_spring` and `qfrc_damper`.
///
/// Reads `xpos`, `xmat`, `cdof`, `subtree_com`, `cvel`, `qvel`, `flexvert_xpos`, `flexedge_length`,
/// `flexedge_velocity`, `flexedge_J`.
pub(super) fn forces(m: &Model, d: &mut Data, enabled: Enabled) {
    for f in m.flexes().filter(|&f| m.flex_dim[f] > 1 && !m.flex_rigid[f].get()) {
        if m.flex_dim[f] == 2 {
            bending::plate(m, d, f, enabled);
        }
        let stiffness = m.flex_stiffness.get(m.flex_elems(f).start);
        if stiffness.is_none_or(|k| k[0] == 0.0) {
            continue;
        }
        if m.flex_interp[f] != 0 {
            interpolated::elasticity(m, d, f, enabled);
        } else {
            element::elasticity(m, d, f);
        }
    }
    edge::spring_dampers(m, d, enabled);
}
