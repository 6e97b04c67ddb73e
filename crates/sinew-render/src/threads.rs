//! The renderer's thread pool.
//!
//! Another pool may have lost its threads, because a forked process has none of its parent's
//! threads. Each process gets new threads here.

use std::sync::Mutex;

use rayon::ThreadPool;
use rayon::prelude::*;

/// The pools of this process and of the processes from which it was forked; only the own pool has
/// threads.
static POOLS: Mutex<Vec<(u32, &'static ThreadPool)>> = Mutex::new(Vec::new());

/// The threads of this process, or `None` if they cannot be started. Never blocks, because a fork
/// may have left the mutex locked.
fn pool() -> Option<&'static ThreadPool> {
    let process = std::process::id();
    let mut pools = POOLS.try_lock().ok()?;
    if let Some((_, pool)) = pools.iter().find(|(id, _)| *id == process) {
        return Some(pool);
    }
    let pool = rayon::ThreadPoolBuilder::new().build().ok()?;
    let pool: &'static ThreadPool = Box::leak(Box::new(pool));
    pools.push((process, pool));
    Some(pool)
}

/// Calls `f`, on the pool if `several` is set and a pool is available, and passes it which.
pub(crate) fn enter<R: Send>(several: bool, f: impl FnOnce(bool) -> R + Send) -> R {
    if !several {
        return f(false);
    }
    if rayon::current_thread_index().is_some() {
        return f(true);
    }
    match pool() {
        Some(pool) => pool.install(|| f(true)),
        None => f(false),
    }
}

/// Maps all items in parallel.
///
/// Works in a forked process, where rayon's global pool does not.
pub fn parallel_map<T: Sync, R: Send>(items: &[T], f: impl Fn(&T) -> R + Sync + Send) -> Vec<R> {
    enter(true, |several| match several {
        true => items.par_iter().map(&f).collect(),
        false => items.iter().map(&f).collect(),
    })
}
