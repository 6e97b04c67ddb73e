//! Where an asset comes from: its name, its bytes, and one compilation for equal sources.

use std::borrow::Cow;
use std::collections::HashMap;

use crate::files::{AssetKind, Files, base_name};
use crate::spec::{Attr, Head};

/// What an asset is made from: its scope, a flag, and its attributes.
pub(crate) type AssetKey = (usize, bool, Vec<(&'static str, String)>);

/// Attributes that matter for what an asset becomes.
pub(crate) fn without(
    mut attributes: Vec<(&'static str, String)>,
    names: &[&str],
) -> Vec<(&'static str, String)> {
    attributes.retain(|(name, _)| !names.contains(name));
    attributes
}

/// Results of `job` for each key; equal keys share one run.
pub(crate) fn once_each<T: Clone + Send>(
    keys: impl Iterator<Item = Option<AssetKey>>,
    job: &(dyn Fn(usize) -> T + Sync),
) -> Vec<T> {
    let mut seen: HashMap<AssetKey, usize> = HashMap::new();
    let (mut runs, mut run_of) = (Vec::new(), Vec::new());
    for (i, key) in keys.enumerate() {
        let next = runs.len();
        let run = key.map_or(next, |key| *seen.entry(key).or_insert(next));
        if run == next {
            runs.push(i);
        }
        run_of.push(run);
    }
    let results = in_parallel(runs.len(), &|run| job(runs[run]));
    if runs.len() == run_of.len() {
        return results;
    }
    run_of.into_iter().map(|run| results[run].clone()).collect()
}

/// Results of `job` for 0 to `n`, in order; several threads take jobs from a common counter.
fn in_parallel<T: Send>(n: usize, job: &(dyn Fn(usize) -> T + Sync)) -> Vec<T> {
    let threads = std::thread::available_parallelism().map_or(1, |t| t.get().min(16)).min(n);
    if threads < 2 {
        return (0..n).map(job).collect();
    }

    // every thread takes the next job until there is none
    let next = std::sync::atomic::AtomicUsize::new(0);
    let take = || {
        let mut done = Vec::new();
        loop {
            let i = next.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            if i >= n {
                return done;
            }
            done.push((i, job(i)));
        }
    };

    // this thread works too; a panic of another is passed on
    let mut all: Vec<(usize, T)> = std::thread::scope(|scope| {
        let workers: Vec<_> = (1..threads).map(|_| scope.spawn(take)).collect();
        let mut all = take();
        for worker in workers {
            match worker.join() {
                Ok(done) => all.extend(done),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        all
    });

    // in order of the jobs
    all.sort_by_key(|(i, _)| *i);
    all.into_iter().map(|(_, result)| result).collect()
}

/// The bytes of an asset in the scope of an element.
pub(crate) fn read_asset<'f>(
    files: &Files<'f>,
    scopes: &[crate::spec::Scope],
    head: &Head,
    kind: AssetKind,
    file: &str,
) -> Result<Cow<'f, [u8]>, String> {
    let scope = scopes.get(head.scope).ok_or_else(|| format!("Error opening file '{file}'"))?;
    files.read(scope, kind, file)
}

/// The name of an asset; that of its file where it has none of its own.
pub(crate) fn asset_name(name: &Attr<String>, file: &Attr<String>) -> String {
    let own = name.text();
    if !own.is_empty() {
        return own.to_owned();
    }
    let base = base_name(file.text());
    base.rsplit_once('.').map_or(base, |(stem, _)| stem).to_owned()
}
