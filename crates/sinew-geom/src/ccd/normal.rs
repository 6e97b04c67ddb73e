//! Contact normals of round solids, from the place of the contact.

use sinew_math::{MINVAL, Vec3};

use crate::ccd::support::Outline;
use crate::shape::Pose;
use crate::touch::Touch;

/// Maximum number of iterations of the searches for the normal of an ellipsoid, and where they end.
const MAX_ITERATIONS: usize = 30;
const TOLERANCE: f64 = 1e-6;

/// The contact with the normal that its place on the round ones of the two solids gives.
///
/// If both solids are round, the normals are averaged; if none is, the contact stays as it is.
#[doc(alias = "mjc_fixNormal")]
pub(super) fn fixed(mut touch: Touch, solids: [Option<(&Outline, Pose)>; 2]) -> Touch {
    let start = [touch.normal, -touch.normal];
    let [first, second] = [0, 1].map(|i| {
        let (outline, Pose { pos, mat }) = solids[i]?;
        let local = normal_at(outline, mat.tmul_vec(touch.pos - pos), mat.tmul_vec(start[i]))?;
        Some(mat * local.normalize().0)
    });
    touch.normal = match (first, second) {
        (Some(n1), Some(n2)) => (n1 - n2).normalize().0,
        (Some(n1), None) => n1,
        (None, Some(n2)) => -n2,
        (None, None) => touch.normal,
    };
    touch
}

/// Direction of the outward normal near a point, in the solid's frame; nothing if it is unclear.
fn normal_at(outline: &Outline, pos: Vec3, start: Vec3) -> Option<Vec3> {
    match *outline {
        Outline::Ball { .. } => Some(pos),
        Outline::Capsule { half_len, .. } => {
            let z = match pos.z {
                z if z < -half_len => z + half_len,
                z if z > half_len => z - half_len,
                _ => 0.0,
            };
            Some(Vec3::new(pos.x, pos.y, z))
        }
        Outline::Ellipsoid { half } => {
            if half.x < MINVAL || half.y < MINVAL || half.z < MINVAL {
                return None;
            }
            let level = pos.x * pos.x / (half.x * half.x)
                + pos.y * pos.y / (half.y * half.y)
                + pos.z * pos.z / (half.z * half.z);
            if level <= 1.0 { from_inside(start, pos, half) } else { Some(from_outside(pos, half)) }
        }
        Outline::Cylinder { radius, half_len } => {
            // the round wall, unless a flat one is near
            let to_flat = (half_len - pos.z.abs()).abs();
            let to_round = (radius - (pos.x * pos.x + pos.y * pos.y).sqrt()).abs();
            let near_flat = pos.z.abs() > 0.95 * half_len || to_flat < 0.25 * to_round;
            (!near_flat).then_some(Vec3::new(pos.x, pos.y, 0.0))
        }
        _ => None,
    }
}

/// Normal of an ellipsoid from a point inside: where the ray along the normal leaves, repeated.
#[doc(alias = "mjc_ellipsoidInside")]
fn from_inside(start: Vec3, pos: Vec3, half: Vec3) -> Option<Vec3> {
    let curve =
        Vec3::new(1.0 / (half.x * half.x), 1.0 / (half.y * half.y), 1.0 / (half.z * half.z));
    let product =
        |a: Vec3, b: Vec3| a.x * b.x * curve.x + a.y * b.y * curve.y + a.z * b.z * curve.z;
    let c = product(pos, pos) - 1.0;
    if c > 0.0 {
        return None;
    }
    let mut normal = start.normalize().0;
    for k in 0..MAX_ITERATIONS {
        // the ray leaves where a x² + 2 b x + c = 0
        let (a, b) = (product(normal, normal), product(pos, normal));
        let det = b * b - a * c;
        let x = (-b + det.sqrt()) / a;
        if det < MINVAL || a < MINVAL || x < 0.0 {
            return (k > 0).then_some(normal);
        }
        let next = (pos + normal * x).mul_elem(curve).normalize().0;
        let change = normal.dist(next);
        normal = next;
        if change < TOLERANCE {
            break;
        }
    }
    Some(normal)
}

/// Normal of an ellipsoid at the point nearest to one outside, by Newton on its multiplier.
#[doc(alias = "mjc_ellipsoidOutside")]
fn from_outside(pos: Vec3, half: Vec3) -> Vec3 {
    // weights of the three terms
    let half2 = half.mul_elem(half);
    let weight =
        Vec3::new(pos.x * pos.x * half2.x, pos.y * pos.y * half2.y, pos.z * pos.z * half2.z);
    let mut la = 0.0;

    // Newton from below on a convex function: steps do not overshoot
    for _ in 0..MAX_ITERATIONS {
        let r = Vec3::new(1.0 / (half2.x + la), 1.0 / (half2.y + la), 1.0 / (half2.z + la));
        let value = weight.x * r.x * r.x + weight.y * r.y * r.y + weight.z * r.z * r.z - 1.0;
        if value < TOLERANCE {
            break;
        }
        let slope = -2.0
            * (weight.x * r.x * r.x * r.x
                + weight.y * r.y * r.y * r.y
                + weight.z * r.z * r.z * r.z);
        if slope > -MINVAL {
            break;
        }
        let step = -value / slope;
        if step < TOLERANCE {
            break;
        }
        la += step;
    }

    // gradient of the ellipsoid there
    Vec3::new(pos.x / (half2.x + la), pos.y / (half2.y + la), pos.z / (half2.z + la)).normalize().0
}
