//! Box against box.
//!
//! The axis of least overlap among the six face normals and the nine products of edges decides: a
//! face normal clips the facing side of the other box ([`face`]), a product of edges the sides next
//! to the two edges ([`edge`]). What comes out is pruned as MuJoCo's driver does.

mod axis;
mod edge;
mod face;

use sinew_math::{MINVAL, Mat3, Vec3};

use self::axis::Axis;
use super::Touch;
use crate::shape::Pose;

/// A box somewhere in the world.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cuboid<'a> {
    /// Where it is.
    pub(super) pose: &'a Pose,
    /// Half sizes.
    pub(super) half: &'a Vec3,
}

/// The second box as the first sees it.
struct Relative {
    /// Centre of the second box in the frame of the first.
    pos21: Vec3,
    /// Centre of the first box in the frame of the second.
    pos12: Vec3,
    /// Axes of the second box in the frame of the first, as columns.
    rot: Mat3,
    /// Absolute values of `rot`.
    rot_abs: Mat3,
}

/// Box against box: at most 24 contacts.
///
/// Where MuJoCo's answer is not the obvious one:
/// - Among equal overlaps the first axis wins, faces of the first box before those of the second for
///   each direction, faces before edges. Parallel edges take no part.
/// - Boxes without size that coincide do not touch.
/// - Of contacts at the same point the last stays.
#[doc(alias = "mjc_BoxBox")]
pub(super) fn cuboid(a: &Cuboid<'_>, b: &Cuboid<'_>, margin: f64, out: &mut Vec<Touch>) {
    let rot = a.pose.mat.tmul(b.pose.mat);
    let relative = Relative {
        pos21: a.pose.mat.tmul_vec(b.pose.pos - a.pose.pos),
        pos12: b.pose.mat.tmul_vec(a.pose.pos - b.pose.pos),
        rot,
        rot_abs: Mat3(rot.0.map(|row| row.map(f64::abs))),
    };

    let first = out.len();
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

/// A side of a box: +x, +y, +z, -x, -y, -z.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Side(usize);

impl Side {
    /// A turn of the axes that makes the outward normal z: which axis each new one is, and its sign.
    #[inline]
    fn turn(self) -> Turn {
        match self.0 {
            0 => Turn { axis: [2, 1, 0], sign: [-1.0, 1.0, 1.0] },
            1 => Turn { axis: [0, 2, 1], sign: [1.0, -1.0, 1.0] },
            2 => Turn { axis: [0, 1, 2], sign: [1.0, 1.0, 1.0] },
            3 => Turn { axis: [2, 1, 0], sign: [1.0, 1.0, -1.0] },
            4 => Turn { axis: [0, 2, 1], sign: [1.0, 1.0, -1.0] },
            _ => Turn { axis: [0, 1, 2], sign: [-1.0, 1.0, -1.0] },
        }
    }
}

/// A turn by right angles.
#[derive(Clone, Copy, Debug)]
struct Turn {
    axis: [usize; 3],
    sign: [f64; 3],
}

impl Turn {
    /// A vector in the turned frame.
    #[inline]
    fn vec(&self, v: &Vec3) -> Vec3 {
        let v = v.to_array();
        let [i, j, k] = self.axis;
        Vec3::new(v[i] * self.sign[0], v[j] * self.sign[1], v[k] * self.sign[2])
    }

    /// Half sizes in the turned frame.
    #[inline]
    fn size(&self, size: &Vec3) -> Vec3 {
        let size = self.vec(size);
        Vec3::new(size.x.abs(), size.y.abs(), size.z.abs())
    }

    /// A matrix whose columns are turned.
    #[inline]
    fn rows(&self, m: &Mat3) -> Mat3 {
        let [i, j, k] = self.axis;
        let row = |i: usize, sign: f64| m.row(i) * sign;
        Mat3::from_rows(row(i, self.sign[0]), row(j, self.sign[1]), row(k, self.sign[2]))
    }

    /// The orientation of the turned frame, if `m` is that of the frame before.
    #[inline]
    fn frame(&self, m: &Mat3) -> Mat3 {
        let [i, j, k] = self.axis;
        let col = |i: usize, sign: f64| m.col(i) * sign;
        Mat3::from_cols(col(i, self.sign[0]), col(j, self.sign[1]), col(k, self.sign[2]))
    }
}

/// Where a line `start` + t `dir`, t in [0, 1], crosses the sides of a rectangle around the origin:
/// calls `found` with the axis across the side, its place on that axis, t, and the place along the
/// side.
#[inline]
fn crossings(
    start: [f64; 2],
    dir: [f64; 2],
    half: [f64; 2],
    mut found: impl FnMut(usize, f64, f64, f64),
) {
    // all four sides at once: whether a line crosses one is too random to branch on
    let inverse = [1.0 / dir[0], 1.0 / dir[1]];
    let mut places = [[0.0; 3]; 4];
    let mut hits = 0_u32;
    for (k, place) in places.iter_mut().enumerate() {
        let q = k / 2;
        let side = if k % 2 == 0 { -half[q] } else { half[q] };
        let t = (side - start[q]) * inverse[q];
        let along = start[1 - q] + dir[1 - q] * t;
        let is_hit =
            (dir[q].abs() > MINVAL) & (0.0..=1.0).contains(&t) & (along.abs() <= half[1 - q]);
        hits |= u32::from(is_hit) << k;
        *place = [side, t, along];
    }
    while hits != 0 {
        let k = hits.trailing_zeros() as usize;
        hits &= hits - 1;
        let [side, t, along] = places[k];
        found(k / 2, side, t, along);
    }
}

/// The corners of a rectangle around the origin.
#[inline]
fn corners([x, y]: [f64; 2]) -> [[f64; 2]; 4] {
    [[-x, -y], [-x, y], [x, -y], [x, y]]
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

/// Removes contacts from `first` on that are outside a box and not inside the other, and all but the
/// last of those at one point.
fn prune(a: &Cuboid<'_>, b: &Cuboid<'_>, margin: f64, first: usize, out: &mut Vec<Touch>) {
    let (a, b) = (Shell::new(a, margin), Shell::new(b, margin));
    let mut kept = first;
    for i in first..out.len() {
        let touch = out[i];
        let bad = match (a.is_outside(touch.pos), b.is_outside(touch.pos)) {
            (false, false) => false,
            (true, false) => !b.is_inside(touch.pos),
            (false, true) => !a.is_inside(touch.pos),
            (true, true) => true,
        };
        if !bad {
            out[kept] = touch;
            kept += 1;
        }
    }
    out.truncate(kept);

    let mut kept = first;
    for i in first..out.len() {
        let touch = out[i];
        if out[i + 1..].iter().all(|later| later.pos != touch.pos) {
            out[kept] = touch;
            kept += 1;
        }
    }
    out.truncate(kept);
}
