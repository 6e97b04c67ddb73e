//! The command lines of the program that the documents quote, run as they stand.
#![cfg(unix)]
#![allow(clippy::unwrap_used)]

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

const DOCUMENTS: [&str; 4] =
    ["README.md", "CONTRIBUTING.md", "docs/performance.md", "docs/coulomb.md"];

/// The arguments of a quoted command line of `sinew`, or of `cargo run` for it.
fn arguments(line: &str) -> Option<&str> {
    let line = line.split(" #").next()?.trim();
    let direct = line.strip_prefix("sinew ");
    direct.or_else(|| line.strip_prefix("cargo run --release -p sinew-cli -- "))
}

/// Whether a viewer tells where its page is; it then ends, as it would not by itself.
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
    // a folder that has the models, and takes what the commands write
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("documents");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    std::os::unix::fs::symlink(root.join("models"), folder.join("models")).unwrap();

    let mut count = 0;
    for document in DOCUMENTS {
        let text = fs::read_to_string(root.join(document)).unwrap();
        for arguments in text.lines().filter_map(arguments) {
            // the shell expands patterns, as it does for a reader
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
    assert!(count >= 5, "only {count} command lines were found");
}
