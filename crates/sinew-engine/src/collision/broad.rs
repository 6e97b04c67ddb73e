//! Broad phase: pairs of bodies, and of their geoms, that may touch.
//!
//! MuJoCo sweeps boxes along the principal axis of all geoms. Contacts do not depend on the method,
//! because every pair of geoms must pass a test of bounding spheres. A few pairs or geoms are
//! compared by their spheres (`balls`). For many bodies, pairs with overlapping boxes are found
//! first (`grid`). The one exception is explained in `sweep`.

use sinew_model::enums::DisableBit;
use sinew_model::{Data, GeomId, Model};

use crate::collision::filter::{Sleepers, are_boxed, excluded, geoms_may_collide, may_collide};
use crate::collision::params::half_margin;
use crate::collision::plan::{FEW_GEOMS, geoms_of};
use crate::collision::{balls, grid};
use crate::work::{BodyPair, BroadWork, CollisionPlan};

/// Finds the pairs of geoms whose bounding spheres overlap, by bodies, in rising order.
#[doc(alias = "mj_broadphase")]
pub(super) fn body_pairs(m: &Model, d: &Data, plan: &CollisionPlan, work: &mut BroadWork) {
    work.pairs.clear();
    work.geoms.clear();
    if plan.bodies.len() < 2 {
        return;
    }
    balls::forget_boxes(plan, &mut work.world);
    let sleepers = Sleepers::new(m, d);
    if let Some(sleepers) = &sleepers
        && !plan.bodies.iter().any(|&b| sleepers.moves(m, b))
    {
        return;
    }

    // few pairs that may collide at all: each is tested
    if let (Some(listed), None) = (&plan.few_pairs, &sleepers) {
        let BroadWork { pairs, geoms, world, .. } = work;
        for pair in listed {
            let places = pair.geoms.map(|k| k as usize);
            if !balls::are_separated(m, d, plan, places, pair.boxed, world) {
                balls::list(pair.bodies, places, pairs, geoms);
            }
        }
        return;
    }

    // few geoms: the bounding spheres of all against all
    if plan.geoms.len() <= FEW_GEOMS {
        balls::overlapping_geoms(m, d, plan, work);
        return;
    }

    // many: first the bodies whose boxes overlap, then their geoms
    make_boxes(m, d, plan, work);
    if let Some(sleepers) = &sleepers {
        drop_far_sleepers(m, plan, sleepers, work);
    }
    many(m, plan, sleepers.as_ref(), work);
    collect(m, d, plan, work);
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
        let (lo, hi) = body_box(m, d, &plan.geoms[geoms_of(plan, i)]);
        for axis in 0..3 {
            work.lo[axis][i] = below(lo[axis]);
            work.hi[axis][i] = -below(-hi[axis]);
        }
    }
}

/// Keeps the boxes of moving bodies, and boxes that overlap the box around all moving bodies. At
/// least one body of a relevant pair moves.
fn drop_far_sleepers(m: &Model, plan: &CollisionPlan, sleepers: &Sleepers, work: &mut BroadWork) {
    let BroadWork { lo, hi, near, .. } = work;
    let (mut low, mut high) = ([f32::INFINITY; 3], [f32::NEG_INFINITY; 3]);
    for (i, _) in plan.bodies.iter().enumerate().filter(|&(_, &b)| sleepers.moves(m, b)) {
        for axis in 0..3 {
            // NaN counts as everywhere
            let (below, above) = (lo[axis][i], hi[axis][i]);
            low[axis] = if below.is_nan() { f32::NEG_INFINITY } else { low[axis].min(below) };
            high[axis] = if above.is_nan() { f32::INFINITY } else { high[axis].max(above) };
        }
    }
    near.clear();
    for i in 0..plan.bodies.len() {
        if !(0..3).any(|axis| lo[axis][i] > high[axis] || hi[axis][i] < low[axis]) {
            for axis in lo.iter_mut().chain(&mut *hi) {
                axis[near.len()] = axis[i];
            }
            near.push(i as u32);
        }
    }
    for axis in lo.iter_mut().chain(hi) {
        axis.truncate(near.len());
    }
}

fn body_box(m: &Model, d: &Data, geoms: &[GeomId]) -> ([f64; 3], [f64; 3]) {
    let (mut lo, mut hi) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
    for &g in geoms {
        let radius = m.geom_rbound[g] + half_margin(m, g);
        let center = &d.geom_xpos[g].to_array();
        for axis in 0..3 {
            // NaN spreads: a box with unknown bounds overlaps everything, so that the narrow phase
            // sees the bad input
            let (low, high) = (center[axis] - radius, center[axis] + radius);
            lo[axis] = if low >= lo[axis] { lo[axis] } else { low };
            hi[axis] = if high <= hi[axis] { hi[axis] } else { high };
        }
    }
    (lo, hi)
}

/// A single-precision number not above `x`; NaN if `x` is too large.
fn below(x: f64) -> f32 {
    let near = x as f32;
    near - near.abs() * f32::EPSILON - f32::MIN_POSITIVE
}

/// Boxes that overlap, found with a grid; then filtered and sorted. If some bodies sleep, the boxes
/// are those of `near`.
fn many(m: &Model, plan: &CollisionPlan, sleepers: Option<&Sleepers>, work: &mut BroadWork) {
    let BroadWork { lo, hi, near, bodies, grid, .. } = work;
    let filter_parent = !m.opt.disabled(DisableBit::Filterparent);
    grid::overlapping_boxes(lo, hi, grid);
    if let Some(sleepers) = sleepers {
        let body = |i: u32| plan.bodies[i as usize];
        grid.found.retain_mut(|pair| {
            *pair = pair.map(|k| near[k as usize]);
            !sleepers.skip(m, body(pair[0]), body(pair[1]))
        });
    }
    grid.found.retain(|pair| {
        let [b1, b2] = pair.map(|i| &plan.filters[i as usize]);
        let ids = pair.map(|i| plan.bodies[i as usize]);
        may_collide(b1, b2, filter_parent) && !excluded(m, ids[0], ids[1])
    });
    sort_pairs(plan.bodies.len(), &grid.found, &mut grid.starts, bodies);
}

/// Number of geom pairs of two bodies up to which bounding spheres are tested here; more pairs are
/// filtered by the bodies' bounding-volume trees.
const FEW_SPHERES: usize = 32;

/// Lists the geoms of pairs of bodies whose bounding spheres overlap.
fn collect(m: &Model, d: &Data, plan: &CollisionPlan, work: &mut BroadWork) {
    let BroadWork { bodies, pairs, geoms, world, .. } = work;
    for &pair in bodies.iter() {
        let [first, second] = pair.map(|i| geoms_of(plan, i as usize));
        if first.len() * second.len() > FEW_SPHERES {
            pairs.push(BodyPair { bodies: pair, geoms: [0; 2] });
            continue;
        }
        for s in first {
            for t in second.clone() {
                let [g1, g2] = [plan.geoms[s], plan.geoms[t]];
                if geoms_may_collide(m, g1, g2, plan.user_filter)
                    && !balls::are_separated(m, d, plan, [s, t], are_boxed(m, g1, g2), world)
                {
                    balls::list(pair, [s, t], pairs, geoms);
                }
            }
        }
    }
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
