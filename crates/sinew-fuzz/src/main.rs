//! Fuzzes readers in child processes:
//! `sinew-fuzz [--minutes N | --seconds N | --cases N] [--target T,...] [--first N] [--limit S]`.
//! A case may take `S` seconds. With `--guided FOLDER` inputs that take a new branch are kept in a
//! folder for each target, and mutated further. The command `sinew-fuzz minimise TARGET FOLDER`
//! keeps the smallest of them with the same coverage. Both need a build that counts branches
//! (`cargo xtask fuzz --coverage`).
//!
//! Three commands run single cases:
//!
//! - `sinew-fuzz case TARGET NUMBER` runs one case in this process and prints its panic;
//! - `sinew-fuzz read FILE...` does the same with model files, XML or MJB;
//! - `sinew-fuzz write TARGET FIRST COUNT FOLDER` writes inputs as files, for other programs.
// the program prints to stdout; the libraries do not
#![allow(clippy::print_stdout)]

use std::fs;
use std::path::Path;
use std::process::ExitCode;

use sinew_fuzz::run::Plan;
use sinew_fuzz::{TARGETS, Target, coverage, guided, run, target};
use sinew_testkit::alloc::CountingAllocator;

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

const USAGE: &str = "usage: sinew-fuzz [--minutes N | --seconds N | --cases N] [--target T,...] \
                     [--first N] [--limit S] [--guided FOLDER]\n\
                     \x20      sinew-fuzz case TARGET NUMBER\n\
                     \x20      sinew-fuzz minimise TARGET FOLDER\n\
                     \x20      sinew-fuzz read FILE...\n\
                     \x20      sinew-fuzz write TARGET FIRST COUNT FOLDER";

/// Maximum number of bytes of a target's committed inputs.
const KEPT_BYTES: usize = 100_000;

/// Default time limit of a case in CPU seconds. Unoptimised builds have a larger limit because they
/// are slower.
const LIMIT: f64 = if cfg!(debug_assertions) { 30.0 } else { 5.0 };

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = args.iter().map(String::as_str).collect();
    let result = match words[..] {
        ["child", name, ref numbers @ .., report] => child(name, numbers, report),
        ["guided", folder, name, ref numbers @ .., report] => {
            guided_child(folder, name, numbers, report)
        }
        ["minimise", name, folder] => minimise(name, folder),
        ["case", name, number] => case(name, number),
        ["read", ref files @ ..] => read(files),
        ["write", name, first, count, folder] => write(name, first, count, folder),
        _ => all(&words),
    };
    match result {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

fn find(name: &str) -> Result<&'static Target, String> {
    target::find(name).ok_or_else(|| {
        let names: Vec<&str> = TARGETS.iter().map(|t| t.name).collect();
        format!("no target named {name}; there are {}", names.join(", "))
    })
}

fn number<T: std::str::FromStr>(text: &str) -> Result<T, String> {
    text.parse().map_err(|_| format!("'{text}' is no number\n{USAGE}"))
}

fn plan(numbers: &[&str]) -> Result<Plan, String> {
    let [first, cases, seconds, limit] = numbers else { return Err(USAGE.to_owned()) };
    Ok(Plan {
        first: number(first)?,
        cases: number(cases)?,
        seconds: number(seconds)?,
        limit: number(limit)?,
    })
}

fn child(name: &str, numbers: &[&str], report: &str) -> Result<bool, String> {
    run::child(find(name)?, plan(numbers)?, Path::new(report)).map_err(|e| e.to_string())?;
    Ok(true)
}

fn guided_child(folder: &str, name: &str, numbers: &[&str], report: &str) -> Result<bool, String> {
    let (report, folder) = (Path::new(report), Path::new(folder));
    guided::child(find(name)?, plan(numbers)?, report, folder).map_err(|e| e.to_string())?;
    Ok(true)
}

/// Removes the inputs of a folder whose coverage smaller inputs have.
fn minimise(name: &str, folder: &str) -> Result<bool, String> {
    let done = guided::minimise(find(name)?, Path::new(folder), KEPT_BYTES);
    let (number, bytes) = done.map_err(|e| e.to_string())?;
    println!("{name}: {number} inputs, {bytes} bytes");
    Ok(true)
}

fn case(name: &str, text: &str) -> Result<bool, String> {
    let outcome = (find(name)?.run)(number(text)?);
    println!("{name} {text}: {outcome:?}");
    Ok(true)
}

/// Reads model files and exercises the engine with accepted models.
fn read(files: &[&str]) -> Result<bool, String> {
    for file in files {
        match sinew_fuzz::read_model(Path::new(file)) {
            Ok(()) => println!("{file}: accepted"),
            Err(reason) => println!("{file}: {reason}"),
        }
    }
    Ok(true)
}

/// Writes the inputs of cases, each to its own folder.
fn write(name: &str, first: &str, count: &str, folder: &str) -> Result<bool, String> {
    let target = find(name)?;
    let files = target.write.ok_or_else(|| format!("the inputs of {name} are no files"))?;
    let first: u64 = number(first)?;
    for case in first..first + number::<u64>(count)? {
        let folder = Path::new(folder).join(format!("{name}-{case}"));
        fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
        for (k, (name, bytes)) in files(case).into_iter().enumerate() {
            if k == 0 {
                fs::write(folder.join("MODEL"), &name).map_err(|e| e.to_string())?;
            }
            fs::write(folder.join(&name), bytes).map_err(|e| format!("{name}: {e}"))?;
        }
    }
    Ok(true)
}

/// Runs some or all targets, each for its share of the time, and prints a table. Returns whether
/// there were no faults.
fn all(words: &[&str]) -> Result<bool, String> {
    // arguments
    let mut plan = Plan { first: 1, cases: u64::MAX, seconds: f64::INFINITY, limit: LIMIT };
    let mut targets: Vec<&Target> = TARGETS.iter().collect();
    let mut found = None;
    for pair in words.chunks(2) {
        match pair {
            ["--minutes", n] => plan.seconds = 60.0 * number::<f64>(n)?,
            ["--seconds", n] => plan.seconds = number(n)?,
            ["--cases", n] => plan.cases = number(n)?,
            ["--first", n] => plan.first = number(n)?,
            ["--limit", n] => plan.limit = number(n)?,
            ["--guided", folder] => found = Some(Path::new(*folder)),
            ["--target", names] => {
                targets = names.split(',').map(find).collect::<Result<_, String>>()?;
            }
            _ => return Err(USAGE.to_owned()),
        }
    }

    // guided runs need counters, and targets with seeds
    if found.is_some() {
        if !coverage::is_counting() {
            return Err(
                "the program was built without counters: cargo xtask fuzz --coverage".into()
            );
        }
        targets.retain(|target| target.guide.is_some());
    }
    if plan.seconds.is_infinite() && plan.cases == u64::MAX {
        plan.seconds = 60.0;
    }
    plan.seconds /= targets.len() as f64;

    // a row for each target
    println!(
        "{:8} {:>10} {:>10} {:>8} {:>8} {:>8} {:>7}{}",
        "target",
        "cases",
        "accepted",
        "seconds",
        "slowest",
        "MiB",
        "faults",
        if coverage::is_counting() { "    edges" } else { "" },
    );
    let mut clean = true;
    for target in targets {
        let tally = run::parent(target, plan, found).map_err(|e| e.to_string())?;
        println!(
            "{:8} {:10} {:10} {:8.1} {:8.2} {:8} {:7}{}",
            target.name,
            tally.cases,
            tally.accepted,
            tally.seconds,
            tally.slowest.0,
            tally.largest.0 >> 20,
            tally.faults.len(),
            if coverage::is_counting() { format!(" {:8}", tally.edges) } else { String::new() },
        );
        print_faults(target.name, &tally.faults);
        clean &= tally.faults.is_empty();
    }
    Ok(clean)
}

/// Prints one of the faults that differ in numbers alone, and their count.
fn print_faults(target: &str, faults: &[(u64, String)]) {
    let alike = |fault: &str| fault.replace(|c: char| c.is_ascii_digit(), "");
    let mut shown: Vec<String> = Vec::new();
    for (number, fault) in faults {
        let kind = alike(fault);
        if shown.contains(&kind) {
            continue;
        }
        let count = faults.iter().filter(|(_, other)| alike(other) == kind).count();
        println!("  {target} {number}: {fault} ({count} such)");
        shown.push(kind);
    }
}
