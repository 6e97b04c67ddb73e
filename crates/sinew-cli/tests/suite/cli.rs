//! The program from the command line: output, files, exit codes.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

fn model(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models").join(name)
}

fn scratch(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}

fn sinew<S: AsRef<std::ffi::OsStr>>(args: &[S]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_sinew")).args(args).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Runs the pendulum with further arguments.
fn run(args: &[&str]) -> Output {
    let path = model("pendulum.xml");
    let mut all = vec!["run", path.to_str().unwrap()];
    all.extend(args);
    sinew(&all)
}

#[test]
fn run_prints_a_summary() {
    let done = run(&["--time", "0.5"]);
    let out = text(&done.stdout);
    assert!(done.status.success(), "{}", text(&done.stderr));
    assert!(out.contains("250 steps, 0.500 s simulated"), "{out}");
    for word in ["steps/s", "x real time", "potential", "kinetic", "warnings  none"] {
        assert!(out.contains(word), "no {word} in {out}");
    }
    // no progress bar without a terminal
    assert_eq!(text(&done.stderr), "");
}

#[test]
fn run_prints_json() {
    let done = run(&["--steps", "100", "--key", "raised", "--json"]);
    let summary: Value = serde_json::from_slice(&done.stdout).unwrap();
    assert_eq!(summary["steps"], 100);
    assert!((summary["time"].as_f64().unwrap() - 0.2).abs() < 1e-9);
    assert_eq!(summary["warnings"], Value::Array(vec![]));
    assert!(summary["energy"]["kinetic"].as_f64().unwrap() > 0.0);
}

#[test]
fn keys_are_names_or_numbers() {
    let by_name = run(&["--steps", "3", "--key", "spinning", "--json"]);
    let by_number = run(&["--steps", "3", "--key", "1", "--json"]);
    let energy = |o: &Output| serde_json::from_slice::<Value>(&o.stdout).unwrap()["energy"].clone();
    assert_eq!(energy(&by_name), energy(&by_number));

    let wrong = run(&["--key", "rased"]);
    assert_eq!(wrong.status.code(), Some(1));
    assert!(text(&wrong.stderr).contains("did you mean 'raised'?"), "{}", text(&wrong.stderr));
    assert_eq!(run(&["--key", "7"]).status.code(), Some(1));
}

#[test]
fn trajectories_are_written() {
    let csv = scratch("swing.csv");
    assert!(run(&["--steps", "10", "--out", csv.to_str().unwrap()]).status.success());
    let table = fs::read_to_string(&csv).unwrap();
    assert_eq!(table.lines().count(), 12);
    assert_eq!(table.lines().next(), Some("time,qpos.swing,qvel.swing"));

    // an archive of uncompressed arrays contains the bytes of qpos
    let npz = scratch("swing.npz");
    let args = ["--steps", "10", "--key", "raised", "--out", npz.to_str().unwrap()];
    assert!(run(&args).status.success());
    let bytes = fs::read(&npz).unwrap();
    assert_eq!(&bytes[..4], b"PK\x03\x04");
    let first = std::f64::consts::FRAC_PI_2.to_le_bytes();
    assert!(bytes.windows(8).any(|w| w == first));

    let wrong = run(&["--out", "swing.txt"]);
    assert_eq!(wrong.status.code(), Some(1));
    assert!(text(&wrong.stderr).contains(".npz, .csv or .mcap"));
}

#[test]
fn all_models_run() {
    for name in [
        "pendulum",
        "double_pendulum",
        "arm",
        "humanoid",
        "quadruped",
        "gripper",
        "tendons",
        "muscles",
    ] {
        let path = model(&format!("{name}.xml"));
        let done = sinew(&["run", path.to_str().unwrap(), "--steps", "50"]);
        assert!(done.status.success(), "{name}: {}", text(&done.stderr));
    }
}

#[test]
fn check_lists_sizes() {
    let done = sinew(&[Path::new("check"), &model("pendulum.xml"), &model("humanoid.xml")]);
    let out = text(&done.stdout);
    assert!(done.status.success(), "{out}");
    assert!(out.contains("nq 30, nv 29, nu 23"), "{out}");
    assert!(out.contains("2 models, 0 failed"), "{out}");
}

#[test]
fn check_fails_with_a_place() {
    let path = scratch("broken.xml");
    let xml = "<mujoco>\n  <worldbody>\n    <geom size=\"1\" materiel=\"steel\"/>\n  </worldbody>\n</mujoco>\n";
    fs::write(&path, xml).unwrap();
    let done = sinew(&[Path::new("check"), &model("pendulum.xml"), &path]);
    assert_eq!(done.status.code(), Some(1));
    assert!(text(&done.stderr).contains("materiel"), "{}", text(&done.stderr));
    assert!(text(&done.stderr).contains("broken.xml:3"), "{}", text(&done.stderr));
    assert!(text(&done.stdout).contains("2 models, 1 failed"));

    let done = sinew(&[Path::new("check"), Path::new("--json"), &path]);
    assert_eq!(done.status.code(), Some(1));
    let report: Value = serde_json::from_slice(&done.stdout).unwrap();
    assert_eq!(report[0]["ok"], false);
    assert_eq!(report[0]["diagnostics"][0]["line"], 3);
    assert_eq!(report[0]["diagnostics"][0]["severity"], "error");
}

#[test]
fn check_tells_all_sizes_as_json() {
    let done = sinew(&[Path::new("check"), Path::new("--json"), &model("arm.xml")]);
    let report: Value = serde_json::from_slice(&done.stdout).unwrap();
    assert_eq!(report[0]["sizes"]["nv"], 7);
    assert_eq!(report[0]["sizes"]["nkey"], 2);
    // an unset limit is MuJoCo's -1
    assert_eq!(report[0]["sizes"]["nconmax"], -1);
}

#[test]
fn missing_files_are_errors() {
    for command in ["run", "check", "bench", "info"] {
        let done = sinew(&[command, "no-such-model.xml"]);
        let words = text(&done.stderr);
        assert_eq!(done.status.code(), Some(1));
        assert!(words.contains("no-such-model.xml': no such file"), "{words}");
        assert_eq!(words.matches("no such file").count(), 1, "said twice: {words}");
        let done = sinew(&[command, env!("CARGO_MANIFEST_DIR")]);
        assert_eq!(done.status.code(), Some(1));
        assert!(text(&done.stderr).contains("is a directory"), "{}", text(&done.stderr));
    }
}

#[test]
fn bench_shows_speed_and_stages() {
    let path = model("pendulum.xml");
    let args = ["bench", path.to_str().unwrap(), "--steps", "20", "--warmup", "2", "--repeat", "1"];
    let done = sinew(&args);
    let out = text(&done.stdout);
    assert!(done.status.success(), "{}", text(&done.stderr));
    for word in ["steps/s", "us/step", "kinematics", "solver", "integration"] {
        assert!(out.contains(word), "no {word} in {out}");
    }

    let done = sinew(&[&args[..], &["--json"]].concat());
    let figures: Value = serde_json::from_slice(&done.stdout).unwrap();
    assert!(figures[0]["steps_per_second"].as_f64().unwrap() > 0.0);
    assert!(figures[0]["step_us"].as_f64().unwrap() > 0.0);

    // the stages exclude the total, and add up to it
    let us = |name: &str| {
        let line = out.lines().find(|line| line.trim_start().starts_with(name)).unwrap();
        line.split_whitespace().rev().nth(1).unwrap().parse::<f64>().unwrap()
    };
    let parts = out.lines().skip_while(|line| !line.contains("kinematics"));
    let names: Vec<&str> = parts.map(|line| line[2..20].trim()).collect();
    let sum: f64 = names[..names.len() - 1].iter().map(|name| us(name)).sum();
    assert_eq!(names.last(), Some(&"total"));
    assert!((sum - us("total")).abs() < 0.1, "{out}");
    assert!(!names.contains(&"forward") && !names.contains(&"step"), "{out}");

    let done = sinew(&["bench", path.to_str().unwrap(), "--key", "77"]);
    assert!(!done.status.success());
    assert!(text(&done.stderr).contains("keyframes"), "{}", text(&done.stderr));
}
