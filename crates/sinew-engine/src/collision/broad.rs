//! Broad phase: pairs of bodies whose boxes meet.
//!
//! MuJoCo sweeps boxes along the principal axis of all geoms. Which boxes are used does not show
//! in the contacts, as every pair of geoms is tested by bounding spheres later; so ours are
//! aligned with the world and rounded outwards to single precision. The one exception is
//! explained in `sweep`.

use sinew_model::enums::{DisableBit, EnableBit};
use sinew_model::work::{BroadWork, CollisionPlan};
use sinew_model::{Data, GeomId, Model};

use crate::collision::filter::{Sleepers, excluded, may_meet};
use crate::collision::grid;

/// Boxes that are compared at once; rows of the plan's matrix are padded to whole blocks.
pub(super) const LANES: usize = 16;

/// Finds the pairs of bodies that may touch, in rising order.
#[doc(alias = "mj_broadphase")]
pub(super) fn body_pairs(m: &Model, d: &Data, plan: &CollisionPlan, work: &mut BroadWork) {
    work.pairs.clear();
    if plan.bodies.len() < 2 {
        return;
    }
    make_boxes(m, d, plan, work);
    if plan.allowed.is_empty() {
        many(m, plan, work);
    } else {
        few(plan, work);
    }
    if let Some(sleepers) = Sleepers::new(m, d) {
        let body = |i: u32| plan.bodies[i as usize];
        work.pairs.retain(|&[i, j]| !sleepers.skip(m, body(i), body(j)));
    }
}

/// Boxes around the bounding spheres of each body's geoms.
fn make_boxes(m: &Model, d: &Data, plan: &CollisionPlan, work: &mut BroadWork) {
    let n = plan.bodies.len();
    let padded = if plan.allowed.is_empty() { n } else { n.next_multiple_of(LANES) };
    for axis in work.lo.iter_mut().chain(&mut work.hi) {
        axis.clear();
        axis.resize(padded, 0.0);
    }
    for (i, &everywhere) in plan.everywhere.iter().enumerate() {
        let (lo, hi) = match everywhere {
            true => ([f64::NEG_INFINITY; 3], [f64::INFINITY; 3]),
            false => body_box(m, d, &plan.geoms[range(plan, i)]),
        };
        for axis in 0..3 {
            work.lo[axis][i] = below(lo[axis]);
            work.hi[axis][i] = -below(-hi[axis]);
        }
    }
}

/// Where the geoms of a body are in the plan.
fn range(plan: &CollisionPlan, i: usize) -> core::ops::Range<usize> {
    plan.first[i] as usize..plan.first[i + 1] as usize
}

fn body_box(m: &Model, d: &Data, geoms: &[GeomId]) -> ([f64; 3], [f64; 3]) {
    let (mut lo, mut hi) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
    for &g in geoms {
        let radius = m.geom_rbound[g] + half_margin(m, g);
        let center = &d.geom_xpos[g].to_array();
        for axis in 0..3 {
            // NaN spreads: a box that is not known meets everything
            let (low, high) = (center[axis] - radius, center[axis] + radius);
            lo[axis] = if low >= lo[axis] { lo[axis] } else { low };
            hi[axis] = if high <= hi[axis] { hi[axis] } else { high };
        }
    }
    (lo, hi)
}

/// A geom's share of the margin of its contacts.
pub(super) fn half_margin(m: &Model, g: GeomId) -> f64 {
    match m.opt.enabled(EnableBit::Override) {
        true => 0.5 * m.opt.o_margin,
        false => m.geom_margin[g],
    }
}

/// A single-precision number not above `x`; NaN for what is not finite.
fn below(x: f64) -> f32 {
    let near = x as f32;
    if near.is_infinite() {
        return if x == f64::NEG_INFINITY { near } else { f32::NAN };
    }
    near - near.abs() * f32::EPSILON - f32::MIN_POSITIVE
}

/// Every box against every later one; the order of the bodies is that of the pairs.
fn few(plan: &CollisionPlan, work: &mut BroadWork) {
    let n = plan.bodies.len();
    let blocks = n.div_ceil(LANES);
    let BroadWork { lo, hi, pairs, .. } = work;
    let [lo, hi] = [lo, hi].map(|ends| ends.each_ref().map(|axis| axis.as_chunks::<LANES>().0));
    let allowed = plan.allowed.as_chunks::<LANES>().0;
    for i in 0..n {
        let ends = |of: [&[[f32; LANES]]; 3]| of.map(|axis| axis[i / LANES][i % LANES]);
        let (low, high) = (ends(lo), ends(hi));
        for block in (i + 1) / LANES..blocks {
            let (lo, hi) = (lo.map(|axis| &axis[block]), hi.map(|axis| &axis[block]));
            let mut meets = meet((low, high), lo, hi, &allowed[i * blocks + block]);
            while meets != 0 {
                let k = meets.trailing_zeros() / 8;
                meets &= !(0xff << (8 * k));
                pairs.push([i as u32, block as u32 * LANES as u32 + k]);
            }
        }
    }
}

/// Which of a block of boxes are allowed and meet the box `own`, one in each byte. One expression
/// without branches, in a function of its own, compiles to comparisons of four boxes at once.
#[inline(never)]
fn meet(
    own: ([f32; 3], [f32; 3]),
    lo: [&[f32; LANES]; 3],
    hi: [&[f32; LANES]; 3],
    allowed: &[u8; LANES],
) -> u128 {
    let (low, high) = own;
    let mut meets = [0; LANES];
    for k in 0..LANES {
        let apart = (lo[0][k] > high[0])
            | (low[0] > hi[0][k])
            | (lo[1][k] > high[1])
            | (low[1] > hi[1][k])
            | (lo[2][k] > high[2])
            | (low[2] > hi[2][k]);
        meets[k] = if apart { 0 } else { allowed[k] };
    }
    u128::from_le_bytes(meets)
}

/// Clears the marks of the intervals that do not meet the given one; what is NaN meets all.
pub(super) fn meet_along((low, high): (f32, f32), lo: &[f32], hi: &[f32], meets: &mut [u8]) {
    for ((meets, &l), &h) in meets.iter_mut().zip(lo).zip(hi) {
        let apart = (l > high) | (low > h);
        *meets &= u8::from(!apart);
    }
}

/// Boxes that meet, found with a grid; then filtered and sorted.
fn many(m: &Model, plan: &CollisionPlan, work: &mut BroadWork) {
    let BroadWork { lo, hi, pairs, grid, .. } = work;
    let filter_parent = !m.opt.disabled(DisableBit::Filterparent);
    grid::meeting_boxes(lo, hi, grid);
    grid.found.retain(|pair| {
        let [b1, b2] = pair.map(|i| &plan.filters[i as usize]);
        let ids = pair.map(|i| plan.bodies[i as usize]);
        may_meet(b1, b2, filter_parent) && !excluded(m, ids[0], ids[1])
    });
    sort_pairs(plan.bodies.len(), &grid.found, &mut grid.starts, pairs);
}

/// Sorts pairs, the first of which are below `n`: by the first by counting, then by the second.
fn sort_pairs(n: usize, pairs: &[[u32; 2]], starts: &mut Vec<u32>, sorted: &mut Vec<[u32; 2]>) {
    starts.clear();
    starts.resize(n + 1, 0);
    for &[i, _] in pairs {
        starts[i as usize] += 1;
    }
    let mut end = 0;
    for start in starts.iter_mut() {
        end += *start;
        *start = end;
    }
    sorted.clear();
    sorted.resize(pairs.len(), [0; 2]);
    for &pair in pairs.iter().rev() {
        let start = &mut starts[pair[0] as usize];
        *start -= 1;
        sorted[*start as usize] = pair;
    }
    for ends in starts.windows(2) {
        sorted[ends[0] as usize..ends[1] as usize].sort_unstable();
    }
}
