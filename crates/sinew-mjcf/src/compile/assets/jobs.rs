//! Assets on all threads: the largest first, equal ones once.

use std::collections::HashMap;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Maximum number of threads of a load.
const MAX_THREADS: usize = 16;

/// Inputs of an asset: its scope, a flag, and its attributes.
pub(crate) type AssetKey = (usize, bool, Vec<(&'static str, String)>);

/// Assets of a kind that are to be made.
pub(crate) struct Jobs<'a, T> {
    make: Box<dyn Fn(usize) -> T + Sync + 'a>,
    /// The asset of each run, and its result.
    runs: Vec<(usize, OnceLock<T>)>,
    /// The run that makes each asset.
    run_of: Vec<usize>,
    /// How much work each run is, in bytes of its file.
    weights: Vec<u64>,
}

impl<'a, T: Clone> Jobs<'a, T> {
    /// Jobs for assets with these keys and sizes; assets of equal keys share one run.
    pub(crate) fn new(
        assets: impl Iterator<Item = (Option<AssetKey>, u64)>,
        make: impl Fn(usize) -> T + Sync + 'a,
    ) -> Jobs<'a, T> {
        let mut seen: HashMap<AssetKey, usize> = HashMap::new();
        let mut jobs = Jobs {
            make: Box::new(make),
            runs: Vec::new(),
            run_of: Vec::new(),
            weights: Vec::new(),
        };
        for (i, (key, weight)) in assets.enumerate() {
            let next = jobs.runs.len();
            let run = key.map_or(next, |key| *seen.entry(key).or_insert(next));
            if run == next {
                jobs.runs.push((i, OnceLock::new()));
                jobs.weights.push(weight);
            }
            jobs.run_of.push(run);
        }
        jobs
    }

    /// Results, by asset.
    pub(crate) fn results(self) -> Vec<T> {
        let Jobs { make, runs, run_of, .. } = self;
        let made: Vec<T> = runs
            .into_iter()
            .map(|(i, made)| made.into_inner().unwrap_or_else(|| make(i)))
            .collect();
        if made.len() == run_of.len() {
            return made;
        }
        run_of.into_iter().map(|run| made[run].clone()).collect()
    }
}

/// Runs of any kind.
pub(crate) trait Work: Sync {
    /// How much work each run is.
    fn weights(&self) -> &[u64];

    /// Makes one of them.
    fn run(&self, run: usize);
}

impl<T: Clone + Send + Sync> Work for Jobs<'_, T> {
    fn weights(&self) -> &[u64] {
        &self.weights
    }

    fn run(&self, run: usize) {
        let (i, made) = &self.runs[run];
        made.get_or_init(|| (self.make)(*i));
    }
}

/// Does all work on all processors. Threads take the largest run that is left, so that none waits
/// long for the others.
pub(crate) fn do_all(works: &[&dyn Work]) {
    // the largest first
    let runs = |work: &&'_ dyn Work| work.weights().iter().copied().enumerate().collect::<Vec<_>>();
    let mut order: Vec<(u64, usize, usize)> = Vec::new();
    for (w, work) in works.iter().enumerate() {
        order.extend(runs(work).into_iter().map(|(run, weight)| (weight, w, run)));
    }
    order.sort_by_key(|(weight, ..)| core::cmp::Reverse(*weight));

    // every thread takes the next run until there is none
    let next = AtomicUsize::new(0);
    let take = || {
        while let Some((_, w, run)) = order.get(next.fetch_add(1, Ordering::Relaxed)) {
            works[*w].run(*run);
        }
    };

    // this thread works too; a panic of another is passed on
    let threads = std::thread::available_parallelism().map_or(1, |t| t.get().min(MAX_THREADS));
    std::thread::scope(|scope| {
        let others = threads.min(order.len()).saturating_sub(1);
        let workers: Vec<_> = (0..others).map(|_| scope.spawn(take)).collect();
        take();
        for worker in workers {
            if let Err(panic) = worker.join() {
                std::panic::resume_unwind(panic);
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(name: &str) -> Option<AssetKey> {
        Some((0, false, vec![("file", name.to_owned())]))
    }

    #[test]
    fn results_are_in_order_and_equal_keys_run_once() {
        let runs = AtomicUsize::new(0);
        let names = ["a", "b", "a", "c", "b"];
        let first = Jobs::new(names.iter().map(|n| (key(n), n.len() as u64)), |i| {
            runs.fetch_add(1, Ordering::Relaxed);
            names[i].to_owned()
        });
        let second = Jobs::new((0..9).map(|i| (None, i)), |i| 2 * i);
        do_all(&[&first, &second]);
        assert_eq!(first.results(), names);
        assert_eq!(runs.into_inner(), 3);
        assert_eq!(second.results(), [0, 2, 4, 6, 8, 10, 12, 14, 16]);
    }
}
