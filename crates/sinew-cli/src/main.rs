//! The `sinew` program: simulates models, checks, times, compares and converts them.

// the program prints to stdout; the libraries do not
#![allow(clippy::print_stdout)]
#![cfg_attr(test, allow(clippy::unwrap_used))]

mod bench;
mod check;
mod common;
mod complete;
mod convert;
mod diagnostics;
mod diff;
mod divergence;
mod explain;
mod figure;
mod figure_png;
mod figure_svg;
mod fit;
mod info;
mod keyframe;
mod new_task;
mod out;
mod plot;
mod progress;
mod recording;
mod render;
mod replay;
mod run;
mod settings;
mod video;
mod view;
mod zip;

use std::process::ExitCode;

use anyhow::Result;
use clap::{CommandFactory, Parser, Subcommand};
use serde_json::json;

use common::Common;
use diagnostics::BadModel;

/// A physics engine that reads MJCF and computes MuJoCo's numbers.
#[derive(Parser)]
#[command(name = "sinew", version, about, propagate_version = true)]
struct Cli {
    #[command(flatten)]
    common: Common,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Simulate a model and report how it went
    #[command(after_help = run::EXAMPLES)]
    Run(run::Args),
    /// Compile models and report their mistakes and risks
    #[command(after_help = check::EXAMPLES)]
    Check(check::Args),
    /// Time models and show where the time goes
    #[command(after_help = bench::EXAMPLES)]
    Bench(bench::Args),
    /// Show the tree of bodies, and the targets of actuators and sensors
    #[command(after_help = info::EXAMPLES)]
    Info(info::Args),
    /// Convert MJCF or URDF to one MJCF file, an archive with its assets, or a binary model
    #[command(after_help = convert::EXAMPLES)]
    Convert(convert::Args),
    /// Compare two models, or two recordings
    #[command(after_help = diff::EXAMPLES)]
    Diff(diff::Args),
    /// Run a recording again and compare every step
    #[command(after_help = replay::EXAMPLES)]
    Replay(replay::Args),
    /// Draw a model: a picture or a video
    #[command(after_help = render::EXAMPLES)]
    Render(render::Args),
    /// Show a model in the browser: pull it, pause, step, scrub, plot
    #[command(after_help = view::EXAMPLES)]
    View(view::Args),
    /// Draw recorded quantities over time
    #[command(after_help = plot::EXAMPLES)]
    Plot(plot::Args),
    /// Fit parameters of a model to a recording, with their uncertainties
    #[command(after_help = fit::EXAMPLES)]
    Fit(fit::Args),
    /// Say how soft a contact is, in newtons and metres
    #[command(after_help = explain::EXAMPLES)]
    Explain(explain::Args),
    /// Write a task for learning with a robot, its test and the command that trains it
    #[command(after_help = new_task::EXAMPLES)]
    NewTask(new_task::Args),
    /// Print a script that completes commands in a shell
    #[command(after_help = complete::EXAMPLES)]
    Complete(complete::Args),
}

fn main() -> ExitCode {
    let Cli { common, command } = Cli::parse();
    let result = match command {
        Command::Run(args) => run::run(&args, &common),
        Command::Check(args) => check::run(&args, &common),
        Command::Bench(args) => bench::run(&args, &common),
        Command::Info(args) => info::run(&args, &common),
        Command::Convert(args) => convert::run(&args, &common),
        Command::Diff(args) => diff::run(&args, &common),
        Command::Replay(args) => replay::run(&args, &common),
        Command::Render(args) => render::run(&args, &common),
        Command::View(args) => view::run(&args, &common),
        Command::Plot(args) => plot::run(&args, &common),
        Command::Fit(args) => fit::run(&args, &common),
        Command::Explain(args) => explain::run(&args, &common),
        Command::NewTask(args) => new_task::run(&args, &common),
        Command::Complete(args) => complete::run(&args, Cli::command()),
    };
    match result {
        Ok(code) => code,
        Err(error) if out::is_closed(&error) => ExitCode::SUCCESS,
        Err(error) => {
            // if the report cannot be written, the exit code remains
            let _ = report(&error, &common);
            ExitCode::FAILURE
        }
    }
}

/// Reports an error: as text on stderr, or with `--json` on stdout.
fn report(error: &anyhow::Error, common: &Common) -> Result<()> {
    let bad = error.downcast_ref::<BadModel>();
    if common.json {
        let mut value = json!({ "ok": false, "error": format!("{error:#}") });
        if let Some(bad) = bad {
            value["diagnostics"] = bad.outcome.json();
        }
        return out::json(&value);
    }
    if let Some(bad) = bad {
        eprintln!("{}", bad.outcome.text().trim_end());
    }
    eprintln!("error: {error:#}");
    Ok(())
}
