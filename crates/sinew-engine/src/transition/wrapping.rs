//! How the points where a tendon touches a geom slide on it when the ends of the tendon move.
//!
//! The path is the path of [`wrap`](crate::tendon::wrap), in the axes of the geom.

use core::f64::consts::PI;

use sinew_math::{MINVAL, Vec3};

use super::dual::Dual;

type Dual2 = [Dual; 2];
type Dual3 = [Dual; 3];

/// A geom that a tendon touches.
#[derive(Clone, Copy, Debug)]
pub(super) struct Touched {
    pub(super) cylinder: bool,
    pub(super) radius: f64,
    /// Whether the path is along the inner surface.
    pub(super) inside: bool,
    /// The ends of the tendon and the points that it touches.
    pub(super) ends: [Vec3; 2],
    pub(super) points: [Vec3; 2],
}

impl Touched {
    /// Both points with their derivatives by the first end, then by the second; none where the
    /// plane of the path is not defined.
    pub(super) fn slopes(&self) -> Option<[Dual3; 2]> {
        let end = |k: usize| -> Dual3 {
            let x = self.ends[k].to_array();
            core::array::from_fn(|i| Dual::input(x[i], 3 * k + i))
        };
        let ends = [end(0), end(1)];
        let (zero, one) = (Dual::constant(0.0), Dual::constant(1.0));
        let axes =
            if self.cylinder { [[one, zero, zero], [zero, one, zero]] } else { plane(ends)? };
        let flat = ends.map(|end| match self.cylinder {
            true => [end[0], end[1]],
            false => axes.map(|axis| dot3(axis, end)),
        });
        let (touch, arc) = if self.inside {
            let touch = self.within(flat)?;
            ([touch; 2], zero)
        } else {
            self.around(axes, flat)
        };
        let mut points = touch.map(|t| match self.cylinder {
            true => [t[0], t[1], zero],
            false => core::array::from_fn(|k| axes[0][k] * t[0] + axes[1][k] * t[1]),
        });
        if self.cylinder {
            // the path climbs evenly with its length in the plane
            let run = |k: usize| norm2(sub2(flat[k], touch[k]));
            let (first, last) = (run(0), run(1));
            let climb = (ends[1][2] - ends[0][2]) / (first + arc + last);
            points[0][2] = ends[0][2] + climb * first;
            points[1][2] = ends[0][2] + climb * (first + arc);
        }
        Some(points)
    }

    /// The points where tangents from both ends touch the circle, and the arc between.
    fn around(&self, axes: [Dual3; 2], [a, b]: [Dual2; 2]) -> ([Dual2; 2], Dual) {
        let (square, radius) = (self.radius * self.radius, self.radius);
        // which way round the points are: from one end's tangent on this side, or on the other
        let place = |end: Dual2, side: f64| -> [f64; 3] {
            let end = end.map(|x| x.x);
            let far = end[0] * end[0] + end[1] * end[1];
            let across = (far - square).sqrt() * side * radius;
            let t = [
                (end[0] * square + across * end[1]) / far,
                (end[1] * square - across * end[0]) / far,
            ];
            core::array::from_fn(|k| axes[0][k].x * t[0] + axes[1][k].x * t[1])
        };
        let away = |side: f64| {
            let dist = |[x, y, z]: [f64; 3], point: Vec3| {
                let z = if self.cylinder { point.z } else { z };
                Vec3::new(x, y, z).dist(point)
            };
            dist(place(a, side), self.points[0]) + dist(place(b, -side), self.points[1])
        };
        let turns_second = away(-1.0) < away(1.0);
        let tangent = |end: Dual2, side: f64| -> Dual2 {
            let far = dot2(end, end);
            let across = (far + -square).sqrt() * (side * radius);
            [(end[0] * square + across * end[1]) / far, (end[1] * square - across * end[0]) / far]
        };
        let side = if turns_second { -1.0 } else { 1.0 };
        let [p, q] = [tangent(a, side), tangent(b, -side)];
        let angle = (p[0] * q[1] - p[1] * q[0]).atan2(dot2(p, q));
        let angle = if turns_second { angle } else { -angle };
        let angle = if angle.x < 0.0 { angle + 2.0 * PI } else { angle };
        ([p, q], angle * radius)
    }

    /// The point where a path touches the circle from within, as the iteration finds it.
    fn within(&self, [a, b]: [Dual2; 2]) -> Option<Dual2> {
        let radius = Dual::constant(self.radius);
        let (len0, len1) = (norm2(a), norm2(b));
        let dif = sub2(b, a);
        let cos_gap = (len0 * len0 + len1 * len1 - dot2(dif, dif)) / (len0 * len1 * 2.0);
        let ratio = [radius / len0, radius / len1];
        if cos_gap.x >= 1.0 - MINVAL {
            return None;
        }
        let z = touch_root(ratio, cos_gap.acos())?;
        let first = (a[0] * b[1] - a[1] * b[0]).x > 0.0;
        let (from, length, share) = if first { (a, len0, ratio[0]) } else { (b, len1, ratio[1]) };
        let angle = z.asin() - (share * z).asin();
        let dir = from.map(|x| x / length);
        let (sin, cos) = (angle.sin(), angle.cos());
        Some([
            (cos * dir[0] - sin * dir[1]) * self.radius,
            (sin * dir[0] + cos * dir[1]) * self.radius,
        ])
    }
}

/// The root of asin(Az) + asin(Bz) - 2 asin(z) + G with the engine's own steps. The engine stops at
/// 1e-6, so the derivative is the derivative of the steps.
fn touch_root([ra, rb]: [Dual; 2], gap: Dual) -> Option<Dual> {
    let residual = |z: Dual| (ra * z).asin() + (rb * z).asin() - z.asin() * 2.0 + gap;
    let mut z = Dual::constant(1.0 - 1e-7);
    let mut f = residual(z);
    for _ in 0..20 {
        if f.x.abs() <= 1e-6 {
            return Some(z);
        }
        let one = Dual::constant(1.0);
        let over = |r: Dual| r / (one - z * z * r * r).sqrt();
        let slope = over(ra) + over(rb) - over(one) * 2.0;
        z = z - f / slope;
        f = residual(z);
    }
    None
}

/// Axes of the plane through the centre of a sphere and both ends.
fn plane([a, b]: [Dual3; 2]) -> Option<[Dual3; 2]> {
    let first = unit(a)?;
    let normal = unit(cross(a, b))?;
    Some([first, cross(normal, first)])
}

fn unit(v: Dual3) -> Option<Dual3> {
    let length = dot3(v, v).sqrt();
    (length.x >= MINVAL).then(|| v.map(|x| x / length))
}

fn cross(a: Dual3, b: Dual3) -> Dual3 {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn dot3(a: Dual3, b: Dual3) -> Dual {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn dot2(a: Dual2, b: Dual2) -> Dual {
    a[0] * b[0] + a[1] * b[1]
}

fn sub2(a: Dual2, b: Dual2) -> Dual2 {
    [a[0] - b[0], a[1] - b[1]]
}

fn norm2(a: Dual2) -> Dual {
    dot2(a, a).sqrt()
}
