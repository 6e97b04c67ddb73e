//! `sinew fit`: parameters of a model from a recorded trajectory, with their uncertainties.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result, anyhow, ensure};
use serde_json::json;
use sinew::Model;
use sinew::batch::{Fit, FitEntry, FitOptions, Rollouts};

use crate::common::Common;
use crate::recording::{Channel, Recording};
use crate::{diagnostics, out};

pub(crate) const EXAMPLES: &str = "Examples:
  sinew fit swing.npz arm.xml --params body_mass:forearm dof_damping:elbow
  sinew fit swing.npz arm.xml --params actuator_gainprm:motor:0 --steps 25 --json

A recording of `sinew run --out`, or qpos, qvel and act before the first step and after every step,
and ctrl of every step, as arrays of an .npz.";

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Recording: .npz, .csv or .mcap
    recording: PathBuf,
    /// Model file
    model: PathBuf,
    /// Numbers of the model to fit, such as body_mass:forearm
    #[arg(long, required = true, num_args = 1.., value_name = "FIELD:OBJECT[:COLUMN]")]
    params: Vec<String>,
    /// Steps of a segment, whose end is predicted from its start
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..))]
    steps: u32,
    /// Threads; 0 for all cores
    #[arg(long, default_value_t = 0)]
    threads: usize,
}

pub(crate) fn run(args: &Args, common: &Common) -> Result<ExitCode> {
    let m = diagnostics::model(&args.model, common)?;
    let entry =
        |name: &String| FitEntry::parse(&m, name).map_err(|text| anyhow!("--params: {text}"));
    let entries: Vec<FitEntry> = args.params.iter().map(entry).collect::<Result<_>>()?;
    let file = args.recording.display().to_string();
    let channels = Recording::read_channels(&args.recording)?;
    let (state, ctrl) = trajectory(&m, &channels, &file)?;
    let steps = args.steps as usize;
    let count = state.len() / (m.nq + m.nv + m.na).max(1);
    ensure!(count > steps, "{file}: {count} states are too few for segments of {steps} steps");
    let options = FitOptions { steps, ..FitOptions::default() };
    let found = Rollouts::new(args.threads)?.fit(&m, &state, &ctrl, &entries, &options)?;
    report(&args.params, &found, common)?;
    Ok(if found.converged { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The states of all rows and the controls of all steps.
fn trajectory(m: &Model, channels: &[Channel], file: &str) -> Result<(Vec<f64>, Vec<f64>)> {
    let rows_of = |name: &str, width: usize| -> Result<Vec<&[f64]>> {
        if width == 0 {
            return Ok(Vec::new());
        }
        let channel = channels.iter().find(|c| c.name == name);
        let channel = channel.with_context(|| format!("{file}: there is no {name}"))?;
        let found = channel.columns.len();
        ensure!(found == width, "{file}: {name} has {found} columns, the model wants {width}");
        Ok(channel.values.chunks_exact(width).collect())
    };
    let parts = [rows_of("qpos", m.nq)?, rows_of("qvel", m.nv)?, rows_of("act", m.na)?];
    let ctrl = rows_of("ctrl", m.nu)?;
    let rows = parts[0].len();
    ensure!(rows > 1, "{file}: there are {rows} states");
    let mut state = Vec::new();
    for row in 0..rows {
        for (part, name) in parts.iter().zip(["qpos", "qvel", "act"]) {
            let lacks = || format!("{file}: {name} has {} rows, qpos has {rows}", part.len());
            if !part.is_empty() {
                state.extend_from_slice(part.get(row).with_context(lacks)?);
            }
        }
    }

    // recordings of this program have the controls of the last state too
    let steps = rows - 1;
    let fits = m.nu == 0 || ctrl.len() == steps || ctrl.len() == rows;
    ensure!(fits, "{file}: ctrl has {} rows for {steps} steps", ctrl.len());
    Ok((state, ctrl.into_iter().take(steps).flatten().copied().collect()))
}

fn report(names: &[String], found: &Fit, common: &Common) -> Result<()> {
    if common.json {
        let params: Vec<_> = names
            .iter()
            .zip(found.values.iter().zip(&found.deviations))
            .map(|(name, (value, dev))| json!({ "name": name, "value": value, "deviation": dev }))
            .collect();
        let covariance: Vec<&[f64]> = found.covariance.chunks_exact(names.len()).collect();
        return out::json(&json!({
            "params": params, "covariance": covariance, "residual": found.residual,
            "iterations": found.iterations, "converged": found.converged,
        }));
    }
    let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
    for (name, (value, dev)) in names.iter().zip(found.values.iter().zip(&found.deviations)) {
        let spread =
            if dev.is_finite() { format!("± {dev:.2e}") } else { "not determined".into() };
        out::line(&format!("{name:width$}  {value:>14.8}  {spread}"))?;
    }
    let state = if found.converged { "converged" } else { "not converged" };
    out::line(&format!("{state} after {} iterations", found.iterations))
}
