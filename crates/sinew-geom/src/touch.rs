//! A contact of two solids.

use sinew_math::Vec3;

/// Most contacts a pair of solids may have.
pub const MAX_CONTACTS: usize = 50;

/// A point where two solids touch.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Touch {
    /// Distance between the surfaces; negative if they overlap.
    pub dist: f64,
    /// Point midway between the surfaces.
    pub pos: Vec3,
    /// Unit normal, from the first solid to the second.
    pub normal: Vec3,
    /// Direction of the first tangent; zero leaves the choice open.
    pub tangent: Vec3,
}
