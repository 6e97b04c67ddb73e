//! `cargo xtask tidy | ci`: what the workspace checks about itself.

use std::process::ExitCode;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let result = match args.first().map(String::as_str) {
        Some("tidy") => tidy(),
        Some("ci") => xtask::ci::run(&args[1..]),
        _ => Err("usage: cargo xtask tidy | ci [--list] [STEP...]".to_string()),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

/// Runs the tidy checks and reports every finding.
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
