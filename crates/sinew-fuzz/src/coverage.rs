//! Coverage of branches, in builds that count them.
//!
//! LLVM's pass `sancov-module` gives every branch an 8-bit counter and registers the counters
//! before `main`. The command `cargo xtask fuzz --coverage` builds the program with this pass;
//! other builds have no counters.
#![allow(unsafe_code)]

use std::sync::atomic::{AtomicPtr, AtomicU8, AtomicU64, AtomicUsize, Ordering};

static START: AtomicPtr<u8> = AtomicPtr::new(std::ptr::null_mut());
static COUNT: AtomicUsize = AtomicUsize::new(0);

/// Called by code that LLVM inserts, with the begin and end of the counters.
// SAFETY: the name is reserved by LLVM's interface, so nothing else has it.
#[unsafe(no_mangle)]
extern "C" fn __sanitizer_cov_8bit_counters_init(start: *mut u8, stop: *mut u8) {
    START.store(start, Ordering::Relaxed);
    COUNT.store(stop.addr().saturating_sub(start.addr()), Ordering::Relaxed);
}

/// The counters of the program.
fn counters() -> &'static [AtomicU8] {
    let start = START.load(Ordering::Relaxed);
    if start.is_null() {
        return &[];
    }
    // SAFETY: LLVM passes a section of the program, which exists as long as the program runs. The
    // bytes change at any time, which atomics permit.
    unsafe { std::slice::from_raw_parts(start.cast(), COUNT.load(Ordering::Relaxed)) }
}

/// Whether the program counts branches.
pub fn is_counting() -> bool {
    !counters().is_empty()
}

/// Sets all counters to zero.
pub fn restart() {
    let (head, words, tail) = words(counters());
    for counter in head.iter().chain(tail) {
        counter.store(0, Ordering::Relaxed);
    }
    for word in words {
        word.store(0, Ordering::Relaxed);
    }
}

/// The counters in words of eight, since most are zero, with the counters before and after the
/// words.
fn words(counters: &[AtomicU8]) -> (&[AtomicU8], &[AtomicU64], &[AtomicU8]) {
    // SAFETY: eight atomic bytes have the layout of an atomic 64-bit number.
    unsafe { counters.align_to::<AtomicU64>() }
}

/// Branches that were taken so far, with the magnitude of their counts.
#[derive(Clone, Debug, Default)]
pub struct Seen {
    /// For each branch one bit per order of magnitude.
    orders: Vec<u8>,
    /// Branches that were taken.
    pub edges: usize,
}

impl Seen {
    /// Adds the counts since [`restart`]. Returns the number of new branches, and whether any count
    /// reached a new order of magnitude.
    pub fn add(&mut self) -> (usize, bool) {
        let counters = counters();
        self.orders.resize(counters.len(), 0);
        let before = self.edges;
        let mut news = false;
        let (head, words, tail) = words(counters);
        let body = head.len()..head.len() + 8 * words.len();
        for (at, counter) in head.iter().enumerate() {
            news |= self.note(at, counter.load(Ordering::Relaxed));
        }
        for (k, word) in words.iter().enumerate() {
            let word = word.load(Ordering::Relaxed);
            if word != 0 {
                for (j, count) in word.to_ne_bytes().into_iter().enumerate() {
                    news |= self.note(body.start + 8 * k + j, count);
                }
            }
        }
        for (k, counter) in tail.iter().enumerate() {
            news |= self.note(body.end + k, counter.load(Ordering::Relaxed));
        }
        (self.edges - before, news)
    }

    /// Adds one branch; returns whether its count has a new order of magnitude.
    fn note(&mut self, at: usize, count: u8) -> bool {
        let order: u8 = match count {
            0 => return false,
            1 => 1,
            2 => 2,
            3 => 4,
            4..=7 => 8,
            8..=15 => 16,
            16..=31 => 32,
            32..=127 => 64,
            _ => 128,
        };
        let orders = &mut self.orders[at];
        self.edges += usize::from(*orders == 0);
        let news = *orders & order == 0;
        *orders |= order;
        news
    }
}
