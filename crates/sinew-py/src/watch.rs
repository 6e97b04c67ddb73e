//! Going along with the steps of a state until it goes bad for the first time.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use sinew_diagnose::Watch;
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

    /// Before a step.
    pub(crate) fn before(&self, m: &Model, d: &Data) {
        if !self.is_over() {
            let mut watch = self.watch.lock().unwrap_or_else(PoisonError::into_inner);
            watch.get_or_insert_with(|| Box::new(Watch::new(m))).before(m, d);
        }
    }

    /// After a step.
    pub(crate) fn after(&self, d: &Data) {
        if !self.is_over() {
            let watch = self.watch.lock().unwrap_or_else(PoisonError::into_inner);
            let bad = watch.as_ref().is_some_and(|watch| watch.diverged(d));
            self.bad.store(bad, Ordering::Relaxed);
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
