//! The state of a search for contacts of flexes.

use sinew_geom::ccd;
use sinew_geom::touch::Touch;
use sinew_math::Vec3;
use sinew_model::{Data, FlexId, Model};

use crate::collision::flex::scratch::SweepScratch;
use crate::collision::list::{ContactList, Touching};
use crate::collision::params::Params;

/// Data shared by the functions of this folder.
pub(crate) struct FlexSearch<'a, 'b> {
    pub(crate) m: &'a Model,
    pub(crate) d: &'a Data,
    /// Where two things touch.
    pub(crate) touches: &'a mut Vec<Touch>,
    /// Scratch of general convex collision.
    pub(crate) ccd: &'a mut ccd::Work,
    /// Nodes of two trees still to be compared.
    pub(crate) stack: &'a mut Vec<[u32; 2]>,
    /// Scratch of a sweep.
    pub(crate) sweep: &'a mut SweepScratch,
    /// The contacts found.
    pub(crate) list: &'a mut ContactList<'b>,
}

impl FlexSearch<'_, '_> {
    /// Adds contacts where two things touch; their distance counts up to `includemargin`.
    pub(crate) fn add(&mut self, of: Touching, includemargin: f64, params: &Params) {
        self.list.add(self.touches, of, includemargin, params);
    }

    /// The box of an element, counted from the first of its flex.
    pub(crate) fn elem_box(&self, f: FlexId, elem: usize) -> &[f64; 6] {
        &self.d.flexelem_aabb[self.m.flex_elemadr[f].max(0) as usize + elem]
    }
}

/// Whether two boxes along the world's axes are farther apart than a margin.
#[doc(alias = "filterBox")]
pub(crate) fn boxes_separated(a: &[f64; 6], b: &[f64; 6], margin: f64) -> bool {
    let separated = |k: usize| {
        a[k] + a[k + 3] + margin < b[k] - b[k + 3] || b[k] + b[k + 3] + margin < a[k] - a[k + 3]
    };
    (0..3).any(separated)
}

/// Whether a ball, taken as a box, is apart from a box along the world's axes.
#[doc(alias = "filterSphereBox")]
pub(crate) fn ball_separated(center: Vec3, radius: f64, aabb: &[f64; 6]) -> bool {
    let separated = |k: usize| {
        center[k] + radius < aabb[k] - aabb[k + 3] || center[k] - radius > aabb[k] + aabb[k + 3]
    };
    (0..3).any(separated)
}
