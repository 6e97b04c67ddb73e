//! Operations of a signed distance field for contact searches.

use sinew_math::Vec3;

/// A signed distance in a frame of its own.
pub trait Field {
    /// Distance of a point, negative inside.
    fn distance(&self, x: Vec3) -> f64;

    /// Direction in which the distance grows; of any length.
    fn gradient(&self, x: Vec3) -> Vec3;
}
