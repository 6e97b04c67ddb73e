//! A pool of threads that sleep between calls.

use rayon::{ThreadPool, ThreadPoolBuilder};
use sinew_model::nesting;

use crate::error::BatchError;
use crate::limits::{check_threads, cores};

/// A fixed number of threads: the caller's, and others that start at the first use.
///
/// A forked process has none of its parent's threads. The pool detects this and starts its own.
#[derive(Debug)]
pub struct Pool {
    threads: usize,
    /// The threads besides the caller's, and the id of their process.
    running: Option<(ThreadPool, u32)>,
}

impl Pool {
    /// Creates a pool of `threads` threads; 0 for the machine's parallelism. More than 256 threads,
    /// and more than 16 for each core, are an error.
    pub fn new(threads: usize) -> Result<Pool, BatchError> {
        check_threads(threads)?;
        Ok(Pool { threads: if threads == 0 { cores() } else { threads }, running: None })
    }

    /// Number of threads.
    pub fn threads(&self) -> usize {
        self.threads
    }

    /// Calls `f` once for each index in `0..shares`, at most once per thread, and waits for all
    /// calls.
    ///
    /// The caller runs index 0 while the other threads wake up. A panic of `f` resumes in the
    /// caller after all calls are done.
    pub fn run(&mut self, shares: usize, f: impl Fn(usize) + Sync) -> Result<(), BatchError> {
        let others = shares.min(self.threads).saturating_sub(1);
        if others == 0 {
            f(0);
            return Ok(());
        }

        // threads start at the first call, and anew in a forked process
        self.leave_parents_threads();
        let (pool, _) = match &self.running {
            Some(running) => running,
            None => {
                let pool = ThreadPoolBuilder::new()
                    .num_threads(self.threads - 1)
                    .thread_name(|i| format!("sinew-{}", i + 1))
                    .build()
                    .map_err(|e| BatchError::Threads(e.to_string()))?;
                self.running.insert((pool, std::process::id()))
            }
        };

        // the caller takes index 0
        let (f, depth) = (&f, nesting::depth());
        pool.in_place_scope(|scope| {
            for share in 1..=others {
                scope.spawn(move |_| nesting::within(depth, || f(share)));
            }
            f(0);
        });
        Ok(())
    }

    /// Drops threads that belong to the parent process, without joining them, because they do not
    /// exist in this process. Returns whether there were any.
    pub(crate) fn leave_parents_threads(&mut self) -> bool {
        let left = self.running.take_if(|(_, process)| *process != std::process::id());
        let any = left.is_some();
        core::mem::forget(left);
        any
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.leave_parents_threads();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn every_index_is_called_once() {
        for threads in [1, 2, 3, 8] {
            let mut pool = Pool::new(threads).expect("few threads");
            for shares in [1, 2, 8, 100, 8] {
                let calls: Vec<AtomicUsize> = (0..threads).map(|_| AtomicUsize::new(0)).collect();
                pool.run(shares, |i| {
                    calls[i].fetch_add(1, Ordering::Relaxed);
                })
                .expect("threads start");
                let calls = calls.iter().map(|c| c.load(Ordering::Relaxed));
                assert!(calls.enumerate().all(|(i, calls)| calls == usize::from(i < shares)));
            }
        }
    }
}
