//! Parameters of a model from a recording.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

/// A double pendulum that starts to swing, with the damping of its elbow and the mass of its lower
/// link.
fn pendulum(damping: f64, mass: f64) -> String {
    format!(
        "<mujoco><option timestep='.005'/><worldbody>
           <body name='upper'><joint name='shoulder' axis='0 1 0' damping='.01'/>
             <geom size='.03' fromto='0 0 0 0 0 -.4' type='capsule' mass='1' contype='0'/>
             <body name='lower' pos='0 0 -.4'><joint name='elbow' axis='0 1 0' damping='{damping}'/>
               <inertial pos='0 0 -.15' mass='{mass}' diaginertia='.004 .004 .0005'/>
             </body></body></worldbody>
           <keyframe><key name='up' qpos='1.5 .8' qvel='0 2'/></keyframe></mujoco>"
    )
}

fn sinew(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_sinew")).args(args).output().unwrap()
}

/// The recording of a swing, and a model with other parameters.
fn files(test: &str) -> (PathBuf, PathBuf) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(test);
    fs::create_dir_all(&folder).unwrap();
    let [truth, model] = ["truth.xml", "model.xml"].map(|name| folder.join(name));
    fs::write(&truth, pendulum(0.02, 0.5)).unwrap();
    fs::write(&model, pendulum(0.05, 0.8)).unwrap();
    let recording = folder.join("swing.npz");
    let [file, out] = [&truth, &recording].map(|path| path.to_str().unwrap());
    let done = sinew(&["run", file, "--steps", "400", "--key", "up", "--out", out]);
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    (recording, model)
}

#[test]
fn parameters_are_found_from_a_recording() {
    let (recording, model) = files("fit");
    let [recording, model] = [&recording, &model].map(|path| path.to_str().unwrap());
    let params = ["--params", "dof_damping:elbow", "body_mass:lower"];
    let args = [&["fit", recording, model][..], &params].concat();
    let text = String::from_utf8(sinew(&args).stdout).unwrap();
    assert!(text.contains("dof_damping:elbow  ") && text.contains(" ± "), "{text}");
    assert!(text.contains("converged after"), "{text}");

    let found = sinew(&[&args[..], &["--json"]].concat());
    let found: Value = serde_json::from_slice(&found.stdout).unwrap();
    assert_eq!(found["params"][0]["name"], "dof_damping:elbow");
    let damping = found["params"][0]["value"].as_f64().unwrap();
    assert!((damping - 0.02).abs() < 1e-7, "{found}");
}

#[test]
fn names_and_recordings_that_do_not_fit_are_errors() {
    let (recording, model) = files("fit_errors");
    let [recording, model] = [&recording, &model].map(|path| path.to_str().unwrap());
    for (args, text) in [
        (&["--params", "body_mass:hand"][..], "there is no object 'hand' with body_mass"),
        (&["--params", "body_pos:1"], "no gradients by 'body_pos'"),
        (&["--params", "body_mass:lower", "--steps", "500"], "401 states are too few"),
    ] {
        let done = sinew(&[&["fit", recording, model][..], args].concat());
        let error = String::from_utf8_lossy(&done.stderr).into_owned();
        assert!(!done.status.success() && error.contains(text), "{error}");
    }
}
