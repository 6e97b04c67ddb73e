//! Views of flat memory: constants of a model, and numbers that a team writes.
#![allow(unsafe_code)] // the raw memory behind the views; all other modules are safe

use core::cell::Cell;

/// Constants. An index is checked natively, and taken on trust on a GPU, where the same loops run.
#[derive(Debug)]
pub struct Slice<'a, T>(&'a [T]);

/// Numbers that the lanes of a team write, each item by one lane between two waits.
pub struct Cells<'a, T>(&'a [Cell<T>]);

impl<T> Clone for Slice<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Slice<'_, T> {}

impl<T> Clone for Cells<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Cells<'_, T> {}

impl<'a, T: Copy> Slice<'a, T> {
    /// `len` constants from `at` on.
    ///
    /// # Safety
    /// They are readable and nobody writes them for `'a`.
    #[inline(always)]
    pub unsafe fn new(at: *const T, len: usize) -> Slice<'a, T> {
        // SAFETY: the caller's promise.
        Slice(unsafe { core::slice::from_raw_parts(at, len) })
    }

    /// Where they are.
    #[inline(always)]
    pub fn as_ptr(self) -> *const T {
        self.0.as_ptr()
    }

    /// Constant `i`.
    #[inline(always)]
    pub fn at(self, i: usize) -> T {
        #[cfg(not(target_arch = "nvptx64"))]
        return self.0[i];
        // SAFETY: native tests run the same loops with checks; only models from `pack` come here.
        #[cfg(target_arch = "nvptx64")]
        return unsafe { *self.0.get_unchecked(i) };
    }

    /// How many there are.
    #[inline(always)]
    pub fn len(self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    #[inline(always)]
    pub fn is_empty(self) -> bool {
        self.0.is_empty()
    }
}

impl<'a, T: Copy> Cells<'a, T> {
    /// `len` numbers from `at` on.
    ///
    /// # Safety
    /// They are initialized, and for `'a` nobody but one team, through such views, reads or writes
    /// them.
    #[inline(always)]
    pub unsafe fn new(at: *mut T, len: usize) -> Cells<'a, T> {
        // SAFETY: the caller's promise; a cell has the bytes of its number.
        Cells(unsafe { core::slice::from_raw_parts(at.cast(), len) })
    }

    #[inline(always)]
    fn cell(self, i: usize) -> &'a Cell<T> {
        #[cfg(not(target_arch = "nvptx64"))]
        return &self.0[i];
        // SAFETY: as in `Slice::at`.
        #[cfg(target_arch = "nvptx64")]
        return unsafe { self.0.get_unchecked(i) };
    }

    /// Where they are.
    #[inline(always)]
    pub fn as_ptr(self) -> *mut T {
        self.0.as_ptr().cast_mut().cast()
    }

    /// Number `i`.
    #[inline(always)]
    pub fn at(self, i: usize) -> T {
        self.cell(i).get()
    }

    /// Writes number `i`.
    #[inline(always)]
    pub fn put(self, i: usize, x: T) {
        self.cell(i).set(x);
    }

    /// How many there are.
    #[inline(always)]
    pub fn len(self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    #[inline(always)]
    pub fn is_empty(self) -> bool {
        self.0.is_empty()
    }
}
