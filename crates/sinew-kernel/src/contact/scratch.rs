//! Views of a model and of a workspace for the searches of `sinew-geom`.
#![allow(unsafe_code)] // tables of words as numbers of other kinds, and memory that a lane owns

use sinew_geom::ccd::{Fixed, Rooms, Work};
use sinew_geom::solid::Link;
use sinew_math::Vec3;

use crate::memory::Slice;
use crate::real::Real;
use crate::tables::World;

/// Numbers in tables of words.
///
/// # Safety
/// Any bits are a value.
pub(super) unsafe trait Bits {}
// SAFETY: numbers alone.
unsafe impl Bits for i32 {}
// SAFETY: numbers alone.
unsafe impl Bits for f32 {}
// SAFETY: numbers alone.
unsafe impl Bits for [f32; 3] {}
// SAFETY: numbers alone.
unsafe impl Bits for Vec3 {}
// SAFETY: numbers alone.
unsafe impl Bits for Link {}

/// Some items of a table: the first, and how many.
#[inline(always)]
pub(super) fn run<'a, T: Bits>(table: Slice<'a, u32>, [first, len]: [u32; 2]) -> &'a [T] {
    let (first, len) = (first as usize, len as usize);
    let at = table.as_ptr().cast::<T>();
    assert!(at.is_aligned() && (first + len) * size_of::<T>() <= 4 * table.len(), "a run");
    // SAFETY: inside and aligned, as was asserted, and any bits are a value.
    unsafe { core::slice::from_raw_parts(at.add(first), len) }
}

impl<'a, R: Real> World<'a, R> {
    /// The scratch of a lane, for one search.
    #[inline(always)]
    pub(super) fn searcher(self, lane: usize) -> Work<Fixed> {
        let m = self.model();
        let rooms = Rooms {
            vertices: m.room_vertices() as usize,
            faces: m.room_faces() as usize,
            polygon: m.room_polygon() as usize,
        };
        let (scratch, words) = (self.scratch(), 2 * rooms.words());
        assert!((lane + 1) * words <= scratch.len(), "no scratch for a lane");
        let at = scratch.as_ptr().wrapping_add(lane * words);
        // SAFETY: inside, as was asserted. Aligned, as every field and the size of a lane's part
        // are. Initialized, as workspaces are; and a lane has one search at a time.
        unsafe { Work::in_words(at.cast(), rooms) }
    }
}
