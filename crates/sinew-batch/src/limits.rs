//! Bounds on threads and memory, by the machine's cores and memory.

use std::fs;
use std::thread::available_parallelism;

use crate::error::BatchError;

/// Threads per core that may be started: enough for any sensible oversubscription.
const PER_CORE: usize = 16;
/// Threads that may be started on any machine, since programs ask for the cores of another one.
const ALWAYS: usize = 256;

/// Number of cores of the machine.
pub(crate) fn cores() -> usize {
    available_parallelism().map_or(1, usize::from)
}

/// Refuses more threads than the machine can run.
pub(crate) fn check_threads(threads: usize) -> Result<(), BatchError> {
    let (cores, most) = (cores(), (PER_CORE * cores()).max(ALWAYS));
    if threads > most {
        return Err(BatchError::TooManyThreads { threads, cores, most });
    }
    Ok(())
}

/// Refuses `worlds` rows of `row` bytes that do not fit into memory beside the `used` bytes.
pub(crate) fn check_memory(worlds: usize, row: usize, used: usize) -> Result<(), BatchError> {
    let bytes = worlds.saturating_mul(row);
    let free = available_memory().unwrap_or(usize::MAX);
    let reserved = || Vec::<u8>::new().try_reserve_exact(bytes).is_ok();
    if bytes > free || used.checked_add(bytes).is_none() || !reserved() {
        return Err(BatchError::TooMuchMemory { worlds, bytes, free });
    }
    Ok(())
}

/// Free memory in bytes, where the system tells it in a file: of the machine and of the group of
/// processes (a container).
fn available_memory() -> Option<usize> {
    let info = fs::read_to_string("/proc/meminfo").ok()?;
    let line = info.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kibibytes: usize = line.trim().trim_end_matches("kB").trim().parse().ok()?;
    let group = fs::read_to_string("/sys/fs/cgroup/memory.max").ok();
    let limit: Option<usize> = group.and_then(|text| text.trim().parse().ok());
    Some(kibibytes.saturating_mul(1024).min(limit.unwrap_or(usize::MAX)))
}
