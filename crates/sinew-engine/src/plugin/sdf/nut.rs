//! A hexagonal nut.

use sinew_math::Vec3;
use sinew_model::plugin::DistanceField;

use super::ops::{subtraction, union};
use super::screw::{AABB, beyond, head, slope, thread};

/// The parameters.
pub(super) struct Nut {
    pub(super) radius: f64,
}

impl DistanceField for Nut {
    fn distance(&self, p: Vec3) -> f64 {
        // a head without a thread that cones widen at the ends
        let rho = beyond(p, self.radius);
        let cone = (p.z - rho) * slope();
        let hole = subtraction(thread(p, rho), cone + 0.5 * slope());
        let hole = union(hole, -cone - 0.05 * slope());
        subtraction(head(p, rho), hole)
    }

    fn aabb(&self) -> [f64; 6] {
        AABB
    }
}
