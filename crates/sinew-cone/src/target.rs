//! When a search may stop.

use crate::natural_map::Merit;
use crate::tuning::VELOCITY;

/// When to stop.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Target {
    pub(crate) tolerance: f64,
    /// Whether the tolerance is relative to the largest impulse, or to the largest entry of `b`
    /// where this is larger.
    pub(crate) relative: bool,
    /// Largest entry of `b`, and the impulse that it takes.
    pub(crate) speed: f64,
    pub(crate) unit: f64,
    pub(crate) max_iterations: usize,
}

impl Target {
    /// Residual of a point over the accepted residual: at most one if the point is accepted.
    pub(crate) fn excess(&self, found: &Merit) -> f64 {
        let unit = if self.relative { found.largest.max(self.unit) } else { 1.0 };
        let impulses = found.residual / (self.tolerance * unit);
        let velocities = found.velocity / (VELOCITY * self.tolerance * self.speed);
        // NaN is not accepted
        if impulses > velocities || impulses.is_nan() { impulses } else { velocities }
    }
}
