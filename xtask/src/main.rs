//! `cargo xtask`: checks and automation of the workspace.

use std::process::ExitCode;

const USAGE: &str = "usage: cargo xtask tidy\n\
                     \x20      cargo xtask ci [--list] [STEP...]\n\
                     \x20      cargo xtask fuzz [--coverage | --sanitize] [--minutes N | --cases N] \
                     [--target T,...] [--first N]\n\
                     \x20      cargo xtask soak [--steps N]\n\
                     \x20      cargo xtask race REVISION\n\
                     \x20      cargo xtask guided [OPTION OF MATURIN BUILD]...\n\
                     \x20      cargo xtask learn [--python PROGRAM] [ARGUMENT OF PYTEST]...\n\
                     \x20      cargo xtask publish [--pack]\n\
                     \x20      cargo xtask ptx [--check]\n\
                     \x20      cargo xtask unsafe\n\
                     \x20      cargo xtask chart";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let result = match args.first().map(String::as_str) {
        Some("tidy") => tidy(),
        Some("ci") => xtask::ci::run(&args[1..]),
        Some("publish") => xtask::publish::run(&args[1..]),
        Some("ptx") => xtask::ptx::run(&args[1..]),
        Some("unsafe") => xtask::tidy::write_unsafe_list(&xtask::root()),
        Some("chart") => xtask::chart::write(&xtask::root()),
        Some("fuzz") => xtask::long::fuzz(&args[1..]),
        Some("guided") => xtask::guided::run(&args[1..]),
        Some("learn") => xtask::learn::run(&args[1..]),
        Some("soak") => xtask::long::soak(&args[1..]),
        Some("race") => xtask::race::run(&args[1..]),
        _ => Err(USAGE.to_string()),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

/// Runs the tidy checks and prints every finding.
fn tidy() -> Result<(), String> {
    let findings = xtask::tidy::check(&xtask::root())?;
    if findings.is_empty() {
        eprintln!("tidy: nothing to report");
        return Ok(());
    }
    let mut report = findings.join("\n");
    report.push_str(&format!("\ntidy: {} findings", findings.len()));
    Err(report)
}
