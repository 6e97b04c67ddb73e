//! Each command as a user types it, with its expected output.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;

/// A ball on a spring over a floor, with a sensor and an actuator.
const BALL: &str = "<mujoco><option cone='elliptic'/><worldbody>
  <geom name='floor' type='plane' size='1 1 1'/>
  <body name='ball' pos='0 0 .1'><joint name='up' type='slide' axis='0 0 1'/>
    <geom name='ball' size='.1' mass='2'/><site name='top' pos='0 0 .1'/></body>
  <body name='free' pos='1 0 2'><freejoint name='fly'/><geom size='.1' mass='1'/></body>
 </worldbody>
 <actuator><motor name='push' joint='up'/></actuator>
 <sensor><touch name='feel' site='top'/><framepos name='at' objtype='site' objname='top'/></sensor>
</mujoco>";

/// A file in a folder of its test.
fn scratch(test: &str, name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(test);
    fs::create_dir_all(&folder).unwrap();
    folder.join(name)
}

fn ball(test: &str) -> PathBuf {
    let path = scratch(test, "ball.xml");
    fs::write(&path, BALL).unwrap();
    path
}

fn sinew(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_sinew")).args(args).output().unwrap()
}

/// The output of a command that succeeds.
#[track_caller]
fn good(args: &[&str]) -> String {
    let done = sinew(args);
    assert!(done.status.success(), "{args:?}: {}", String::from_utf8_lossy(&done.stderr));
    String::from_utf8(done.stdout).unwrap()
}

#[track_caller]
fn good_json(args: &[&str]) -> Value {
    serde_json::from_str(&good(&[args, &["--json"]].concat())).unwrap()
}

fn word(path: &Path) -> &str {
    path.to_str().unwrap()
}

#[test]
fn a_closed_pipe_is_no_error() {
    let model = ball("closed_pipe");
    let mut args = vec!["check"];
    args.extend([word(&model); 200]);
    let command = &mut Command::new(env!("CARGO_BIN_EXE_sinew"));
    let mut child =
        command.args(&args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let mut words = String::new();
    child.stderr.take().unwrap().read_to_string(&mut words).unwrap();
    assert!(child.wait().unwrap().success());
    assert_eq!(words, "");
}

#[test]
fn errors_are_json_where_json_is_wanted() {
    let broken = scratch("json_errors", "broken.xml");
    fs::write(&broken, "<mujoco><worldbody><geom sise='1'/></worldbody></mujoco>").unwrap();
    for command in ["run", "bench", "info"] {
        let done = sinew(&[command, word(&broken), "--json"]);
        assert_eq!(done.status.code(), Some(1));
        let report: Value = serde_json::from_slice(&done.stdout).unwrap();
        assert_eq!(report["ok"], false, "{command}");
        assert_eq!(report["diagnostics"][0]["line"], 1, "{command}: {report}");
    }
}

#[test]
fn info_shows_the_tree_and_what_is_attached() {
    let golden = "\
3 bodies, 7 dofs, 3 geoms, 3 kg, timestep 0.002 s

bodies
  world  1 geom
    ball  2.0000 kg  slide up  1 geom
    free  1.0000 kg  free fly  1 geom

actuators
  push                 joint            joint up

sensors
  feel                 touch            site top
  at                   framepos         site top
";
    let model = ball("info");
    assert_eq!(good(&["info", word(&model)]), golden);
    let info = good_json(&["info", word(&model)]);
    assert_eq!(info["bodies"][1]["joints"][0]["name"], "up");
    assert_eq!(info["actuators"][0]["target"], "joint up");
}

#[test]
fn settings_change_the_options_of_any_command() {
    let model = ball("settings");
    let set = ["--set", "option.timestep=0.01", "--set", "option.gravity=0 0 0"];
    let run = good_json(&[&["run", word(&model), "--steps", "10"], &set[..]].concat());
    assert!((run["time"].as_f64().unwrap() - 0.1).abs() < 1e-12);
    assert!(
        (good_json(&[&["info", word(&model)], &set[..]].concat())["timestep"].as_f64().unwrap()
            - 0.01)
            .abs()
            < 1e-15
    );
    let wrong = sinew(&["run", word(&model), "--set", "option.timestp=1"]);
    assert!(String::from_utf8_lossy(&wrong.stderr).contains("option.timestep"));
}

#[test]
fn binary_models_are_written_and_read() {
    let model = ball("binary");
    let (binary, copy) = (scratch("binary", "ball.mjb"), scratch("binary", "copy.xml"));
    good(&["convert", word(&model), word(&binary)]);
    assert!(good(&["check", word(&binary)]).starts_with("ok"));
    assert_eq!(good(&["diff", word(&model), word(&binary)]), "same: no field differs\n");

    // XML round-trips the model; a binary model cannot become XML
    good(&["convert", word(&model), word(&copy)]);
    assert_eq!(good(&["diff", word(&model), word(&copy)]), "same: no field differs\n");
    let back = sinew(&["convert", word(&binary), word(&copy)]);
    assert!(String::from_utf8_lossy(&back.stderr).contains("cannot become XML"));
    fs::write(&binary, b"not a model").unwrap();
    let broken = sinew(&["check", word(&binary)]);
    assert!(String::from_utf8_lossy(&broken.stderr).contains("bad-binary"));
}

#[test]
fn models_are_compared_field_by_field() {
    let (first, second) = (ball("diff_models"), scratch("diff_models", "other.xml"));
    fs::write(&second, BALL.replace("mass='2'", "mass='3'")).unwrap();
    let done = sinew(&["diff", word(&first), word(&second)]);
    assert_eq!(done.status.code(), Some(1));
    let out = String::from_utf8(done.stdout).unwrap();
    let line = out.lines().find(|line| line.starts_with("body_mass")).unwrap();
    assert!(line.ends_with("1 numbers, by 1.000e0 at most; [1, 0] is 2 and 3"), "{line}");
    assert!(!out.contains("geom_size"), "{out}");
}

#[test]
fn columns_have_the_names_of_joints_actuators_and_sensors() {
    let (model, table) = (ball("columns"), scratch("columns", "ball.csv"));
    good(&["run", word(&model), "--steps", "2", "--out", word(&table)]);
    let text = fs::read_to_string(table).unwrap();
    assert_eq!(
        text.lines().next().unwrap(),
        "time,qpos.up,qpos.fly.x,qpos.fly.y,qpos.fly.z,qpos.fly.qw,qpos.fly.qx,qpos.fly.qy,\
         qpos.fly.qz,qvel.up,qvel.fly.vx,qvel.fly.vy,qvel.fly.vz,qvel.fly.wx,qvel.fly.wy,\
         qvel.fly.wz,ctrl.push,sensordata.feel,sensordata.at.0,sensordata.at.1,sensordata.at.2"
    );
}

#[test]
fn recordings_of_all_formats_hold_the_same_numbers_and_replay() {
    let model = ball("recordings");
    let files = ["npz", "csv", "mcap"].map(|end| scratch("recordings", &format!("ball.{end}")));
    for file in &files {
        good(&["run", word(&model), "--steps", "50", "--out", word(file)]);
    }
    let [npz, csv, mcap] = files.each_ref().map(|file| word(file));
    assert_eq!(good(&["diff", npz, csv]), "same: 51 states\n");
    assert_eq!(good(&["diff", npz, mcap]), "same: 51 states\n");
    for file in [npz, mcap] {
        let out = good(&["replay", file]);
        assert!(out.starts_with("same ") && out.ends_with("50 steps, the same model\n"), "{out}");
    }
    let no_hashes = sinew(&["replay", csv]);
    assert!(String::from_utf8_lossy(&no_hashes.stderr).contains("carries no hashes"));

    // another model differs, and the first step and column are named
    let other = scratch("recordings", "other.xml");
    fs::write(&other, BALL.replace("mass='2'", "mass='3'")).unwrap();
    let done = sinew(&["replay", npz, "--model", word(&other), "--json"]);
    assert_eq!(done.status.code(), Some(1));
    let report: Value = serde_json::from_slice(&done.stdout).unwrap();
    assert_eq!(
        (&report["first_difference"], &report["same_model"]),
        (&Value::from(1), &Value::from(false))
    );
    let third = scratch("recordings", "other.npz");
    good(&["run", word(&other), "--steps", "50", "--out", word(&third)]);
    let done = sinew(&["diff", npz, word(&third)]);
    let out = String::from_utf8(done.stdout).unwrap();
    assert!(out.starts_with("they part at step 1: qpos.up is "), "{out}");

    // equal beginnings of different lengths are not called the same
    let short = scratch("recordings", "short.npz");
    good(&["run", word(&model), "--steps", "20", "--out", word(&short)]);
    let done = sinew(&["diff", npz, word(&short)]);
    let out = String::from_utf8(done.stdout).unwrap();
    let lengths = format!("different lengths: {npz} has 51 states, {} 21\n", word(&short));
    assert_eq!(out, lengths + "the first 21 states agree\n");
    assert_eq!(done.status.code(), Some(1));
}

#[test]
fn plots_have_a_curve_per_column_and_file() {
    let (model, npz, svg) =
        (ball("plot"), scratch("plot", "ball.npz"), scratch("plot", "ball.svg"));
    good(&["run", word(&model), "--steps", "50", "--out", word(&npz)]);
    let out = word(&svg);
    good(&[
        "plot",
        word(&npz),
        word(&npz),
        "--column",
        "qpos.up",
        "--column",
        "ctrl",
        "--out",
        out,
    ]);
    let picture = fs::read_to_string(&svg).unwrap();
    assert_eq!(picture.matches("<polyline").count(), 4);
    assert!(picture.contains("ball: qpos.up") && picture.ends_with("</svg>\n"));
    let wrong = sinew(&["plot", word(&npz), "--column", "qpos.down", "--out", out]);
    assert!(String::from_utf8_lossy(&wrong.stderr).contains("qpos.up"));
}

#[test]
fn a_contact_is_explained_in_newtons_and_metres() {
    // measured in MuJoCo 3.5.0: rest at 0.36718 mm, creep at 0.44988 mm/s
    let golden = "\
one contact under 19.6200 N, moving 2.0000 kg
stiffness      5.3434e4 N/m
damping        2.2228e3 N s/m
time constant  0.0208 s, damping ratio 1.000
penetration    0.3672 mm
creep          0.4499 mm/s under 1 N along the surface
";
    let model = ball("explain");
    assert_eq!(good(&["explain", word(&model), "floor", "ball"]), golden);

    // the suggested parameters give the requested stiffness
    let wanted = ["--stiffness", "50000", "--damping", "300"];
    let given = good(&[&["explain", word(&model), "floor", "ball"], &wanted[..]].concat());
    let (solref, rest) = given.strip_prefix("solref=\"").unwrap().split_once('"').unwrap();
    let solimp = rest.split('"').nth(1).unwrap();
    let option =
        format!("<default><geom solref='{solref}' solimp='{solimp}'/></default><worldbody>");
    let soft = scratch("explain", "soft.xml");
    fs::write(&soft, BALL.replace("<worldbody>", &option)).unwrap();
    let found = good_json(&["explain", word(&soft), "floor", "ball", "--load", "1"]);
    assert!((found["stiffness"].as_f64().unwrap() - 5e4).abs() < 1e-4, "{found}");
    assert!((found["damping"].as_f64().unwrap() - 300.0).abs() < 1e-6, "{found}");
}

/// The error output of a command that fails.
fn refused(args: &[&str]) -> String {
    let done = sinew(args);
    assert_eq!(done.status.code(), Some(1), "{args:?}");
    String::from_utf8(done.stderr).unwrap()
}

#[test]
fn a_task_is_written_for_a_robot() {
    let model = ball("new_task");
    let folder = scratch("new_task", "roll_ball");
    let _ = fs::remove_dir_all(&folder);
    let args = ["new-task", "roll_ball", word(&model), "--out", word(&folder)];
    let said = good(&args);
    let train = "train     python -m sinew.gym.ppo --env roll_ball:own/RollBall-v0 --out runs\n";
    assert!(said.ends_with(train), "{said}");

    // the ball is fixed to a slide: it reaches postures
    let task = fs::read_to_string(folder.join("roll_ball.py")).unwrap();
    assert!(task.contains("class RollBall(sinew.gym.Task):\n    \"\"\"Reaches"), "{task}");
    assert!(task.contains("parent / \"../ball.xml\""), "{task}");
    assert!(task.contains("frame_skip = 10\n") && !task.contains("{name}"), "{task}");
    let test = fs::read_to_string(folder.join("test_roll_ball.py")).unwrap();
    assert!(test.contains("import roll_ball "), "{test}");

    // existing files are kept
    fs::write(folder.join("roll_ball.py"), "mine").unwrap();
    assert!(refused(&args).contains("roll_ball.py exists already; nothing was written"));
    assert_eq!(fs::read_to_string(folder.join("roll_ball.py")).unwrap(), "mine");
}

#[test]
fn a_free_robot_moves_forward() {
    let model = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/quadruped.xml");
    let folder = scratch("new_task_free", "dog");
    let _ = fs::remove_dir_all(&folder);
    let said = good_json(&["new-task", "dog", word(&model), "--out", word(&folder)]);
    assert_eq!(said["files"].as_array().unwrap().len(), 2);
    let task = fs::read_to_string(folder.join("dog.py")).unwrap();
    assert!(task.contains("\"\"\"Moves forward"), "{task}");
    assert!(task.contains("/models/quadruped.xml\""), "{task}");
}

#[test]
fn tasks_that_cannot_be_are_refused() {
    let model = ball("new_task_refused");
    let near = "should begin with a letter and have letters, digits and _; try my_robot";
    assert!(refused(&["new-task", "my-robot", word(&model)]).contains(near));
    assert!(refused(&["new-task", "7", word(&model)]).contains("begin with a letter"));
    assert!(refused(&["new-task", "lambda", word(&model)]).contains("try lambda_task"));
    assert!(refused(&["new-task", "numpy", word(&model)]).contains("try numpy_task"));

    let passive = scratch("new_task_refused", "passive.xml");
    fs::write(&passive, "<mujoco><worldbody><geom size='1'/></worldbody></mujoco>").unwrap();
    assert!(refused(&["new-task", "rest", word(&passive)]).contains("has no actuators"));
    let binary = scratch("new_task_refused", "ball.mjb");
    good(&["convert", word(&model), word(&binary)]);
    assert!(refused(&["new-task", "rest", word(&binary)]).contains("ends in .xml or .urdf"));
    assert!(refused(&["new-task", "rest", "no_such.xml"]).contains("no_such.xml"));
    assert!(!Path::new("rest").exists());
}

/// All commands of the program.
const COMMANDS: [&str; 13] = [
    "run", "check", "bench", "info", "convert", "diff", "replay", "render", "view", "plot",
    "explain", "new-task", "complete",
];

#[test]
fn completions_and_examples_are_printed() {
    for (shell, start) in [
        ("bash", "_sinew() {\n"),
        ("zsh", "#compdef sinew\n"),
        ("fish", "# Print an optspec for argparse"),
        ("elvish", "\nuse builtin;\n"),
        ("powershell", "\nusing namespace System.Management.Automation\n"),
    ] {
        let script = good(&["complete", shell]);
        assert!(script.starts_with(start), "{shell}: {}", &script[..80]);
        for name in COMMANDS {
            assert!(script.contains(name), "{shell} knows no {name}");
        }
    }
    for name in COMMANDS {
        let help = good(&[name, "--help"]);
        assert!(help.contains("Examples:") && help.contains("--json"), "{help}");
    }
    let wrong = sinew(&["complete", "dos"]);
    assert_eq!(wrong.status.code(), Some(2));
    let said = String::from_utf8_lossy(&wrong.stderr).into_owned();
    assert!(said.contains("[possible values: bash, elvish, fish, powershell, zsh]"), "{said}");
}

#[cfg(unix)]
#[test]
fn bash_completes_a_command_and_an_option() {
    let file = scratch("complete", "sinew.bash");
    fs::write(&file, good(&["complete", "bash"])).unwrap();
    // the completions that bash offers after `words`, the last of which is `last`
    let complete = |words: &str, last: &str| {
        let line = format!(
            "source {}; COMP_WORDS=({words}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); \
             _sinew sinew {last}; echo ${{COMPREPLY[@]}}",
            word(&file)
        );
        let Ok(done) = Command::new("bash").args(["-c", &line]).output() else { return None };
        Some(String::from_utf8(done.stdout).unwrap())
    };
    // without bash, nothing is tested
    let Some(commands) = complete("sinew re", "re") else { return };
    assert_eq!(commands, "replay render\n");
    assert_eq!(complete("sinew view --a", "--a").unwrap(), "--address --at\n");
}

#[test]
fn a_diverged_run_prints_its_cause_and_writes_its_last_states() {
    let folder = scratch("diverges", "");
    fs::create_dir_all(&folder).unwrap();
    let xml = BALL.replace("<worldbody>", "<default><position kp='1e7'/></default><worldbody>");
    let xml = xml.replace("<actuator>", "<actuator><position name='servo' joint='up'/>");
    fs::write(folder.join("wild.xml"), xml).unwrap();
    let wild = |args: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sinew"));
        command.args(args).current_dir(&folder).output().unwrap()
    };
    let done = wild(&["run", "wild.xml", "--time", "1", "--set", "option.gravity=0 0 -9"]);
    let said = String::from_utf8(done.stderr).unwrap();
    assert!(said.starts_with("diverged at step "), "{said}");
    for words in ["joint 'up' of body", "cause  actuator 'servo': its stiffness", "holds  with kp="]
    {
        assert!(said.contains(words), "{words}: {said}");
    }

    // the recorded states can be repeated and viewed; `--json` reports the same
    let set = ["--set", "option.gravity=0 0 -9"];
    let again = wild(&[&["replay", "wild-diverged.npz"], &set[..]].concat());
    assert!(String::from_utf8_lossy(&again.stdout).starts_with("same "), "{again:?}");
    let done = wild(&["run", "wild.xml", "--time", "1", "--json"]);
    let report: Value = serde_json::from_slice(&done.stdout).unwrap();
    let cause = &report["divergence"]["cause"];
    assert_eq!(cause["code"], "gain");
    assert!(cause["remedies"][0]["held"].as_u64().unwrap() > 100, "{report}");
    assert_eq!(report["divergence"]["states"], "wild-diverged.npz");

    // `check` reports the same fault before the first step
    let done = wild(&["check", "wild.xml"]);
    let said = String::from_utf8(done.stderr).unwrap();
    assert!(said.contains("warning[gain]: actuator 'servo'"), "{said}");
}

/// Asserts that two models differ in the paths of their files alone.
#[track_caller]
fn same_but_for_paths(first: &Path, second: &Path) {
    let done = sinew(&["diff", word(first), word(second)]);
    let out = String::from_utf8(done.stdout).unwrap();
    let fields =
        out.lines().filter(|line| !line.ends_with("fields differ") && !line.starts_with("same"));
    for field in fields.filter_map(|line| line.split_whitespace().next()) {
        assert!(["npaths", "nbuffer", "mesh_pathadr", "paths"].contains(&field), "{out}");
    }
    assert!(!out.is_empty());
}

#[test]
fn a_model_with_its_files_moves_to_a_folder_or_an_archive() {
    let meshes = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/features/meshes.xml");
    let (zip, folder) = (scratch("convert", "all.zip"), scratch("convert", "all/"));
    let _ = fs::remove_dir_all(&folder);
    let said = good(&["convert", word(&meshes), word(&zip)]);
    assert!(said.starts_with("written   ") && said.contains(" files, "), "{said}");
    same_but_for_paths(&meshes, &zip);

    // the folder is complete: it can be moved
    good(&["convert", word(&meshes), word(&folder)]);
    let moved = scratch("convert", "moved");
    let _ = fs::remove_dir_all(&moved);
    fs::rename(&folder, &moved).unwrap();
    let model = moved.join("meshes.xml");
    same_but_for_paths(&meshes, &model);

    // XML in another folder still finds its files; a model in an archive has no files on disk
    let alone = scratch("convert", "alone.xml");
    good(&["convert", word(&meshes), word(&alone)]);
    same_but_for_paths(&meshes, &alone);
    let lost = sinew(&["convert", word(&zip), word(&alone)]);
    assert!(String::from_utf8_lossy(&lost.stderr).contains("convert to .zip or a folder"));
    let empty = scratch("convert", "empty.zip");
    fs::write(&empty, b"PK\x05\x06\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0").unwrap();
    let nothing = sinew(&["check", word(&empty)]);
    assert!(String::from_utf8_lossy(&nothing.stderr).contains("no model is in the archive"));
}

#[test]
fn plots_are_pictures_too() {
    let (model, npz, png) = (ball("png"), scratch("png", "ball.npz"), scratch("png", "ball.png"));
    good(&["run", word(&model), "--steps", "50", "--out", word(&npz)]);
    good(&["plot", word(&npz), "--out", word(&png)]);
    assert!(fs::read(&png).unwrap().starts_with(b"\x89PNG\r\n\x1a\n"));
    let wrong = sinew(&["plot", word(&npz), "--out", "ball.gif"]);
    assert!(String::from_utf8_lossy(&wrong.stderr).contains(".svg or .png"));
}

/// Output without machine-dependent values: times and speeds are replaced.
fn without_times(text: &str) -> String {
    let line = |line: &str| match line.split_once(" s simulated in ") {
        Some((before, _)) => format!("{before} s simulated"),
        None if line.starts_with("speed ") => "speed".to_string(),
        None => line.to_string(),
    };
    text.lines().map(line).map(|line| line + "\n").collect()
}

#[test]
fn every_command_has_its_expected_output() {
    let model = ball("golden");
    let folder = scratch("golden", "");
    let run = |args: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sinew"));
        let done = command.args(args).current_dir(&folder).output().unwrap();
        without_times(&String::from_utf8(done.stdout).unwrap())
    };
    assert!(model.exists());
    let golden = [
        (
            "run ball.xml --steps 100 --out ball.npz",
            "ball.xml: 100 steps, 0.200 s simulated\nspeed\n\
             energy    potential 19.630827 J, kinetic 1.924722 J\nwarnings  none\n\
             written   ball.npz (101 states)\n",
        ),
        (
            "check ball.xml",
            "ok    ball.xml: nq 8, nv 7, nu 1, nbody 3, njnt 2, ngeom 3, nsite 1, nsensor 2\n",
        ),
        ("replay ball.npz", "same      ball.npz: 100 steps, the same model\n"),
        ("diff ball.npz ball.npz", "same: 101 states\n"),
        ("plot ball.npz --out ball.svg", "written   ball.svg (8 curves)\n"),
        ("render ball.xml -o ball.png --size 32x24", "written   ball.png\n"),
        ("convert ball.xml other.xml", "written   other.xml (614 bytes)\n"),
    ];
    for (line, wanted) in golden {
        let args: Vec<&str> = line.split(' ').collect();
        assert_eq!(run(&args), wanted, "sinew {line}");
    }
    let bench = run(&["bench", "ball.xml", "--steps", "20", "--repeat", "1"]);
    let clocks = ["(CPU time, fastest of 1 run)", "stages   of one more run (wall time"];
    for word in ["ball.xml", "collision", "constraint"].into_iter().chain(clocks) {
        assert!(bench.contains(word), "{word}: {bench}");
    }
}

#[test]
fn unused_classes_are_noted() {
    let file = scratch("classes", "classes.xml");
    let xml =
        "<mujoco><default><default class='outer'><default class='used'/><default class='idle'>
        <geom size='1'/></default></default></default><worldbody><geom class='used' size='1'/>
        </worldbody></mujoco>";
    fs::write(&file, xml).unwrap();
    let done = sinew(&["check", word(&file)]);
    let said = String::from_utf8(done.stderr).unwrap();
    assert_eq!(said, "note[unused]: nothing uses the class 'idle'\n");
    let report = good_json(&["check", word(&file)]);
    assert_eq!(report[0]["unused_classes"], serde_json::json!(["idle"]));
}
