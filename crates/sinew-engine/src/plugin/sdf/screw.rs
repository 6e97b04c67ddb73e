//! Common parts of a bolt and a nut: a thread and a hexagonal head.
//!
//! The shapes are modifications of <https://www.shadertoy.com/view/XtffzX>.

use core::f64::consts::PI;

use sinew_math::{Vec3, scalar};

use super::ops::{fract, intersection};

/// Threads per unit of length.
const SCREW: f64 = 12.0;

/// Sine of the angle of cones and flanks.
pub(super) fn slope() -> f64 {
    scalar::sqrt(2.0) / 2.0
}

/// A cylinder whose surface is a triangle wave along a helix; `rho` is the distance from it.
pub(super) fn thread(p: Vec3, rho: f64) -> f64 {
    let azimuth = scalar::atan2(p.y, p.x);
    let wave = (fract(p.z * SCREW - azimuth / PI / 2.0) - 0.5).abs();
    (rho - wave / SCREW) * slope()
}

/// A hexagonal head between z = -0.5 and 0, its top rounded by a cone.
pub(super) fn head(p: Vec3, rho: f64) -> f64 {
    // the sector that the point is in, turned to the x axis
    let k = 6.0 / PI / 2.0;
    let angle = -(scalar::atan2(p.y, p.x) * k + 0.5).floor() / k;
    let (sin, cos) = (scalar::sin(angle), scalar::sin(angle + PI * 0.5));
    let x = cos * p.x + -sin * p.y;
    let side = intersection(x - 0.5, (p.z + 0.25).abs() - 0.25);
    intersection(side, (p.z + rho - 0.22) * slope())
}

/// Distance from the axis, less a radius.
pub(super) fn beyond(p: Vec3, radius: f64) -> f64 {
    scalar::sqrt(p.x * p.x + p.y * p.y) - radius
}

/// The box around both.
pub(super) const AABB: [f64; 6] = [0.0, 0.0, 0.0, 0.6, 0.6, 1.0];
