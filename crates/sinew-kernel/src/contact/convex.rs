//! Pairs without a formula, by the searches of `sinew-geom`: ellipsoids, cylinders, hulls and
//! height fields.
//!
//! Most pairs have no contacts. The workspace of the team keeps an axis that separated a pair, in
//! the frame of the first geom, and tries this axis first. If it separates by more than the
//! tolerance, a search would find nothing. Results therefore do not depend on the step or the world
//! that an axis comes from.

use sinew_geom::ccd::{Axis, Options, collide_convex, collide_hfield, is_apart};
use sinew_geom::shape::Pose;
use sinew_math::Vec3;

use super::found::Found;
use super::kind;
use super::shaped::{outline, solid};
use crate::real::Real;
use crate::tables::{Model, World};
use crate::team::Team;

/// Instead of the number of contacts of a pair: its search had too little room.
pub(super) const SPILLED: u32 = u32::MAX;

/// Finds the contacts of all pairs without a formula among those that are near; whether there was
/// room for every search.
#[inline(always)]
pub(crate) fn contacts<R: Real, T: Team>(
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
    let mut n = 0;
    for tested in [false, true] {
        n = t.scan(
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
        // of all, those that a known axis separates are done; all lanes help
        if !tested {
            t.par(n, |k| {
                let i = list.at(k) as usize;
                if still_apart(m, w, near.at(i) as usize) {
                    w.pair_count().put(i, 0);
                }
            });
        }
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
        iterations: m.ccd_iterations() as usize,
        multi: m.multiccd() != 0,
        rbound: if rbound(g2) < rbound(g1) { rbound(g2) } else { rbound(g1) },
        ..options(m)
    };
    let margin = m.pair_margin().at(p).to_f64();
    let (a, b) = (solid(m, w, g1), solid(m, w, g2));
    let mut found = Found::new(w, w.near_slot().at(i) as usize, m.pair_most().at(p) as usize);
    let mut work = w.searcher(lane);
    if m.pair_kind().at(p) == kind::TERRAIN {
        collide_hfield(&a, &b, margin, &options, &mut work, &mut found);
    } else {
        collide_convex(&a, &b, margin, &options, &mut work, &mut found);
        if let Some(axis) = work.axis() {
            remember(w, p, &a.pose, axis);
        }
    }
    found.keep_below(m.pair_include().at(p));
    if work.is_spilled() { SPILLED } else { found.count as u32 }
}

/// The settings that all pairs share.
#[inline(always)]
fn options<R: Real>(m: Model<'_, R>) -> Options {
    Options { tolerance: m.scalars().ccd_tolerance.to_f64(), ..Options::default() }
}

/// Whether the axis that separated a pair before still does, or without one the line between the
/// geoms.
// out of line: the searches of a lane are large
#[inline(never)]
fn still_apart<R: Real>(m: Model<'_, R>, w: World<'_, R>, p: usize) -> bool {
    if m.pair_kind().at(p) != kind::CONVEX {
        return false;
    }
    let (npair, geoms) = (m.npair() as usize, m.pair_geom());
    let (a, b) = (outline(m, w, geoms.at(p) as usize), outline(m, w, geoms.at(npair + p) as usize));
    let [x, y, z, vertices] = w.pair_axis().row(4 * p);
    let kept = Vec3::from([x, y, z].map(|bits| f64::from(f32::from_bits(bits))));
    let dir = if kept == Vec3::ZERO { b.pose.pos - a.pose.pos } else { a.pose.mat * kept };
    let graph_vertex = [vertices & 0xffff, vertices >> 16];
    let mut axis = Axis { dir: dir.normalize().0, graph_vertex };
    let apart = is_apart(&a, &b, m.pair_margin().at(p).to_f64(), &options(m), &mut axis);
    if apart {
        remember(w, p, &a.pose, axis);
    }
    apart
}

/// Keeps an axis of a pair. A rounded one, or a vertex without its higher bits, is one to try, too.
#[inline(always)]
fn remember<R: Real>(w: World<'_, R>, p: usize, first: &Pose, axis: Axis) {
    let [x, y, z] = first.mat.tmul_vec(axis.dir).to_array().map(|x| (x as f32).to_bits());
    let [v1, v2] = axis.graph_vertex;
    w.pair_axis().put_row(4 * p, [x, y, z, v1 & 0xffff | v2 << 16]);
}
