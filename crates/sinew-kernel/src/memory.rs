//! Views of flat memory: constants of a model, and numbers that a team writes.
#![allow(unsafe_code)] // the raw memory behind the views; all other modules are safe

use core::cell::Cell;

/// Reads the items of a row after the first: each has its distance in its instruction.
#[cfg(target_arch = "nvptx64")]
macro_rules! read_row {
    ($n:ident, $row:ident, $by:ident, $place:ident) => {
        read_row!($n, $row, $by, $place, 1 2 3 4 5 6 7 8)
    };
    ($n:ident, $row:ident, $by:ident, $place:ident, $($k:literal)*) => {
        $(if $n > $k {
            // SAFETY: as in `Slice::at`.
            $row[$k] = unsafe { device::$by::<T, $k>($place) };
        })*
    };
}

/// Writes the items of a row.
#[cfg(target_arch = "nvptx64")]
macro_rules! write_row {
    ($n:ident, $row:ident, $place:ident) => { write_row!($n, $row, $place, 0 1 2 3 4 5 6 7 8) };
    ($n:ident, $row:ident, $place:ident, $($k:literal)*) => {
        $(if $n > $k {
            // SAFETY: as in `Slice::at`.
            unsafe { device::write::<T, $k>($place, $row[$k]) };
        })*
    };
}

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
    /// The items are readable and nobody writes them for `'a`.
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
        return unsafe { device::constant::<T, 0>(device::place(self.0.as_ptr(), i)) };
    }

    /// `N` numbers in a row from `first` on, at most nine.
    #[inline(always)]
    pub fn row<const N: usize>(self, first: usize) -> [T; N] {
        #[cfg(not(target_arch = "nvptx64"))]
        return core::array::from_fn(|k| self.at(first + k));
        #[cfg(target_arch = "nvptx64")]
        {
            let place = device::place(self.as_ptr(), first);
            let mut row = [self.at(first); N];
            read_row!(N, row, constant, place);
            row
        }
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
    /// The items are initialized. For `'a` nobody but one team, through such views, reads or writes
    /// them.
    #[inline(always)]
    pub unsafe fn new(at: *mut T, len: usize) -> Cells<'a, T> {
        // SAFETY: the caller's promise; a cell has the bytes of its number.
        Cells(unsafe { core::slice::from_raw_parts(at.cast(), len) })
    }

    /// Where they are.
    #[inline(always)]
    pub fn as_ptr(self) -> *mut T {
        self.0.as_ptr().cast_mut().cast()
    }

    /// Number `i`.
    #[inline(always)]
    pub fn at(self, i: usize) -> T {
        #[cfg(not(target_arch = "nvptx64"))]
        return self.0[i].get();
        // SAFETY: as in `Slice::at`.
        #[cfg(target_arch = "nvptx64")]
        return unsafe { device::read::<T, 0>(device::place(self.as_ptr(), i)) };
    }

    /// Writes number `i`.
    #[inline(always)]
    pub fn put(self, i: usize, x: T) {
        #[cfg(not(target_arch = "nvptx64"))]
        self.0[i].set(x);
        // SAFETY: as in `Slice::at`.
        #[cfg(target_arch = "nvptx64")]
        unsafe {
            device::write::<T, 0>(device::place(self.as_ptr(), i), x);
        }
    }

    /// `N` numbers in a row from `first` on, at most nine.
    #[inline(always)]
    pub fn row<const N: usize>(self, first: usize) -> [T; N] {
        #[cfg(not(target_arch = "nvptx64"))]
        return core::array::from_fn(|k| self.at(first + k));
        #[cfg(target_arch = "nvptx64")]
        {
            let place = device::place(self.as_ptr(), first);
            let mut row = [self.at(first); N];
            read_row!(N, row, read, place);
            row
        }
    }

    /// Writes numbers in a row from `first` on, at most nine.
    #[inline(always)]
    pub fn put_row<const N: usize>(self, first: usize, x: [T; N]) {
        #[cfg(not(target_arch = "nvptx64"))]
        for (k, &x) in x.iter().enumerate() {
            self.put(first + k, x);
        }
        #[cfg(target_arch = "nvptx64")]
        {
            let place = device::place(self.as_ptr(), first);
            write_row!(N, x, place);
        }
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

/// Memory of a GPU, by instructions that name its space. A generic access, whose space the compiler
/// has to find, takes several times the instructions. Fields have less than 4 GiB, so indices have
/// 32 bits.
#[cfg(target_arch = "nvptx64")]
mod device {
    use core::arch::asm;
    use core::mem::transmute_copy;

    /// The address of item `i`.
    #[inline(always)]
    pub(super) fn place<T>(base: *const T, i: usize) -> u64 {
        let at: u64;
        // SAFETY: computes a number.
        unsafe {
            asm!("mad.wide.u32 {at}, {i}, {size}, {base};",
                at = out(reg64) at, i = in(reg32) i as u32, size = const size_of::<T>(),
                base = in(reg64) base, options(pure, nomem, nostack, preserves_flags));
        }
        at
    }

    /// Reads an item that nobody writes, `AT` items after a place.
    ///
    /// # Safety
    /// The item is readable, and has four or eight bytes.
    #[inline(always)]
    pub(super) unsafe fn constant<T: Copy, const AT: usize>(place: u64) -> T {
        // SAFETY: the caller's promise.
        unsafe {
            if size_of::<T>() == 8 {
                let x: u64;
                asm!("ld.global.nc.b64 {x}, [{place}+{at}];", x = out(reg64) x,
                    place = in(reg64) place, at = const 8 * AT,
                    options(pure, nomem, nostack, preserves_flags));
                transmute_copy(&x)
            } else {
                let x: u32;
                asm!("ld.global.nc.b32 {x}, [{place}+{at}];", x = out(reg32) x,
                    place = in(reg64) place, at = const 4 * AT,
                    options(pure, nomem, nostack, preserves_flags));
                transmute_copy(&x)
            }
        }
    }

    /// Reads an item, `AT` items after a place.
    ///
    /// # Safety
    /// As for `constant`.
    #[inline(always)]
    pub(super) unsafe fn read<T: Copy, const AT: usize>(place: u64) -> T {
        // SAFETY: the caller's promise.
        unsafe {
            if size_of::<T>() == 8 {
                let x: u64;
                asm!("ld.global.b64 {x}, [{place}+{at}];", x = out(reg64) x,
                    place = in(reg64) place, at = const 8 * AT,
                    options(pure, readonly, nostack, preserves_flags));
                transmute_copy(&x)
            } else {
                let x: u32;
                asm!("ld.global.b32 {x}, [{place}+{at}];", x = out(reg32) x,
                    place = in(reg64) place, at = const 4 * AT,
                    options(pure, readonly, nostack, preserves_flags));
                transmute_copy(&x)
            }
        }
    }

    /// Writes an item, `AT` items after a place.
    ///
    /// # Safety
    /// As for `constant`; and it is writable.
    #[inline(always)]
    pub(super) unsafe fn write<T: Copy, const AT: usize>(place: u64, x: T) {
        // SAFETY: the caller's promise.
        unsafe {
            if size_of::<T>() == 8 {
                let x: u64 = transmute_copy(&x);
                asm!("st.global.b64 [{place}+{at}], {x};", x = in(reg64) x,
                    place = in(reg64) place, at = const 8 * AT, options(nostack, preserves_flags));
            } else {
                let x: u32 = transmute_copy(&x);
                asm!("st.global.b32 [{place}+{at}], {x};", x = in(reg32) x,
                    place = in(reg64) place, at = const 4 * AT, options(nostack, preserves_flags));
            }
        }
    }
}
