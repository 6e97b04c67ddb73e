//! Scratch of convex collision, kept from pair to pair.

use sinew_math::Vec3;

use crate::ccd::epa::Polytope;
use crate::ccd::faces::Scratch as FaceScratch;
use crate::ccd::hints::Library;
use crate::ccd::separating::SeparatingAxes;
use crate::ccd::simplex::Simplex;
use crate::solid::{Form, Solid};

/// Scratch of the searches, kept from pair to pair, and what they learned of hulls and pairs.
#[derive(Clone, Debug, Default)]
pub struct Work {
    pub(super) search: Search,
    pub(super) separating: SeparatingAxes,
    pub(super) library: Library,
}

/// Scratch of the searches; empty until a pair overlaps.
#[derive(Clone, Debug, Default)]
pub(super) struct Search {
    pub(super) simplex: Simplex,
    pub(super) polytope: Polytope,
    pub(super) faces: FaceScratch,
    /// Whether the nearest points of the pair are those of the simplex.
    pub(super) is_nearest: bool,
    /// Nearest or deepest points of the pair, one on each solid.
    pub(super) points: Vec<[Vec3; 2]>,
    /// A separating axis of the last pair, if it has one.
    pub(super) separating_axis: Option<Vec3>,
}

impl Library {
    /// Makes sure that two solids have hints, if they are hulls.
    pub(super) fn admit_pair(&mut self, pair: [&Solid; 2]) {
        for solid in pair {
            if let Form::Hull(hull) = &solid.form {
                self.admit(hull.graph);
            }
        }
    }
}
