//! Cases one after the other in child processes, and what to tell of them.

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

/// Most memory of a case, bytes.
pub const CASE_BYTES: usize = 2 << 30;
/// Most address space of a child, kilobytes: what goes beyond ends it.
const CHILD_KILOBYTES: usize = 6 << 20;
/// Stack of the thread that reads, as threads of programs have it.
const STACK: usize = 2 << 20;
/// How often the parent looks.
const LOOK: Duration = Duration::from_millis(100);
/// How long a child may stand still without computing: its threads wait for each other.
const STANDSTILL: Duration = Duration::from_secs(300);

/// What to run.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// Number of the first case.
    pub first: u64,
    /// Most cases.
    pub cases: u64,
    /// Seconds after which no case is begun.
    pub seconds: f64,
    /// Longest time of a case, seconds of the processor.
    pub limit: f64,
}

/// What was seen of a target.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// Cases that were tried.
    pub cases: u64,
    /// Cases whose input was accepted.
    pub accepted: u64,
    /// Seconds that they took.
    pub seconds: f64,
    /// Most seconds of the processor for a case, and its number.
    pub slowest: (f64, u64),
    /// Most bytes of a case, and its number.
    pub largest: (usize, u64),
    /// Branches that were taken, where the program counts them.
    pub edges: usize,
    /// Case and what was wrong with it.
    pub faults: Vec<(u64, String)>,
}

/// What the last panic said, whichever thread it was in.
static PANIC: Mutex<Option<String>> = Mutex::new(None);

/// What a panic has said since the last call.
fn take_panic() -> Option<String> {
    PANIC.lock().unwrap_or_else(PoisonError::into_inner).take()
}

/// Keeps what a panic says instead of printing it.
pub(crate) fn keep_panics() {
    panic::set_hook(Box::new(|info| {
        let text = info.to_string().replace('\n', ": ");
        *PANIC.lock().unwrap_or_else(PoisonError::into_inner) = Some(text);
    }));
}

/// The seconds that this thread has computed; on other systems than Linux, those that have passed.
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

/// What a case has taken.
#[derive(Clone, Copy, Debug)]
pub struct Cost {
    /// Seconds of the processor.
    pub seconds: f64,
    /// Bytes at most.
    pub bytes: usize,
}

/// A case that went well.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    /// What became of it.
    pub outcome: Outcome,
    /// What it took.
    pub cost: Cost,
}

/// Runs one case and says what it took; the fault, if there is one.
pub fn run_case(target: &Target, number: u64, clock: &Clock, limit: f64) -> Result<Case, String> {
    check_case(|| (target.run)(number), clock, limit)
}

/// Gives an input to a reader and says what it took; the fault, if there is one.
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

/// The child: cases one after the other, each announced in the file `progress`, faults and at the
/// end the numbers in the file `report`.
pub fn child(target: &'static Target, plan: Plan, report: &Path) -> io::Result<()> {
    keep_panics();
    let progress = File::create(report.with_extension("progress"))?;
    let mut report = File::create(report)?;
    let work = move || -> io::Result<()> {
        let clock = Clock::new();
        let begin = Instant::now();
        let mut tally = Tally::default();
        let mut seen = Seen::default();
        // who counts branches compares what is reached in the same time of the processor
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

/// Runs cases in a thread whose stack is as large as those of programs.
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

    /// Adds what a child has written; `cases` of them were begun where one of them ended the child.
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

        // counts are added up, extremes kept
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

/// Runs a target in child processes of this program; guided by what they reach, if there is a
/// folder for what they find.
pub fn parent(target: &Target, plan: Plan, guided: Option<&Path>) -> io::Result<Tally> {
    let folder = std::env::temp_dir().join(format!("sinew-fuzz-{}", std::process::id()));
    fs::create_dir_all(&folder)?;
    let report = folder.join(format!("{}.txt", target.name));
    let begin = Instant::now();
    let mut tally = Tally::default();
    let mut rest = plan;

    // a child after another: each goes on behind the case that ended the one before
    while rest.seconds > 0.0 && rest.cases > 0 {
        let mut child = start(target, rest, &report, guided)?;
        let fault = watch(&mut child, &report, plan.limit)?;
        tally.read(&report, fault.as_ref().map(|(number, _)| number + 1 - rest.first))?;
        let Some((number, fault)) = fault else { break };

        // the fault, with its input
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

/// Starts a child, with a limit on its memory where a shell can set one. The address sanitizer,
/// recognised by its settings, reserves terabytes.
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

/// Seconds of the processor that a process has taken, where the system tells.
fn computed(process: u32) -> Option<f64> {
    let text = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // after the name: user and system time are words 12 and 13, in hundredths
    let words: Vec<&str> = text.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks = |k: usize| words.get(k)?.parse::<f64>().ok();
    Some((ticks(11)? + ticks(12)?) / 100.0)
}

/// Waits for a child; the case that ended it or that does not end.
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
        // a busy machine is no fault of the case: its own time counts, where it is known
        let spent = time.zip(busy).map_or(since.elapsed().as_secs_f64(), |(t, b)| t - b);
        if spent > 3.0 * limit || since.elapsed() > STANDSTILL {
            child.kill()?;
            child.wait()?;
            return Ok(now.map(|number| (number, "does not end".to_owned())));
        }
    }
}
