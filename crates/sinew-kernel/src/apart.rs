//! Distances of shapes that have a formula.

use sinew_geom::shape::Placed;
use sinew_math::Vec3;

use crate::contact::{MOST_TOUCHES, nearest_touch};
use crate::rays::{double, pose, shape_of};
use crate::real::Real;
use crate::rows::*;
use crate::tables::{Model, World};

/// Words of a pair of geoms: frame and shape of each, and whether the second is asked for first.
pub const PAIR: usize = 5;

/// The distance of two objects, or the most that counts, and the nearest points of both; zeros if
/// they are farther apart.
pub(crate) struct Apart {
    pub(crate) dist: f64,
    pub(crate) from: Vec3,
    pub(crate) to: Vec3,
}

/// The nearest of some pairs of geoms.
// out of line: few models have such sensors
#[inline(never)]
pub(crate) fn nearest<R: Real>(
    m: Model<'_, R>,
    w: World<'_, R>,
    [first, count]: [u32; 2],
    most: f64,
) -> Apart {
    let mut best = Apart { dist: most, from: Vec3::ZERO, to: Vec3::ZERO };
    for i in first as usize..(first + count) as usize {
        let [place1, kind1, place2, kind2, swapped] = m.apart().row(PAIR * i);
        let size = |k: usize| double(get3(m.apart_size(), 2 * i + k));
        let (pose1, pose2) = (pose(w, place1 as usize), pose(w, place2 as usize));
        let (shape1, shape2) = (shape_of(kind1, size(0)), shape_of(kind2, size(1)));
        let pair =
            [Placed { pose: &pose1, shape: &shape1 }, Placed { pose: &pose2, shape: &shape2 }];
        let at = m.nslot() as usize + MOST_TOUCHES * i;
        if let Some(touch) = nearest_touch(w, at, pair, most)
            && touch.dist < best.dist
        {
            let sign = if swapped == 0 { 0.5 } else { -0.5 };
            let half = touch.normal * (sign * touch.dist);
            best = Apart { dist: touch.dist, from: touch.pos - half, to: touch.pos + half };
        }
    }
    best
}
