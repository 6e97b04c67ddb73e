//! Programs that run for long, built for it.

use std::process::Command;

/// Longest time of an input, seconds of the processor.
const LIMIT: &str = "5";

/// `cargo xtask fuzz`: hostile input for every reader, optimised and with all assertions.
pub fn fuzz(args: &[String]) -> Result<(), String> {
    let program = ["run", "--profile", "fuzz", "--package", "sinew-fuzz", "--"];
    match args.first() {
        // words that are no options are a command of the program
        Some(first) if !first.starts_with("--") => run(&program, args),
        _ => run(&program, &[&["--limit".to_owned(), LIMIT.to_owned()], args].concat()),
    }
}

/// `cargo xtask soak`: many steps of eight models, whose states have to come out the same again.
pub fn soak(args: &[String]) -> Result<(), String> {
    run(&["run", "--release", "--package", "sinew-bench", "--example", "soak", "--"], args)
}

fn run(cargo: &[&str], args: &[String]) -> Result<(), String> {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or("cargo".into()));
    command.args(cargo).args(args).current_dir(crate::root());
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("{status}: {command:?}")),
        Err(error) => Err(format!("{error}: {command:?}")),
    }
}
