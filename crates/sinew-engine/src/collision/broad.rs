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
    for axis in work.lo.iter_mut().chain(&mut work.hi) {
        axis.clear();
        axis.resize(n, 0.0);
    }
    for (i, &everywhere) in plan.everywhere.iter().enumerate() {
        if everywhere {
            for axis in 0..3 {
                (work.lo[axis][i], work.hi[axis][i]) = (f32::NEG_INFINITY, f32::INFINITY);
            }
            continue;
        }
        let (lo, hi) = body_box(m, d, &plan.geoms[range(plan, i)]);
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

/// A single-precision number not above `x`; NaN for what is too large for that.
fn below(x: f64) -> f32 {
    let near = x as f32;
    near - near.abs() * f32::EPSILON - f32::MIN_POSITIVE
}

/// Sweeps along the axis on which the boxes are spread most. The order is kept from step to step:
/// it changes little, so sorting costs little.
fn few(plan: &CollisionPlan, work: &mut BroadWork) {
    let n = plan.bodies.len();
    let BroadWork { lo, hi, order, grid, pairs, .. } = work;
    grid.found.clear();
    let mut add = |i: u32, j: u32| {
        let (first, second) = if i < j { (i, j) } else { (j, i) };
        if plan.allowed[first as usize * n + second as usize] != 0 {
            grid.found.push([first, second]);
        }
    };

    // boxes without known ends meet all
    let bounded =
        |i: u32| (0..3).all(|k| lo[k][i as usize].is_finite() && hi[k][i as usize].is_finite());
    for i in (0..n as u32).filter(|&i| !bounded(i)) {
        for j in (0..n as u32).filter(|&j| j != i && (j > i || bounded(j))) {
            add(i, j);
        }
    }

    let axis = widest_axis(lo);
    let (second, third) = ((axis + 1) % 3, (axis + 2) % 3);
    sort_nearly_sorted(order, n, &lo[axis]);
    for (at, &i) in order.iter().enumerate().filter(|&(_, &i)| bounded(i)) {
        let own = |of: &[Vec<f32>; 3], k: usize| of[k][i as usize];
        let (end, [low2, low3], [high2, high3]) =
            (own(hi, axis), [own(lo, second), own(lo, third)], [own(hi, second), own(hi, third)]);
        for &j in &order[at + 1..] {
            let other = j as usize;
            if lo[axis][other] > end {
                break;
            }
            let apart = (lo[second][other] > high2)
                | (low2 > hi[second][other])
                | (lo[third][other] > high3)
                | (low3 > hi[third][other]);
            if !apart && bounded(j) {
                add(i, j);
            }
        }
    }
    sort_pairs(n, &grid.found, &mut grid.starts, pairs);
}

/// The axis on which lower ends, as far as they are known, are spread most.
fn widest_axis(lo: &[Vec<f32>; 3]) -> usize {
    let spread = |k: usize| {
        let (mut min, mut max) = (f32::INFINITY, f32::NEG_INFINITY);
        for &x in lo[k].iter().filter(|x| x.is_finite()) {
            (min, max) = (if x < min { x } else { min }, if x > max { x } else { max });
        }
        max - min
    };
    let [x, y, z] = [spread(0), spread(1), spread(2)];
    match (x >= y && x >= z, y >= z) {
        (true, _) => 0,
        (_, true) => 1,
        _ => 2,
    }
}

/// Sorts `0..n` by key, starting from the former order; what is not a number comes last.
fn sort_nearly_sorted(order: &mut Vec<u32>, n: usize, key: &[f32]) {
    if order.len() != n {
        order.clear();
        order.extend(0..n as u32);
    }
    let rank = |item: u32| {
        let key = key[item as usize];
        if key.is_nan() { f32::INFINITY } else { key }
    };
    for at in 1..n {
        let item = order[at];
        let value = rank(item);
        let mut place = at;
        while place > 0 && rank(order[place - 1]) > value {
            order[place] = order[place - 1];
            place -= 1;
        }
        order[place] = item;
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

#[cfg(test)]
mod tests {
    use super::*;
    use sinew_model::BodyId;

    /// Random numbers in [0, 1) (Knuth's MMIX generator).
    fn uniform(seed: &mut u64) -> f32 {
        *seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (*seed >> 40) as f32 / (1u64 << 24) as f32
    }

    #[test]
    fn the_sweep_finds_the_same_pairs_as_comparing_all() {
        let (n, mut seed) = (60, 1);
        let mut work = BroadWork::default();
        let plan = CollisionPlan {
            bodies: (0..n).map(BodyId::new).collect(),
            allowed: (0..n * n).map(|k| u8::from(k % n > k / n && k % 7 != 3)).collect(),
            ..CollisionPlan::default()
        };
        // the same scratch memory throughout, as in a simulation
        for round in 0..50 {
            for k in 0..3 {
                let spread = [[9.0, 3.0, 1.0], [1.0, 2.0, 8.0]][round / 5 % 2][k];
                let low: Vec<f32> = (0..n).map(|_| spread * uniform(&mut seed)).collect();
                work.hi[k] = low.iter().map(|l| l + 0.7 * uniform(&mut seed)).collect();
                work.lo[k] = low;
            }
            work.lo[round % 3][4] = f32::NAN;
            (work.lo[0][9], work.hi[0][9]) = (f32::NEG_INFINITY, f32::INFINITY);
            few(&plan, &mut work);

            let unknown =
                |i: usize| (0..3).any(|k| !work.lo[k][i].is_finite() || !work.hi[k][i].is_finite());
            let apart = |i: usize, j: usize| {
                (0..3).any(|k| work.lo[k][i] > work.hi[k][j] || work.lo[k][j] > work.hi[k][i])
            };
            let mut wanted = Vec::new();
            for (i, j) in (0..n).flat_map(|i| (i + 1..n).map(move |j| (i, j))) {
                let meet = unknown(i) || unknown(j) || !apart(i, j);
                if meet && plan.allowed[i * n + j] != 0 {
                    wanted.push([i as u32, j as u32]);
                }
            }
            assert_eq!(work.pairs, wanted, "round {round}");
        }
    }
}
