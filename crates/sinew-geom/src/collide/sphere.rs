//! Spheres against round solids and boxes: at most one contact.

use sinew_math::{MINVAL, Vec3, scalar};

use crate::collide::plane;
use crate::shape::Pose;
use crate::touch::{Touch, Touches};

/// A sphere, or the part of a round solid nearest to something.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ball {
    /// Centre.
    pub(super) center: Vec3,
    /// Radius.
    pub(super) radius: f64,
    /// The z axis of the solid it belongs to: decides the normal if centres coincide.
    pub(super) up: Vec3,
}

impl Ball {
    /// The sphere at `pose`.
    #[inline]
    pub(super) fn new(pose: &Pose, radius: f64) -> Ball {
        Ball { center: pose.pos, radius, up: pose.mat.col(2) }
    }
}

/// Sphere against sphere.
///
/// If the centres coincide the normal is the cross product of the z axes, and +x if those are
/// parallel.
#[doc(alias = "mjc_SphereSphere")]
#[inline]
pub(super) fn sphere(a: &Ball, b: &Ball, margin: f64, out: &mut impl Touches) {
    let offset = b.center - a.center;
    let dist_sqr = offset.dot(offset);
    let reach = margin + a.radius + b.radius;
    if dist_sqr > reach * reach {
        return;
    }

    let length = scalar::sqrt(dist_sqr);
    let normal =
        if length < MINVAL { a.up.cross(b.up).normalize().0 } else { offset * (1.0 / length) };
    let dist = length - a.radius - b.radius;
    let pos = normal * (a.radius + dist / 2.0) + a.center;
    out.push(Touch { dist, pos, normal, tangent: Vec3::ZERO });
}

/// Sphere against capsule: the nearest point of its axis stands in for the capsule.
#[doc(alias = "mjc_SphereCapsule")]
#[inline]
pub(super) fn capsule(
    a: &Ball,
    pose: &Pose,
    [radius, half_len]: [f64; 2],
    margin: f64,
    out: &mut impl Touches,
) {
    let axis = pose.mat.col(2);
    let along = scalar::clip(axis.dot(a.center - pose.pos), -half_len, half_len);
    let center = axis * along + pose.pos;
    sphere(a, &Ball { center, radius, up: axis }, margin, out);
}

/// Sphere against cylinder: touches its side, a cap or the rim.
///
/// A centre inside the cylinder leaves through the nearer of side and cap, through the side if both
/// are as near. The rim of a cylinder without radius is the end of its axis.
#[doc(alias = "mjc_SphereCylinder")]
pub(super) fn cylinder(
    a: &Ball,
    pose: &Pose,
    [radius, half_len]: [f64; 2],
    margin: f64,
    out: &mut impl Touches,
) {
    // centre = along the axis + across it
    let axis = pose.mat.col(2);
    let center = a.center - pose.pos;
    let height = axis.dot(center);
    let along = axis * height;
    let across = center - along;
    let across_sqr = across.dot(across);

    // which part is nearest
    let mut beside = height.abs() < half_len;
    let mut above = across_sqr < radius * radius;
    if beside && above {
        let to_cap = half_len - height.abs();
        let to_side = radius - scalar::sqrt(across_sqr);
        beside = to_cap >= to_side;
        above = !beside;
    }

    if beside {
        sphere(a, &Ball { center: along + pose.pos, radius, up: axis }, margin, out);
        return;
    }

    let (outward, end) = if height > 0.0 { (axis, half_len) } else { (-axis, -half_len) };
    if above {
        let cap = pose.pos + axis * end;
        if let Some((dist, pos)) = plane::ball(cap, outward, a.center, a.radius, margin) {
            out.push(Touch { dist, pos, normal: -outward, tangent: Vec3::ZERO });
        }
        return;
    }

    let to_rim = if across_sqr > 0.0 { radius / scalar::sqrt(across_sqr) } else { 0.0 };
    let center = axis * end + across * to_rim + pose.pos;
    sphere(a, &Ball { center, radius: 0.0, up: axis }, margin, out);
}

/// Sphere against box.
///
/// A centre inside the box leaves through the nearest face, the first of -x, +x, -y, +y, -z, +z if
/// several are as near. Along an axis without size the box does not limit the nearest point;
/// without any size the sphere leaves through -x.
#[doc(alias = "mjc_SphereBox")]
#[inline]
pub(super) fn cuboid(a: &Ball, pose: &Pose, half: Vec3, margin: f64, out: &mut impl Touches) {
    // nearest point of the box, in its frame
    let center = pose.mat.tmul_vec(a.center - pose.pos);
    let clamp = |x: f64, limit: f64| if limit > 0.0 { scalar::clip(x, -limit, limit) } else { x };
    let nearest =
        Vec3::new(clamp(center.x, half.x), clamp(center.y, half.y), clamp(center.z, half.z));
    let offset = nearest - center;
    let length = offset.norm();
    if length - a.radius > margin {
        return;
    }

    let (pos, normal, dist) = if length <= MINVAL {
        let (normal, depth) = way_out(center, half);
        (center + normal * ((a.radius - depth) / 2.0), normal, -depth)
    } else {
        // halved before they are added, as MuJoCo does
        let normal = offset * (1.0 / length);
        let deepest = center + normal * a.radius;
        (nearest * 0.5 + deepest * 0.5, normal, length)
    };
    let (pos, normal) = (pose.mat * pos + pose.pos, pose.mat * normal);
    out.push(Touch { dist: dist - a.radius, pos, normal, tangent: Vec3::ZERO });
}

/// From a point inside a box: the inward normal of the nearest face, and the depth below it.
fn way_out(point: Vec3, half: Vec3) -> (Vec3, f64) {
    let mut depth = (half.x + half.y + half.z) * 2.0;
    let mut normal = Vec3::X;
    let faces =
        [(Vec3::X, point.x, half.x), (Vec3::Y, point.y, half.y), (Vec3::Z, point.z, half.z)];
    for (axis, x, limit) in faces {
        for (inward, gap) in [(axis, -limit - x), (-axis, limit - x)] {
            if depth > gap.abs() {
                depth = gap.abs();
                normal = inward;
            }
        }
    }
    (normal, depth)
}
