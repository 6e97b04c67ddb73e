//! `sinew bench`: measures the speed of models and the time of each stage.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Result, ensure};
use serde_json::{Value, json};
use sinew_workload::{Load, Rollout, StepTotals};

use crate::common::Common;
use crate::progress::Progress;
use crate::{diagnostics, keyframe, out};

pub(crate) const EXAMPLES: &str = "Examples:
  sinew bench models/humanoid.xml models/pile.xml
  sinew bench robot.xml --key home --steps 5000 --json";

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Model files: MJCF, URDF or MJB
    #[arg(required = true)]
    models: Vec<PathBuf>,
    /// Steps that are timed
    #[arg(long, default_value_t = 1000, value_name = "N")]
    steps: usize,
    /// Warm-up steps that are not timed
    #[arg(long, default_value_t = 100, value_name = "N")]
    warmup: usize,
    /// Number of repetitions of the same steps; the fastest counts
    #[arg(long, default_value_t = 5, value_name = "N")]
    repeat: usize,
    /// Keyframe to start from, by name or number
    #[arg(long, value_name = "K")]
    key: Option<String>,
    /// Amplitude of the random controls, as a share of half their range
    #[arg(long, default_value_t = 0.1, value_name = "X")]
    control: f64,
    /// Seed of the controls
    #[arg(long, default_value_t = 1, value_name = "S")]
    seed: u64,
}

pub(crate) fn run(args: &Args, common: &Common) -> Result<ExitCode> {
    ensure!(args.steps > 0 && args.repeat > 0, "wanted at least one step and one repetition");
    let mut figures = Vec::new();
    for path in &args.models {
        let figure = measure(args, path, common)?;
        if !common.json {
            out::text(&figure.text())?;
        }
        figures.push(figure.json());
    }
    if common.json {
        out::json(&Value::Array(figures))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Timing of one model.
struct Figure {
    model: String,
    dofs: usize,
    timestep: f64,
    steps: usize,
    repeat: usize,
    /// CPU seconds of the fastest repetition.
    seconds: f64,
    work: StepTotals,
}

fn measure(args: &Args, path: &Path, common: &Common) -> Result<Figure> {
    let model = diagnostics::model(path, common)?;
    let key = args.key.as_deref().map(|key| keyframe::find(&model, key)).transpose()?;
    let load = Load { key, seed: args.seed, scale: args.control };
    let mut rollout = Rollout::new(model, load)?;
    let mut progress = Progress::new(((args.repeat + 1) * (args.warmup + args.steps)) as u64);

    // every run starts from the same state and is warmed up
    let mut timed = |stages: bool| {
        rollout.reset();
        rollout.run(args.warmup, false);
        let work = rollout.run(args.steps, stages);
        progress.add((args.warmup + args.steps) as u64);
        work
    };

    // the fastest run counts; stages are timed in one more run
    let seconds = (0..args.repeat).map(|_| timed(false).cpu).fold(f64::INFINITY, f64::min);
    let work = timed(true);
    progress.finish();
    Ok(Figure {
        model: path.display().to_string(),
        dofs: rollout.model.nv,
        timestep: rollout.model.opt.timestep,
        steps: args.steps,
        repeat: args.repeat,
        seconds,
        work,
    })
}

impl Figure {
    fn per_step(&self, total: f64) -> f64 {
        total / self.steps as f64
    }

    fn text(&self) -> String {
        let mut text = format!(
            "{}\n  speed    {:.0} steps/s, {:.2} us/step, {:.1} x real time \
             (CPU time, fastest of {})\n\
             \x20 load     {} dofs, {:.1} contacts, {:.1} rows, {:.2} solver iterations\n",
            self.model,
            self.steps as f64 / self.seconds,
            self.per_step(self.seconds) * 1e6,
            self.steps as f64 * self.timestep / self.seconds,
            match self.repeat {
                1 => "1 run".to_string(),
                n => format!("{n} runs"),
            },
            self.dofs,
            self.per_step(self.work.contacts),
            self.per_step(self.work.rows),
            self.per_step(self.work.iterations),
        );

        // stages; the remainder is "other"
        text.push_str("  stages   of one more run (wall time of a step, with the timers' own)\n");
        let mut rest = self.per_step(self.work.step_seconds()) * 1e6;
        let total = rest;
        for (stage, us) in self.stages() {
            text.push_str(&format!("    {stage:<18} {us:9.2} us\n"));
            rest -= us;
        }
        text.push_str(&format!(
            "    {:<18} {rest:9.2} us\n    {:<18} {total:9.2} us\n",
            "other", "total"
        ));
        text
    }

    fn json(&self) -> Value {
        let stages: serde_json::Map<_, _> =
            self.stages().map(|(stage, us)| (stage.to_string(), json!(us))).collect();
        json!({
            "model": self.model,
            "nv": self.dofs,
            "steps": self.steps,
            "clock": "cpu",
            "stages_clock": "wall",
            "steps_per_second": self.steps as f64 / self.seconds,
            "us_per_step": self.per_step(self.seconds) * 1e6,
            "ncon": self.per_step(self.work.contacts),
            "nefc": self.per_step(self.work.rows),
            "niter": self.per_step(self.work.iterations),
            "nisland": self.per_step(self.work.islands),
            "warnings": self.work.warnings,
            "stages_us": stages,
            "step_us": self.per_step(self.work.step_seconds()) * 1e6,
        })
    }

    /// Microseconds per step of each stage; stages do not overlap.
    fn stages(&self) -> impl Iterator<Item = (&'static str, f64)> {
        self.work.named_stages().map(|(stage, seconds)| (stage, self.per_step(seconds) * 1e6))
    }
}
