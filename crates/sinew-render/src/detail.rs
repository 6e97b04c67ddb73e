//! Meshes of a model with coarser levels, which are made on first use.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use rayon::prelude::*;

use crate::mesh::Mesh;
use crate::simplify::{LARGE, Level, levels};
use crate::threads;
use crate::weld::welded;

/// No process, as the maker of levels.
const NOBODY: u32 = 0;

/// Time between two looks at levels that another thread makes.
const PAUSE: Duration = Duration::from_micros(100);

/// A mesh of a model, and its levels of detail if it is large.
#[derive(Default)]
pub(crate) struct Detailed {
    full: Mesh,
    levels: OnceLock<Vec<Level>>,
    /// Process in which a thread makes the levels. A forked process has no such thread and makes
    /// them itself.
    maker: AtomicU32,
}

impl Detailed {
    pub(crate) fn new(mesh: Mesh) -> Detailed {
        let full = if mesh.tri.len() >= LARGE { welded(&mesh) } else { mesh };
        Detailed { full, ..Detailed::default() }
    }

    /// The mesh itself.
    pub(crate) fn full(&self) -> &Mesh {
        &self.full
    }

    /// The coarsest level with at most the given error in units of length; the mesh itself without
    /// an error.
    pub(crate) fn pick(&self, error: f32) -> &Mesh {
        let accurate = |level: &&Level| level.error <= error;
        let levels = self.levels.get().filter(|_| error >= 0.0);
        let level = levels.and_then(|levels| levels.iter().rev().find(accurate));
        level.map_or(&self.full, |level| &level.mesh)
    }

    /// Whether levels are missing.
    fn wants_levels(&self) -> bool {
        self.full.tri.len() >= LARGE && self.levels.get().is_none()
    }

    /// Makes the levels, unless another thread of this process does.
    fn make(&self) {
        let process = std::process::id();
        let maker = self.maker.load(Ordering::Acquire);
        let free = maker != process && self.wants_levels();
        let order = (Ordering::AcqRel, Ordering::Relaxed);
        if !free || self.maker.compare_exchange(maker, process, order.0, order.1).is_err() {
            return;
        }
        let release = Release(&self.maker);
        let _ = self.levels.set(levels(&self.full));
        drop(release);
    }

    /// Waits for the levels, if a thread of this process makes them.
    fn wait(&self) {
        while self.wants_levels() && self.maker.load(Ordering::Acquire) == std::process::id() {
            std::thread::sleep(PAUSE);
        }
    }
}

/// Gives up making levels when dropped, in a panic, too.
struct Release<'a>(&'a AtomicU32);

impl Drop for Release<'_> {
    fn drop(&mut self) {
        self.0.store(NOBODY, Ordering::Release);
    }
}

/// Makes the missing levels of meshes in parallel.
pub(crate) fn prepare<'a>(meshes: impl Iterator<Item = &'a Detailed>) {
    let missing: Vec<&Detailed> = meshes.filter(|mesh| mesh.wants_levels()).collect();
    if missing.is_empty() {
        return;
    }
    threads::enter(true, |several| match several {
        true => missing.par_iter().with_max_len(1).for_each(|mesh| mesh.make()),
        false => missing.iter().for_each(|mesh| mesh.make()),
    });
    missing.iter().for_each(|mesh| mesh.wait());
}
