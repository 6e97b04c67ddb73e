//! `sinew info`: the bodies, actuators and sensors of a model.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use serde_json::{Value, json};
use sinew::Model;
use sinew::summary::{Attachment, BodySummary, ModelSummary, summary};

use crate::common::Common;
use crate::{diagnostics, out};

pub(crate) const EXAMPLES: &str = "Examples:
  sinew info models/arm.xml
  sinew info robot.urdf --json";

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Model file: MJCF, URDF or MJB
    model: PathBuf,
}

pub(crate) fn run(args: &Args, common: &Common) -> Result<ExitCode> {
    let model = diagnostics::model(&args.model, common)?;
    let summary = summary(&model);
    match common.json {
        true => out::json(&as_json(&model, &summary))?,
        false => out::text(&text(&model, &summary))?,
    }
    Ok(ExitCode::SUCCESS)
}

fn text(m: &Model, summary: &ModelSummary) -> String {
    let mass = summary.bodies.first().map_or(0.0, |world| world.subtree_mass);
    let mut text = format!(
        "{} bodies, {} dofs, {} geoms, {mass} kg, timestep {} s\n\nbodies\n",
        m.nbody, m.nv, m.ngeom, m.opt.timestep
    );
    for body in &summary.bodies {
        let _ = writeln!(text, "  {}{}", "  ".repeat(body.depth), body_line(body));
    }
    for (title, list) in [("actuators", &summary.actuators), ("sensors", &summary.sensors)] {
        if !list.is_empty() {
            let _ = writeln!(text, "\n{title}");
        }
        for Attachment { name, kind, target } in list {
            let _ = writeln!(text, "  {name:<20} {kind:<16} {target}");
        }
    }
    text
}

fn body_line(body: &BodySummary) -> String {
    let mut line = body.name.clone();
    if body.mass > 0.0 {
        let _ = write!(line, "  {:.4} kg", body.mass);
    }
    for (name, kind) in &body.joints {
        let _ = write!(line, "  {kind} {name}");
    }
    match body.geoms {
        0 => {}
        1 => line.push_str("  1 geom"),
        n => {
            let _ = write!(line, "  {n} geoms");
        }
    }
    line
}

fn as_json(m: &Model, summary: &ModelSummary) -> Value {
    let body = |b: &BodySummary| {
        let joints: Vec<Value> =
            b.joints.iter().map(|(name, kind)| json!({ "name": name, "type": kind })).collect();
        json!({
            "name": b.name, "depth": b.depth, "mass": b.mass, "subtree_mass": b.subtree_mass,
            "joints": joints, "geoms": b.geoms,
        })
    };
    let attachment = |a: &Attachment| json!({ "name": a.name, "type": a.kind, "target": a.target });
    json!({
        "nv": m.nv,
        "timestep": m.opt.timestep,
        "bodies": summary.bodies.iter().map(body).collect::<Vec<_>>(),
        "actuators": summary.actuators.iter().map(attachment).collect::<Vec<_>>(),
        "sensors": summary.sensors.iter().map(attachment).collect::<Vec<_>>(),
    })
}
