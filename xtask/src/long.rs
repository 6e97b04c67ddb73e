//! Long-running programs: fuzzing and soak tests, with optimised builds.

use std::process::Command;

/// Time limit of an input in CPU seconds.
const LIMIT: &str = "5";

/// Time limit of an input in CPU seconds, with the address sanitizer.
const LIMIT_SANITIZED: &str = "60";

/// Flags for a counter at every branch, by an LLVM pass of any toolchain.
const COUNTERS: &str = "-C passes=sancov-module -C llvm-args=-sanitizer-coverage-level=3 \
                        -C llvm-args=-sanitizer-coverage-inline-8bit-counters";

/// `cargo xtask fuzz`: fuzzes every reader, in an optimised build with all assertions.
///
/// With `--coverage` the build counts branches, and inputs that take a new branch are mutated
/// further and kept in `target/coverage/found`. With `--sanitize` the build uses the address
/// sanitizer.
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

/// `cargo xtask soak`: many steps of eight models, whose states must repeat.
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

/// The target triple of this machine; flags for an explicit target do not apply to build scripts.
pub(crate) fn host() -> Result<String, String> {
    let told = Command::new("rustc").arg("-vV").output().map_err(|e| format!("rustc -vV: {e}"))?;
    let told = String::from_utf8_lossy(&told.stdout).into_owned();
    let host = told.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned).ok_or_else(|| "rustc -vV names no host".to_owned())
}

/// Runs a program; arguments that are no options form a command without further options.
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
