//! Builds that are guided by a profile: the compiler is told which code runs often.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::ci::check;
use crate::long::{cargo, host};

/// `cargo xtask guided COMMAND...`: runs a build for this machine with a profile of steps of all
/// models of the project, made now. The profile knows functions by names that a build without
/// `--target` does not have.
pub fn run(args: &[String]) -> Result<(), String> {
    let (program, args) =
        args.split_first().ok_or("wanted a command that builds, and its words")?;
    let (root, host) = (crate::root(), host()?);
    if !args.iter().any(|word| word == "--target") {
        return Err(format!("the build has to say: --target {host}"));
    }
    let tool = profile_tool(&host)?;
    let folder = root.join("target/guided");
    let raw = folder.join("raw");
    let _ = fs::remove_dir_all(&raw);
    fs::create_dir_all(&raw).map_err(|e| format!("{}: {e}", raw.display()))?;

    // all models, stepped by a program that counts
    let mut train = cargo(None);
    train.args(["run", "--release", "--package", "sinew-bench", "--example", "training"]);
    train.args(["--target", &host, "--target-dir", "target/guided", "--"]);
    train.args(models_in(&root.join("models"))?).args(models_in(&root.join("models/features"))?);
    check(with_flag(train, &host, &format!("-Cprofile-generate={}", raw.display())))?;

    // what they counted, for the build
    let profile = folder.join("steps.profdata");
    let mut merge = Command::new(tool);
    merge.arg("merge").arg("-o").arg(&profile).arg(&raw);
    check(merge)?;
    let mut build = Command::new(program);
    build.args(args).current_dir(&root);
    check(with_flag(build, &host, &format!("-Cprofile-use={}", profile.display())))
}

/// The program of this toolchain that merges profiles.
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

/// A command whose builds for `host` have one more flag, beside those of the configuration.
fn with_flag(mut command: Command, host: &str, flag: &str) -> Command {
    let name = format!("CARGO_TARGET_{}_RUSTFLAGS", host.to_uppercase().replace('-', "_"));
    let given = std::env::var(&name).unwrap_or_default();
    command.env(name, format!("{given} {flag}").trim());
    command
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_build_has_to_name_its_target() {
        assert!(run(&[]).is_err());
        let build = ["cargo", "build", "--release"].map(str::to_owned);
        assert!(run(&build).is_err_and(|words| words.contains("--target")));
    }
}
