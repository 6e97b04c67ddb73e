//! `sinew plot`: recorded quantities over time, as SVG or PNG.

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use serde_json::json;

use crate::common::Common;
use crate::figure::{Curve, figure};
use crate::figure_png::png;
use crate::figure_svg::svg;
use crate::out;
use crate::recording::Recording;

pub(crate) const EXAMPLES: &str = "Examples:
  sinew plot swing.npz --out swing.svg
  sinew plot swing.npz --column qvel --out swing.png
  sinew plot before.npz after.npz --column qpos.elbow --out both.svg";

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Recordings: .npz, .csv or .mcap
    #[arg(required = true)]
    recordings: Vec<PathBuf>,
    /// Column or quantity to draw, such as qpos.elbow or qvel; may be repeated [default: qpos]
    #[arg(long, value_name = "NAME")]
    column: Vec<String>,
    /// File to write: .svg or .png
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

pub(crate) fn run(args: &Args, common: &Common) -> Result<ExitCode> {
    let draw = match args.out.extension().and_then(|e| e.to_str()) {
        Some("svg") => |curves: &[Curve]| Ok(svg(&figure(curves)?).into_bytes()),
        Some("png") => |curves: &[Curve]| png(&figure(curves)?),
        _ => bail!("{}: wanted a name that ends in .svg or .png", args.out.display()),
    };

    // a curve for each column of each recording
    let wanted = match args.column.is_empty() {
        true => vec!["qpos".to_string()],
        false => args.column.clone(),
    };
    let mut curves = Vec::new();
    for path in &args.recordings {
        let recording = Recording::read(path)?;
        let file = match args.recordings.len() {
            1 => String::new(),
            _ => path.file_stem().map_or(String::new(), |s| format!("{}: ", s.to_string_lossy())),
        };
        for name in &wanted {
            curves.extend(find(&recording, name, &file)?);
        }
    }

    // the figure
    let written = || format!("cannot write {}", args.out.display());
    fs::write(&args.out, draw(&curves)?).with_context(written)?;
    let file = args.out.display().to_string();
    match common.json {
        true => out::json(&json!({ "out": file, "curves": curves.len() }))?,
        false => out::line(&format!("written   {file} ({} curves)", curves.len()))?,
    }
    Ok(ExitCode::SUCCESS)
}

/// The curves of a column, or of all columns of a quantity.
fn find(recording: &Recording, name: &str, file: &str) -> Result<Vec<Curve>> {
    let time = &recording.channel("time").context("the recording has no time")?.values;
    let mut curves = Vec::new();
    for channel in &recording.channels {
        for (k, column) in channel.columns.iter().enumerate() {
            if column == name || channel.name == name {
                let values = channel.values.iter().skip(k).step_by(channel.columns.len());
                let points = time.iter().zip(values).map(|(&t, &x)| [t, x]);
                let finite = points.filter(|p| p.iter().all(|x| x.is_finite()));
                curves.push(Curve { label: format!("{file}{column}"), points: finite.collect() });
            }
        }
    }
    if curves.is_empty() {
        let all: Vec<&str> =
            recording.channels.iter().flat_map(|c| &c.columns).map(String::as_str).collect();
        bail!("no column named '{name}'; there are {}", all.join(", "));
    }
    Ok(curves)
}
