//! A counting allocator, for tests of memory use.
//!
//! ```
//! use sinew_testkit::alloc::{CountingAllocator, allocations};
//!
//! #[global_allocator]
//! static ALLOCATOR: CountingAllocator = CountingAllocator;
//!
//! let before = allocations();
//! let list = vec![1, 2, 3];
//! assert_eq!(allocations() - before, 1);
//! # drop(list);
//! ```

// an allocator is unsafe to implement
#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The system's allocator with counters, for use as `global_allocator`.
pub struct CountingAllocator;

thread_local! {
    // per thread, because the test runner's thread allocates at any time
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
}

static IN_USE: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

/// Number of allocations of this thread, including reallocations.
pub fn allocations() -> usize {
    ALLOCATIONS.with(Cell::get)
}

/// Returns the bytes in use by all threads, and restarts [`peak_bytes`].
pub fn restart_peak() -> usize {
    let now = IN_USE.load(Ordering::Relaxed);
    PEAK.store(now, Ordering::Relaxed);
    now
}

/// Largest number of bytes in use by all threads since [`restart_peak`].
pub fn peak_bytes() -> usize {
    PEAK.load(Ordering::Relaxed)
}

fn taken(bytes: usize) {
    ALLOCATIONS.with(|n| n.set(n.get() + 1));
    let now = IN_USE.fetch_add(bytes, Ordering::Relaxed) + bytes;
    PEAK.fetch_max(now, Ordering::Relaxed);
}

fn given_back(bytes: usize) {
    IN_USE.fetch_sub(bytes, Ordering::Relaxed);
}

// SAFETY: every call is passed unchanged to the system's allocator; the counters are separate.
unsafe impl GlobalAlloc for CountingAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        taken(layout.size());
        // SAFETY: the caller's promises are the same.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, ptr: *mut u8, layout: Layout) {
        given_back(layout.size());
        // SAFETY: the caller's promises are the same.
        unsafe { System.dealloc(ptr, layout) }
    }

    unsafe fn realloc(&self, ptr: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        taken(size);
        given_back(layout.size());
        // SAFETY: the caller's promises are the same.
        unsafe { System.realloc(ptr, layout, size) }
    }
}
