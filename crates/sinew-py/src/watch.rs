//! Recording of a state's steps until its first bad state.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use sinew_diagnose::{Watch, bad_states};
use sinew_model::{Data, Model};

use crate::lock::Shared;

/// Recorder of the steps of a state.
pub(crate) struct Watcher {
    /// The lock does not block in a forked child; steps take it without the interpreter.
    watch: Arc<Shared<Option<Box<Watch>>>>,
    /// Whether there was a bad state that was not reported yet.
    bad: AtomicBool,
    /// Whether a bad state was reported, after which recording stops.
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

    /// Called before a step; returns the counts of bad states, if recording is on.
    pub(crate) fn before(&self, m: &Model, d: &Data) -> Option<[i32; 3]> {
        if self.is_over() {
            return None;
        }
        let mut watch = self.watch.write_detached().ok()?;
        watch.get_or_insert_with(|| Box::new(Watch::new(m))).before(m, d);
        Some(bad_states(d))
    }

    /// Called after a step, with the counts from before it.
    pub(crate) fn after(&self, d: &Data, before: Option<[i32; 3]>) {
        if before.is_some_and(|before| before != bad_states(d)) {
            self.bad.store(true, Ordering::Relaxed);
        }
    }

    /// Takes the recording of the bad state, once.
    pub(crate) fn take(&self) -> Option<Box<Watch>> {
        if !self.bad.swap(false, Ordering::Relaxed) || self.told.swap(true, Ordering::Relaxed) {
            return None;
        }
        self.watch.write_detached().ok()?.take()
    }
}
