//! `sinew check`: compile models, say what is wrong, exit with 1 if any fails.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use serde_json::{Map, Value, json};
use sinew::{LoadOptions, Model};

use crate::diagnostics::{self, Outcome};

/// The sizes worth a line; `--json` gives all.
const SHOWN: [&str; 12] = [
    "nq", "nv", "nu", "na", "nbody", "njnt", "ngeom", "nsite", "nmesh", "ntendon", "nsensor",
    "nkey",
];

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Model files, MJCF or URDF
    #[arg(required = true, value_name = "MODEL")]
    models: Vec<PathBuf>,
    /// Reject everything MuJoCo rejects
    #[arg(long)]
    strict: bool,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let options = LoadOptions { strict: args.strict, ..LoadOptions::default() };
    let mut failures = 0;
    let mut report = Vec::new();
    for path in &args.models {
        let outcome = diagnostics::load(path, &options);
        failures += usize::from(outcome.model.is_none());
        let file = path.display().to_string();
        if args.json {
            report.push(as_json(&file, &outcome));
        } else {
            print_text(&file, &outcome);
        }
    }

    if args.json {
        println!("{}", serde_json::to_string_pretty(&report)?);
    } else if args.models.len() > 1 {
        println!("{} models, {failures} failed", args.models.len());
    }
    Ok(if failures == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn print_text(file: &str, outcome: &Outcome) {
    if !outcome.diagnostics.is_empty() {
        eprintln!("{}", outcome.text().trim_end());
    }
    match &outcome.model {
        Some(model) => println!("ok    {file}: {}", sizes_line(model)),
        None => println!("FAIL  {file}"),
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

fn as_json(file: &str, outcome: &Outcome) -> Value {
    let mut value = json!({
        "file": file,
        "ok": outcome.model.is_some(),
        "diagnostics": outcome.json(),
    });
    if let Some(model) = &outcome.model {
        let sizes = Model::SIZES
            .iter()
            .filter_map(|(name, _)| Some((name.to_string(), json!(model.size(name)?))));
        value["sizes"] = Value::Object(sizes.collect::<Map<_, _>>());
    }
    value
}
