//! `sinew run`: simulates a model and prints a summary.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Result, ensure};
use serde_json::{Value, json};
use sinew::diagnose::{Finding, Signs, Watch};
use sinew::model::enums::Warning;
use sinew::{Data, Model};

use crate::common::Common;
use crate::divergence::{Divergence, finding_json};
use crate::progress::Progress;
use crate::recording::{Format, Recording};
use crate::{diagnostics, keyframe, out};

pub(crate) const EXAMPLES: &str = "Examples:
  sinew run models/humanoid.xml --time 10
  sinew run models/arm.xml --key home --out arm.npz
  sinew run models/pile.xml --set option.timestep=0.001 --json";

/// Default simulated time in seconds.
const DEFAULT_TIME: f64 = 10.0;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Model file: MJCF, URDF or MJB
    model: PathBuf,
    /// Simulated time in seconds [default: 10]
    #[arg(long, conflicts_with = "steps", value_name = "T")]
    time: Option<f64>,
    /// Number of steps
    #[arg(long, value_name = "N")]
    steps: Option<u64>,
    /// Keyframe to start from, by name or number
    #[arg(long, value_name = "K")]
    key: Option<String>,
    /// Write the states of all steps to FILE.npz, FILE.csv or FILE.mcap
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

pub(crate) fn run(args: &Args, common: &Common) -> Result<ExitCode> {
    // model, initial state and optional recording
    if let Some(out) = &args.out {
        Format::of(out)?;
    }
    let model = diagnostics::model(&args.model, common)?;
    let steps = steps(args, &model)?;
    let mut data = start(args, &model)?;
    let mut record = match &args.out {
        Some(out) => {
            let rows = usize::try_from(steps)?.saturating_add(1);
            let record = Recording::new(&model, &data, &args.model, rows)?;
            Some(record.with_scene(&model, out)?)
        }
        None => None,
    };

    // steps
    let (elapsed, signs, bad) = simulate(&model, &mut data, steps, record.as_mut());
    let bad = bad.map(|watch| Divergence::new(&model, &watch, &args.model, args.out.as_deref()));
    if let (Some(path), Some(record)) = (&args.out, &record) {
        record.write(path)?;
    }

    // summary, and the cause of a bad state
    let summary = Summary { signs, ..Summary::new(&model, &mut data, steps, elapsed) };
    if common.json {
        let mut value = summary.json(args);
        value["divergence"] = bad.as_ref().map_or(Value::Null, Divergence::json);
        out::json(&value)?;
    } else {
        if let Some(bad) = &bad {
            eprint!("{}", bad.text(&args.model));
        }
        out::text(&summary.text(args))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The number of steps, given directly or as a time.
fn steps(args: &Args, model: &Model) -> Result<u64> {
    if let Some(steps) = args.steps {
        return Ok(steps);
    }
    let (time, dt) = (args.time.unwrap_or(DEFAULT_TIME), model.opt.timestep);
    ensure!(time >= 0.0 && time.is_finite(), "--time {time}: wanted a number of seconds");
    ensure!(dt > 0.0, "the model's timestep is {dt}; use --steps");
    let steps = (time / dt).round();
    ensure!(steps < 1e15, "{time} s are {steps:e} steps; that is too many");
    Ok(steps as u64)
}

/// The initial state or a keyframe.
fn start(args: &Args, model: &Model) -> Result<Data> {
    let mut data = Data::new(model);
    if let Some(key) = &args.key {
        let index = keyframe::find(model, key)?;
        sinew::reset_data_keyframe(model, &mut data, index);
    }
    Ok(data)
}

/// Simulates with a progress bar on a terminal. Returns the elapsed seconds, the signs of a wrong
/// simulation, and the watch if a state went bad.
fn simulate(
    m: &Model,
    d: &mut Data,
    steps: u64,
    mut record: Option<&mut Recording>,
) -> (f64, Vec<Finding>, Option<Watch>) {
    let begin = Instant::now();
    let mut signs = Signs::new(m, d);
    let (mut watch, mut bad) = (Some(Watch::new(m)), None);
    let mut progress = Progress::new(steps);

    // record the initial state
    if let Some(record) = record.as_deref_mut() {
        record.push(m, d);
    }

    // the watch stops at the first bad state
    for _ in 0..steps {
        if let Some(watch) = &mut watch {
            watch.before(m, d);
        }
        sinew::step(m, d);
        bad = bad.or_else(|| watch.take_if(|watch| watch.diverged(d)));
        if bad.is_none() {
            signs.after(m, d);
        }
        if let Some(record) = record.as_deref_mut() {
            record.push(m, d);
        }
        progress.add(1);
    }
    progress.finish();
    (begin.elapsed().as_secs_f64(), signs.findings(m), bad)
}

/// Summary of a run.
struct Summary {
    steps: u64,
    elapsed: f64,
    simulated: f64,
    time: f64,
    potential: f64,
    kinetic: f64,
    warnings: Vec<(&'static str, i32)>,
    /// Signs of a wrong simulation.
    signs: Vec<Finding>,
}

impl Summary {
    fn new(m: &Model, d: &mut Data, steps: u64, elapsed: f64) -> Summary {
        let warnings = d.warning;
        let time = d.time;

        // the energy of the final state, also if the model does not compute it at every step
        sinew::forward(m, d);
        sinew::engine::energy_pos(m, d);
        sinew::engine::energy_vel(m, d);
        Summary {
            steps,
            elapsed,
            simulated: steps as f64 * m.opt.timestep,
            time,
            potential: d.energy[0],
            kinetic: d.energy[1],
            warnings: counted(&warnings.map(|w| w.number)),
            signs: Vec::new(),
        }
    }

    fn steps_per_second(&self) -> f64 {
        self.steps as f64 / self.elapsed.max(1e-9)
    }

    fn real_time_factor(&self) -> f64 {
        self.simulated / self.elapsed.max(1e-9)
    }

    fn text(&self, args: &Args) -> String {
        let counts = self.warnings.iter().map(|(what, n)| format!("{what} ({n} times)"));
        let counts = counts.collect::<Vec<_>>().join(", ");
        let signs = self.signs.iter().map(|sign| sign.text.clone());
        let lines: Vec<String> =
            Some(counts).filter(|counts| !counts.is_empty()).into_iter().chain(signs).collect();
        let warnings = match lines.is_empty() {
            true => "none".to_string(),
            false => lines.join("\n          "),
        };
        let mut text = format!(
            "{}: {} steps, {:.3} s simulated in {:.3} s\n\
             speed     {:.0} steps/s, {:.1} x real time\n\
             energy    potential {:.6} J, kinetic {:.6} J\n\
             warnings  {warnings}\n",
            args.model.display(),
            self.steps,
            self.simulated,
            self.elapsed,
            self.steps_per_second(),
            self.real_time_factor(),
            self.potential,
            self.kinetic,
        );
        if let Some(out) = &args.out {
            text.push_str(&format!("written   {} ({} states)\n", out.display(), self.steps + 1));
        }
        text
    }

    fn json(&self, args: &Args) -> Value {
        let warnings: Vec<Value> =
            self.warnings.iter().map(|(what, n)| json!({ "kind": what, "count": n })).collect();
        json!({
            "model": args.model.display().to_string(),
            "steps": self.steps,
            "time": self.time,
            "simulated": self.simulated,
            "elapsed": self.elapsed,
            "steps_per_second": self.steps_per_second(),
            "real_time_factor": self.real_time_factor(),
            "energy": { "potential": self.potential, "kinetic": self.kinetic },
            "warnings": warnings,
            "signs": self.signs.iter().map(finding_json).collect::<Vec<_>>(),
            "out": args.out.as_ref().map(|p| p.display().to_string()),
        })
    }
}

/// Descriptions and counts of the warnings that occurred.
fn counted(numbers: &[i32; 8]) -> Vec<(&'static str, i32)> {
    let words = [
        (Warning::Inertia, "inertia matrix close to singular"),
        (Warning::Contactfull, "too many contacts"),
        (Warning::Cnstrfull, "too many constraints"),
        (Warning::Badqpos, "bad qpos, state reset"),
        (Warning::Badqvel, "bad qvel, state reset"),
        (Warning::Badqacc, "bad qacc, state reset"),
        (Warning::Badctrl, "bad ctrl, ignored"),
    ];
    let count = |w: Warning| usize::try_from(w.0).ok().and_then(|k| numbers.get(k).copied());
    words
        .iter()
        .filter_map(|&(warning, text)| Some((text, count(warning).filter(|n| *n > 0)?)))
        .collect()
}
