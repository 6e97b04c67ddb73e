//! Load times of models: parsing, meshes and hulls, compiling.
//!
//! `cargo run --profile dist -p sinew-bench --example load_time -- LIST`
//!
//! `LIST` has a path on each line, relative to its own folder. Times are CPU times of all threads,
//! without the cache of assets and with it; the minimum of several loads counts.
// the program prints to stdout; the libraries do not
#![allow(clippy::print_stdout)]

use std::error::Error;
use std::fs;
use std::path::Path;

use sinew::{AssetCache, LoadOptions};
use sinew_workload::process_seconds;

const REPEAT: usize = 3;

fn main() -> Result<(), Box<dyn Error>> {
    let list = std::env::args().nth(1);
    let list = list.ok_or("wanted a file with a path of a model on each line")?;
    let folder = Path::new(&list).parent().unwrap_or(Path::new("."));
    let mut total = [0.0; 2];
    for name in fs::read_to_string(&list)?.lines().map(str::trim) {
        if name.is_empty() || name.starts_with('#') {
            continue;
        }
        match least_times(&folder.join(name)) {
            Ok(least) => {
                println!("{:10.2} ms  {:10.2} ms  {name}", 1e3 * least[0], 1e3 * least[1]);
                total = [total[0] + least[0], total[1] + least[1]];
            }
            Err(error) => println!("# {name}: {error}"),
        }
    }
    println!("# all: {:.2} s without a cache, {:.2} s with", total[0], total[1]);
    Ok(())
}

/// Least times of a load without a cache, and of a second load with one.
fn least_times(path: &Path) -> sinew::Result<[f64; 2]> {
    let mut least = [f64::INFINITY; 2];
    for _ in 0..REPEAT {
        let kept = AssetCache::new(usize::MAX);
        for (cache, time) in [(AssetCache::new(0), Some(0)), (kept.clone(), None), (kept, Some(1))]
        {
            let options = LoadOptions { cache, ..LoadOptions::default() };
            let start = process_seconds();
            sinew::load_with(path, &options)?;
            if let Some(time) = time {
                least[time] = least[time].min(process_seconds() - start);
            }
        }
    }
    Ok(least)
}
