//! Mutated models: the parser and the compiler never panic, hang or exhaust memory.
//!
//! Seeded and bounded in time. A failure names its case; `SINEW_FUZZ_CASE=n` runs that one alone,
//! `SINEW_FUZZ_SECONDS=s` sets how long to look.
#![allow(clippy::unwrap_used)]

mod mutate;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use sinew::{Assets, Data, LoadOptions};
use sinew_testkit::Random;
use sinew_testkit::alloc::{CountingAllocator, peak_bytes, restart_peak};

/// How long to look, seconds.
const SECONDS: u64 = 20;
/// No model of this size may take longer, even unoptimised on a busy machine.
const CASE_LIMIT: Duration = Duration::from_secs(30);
/// The models are a few kilobytes; what they compile to must be bounded too.
const MEMORY_LIMIT: usize = 1 << 30;

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

/// A model's text and the files it may name.
struct Corpus {
    models: Vec<(PathBuf, String)>,
    files: Vec<(String, Vec<u8>)>,
}

impl Corpus {
    fn read() -> Corpus {
        let mut corpus = Corpus { models: Vec::new(), files: Vec::new() };
        corpus.visit(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models"));
        corpus.models.sort();
        corpus.files.sort();
        assert!(corpus.models.len() > 20 && corpus.files.len() > 5);
        corpus
    }

    fn visit(&mut self, folder: &Path) {
        for entry in fs::read_dir(folder).unwrap().flatten() {
            let path = entry.path();
            let name = entry.file_name().to_string_lossy().into_owned();
            match path.extension().and_then(|e| e.to_str()) {
                _ if path.is_dir() => self.visit(&path),
                Some("xml" | "urdf") => {
                    let text = fs::read_to_string(&path).unwrap();
                    self.files.push((name, text.clone().into_bytes()));
                    self.models.push((path, text));
                }
                Some("py") => {}
                _ => self.files.push((name, fs::read(&path).unwrap())),
            }
        }
    }

    /// The mutated model and files of a case.
    fn case(&self, number: u64) -> (String, String, Assets) {
        let mut random = Random::new(number);
        let (path, text) = &self.models[random.below(self.models.len())];
        let mut text = text.clone();
        let mut files = self.files.clone();
        for _ in 0..1 + random.below(4) {
            if random.below(8) == 0 {
                let file = random.below(files.len());
                mutate::bytes(&mut random, &mut files[file].1);
            } else {
                text = mutate::model(&mut random, &text);
            }
        }
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        (name, text, files.into_iter().collect())
    }
}

#[test]
fn mutated_models_are_handled() {
    let corpus = Corpus::read();
    let setting = |name: &str| std::env::var(name).ok().and_then(|v| v.parse::<u64>().ok());
    let only = setting("SINEW_FUZZ_CASE");
    let budget = Duration::from_secs(setting("SINEW_FUZZ_SECONDS").unwrap_or(SECONDS));

    let begin = Instant::now();
    let (mut cases, mut accepted) = (0, 0);
    let mut number = only.unwrap_or(1);
    while begin.elapsed() < budget {
        let (name, text, assets) = corpus.case(number);
        // kept where it is found again after an abort
        let kept = Path::new(env!("CARGO_TARGET_TMPDIR")).join("fuzz-case.xml");
        fs::write(kept, &text).unwrap();
        accepted += usize::from(run_case(number, &name, text, assets));
        cases += 1;
        if only.is_some() {
            break;
        }
        number += 1;
    }
    eprintln!(
        "{cases} cases, {accepted} of them models, in {:.1} s",
        begin.elapsed().as_secs_f64()
    );
    assert!(only.is_some() || cases > 50, "only {cases} cases were tried");
    assert!(
        only.is_some() || accepted * 20 > cases,
        "too few mutants compile to test the compiler"
    );
}

/// Runs one case in a thread of its own; whether it is a model.
fn run_case(number: u64, name: &str, text: String, assets: Assets) -> bool {
    let before = restart_peak();
    let (send, receive) = mpsc::channel();
    let worker = std::thread::Builder::new()
        .stack_size(2 << 20)
        .spawn(move || {
            let loaded = sinew::load_str_with(&text, &assets, &LoadOptions::default());
            let good = match loaded {
                Ok(loaded) => {
                    let model = loaded.model;
                    let mut data = Data::new(&model);
                    sinew::step(&model, &mut data);
                    true
                }
                Err(error) => {
                    assert!(!error.to_string().trim().is_empty(), "an error without words");
                    false
                }
            };
            let _ = send.send(good);
        })
        .unwrap();

    let what = format!("case {number} of {name} (SINEW_FUZZ_CASE={number})");
    let good = match receive.recv_timeout(CASE_LIMIT) {
        Ok(good) => good,
        Err(mpsc::RecvTimeoutError::Timeout) => panic!("{what}: does not end"),
        Err(mpsc::RecvTimeoutError::Disconnected) => panic!("{what}: panics"),
    };
    worker.join().unwrap();
    let peak = peak_bytes().saturating_sub(before);
    assert!(peak < MEMORY_LIMIT, "{what}: takes {} MiB", peak >> 20);
    good
}
