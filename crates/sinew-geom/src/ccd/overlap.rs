//! The result of a search for two solids that overlap.

use sinew_math::Vec3;

/// The overlap of two solids.
#[derive(Clone, Copy, Debug)]
pub(super) struct Overlap {
    pub depth: f64,
    /// From the first solid to the second.
    pub dir: Vec3,
    pub pos: Vec3,
}
