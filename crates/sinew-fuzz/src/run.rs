//! Runs cases one after the other in child processes, and collects results.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Write};
use std::os::unix::fs::FileExt;
use std::panic::{self, AssertUnwindSafe};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use sinew_testkit::alloc::{peak_bytes, restart_peak};

use crate::coverage::{self, Seen};
use crate::{Outcome, Target};

/// Memory limit of a case in bytes.
pub const CASE_BYTES: usize = 2 << 30;
/// Limit of a child's address space in kilobytes; exceeding it kills the child.
const CHILD_KILOBYTES: usize = 6 << 20;
/// Stack size of the reading thread, as of threads in programs.
const STACK: usize = 2 << 20;
/// Interval of the parent's checks.
const LOOK: Duration = Duration::from_millis(100);
/// Time without CPU use after which a child counts as deadlocked.
const STANDSTILL: Duration = Duration::from_secs(300);

/// Range and limits of a run.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// Number of the first case.
    pub first: u64,
    /// Maximum number of cases.
    pub cases: u64,
    /// Seconds after which no case begins.
    pub seconds: f64,
    /// Time limit of a case in CPU seconds.
    pub limit: f64,
}

/// Results of a target.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// Number of cases.
    pub cases: u64,
    /// Number of cases whose input was accepted.
    pub accepted: u64,
    /// Total seconds.
    pub seconds: f64,
    /// Largest CPU seconds of a case, with its number.
    pub slowest: (f64, u64),
    /// Largest number of bytes of a case, with its number.
    pub largest: (usize, u64),
    /// Number of branches taken, if the build counts them.
    pub edges: usize,
    /// Number and description of each fault.
    pub faults: Vec<(u64, String)>,
}

/// Message of the last panic in any thread.
static PANIC: Mutex<Option<String>> = Mutex::new(None);

/// Takes the message of the last panic.
fn take_panic() -> Option<String> {
    PANIC.lock().unwrap_or_else(PoisonError::into_inner).take()
}

/// Stores messages of panics instead of printing them.
pub(crate) fn keep_panics() {
    panic::set_hook(Box::new(|info| {
        let text = info.to_string().replace('\n', ": ");
        *PANIC.lock().unwrap_or_else(PoisonError::into_inner) = Some(text);
    }));
}

/// Clock of this thread's CPU time; wall time on systems other than Linux.
#[derive(Debug)]
pub struct Clock {
    begin: Instant,
    schedule: Option<File>,
}

impl Clock {
    /// The clock of the calling thread.
    pub fn new() -> Clock {
        Clock { begin: Instant::now(), schedule: File::open("/proc/thread-self/schedstat").ok() }
    }

    pub(crate) fn seconds(&self) -> f64 {
        let mut text = [0; 64];
        let read = self.schedule.as_ref().and_then(|file| file.read_at(&mut text, 0).ok());
        let text = std::str::from_utf8(&text[..read.unwrap_or(0)]).unwrap_or("");
        let nanoseconds = text.split(' ').next().and_then(|n| n.parse::<f64>().ok());
        nanoseconds.map_or_else(|| self.begin.elapsed().as_secs_f64(), |n| n * 1e-9)
    }
}

impl Default for Clock {
    fn default() -> Clock {
        Clock::new()
    }
}

/// Resources used by a case.
#[derive(Clone, Copy, Debug)]
pub struct Cost {
    /// CPU seconds.
    pub seconds: f64,
    /// Peak memory in bytes.
    pub bytes: usize,
}

/// A case without a fault.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    /// Result of the input.
    pub outcome: Outcome,
    /// Resources used.
    pub cost: Cost,
}

/// Runs one case and measures its cost; the error is the fault.
pub fn run_case(target: &Target, number: u64, clock: &Clock, limit: f64) -> Result<Case, String> {
    check_case(|| (target.run)(number), clock, limit)
}

/// Passes an input to a reader and measures its cost; the error is the fault.
pub(crate) fn check_case(
    read: impl FnOnce() -> Outcome,
    clock: &Clock,
    limit: f64,
) -> Result<Case, String> {
    let before = restart_peak();
    let start = clock.seconds();
    let outcome = panic::catch_unwind(AssertUnwindSafe(read));
    let cost =
        Cost { seconds: clock.seconds() - start, bytes: peak_bytes().saturating_sub(before) };
    match (outcome, take_panic()) {
        (_, Some(words)) => Err(format!("panics: {words}")),
        (Err(_), None) => Err("panics".to_owned()),
        _ if cost.seconds > limit => Err(format!("takes {:.1} s", cost.seconds)),
        _ if cost.bytes > CASE_BYTES => Err(format!("takes {} MiB", cost.bytes >> 20)),
        (Ok(outcome), None) => Ok(Case { outcome, cost }),
    }
}

/// The child process: runs cases one after the other. The child writes the number of the current
/// case to the file `progress`, and faults and final counts to the file `report`.
pub fn child(target: &'static Target, plan: Plan, report: &Path) -> io::Result<()> {
    keep_panics();
    let progress = File::create(report.with_extension("progress"))?;
    let mut report = File::create(report)?;
    let work = move || -> io::Result<()> {
        let clock = Clock::new();
        let begin = Instant::now();
        let mut tally = Tally::default();
        let mut seen = Seen::default();
        // coverage is compared at equal CPU time
        let counting = coverage::is_counting();
        let spent = || if counting { clock.seconds() } else { begin.elapsed().as_secs_f64() };
        while spent() < plan.seconds && tally.cases < plan.cases {
            let number = plan.first + tally.cases;
            progress.write_all_at(&number.to_le_bytes(), 0)?;
            if counting {
                coverage::restart();
            }
            match run_case(target, number, &clock, plan.limit) {
                Ok(Case { outcome, cost }) => tally.add(number, outcome, cost),
                Err(fault) => {
                    tally.cases += 1;
                    writeln!(report, "fault {number} {fault}")?;
                }
            }
            if counting {
                seen.add();
                tally.edges = seen.edges;
            }
            if tally.cases.is_multiple_of(256) {
                tally.write(&report)?;
            }
        }
        tally.write(&report)
    };
    on_small_stack(work)
}

/// Runs cases in a thread with a stack of the usual size.
pub(crate) fn on_small_stack(
    work: impl FnOnce() -> io::Result<()> + Send + 'static,
) -> io::Result<()> {
    let thread = thread::Builder::new().stack_size(STACK).spawn(work)?;
    thread.join().unwrap_or_else(|_| Err(io::Error::other("the thread of the cases is lost")))
}

impl Tally {
    pub(crate) fn add(&mut self, number: u64, outcome: Outcome, cost: Cost) {
        self.cases += 1;
        self.accepted += u64::from(outcome == Outcome::Accepted);
        if cost.seconds > self.slowest.0 {
            self.slowest = (cost.seconds, number);
        }
        if cost.bytes > self.largest.0 {
            self.largest = (cost.bytes, number);
        }
    }

    pub(crate) fn write(&self, mut report: &File) -> io::Result<()> {
        let Tally { cases, accepted, edges, .. } = self;
        let (seconds, slow) = self.slowest;
        let (bytes, large) = self.largest;
        writeln!(report, "count {cases} {accepted} {seconds} {slow} {bytes} {large} {edges}")
    }

    /// Adds a child's report. If a case killed the child, `cases` is the number of cases begun.
    fn read(&mut self, report: &Path, cases: Option<u64>) -> io::Result<()> {
        // the last count, and all faults
        let mut count = String::new();
        for line in BufReader::new(File::open(report)?).lines() {
            let line = line?;
            match line.split_once(' ') {
                Some(("count", numbers)) => count = numbers.to_owned(),
                Some(("fault", words)) => {
                    let (number, words) = words.split_once(' ').unwrap_or((words, ""));
                    self.faults.push((number.parse().unwrap_or(0), words.to_owned()));
                }
                _ => {}
            }
        }

        // counts are added, extremes kept
        let numbers: Vec<f64> = count.split(' ').filter_map(|n| n.parse().ok()).collect();
        if let &[counted, accepted, seconds, slow, bytes, large, edges] = &numbers[..] {
            self.edges = self.edges.max(edges as usize);
            self.cases += cases.unwrap_or(counted as u64);
            self.accepted += accepted as u64;
            if seconds > self.slowest.0 {
                self.slowest = (seconds, slow as u64);
            }
            if bytes as usize > self.largest.0 {
                self.largest = (bytes as usize, large as u64);
            }
        }
        Ok(())
    }
}

/// Runs a target in child processes of this program. With a folder the search is guided by coverage
/// and writes new inputs there.
pub fn parent(target: &Target, plan: Plan, guided: Option<&Path>) -> io::Result<Tally> {
    let folder = std::env::temp_dir().join(format!("sinew-fuzz-{}", std::process::id()));
    fs::create_dir_all(&folder)?;
    let report = folder.join(format!("{}.txt", target.name));
    let begin = Instant::now();
    let mut tally = Tally::default();
    let mut rest = plan;

    // the next child continues after the case that killed the previous one
    while rest.seconds > 0.0 && rest.cases > 0 {
        let mut child = start(target, rest, &report, guided)?;
        let fault = watch(&mut child, &report, plan.limit)?;
        tally.read(&report, fault.as_ref().map(|(number, _)| number + 1 - rest.first))?;
        let Some((number, fault)) = fault else { break };

        // the fault and its input
        if let Some(folder) = guided {
            let name = format!("fault-{}-{number}", target.name);
            fs::copy(report.with_extension("input"), folder.join(&name))?;
        }
        tally.faults.push((number, fault));
        rest.first = number + 1;
        rest.cases = plan.first.saturating_add(plan.cases).saturating_sub(rest.first);
        rest.seconds = plan.seconds - begin.elapsed().as_secs_f64();
    }
    tally.seconds = begin.elapsed().as_secs_f64();
    let _ = fs::remove_dir_all(folder);
    Ok(tally)
}

/// Starts a child, with a memory limit if a shell can set one. The address sanitizer, detected by
/// its environment variable, has no limit because it reserves terabytes.
fn start(
    target: &Target,
    plan: Plan,
    report: &PathBuf,
    guided: Option<&Path>,
) -> io::Result<Child> {
    let program = std::env::current_exe()?;
    let sanitized = std::env::var_os("ASAN_OPTIONS").is_some();
    let most = if sanitized { "unlimited".to_owned() } else { CHILD_KILOBYTES.to_string() };
    let limit = format!("ulimit -v {most}; exec \"$0\" \"$@\"");
    let mut command = Command::new("sh");
    command.arg("-c").arg(limit).arg(program);
    match guided {
        None => command.args(["child", target.name]),
        Some(folder) => command.arg("guided").arg(folder.join(target.name)).arg(target.name),
    };
    command.args([plan.first.to_string(), plan.cases.to_string()]);
    command.args([plan.seconds.to_string(), plan.limit.to_string()]).arg(report);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn()
}

/// CPU seconds of a process, on systems that report them.
fn computed(process: u32) -> Option<f64> {
    let text = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // after the name, user and system time are words 12 and 13, in hundredths of a second
    let words: Vec<&str> = text.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks = |k: usize| words.get(k)?.parse::<f64>().ok();
    Some((ticks(11)? + ticks(12)?) / 100.0)
}

/// Waits for a child; returns the case that killed it or hangs.
fn watch(child: &mut Child, report: &Path, limit: f64) -> io::Result<Option<(u64, String)>> {
    let progress = report.with_extension("progress");
    let current =
        || fs::read(&progress).ok().and_then(|b| b.try_into().ok()).map(u64::from_le_bytes);
    let (mut last, mut since, mut busy) = (None, Instant::now(), computed(child.id()));
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
        let time = computed(child.id());
        if now != last {
            (last, since, busy) = (now, Instant::now(), time);
            continue;
        }
        // compare CPU time where known, because other processes may delay the case
        let spent = time.zip(busy).map_or(since.elapsed().as_secs_f64(), |(t, b)| t - b);
        if spent > 3.0 * limit || since.elapsed() > STANDSTILL {
            child.kill()?;
            child.wait()?;
            return Ok(now.map(|number| (number, "does not end".to_owned())));
        }
    }
}
