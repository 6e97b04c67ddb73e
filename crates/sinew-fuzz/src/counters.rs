//! How often each edge of the program was taken, counted by code that the compiler puts in.
//!
//! LLVM's SanitizerCoverage ("inline 8-bit counters") gives every edge a byte and, before `main`,
//! tells where they are. `cargo xtask fuzz --coverage` builds a program that has them; in others
//! there are none.
// the counters are given as an address
#![allow(unsafe_code)]

use std::ptr;
use std::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};

static FIRST: AtomicPtr<u8> = AtomicPtr::new(ptr::null_mut());
static COUNT: AtomicUsize = AtomicUsize::new(0);

/// Called by every module of an instrumented program before `main`; all of them name the same
/// counters.
// SAFETY: the name is that of SanitizerCoverage, whose only other owner is its own runtime, where
// it may be replaced.
#[unsafe(no_mangle)]
extern "C" fn __sanitizer_cov_8bit_counters_init(first: *mut u8, end: *mut u8) {
    FIRST.store(first, Ordering::Relaxed);
    COUNT.store(end.addr().saturating_sub(first.addr()), Ordering::Relaxed);
}

/// Number of edges; 0 in a program without counters.
pub fn edges() -> usize {
    COUNT.load(Ordering::Relaxed)
}

/// Calls `see` with every edge that was taken since the last call and how often, as the power of
/// two below it.
pub fn take(mut see: impl FnMut(usize, u8)) {
    let first = FIRST.load(Ordering::Relaxed);
    for edge in 0..edges() {
        // SAFETY: the compiler's counters are as many bytes as it said, which live as long as the
        // program and are written by anyone at any time; a lost count does no harm.
        let counter = unsafe { first.add(edge) };
        // SAFETY: as above.
        let count = unsafe { counter.read_volatile() };
        if count != 0 {
            // SAFETY: as above.
            unsafe { counter.write_volatile(0) };
            see(edge, count.ilog2() as u8);
        }
    }
}
