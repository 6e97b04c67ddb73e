//! Runs the command lines of the program that the documents quote.
#![cfg(unix)]

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

/// README.md, CONTRIBUTING.md and every page of the book.
fn documents(root: &Path) -> Vec<String> {
    let summary = fs::read_to_string(root.join("docs/SUMMARY.md")).unwrap();
    let links = summary.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    let pages = links.map(|link| format!("docs/{link}"));
    ["README.md", "CONTRIBUTING.md"].into_iter().map(String::from).chain(pages).collect()
}

/// The lines of command blocks.
fn command_lines(text: &str) -> Vec<&str> {
    let blocks = text.split("\n```sh\n").skip(1).filter_map(|rest| rest.split("\n```").next());
    blocks.flat_map(str::lines).collect()
}

/// The arguments of a quoted command line of `sinew`, or of `cargo run` for it.
fn arguments(line: &str) -> Option<&str> {
    let line = line.split(" #").next()?.trim();
    let direct = line.strip_prefix("sinew ");
    let run = line.strip_prefix("cargo run --");
    let run = run.and_then(|rest| {
        ["release", "profile dist"].into_iter().find_map(|profile| rest.strip_prefix(profile))
    });
    direct.or_else(|| run?.strip_prefix(" -p sinew-cli -- "))
}

/// Whether a viewer prints the address of its page; it is then stopped.
fn is_served(command: &str, folder: &Path) -> bool {
    let mut viewer = Command::new("sh")
        .args(["-c", &format!("exec {command} --no-open")])
        .current_dir(folder)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let words = BufReader::new(viewer.stdout.take().unwrap());
    let found = words.lines().map_while(Result::ok).any(|line| line.starts_with("http://"));
    viewer.kill().unwrap();
    viewer.wait().unwrap();
    found
}

#[test]
fn quoted_commands_run() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap();
    // a folder with the models, for the output of the commands
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("documents");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    std::os::unix::fs::symlink(root.join("models"), folder.join("models")).unwrap();
    // a policy in the place where the documented training leaves it
    fs::create_dir_all(folder.join("runs/walk")).unwrap();
    let policy = root.join("crates/sinew-view/src/policy/tests/walk.onnx");
    fs::copy(policy, folder.join("runs/walk/drive.onnx")).unwrap();

    let mut count = 0;
    for document in documents(&root) {
        let text = fs::read_to_string(root.join(&document)).unwrap();
        for arguments in command_lines(&text).into_iter().filter_map(arguments) {
            // the shell expands patterns
            let command = format!("{} {arguments}", env!("CARGO_BIN_EXE_sinew"));
            count += 1;
            if arguments.starts_with("view ") {
                assert!(is_served(&command, &folder), "{document}: sinew {arguments}");
                continue;
            }
            let done = Command::new("sh").args(["-c", &command]).current_dir(&folder).output();
            let done = done.unwrap();
            let words = String::from_utf8_lossy(&done.stderr).into_owned();
            assert!(done.status.success(), "{document}: sinew {arguments}\n{words}");
        }
    }
    assert!(count >= 30, "only {count} command lines were found");
}
