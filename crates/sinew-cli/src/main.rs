//! The `sinew` program: simulates models, checks and times them.

// a program talks to its user on stdout; the libraries never do
#![allow(clippy::print_stdout)]

mod archive;
mod bench;
mod check;
mod diagnostics;
mod keyframe;
mod run;
mod trajectory;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// A physics engine that reads MJCF and computes MuJoCo's numbers.
#[derive(Parser)]
#[command(name = "sinew", version, about)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Simulate a model and report how it went
    Run(run::Args),
    /// Compile models and report what is wrong with them
    Check(check::Args),
    /// Time models and show where the time goes
    Bench(bench::Args),
}

fn main() -> ExitCode {
    let result = match Cli::parse().command {
        Command::Run(args) => run::run(&args),
        Command::Check(args) => check::run(&args),
        Command::Bench(args) => bench::run(&args),
    };
    match result {
        Ok(code) => code,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}
