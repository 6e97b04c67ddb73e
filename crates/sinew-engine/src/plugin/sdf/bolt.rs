//! A bolt with a hexagonal head.

use sinew_math::Vec3;
use sinew_model::plugin::DistanceField;

use super::ops::{subtraction, union};
use super::screw::{AABB, beyond, head, slope, thread};

/// The parameters.
pub(super) struct Bolt {
    pub(super) radius: f64,
}

impl DistanceField for Bolt {
    fn distance(&self, p: Vec3) -> f64 {
        // the thread, cut at both ends and by a cone
        let rho = beyond(p, self.radius);
        let cut = subtraction(thread(p, rho), 0.5 - (p.z + 0.5).abs());
        let cone = (p.z - rho) * slope();
        let bolt = subtraction(cut, cone + 1.0 * slope());
        union(bolt, head(p, rho))
    }

    fn aabb(&self) -> [f64; 6] {
        AABB
    }
}
