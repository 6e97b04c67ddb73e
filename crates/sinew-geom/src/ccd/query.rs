//! Runs the searches on one pair: GJK, then EPA if the solids overlap, then faces; or MPR.

use sinew_math::Vec3;

use crate::ccd::faces;
use crate::ccd::gjk::{End, Pair, gjk, nearest_points};
use crate::ccd::memory::{List, Memory};
#[cfg(not(target_arch = "nvptx64"))]
use crate::ccd::mpr;
use crate::ccd::options::Options;
use crate::ccd::work::Search;
use crate::touch::{Touch, Touches};

/// Contacts that one run of the searches finds.
#[doc(alias = "mjc_CCDIteration")]
pub(super) fn find_contacts<M: Memory>(
    pair: &mut Pair,
    most: usize,
    margin: f64,
    options: &Options,
    search: &mut Search<M>,
    out: &mut impl Touches,
) {
    #[cfg(not(target_arch = "nvptx64"))]
    if !options.native {
        if let Some(touch) = mpr::touch(pair, margin, options) {
            out.push(touch);
        }
        return;
    }
    let dist = query(pair, 0.0, most, options, search);
    if dist < 0.0 {
        for &[on1, on2] in search.points.iter() {
            let normal = (on1 - on2).normalize().0;
            let pos = midpoint(on1, on2);
            out.push(Touch { dist: margin + dist, pos, normal, tangent: Vec3::ZERO });
        }
        return;
    }
    #[cfg(not(target_arch = "nvptx64"))]
    if options.steady
        && dist <= options.tolerance
        && let Some(touch) = mpr::touch(pair, margin, options)
    {
        out.push(touch);
    }
}

/// Distance or minus the depth of a pair, with their points in `search.points`, if there are any.
/// Points of solids that do not overlap are left to be computed (`search.is_nearest`).
///
/// Pairs farther apart than `cutoff` have the largest number as their distance. If `most` is
/// more than one, there may be several points where flat sides face each other.
#[doc(alias = "mjc_ccd")]
pub(super) fn query<M: Memory>(
    pair: &mut Pair,
    cutoff: f64,
    most: usize,
    options: &Options,
    search: &mut Search<M>,
) -> f64 {
    // balls and capsules by their cores
    search.points.clear();
    search.separating_axis = None;
    search.is_nearest = false;
    if let Some(dist) = query_core(pair, cutoff, options, search) {
        return dist;
    }

    // GJK: distance, or overlap
    let (dist, end) = gjk(pair, cutoff, options, &mut search.simplex);
    if end == End::Separated {
        search.separating_axis = Some(search.simplex.axis);
    }
    search.is_nearest = end == End::Nearest;
    let overlaps = dist <= options.tolerance && search.simplex.n > 1;
    if !overlaps {
        return dist;
    }

    // EPA: depth
    let Ok(depth) = search.polytope.depth(pair, &search.simplex, options) else { return 0.0 };
    search.is_nearest = false;
    let Some(depth) = depth else { return 0.0 };
    search.points.push(depth.points);

    // faces that are clipped against each other
    if most > 1 {
        faces::recover(pair, &search.polytope, &depth, most, &mut search.faces, &mut search.points);
    }
    depth.dist
}

/// Distance of a ball or capsule while its centre or axis is outside the other solid.
///
/// The core is searched, and the radius taken off the distance: exact, and much cheaper than EPA.
fn query_core<M: Memory>(
    pair: &mut Pair,
    cutoff: f64,
    options: &Options,
    search: &mut Search<M>,
) -> Option<f64> {
    let depths = [pair.a.core_depth(), pair.b.core_depth()];
    if depths == [None; 2] {
        return None;
    }
    let [r1, r2] = depths.map(|depth| depth.unwrap_or(0.0));
    (pair.a.core, pair.b.core) = (depths[0].is_some(), depths[1].is_some());
    let (core_dist, end) = gjk(pair, cutoff + (r1 + r2), options, &mut search.simplex);
    (pair.a.core, pair.b.core) = (false, false);
    if core_dist <= options.tolerance || core_dist.is_nan() {
        return None;
    }

    // back out to the surfaces
    if end == End::Separated {
        search.separating_axis = Some(search.simplex.axis);
    }
    if end != End::Nearest {
        return Some(core_dist);
    }
    let [on1, on2] = nearest_points(pair, &search.simplex);
    let normal = (on2 - on1).normalize().0;
    search.points.push([on1 + normal * r1, on2 - normal * r2]);
    let dist = core_dist - (r1 + r2);
    if dist > cutoff {
        search.separating_axis = Some(normal);
        return Some(f64::MAX);
    }
    Some(dist)
}

/// The point midway between two points.
pub(super) fn midpoint(a: Vec3, b: Vec3) -> Vec3 {
    (a + b) * 0.5
}
