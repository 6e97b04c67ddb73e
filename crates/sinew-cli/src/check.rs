//! `sinew check`: compile models, say what is wrong, exit with 1 if any fails.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use serde_json::{Map, Value, json};
use sinew::Model;

use crate::common::Common;
use crate::diagnostics::{self, Outcome};
use crate::out;

pub(crate) const EXAMPLES: &str = "Examples:
  sinew check models/*.xml
  sinew check --strict --json robot.xml";

/// The sizes worth a line; `--json` gives all.
const SHOWN: [&str; 12] = [
    "nq", "nv", "nu", "na", "nbody", "njnt", "ngeom", "nsite", "nmesh", "ntendon", "nsensor",
    "nkey",
];

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Model files: MJCF, URDF or MJB
    #[arg(required = true, value_name = "MODEL")]
    models: Vec<PathBuf>,
}

pub(crate) fn run(args: &Args, common: &Common) -> Result<ExitCode> {
    let mut failures = 0;
    let mut report = Vec::new();
    for path in &args.models {
        let outcome = diagnostics::load(path, common);
        failures += usize::from(outcome.model.is_none());
        let file = path.display().to_string();
        if common.json {
            report.push(as_json(&file, &outcome));
        } else {
            print_text(&file, &outcome)?;
        }
    }

    if common.json {
        out::json(&Value::Array(report))?;
    } else if args.models.len() > 1 {
        out::line(&format!("{} models, {failures} failed", args.models.len()))?;
    }
    Ok(if failures == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn print_text(file: &str, outcome: &Outcome) -> Result<()> {
    if !outcome.diagnostics.is_empty() {
        eprintln!("{}", outcome.text().trim_end());
    }
    match &outcome.model {
        Some(model) => out::line(&format!("ok    {file}: {}", sizes_line(model))),
        None => out::line(&format!("FAIL  {file}")),
    }
}

fn sizes_line(model: &Model) -> String {
    let present = SHOWN.iter().filter_map(|name| Some((name, model.size(name)?)));
    present
        .filter(|(_, n)| *n > 0)
        .map(|(name, n)| format!("{name} {n}"))
        .collect::<Vec<_>>()
        .join(", ")
}

/// A size as MuJoCo's integer: limits that are not set are -1, which wraps in a `usize`.
fn signed(size: usize) -> i64 {
    size as i64
}

fn as_json(file: &str, outcome: &Outcome) -> Value {
    let mut value = json!({
        "file": file,
        "ok": outcome.model.is_some(),
        "diagnostics": outcome.json(),
    });
    if let Some(model) = &outcome.model {
        let sizes = Model::SIZES
            .iter()
            .filter_map(|(name, _)| Some((name.to_string(), json!(signed(model.size(name)?)))));
        value["sizes"] = Value::Object(sizes.collect::<Map<_, _>>());
    }
    value
}
