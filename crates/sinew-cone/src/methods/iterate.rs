//! A point on the way to the answer.

use crate::dense::zero;

/// A point with all that is known of it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Iterate {
    pub(crate) y: Vec<f64>,
    /// `P y - q`, and the same with De Saxcé's correction.
    pub(crate) w: Vec<f64>,
    pub(crate) corrected: Vec<f64>,
    /// The natural map.
    pub(crate) f: Vec<f64>,
    pub(crate) point: Point,
}

/// How far a point is from the law.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Point {
    /// `|F|`.
    pub(crate) merit: f64,
    /// Residual over the accepted residual.
    pub(crate) excess: f64,
}

impl Iterate {
    pub(crate) fn resize(&mut self, n: usize) {
        zero([&mut self.y, &mut self.w, &mut self.corrected, &mut self.f], n);
    }
}
