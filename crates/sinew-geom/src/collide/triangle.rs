//! Spheres, capsules and boxes against a triangle with a radius: the elements of a cloth.
//!
//! The triangle stands for all points within its radius, so its sides are round. A contact of a
//! corner or an end is a sphere's contact. MuJoCo decides which features are tested, and in which
//! order (`mjraw_SphereTriangle` and its kin); edges against edges are not among them.

use sinew_math::{MINVAL, Vec3};

use crate::shape::Pose;
use crate::touch::Touch;

/// A triangle with a radius.
#[derive(Clone, Copy, Debug)]
pub struct Triangle {
    /// Corners of the triangle.
    pub corners: [Vec3; 3],
    /// Everything within this distance of it belongs to it.
    pub radius: f64,
}

/// Sphere against triangle: at most one contact, whose normal points to the triangle.
///
/// Where the centre lies in the triangle the normal is +x.
#[doc(alias = "mjraw_SphereTriangle")]
pub fn sphere_triangle(
    center: Vec3,
    radius: f64,
    triangle: &Triangle,
    margin: f64,
    out: &mut Vec<Touch>,
) {
    let [origin, second, third] = triangle.corners;
    let (side, other, from_origin) = (second - origin, third - origin, center - origin);
    let reach = margin + radius + triangle.radius;

    // too far from the plane of the triangle
    let up = side.cross(other).normalize().0;
    let height = up.dot(from_origin);
    if height.abs() > reach {
        return;
    }

    // nearest point of the triangle, as seen from its first corner
    let foot = from_origin + up * -height;
    let nearest = nearest_in_plane(side, other, up, foot);

    let (normal, length) = (nearest - from_origin).normalize();
    if length > reach {
        return;
    }
    let dist = length - radius - triangle.radius;
    let pos = center + normal * (radius + dist / 2.0);
    out.push(Touch { dist, pos, normal, tangent: Vec3::ZERO });
}

/// The point nearest to `foot` of the triangle with corners 0, `side` and `other`; `foot` lies in
/// its plane, whose normal is `up`.
fn nearest_in_plane(side: Vec3, other: Vec3, up: Vec3, foot: Vec3) -> Vec3 {
    // coordinates in the plane: along the first side, and across it
    let (along, length) = side.normalize();
    let across = up.cross(side).normalize().0;
    let plane = |v: Vec3| [along.dot(v), across.dot(v)];
    let (a, b, c, p) = ([0.0; 2], [length, 0.0], plane(other), plane(foot));

    // inside if the point is on the same hand of all three sides
    let hand = area_sign(p, a, b);
    if hand == area_sign(p, b, c) && hand == area_sign(p, c, a) {
        return foot;
    }

    // otherwise the nearest of the points nearest on each side; the last of equals
    let on_sides = [(a, b), (b, c), (c, a)].map(|(u, v)| nearest_on_segment(p, u, v));
    let [(_, d0), (_, d1), (_, d2)] = on_sides;
    let best = match (d0 < d1 && d0 < d2, d1 < d2) {
        (true, _) => 0,
        (_, true) => 1,
        _ => 2,
    };
    let [x, y] = on_sides[best].0;
    along * x + across * y
}

/// The sign of the area of a planar triangle: which way round its corners go.
fn area_sign(a: [f64; 2], b: [f64; 2], c: [f64; 2]) -> f64 {
    let area = (a[0] - c[0]) * (b[1] - c[1]) - (b[0] - c[0]) * (a[1] - c[1]);
    match area {
        area if area > 0.0 => 1.0,
        area if area < 0.0 => -1.0,
        _ => 0.0,
    }
}

/// The point of a segment nearest to `p`, and how far it is.
fn nearest_on_segment(p: [f64; 2], u: [f64; 2], v: [f64; 2]) -> ([f64; 2], f64) {
    let uv = [v[0] - u[0], v[1] - u[1]];
    let up = [p[0] - u[0], p[1] - u[1]];
    let length_sqr = uv[0] * uv[0] + uv[1] * uv[1];
    let share =
        (uv[0] * up[0] + uv[1] * up[1]) / if MINVAL > length_sqr { MINVAL } else { length_sqr };
    let point = match share {
        share if share <= 0.0 => u,
        share if share >= 1.0 => v,
        _ => [u[0] + uv[0] * share, u[1] + uv[1] * share],
    };
    let [x, y] = [point[0] - p[0], point[1] - p[1]];
    (point, (x * x + y * y).sqrt())
}

/// Capsule against triangle: its two ends, then the corners that lie beside its axis.
#[doc(alias = "mjraw_CapsuleTriangle")]
pub fn capsule_triangle(
    pose: &Pose,
    [radius, half_len]: [f64; 2],
    triangle: &Triangle,
    margin: f64,
    out: &mut Vec<Touch>,
) {
    let axis = pose.mat.col(2);
    let ends = [pose.pos + axis * -half_len, pose.pos + axis * half_len];
    for end in ends {
        sphere_triangle(end, radius, triangle, margin, out);
    }
    let span = ends[1] - ends[0];
    for corner in triangle.corners {
        // the ends were tested above: only points between them
        let share = (corner - ends[0]).dot(span) / (4.0 * half_len * half_len);
        if share <= MINVAL || share >= 1.0 - MINVAL {
            continue;
        }
        let nearest = ends[0] + span * share;
        let (normal, length) = (corner - nearest).normalize();
        if length > radius + triangle.radius + margin {
            continue;
        }
        let dist = length - radius - triangle.radius;
        let pos = (nearest + corner + normal * (radius - triangle.radius)) * 0.5;
        out.push(Touch { dist, pos, normal, tangent: Vec3::ZERO });
    }
}

/// Box against triangle: the corners of the triangle in the box, then the corners of the box.
#[doc(alias = "mjraw_BoxTriangle")]
pub fn box_triangle(
    pose: &Pose,
    half: Vec3,
    triangle: &Triangle,
    margin: f64,
    out: &mut Vec<Touch>,
) {
    let rt = triangle.radius;
    let half = half.to_array();

    // corners of the triangle leave the box through the face they are nearest to
    for corner in triangle.corners {
        let local = pose.mat.tmul_vec(corner - pose.pos).to_array();
        let above: [f64; 3] = core::array::from_fn(|k| local[k].abs() - half[k]);
        let mut face = 0;
        for axis in 1..3 {
            if above[axis] > above[face] {
                face = axis;
            }
        }
        let beside = (0..3).any(|k| local[k].abs() > half[k] + margin + rt);
        if above[face] - rt > margin || beside {
            continue;
        }
        let mut outward = Vec3::ZERO;
        outward[face] = if local[face] > 0.0 { 1.0 } else { -1.0 };
        let normal = pose.mat * outward;
        let dist = above[face] - rt;
        let pos = corner + normal * -(rt + dist * 0.5);
        out.push(Touch { dist, pos, normal, tangent: Vec3::ZERO });
    }

    // corners of the box are spheres without radius
    for k in 0..8 {
        let pick = |bit: usize| if k & 1 << bit != 0 { half[bit] } else { -half[bit] };
        let corner = pose.mat * Vec3::new(pick(0), pick(1), pick(2)) + pose.pos;
        sphere_triangle(corner, 0.0, triangle, margin, out);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew_math::Mat3;

    const FLAT: Triangle = Triangle { corners: [Vec3::ZERO, Vec3::X, Vec3::Y], radius: 0.1 };

    fn sphere_at(x: f64, y: f64, z: f64) -> Option<Touch> {
        let mut out = Vec::new();
        sphere_triangle(Vec3::new(x, y, z), 0.2, &FLAT, 0.0, &mut out);
        out.pop()
    }

    #[test]
    fn a_sphere_above_the_inside_touches_along_the_normal_of_the_plane() {
        let touch = sphere_at(0.2, 0.2, 0.25).expect("nearer than both radii");
        assert!((touch.dist + 0.05).abs() < 1e-15);
        assert_eq!(touch.normal, -Vec3::Z);
    }

    #[test]
    fn a_sphere_beside_an_edge_or_a_corner_touches_its_nearest_point() {
        let touch = sphere_at(0.5, -0.2, 0.0).expect("nearer than both radii");
        assert_eq!(touch.normal, Vec3::Y);
        let touch = sphere_at(-0.1, -0.1, 0.0).expect("nearer than both radii");
        assert!((touch.normal - Vec3::new(0.5, 0.5, 0.0) * 2.0_f64.sqrt()).norm() < 1e-15);
        assert!(sphere_at(-0.3, -0.3, 0.0).is_none());
        assert!(sphere_at(0.2, 0.2, 0.31).is_none());
    }

    #[test]
    fn a_capsule_touches_with_both_ends_and_corners_beside_its_axis() {
        let mat = Mat3::from_rows(Vec3::Z, Vec3::Y, -Vec3::X);
        let pose = Pose { pos: Vec3::new(0.5, 0.1, 0.25), mat };
        let mut out = Vec::new();
        capsule_triangle(&pose, [0.2, 0.3], &FLAT, 0.0, &mut out);
        assert_eq!(out.len(), 2);
        assert!(out.iter().all(|t| (t.dist + 0.05).abs() < 1e-15 && t.normal == -Vec3::Z));
    }

    #[test]
    fn a_corner_in_a_box_leaves_through_the_nearest_face() {
        let pose = Pose { pos: Vec3::new(0.0, 0.0, -0.95), mat: Mat3::IDENTITY };
        let mut out = Vec::new();
        box_triangle(&pose, Vec3::new(2.0, 2.0, 1.0), &FLAT, 0.0, &mut out);
        assert_eq!(out.len(), 3);
        assert!(out.iter().all(|t| (t.dist + 0.15).abs() < 1e-15 && t.normal == Vec3::Z));
    }
}
