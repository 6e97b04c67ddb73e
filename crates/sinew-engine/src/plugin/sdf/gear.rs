//! A spur gear with involute teeth, after <https://www.shadertoy.com/view/3lG3WR>.

use core::f64::consts::PI;

use sinew_math::{Vec3, scalar};
use sinew_model::plugin::DistanceField;

use super::ops::{intersection, max, min, subtraction};

/// The parameters.
pub(super) struct Gear {
    /// Angle by which it is turned.
    pub(super) alpha: f64,
    /// Of the pitch circle, on which gears roll.
    pub(super) diameter: f64,
    pub(super) teeth: f64,
    pub(super) thickness: f64,
    /// Of the hole; negative to leave a rim.
    pub(super) inner_diameter: f64,
}

/// Depth of a tooth in units of the module.
const DEPTH: f64 = 2.2;

/// Distance of a point that no flank is near.
const FAR_INSIDE: f64 = -1.0e6;

impl DistanceField for Gear {
    fn distance(&self, p: Vec3) -> f64 {
        // the outline, extruded
        let outline = self.outline(p);
        let above = p.z.abs() - self.thickness / 2.0;
        let (a, b) = (max(outline, 0.0), max(above, 0.0));
        min(max(outline, above), 0.0) + scalar::sqrt(a * a + b * b)
    }

    fn aabb(&self) -> [f64; 6] {
        let half = self.diameter / 2.0 * 1.25;
        [0.0, 0.0, 0.0, half, half, self.thickness / 2.0 * 1.1]
    }
}

impl Gear {
    /// Distance from the outline in the plane.
    fn outline(&self, p: Vec3) -> f64 {
        // circles: pitch, outside, hole
        let (diameter, teeth) = (self.diameter, self.teeth);
        let radius = diameter / 2.0;
        let rho = scalar::sqrt(p.x * p.x + p.y * p.y);
        let pitch = teeth / diameter;
        let addendum = 1.0 / pitch;
        let outer = (diameter + 2.0 * addendum) / 2.0;
        let depth = DEPTH / pitch;
        let inner = match self.inner_diameter {
            hole if hole >= 0.0 => hole / 2.0,
            _ => outer - depth - 0.14 * diameter,
        };

        // far inside or outside
        if inner - rho > 0.0 {
            return inner - rho;
        }
        if outer - rho < -0.2 {
            return rho - outer;
        }

        // the flanks of the nearest tooth, as angles from them
        let pressure = 3.096e-5 * teeth * teeth - 6.557e-3 * teeth + 0.551;
        let base = diameter * scalar::cos(pressure) / 2.0;
        let stride = PI / pitch / radius;
        let at_pitch = scalar::acos(base / radius);
        let involute = scalar::tan(at_pitch) - at_pitch;
        let shift = stride / 2.0 - 2.0 * involute;
        let angle = scalar::atan2(p.y, p.x) + self.alpha;
        let right = modulo(angle + shift / 2.0, stride) - shift / 2.0;
        let left = modulo(-angle - shift + shift / 2.0, stride) - shift / 2.0;

        // distance from both involutes
        let (mut from_right, mut from_left) = (FAR_INSIDE, FAR_INSIDE);
        if base < rho {
            let unrolled = scalar::acos(base / rho);
            let tangent = scalar::sqrt(rho * rho - base * base);
            from_right = tangent - base * (right + unrolled);
            from_left = tangent - base * (left + unrolled);
        }

        // teeth between walls, rounded at the tip, on the rim, without the hole
        let walls = intersection(right - (stride - shift), left - (stride - shift));
        let cogs = intersection(walls, intersection(from_right, from_left));
        let cogs = smooth_intersection(rho - outer, cogs, 0.0035 * diameter);
        let cogs = smooth_union(rho - (outer - depth), cogs, base - outer + depth);
        subtraction(cogs, rho - inner)
    }
}

/// The remainder that has the sign of `y`.
fn modulo(x: f64, y: f64) -> f64 {
    x - y * (x / y).floor()
}

/// A union whose edge is rounded over a width `k`.
fn smooth_union(a: f64, b: f64, k: f64) -> f64 {
    let h = scalar::clip(0.5 + 0.5 * (b - a) / k, 0.0, 1.0);
    b * (1.0 - h) + a * h - k * h * (1.0 - h)
}

/// An intersection whose edge is rounded over a width `k`.
fn smooth_intersection(a: f64, b: f64, k: f64) -> f64 {
    let edge = smooth_union(subtraction(a, b), subtraction(b, a), k);
    subtraction(intersection(a, b), edge)
}
