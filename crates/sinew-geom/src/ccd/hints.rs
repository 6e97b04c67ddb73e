//! Where searches of a hull ended before, by direction: a good place to start the next.
//!
//! A search that starts next to its end looks at a handful of vertices, where one from an arbitrary
//! vertex crosses the hull. The end is the same for any start as long as it is clearly the farthest
//! vertex; users of a hint check that.

use core::hint::black_box;
use core::sync::atomic::{AtomicU16, Ordering::Relaxed};

use sinew_math::Vec3;

/// Steps of a direction's coordinate, a power of two, and cells of directions.
const STEPS: usize = 8;
const CELLS: usize = STEPS * STEPS * STEPS;

/// Graphs with fewer vertices are climbed faster than hints are looked up.
const MIN_VERTICES: usize = 16;

/// No vertex yet.
const NONE: u16 = u16::MAX;

/// Places for the steps of climbs, a power of two.
const STEP_PLACES: usize = 2048;

/// Results of earlier searches of a hull.
#[derive(Debug)]
pub(super) struct Hints {
    /// Vertex of the graph where the last search in each cell of directions ended.
    ends: [AtomicU16; CELLS],
    /// Vertex that the last climb went to, by the vertex it came from and the cell of directions;
    /// many share a place.
    steps: [AtomicU16; STEP_PLACES],
}

/// The steps of climbs in a cell of directions.
#[derive(Clone, Copy)]
pub(super) struct Steps<'a> {
    places: &'a [AtomicU16; STEP_PLACES],
    first: usize,
}

/// A guess where a climb goes next.
#[derive(Clone, Copy)]
pub(super) struct Guess<'a> {
    place: &'a AtomicU16,
    vertex: u16,
}

impl Hints {
    fn new() -> Self {
        let ends = [const { AtomicU16::new(NONE) }; CELLS];
        Hints { ends, steps: [const { AtomicU16::new(NONE) }; STEP_PLACES] }
    }

    /// The vertex for a direction of length one, if a search ended there before.
    #[inline]
    pub(super) fn get(&self, dir: Vec3) -> Option<usize> {
        let vertex = self.ends[cell(dir)].load(Relaxed);
        (vertex != NONE).then_some(vertex.into())
    }

    /// Notes where the search in a direction ended.
    #[inline]
    pub(super) fn set(&self, dir: Vec3, vertex: usize) {
        self.ends[cell(dir)].store(u16::try_from(vertex).unwrap_or(NONE), Relaxed);
    }

    /// The steps of climbs in about this direction.
    #[inline]
    pub(super) fn steps(&self, dir: Vec3) -> Steps<'_> {
        Steps { places: &self.steps, first: cell(dir).wrapping_mul(977) }
    }
}

impl<'a> Steps<'a> {
    /// Where a climb will go from a vertex.
    #[inline(always)]
    pub(super) fn from(self, vertex: usize) -> Guess<'a> {
        let at = self.first.wrapping_add(vertex.wrapping_mul(37)) % STEP_PLACES;
        let place = &self.places[at];
        Guess { place, vertex: place.load(Relaxed) }
    }
}

impl Guess<'_> {
    /// Whether it is right.
    #[inline(always)]
    pub(super) fn is(self, vertex: usize) -> bool {
        usize::from(self.vertex) == vertex
    }

    /// The vertex of a guess that is right. The compiler, which knows that it is equal to the
    /// other, must not use that one, for which the processor would have to wait.
    #[inline(always)]
    pub(super) fn vertex(self) -> usize {
        usize::from(black_box(self.vertex))
    }

    /// The vertex of a guess that was wrong, noted for the next time.
    #[inline(always)]
    pub(super) fn correct(self, vertex: usize) -> usize {
        self.place.store(u16::try_from(vertex).unwrap_or(NONE), Relaxed);
        vertex
    }
}

/// The cell of a direction: any function of it would do, as long as it is quick.
#[inline]
fn cell(dir: Vec3) -> usize {
    // the sign, and the first bits of the size: of a number between 2^32 and 2^33, twenty bits are
    // behind the point
    const SCALE: f64 = STEPS as f64 / 2.0 - 1e-3;
    let step = |x: f64| {
        let size = (x.abs() * SCALE + (1u64 << 32) as f64).to_bits() >> 20;
        (x.to_bits() >> 63) as usize * (STEPS / 2) + (size as usize & (STEPS / 2 - 1))
    };
    (step(dir.x) * STEPS + step(dir.y)) * STEPS + step(dir.z)
}

/// The hints of all hulls met so far, found by where their graph is in memory.
///
/// Should another graph come to the same place, the hints are poor, but do no harm.
#[derive(Debug, Default)]
pub(super) struct Library {
    /// Address and hints; the number of places is a power of two, at least half of them free.
    slots: Vec<(usize, Option<Box<Hints>>)>,
    used: usize,
}

impl Library {
    /// Makes sure that a graph has hints.
    pub(super) fn admit(&mut self, graph: &[i32]) {
        let is_small = graph.first().is_none_or(|&vertices| (vertices as usize) < MIN_VERTICES);
        if is_small || self.find(graph).is_some() {
            return;
        }
        if 2 * (self.used + 1) > self.slots.len() {
            let mut slots = core::mem::take(&mut self.slots);
            let n = (2 * slots.len()).max(16);
            self.slots.resize_with(n, || (0, None));
            for slot in slots.drain(..).filter(|slot| slot.0 != 0) {
                let at = self.place(slot.0);
                self.slots[at] = slot;
            }
        }
        let at = self.place(key(graph));
        self.slots[at] = (key(graph), Some(Box::new(Hints::new())));
        self.used += 1;
    }

    /// The hints of a graph that was admitted and is not too small to need any.
    pub(super) fn find(&self, graph: &[i32]) -> Option<&Hints> {
        let (found, hints) = self.slots.get(self.place(key(graph)))?;
        hints.as_deref().filter(|_| *found == key(graph))
    }

    /// Where a key is, or is to be.
    fn place(&self, key: usize) -> usize {
        let mask = self.slots.len().wrapping_sub(1);
        let mut at = (key >> 4).wrapping_mul(0x9e37_79b1) >> 8 & mask;
        while self.slots.get(at).is_some_and(|slot| slot.0 != 0 && slot.0 != key) {
            at = (at + 1) & mask;
        }
        at
    }
}

/// A copy learns anew.
impl Clone for Library {
    fn clone(&self) -> Self {
        Library::default()
    }
}

fn key(graph: &[i32]) -> usize {
    graph.as_ptr() as usize
}
