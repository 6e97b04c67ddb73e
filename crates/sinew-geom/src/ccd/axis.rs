//! Axes that separate two solids: what a search leaves for the next of the same pair.

use sinew_math::Vec3;

use crate::ccd::gjk::Pair;
#[cfg(not(target_arch = "nvptx64"))]
use crate::ccd::hints::Library;
use crate::ccd::options::Options;
use crate::ccd::support::Convex;
#[cfg(target_arch = "nvptx64")]
use crate::ccd::support::Library;
use crate::solid::Solid;

/// A direction from the first of two solids to the second, and where climbs of hulls begin.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Axis {
    /// The direction, of length one.
    pub dir: Vec3,
    /// Vertices of the hulls' graphs; any number will do.
    pub graph_vertex: [u32; 2],
}

impl Axis {
    /// A direction, with the vertices at which the searches of a pair ended.
    pub(super) fn of(pair: &Pair, dir: Vec3) -> Axis {
        Axis { dir, graph_vertex: [pair.a.graph_vertex as u32, pair.b.graph_vertex as u32] }
    }

    /// Whether it separates a pair by more than the tolerance; notes where the climbs ended.
    #[inline(always)]
    pub(super) fn separates(&mut self, pair: &mut Pair, options: &Options) -> bool {
        let before = [pair.a.mark(), pair.b.mark()];
        pair.a.start_at(self.graph_vertex[0]);
        pair.b.start_at(self.graph_vertex[1]);
        let vertex = pair.support(self.dir);
        self.graph_vertex = [pair.a.graph_vertex as u32, pair.b.graph_vertex as u32];
        pair.a.restore(before[0]);
        pair.b.restore(before[1]);

        // twice the tolerance and more than rounding: GJK would find the same
        let size = vertex.on[0].x.abs() + vertex.on[0].y.abs() + vertex.on[0].z.abs();
        self.dir.dot(vertex.at) < -(2.0 * options.tolerance + 1e-12 * size)
    }
}

/// Whether an axis separates two solids so far that [`collide_convex`](super::collide_convex) finds
/// no contacts, without a search for another axis.
///
/// The plane across the axis is at least twice the tolerance away from one of the solids. The
/// points of GJK are then never nearer, so no search for a depth begins. The pair has no contacts,
/// whichever axis shows it. An axis that does not separate has no effect.
#[inline(always)]
pub fn is_apart(a: &Solid, b: &Solid, margin: f64, options: &Options, axis: &mut Axis) -> bool {
    let library = Library::default();
    let Some(a) = Convex::new(a, margin, &library) else { return false };
    let Some(b) = Convex::new(b, margin, &library) else { return false };
    axis.separates(&mut Pair { a, b }, options)
}
