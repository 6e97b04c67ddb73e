//! Profile-guided optimisation of the Python wheel.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::ci::{check, only_wheel};
use crate::long::host;

/// `cargo xtask guided OPTION...` builds the wheel for this machine with profile-guided
/// optimisation. The profile is recorded now, from steps of all models of the repository; the
/// options are the same as `maturin build`'s.
///
/// The names of functions in a profile depend on the linkage and the target. Therefore the profile
/// comes from an instrumented wheel built in the same way.
pub fn run(options: &[String]) -> Result<(), String> {
    let (root, host) = (crate::root(), host()?);
    let tool = profile_tool(&host)?;
    let folder = root.join("target/guided");
    let (raw, counting) = (folder.join("raw"), folder.join("counting"));
    for folder in [&raw, &counting] {
        let _ = fs::remove_dir_all(folder);
        fs::create_dir_all(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    }

    // an instrumented wheel
    let mut build = maturin(&root, &host, &format!("-Cprofile-generate={}", raw.display()));
    build.arg("--out").arg(&counting);
    check(build)?;

    // all models, stepped in a separate environment
    let environment = folder.join("venv");
    let programs = environment.join(if cfg!(windows) { "Scripts" } else { "bin" });
    let python = if cfg!(windows) { "python" } else { "python3" };
    check(command(python, [OsStr::new("-m"), "venv".as_ref(), environment.as_ref()]))?;
    let python = programs.join("python");
    let wheel = only_wheel(&counting)?;
    let mut install = command(&python, ["-m", "pip", "install", "-q", "--force-reinstall"]);
    install.arg(wheel);
    check(install)?;
    let mut train = command(&python, [root.join("crates/sinew-py/benches/training.py")]);
    train.args(models_in(&root.join("models"))?).args(models_in(&root.join("models/features"))?);
    check(train)?;

    // the merged profile, for the optimised wheel
    let profile = folder.join("steps.profdata");
    check(command(tool, ["merge".as_ref(), "-o".as_ref(), profile.as_os_str(), raw.as_os_str()]))?;
    let mut build = maturin(&root, &host, &format!("-Cprofile-use={}", profile.display()));
    build.args(options);
    check(build)
}

/// The command that builds the wheel, with one compiler flag beside the flags of the configuration.
fn maturin(root: &Path, host: &str, flag: &str) -> Command {
    let mut build = command("maturin", ["build", "--profile", "dist", "--target", host]);
    build.args(["--manifest-path", "crates/sinew-py/Cargo.toml"]).current_dir(root);
    build.env("CARGO_TARGET_DIR", root.join("target/guided"));
    let name = format!("CARGO_TARGET_{}_RUSTFLAGS", host.to_uppercase().replace('-', "_"));
    let given = std::env::var(&name).unwrap_or_default();
    build.env(name, format!("{given} {flag}").trim());
    build
}

/// A program with arguments.
fn command<A: AsRef<OsStr>>(
    program: impl AsRef<OsStr>,
    args: impl IntoIterator<Item = A>,
) -> Command {
    let mut command = Command::new(program);
    command.args(args);
    command
}

/// The toolchain's program that merges profiles.
fn profile_tool(host: &str) -> Result<PathBuf, String> {
    let told = Command::new("rustc").args(["--print", "sysroot"]).output();
    let told = told.map_err(|e| format!("rustc --print sysroot: {e}"))?;
    let sysroot = String::from_utf8_lossy(&told.stdout).trim().to_owned();
    let name = format!("llvm-profdata{}", std::env::consts::EXE_SUFFIX);
    let tool = Path::new(&sysroot).join("lib/rustlib").join(host).join("bin").join(name);
    if tool.exists() {
        return Ok(tool);
    }
    Err("a profile needs a tool of the toolchain: rustup component add llvm-tools".to_owned())
}

/// The models in a folder.
fn models_in(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let entries = fs::read_dir(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let paths = entries.flatten().map(|entry| entry.path());
    let mut models: Vec<_> =
        paths.filter(|path| path.extension().is_some_and(|e| e == "xml")).collect();
    models.sort();
    Ok(models)
}
