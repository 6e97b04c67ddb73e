//! Programs that run for long, built for it.

use std::process::Command;

/// Longest time of an input, seconds of the processor.
const LIMIT: &str = "5";
/// Counts of the edges that a program takes, in LLVM's words.
const COUNTERS: &str = "-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=3 \
                        -Cllvm-args=-sanitizer-coverage-inline-8bit-counters";
const ADDRESS: &str = "-Zsanitizer=address";

/// `cargo xtask fuzz`: hostile input for every reader, optimised and with all assertions.
///
/// With `--address`, every access to memory is checked; with `--coverage`, too, and what an input
/// reaches decides whether it is mutated further. Both need Linux, and flags of the compiler that
/// a stable one takes only with `RUSTC_BOOTSTRAP`, which is set.
pub fn fuzz(args: &[String]) -> Result<(), String> {
    match args.split_first() {
        Some((first, rest)) if first == "--coverage" => {
            let guide = [&["guide".to_owned()], rest].concat();
            instrumented(&format!("{ADDRESS} {COUNTERS}"), "coverage", &guide)
        }
        Some((first, rest)) if first == "--address" => instrumented(ADDRESS, "address", rest),
        // words that are no options are a command of the program
        Some((first, _)) if !first.starts_with("--") => run(FUZZ, args),
        _ => run(FUZZ, &[&["--limit".to_owned(), LIMIT.to_owned()], args].concat()),
    }
}

const FUZZ: &[&str] = &["run", "--profile", "fuzz", "--package", "sinew-fuzz", "--"];

/// Runs the program with flags of the compiler for it and all it is made of, built in a folder of
/// its own.
fn instrumented(flags: &str, folder: &str, args: &[String]) -> Result<(), String> {
    let host = "x86_64-unknown-linux-gnu";
    let folder = crate::root().join("target").join(folder);
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or("cargo".into()));
    command.args(["run", "--profile", "fuzz", "--package", "sinew-fuzz", "--target", host]);
    command.arg("--target-dir").arg(folder).arg("--").args(args).current_dir(crate::root());
    command.env("RUSTC_BOOTSTRAP", "1").env("RUSTFLAGS", flags);
    // what C programs do about memory at their end is none of this program's business
    command.env("ASAN_OPTIONS", "detect_leaks=0");
    finish(command)
}

/// `cargo xtask soak`: many steps of eight models, whose states have to come out the same again.
pub fn soak(args: &[String]) -> Result<(), String> {
    run(&["run", "--release", "--package", "sinew-bench", "--example", "soak", "--"], args)
}

fn run(cargo: &[&str], args: &[String]) -> Result<(), String> {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or("cargo".into()));
    command.args(cargo).args(args).current_dir(crate::root());
    finish(command)
}

fn finish(mut command: Command) -> Result<(), String> {
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("{status}: {command:?}")),
        Err(error) => Err(format!("{error}: {command:?}")),
    }
}
