//! Load times of models: parsing, meshes and hulls, compiling.
//!
//! `cargo run --profile dist -p sinew-bench --example load_time -- LIST`
//!
//! `LIST` has a path on each line, relative to its own folder. Times are CPU times of all threads;
//! the minimum of several loads counts.
// the program prints to stdout; the libraries do not
#![allow(clippy::print_stdout)]

use std::error::Error;
use std::fs;
use std::path::Path;

use sinew_workload::process_seconds;

const REPEAT: usize = 3;

fn main() -> Result<(), Box<dyn Error>> {
    let list = std::env::args().nth(1);
    let list = list.ok_or("wanted a file with a path of a model on each line")?;
    let folder = Path::new(&list).parent().unwrap_or(Path::new("."));
    let mut total = 0.0;
    for name in fs::read_to_string(&list)?.lines().map(str::trim) {
        if name.is_empty() || name.starts_with('#') {
            continue;
        }
        let path = folder.join(name);
        let mut least = f64::INFINITY;
        for _ in 0..REPEAT {
            let start = process_seconds();
            let loaded = sinew::load(&path);
            if let Err(error) = loaded {
                println!("# {name}: {error}");
                break;
            }
            least = least.min(process_seconds() - start);
        }
        if least.is_finite() {
            println!("{:10.2} ms  {name}", 1e3 * least);
            total += least;
        }
    }
    println!("# all: {total:.2} s");
    Ok(())
}
