//! General convex collision: distance, penetration and contacts of any two convex solids.

use sinew_math::Vec3;

use crate::collide::{Solid, Touch};

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
}

impl Default for Options {
    fn default() -> Self {
        Options { tolerance: 1e-6, iterations: 35, multi: false, native: true, rbound: 0.0 }
    }
}

/// Scratch of the searches, kept from pair to pair; empty until a pair overlaps.
#[derive(Clone, Debug, Default)]
pub struct Work {}

/// Contacts of two convex solids whose distance is below `margin`.
#[doc(alias = "mjc_Convex")]
pub fn collide_convex(
    _a: &Solid,
    _b: &Solid,
    _margin: f64,
    _options: &Options,
    _work: &mut Work,
    _out: &mut Vec<Touch>,
) {
}

/// Contacts of a terrain with a convex solid.
#[doc(alias = "mjc_ConvexHField")]
pub fn collide_hfield(
    _terrain: &Solid,
    _b: &Solid,
    _margin: f64,
    _options: &Options,
    _work: &mut Work,
    _out: &mut Vec<Touch>,
) {
}

/// Distance of two convex solids, negative if they overlap, and the points nearest to each other.
///
/// At most `max_dist`; the points are zero if the solids are farther apart than that.
#[doc(alias = "mj_geomDistance")]
pub fn distance(
    _a: &Solid,
    _b: &Solid,
    max_dist: f64,
    _options: &Options,
    _work: &mut Work,
) -> (f64, [Vec3; 2]) {
    (max_dist, [Vec3::ZERO; 2])
}
