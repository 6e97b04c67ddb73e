//! A torus about the z axis.

use sinew_math::{MINVAL, Vec3, scalar};
use sinew_model::plugin::DistanceField;

/// The parameters.
pub(super) struct Torus {
    pub(super) radius: f64,
    pub(super) tube: f64,
}

impl DistanceField for Torus {
    fn distance(&self, p: Vec3) -> f64 {
        let q = scalar::sqrt(p.x * p.x + p.y * p.y) - self.radius;
        scalar::sqrt(q * q + p.z * p.z) - self.tube
    }

    fn gradient(&self, p: Vec3) -> Vec3 {
        let rho = scalar::sqrt(p.x * p.x + p.y * p.y);
        let q = rho - self.radius;
        let from_tube = scalar::sqrt(q * q + p.z * p.z);
        let length = if from_tube > MINVAL { from_tube } else { MINVAL };
        Vec3::new(q * (p.x / rho) / length, q * (p.y / rho) / length, p.z / length)
    }

    fn aabb(&self) -> [f64; 6] {
        let half = self.radius + self.tube;
        [0.0, 0.0, 0.0, half, half, self.tube]
    }
}
