//! A bowl: a sphere cut open, with a thickness (<https://iquilezles.org/articles/distfunctions/>).

use sinew_math::{Vec3, scalar};
use sinew_model::plugin::DistanceField;

/// The parameters.
pub(super) struct Bowl {
    pub(super) height: f64,
    pub(super) radius: f64,
    pub(super) thickness: f64,
}

impl DistanceField for Bowl {
    fn distance(&self, p: Vec3) -> f64 {
        let Bowl { height, radius, thickness } = *self;
        let norm = |x: f64, y: f64| scalar::sqrt(x * x + y * y);
        let width = scalar::sqrt(radius * radius - height * height);
        let rho = norm(p.x, p.y);
        let from_shell = if height * rho < width * p.z {
            // above the rim
            norm(rho - width, p.z - height)
        } else {
            (norm(rho, p.z) - radius).abs()
        };
        from_shell - thickness
    }

    fn aabb(&self) -> [f64; 6] {
        let half = self.radius + self.thickness;
        [0.0, 0.0, 0.0, half, half, half]
    }
}
