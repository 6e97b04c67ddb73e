//! Broad phase: pairs of bodies whose boxes meet.
//!
//! MuJoCo sweeps boxes along the principal axis of all geoms. Which boxes are used does not show
//! in the contacts, as every pair of geoms is tested by bounding spheres later; so ours are
//! aligned with the world and rounded outwards to single precision. The one exception is
//! explained in `sweep`.

use sinew_model::enums::EnableBit;
use sinew_model::work::{BroadWork, CollisionPlan};
use sinew_model::{Data, GeomId, Model};

use crate::collision::filter::{Sleepers, bodies_may_meet, excluded};
use crate::collision::grid;

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
    let sleepers = Sleepers::new(m, d);
    let body = |i: u32| plan.bodies[i as usize];
    work.pairs.retain(|&[i, j]| !sleepers.skip(m, body(i), body(j)));
}

/// Boxes around the bounding spheres of each body's geoms.
fn make_boxes(m: &Model, d: &Data, plan: &CollisionPlan, work: &mut BroadWork) {
    let n = plan.bodies.len();
    for axis in work.lo.iter_mut().chain(&mut work.hi) {
        axis.clear();
        axis.resize(n, 0.0);
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
        let center = d.geom_xpos[g].to_array();
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
    work.meets.resize(n, 0);
    for i in 0..n {
        let meets = &mut work.meets[i + 1..n];
        let allowed = &plan.allowed[i * n + i + 1..][..meets.len()];
        meets.copy_from_slice(allowed);
        for axis in 0..3 {
            let (lo, hi) = (&work.lo[axis], &work.hi[axis]);
            meet_along((lo[i], hi[i]), &lo[i + 1..], &hi[i + 1..], meets);
        }
        let hits = work.meets[i + 1..n].iter().enumerate().filter(|&(_, &meets)| meets != 0);
        work.pairs.extend(hits.map(|(k, _)| [i as u32, (i + 1 + k) as u32]));
    }
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
    grid::meeting_boxes(lo, hi, grid);
    let split = |both: u64| [(both >> 32) as u32, both as u32];
    grid.found.retain(|&both| {
        let [b1, b2] = split(both).map(|i| plan.bodies[i as usize]);
        bodies_may_meet(m, b1, b2) && !excluded(m, b1, b2)
    });
    grid.found.sort_unstable();
    pairs.extend(grid.found.iter().map(|&both| split(both)));
}
