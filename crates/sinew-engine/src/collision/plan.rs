//! Bodies and geoms that may collide.
//!
//! A plan is a function of the model's filters. Users may write these between steps, so a copy of
//! them is kept and compared; that costs less than looking at every geom.

use sinew_model::enums::{DisableBit, GeomType};
use sinew_model::pod::as_i32;
use sinew_model::{BodyId, Model};

use crate::collision::filter::{
    Bits, are_boxed, body_filter, excluded, geoms_may_collide, may_collide,
};
use crate::work::{CollisionPlan, PlanSource, PlannedPair};

/// Up to this many geoms every pair is planned; the matrix of bits then fits the fastest cache.
pub(super) const FEW_GEOMS: usize = 512;

/// Up to this many pairs for each geom they are listed, and tested one by one.
const FEW_PAIRS: usize = 2;

/// Brings the plan up to date. With a filter of the user geoms need no bits.
#[inline]
pub(super) fn update(m: &Model, user_filter: bool, plan: &mut CollisionPlan) {
    if plan.user_filter != user_filter || !is_current(m, &plan.source) {
        plan.user_filter = user_filter;
        build(m, plan);
    }
}

/// Whether the filters are still those that were copied. Most models have few rows: all are
/// compared, without a look at one whether the next matters.
fn is_current(m: &Model, copy: &PlanSource) -> bool {
    if copy.geoms.len() != m.ngeom || copy.bodies.len() != m.nbody {
        return false;
    }
    let mut differing = copy.flag ^ filter_parent(m);
    let rows = geom_rows(m);
    for (g, copy) in copy.geoms.iter().enumerate() {
        differing |= difference(rows.map(|row| row[g]), copy);
    }
    let rows = body_rows(m);
    for (b, copy) in copy.bodies.iter().enumerate() {
        differing |= difference(rows.map(|row| row[b]), copy);
    }
    let excluded = as_i32(&m.exclude_signature);
    // the system's routine is slow where there is nothing to compare
    differing == 0
        && excluded.len() == copy.excluded.len()
        && (excluded.is_empty() || excluded == copy.excluded)
}

/// Bits in which some words differ.
#[inline(always)]
fn difference<const N: usize>(words: [i32; N], copy: &[i32; N]) -> i32 {
    words.iter().zip(copy).fold(0, |bits, (a, b)| bits | a ^ b)
}

/// The filters of geoms that a plan depends on.
#[inline(always)]
fn geom_rows(m: &Model) -> [&[i32]; 3] {
    [as_i32(&m.geom_contype), as_i32(&m.geom_conaffinity), as_i32(&m.geom_type)]
        .map(|row| &row[..m.ngeom])
}

/// Filter columns of bodies.
#[inline(always)]
fn body_rows(m: &Model) -> [&[i32]; 6] {
    [
        as_i32(&m.body_contype),
        as_i32(&m.body_conaffinity),
        as_i32(&m.body_weldid),
        as_i32(&m.body_parentid),
        as_i32(&m.body_geomadr),
        as_i32(&m.body_geomnum),
    ]
    .map(|row| &row[..m.nbody])
}

/// Whether bodies are filtered from their parents; not zero, which is a plan that was never made.
fn filter_parent(m: &Model) -> i32 {
    if m.opt.disabled(DisableBit::Filterparent) { 1 } else { 2 }
}

fn build(m: &Model, plan: &mut CollisionPlan) {
    let (geom_rows, body_rows) = (geom_rows(m), body_rows(m));
    let PlanSource { geoms, bodies, excluded: pairs, flag } = &mut plan.source;
    geoms.clear();
    geoms.extend((0..m.ngeom).map(|g| geom_rows.map(|row| row[g])));
    bodies.clear();
    bodies.extend((0..m.nbody).map(|b| body_rows.map(|row| row[b])));
    pairs.clear();
    pairs.extend_from_slice(as_i32(&m.exclude_signature));
    *flag = filter_parent(m);

    // bodies and geoms with bits; static planes and the world may touch everything
    plan.bodies.clear();
    plan.filters.clear();
    plan.everywhere.clear();
    plan.first.clear();
    plan.geoms.clear();
    plan.body.clear();
    for b in m.bodies().filter(|&b| Bits::of_body(m, b).any()) {
        let start = plan.geoms.len();
        plan.geoms
            .extend(m.body_geoms(b).filter(|&g| plan.user_filter || Bits::of_geom(m, g).any()));
        if plan.geoms.len() == start {
            continue;
        }
        let mut planes = m.body_geoms(b).filter(|&g| m.geom_type[g] == GeomType::Plane);
        let fixed = m.body_weldid[b] == BodyId::WORLD;
        plan.bodies.push(b);
        plan.filters.push(body_filter(m, b));
        plan.everywhere.push(b == BodyId::WORLD || fixed && planes.next().is_some());
        plan.first.push(start as u32);
    }
    plan.first.push(plan.geoms.len() as u32);

    for i in 0..plan.bodies.len() {
        let geoms = plan.first[i + 1] - plan.first[i];
        plan.body.extend(core::iter::repeat_n(i as u32, geoms as usize));
    }
    plan.allowed.clear();
    plan.boxed.clear();
    plan.few_pairs = None;
    if plan.geoms.len() <= FEW_GEOMS {
        allow(m, plan);
        let count: u32 = plan.allowed.iter().map(|word| word.count_ones()).sum();
        if count as usize <= FEW_PAIRS * plan.geoms.len() {
            plan.few_pairs = Some(list_pairs(plan));
        }
    }
}

/// The pairs of geoms that may collide, in the order of their bodies.
fn list_pairs(plan: &CollisionPlan) -> Vec<PlannedPair> {
    let words = plan.geoms.len().div_ceil(64);
    let mut pairs = Vec::new();
    for i in 0..plan.bodies.len() {
        let own = geoms_of(plan, i);
        for t in own.end..plan.geoms.len() {
            let has = |bits: &[u64], s: usize| bits[s * words + t / 64] >> (t % 64) & 1 != 0;
            let allowed = own.clone().filter(|&s| has(&plan.allowed, s));
            pairs.extend(allowed.map(|s| PlannedPair {
                geoms: [s as u32, t as u32],
                bodies: [i as u32, plan.body[t]],
                boxed: has(&plan.boxed, s),
            }));
        }
    }
    pairs
}

/// Notes which geoms may collide.
fn allow(m: &Model, plan: &mut CollisionPlan) {
    let filter_parent = !m.opt.disabled(DisableBit::Filterparent);

    // two bits for each pair of geoms: may they collide, do they have boxes
    let words = plan.geoms.len().div_ceil(64);
    plan.allowed.resize(plan.geoms.len() * words, 0);
    plan.boxed.resize(plan.geoms.len() * words, 0);
    for i in 0..plan.bodies.len() {
        for j in i + 1..plan.bodies.len() {
            if !may_collide(&plan.filters[i], &plan.filters[j], filter_parent)
                || excluded(m, plan.bodies[i], plan.bodies[j])
            {
                continue;
            }
            for s in geoms_of(plan, i) {
                for t in geoms_of(plan, j) {
                    let (g1, g2) = (plan.geoms[s], plan.geoms[t]);
                    if geoms_may_collide(m, g1, g2, plan.user_filter) {
                        let (at, bit) = (s * words + t / 64, 1 << (t % 64));
                        plan.allowed[at] |= bit;
                        plan.boxed[at] |= if are_boxed(m, g1, g2) { bit } else { 0 };
                    }
                }
            }
        }
    }
}

/// Where the geoms of a body are in the plan.
#[inline]
pub(super) fn geoms_of(plan: &CollisionPlan, i: usize) -> core::ops::Range<usize> {
    plan.first[i] as usize..plan.first[i + 1] as usize
}

#[cfg(test)]
mod tests {
    use sinew_model::GeomId;

    use super::*;

    #[test]
    fn listed_pairs_are_those_allowed_by_bodies_then_by_the_other_geom() {
        // bodies of two, one and two geoms; the first two bodies do not meet
        let mut plan = CollisionPlan {
            bodies: (0..3).map(BodyId::new).collect(),
            first: vec![0, 2, 3, 5],
            body: vec![0, 0, 1, 2, 2],
            geoms: (0..5).map(GeomId::new).collect(),
            allowed: vec![0b11000, 0b01000, 0b10000, 0, 0],
            boxed: vec![0b10000, 0b01000, 0, 0, 0],
            ..CollisionPlan::default()
        };
        let pair = |geoms, bodies, boxed| PlannedPair { geoms, bodies, boxed };
        assert_eq!(
            list_pairs(&plan),
            [
                pair([0, 3], [0, 2], false),
                pair([1, 3], [0, 2], true),
                pair([0, 4], [0, 2], true),
                pair([2, 4], [1, 2], false)
            ]
        );
        plan.allowed.fill(0);
        assert!(list_pairs(&plan).is_empty());
    }
}
