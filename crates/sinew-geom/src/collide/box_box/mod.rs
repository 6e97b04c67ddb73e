//! Box against box.
//!
//! The axis of least overlap among the six face normals and the nine products of edges decides. A
//! face normal clips the facing side of the other box ([`face`]), a product of edges the sides next
//! to the two edges ([`edge`]). The contacts are pruned as in MuJoCo's driver.

mod axis;
mod edge;
mod face;
pub(crate) mod relative;

use sinew_math::{Mat3, Vec3};

use crate::collide::box_box::axis::Axis;
use crate::collide::box_box::relative::{Cuboid, Relative};
use crate::shape::Pose;
use crate::touch::Touches;

/// Box against box: at most 24 contacts.
///
/// Where MuJoCo's answer is not the obvious one:
/// - Among equal overlaps the first axis wins: faces of the first box before faces of the second
///   for each direction, faces before edges. Parallel edges take no part.
/// - Boxes without size that coincide do not touch.
/// - Of contacts at the same point the last stays.
#[doc(alias = "mjc_BoxBox")]
pub(super) fn cuboid(a: &Cuboid<'_>, b: &Cuboid<'_>, margin: f64, out: &mut impl Touches) {
    let rot = a.pose.mat.tmul(b.pose.mat);
    let relative = Relative {
        pos21: a.pose.mat.tmul_vec(b.pose.pos - a.pose.pos),
        pos12: b.pose.mat.tmul_vec(a.pose.pos - b.pose.pos),
        rot,
        rot_abs: Mat3(rot.0.map(|row| row.map(f64::abs))),
    };

    let first = out.count();
    match axis::least_overlap(&relative, a.half, b.half, margin) {
        None => return,
        Some(Axis::Face { face, of_second: false }) => {
            face::contacts(a, b, &face::View::of_first(&relative, face), margin, out);
        }
        Some(Axis::Face { face, of_second: true }) => {
            face::contacts(b, a, &face::View::of_second(&relative, face), margin, out);
        }
        Some(Axis::Edges(edges)) => edge::contacts(a, b, &relative, &edges, margin, out),
    }
    prune(a, b, margin, first, out);
}

/// A box with its margin; its surface is a little thick.
struct Shell<'a> {
    pose: &'a Pose,
    size: Vec3,
    large: Vec3,
}

impl<'a> Shell<'a> {
    /// Ratio of the outer and the middle of the surface.
    const THICK: f64 = 1.01;

    #[inline]
    fn new(solid: &Cuboid<'a>, margin: f64) -> Shell<'a> {
        let size = *solid.half + Vec3::new(margin, margin, margin);
        Shell { pose: solid.pose, size, large: size * Self::THICK }
    }

    /// Whether a point of the world is outside, beyond the surface.
    #[doc(alias = "mju_outsideBox")]
    #[inline]
    fn is_outside(&self, point: Vec3) -> bool {
        let p = self.pose.local_point(point);
        p.x.abs() > self.large.x || p.y.abs() > self.large.y || p.z.abs() > self.large.z
    }

    /// Whether a point of the world is inside, beneath the surface.
    #[inline]
    fn is_inside(&self, point: Vec3) -> bool {
        let p = self.pose.local_point(point);
        p.x.abs() < self.size.x / Self::THICK
            && p.y.abs() < self.size.y / Self::THICK
            && p.z.abs() < self.size.z / Self::THICK
    }
}

/// Removes contacts from `first` on that are outside a box and not inside the other, and all but
/// the last of those at one point.
fn prune(a: &Cuboid<'_>, b: &Cuboid<'_>, margin: f64, first: usize, out: &mut impl Touches) {
    let (a, b) = (Shell::new(a, margin), Shell::new(b, margin));

    // contacts outside a box and not inside the other
    let mut kept = first;
    for i in first..out.count() {
        let touch = out.touch(i);
        let bad = match (a.is_outside(touch.pos), b.is_outside(touch.pos)) {
            (false, false) => false,
            (true, false) => !b.is_inside(touch.pos),
            (false, true) => !a.is_inside(touch.pos),
            (true, true) => true,
        };
        if !bad {
            out.set(kept, touch);
            kept += 1;
        }
    }
    out.truncate(kept);

    // all but the last at one point
    let mut kept = first;
    for i in first..out.count() {
        let touch = out.touch(i);
        if (i + 1..out.count()).all(|later| out.touch(later).pos != touch.pos) {
            out.set(kept, touch);
            kept += 1;
        }
    }
    out.truncate(kept);
}
