//! Compiles MJCF files to MuJoCo's binary format: `mjb [--strict] IN.xml OUT.mjb [IN.xml OUT.mjb
//! ..]`.
//!
//! For each model a line on stderr has the time, or the reason of the rejection.

use std::path::Path;
use std::time::Instant;

use sinew_mjcf::LoadOptions;

fn main() {
    let mut args: Vec<String> = std::env::args().skip(1).collect();
    let strict = args.first().is_some_and(|a| a == "--strict");
    args.drain(..usize::from(strict));
    let opts = LoadOptions { strict, ..LoadOptions::default() };
    for pair in args.chunks_exact(2) {
        let start = Instant::now();
        let result = sinew_mjcf::load_path(Path::new(&pair[0]), &opts);
        let seconds = start.elapsed().as_secs_f64();
        match result {
            Ok(loaded) => match std::fs::write(&pair[1], loaded.model.to_binary()) {
                Ok(()) => eprintln!("ok\t{seconds:.6}\t{}", pair[0]),
                Err(error) => eprintln!("error\t{error}\t{}", pair[1]),
            },
            Err(error) => {
                let text = error.to_string().replace('\n', " | ");
                eprintln!("rejected\t{text}\t{}", pair[0]);
            }
        }
    }
}
