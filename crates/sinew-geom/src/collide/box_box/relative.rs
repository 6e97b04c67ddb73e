//! The geometry for clipping sides of two boxes: their relative pose, turns by right angles, and
//! the crossings of lines with rectangles.

use sinew_math::{MINVAL, Mat3, Vec3};

use crate::shape::Pose;

/// A box somewhere in the world.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cuboid<'a> {
    /// Where it is.
    pub(crate) pose: &'a Pose,
    /// Half sizes.
    pub(crate) half: &'a Vec3,
}

/// The second box as the first sees it.
pub(super) struct Relative {
    /// Centre of the second box in the frame of the first.
    pub(super) pos21: Vec3,
    /// Centre of the first box in the frame of the second.
    pub(super) pos12: Vec3,
    /// Axes of the second box in the frame of the first, as columns.
    pub(super) rot: Mat3,
    /// Absolute values of `rot`.
    pub(super) rot_abs: Mat3,
}

/// A side of a box: +x, +y, +z, -x, -y, -z.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Side(pub(super) usize);

impl Side {
    /// A turn of the axes that makes the outward normal z: which axis each new one is, and its
    /// sign.
    #[inline]
    pub(super) fn turn(self) -> Turn {
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
pub(super) struct Turn {
    pub(super) axis: [usize; 3],
    pub(super) sign: [f64; 3],
}

impl Turn {
    /// A vector in the turned frame.
    #[inline]
    pub(super) fn vec(&self, v: &Vec3) -> Vec3 {
        let v = v.to_array();
        let [i, j, k] = self.axis;
        Vec3::new(v[i] * self.sign[0], v[j] * self.sign[1], v[k] * self.sign[2])
    }

    /// Half sizes in the turned frame.
    #[inline]
    pub(super) fn size(&self, size: &Vec3) -> Vec3 {
        let size = self.vec(size);
        Vec3::new(size.x.abs(), size.y.abs(), size.z.abs())
    }

    /// A matrix whose columns are turned.
    #[inline]
    pub(super) fn rows(&self, m: &Mat3) -> Mat3 {
        let [i, j, k] = self.axis;
        let row = |i: usize, sign: f64| m.row(i) * sign;
        Mat3::from_rows(row(i, self.sign[0]), row(j, self.sign[1]), row(k, self.sign[2]))
    }

    /// The orientation of the turned frame, if `m` is the orientation of the frame before.
    #[inline]
    pub(super) fn frame(&self, m: &Mat3) -> Mat3 {
        let [i, j, k] = self.axis;
        let col = |i: usize, sign: f64| m.col(i) * sign;
        Mat3::from_cols(col(i, self.sign[0]), col(j, self.sign[1]), col(k, self.sign[2]))
    }
}

/// Crossings of a line `start` + t `dir`, t in [0, 1], with the sides of a rectangle around the
/// origin. `found` receives the axis across the side, its place on that axis, t, and the place
/// along the side.
#[inline]
pub(super) fn crossings(
    start: [f64; 2],
    dir: [f64; 2],
    half: [f64; 2],
    mut found: impl FnMut(usize, f64, f64, f64),
) {
    // All four sides without branches: the crossed sides are unpredictable. A mispredicted branch
    // costs more than the arithmetic of the other sides.
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
pub(super) fn corners([x, y]: [f64; 2]) -> [[f64; 2]; 4] {
    [[-x, -y], [-x, y], [x, -y], [x, y]]
}
