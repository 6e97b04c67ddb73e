//! Where the searches keep their lists: on the heap, or in memory of a fixed size.
#![allow(unsafe_code)] // lists in memory that is given as words

use core::ops::{Deref, DerefMut};

/// Plain numbers.
///
/// # Safety
/// Any bits are a value, and 8 bytes are enough for its alignment.
pub unsafe trait Plain: Copy + Default + 'static {}

/// A list of plain numbers.
pub trait List<T: Plain>: Deref<Target = [T]> + DerefMut {
    /// The most items it may ever have.
    fn room(&self) -> usize;

    /// Forgets all items.
    fn clear(&mut self);

    /// Appends an item; without room for it the list is spilled instead.
    fn push(&mut self, item: T);

    /// Whether there was no room for an item since the list was made.
    fn is_spilled(&self) -> bool;

    /// The first `n` places, with undefined contents: at most the list's capacity.
    fn places(&mut self, n: usize) -> &mut [T];

    /// Appends items.
    #[inline(always)]
    fn append(&mut self, items: impl IntoIterator<Item = T>) {
        for item in items {
            self.push(item);
        }
    }
}

/// A kind of memory.
pub trait Memory: 'static {
    /// The list type of this memory.
    type List<T: Plain>: List<T>;

    /// Whether this memory keeps hints of hulls and pairs.
    const LEARNS: bool;
}

/// The heap, where lists grow.
#[cfg(not(target_arch = "nvptx64"))]
#[derive(Clone, Copy, Debug)]
pub struct Heap;

#[cfg(not(target_arch = "nvptx64"))]
impl Memory for Heap {
    type List<T: Plain> = Vec<T>;
    const LEARNS: bool = true;
}

#[cfg(not(target_arch = "nvptx64"))]
impl<T: Plain> List<T> for Vec<T> {
    #[inline(always)]
    fn room(&self) -> usize {
        usize::MAX
    }

    #[inline(always)]
    fn clear(&mut self) {
        self.clear();
    }

    #[inline(always)]
    fn push(&mut self, item: T) {
        self.push(item);
    }

    #[inline(always)]
    fn is_spilled(&self) -> bool {
        false
    }

    #[inline(always)]
    fn places(&mut self, n: usize) -> &mut [T] {
        if self.len() < n {
            grow(self, n);
        }
        &mut self[..n]
    }

    #[inline(always)]
    fn append(&mut self, items: impl IntoIterator<Item = T>) {
        self.extend(items);
    }
}

#[cfg(not(target_arch = "nvptx64"))]
#[cold]
fn grow<T: Plain>(list: &mut Vec<T>, n: usize) {
    list.resize(2 * n, T::default());
}

/// Memory of a fixed size, for machines without a heap. The memory serves one pair at a time.
#[derive(Clone, Copy, Debug)]
pub struct Fixed;

impl Memory for Fixed {
    type List<T: Plain> = FixedList<T>;
    const LEARNS: bool = false;
}

/// A list in memory of a fixed size, which outlives it.
#[derive(Debug)]
pub struct FixedList<T> {
    items: *mut T,
    room: usize,
    len: usize,
    spilled: bool,
}

impl<T: Plain> FixedList<T> {
    /// An empty list at the beginning of some words, and the words after it.
    ///
    /// # Safety
    /// The words are initialized, and nobody else uses them while the list lives.
    pub(super) unsafe fn carve(words: &mut Words, room: usize) -> FixedList<T> {
        let size = words_of::<T>(room);
        assert!(size <= words.len, "no room for a list");
        let items = words.at.cast();
        // SAFETY: inside, as was asserted.
        words.at = unsafe { words.at.add(size) };
        words.len -= size;
        FixedList { items, room, len: 0, spilled: false }
    }
}

/// Words of memory.
#[derive(Debug)]
pub(super) struct Words {
    pub(super) at: *mut u64,
    pub(super) len: usize,
}

/// Words of a list.
pub(super) const fn words_of<T>(room: usize) -> usize {
    (room * size_of::<T>()).div_ceil(8)
}

impl<T: Plain> Deref for FixedList<T> {
    type Target = [T];
    #[inline(always)]
    fn deref(&self) -> &[T] {
        // SAFETY: the promise of `carve`; any bits are a value.
        unsafe { core::slice::from_raw_parts(self.items, self.len) }
    }
}

impl<T: Plain> DerefMut for FixedList<T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: as above.
        unsafe { core::slice::from_raw_parts_mut(self.items, self.len) }
    }
}

impl<T: Plain> List<T> for FixedList<T> {
    #[inline(always)]
    fn room(&self) -> usize {
        self.room
    }

    #[inline(always)]
    fn clear(&mut self) {
        self.len = 0;
    }

    #[inline(always)]
    fn push(&mut self, item: T) {
        if self.len == self.room {
            self.spilled = true;
            return;
        }
        let at = self.len;
        self.len += 1;
        self[at] = item;
    }

    #[inline(always)]
    fn is_spilled(&self) -> bool {
        self.spilled
    }

    #[inline(always)]
    fn places(&mut self, n: usize) -> &mut [T] {
        self.len = n.min(self.room);
        self
    }
}
