//! Threads that draw.
//!
//! They are the renderer's own, because those of another pool may not exist: a process that was
//! forked has none of its parent's threads. A new process gets new ones.

use std::sync::Mutex;

use rayon::ThreadPool;
use rayon::prelude::*;

/// The pool of every process so far: this one's, and those of the processes that it was forked
/// from, which are of no use here.
static POOLS: Mutex<Vec<(u32, &'static ThreadPool)>> = Mutex::new(Vec::new());

/// The threads of this process; none if they cannot be had. Does not wait: a fork may have left
/// the lock closed.
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

/// Calls `f` on a thread of the pool, if several are wanted, and tells it whether there are.
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

/// The images of all items, computed by all threads.
///
/// Works in a process that was forked, where rayon's own pool does not.
pub fn parallel_map<T: Sync, R: Send>(items: &[T], f: impl Fn(&T) -> R + Sync + Send) -> Vec<R> {
    enter(true, |several| match several {
        true => items.par_iter().map(&f).collect(),
        false => items.iter().map(&f).collect(),
    })
}
