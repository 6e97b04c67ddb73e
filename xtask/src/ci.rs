//! `cargo xtask ci`: sets up a Python environment, then builds, checks and tests everything.
//!
//! All steps share one target folder and the dev profile, so each crate is compiled once to code
//! and once to metadata. Nothing is kept for incremental builds, which would double the target
//! folder. Arguments are names of steps; only these steps run.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

/// A step: its name, its purpose, and its function.
struct Step {
    name: &'static str,
    about: &'static str,
    run: fn(&Workspace) -> Result<(), String>,
}

const STEPS: &[Step] = &[
    Step { name: "venv", about: "Python environment with the reference", run: venv },
    Step { name: "fmt", about: "formatting", run: fmt },
    Step { name: "clippy", about: "lints, warnings denied", run: clippy },
    Step { name: "test", about: "unit, property, fuzz and command-line tests", run: test },
    Step { name: "fuzz", about: "hostile input for every reader", run: fuzz },
    Step { name: "doctest", about: "examples in the documentation", run: doctest },
    Step { name: "doc", about: "documentation, warnings denied", run: doc },
    Step { name: "book", about: "the book of docs/", run: book },
    Step { name: "wheel", about: "Python wheel, built and installed", run: wheel },
    Step { name: "pytest", about: "tests of the Python package", run: pytest },
    Step { name: "conformance", about: "every stage against live MuJoCo", run: conformance },
    Step { name: "smoke", about: "the command line on the models", run: smoke },
    Step { name: "viewer", about: "clicks and drags in the viewer's page", run: viewer },
];

/// The version of mdBook that builds the book.
const MDBOOK: &str = "0.5.4";

/// Whether a step with this name exists.
pub(crate) fn is_step(name: &str) -> bool {
    STEPS.iter().any(|step| step.name == name)
}

/// Runs all steps, or the steps named in `args`, up to the first failure.
pub fn run(args: &[String]) -> Result<(), String> {
    if args.iter().any(|a| a == "--list") {
        for step in STEPS {
            eprintln!("{:12} {}", step.name, step.about);
        }
        return Ok(());
    }
    if let Some(unknown) = args.iter().find(|a| !is_step(a)) {
        return Err(format!("no step named {unknown}; see cargo xtask ci --list"));
    }

    // each step in turn, up to the first that fails
    let workspace = Workspace { root: crate::root() };
    let begin = Instant::now();
    let mut table = Vec::new();
    for step in STEPS.iter().filter(|s| args.is_empty() || args.iter().any(|a| a == s.name)) {
        eprintln!("\n==== {}: {}", step.name, step.about);
        let start = Instant::now();
        let result = (step.run)(&workspace);
        let verdict = if result.is_ok() { "ok" } else { "FAILED" };
        table.push(format!("{:12} {:7.1} s  {verdict}", step.name, start.elapsed().as_secs_f64()));
        if let Err(message) = result {
            eprintln!("\n{}", table.join("\n"));
            return Err(format!("{}: {message}", step.name));
        }
    }
    eprintln!("\n{}\n{:12} {:7.1} s", table.join("\n"), "total", begin.elapsed().as_secs_f64());
    Ok(())
}

/// The workspace, and ways to run programs in it.
struct Workspace {
    root: PathBuf,
}

impl Workspace {
    fn cargo(&self, args: &[&str]) -> Command {
        let mut command = Command::new(std::env::var_os("CARGO").unwrap_or("cargo".into()));
        command.args(args).current_dir(&self.root).env("CARGO_INCREMENTAL", "0");
        command
    }

    /// A program of the virtual environment.
    fn venv(&self, program: &str, args: &[&str]) -> Command {
        let folder = if cfg!(windows) { "Scripts" } else { "bin" };
        let mut command = Command::new(self.root.join(".venv").join(folder).join(program));
        command.args(args).current_dir(&self.root);
        command.env("PIP_DISABLE_PIP_VERSION_CHECK", "1").env("CARGO_INCREMENTAL", "0");
        command
    }

    /// Runs the tests of a folder, one process per core.
    fn pytest(&self, folder: &str, options: &[&str]) -> Result<(), String> {
        let cores = ["-n", "auto", "--maxprocesses", "8", "--dist", "worksteal"];
        let mut args = vec!["-m", "pytest", "-q", folder];
        args.extend(cores);
        args.extend(options);
        check(self.venv("python", &args))
    }

    /// Builds all programs of the dev profile, with the features of dependencies that the tests
    /// have. For one package cargo chooses fewer, and compiles most crates again.
    fn build(&self) -> Result<(), String> {
        check(self.cargo(&["build", "--workspace", "--all-targets"]))
    }

    /// A program of the dev profile.
    fn program(&self, name: &str, args: &[&str]) -> Command {
        let target = std::env::var_os("CARGO_TARGET_DIR")
            .map_or_else(|| self.root.join("target"), |dir| self.root.join(dir));
        let name = format!("{name}{}", std::env::consts::EXE_SUFFIX);
        let mut command = Command::new(target.join("debug").join(name));
        command.args(args).current_dir(&self.root);
        command
    }
}

/// Runs a command and turns a failure into a message.
pub(crate) fn check(mut command: Command) -> Result<(), String> {
    let shown = format!("{command:?}");
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("{status}: {shown}")),
        Err(error) => Err(format!("{error}: {shown}")),
    }
}

fn venv(w: &Workspace) -> Result<(), String> {
    let wanted = fs::read_to_string(w.root.join("tests/requirements.txt"))
        .map_err(|e| format!("tests/requirements.txt: {e}"))?;
    let stamp = w.root.join(".venv/requirements-installed.txt");
    if fs::read_to_string(&stamp).is_ok_and(|installed| installed == wanted) {
        eprintln!("up to date");
        return Ok(());
    }
    let python = if cfg!(windows) { "python" } else { "python3" };
    let mut create = Command::new(python);
    create.args(["-m", "venv", ".venv"]).current_dir(&w.root);
    check(create)?;
    check(w.venv("python", &["-m", "pip", "install", "-q", "-r", "tests/requirements.txt"]))?;
    fs::write(&stamp, wanted).map_err(|e| format!("{}: {e}", stamp.display()))
}

fn fmt(w: &Workspace) -> Result<(), String> {
    check(w.cargo(&["fmt", "--all", "--check"]))
}

fn clippy(w: &Workspace) -> Result<(), String> {
    check(w.cargo(&["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"]))
}

fn test(w: &Workspace) -> Result<(), String> {
    if has_nextest(w) {
        check(w.cargo(&["nextest", "run", "--workspace", "--no-fail-fast"]))
    } else {
        check(w.cargo(&["test", "--workspace", "--all-targets", "--no-fail-fast"]))
    }
}

/// Fuzzes all targets in child processes for half a minute.
fn fuzz(w: &Workspace) -> Result<(), String> {
    w.build()?;
    check(w.program("sinew-fuzz", &["--seconds", "30"]))
}

fn has_nextest(w: &Workspace) -> bool {
    w.cargo(&["nextest", "--version"]).output().is_ok_and(|o| o.status.success())
}

fn doctest(w: &Workspace) -> Result<(), String> {
    check(w.cargo(&["test", "--workspace", "--doc"]))
}

fn doc(w: &Workspace) -> Result<(), String> {
    let mut command = w.cargo(&["doc", "--workspace", "--no-deps"]);
    command.env("RUSTDOCFLAGS", "-D warnings");
    check(command)
}

/// Builds the book with mdBook, which is installed into the target folder if missing.
fn book(w: &Workspace) -> Result<(), String> {
    let tools = w.root.join("target/tools");
    let program = tools.join(format!("bin/mdbook{}", std::env::consts::EXE_SUFFIX));
    if !program.exists() {
        let mut install = w.cargo(&["install", "-q", "mdbook", "--version", MDBOOK, "--locked"]);
        install.args(["--no-default-features", "--debug", "--root"]).arg(&tools);
        check(install)?;
    }
    let mut build = Command::new(program);
    build.args(["build", "docs"]).current_dir(&w.root);
    check(build)
}

fn wheel(w: &Workspace) -> Result<(), String> {
    let out = w.root.join("target/wheels");
    let _ = fs::remove_dir_all(&out);
    let options = "build --manifest-path crates/sinew-py/Cargo.toml --out target/wheels \
                   --profile dev --features unified";
    check(w.venv("maturin", &options.split_whitespace().collect::<Vec<_>>()))?;
    let wheel = only_wheel(&out)?;
    let wheel = wheel.to_string_lossy();
    check(
        w.venv("python", &["-m", "pip", "install", "-q", "--force-reinstall", "--no-deps", &wheel]),
    )
}

pub(crate) fn only_wheel(folder: &Path) -> Result<PathBuf, String> {
    let entries = fs::read_dir(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    entries
        .flatten()
        .map(|e| e.path())
        .find(|p| p.extension().is_some_and(|e| e == "whl"))
        .ok_or_else(|| format!("{}: no wheel", folder.display()))
}

fn pytest(w: &Workspace) -> Result<(), String> {
    w.pytest("crates/sinew-py/tests", &[])
}

fn conformance(w: &Workspace) -> Result<(), String> {
    w.pytest("tests/conformance", &["-rA"])
}

/// Tests the page with real clicks, in headless Chromium from Debian's package.
fn viewer(w: &Workspace) -> Result<(), String> {
    let found = |program: &str| Command::new(program).arg("--version").output().is_ok();
    let browsers = ["chromium", "chromium-browser", "google-chrome"];
    if std::env::var_os("CHROMIUM").is_none() && !browsers.into_iter().any(found) {
        let mut update = Command::new("apt-get");
        update.args(["update", "-q"]);
        let _ = check(update);
        let mut install = Command::new("apt-get");
        install.args(["install", "-y", "-q", "--no-install-recommends", "chromium"]);
        check(install).map_err(|e| {
            format!("Chromium is needed: install it (Debian: apt-get install chromium), or set CHROMIUM; {e}")
        })?;
    }

    // with Node, the committed page is built again and compared. The program comes first: the new
    // page has a new time, after which cargo would compile the program again
    w.build()?;
    let web = w.root.join("crates/sinew-view/web");
    if found("npm") {
        for arguments in [&["install", "--no-save", "--no-audit"][..], &["run", "build"]] {
            let mut npm = Command::new("npm");
            npm.args(arguments).current_dir(&web);
            check(npm)?;
        }
        let mut diff = Command::new("git");
        diff.args(["diff", "--exit-code", "--stat", "--", "dist"]).current_dir(&web);
        check(diff)?;
    }
    w.pytest("tests/viewer", &[])
}

/// Runs `check` on all models and a short `run` of the main ones, as a user types them.
fn smoke(w: &Workspace) -> Result<(), String> {
    w.build()?;
    let models = models(&w.root.join("models"))?;
    let mut args = vec!["check".to_string()];
    args.extend(models.iter().map(|p| p.to_string_lossy().into_owned()));
    check(w.program("sinew", &args.iter().map(String::as_str).collect::<Vec<_>>()))?;
    for model in &models {
        check(w.program("sinew", &["run", &model.to_string_lossy(), "--time", "0.5"]))?;
    }
    Ok(())
}

/// The models at the top of the folder; models of single features are left to the tests.
pub(crate) fn models(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let entries = fs::read_dir(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let mut found: Vec<PathBuf> = entries
        .flatten()
        .map(|e| e.path())
        .filter(|p| p.extension().is_some_and(|e| e == "xml"))
        .collect();
    found.sort();
    Ok(found)
}
