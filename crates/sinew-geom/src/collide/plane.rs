//! Planes against everything else.

use sinew_math::{MINVAL, Vec3, scalar};

use crate::collide::hull::Extreme;
use crate::shape::Pose;
use crate::solid::Hull;
use crate::touch::{Touch, Touches};

/// The half space under a plane.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ground {
    pos: Vec3,
    pub(super) normal: Vec3,
}

impl Ground {
    /// The plane at `pose`: its normal is the z axis.
    #[inline]
    pub(super) fn new(pose: &Pose) -> Ground {
        Ground { pos: pose.pos, normal: pose.mat.col(2) }
    }

    /// The contact of a point.
    #[cfg(not(target_arch = "nvptx64"))]
    pub(super) fn point(&self, point: Vec3) -> Touch {
        self.touch(point, self.normal.dot(point - self.pos))
    }

    /// The contact of a point at height `dist`.
    #[inline]
    fn touch(&self, point: Vec3, dist: f64) -> Touch {
        let pos = point + self.normal * (-dist * 0.5);
        Touch { dist, pos, normal: self.normal, tangent: Vec3::ZERO }
    }
}

/// Distance and position of the contact of a ball with the plane through `pos`.
#[inline]
pub(super) fn ball(
    pos: Vec3,
    normal: Vec3,
    center: Vec3,
    radius: f64,
    margin: f64,
) -> Option<(f64, Vec3)> {
    let height = (center - pos).dot(normal);
    if height > margin + radius {
        return None;
    }
    let dist = height - radius;
    Some((dist, center + normal * (-dist / 2.0 - radius)))
}

/// Plane against sphere: at most one contact.
#[doc(alias = "mjc_PlaneSphere")]
#[inline]
pub(super) fn sphere(
    ground: &Pose,
    center: Vec3,
    radius: f64,
    margin: f64,
    out: &mut impl Touches,
) {
    let a = Ground::new(ground);
    if let Some((dist, pos)) = ball(a.pos, a.normal, center, radius, margin) {
        out.push(Touch { dist, pos, normal: a.normal, tangent: Vec3::ZERO });
    }
}

/// Plane against capsule: at most two contacts, the contact of the axis's upper end first. The
/// first tangent is the axis.
#[doc(alias = "mjc_PlaneCapsule")]
pub(super) fn capsule(
    ground: &Pose,
    pose: &Pose,
    [radius, half_len]: [f64; 2],
    margin: f64,
    out: &mut impl Touches,
) {
    let a = Ground::new(ground);
    let axis = pose.mat.col(2);
    let half = axis * half_len;
    for end in [pose.pos + half, pose.pos - half] {
        if let Some((dist, pos)) = ball(a.pos, a.normal, end, radius, margin) {
            out.push(Touch { dist, pos, normal: a.normal, tangent: axis });
        }
    }
}

/// Plane against cylinder: at most four contacts. The lowest point of the lower rim, the one above
/// it, and the two others of a triangle on the lower rim.
///
/// If the cylinder stands upright its x axis takes the place of the lowest direction.
#[doc(alias = "mjc_PlaneCylinder")]
pub(super) fn cylinder(
    ground: &Pose,
    pose: &Pose,
    [radius, half_len]: [f64; 2],
    margin: f64,
    out: &mut impl Touches,
) {
    let a = Ground::new(ground);
    let (axis, fall) = lower_axis(a.normal, pose);

    // the lowest direction across the axis
    let down = axis * fall - a.normal;
    let down_sqr = down.dot(down);
    let lowest = if down_sqr >= MINVAL * MINVAL {
        down * (radius / scalar::sqrt(down_sqr))
    } else {
        pose.mat.col(0) * radius
    };
    add_rims(&a, pose, [radius, half_len], lowest, margin, out);
}

/// The axis of a cylinder towards the plane, and its component along the normal.
fn lower_axis(normal: Vec3, pose: &Pose) -> (Vec3, f64) {
    let axis = pose.mat.col(2);
    let fall = normal.dot(axis);
    if fall > 0.0 { (-axis, -fall) } else { (axis, fall) }
}

/// Contacts on the rims of a cylinder whose lowest radius is known.
pub(super) fn add_rims(
    a: &Ground,
    pose: &Pose,
    [radius, half_len]: [f64; 2],
    lowest: Vec3,
    margin: f64,
    out: &mut impl Touches,
) {
    let normal = a.normal;
    let height = (pose.pos - a.pos).dot(normal);
    let (axis, fall) = lower_axis(normal, pose);
    let sink = lowest.dot(normal);
    let axis = axis * half_len;
    let fall = fall * half_len;

    // the lowest point, then the one at the other end
    let dist = height + fall + sink;
    if dist > margin {
        return;
    }
    let rim = pose.pos + lowest;
    out.push(a.touch(rim + axis, dist));
    let dist = height - fall + sink;
    if dist <= margin {
        out.push(a.touch(rim - axis, dist));
    }

    // the rest of a triangle on the lower rim
    let dist = height + fall + -sink * 0.5;
    if dist <= margin {
        let side = lowest.cross(axis).normalize().0 * (radius * scalar::sqrt(3f64) / 2.0);
        for corner in [pose.pos + side, pose.pos - side] {
            out.push(a.touch(corner + axis + lowest * -0.5, dist));
        }
    }
}

/// Plane against box: at most four contacts, the first corners in binary order (x is the lowest
/// bit) that are not above the centre.
#[doc(alias = "mjc_PlaneBox")]
pub(super) fn cuboid(ground: &Pose, pose: &Pose, half: Vec3, margin: f64, out: &mut impl Touches) {
    let a = Ground::new(ground);
    let height = (pose.pos - a.pos).dot(a.normal);
    let [x, y, z] = [pose.mat.col(0) * half.x, pose.mat.col(1) * half.y, pose.mat.col(2) * half.z];
    let sides = [-x - y, x - y, -x + y, x + y];
    let corner = |i: usize| sides[i % 4] + if i < 4 { -z } else { z };

    // All corners without branches: which ones are low is unpredictable, and a mispredicted branch
    // costs more than the arithmetic of the others.
    let rises: [f64; 8] = core::array::from_fn(|i| a.normal.dot(corner(i)));
    let mut low = 0_u32;
    for (i, &rise) in rises.iter().enumerate() {
        let is_high = (height + rise > margin) | (rise > 0.0);
        low |= u32::from(!is_high) << i;
    }
    for _ in 0..4 {
        if low == 0 {
            break;
        }
        let i = low.trailing_zeros() as usize;
        low &= low - 1;
        out.push(a.touch(corner(i) + pose.pos, height + rises[i]));
    }
}

/// Plane against ellipsoid: at most one contact, at its lowest point.
#[doc(alias = "mjc_PlaneConvex")]
pub(super) fn ellipsoid(
    ground: &Pose,
    pose: &Pose,
    half: Vec3,
    margin: f64,
    out: &mut impl Touches,
) {
    let a = Ground::new(ground);
    let down = pose.mat.tmul_vec(-a.normal);
    let lowest = down.mul_elem(half).normalize().0.mul_elem(half);
    let point = pose.mat * lowest + pose.pos;
    let dist = a.normal.dot(point - a.pos);
    if dist <= margin {
        out.push(a.touch(point, dist));
    }
}

/// Maximum number of contacts of a plane and a hull.
const HULL_CONTACTS: usize = 3;
/// Contacts nearer to the first than this share of the bounding radius are left out.
const HULL_SPREAD: f64 = 0.3;

/// Plane against hull: at most three contacts. The lowest vertex comes first. The vertex's
/// neighbours (without a graph, all vertices) follow in their order, if they are within the margin
/// and far enough from the first.
#[doc(alias = "mjc_PlaneConvex")]
pub(super) fn hull(
    ground: &Pose,
    pose: &Pose,
    hull: &Hull<'_>,
    margin: f64,
    out: &mut impl Touches,
) {
    let a = Ground::new(ground);
    let down = pose.mat.tmul_vec(-a.normal);
    let (lowest, at) = hull.extreme(down);
    let point = pose.mat * lowest + pose.pos;
    let dist = a.normal.dot(point - a.pos);
    if dist > margin {
        return;
    }
    let first = a.touch(point, dist);
    out.push(first);
    add_vertices(&a, pose, Corner { hull, at }, margin, out);
}

/// More contacts of a plane and an ellipsoid that was fitted to a mesh. The mesh's vertices are
/// taken as a hull that has the ellipsoid's contact. A mesh with a hull graph adds none.
pub(super) fn fitted_ellipsoid(
    ground: &Pose,
    pose: &Pose,
    mesh: &Hull<'_>,
    margin: f64,
    out: &mut impl Touches,
) {
    if mesh.graph.is_empty() {
        let none = Extreme::InMesh(usize::MAX);
        add_vertices(&Ground::new(ground), pose, Corner { hull: mesh, at: none }, margin, out);
    }
}

/// A vertex of a hull.
struct Corner<'h, 'a> {
    hull: &'h Hull<'a>,
    at: Extreme<'a>,
}

/// Adds vertices around one of a hull that are below the margin and far from the last contact.
fn add_vertices(
    a: &Ground,
    pose: &Pose,
    corner: Corner<'_, '_>,
    margin: f64,
    out: &mut impl Touches,
) {
    let Corner { hull, at } = corner;
    let Some(last) = out.count().checked_sub(1) else { return };
    let first = out.touch(last);
    let down = pose.mat.tmul_vec(-a.normal);
    let limit = a.normal.dot(pose.pos - a.pos) - margin;
    let mut count = 1;
    hull.around(at, |vertex| {
        if down.dot(vertex) > limit {
            let point = pose.mat * vertex + pose.pos;
            if point.dist(first.pos) >= HULL_SPREAD * hull.rbound {
                out.push(a.touch(point, a.normal.dot(point - a.pos)));
                count += 1;
            }
        }
        count < HULL_CONTACTS
    });
}
