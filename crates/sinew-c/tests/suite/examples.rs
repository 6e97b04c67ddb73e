//! The C and C++ examples, compiled against the header, linked with both libraries, and run.
//!
//! The compilers `cc` and `c++` must be installed, as for linking Rust programs.
#![cfg(unix)]

use std::path::{Path, PathBuf};
use std::process::Command;

/// The folder of the libraries, which contains this test.
fn libraries() -> PathBuf {
    std::env::current_exe().unwrap().parent().unwrap().to_path_buf()
}

fn here(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

/// Compiles and links an example, runs it and returns its output.
fn output(compiler: &str, source: &str, link: &[String]) -> String {
    let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{source}-{}", link.len()));
    let mut compile = Command::new(compiler);
    compile.args(["-Wall", "-Wextra", "-Werror", "-O1", "-I"]).arg(here("include"));
    compile.arg(here("examples").join(source)).arg("-o").arg(&program).args(link);
    let done = compile.output().unwrap_or_else(|e| panic!("{compiler} is needed: {e}"));
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let done = Command::new(&program).output().unwrap();
    let text = String::from_utf8_lossy(&done.stdout).into_owned();
    let error = String::from_utf8_lossy(&done.stderr).into_owned();
    assert!(done.status.success(), "{source}: {:?} {text} {error}", done.status);
    text
}

/// Linker arguments for the shared and for the static library.
fn links() -> [Vec<String>; 2] {
    let folder = libraries();
    let find = |end: &str| {
        let named = |path: &PathBuf| {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            name.starts_with("libsinew_c") && name.ends_with(end)
        };
        let entries = std::fs::read_dir(&folder).unwrap().flatten().map(|e| e.path());
        entries.filter(named).max_by_key(|p| p.metadata().and_then(|m| m.modified()).ok())
    };
    let shared = find(if cfg!(target_os = "macos") { ".dylib" } else { ".so" }).expect("a cdylib");
    let fixed = find(".a").expect("a staticlib");
    let shared = vec![shared.display().to_string(), format!("-Wl,-rpath,{}", folder.display())];
    let system = ["-lpthread", "-ldl", "-lm"].map(String::from);
    [shared, [vec![fixed.display().to_string()], system.to_vec()].concat()]
}

#[test]
fn the_example_in_c_runs() {
    for link in links() {
        let text = output("cc", "first.c", &link);
        assert!(text.contains("after 0.500 s the centre of 'bob' is at "), "{text}");
        assert!(text.contains("unrecognized attribute: 'siz'"), "{text}");
    }
}

#[test]
fn the_example_in_cpp_runs() {
    for link in links() {
        let text = output("c++", "second.cpp", &link);
        assert!(text.starts_with("the ball rests at 0.09"), "{text}");
    }
}
