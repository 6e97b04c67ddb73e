//! `sinew new-task`: a task for learning, a test of it and the command that trains it.

use std::fs;
use std::path::{Component, Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, bail, ensure};
use serde_json::json;
use sinew::Model;
use sinew::model::enums::JointType;

use crate::common::Common;
use crate::{diagnostics, out};

pub(crate) const EXAMPLES: &str = "Examples:
  sinew new-task walker models/quadruped.xml
  sinew new-task reach models/arm.xml --out tasks/reach";

/// Time between two decisions of a policy, s.
const DECISION: f64 = 0.02;

/// Templates: of a robot that moves freely, of one that stands, and of a test.
const MOVING: &str = include_str!("new_task/moving.py");
const STANDING: &str = include_str!("new_task/standing.py");
const TEST: &str = include_str!("new_task/test.py");

/// Names that a module may not have: reserved words of Python, and modules that the task imports.
const TAKEN: &str = "False None True and as assert async await break class continue def del elif \
                     else except finally for from global if import in is lambda nonlocal not or \
                     pass raise return try while with yield gymnasium mujoco numpy pathlib pytest \
                     sinew test torch";

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Name of the task: letters, digits and underscores
    name: String,
    /// Model of the robot: MJCF or URDF
    model: PathBuf,
    /// Folder for the task [default: its name]
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
}

pub(crate) fn run(args: &Args, common: &Common) -> Result<ExitCode> {
    let name = &args.name;
    check_name(name)?;
    let m = diagnostics::model(&args.model, common)?;
    let shown = args.model.display();
    let text = args.model.extension().is_some_and(|e| e == "xml" || e == "urdf");
    ensure!(text, "{shown}: a task reads its model from a file that ends in .xml or .urdf");
    ensure!(m.nu > 0, "{shown} has no actuators, so a policy has nothing to control");

    // nothing that exists is overwritten
    let folder = args.out.clone().unwrap_or_else(|| PathBuf::from(name));
    let files = [folder.join(format!("{name}.py")), folder.join(format!("test_{name}.py"))];
    if let Some(old) = files.iter().find(|file| file.exists()) {
        bail!("{} exists already; nothing was written", old.display());
    }
    fs::create_dir_all(&folder)
        .with_context(|| format!("cannot make the folder {}", folder.display()))?;

    // the files
    let template = if is_free(&m) { MOVING } else { STANDING };
    let model = serde_json::to_string(&from_folder(&folder, &args.model)?)?;
    let skip = (DECISION / m.opt.timestep).round().max(1.0);
    for (file, template) in files.iter().zip([template, TEST]) {
        let text = template.replace("{Name}", &class_name(name)).replace("{name}", name);
        let text = text.replace("{model}", &model).replace("{frame_skip}", &skip.to_string());
        fs::write(file, text).with_context(|| format!("cannot write {}", file.display()))?;
    }
    report(args, common, &folder, &files)
}

/// Prints the files and the commands that use them.
fn report(args: &Args, common: &Common, folder: &Path, files: &[PathBuf]) -> Result<ExitCode> {
    let (name, class) = (&args.name, class_name(&args.name));
    let train = format!("python -m sinew.gym.ppo --env {name}:own/{class}-v0 --out runs");
    let files: Vec<String> = files.iter().map(|file| file.display().to_string()).collect();
    if common.json {
        let folder = folder.display().to_string();
        out::json(&json!({ "folder": folder, "files": files, "train": train }))?;
        return Ok(ExitCode::SUCCESS);
    }
    out::line(&format!("written   {}", files.join(", ")))?;
    out::line(&format!("folder    cd {}", folder.display()))?;
    out::line(&format!("test      python -m pytest test_{name}.py"))?;
    out::line(&format!("train     {train}"))?;
    Ok(ExitCode::SUCCESS)
}

/// Checks that Python can import a module of this name.
fn check_name(name: &str) -> Result<()> {
    let fits = |c: char| c.is_ascii_alphanumeric() || c == '_';
    if !name.starts_with(|c: char| c.is_ascii_alphabetic()) || !name.chars().all(fits) {
        let near: String = name.chars().map(|c| if fits(c) { c } else { '_' }).collect();
        let near = near.trim_start_matches(|c: char| !c.is_ascii_alphabetic());
        let hint = if near.is_empty() { String::new() } else { format!("; try {near}") };
        bail!("the name {name:?} should begin with a letter and have letters, digits and _{hint}");
    }
    ensure!(
        !TAKEN.split_whitespace().any(|taken| taken == name),
        "the name {name} is taken by Python or a module of the task; try {name}_task"
    );
    Ok(())
}

/// The name of the class: `my_robot` gives `MyRobot`.
fn class_name(name: &str) -> String {
    let parts = name.split('_').filter(|part| !part.is_empty());
    parts.map(|part| part[..1].to_uppercase() + &part[1..]).collect()
}

/// Whether the first joint is free and moves a body with further joints: a robot, not a thing.
fn is_free(m: &Model) -> bool {
    let mut joints = m.joints();
    let Some(first) = joints.next().filter(|&j| m.jnt_type[j] == JointType::Free) else {
        return false;
    };
    let tree = |joint| m.body_rootid[m.jnt_bodyid[joint]];
    joints.any(|joint| tree(joint) == tree(first))
}

/// The path of a file as seen from a folder, with `/`.
fn from_folder(folder: &Path, file: &Path) -> Result<String> {
    let full = |path: &Path| {
        path.canonicalize().with_context(|| format!("cannot find {}", path.display()))
    };
    let (folder, file) = (full(folder)?, full(file)?);
    let (from, to): (Vec<Component<'_>>, Vec<Component<'_>>) =
        (folder.components().collect(), file.components().collect());
    let shared = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
    // another drive has no way there
    if shared == 0 {
        return Ok(file.to_string_lossy().replace('\\', "/"));
    }
    let up = std::iter::repeat_n("..".into(), from.len() - shared);
    let down = to[shared..].iter().map(|part| part.as_os_str().to_string_lossy());
    Ok(up.chain(down).collect::<Vec<_>>().join("/"))
}
