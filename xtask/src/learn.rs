//! Tests of learning, against the real libraries.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use crate::ci::{check, only_wheel};

/// `cargo xtask learn [--python PROGRAM] [ARGUMENT OF PYTEST]...` trains for a minute and tests the
/// libraries for learning, gradients for PyTorch, and environments in tensors.
///
/// The tests run in an environment of their own in `target/learn`, because PyTorch takes gigabytes.
/// With `--python` they run in an environment that has the packages and `sinew`.
pub fn run(args: &[String]) -> Result<(), String> {
    let (python, rest) = match args {
        [flag, program, rest @ ..] if flag == "--python" => (PathBuf::from(program), rest),
        [flag, ..] if flag == "--python" => return Err("--python PROGRAM".to_string()),
        rest => (environment()?, rest),
    };
    let mut test = Command::new(python);
    let paths = [
        "tests/learning",
        "crates/sinew-py/tests/test_torch.py",
        "crates/sinew-py/tests/test_tensors.py",
    ];
    test.args(["-m", "pytest", "-q"]).args(paths).args(rest).current_dir(crate::root());
    check(test)
}

/// An environment with PyTorch, the libraries and the wheel of `cargo xtask ci wheel`.
fn environment() -> Result<PathBuf, String> {
    let root = crate::root();
    let folder = root.join("target/learn");
    let wheel = only_wheel(&root.join("target/wheels"))
        .map_err(|e| format!("{e}; cargo xtask ci venv wheel builds one"))?;
    let programs = folder.join(if cfg!(windows) { "Scripts" } else { "bin" });
    let python = programs.join("python");

    // packages, again when their list changes
    let list = root.join("tests/learning/requirements.txt");
    let wanted = fs::read_to_string(&list).map_err(|e| format!("{}: {e}", list.display()))?;
    let stamp = folder.join("requirements.txt");
    if fs::read_to_string(&stamp).ok().as_deref() != Some(&wanted) {
        let mut create = Command::new(if cfg!(windows) { "python" } else { "python3" });
        create.args(["-m", "venv"]).arg(&folder);
        check(create)?;
        let mut install = Command::new(&python);
        install.args(["-m", "pip", "install", "-q", "-r"]).arg(&list);
        check(install)?;
        fs::write(&stamp, wanted).map_err(|e| format!("{}: {e}", stamp.display()))?;
    }
    let mut install = Command::new(&python);
    install.args(["-m", "pip", "install", "-q", "--force-reinstall", "--no-deps"]).arg(wheel);
    check(install)?;
    Ok(python)
}
