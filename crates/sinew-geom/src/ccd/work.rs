//! Scratch of convex collision, kept from pair to pair.

use sinew_math::Vec3;

use crate::ccd::axis::Axis;
use crate::ccd::epa::Polytope;
use crate::ccd::faces::Scratch as FaceScratch;
#[cfg(not(target_arch = "nvptx64"))]
use crate::ccd::hints::Library;
#[cfg(not(target_arch = "nvptx64"))]
use crate::ccd::memory::Heap;
use crate::ccd::memory::{Fixed, FixedList, List, Memory, Plain, Words, words_of};
#[cfg(not(target_arch = "nvptx64"))]
use crate::ccd::separating::SeparatingAxes;
use crate::ccd::simplex::Simplex;
#[cfg(not(target_arch = "nvptx64"))]
use crate::solid::{Form, Solid};
use crate::touch::MAX_CONTACTS;

/// Scratch of the searches, kept from pair to pair, with hints of hulls and pairs.
#[cfg(not(target_arch = "nvptx64"))]
pub struct Work<M: Memory = Heap> {
    pub(super) search: Search<M>,
    pub(super) separating: SeparatingAxes,
    pub(super) library: Library,
}

/// Scratch of the searches.
#[cfg(target_arch = "nvptx64")]
pub struct Work<M: Memory> {
    pub(super) search: Search<M>,
}

/// Scratch of the searches; empty until a pair overlaps.
pub(super) struct Search<M: Memory> {
    pub(super) simplex: Simplex,
    pub(super) polytope: Polytope<M>,
    pub(super) faces: FaceScratch<M>,
    /// Whether the simplex has the nearest points of the pair.
    pub(super) is_nearest: bool,
    /// Nearest or deepest points of the pair, one on each solid.
    pub(super) points: M::List<[Vec3; 2]>,
    /// A separating axis of the last pair, if it has one.
    pub(super) separating_axis: Option<Vec3>,
    /// The same of the last pair in its own poses, for its next search.
    pub(super) axis: Option<Axis>,
}

impl<M: Memory> Work<M> {
    /// The axis that separates the solids of the last pair of
    /// [`collide_convex`](super::collide_convex), if a search found one.
    pub fn axis(&self) -> Option<Axis> {
        self.search.axis
    }

    /// Whether a list was too small for the pairs so far. Contacts found since are not to be used.
    pub fn is_spilled(&self) -> bool {
        let Search { polytope, faces, points, .. } = &self.search;
        polytope.is_spilled() || faces.is_spilled() || points.is_spilled()
    }
}

#[cfg(not(target_arch = "nvptx64"))]
impl<M: Memory> core::fmt::Debug for Work<M> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Work").finish_non_exhaustive()
    }
}

#[cfg(not(target_arch = "nvptx64"))]
impl Default for Search<Heap> {
    fn default() -> Self {
        Search {
            simplex: Simplex::default(),
            polytope: Polytope::new(Vec::new(), Vec::new(), Vec::new(), Vec::new(), Vec::new()),
            faces: FaceScratch {
                sides: Default::default(),
                edges: Vec::new(),
                faces: Default::default(),
                planes: Vec::new(),
                polygon: Vec::new(),
                clipped: Vec::new(),
            },
            is_nearest: false,
            points: Vec::new(),
            separating_axis: None,
            axis: None,
        }
    }
}

#[cfg(not(target_arch = "nvptx64"))]
impl Default for Work {
    fn default() -> Self {
        let search = Search::default();
        Work { search, separating: SeparatingAxes::default(), library: Library::default() }
    }
}

/// A copy has the hints of pairs, and scratch of its own.
#[cfg(not(target_arch = "nvptx64"))]
impl Clone for Work {
    fn clone(&self) -> Self {
        Work { separating: self.separating.clone(), ..Work::default() }
    }
}

/// How much room fixed memory has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rooms {
    /// Vertices of a polytope: six more than iterations are enough.
    pub vertices: usize,
    /// Faces of a polytope.
    pub faces: usize,
    /// Corners of a polygon of a hull, or polygons at a vertex; 4 for boxes.
    pub polygon: usize,
}

impl Rooms {
    /// Words of 8 bytes that hold a [`Work`] with these rooms.
    pub const fn words(&self) -> usize {
        let Rooms { vertices, faces, polygon } = *self;
        Rooms::of_polytope(vertices, faces)
            + Rooms::of_faces(polygon)
            + words_of::<[Vec3; 2]>(MAX_CONTACTS)
    }

    const fn of_polytope(vertices: usize, faces: usize) -> usize {
        use crate::ccd::epa::{Crossing, Face, Open, Rim};
        use crate::ccd::simplex::Vertex;
        words_of::<Vertex>(vertices)
            + words_of::<Face>(faces)
            + words_of::<Open>(faces)
            + words_of::<Rim>(2 * faces)
            + words_of::<Crossing>(2 * faces + 3)
    }

    const fn of_faces(polygon: usize) -> usize {
        use crate::ccd::faces::{Edge, Side, Wall};
        2 * words_of::<Side>(polygon)
            + words_of::<Edge>(polygon)
            + 2 * words_of::<Vec3>(polygon)
            + words_of::<Wall>(polygon)
            + 2 * words_of::<Vec3>(2 * polygon)
    }
}

impl Work<Fixed> {
    /// Scratch in [`Rooms::words`] words from `at` on.
    ///
    /// # Safety
    /// The words are initialized, and nobody else uses them while this lives.
    #[allow(unsafe_code)]
    #[inline(always)]
    pub unsafe fn in_words(at: *mut u64, rooms: Rooms) -> Self {
        let mut words = Words { at, len: rooms.words() };
        let Rooms { vertices, faces, polygon } = rooms;
        // SAFETY: the caller's promise; the words are shared out among the lists.
        let (polytope, faces, points) = unsafe {
            (
                Polytope::new(
                    list(&mut words, vertices),
                    list(&mut words, faces),
                    list(&mut words, faces),
                    list(&mut words, 2 * faces),
                    list(&mut words, 2 * faces + 3),
                ),
                FaceScratch {
                    sides: [list(&mut words, polygon), list(&mut words, polygon)],
                    edges: list(&mut words, polygon),
                    faces: [list(&mut words, polygon), list(&mut words, polygon)],
                    planes: list(&mut words, polygon),
                    polygon: list(&mut words, 2 * polygon),
                    clipped: list(&mut words, 2 * polygon),
                },
                list(&mut words, MAX_CONTACTS),
            )
        };
        // the simplex is large: it is made where it stays
        Work {
            search: Search {
                simplex: Simplex::default(),
                polytope,
                faces,
                is_nearest: false,
                points,
                separating_axis: None,
                axis: None,
            },
            #[cfg(not(target_arch = "nvptx64"))]
            separating: SeparatingAxes::default(),
            #[cfg(not(target_arch = "nvptx64"))]
            library: Library::default(),
        }
    }
}

/// # Safety
/// As for [`FixedList::carve`].
#[allow(unsafe_code)]
#[inline(always)]
unsafe fn list<T: Plain>(words: &mut Words, room: usize) -> FixedList<T> {
    // SAFETY: the caller's promise.
    unsafe { FixedList::carve(words, room) }
}

#[cfg(not(target_arch = "nvptx64"))]
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
