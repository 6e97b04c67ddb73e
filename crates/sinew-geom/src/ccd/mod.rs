//! General convex collision: distance, overlap and contacts of any two convex solids.
//!
//! A solid is known by its support points alone (`support`). `gjk` finds whether two solids
//! overlap, or their distance; `epa` finds how deep they overlap. `faces` makes several contacts of
//! one where flat sides face each other, `perturb` where the faces are not known. `lying` corrects
//! the contacts of a cylinder on its side. `terrain` splits a height field into prisms. `simplex`
//! is the small geometry that both searches stand on. `mpr` is the other search for overlaps, with
//! `normal` to improve its normals. `axis` tells solids apart without a search. `separating` keeps
//! the separating axes of pairs from step to step, `hints` the farthest vertices of a hull. `query`
//! runs the searches on one pair. `memory` has their lists, which grow or have a fixed size.
//!
//! The order of every sum and every comparison is MuJoCo's (`mjc_ccd`), since a different vertex
//! taken on a tie ends in a different contact.

mod axis;
#[cfg(not(target_arch = "nvptx64"))]
mod element;
mod epa;
mod faces;
mod gjk;
#[cfg(not(target_arch = "nvptx64"))]
mod hints;
#[cfg(not(target_arch = "nvptx64"))]
mod lying;
mod memory;
#[cfg(not(target_arch = "nvptx64"))]
mod mpr;
#[cfg(not(target_arch = "nvptx64"))]
mod normal;
mod options;
mod overlap;
mod perturb;
mod query;
#[cfg(not(target_arch = "nvptx64"))]
mod separating;
mod simplex;
mod support;
mod terrain;
#[cfg(test)]
mod tests;
mod work;

#[cfg(not(target_arch = "nvptx64"))]
use sinew_math::Vec3;

use crate::ccd::gjk::Pair;
#[cfg(not(target_arch = "nvptx64"))]
use crate::ccd::gjk::nearest_points;
use crate::ccd::query::find_contacts;
#[cfg(not(target_arch = "nvptx64"))]
use crate::ccd::query::query;
use crate::ccd::support::{Convex, Outline};
use crate::solid::Solid;
use crate::touch::Touches;

pub use axis::{Axis, is_apart};
#[cfg(not(target_arch = "nvptx64"))]
pub use element::collide_element;
#[cfg(not(target_arch = "nvptx64"))]
pub use memory::Heap;
pub use memory::{Fixed, Memory};
pub use options::Options;
pub use terrain::collide_hfield;
pub use work::{Rooms, Work};

/// Contacts of two convex solids whose distance is below `margin`.
#[doc(alias = "mjc_Convex")]
pub fn collide_convex<M: Memory>(
    a: &Solid,
    b: &Solid,
    margin: f64,
    options: &Options,
    work: &mut Work<M>,
    out: &mut impl Touches,
) {
    // the pair as support functions
    #[cfg(not(target_arch = "nvptx64"))]
    if M::LEARNS {
        work.library.admit_pair([a, b]);
    }
    let search = &mut work.search;
    search.axis = None;
    #[cfg(not(target_arch = "nvptx64"))]
    let (separating, library) = (&mut work.separating, &work.library);
    #[cfg(target_arch = "nvptx64")]
    let library = &support::Library;
    let Some(a) = Convex::new(a, margin, library) else { return };
    let Some(b) = Convex::new(b, margin, library) else { return };
    let mut pair = Pair { a, b };
    let most = max_contacts(&pair, options);

    // done if the axis that separated it before still does
    #[cfg(not(target_arch = "nvptx64"))]
    let has_name = M::LEARNS && options.native && options.pair != 0;
    #[cfg(not(target_arch = "nvptx64"))]
    if has_name && separating.still_separate(&mut pair, options) {
        return;
    }

    // contacts, or a separating axis to keep
    let before = out.count();
    find_contacts(&mut pair, most, margin, options, search, out);
    search.axis = search.separating_axis.map(|dir| Axis::of(&pair, dir));
    #[cfg(not(target_arch = "nvptx64"))]
    if let Some(axis) = search.axis.filter(|_| has_name) {
        separating.remember(axis, options);
    }

    // more contacts from perturbed poses
    let one = out.count() == before + 1;
    if one && options.multi && !(options.native && most > 1) && perturb::is_useful(&pair) {
        perturb::add_contacts(&mut pair, margin, options, search, out);
    }
    #[cfg(not(target_arch = "nvptx64"))]
    if options.steady {
        lying::straighten(&mut pair, margin, before, out);
    }
}

#[cfg(not(target_arch = "nvptx64"))]
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
    let far = (max_dist, [Vec3::ZERO; 2]);
    let Some(a) = Convex::new(a, 0.0, library) else { return far };
    let Some(b) = Convex::new(b, 0.0, library) else { return far };
    let mut pair = Pair { a, b };
    let dist = query(&mut pair, max_dist, 1, options, search);
    let points = match search.is_nearest {
        true => nearest_points(&pair, &search.simplex),
        false => search.points.first().copied().unwrap_or_default(),
    };
    (if dist < max_dist { dist } else { max_dist }, points)
}

/// Maximum number of contacts that one run may find: several where two flat solids without a margin
/// touch.
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
