//! Inputs that lead to others: what takes an edge of the program that nothing took before is kept
//! and mutated further.

use std::fs;
use std::io;
use std::path::Path;
use std::time::Instant;

use sinew::{Assets, LoadOptions, Model};
use sinew_testkit::Random;

use crate::corpus::pick_small;
use crate::exercise::exercise;
use crate::mutate::{bytes, xml};
use crate::run::{Clock, Plan, catch};
use crate::target::{Files, corpus, mutate_binary};
use crate::{Outcome, Target, counters, refused};

/// Inputs of a target that are tried before any is mutated further.
const FIRST: u64 = 300;

/// What became of a guided run.
#[derive(Debug, Default)]
pub struct Guided {
    /// Inputs that were tried.
    pub cases: u64,
    /// Those that were accepted.
    pub accepted: u64,
    /// Edges that were taken, and how many there are.
    pub edges: (usize, usize),
    /// Inputs that are enough to take all of them.
    pub kept: usize,
    /// Bytes of those.
    pub bytes: usize,
    /// What went wrong, each with the name of the file that has the input.
    pub faults: Vec<String>,
}

/// What has been seen of each edge: a bit for every power of two of the count.
struct Seen(Vec<u8>);

impl Seen {
    fn new() -> Seen {
        Seen(vec![0; counters::edges()])
    }

    /// Takes the counters; whether one of them is new.
    fn add(&mut self) -> bool {
        let mut fresh = false;
        counters::take(|edge, power| {
            let bit = 1 << power;
            fresh |= self.0[edge] & bit == 0;
            self.0[edge] |= bit;
        });
        fresh
    }

    fn edges(&self) -> usize {
        self.0.iter().filter(|&&bits| bits != 0).count()
    }
}

/// Runs a target for some time, guided by what its inputs reach, and writes the inputs that are
/// enough for all of it into a folder.
///
/// # Errors
/// Where the program has no counters, the inputs of the target are no files, or the folder cannot
/// be written.
pub fn guide(target: &Target, plan: Plan, folder: &Path) -> io::Result<Guided> {
    let write = target.write.ok_or_else(|| io::Error::other("its inputs are no files"))?;
    if counters::edges() == 0 {
        return Err(io::Error::other("built without counters; see `cargo xtask fuzz --coverage`"));
    }
    fs::create_dir_all(folder)?;
    let (begin, clock) = (Instant::now(), Clock::new());
    let mut guided = Guided::default();
    let mut seen = Seen::new();
    let mut pool: Vec<Files> = Vec::new();
    let mut random = Random::new(plan.first);
    while begin.elapsed().as_secs_f64() < plan.seconds && guided.cases < plan.cases {
        let files = if guided.cases < FIRST || pool.is_empty() {
            write(plan.first + guided.cases)
        } else {
            descend(&mut random, &pool)
        };
        guided.cases += 1;
        counters::take(|_, _| {});
        match catch(&clock, plan.limit, || read(&mut Random::new(1), &files)) {
            Ok((outcome, _)) => guided.accepted += u64::from(outcome == Outcome::Accepted),
            Err(fault) => {
                let name = format!("fault-{}-{}", target.name, guided.faults.len());
                save(&folder.join(&name), &files)?;
                guided.faults.push(format!("{name}: {fault}"));
            }
        }
        if seen.add() {
            pool.push(files);
        }
    }
    guided.edges = (seen.edges(), counters::edges());
    for (k, files) in enough(pool).iter().enumerate() {
        guided.kept += 1;
        guided.bytes += files.iter().map(|(_, bytes)| bytes.len()).sum::<usize>();
        save(&folder.join(format!("{}-{k}", target.name)), files)?;
    }
    Ok(guided)
}

/// The inputs that are enough to take all edges that all of them take, the smallest first.
fn enough(mut pool: Vec<Files>) -> Vec<Files> {
    pool.sort_by_key(|files| files.iter().map(|(_, bytes)| bytes.len()).sum::<usize>());
    let (mut taken, clock) = (vec![false; counters::edges()], Clock::new());
    pool.retain(|files| {
        counters::take(|_, _| {});
        let _ = catch(&clock, f64::INFINITY, || read(&mut Random::new(1), files));
        let mut fresh = false;
        counters::take(|edge, _| fresh |= !std::mem::replace(&mut taken[edge], true));
        fresh
    });
    pool
}

fn save(folder: &Path, files: &Files) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    for (name, bytes) in files {
        fs::write(folder.join(name), bytes)?;
    }
    Ok(())
}

/// A mutated child of an input of the pool, the newest more often.
fn descend(random: &mut Random, pool: &[Files]) -> Files {
    let parent = pool.len() - 1 - pick_small(random, pool.len());
    let mut files = pool[parent].clone();
    let donor = &pool[random.below(pool.len())];
    for _ in 0..1 + random.below(4) {
        // the last file is the one that matters: an asset, or the model itself
        let last = files.len() - 1;
        let at = if random.once_in(4) { random.below(files.len()) } else { last };
        let (name, bytes) = &mut files[at];
        if name.ends_with(".mjb") {
            mutate_binary(random, bytes);
        } else if name.ends_with(".xml") || name.ends_with(".urdf") {
            let donor = String::from_utf8_lossy(&donor[0].1).into_owned();
            let text = String::from_utf8_lossy(bytes).into_owned();
            *bytes = xml::mutate(random, &text, &donor).into_bytes();
        } else {
            bytes::mutate(random, bytes);
        }
    }
    files
}

/// Gives an input to its reader, and what was accepted to the engine.
fn read(random: &mut Random, files: &Files) -> Outcome {
    let [(name, bytes), others @ ..] = &files[..] else { return Outcome::Refused };
    let options = LoadOptions::default();
    let model = if name.ends_with(".mjb") {
        Model::from_binary_with(bytes, &options.plugins).map_err(|e| refused(&e))
    } else {
        let mut assets: Assets = corpus().assets.clone();
        for (name, bytes) in others {
            assets.insert(name, bytes.clone());
        }
        let text = String::from_utf8_lossy(bytes);
        sinew::load_str_with(&text, &assets, &options)
            .map(|loaded| loaded.model)
            .map_err(|e| refused(&e))
    };
    match model {
        Ok(mut m) => {
            exercise(random, &mut m);
            Outcome::Accepted
        }
        Err(outcome) => outcome,
    }
}
