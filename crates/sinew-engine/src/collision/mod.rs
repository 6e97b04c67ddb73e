//! From the poses of geoms to the list of contacts.

use sinew_model::{Data, Model};

/// Finds the contacts.
///
/// Reads `geom_xpos`, `geom_xmat`. Writes `contact`, `ncon`.
#[doc(alias = "mj_collision")]
pub fn collision(_m: &Model, d: &mut Data) {
    d.contact.clear();
    d.ncon = 0;
}
