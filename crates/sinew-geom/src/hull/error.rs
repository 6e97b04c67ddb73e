//! Why there is no hull.

use core::fmt;

/// Why there is no hull.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HullError {
    /// Fewer than four points, or all of them (nearly) in a plane.
    Flat,
    /// A coordinate is NaN or infinite.
    NotFinite,
    /// Rounding made the polytope invalid, so that Qhull fails too.
    Precision,
    /// The polytope touches itself within rounding, even after its points were moved.
    Pinched,
}

impl fmt::Display for HullError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            HullError::Flat => "the points lie in a plane",
            HullError::NotFinite => "a coordinate is not finite",
            HullError::Precision => "the hull is not valid within rounding",
            HullError::Pinched => "the hull touches itself within rounding",
        })
    }
}

impl core::error::Error for HullError {}
