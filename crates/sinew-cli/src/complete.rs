//! `sinew complete`: scripts that complete commands and options in shells.

use std::process::ExitCode;

use anyhow::Result;
use clap_complete::Shell;

use crate::out;

pub(crate) const EXAMPLES: &str = "Examples:
  sinew complete bash > ~/.local/share/bash-completion/completions/sinew
  sinew complete zsh > ~/.zfunc/_sinew";

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Name of the shell
    shell: Shell,
}

/// Prints the completion script of the program.
pub(crate) fn run(args: &Args, mut program: clap::Command) -> Result<ExitCode> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut program, "sinew", &mut script);
    out::text(&String::from_utf8(script)?)?;
    Ok(ExitCode::SUCCESS)
}
