//! Convex hulls.

use sinew_math::Vec3;

/// Why there is no hull.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HullError {
    /// All points lie in a plane.
    Flat,
}

/// A hull.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Hull {}

impl Hull {
    /// Faces.
    pub fn faces(&self) -> impl Iterator<Item = [u32; 3]> + '_ {
        core::iter::empty()
    }
    /// Graph.
    pub fn graph(&self) -> Vec<i32> {
        Vec::new()
    }
}

/// Hull.
pub fn convex_hull(points: &[Vec3], limit: Option<usize>) -> Result<Hull, HullError> {
    let _ = (points, limit);
    Err(HullError::Flat)
}
