//! `sinew diff`: differences between two models, or the first difference of two recordings.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Result, bail};
use serde_json::{Value, json};
use sinew::diff::{Difference, FieldDifference, model_differences};

use crate::common::Common;
use crate::recording::{Recording, is_recording};
use crate::{diagnostics, out};

pub(crate) const EXAMPLES: &str = "Examples:
  sinew diff old.xml new.xml
  sinew diff before.npz after.npz --tolerance 1e-9";

#[derive(clap::Args)]
pub(crate) struct Args {
    /// First model or recording
    first: PathBuf,
    /// Second model or recording
    second: PathBuf,
    /// Recordings: largest difference of numbers that count as equal
    #[arg(long, default_value_t = 0.0, value_name = "X")]
    tolerance: f64,
}

pub(crate) fn run(args: &Args, common: &Common) -> Result<ExitCode> {
    match [&args.first, &args.second].map(|path| is_recording(path)) {
        [true, true] => recordings(args, common),
        [false, false] => models(args, common),
        _ => bail!("wanted two models or two recordings"),
    }
}

fn models(args: &Args, common: &Common) -> Result<ExitCode> {
    let load = |path: &Path| diagnostics::model(path, common);
    let found = model_differences(&load(&args.first)?, &load(&args.second)?);
    if common.json {
        let fields: Vec<_> = found.iter().map(as_json).collect();
        out::json(&json!({ "same": found.is_empty(), "fields": fields }))?;
    } else if found.is_empty() {
        out::line("same: no field differs")?;
    } else {
        for difference in &found {
            out::line(&line(difference))?;
        }
        out::line(&format!("{} fields differ", found.len()))?;
    }
    Ok(if found.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn line(FieldDifference { field, what }: &FieldDifference) -> String {
    match what {
        // an unset limit is -1, which wraps in a `usize`
        Difference::Size([a, b]) => format!("{field:<24} size {} and {}", *a as i64, *b as i64),
        Difference::Values { count, first: [row, col], values: [a, b], largest } => format!(
            "{field:<24} {count} numbers, by {largest:.3e} at most; [{row}, {col}] is {a} and {b}"
        ),
    }
}

fn as_json(FieldDifference { field, what }: &FieldDifference) -> Value {
    match what {
        Difference::Size([a, b]) => json!({ "field": field, "sizes": [*a as i64, *b as i64] }),
        Difference::Values { count, first, values, largest } => json!({
            "field": field, "count": count, "first": first, "values": values, "largest": largest,
        }),
    }
}

/// First difference of two recordings.
struct Parting {
    step: usize,
    column: String,
    values: [f64; 2],
}

fn recordings(args: &Args, common: &Common) -> Result<ExitCode> {
    let [a, b] = [Recording::read(&args.first)?, Recording::read(&args.second)?];
    let parting = first_parting(&a, &b, args.tolerance)?;
    let same = parting.is_none() && a.rows == b.rows;
    if common.json {
        let first = parting
            .as_ref()
            .map(|p| json!({ "step": p.step, "column": p.column, "values": p.values }));
        out::json(&json!({ "same": same, "rows": [a.rows, b.rows], "first_difference": first }))?;
    } else {
        let common = a.rows.min(b.rows);
        if a.rows != b.rows {
            let [first, second] = [args.first.display(), args.second.display()];
            let rows = [a.rows, b.rows];
            out::line(&format!(
                "different lengths: {first} has {} states, {second} {}",
                rows[0], rows[1]
            ))?;
        }
        match parting {
            None if same => out::line(&format!("same: {common} states"))?,
            None => out::line(&format!("the first {common} states agree"))?,
            Some(Parting { step, column, values: [x, y] }) => {
                out::line(&format!("they part at step {step}: {column} is {x:?} and {y:?}"))?;
            }
        }
    }
    Ok(if same { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn first_parting(a: &Recording, b: &Recording, tolerance: f64) -> Result<Option<Parting>> {
    for (x, y) in a.channels.iter().zip(&b.channels) {
        if x.name != y.name || x.columns.len() != y.columns.len() {
            bail!("the recordings are of different models: {} and {}", x.name, y.name);
        }
    }
    for step in 0..a.rows.min(b.rows) {
        let rows = a.row(step).into_iter().zip(b.row(step)).zip(&a.channels);
        for ((x, y), channel) in rows {
            let differ = |(x, y): (&f64, &f64)| !(x == y || (x - y).abs() <= tolerance);
            if let Some(k) = x.iter().zip(y).position(differ) {
                let column = channel.columns[k].clone();
                return Ok(Some(Parting { step, column, values: [x[k], y[k]] }));
            }
        }
    }
    Ok(None)
}
