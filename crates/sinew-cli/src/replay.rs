//! `sinew replay`: repeats a recording and compares the state of every step.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result, ensure};
use serde_json::json;
use sinew::model::enums::StateBit;
use sinew::model::state::{set_state, state_size};
use sinew::{Data, Model, model_hash, state_hash};

use crate::common::Common;
use crate::progress::Progress;
use crate::recording::{Origin, Recording};
use crate::{diagnostics, out};

pub(crate) const EXAMPLES: &str = "Examples:
  sinew run models/arm.xml --out arm.npz && sinew replay arm.npz
  sinew replay arm.mcap --model other/arm.xml";

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Recording: .npz or .mcap
    recording: PathBuf,
    /// Model file [default: the recorded model]
    #[arg(long, value_name = "FILE")]
    model: Option<PathBuf>,
}

pub(crate) fn run(args: &Args, common: &Common) -> Result<ExitCode> {
    let recording = Recording::read(&args.recording)?;
    let file = args.recording.display();
    let origin = origin(&recording, &file.to_string())?;
    let path = args.model.clone().unwrap_or_else(|| PathBuf::from(&origin.model));
    let m = diagnostics::model(&path, common)?;
    let same_model = model_hash(&m) == origin.model_hash;
    let (_, parted) = repeat(&recording, &m, &file.to_string())?;

    let steps = recording.rows.saturating_sub(1);
    if common.json {
        out::json(&json!({
            "ok": parted.is_none(), "steps": steps, "first_difference": parted,
            "same_model": same_model,
        }))?;
    } else {
        let model = if same_model { "the same model" } else { "another model" };
        out::line(&match parted {
            None => format!("same      {file}: {steps} steps, {model}"),
            Some(step) => format!("DIFFERENT {file}: parts at step {step} of {steps}, {model}"),
        })?;
    }
    Ok(if parted.is_none() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The data to repeat a recording, or an error.
fn origin<'a>(recording: &'a Recording, file: &str) -> Result<&'a Origin> {
    recording.origin.as_ref().with_context(|| {
        format!("{file} carries no hashes of states; record to .npz or .mcap instead")
    })
}

/// Repeats a recording. Returns the last state and the first step that differs.
pub(crate) fn repeat(
    recording: &Recording,
    m: &Model,
    file: &str,
) -> Result<(Data, Option<usize>)> {
    let origin = origin(recording, file)?;
    let wanted = state_size(m, StateBit::Integration.0)?;
    let found = origin.start.len();
    ensure!(found == wanted, "{file} starts with {found} numbers, the model wants {wanted}");

    // the same start state, then the same controls
    let mut d = Data::new(m);
    set_state(m, &mut d, &origin.start, StateBit::Integration.0)?;
    let controls = recording.channel("ctrl").filter(|c| c.columns.len() == m.nu);
    let mut progress = Progress::new(recording.rows as u64);
    let mut parted = None;
    for (step, &hash) in origin.hashes.iter().enumerate() {
        if step > 0 {
            if let Some(controls) = controls {
                d.ctrl.copy_from_slice(&controls.values[(step - 1) * m.nu..step * m.nu]);
            }
            sinew::step(m, &mut d);
        }
        if state_hash(&d) != hash {
            parted = Some(step);
            break;
        }
        progress.add(1);
    }
    progress.finish();
    Ok((d, parted))
}
