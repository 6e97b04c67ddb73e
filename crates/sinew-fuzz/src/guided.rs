//! Coverage-guided search: inputs that take new branches are mutated further.

use std::fs;
use std::io::{self, Write};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use sinew_testkit::Random;

use crate::corpus::pick_small;
use crate::coverage::{self, Seen};
use crate::run::{Case, Clock, Plan, Tally, check_case, keep_panics, on_small_stack};
use crate::{Outcome, Target};

/// Functions that make inputs of a target from other inputs.
#[derive(Clone, Copy, Debug)]
pub struct Guide {
    /// Initial inputs.
    pub seeds: fn() -> Vec<Vec<u8>>,
    /// Mutates an input; the last argument is another input.
    pub mutate: fn(&mut Random, &[u8], &[u8]) -> Vec<u8>,
    /// Passes an input to the reader.
    pub feed: fn(&mut Random, &[u8]) -> Outcome,
}

/// Maximum size of an input in bytes.
const LARGEST: usize = 1 << 18;

/// The folder of a target's committed inputs.
pub fn kept(target: &Target) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(target.name)
}

/// The files of a folder in the order of their names; empty if the folder does not exist.
///
/// # Errors
/// If a file cannot be read.
pub fn files(folder: &Path) -> io::Result<Vec<Vec<u8>>> {
    let Ok(entries) = fs::read_dir(folder) else { return Ok(Vec::new()) };
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    paths.iter().map(fs::read).collect()
}

/// FNV hash of bytes, the same on every machine.
fn hash(bytes: &[u8]) -> u64 {
    let step = |h: u64, b: &u8| (h ^ u64::from(*b)).wrapping_mul(0x0100_0000_01b3);
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, step)
}

/// Passes an input to the reader, with the same random numbers each time.
pub fn feed(guide: &Guide, input: &[u8]) -> Outcome {
    (guide.feed)(&mut Random::new(hash(input)), input)
}

/// The child process: makes inputs for `plan.seconds` of CPU time and writes inputs with new
/// coverage to `folder`, one file each. The current input is in a file beside the report.
///
/// # Errors
/// If a file cannot be written.
pub fn child(target: &'static Target, plan: Plan, report: &Path, folder: &Path) -> io::Result<()> {
    if !coverage::is_counting() {
        let words = "the program was built without counters: cargo xtask fuzz --coverage";
        return Err(io::Error::other(words));
    }
    keep_panics();
    fs::create_dir_all(folder)?;
    let (report, folder) = (report.to_owned(), folder.to_owned());
    on_small_stack(move || Search::new(target, plan, &report, &folder)?.explore())
}

/// A guided search.
struct Search {
    target: &'static Target,
    guide: Guide,
    plan: Plan,
    report: fs::File,
    progress: fs::File,
    current: PathBuf,
    folder: PathBuf,
    clock: Clock,
    random: Random,
    pool: Vec<Vec<u8>>,
    /// Number of initial inputs.
    seeds: usize,
    seen: Seen,
    tally: Tally,
}

impl Search {
    fn new(
        target: &'static Target,
        plan: Plan,
        report: &Path,
        folder: &Path,
    ) -> io::Result<Search> {
        let guide = target.guide.ok_or_else(|| io::Error::other("the target has no guide"))?;
        Ok(Search {
            target,
            guide,
            plan,
            report: fs::File::create(report)?,
            progress: fs::File::create(report.with_extension("progress"))?,
            current: report.with_extension("input"),
            folder: folder.to_owned(),
            clock: Clock::new(),
            random: Random::new(plan.first),
            pool: Vec::new(),
            seeds: 0,
            seen: Seen::default(),
            tally: Tally::default(),
        })
    }

    fn explore(mut self) -> io::Result<()> {
        let mut begun = (self.guide.seeds)();
        self.seeds = begun.len();
        begun.extend(files(&kept(self.target))?);
        begun.extend(files(&self.folder)?);
        for input in begun {
            self.try_input(&input)?;
            self.pool.push(input);
        }
        while self.clock.seconds() < self.plan.seconds && self.tally.cases < self.plan.cases {
            let input = self.next();
            if self.try_input(&input)? && input.len() <= LARGEST {
                fs::write(self.folder.join(format!("{:016x}", hash(&input))), &input)?;
                self.pool.push(input);
            }
        }
        self.tally.edges = self.seen.edges;
        self.tally.write(&self.report)
    }

    /// A mutation of an input: with equal probability an initial input or one that was found. Newer
    /// ones are more likely; most of their mutations are rejected.
    fn next(&mut self) -> Vec<u8> {
        let count = self.pool.len();
        let random = &mut self.random;
        let young = count - 1 - random.below(count).min(random.below(count));
        let parent = if random.once_in(2) { pick_small(random, self.seeds) } else { young };
        let donor = random.below(count);
        let mut input = self.pool[parent].clone();
        for _ in 0..1 + random.below(4) {
            input = (self.guide.mutate)(random, &input, &self.pool[donor]);
        }
        input
    }

    /// Runs an input; returns whether it has new coverage.
    fn try_input(&mut self, input: &[u8]) -> io::Result<bool> {
        let number = self.plan.first + self.tally.cases;
        fs::write(&self.current, input)?;
        self.progress.write_all_at(&number.to_le_bytes(), 0)?;
        coverage::restart();
        let guide = self.guide;
        match check_case(|| feed(&guide, input), &self.clock, self.plan.limit) {
            Ok(Case { outcome, cost }) => self.tally.add(number, outcome, cost),
            Err(fault) => {
                self.tally.cases += 1;
                let name = format!("fault-{:016x}", hash(input));
                fs::write(self.folder.with_file_name(&name), input)?;
                writeln!(self.report, "fault {number} {name} {fault}")?;
            }
        }
        let (_, news) = self.seen.add();
        if self.tally.cases.is_multiple_of(256) {
            self.tally.edges = self.seen.edges;
            self.tally.write(&self.report)?;
        }
        Ok(news)
    }
}

/// Keeps a small set of inputs in a folder and removes the others. The kept inputs take every
/// branch that the folder's inputs take and the seeds do not, within `bytes` bytes.
///
/// # Errors
/// If a file cannot be read or removed.
pub fn minimise(target: &Target, folder: &Path, bytes: usize) -> io::Result<(usize, usize)> {
    let guide = target.guide.ok_or_else(|| io::Error::other("the target has no guide"))?;

    // branches of the seeds
    let mut seen = Seen::default();
    for seed in (guide.seeds)() {
        coverage::restart();
        feed(&guide, &seed);
        seen.add();
    }

    // inputs, the smallest first
    let mut paths: Vec<(u64, PathBuf)> = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        paths.push((entry.metadata()?.len(), entry.path()));
    }
    paths.sort();

    // kept if they take a new branch and fit
    let (mut number, mut total) = (0, 0);
    for (len, path) in paths {
        let input = fs::read(&path)?;
        let mut with = seen.clone();
        coverage::restart();
        feed(&guide, &input);
        let (edges, _) = with.add();
        if edges > 0 && total + len as usize <= bytes {
            (number, total) = (number + 1, total + len as usize);
            seen = with;
        } else {
            fs::remove_file(path)?;
        }
    }
    Ok((number, total))
}
