//! The axis along which two boxes overlap least.

use sinew_math::{MINVAL, Vec3};

use crate::collide::box_box::relative::{Relative, Side};

/// The axis of least overlap.
pub(super) enum Axis {
    /// The outward normal of a side.
    Face {
        /// The side, towards the other box.
        face: Side,
        /// Whether it belongs to the second box.
        of_second: bool,
    },
    /// Across an edge of each box.
    Edges(Edges),
}

/// An axis across an edge of each box.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edges {
    /// Direction of the first box's edge, as one of its axes.
    pub(super) axis1: usize,
    /// Direction of the second box's edge.
    pub(super) axis2: usize,
    /// Unit vector across both, in the frame of the first box.
    pub(super) normal: Vec3,
    /// Whether `normal` points from the second box to the first.
    pub(super) inward: bool,
    /// Corner of the first box on its edge: bit i is set if it is on the upper side of axis i.
    pub(super) corner1: usize,
    /// Corner of the second box on its edge.
    pub(super) corner2: usize,
}

/// The axis of least overlap; none if the boxes are farther apart than `margin` along some axis.
#[inline]
pub(super) fn least_overlap(
    relative: &Relative,
    half1: &Vec3,
    half2: &Vec3,
    margin: f64,
) -> Option<Axis> {
    // face normals
    let reach2 = relative.rot_abs * *half2;
    let reach1 = relative.rot_abs.tmul_vec(*half1);
    let mut least = margin;
    for i in 0..3 {
        least += half1[i] * 3.0 + half2[i] * 3.0;
    }
    let mut best = None;
    for i in 0..3 {
        let (pos21, pos12) = (relative.pos21[i], relative.pos12[i]);
        let overlap1 = -pos21.abs() + half1[i] + reach2[i];
        let overlap2 = -pos12.abs() + half2[i] + reach1[i];
        if overlap1 < -margin || overlap2 < -margin {
            return None;
        }
        if overlap1 < least {
            least = overlap1;
            best = Some((i + 3 * usize::from(pos21 < 0.0), false));
        }
        if overlap2 < least {
            least = overlap2;
            best = Some((i + 3 * usize::from(pos12 < 0.0), true));
        }
    }

    // products of edges
    let mut edges = None;
    let mut close = close_products(relative, half1, half2, least);
    while close != 0 {
        let cross = Cross::new(relative, close.trailing_zeros() as usize);
        close &= close - 1;
        let (normal, length) = cross.normal.normalize();
        if length < MINVAL {
            continue;
        }
        let shift = relative.pos21.dot(normal);
        let overlap = cross.reach(relative, half1, half2, normal, length) - shift.abs();
        if overlap < -margin {
            return None;
        }

        // the factor keeps a face normal if an edge is no better
        if overlap < least * (1.0 - 1e-12) {
            least = overlap;
            edges = Some(cross.edges(relative, normal, shift < 0.0));
        }
    }
    match (edges, best) {
        (Some(edges), _) => Some(Axis::Edges(edges)),
        (None, Some((side, of_second))) => Some(Axis::Face { face: Side(side), of_second }),
        (None, None) => None,
    }
}

/// The products of edges whose overlap may be below `least`; the others need no root and no
/// quotients. Bit 3 i + j stands for axis i of the first box and axis j of the second.
///
/// With the product's length c ≤ 1, c · overlap ≤ overlap unless both are negative. A product is
/// out if c · overlap is above `least` and zero, by more than rounding could matter.
#[inline]
fn close_products(relative: &Relative, half1: &Vec3, half2: &Vec3, least: f64) -> u32 {
    const ROUNDING: f64 = 1e-9;
    let sum = half1.x + half1.y + half1.z + half2.x + half2.y + half2.z;
    let limit = least.max(0.0) * (1.0 + ROUNDING) + sum * ROUNDING;
    let (rot, abs) = (&relative.rot.0, &relative.rot_abs.0);
    let (pos, half1, half2) = (relative.pos21.to_array(), half1.to_array(), half2.to_array());
    let mut close = 0;
    for i in 0..3 {
        let (i1, i2) = ((i + 1) % 3, (i + 2) % 3);
        for j in 0..3 {
            let (j1, j2) = ((j + 1) % 3, (j + 2) % 3);
            let shift = pos[i2] * rot[i1][j] - pos[i1] * rot[i2][j];
            let reach = half1[i1] * abs[i2][j]
                + half1[i2] * abs[i1][j]
                + half2[j1] * abs[i][j2]
                + half2[j2] * abs[i][j1];
            let is_out = reach - shift.abs() > limit;
            close |= u32::from(!is_out) << (3 * i + j);
        }
    }
    close
}

/// The product of an axis of each box.
struct Cross {
    axis1: usize,
    axis2: usize,
    /// Not of unit length; in the frame of the first box.
    normal: Vec3,
}

impl Cross {
    /// Product 3 i + j: axis i of the first box, axis j of the second.
    #[inline]
    fn new(relative: &Relative, product: usize) -> Cross {
        let (axis1, axis2) = (product / 3, product % 3);
        let v = relative.rot.col(axis2);
        let normal = match axis1 {
            0 => Vec3::new(0.0, -v.z, v.y),
            1 => Vec3::new(v.z, 0.0, -v.x),
            _ => Vec3::new(-v.y, v.x, 0.0),
        };
        Cross { axis1, axis2, normal }
    }

    /// Sum of the boxes' reaches along `normal`; `length` is the product's length.
    #[inline]
    fn reach(
        &self,
        relative: &Relative,
        half1: &Vec3,
        half2: &Vec3,
        normal: Vec3,
        length: f64,
    ) -> f64 {
        let [i1, j1] = others(self.axis1);
        let [i2, j2] = others(self.axis2);
        let across = relative.rot_abs.0[self.axis1];
        half1[i1] * normal[i1].abs()
            + half1[j1] * normal[j1].abs()
            + half2[i2] * across[j2] / length
            + half2[j2] * across[i2] / length
    }

    /// The edges that face each other along `normal`.
    fn edges(&self, relative: &Relative, normal: Vec3, inward: bool) -> Edges {
        let &Cross { axis1, axis2, .. } = self;
        let mut corner1 = 0;
        for k in others(axis1) {
            corner1 |= usize::from((normal[k] > 0.0) != inward) << k;
        }
        let mut corner2 = 0;
        for k in others(axis2) {
            let up = relative.rot[(axis1, 3 - k - axis2)] > 0.0;
            let next = (k + 3 - axis2) % 3 == 1;
            corner2 |= usize::from(up ^ inward ^ next) << k;
        }
        Edges { axis1, axis2, normal, inward, corner1, corner2 }
    }
}

/// The other two axes, in rising order.
#[inline]
fn others(axis: usize) -> [usize; 2] {
    match axis {
        0 => [1, 2],
        1 => [0, 2],
        _ => [0, 1],
    }
}
