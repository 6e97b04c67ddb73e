//! `cargo xtask race REVISION`: the speed of this checkout beside an earlier revision.
//!
//! Both are built with the profile `dist` as libraries of `sinew-bench`, which one program races.
//! The library of a revision stays in `target/race`, so that a second race builds only this
//! checkout.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::ci::{check, models};
use crate::long::cargo;

/// Races this checkout with a revision, and fails if a model or the mean is slower.
pub fn run(args: &[String]) -> Result<(), String> {
    let [revision] = args else {
        return Err("usage: cargo xtask race REVISION".to_owned());
    };
    let root = crate::root();
    let folder = root.join("target/race");
    fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;

    // the earlier build, once
    let mut name = Command::new("git");
    name.args(["rev-parse", "--verify", "--short=12", &format!("{revision}^{{commit}}")]);
    let name = name.current_dir(&root).output().map_err(|e| format!("git: {e}"))?;
    if !name.status.success() {
        return Err(format!("{revision}: {}", String::from_utf8_lossy(&name.stderr).trim()));
    }
    let name = String::from_utf8_lossy(&name.stdout).trim().to_owned();
    let before = folder.join(format!("{name}.library"));
    if !before.exists() {
        let tree = folder.join("checkout");
        let tree_name = tree.to_string_lossy();
        let git = |args: &[&str]| {
            let mut git = Command::new("git");
            git.args(args).current_dir(&root);
            check(git)
        };
        git(&["worktree", "add", "--detach", "--force", &tree_name, &name])?;
        let built = build(&tree, &folder.join("build")).and_then(|path| copy(&path, &before));
        git(&["worktree", "remove", "--force", &tree_name])?;
        built?;
    }
    let twin = folder.join("twin.library");
    copy(&before, &twin)?;

    // this one
    let now = folder.join("now.library");
    copy(&build(&root, &root.join("target"))?, &now)?;

    // the race
    let mut race = cargo(None);
    race.args(["run", "--release", "--package", "sinew-bench", "--example", "race", "--"]);
    race.args([&before, &twin, &now]);
    for models_of in ["models", "models/features"] {
        race.args(models(&root.join(models_of))?);
    }
    check(race)
}

/// Builds the library of a checkout.
fn build(root: &Path, target: &Path) -> Result<PathBuf, String> {
    let mut build = cargo(None);
    build.current_dir(root).args([
        "build",
        "--profile",
        "dist",
        "--package",
        "sinew-bench",
        "--lib",
    ]);
    build.arg("--target-dir").arg(target);
    check(build)?;
    let (prefix, suffix) = (std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
    Ok(target.join("dist").join(format!("{prefix}sinew_bench{suffix}")))
}

fn copy(from: &Path, to: &Path) -> Result<(), String> {
    fs::copy(from, to).map(drop).map_err(|e| format!("{}: {e}", from.display()))
}
