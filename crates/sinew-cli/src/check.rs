//! `sinew check`: compiles models and reports errors and probable faults. The exit code is 1 if any
//! model does not compile.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use serde_json::{Map, Value, json};
use sinew::Model;
use sinew::diagnose::{Finding, Weight, check};
use sinew::mjcf::spec::Source;

use crate::common::Common;
use crate::diagnostics::{self, Outcome};
use crate::divergence::finding_json;
use crate::out;
use crate::progress::Progress;

pub(crate) const EXAMPLES: &str = "Examples:
  sinew check models/*.xml
  sinew check --strict --json robot.xml";

/// The sizes in the text output; `--json` lists all.
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
    let mut progress = Progress::of(args.models.len() as u64, "models");

    // model by model
    for path in &args.models {
        let outcome = diagnostics::load(path, common);
        failures += usize::from(outcome.model.is_none());
        let file = path.display().to_string();
        if common.json {
            report.push(as_json(&file, &outcome));
        } else {
            let findings = outcome.model.as_ref().map(check);
            progress.beside(|| print_text(&file, &outcome, &findings.unwrap_or_default()))?;
        }
        progress.add(1);
    }
    progress.finish();

    // summary
    if common.json {
        out::json(&Value::Array(report))?;
    } else if args.models.len() > 1 {
        out::line(&format!("{} models, {failures} failed", args.models.len()))?;
    }
    Ok(if failures == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn print_text(file: &str, outcome: &Outcome, findings: &[Finding]) -> Result<()> {
    if !outcome.diagnostics.is_empty() {
        eprintln!("{}", outcome.text().trim_end());
    }
    match &outcome.model {
        Some(model) => {
            for finding in findings {
                let word = if finding.weight == Weight::Warning { "warning" } else { "note" };
                eprintln!("{word}[{}]: {finding}", finding.cause.code());
            }
            for class in unused_classes(&outcome.sources) {
                eprintln!("note[unused]: nothing uses the class '{class}'");
            }
            out::line(&format!("ok    {file}: {}", sizes_line(model)))
        }
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

/// Leaf classes of defaults that no element uses. A compiled model has no classes, so the source
/// texts are searched.
fn unused_classes(sources: &[Source]) -> Vec<String> {
    let mut found = Vec::new();
    let quoted = |rest: &str| {
        let quote = rest.chars().next().filter(|c| matches!(c, '"' | '\''))?;
        Some(rest[1..].split(quote).next()?.to_string())
    };
    for source in sources {
        for rest in source.text.split("<default").skip(1) {
            let (tag, inside) = rest.split_once('>').unwrap_or((rest, ""));
            let class = tag.split_once("class=").and_then(|(_, rest)| quoted(rest));
            // the piece extends to the next tag, unless the class ends before
            let is_leaf = tag.ends_with('/') || inside.contains("</default");
            let Some(class) = class.filter(|class| class != "main" && is_leaf) else { continue };
            let uses = |text: &str| {
                let named = text.split("class=").skip(1).filter_map(quoted);
                named.filter(|name| *name == class).count()
            };
            let all: usize = sources.iter().map(|source| uses(&source.text)).sum();
            if all <= 1 && !found.contains(&class) {
                found.push(class);
            }
        }
    }
    found
}

/// A size as MuJoCo's integer; an unset limit is -1, which wraps in a `usize`.
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
        value["findings"] = check(model).iter().map(finding_json).collect();
        value["unused_classes"] = json!(unused_classes(&outcome.sources));
        let sizes = Model::SIZES
            .iter()
            .filter_map(|(name, _)| Some((name.to_string(), json!(signed(model.size(name)?)))));
        value["sizes"] = Value::Object(sizes.collect::<Map<_, _>>());
    }
    value
}
