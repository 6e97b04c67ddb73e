//! Going along with the steps of a state until it goes bad for the first time.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use sinew_diagnose::{Watch, bad_states};
use sinew_model::{Data, Model};

use crate::lock::Shared;

/// Watches the steps of a state.
pub(crate) struct Watcher {
    /// Behind a lock that a forked child does not wait for: steps take it without the interpreter.
    watch: Arc<Shared<Option<Box<Watch>>>>,
    /// Whether a state went bad that was not told yet.
    bad: AtomicBool,
    /// Whether it was told: nothing is watched any more.
    told: AtomicBool,
}

impl Default for Watcher {
    fn default() -> Self {
        Watcher {
            watch: Shared::new(None),
            bad: AtomicBool::default(),
            told: AtomicBool::default(),
        }
    }
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
        let mut watch = self.watch.write_detached().ok()?;
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
        self.watch.write_detached().ok()?.take()
    }
}
