//! Counts the allocations of a thread; a part of the tests that show that settled steps make none.

// counting needs a global allocator, which is unsafe to implement
#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

struct Counting;

thread_local! {
    // of this thread alone: the test runner's own thread allocates when it likes
    static COUNT: Cell<usize> = const { Cell::new(0) };
}

/// Allocations of this thread so far.
pub(crate) fn count() -> usize {
    COUNT.with(Cell::get)
}

// SAFETY: every call is passed on to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        COUNT.with(|n| n.set(n.get() + 1));
        // SAFETY: the caller's promises are the same.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, ptr: *mut u8, layout: Layout) {
        // SAFETY: the caller's promises are the same.
        unsafe { System.dealloc(ptr, layout) }
    }

    unsafe fn realloc(&self, ptr: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        COUNT.with(|n| n.set(n.get() + 1));
        // SAFETY: the caller's promises are the same.
        unsafe { System.realloc(ptr, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;
