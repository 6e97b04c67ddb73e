//! Points in screen coordinates.

/// A projected vertex: pixels from the left and from the top, depth, and 1/w.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Spot {
    pub(crate) x: f32,
    pub(crate) y: f32,
    pub(crate) z: f32,
    pub(crate) invw: f32,
}
