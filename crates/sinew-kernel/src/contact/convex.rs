//! Pairs without a formula, by the searches of `sinew-geom`: ellipsoids, cylinders, hulls and
//! height fields.

use sinew_geom::ccd::{Options, collide_convex, collide_hfield};

use super::found::Found;
use super::kind;
use super::shaped::solid;
use crate::real::Real;
use crate::tables::{Model, World};
use crate::team::Team;

/// Instead of the number of contacts of a pair: its search had too little room.
pub(super) const SPILLED: u32 = u32::MAX;

/// Finds the contacts of all pairs without a formula among those that are near; whether there was
/// room for every search.
#[inline(always)]
pub(super) fn contacts<R: Real, T: Team>(
    t: T,
    m: Model<'_, R>,
    w: World<'_, R>,
    nnear: usize,
) -> bool {
    // lanes with scratch take one after the other
    let (near, list, lanes) = (w.near(), w.near_convex(), m.nlane() as usize);
    // pairs whose boxes are apart have a count already, zero
    let is_convex = |i: usize| {
        m.pair_kind().at(near.at(i) as usize) >= kind::CONVEX && w.pair_count().at(i) > 0
    };
    let n = t.scan(
        nnear,
        |i| is_convex(i) as usize,
        |i, at| {
            if is_convex(i) {
                list.put(at, i as u32);
            }
        },
    );
    if n == 0 {
        return true;
    }
    t.par(lanes, |lane| {
        let mut k = lane;
        while k < n {
            let i = list.at(k) as usize;
            w.pair_count().put(i, touches(m, w, i, lane));
            k += lanes;
        }
    });
    !t.any(n, |k| w.pair_count().at(list.at(k) as usize) == SPILLED)
}

/// Finds the contacts of a near pair, by the scratch of a lane; how many, or [`SPILLED`].
#[inline(never)]
fn touches<R: Real>(m: Model<'_, R>, w: World<'_, R>, i: usize, lane: usize) -> u32 {
    let (npair, p) = (m.npair() as usize, w.near().at(i) as usize);
    let (g1, g2) = (m.pair_geom().at(p) as usize, m.pair_geom().at(npair + p) as usize);
    let rbound = |g: usize| m.geom_rbound().at(g).to_f64();
    let options = Options {
        tolerance: m.scalars().ccd_tolerance.to_f64(),
        iterations: m.ccd_iterations() as usize,
        multi: m.multiccd() != 0,
        rbound: if rbound(g2) < rbound(g1) { rbound(g2) } else { rbound(g1) },
        ..Options::default()
    };
    let margin = m.pair_margin().at(p).to_f64();
    let (a, b) = (solid(m, w, g1), solid(m, w, g2));
    let mut found = Found::new(w, w.near_slot().at(i) as usize, m.pair_most().at(p) as usize);
    let mut work = w.searcher(lane);
    if m.pair_kind().at(p) == kind::TERRAIN {
        collide_hfield(&a, &b, margin, &options, &mut work, &mut found);
    } else {
        collide_convex(&a, &b, margin, &options, &mut work, &mut found);
    }
    found.keep_below(m.pair_include().at(p));
    if work.is_spilled() { SPILLED } else { found.count as u32 }
}
