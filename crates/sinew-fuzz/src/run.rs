//! Cases one after the other in child processes, and what to tell of them.

use std::cell::RefCell;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Write};
use std::os::unix::fs::FileExt;
use std::panic::{self, AssertUnwindSafe};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use sinew_testkit::alloc::{peak_bytes, restart_peak};

use crate::{Outcome, Target};

/// Longest time of a case; unoptimised programs on busy machines take longer.
pub const CASE_SECONDS: u64 = if cfg!(debug_assertions) { 30 } else { 5 };
/// Most memory of a case, bytes.
pub const CASE_BYTES: usize = 2 << 30;
/// Most address space of a child, kilobytes: what goes beyond ends it.
const CHILD_KILOBYTES: usize = 6 << 20;
/// Stack of the thread that reads, as threads of programs have it.
const STACK: usize = 2 << 20;
/// How often the parent looks.
const LOOK: Duration = Duration::from_millis(100);

/// What was seen of a target.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// Cases that were tried.
    pub cases: u64,
    /// Cases whose input was accepted.
    pub accepted: u64,
    /// Seconds that they took.
    pub seconds: f64,
    /// Case and what was wrong with it.
    pub faults: Vec<(u64, String)>,
}

thread_local! {
    static PANIC: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Keeps what a panic says instead of printing it.
fn keep_panics() {
    panic::set_hook(Box::new(|info| {
        let text = info.to_string().replace('\n', ": ");
        PANIC.with(|kept| *kept.borrow_mut() = text);
    }));
}

/// Runs one case; the fault, if there is one.
pub fn run_case(target: &Target, number: u64) -> Result<Outcome, String> {
    let before = restart_peak();
    let start = Instant::now();
    let outcome = panic::catch_unwind(AssertUnwindSafe(|| (target.run)(number)))
        .map_err(|_| PANIC.with(|kept| format!("panics: {}", kept.borrow())))?;
    let seconds = start.elapsed().as_secs_f64();
    if seconds > CASE_SECONDS as f64 {
        return Err(format!("takes {seconds:.1} s"));
    }
    let bytes = peak_bytes().saturating_sub(before);
    if bytes > CASE_BYTES {
        return Err(format!("takes {} MiB", bytes >> 20));
    }
    Ok(outcome)
}

/// The child: cases from `first` on for some time, each announced in the file `progress`, faults
/// and at the end the numbers in the file `report`.
pub fn child(target: &'static Target, first: u64, seconds: f64, report: &Path) -> io::Result<()> {
    keep_panics();
    let progress = File::create(report.with_extension("progress"))?;
    let mut report = File::create(report)?;
    let work = move || -> io::Result<()> {
        let begin = Instant::now();
        let (mut cases, mut accepted, mut number) = (0u64, 0u64, first);
        while begin.elapsed().as_secs_f64() < seconds {
            progress.write_all_at(&number.to_le_bytes(), 0)?;
            match run_case(target, number) {
                Ok(outcome) => accepted += u64::from(outcome == Outcome::Accepted),
                Err(fault) => writeln!(report, "fault {number} {fault}")?,
            }
            cases += 1;
            number += 1;
            if cases.is_multiple_of(256) {
                writeln!(report, "count {cases} {accepted}")?;
            }
        }
        writeln!(report, "count {cases} {accepted}")
    };
    let thread = thread::Builder::new().stack_size(STACK).spawn(work)?;
    thread.join().unwrap_or_else(|_| Err(io::Error::other("the thread of the cases is lost")))
}

/// Runs a target in child processes of this program for some time.
pub fn parent(target: &Target, first: u64, seconds: f64) -> io::Result<Tally> {
    let folder = std::env::temp_dir().join(format!("sinew-fuzz-{}", std::process::id()));
    fs::create_dir_all(&folder)?;
    let report = folder.join(format!("{}.txt", target.name));
    let begin = Instant::now();
    let mut tally = Tally::default();
    let mut next = first;
    loop {
        let left = seconds - begin.elapsed().as_secs_f64();
        if left <= 0.0 {
            break;
        }
        let mut child = start(target, next, left, &report)?;
        let fault = watch(&mut child, &report)?;
        read_report(&report, &mut tally)?;
        match fault {
            Some((number, fault)) => {
                tally.faults.push((number, fault));
                next = number + 1;
            }
            None => break,
        }
    }
    tally.seconds = begin.elapsed().as_secs_f64();
    let _ = fs::remove_dir_all(folder);
    Ok(tally)
}

/// Starts a child, with a limit on its memory where a shell can set one.
fn start(target: &Target, first: u64, seconds: f64, report: &PathBuf) -> io::Result<Child> {
    let program = std::env::current_exe()?;
    let limit = format!("ulimit -v {CHILD_KILOBYTES}; exec \"$0\" \"$@\"");
    let mut command = Command::new("sh");
    command.arg("-c").arg(limit).arg(program);
    command.args(["child", target.name, &first.to_string(), &seconds.to_string()]).arg(report);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn()
}

/// Waits for a child; the case that ended it or that does not end.
fn watch(child: &mut Child, report: &Path) -> io::Result<Option<(u64, String)>> {
    let progress = report.with_extension("progress");
    let current =
        || fs::read(&progress).ok().and_then(|b| b.try_into().ok()).map(u64::from_le_bytes);
    let (mut last, mut since) = (None, Instant::now());
    loop {
        thread::sleep(LOOK);
        let now = current();
        if let Some(status) = child.try_wait()? {
            return Ok(match now {
                _ if status.success() => None,
                Some(number) => Some((number, format!("ends the process: {status}"))),
                None => return Err(io::Error::other(format!("a child does not start: {status}"))),
            });
        }
        if now != last {
            (last, since) = (now, Instant::now());
        } else if since.elapsed().as_secs() > 3 * CASE_SECONDS {
            child.kill()?;
            child.wait()?;
            return Ok(now.map(|number| (number, "does not end".to_owned())));
        }
    }
}

/// Adds what a child has written.
fn read_report(report: &Path, tally: &mut Tally) -> io::Result<()> {
    let (mut cases, mut accepted) = (0, 0);
    for line in BufReader::new(File::open(report)?).lines() {
        let line = line?;
        let mut words = line.splitn(3, ' ');
        let (kind, first, second) = (words.next(), words.next(), words.next());
        let number = first.and_then(|n| n.parse::<u64>().ok()).unwrap_or(0);
        match kind {
            Some("fault") => {
                tally.faults.push((number, second.unwrap_or("").to_owned()));
            }
            Some("count") => {
                (cases, accepted) = (number, second.and_then(|n| n.parse().ok()).unwrap_or(0));
            }
            _ => {}
        }
    }
    tally.cases += cases;
    tally.accepted += accepted;
    Ok(())
}
