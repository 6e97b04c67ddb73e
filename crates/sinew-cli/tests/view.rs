//! `sinew view` as its users start it: the address it prints, and what it refuses.
#![allow(clippy::unwrap_used)]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

fn model(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models").join(name)
}

fn view(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sinew"));
    command.arg("view").args(args).arg("--no-open");
    command
}

#[test]
fn view_prints_an_address_that_answers() {
    let path = model("arm.xml");
    let arguments = [path.to_str().unwrap(), "--paused", "--key", "home", "--camera", "overview"];
    let mut program = view(&arguments).stdout(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(program.stdout.take().unwrap()).lines();
    let url = lines.find_map(|line| line.ok().filter(|l| l.starts_with("http://"))).unwrap();
    let (host, rest) = url.strip_prefix("http://").unwrap().split_once('/').unwrap();
    assert!(host.starts_with("127.0.0.1:"), "{url}");
    let mut stream = TcpStream::connect(host).unwrap();
    write!(stream, "GET /{rest} HTTP/1.1\r\nHost: {host}\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    program.kill().unwrap();
    program.wait().unwrap();
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
}

#[test]
fn view_says_why_there_is_nothing_to_see() {
    let arm = model("arm.xml");
    let arm = arm.to_str().unwrap();
    for (arguments, words) in [
        (vec!["nowhere.xml"], "nowhere.xml"),
        (vec![arm, "--camera", "nose"], "no camera 'nose'"),
        (vec![arm, "--key", "nose"], "nose"),
        (vec![arm, "--set", "option.timestep=1"], "--set"),
    ] {
        let done = view(&arguments).output().unwrap();
        let error = String::from_utf8_lossy(&done.stderr).into_owned();
        assert!(!done.status.success() && error.contains(words), "{arguments:?}: {error}");
    }
}
