//! Programs that run for long, built for it.

use std::process::Command;

/// Longest time of an input, seconds of the processor.
const LIMIT: &str = "5";

/// Longest time of an input in a program that checks every access to memory.
const LIMIT_SANITIZED: &str = "60";

/// A counter at every branch, by a pass of LLVM's that any toolchain has.
const COUNTERS: &str = "-C passes=sancov-module -C llvm-args=-sanitizer-coverage-level=3 \
                        -C llvm-args=-sanitizer-coverage-inline-8bit-counters";

/// `cargo xtask fuzz`: hostile input for every reader, optimised and with all assertions.
///
/// After `--coverage` the program counts branches, and inputs that take a new one are mutated
/// further; they are kept in `target/coverage/found`. After `--sanitize` it is checked by the
/// address sanitizer.
pub fn fuzz(args: &[String]) -> Result<(), String> {
    let program = ["--profile", "fuzz", "--package", "sinew-fuzz"];
    match args.first().map(String::as_str) {
        Some("--coverage") => {
            let mut command = cargo(None);
            command.env("RUSTFLAGS", COUNTERS);
            command.args(["run", "--target", &host()?]).args(program);
            command.args(["--target-dir", "target/coverage", "--"]);
            let guided = ["--limit", LIMIT, "--guided", "target/coverage/found"];
            run(command, &guided, &args[1..])
        }
        Some("--sanitize") => {
            if !cargo(Some("+nightly")).arg("-V").output().is_ok_and(|out| out.status.success()) {
                let words = "the address sanitizer needs a nightly toolchain";
                return Err(format!("{words}: rustup toolchain install nightly"));
            }
            let mut command = cargo(Some("+nightly"));
            command.env("RUSTFLAGS", "-Zsanitizer=address");
            command.env("ASAN_OPTIONS", "detect_leaks=0");
            command.args(["run", "--target", &host()?]).args(program);
            command.args(["--target-dir", "target/sanitize", "--"]);
            run(command, &["--limit", LIMIT_SANITIZED], &args[1..])
        }
        _ => {
            let mut command = cargo(None);
            command.arg("run").args(program).arg("--");
            run(command, &["--limit", LIMIT], args)
        }
    }
}

/// `cargo xtask soak`: many steps of eight models, whose states have to come out the same again.
pub fn soak(args: &[String]) -> Result<(), String> {
    let mut command = cargo(None);
    command.args(["run", "--release", "--package", "sinew-bench", "--example", "soak", "--"]);
    run(command, &[], args)
}

/// Cargo in the workspace, of this toolchain or another.
pub(crate) fn cargo(toolchain: Option<&str>) -> Command {
    let this = std::env::var_os("CARGO").filter(|_| toolchain.is_none());
    let mut command = Command::new(this.unwrap_or("cargo".into()));
    command.args(toolchain).current_dir(crate::root());
    command
}

/// What this machine is called: flags for it leave the programs alone that only build others.
pub(crate) fn host() -> Result<String, String> {
    let told = Command::new("rustc").arg("-vV").output().map_err(|e| format!("rustc -vV: {e}"))?;
    let told = String::from_utf8_lossy(&told.stdout).into_owned();
    let host = told.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned).ok_or_else(|| "rustc -vV names no host".to_owned())
}

/// Runs a program; words that are no options are a command of its own, which takes no others.
fn run(mut command: Command, options: &[&str], args: &[String]) -> Result<(), String> {
    if args.first().is_none_or(|first| first.starts_with("--")) {
        command.args(options);
    }
    command.args(args);
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("{status}: {command:?}")),
        Err(error) => Err(format!("{error}: {command:?}")),
    }
}
