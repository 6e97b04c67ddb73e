//! General convex collision: distance, overlap and contacts of any two convex solids.
//!
//! A solid is known by its support points alone (`support`). `gjk` finds whether two solids
//! overlap, or how far apart they are; `epa` finds how deep they overlap; `faces` makes several
//! contacts of one where flat sides meet, `perturb` where the faces are not known. `terrain` splits
//! a height field into prisms. `simplex` is the small geometry that both searches stand on. `mpr`
//! is the other search for overlaps, with `normal` to improve what it finds. `apart` remembers what
//! separated a pair, `hints` where the farthest vertices of a hull were.
//!
//! The order of every sum and every comparison is MuJoCo's (`mjc_ccd`), since a different vertex
//! taken on a tie ends in a different contact.

mod apart;
mod element;
mod epa;
mod faces;
mod gjk;
mod hints;
mod mpr;
mod normal;
mod perturb;
mod simplex;
mod support;
mod terrain;

use sinew_math::Vec3;

use crate::collide::{Form, Solid, Touch};
use apart::Apart;
use epa::Polytope;
use gjk::{Closest, Pair, gjk};
use hints::Library;
use simplex::Simplex;
use support::{Convex, Outline};

pub use element::collide_element;
pub use terrain::collide_hfield;

/// What a model's options say about convex collision.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// Accuracy of distances and depths (`opt.ccd_tolerance`).
    pub tolerance: f64,
    /// Most iterations of each search (`opt.ccd_iterations`).
    pub iterations: usize,
    /// Whether pairs may have several contacts (flag `multiccd`).
    pub multi: bool,
    /// Whether GJK and EPA are used, not MPR (flag `nativeccd`).
    pub native: bool,
    /// The smaller bounding radius of the pair, to be set for each: contacts of `multi` that are
    /// nearer than a thousandth of it count as one.
    pub rbound: f64,
    /// A name that the pair has from step to step, so that what separated it once is tried first
    /// when it comes again; zero if it has none. Results do not depend on it.
    pub pair: u64,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            tolerance: 1e-6,
            iterations: 35,
            multi: false,
            native: true,
            rbound: 0.0,
            pair: 0,
        }
    }
}

/// Scratch of the searches, kept from pair to pair, and what they learned of hulls and pairs.
#[derive(Clone, Debug, Default)]
pub struct Work {
    search: Search,
    apart: Apart,
    library: Library,
}

/// Scratch of the searches; empty until a pair overlaps.
#[derive(Clone, Debug, Default)]
struct Search {
    simplex: Simplex,
    polytope: Polytope,
    faces: faces::Scratch,
    /// Nearest or deepest points of the pair, one on each solid.
    points: Vec<[Vec3; 2]>,
    /// Direction in which the last pair is apart, if it is.
    gap: Option<Vec3>,
}

impl Library {
    /// Makes sure that two solids have hints, if they are hulls.
    fn admit_pair(&mut self, pair: [&Solid; 2]) {
        for solid in pair {
            if let Form::Hull(hull) = &solid.form {
                self.admit(hull.graph);
            }
        }
    }
}

/// Contacts of two convex solids whose distance is below `margin`.
#[doc(alias = "mjc_Convex")]
pub fn collide_convex(
    a: &Solid,
    b: &Solid,
    margin: f64,
    options: &Options,
    work: &mut Work,
    out: &mut Vec<Touch>,
) {
    let Work { search, apart, library } = work;
    library.admit_pair([a, b]);
    let convex = |solid| Convex::new(solid, margin, library);
    let (Some(a), Some(b)) = (convex(a), convex(b)) else { return };
    let mut pair = Pair { a, b };
    let most = max_contacts(&pair, options);
    let has_name = options.native && options.pair != 0;
    if has_name && apart.shows(&mut pair, options) {
        return;
    }
    let before = out.len();
    touch(&mut pair, most, margin, options, search, out);
    if let Some(dir) = search.gap.filter(|_| has_name) {
        apart.remember(&pair, dir, options);
    }
    let one = out.len() == before + 1;
    if one && options.multi && !(options.native && most > 1) && perturb::is_useful(&pair) {
        perturb::add_contacts(&mut pair, margin, options, search, out);
    }
}

/// Distance of two convex solids, negative if they overlap, and the points nearest to each other.
///
/// At most `max_dist`; the points are zero if the solids are farther apart than that. Always by
/// GJK and EPA, as MPR finds no distances.
#[doc(alias = "mj_geomDistance")]
pub fn distance(
    a: &Solid,
    b: &Solid,
    max_dist: f64,
    options: &Options,
    work: &mut Work,
) -> (f64, [Vec3; 2]) {
    let Work { search, library, .. } = work;
    library.admit_pair([a, b]);
    let convex = |solid| Convex::new(solid, 0.0, library);
    let (Some(a), Some(b)) = (convex(a), convex(b)) else { return (max_dist, [Vec3::ZERO; 2]) };
    let dist = query(&mut Pair { a, b }, max_dist, 1, options, search);
    let points = search.points.first().copied().unwrap_or_default();
    (if dist < max_dist { dist } else { max_dist }, points)
}

/// Contacts that one run of the searches finds.
#[doc(alias = "mjc_CCDIteration")]
fn touch(
    pair: &mut Pair,
    most: usize,
    margin: f64,
    options: &Options,
    search: &mut Search,
    out: &mut Vec<Touch>,
) {
    if !options.native {
        out.extend(mpr::touch(pair, margin, options));
        return;
    }
    let dist = query(pair, 0.0, most, options, search);
    if dist < 0.0 {
        out.extend(search.points.iter().map(|&[on1, on2]| Touch {
            dist: margin + dist,
            pos: midpoint(on1, on2),
            normal: (on1 - on2).normalize().0,
            tangent: Vec3::ZERO,
        }));
    }
}

/// Most contacts that one run may find: several where two flat solids without a margin meet.
#[doc(alias = "maxContacts")]
fn max_contacts(pair: &Pair, options: &Options) -> usize {
    let is_box = |c: &Convex| matches!(c.outline, Outline::Box { .. });
    let has_margin = pair.a.margin > 0.0 || pair.b.margin > 0.0;
    if has_margin || !pair.a.is_flat() || !pair.b.is_flat() {
        1
    } else if is_box(&pair.a) && is_box(&pair.b) {
        8
    } else if options.multi {
        4
    } else {
        1
    }
}

/// Distance or minus the depth of a pair, and their points in `search.points`, if there are any.
///
/// Pairs farther apart than `cutoff` have the largest number as their distance. With more than
/// one contact asked for, there are several points where flat sides meet.
#[doc(alias = "mjc_ccd")]
fn query(pair: &mut Pair, cutoff: f64, most: usize, options: &Options, search: &mut Search) -> f64 {
    search.points.clear();
    search.gap = None;
    if let Some(dist) = query_core(pair, cutoff, options, search) {
        return dist;
    }
    let Closest { dist, points, apart } = gjk(pair, cutoff, options, &mut search.simplex);
    search.gap = apart;
    let overlaps = dist <= options.tolerance && search.simplex.n > 1;
    search.points.extend(points);
    if !overlaps {
        return dist;
    }
    let Ok(depth) = search.polytope.depth(pair, &search.simplex, options) else { return 0.0 };
    search.points.clear();
    let Some(depth) = depth else { return 0.0 };
    search.points.push(depth.points);
    if most > 1 {
        faces::recover(pair, &search.polytope, &depth, most, &mut search.faces, &mut search.points);
    }
    depth.dist
}

/// Distance of a ball or capsule while its centre or axis is outside the other solid.
///
/// The core is searched, and the radius taken off the distance: exact, and much cheaper than EPA.
fn query_core(pair: &mut Pair, cutoff: f64, options: &Options, search: &mut Search) -> Option<f64> {
    let depths = [pair.a.core_depth(), pair.b.core_depth()];
    if depths == [None; 2] {
        return None;
    }
    let [r1, r2] = depths.map(|depth| depth.unwrap_or(0.0));
    (pair.a.core, pair.b.core) = (depths[0].is_some(), depths[1].is_some());
    let core = gjk(pair, cutoff + (r1 + r2), options, &mut search.simplex);
    (pair.a.core, pair.b.core) = (false, false);
    if core.dist <= options.tolerance || core.dist.is_nan() {
        return None;
    }

    // back out to the surfaces
    search.gap = core.apart;
    let Some([on1, on2]) = core.points else { return Some(core.dist) };
    let normal = (on2 - on1).normalize().0;
    search.points.push([on1 + normal * r1, on2 - normal * r2]);
    let dist = core.dist - (r1 + r2);
    if dist > cutoff {
        search.gap = Some(normal);
        return Some(f64::MAX);
    }
    Some(dist)
}

fn midpoint(a: Vec3, b: Vec3) -> Vec3 {
    (a + b) * 0.5
}

#[cfg(test)]
mod tests;
