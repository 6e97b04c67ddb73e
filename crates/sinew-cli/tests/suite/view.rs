//! `sinew view` from the command line: the printed address and errors.

use std::fs;
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

/// The output of a viewer with its address replaced by `URL`, and the response at the address.
fn printed(arguments: &[&str], folder: &Path) -> (String, String) {
    let mut command = view(arguments);
    let mut program = command.current_dir(folder).stdout(Stdio::piped()).spawn().unwrap();
    let lines = BufReader::new(program.stdout.take().unwrap()).lines().map_while(Result::ok);
    let (mut text, mut url) = (String::new(), String::new());
    for line in lines {
        if line.starts_with("http://") {
            url = line.clone();
        }
        text.push_str(&line);
        text.push('\n');
        if line.starts_with("Ctrl-C") {
            break;
        }
    }
    let (host, rest) = url.strip_prefix("http://").unwrap().split_once('/').unwrap();
    assert!(host.starts_with("127.0.0.1:"), "{url}");
    let mut stream = TcpStream::connect(host).unwrap();
    write!(stream, "GET /{rest} HTTP/1.1\r\nHost: {host}\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    program.kill().unwrap();
    program.wait().unwrap();
    (text.replace(&url, "URL"), answer)
}

#[test]
fn view_prints_an_address_that_answers() {
    let models = model("");
    let arguments = ["arm.xml", "--paused", "--key", "home", "--camera", "overview"];
    let (text, answer) = printed(&arguments, &models);
    assert_eq!(text, "arm.xml\nURL\nCtrl-C ends the viewer.\n");
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
}

#[test]
fn view_opens_at_the_end_of_a_recording() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("view_at");
    fs::create_dir_all(&folder).unwrap();
    fs::copy(model("pendulum.xml"), folder.join("pendulum.xml")).unwrap();
    let other = "<mujoco><worldbody><body><joint/><geom size='1'/></body></worldbody></mujoco>";
    fs::write(folder.join("other.xml"), other).unwrap();
    let run = ["run", "pendulum.xml", "--key", "raised", "--steps", "20", "--out", "swing.npz"];
    let mut program = Command::new(env!("CARGO_BIN_EXE_sinew"));
    assert!(program.args(run).current_dir(&folder).output().unwrap().status.success());

    let (text, answer) = printed(&["pendulum.xml", "--at", "swing.npz"], &folder);
    assert_eq!(text, "pendulum.xml\nURL\nCtrl-C ends the viewer.\n");
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");

    // a recording of another model, and a missing recording
    for (arguments, words) in [
        (["other.xml", "--at", "swing.npz"], "error: swing.npz is not a recording of other.xml"),
        (["pendulum.xml", "--at", "swung.npz"], "error: cannot read swung.npz"),
    ] {
        let done = view(&arguments).current_dir(&folder).output().unwrap();
        let said = String::from_utf8_lossy(&done.stderr).into_owned();
        assert!(!done.status.success() && said.starts_with(words), "{said}");
    }
}

#[test]
fn view_reports_errors() {
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
