//! Going along with the steps of a state until it goes bad for the first time.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use sinew_diagnose::{Watch, bad_states};
use sinew_model::{Data, Model};

/// Watches the steps of a state.
#[derive(Default)]
pub(crate) struct Watcher {
    watch: Mutex<Option<Box<Watch>>>,
    /// Whether a state went bad that was not told yet.
    bad: AtomicBool,
    /// Whether it was told: nothing is watched any more.
    told: AtomicBool,
}

impl Watcher {
    fn is_over(&self) -> bool {
        self.bad.load(Ordering::Relaxed) || self.told.load(Ordering::Relaxed)
    }

    /// Before a step: how often states were bad so far, if it is watched.
    pub(crate) fn before(&self, m: &Model, d: &Data) -> Option<[i32; 3]> {
        if self.is_over() {
            return None;
        }
        let mut watch = self.watch.lock().unwrap_or_else(PoisonError::into_inner);
        watch.get_or_insert_with(|| Box::new(Watch::new(m))).before(m, d);
        Some(bad_states(d))
    }

    /// After a step, with what was found before it.
    pub(crate) fn after(&self, d: &Data, before: Option<[i32; 3]>) {
        if before.is_some_and(|before| before != bad_states(d)) {
            self.bad.store(true, Ordering::Relaxed);
        }
    }

    /// What was seen when the state went bad, once.
    pub(crate) fn take(&self) -> Option<Box<Watch>> {
        if !self.bad.swap(false, Ordering::Relaxed) || self.told.swap(true, Ordering::Relaxed) {
            return None;
        }
        self.watch.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}
