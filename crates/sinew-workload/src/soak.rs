//! Soak tests: long runs whose states must repeat in a second run, in another thread, and from a
//! saved state. Memory must stay constant.

use std::sync::Arc;
use std::thread;

use sinew::batch::{Batch, BatchOptions};
use sinew::engine::{get_state, set_state, state_size};
use sinew::model::enums::StateBit;
use sinew::{Data, Model, state_hash};

/// State components that a step takes from the previous step.
const STATE: i32 = StateBit::Integration.0;
/// Number of worlds in the batch.
const WORLDS: usize = 16;

/// Way of continuing from a checkpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Restore {
    /// By a state vector in a new `Data`.
    Vector,
    /// By a clone, for steps that use more of the previous step than the vector contains: sleep,
    /// and the warmstart of exact friction.
    Clone,
}

/// A model with its settings.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    /// Name of the case.
    pub name: &'static str,
    /// File name in `models`.
    pub file: &'static str,
    /// Changes of the model.
    pub edit: fn(&mut Model),
    /// Way of continuing from a checkpoint.
    pub restore: Restore,
}

fn plain(_: &mut Model) {}

fn exact(m: &mut Model) {
    m.coulomb.enabled = true;
}

/// Rigid bodies, piles, deformables, tendons, muscles, exact friction and sleep; [`soak_batch`] is
/// the eighth case.
pub const CASES: [Case; 7] = [
    Case { name: "rigid", file: "humanoid.xml", edit: plain, restore: Restore::Vector },
    Case { name: "pile", file: "pile.xml", edit: plain, restore: Restore::Vector },
    Case {
        name: "flex",
        file: "features/flexcomp_grid.xml",
        edit: plain,
        restore: Restore::Vector,
    },
    Case { name: "tendons", file: "tendons.xml", edit: plain, restore: Restore::Vector },
    Case { name: "muscles", file: "muscles.xml", edit: plain, restore: Restore::Vector },
    Case { name: "exact", file: "gripper.xml", edit: exact, restore: Restore::Clone },
    Case {
        name: "sleep",
        file: "features/sleep_contacts.xml",
        edit: plain,
        restore: Restore::Clone,
    },
];

/// Result of a soak test.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// The hash of the state at each checkpoint.
    pub hashes: Vec<u64>,
    /// Growth of memory after the first checkpoint, KiB.
    pub growth: usize,
    /// Descriptions of failures.
    pub faults: Vec<String>,
}

impl Case {
    /// Loads the model.
    ///
    /// # Errors
    /// If it does not load.
    pub fn model(&self) -> sinew::Result<Model> {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/");
        let mut m = sinew::load(format!("{folder}{}", self.file))?;
        (self.edit)(&mut m);
        Ok(m)
    }

    /// Runs the model three times for `steps` steps with `checkpoints` checkpoints.
    ///
    /// # Errors
    /// If the model does not load.
    pub fn soak(&self, steps: usize, checkpoints: usize) -> sinew::Result<Report> {
        let m = Arc::new(self.model()?);
        let part = (steps / checkpoints).max(1);
        let mut report = Report::default();

        // the first run, which saves its states
        let mut d = Data::new(&m);
        let mut saved = Vec::with_capacity(checkpoints);
        let mut start = 0;
        for k in 0..checkpoints {
            saved.push(Saved::new(&m, &d, self.restore));
            run(&m, &mut d, k * part, part);
            report.hashes.push(state_hash(&d));
            if k == 0 {
                start = memory();
            }
        }
        report.growth = memory().saturating_sub(start);

        // a second run in another thread
        let other = {
            let m = m.clone();
            thread::spawn(move || {
                let mut d = Data::new(&m);
                let part_of = |k| {
                    run(&m, &mut d, k * part, part);
                    state_hash(&d)
                };
                (0..checkpoints).map(part_of).collect::<Vec<u64>>()
            })
        };
        match other.join() {
            Ok(hashes) => compare(&mut report, &hashes, "in another thread"),
            Err(_) => report.faults.push("panics in another thread".into()),
        }

        // from every saved state to the next checkpoint
        let again = saved.into_iter().enumerate().map(|(k, saved)| {
            let mut d = saved.restore(&m);
            run(&m, &mut d, k * part, part);
            state_hash(&d)
        });
        let again: Vec<u64> = again.collect();
        compare(&mut report, &again, "from the saved state");
        Ok(report)
    }
}

/// Runs a batch of worlds with different controls, with one thread and with several.
///
/// # Errors
/// If the model does not load or the batch does not step.
pub fn soak_batch(steps: usize, checkpoints: usize) -> Result<Report, Box<dyn std::error::Error>> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/");
    let m = Arc::new(sinew::load(format!("{folder}quadruped.xml"))?);
    let part = (steps / WORLDS / checkpoints).max(1);
    let mut report = Report::default();
    for threads in [1, 3] {
        // one hash of all worlds at each checkpoint
        let options = BatchOptions { threads, ..BatchOptions::default() };
        let mut batch = Batch::new(m.clone(), WORLDS, options)?;
        let mut hashes = Vec::with_capacity(checkpoints);
        let size = batch.state_size(STATE)?;
        let mut states = vec![0.0; size * WORLDS];
        let mut start = 0;
        for k in 0..checkpoints {
            batch.for_each(None, |world, m, d| {
                for u in 0..m.nu {
                    d.ctrl[u] = control(k * 7 + world, u);
                }
            })?;
            batch.step(part, None)?;
            batch.state(STATE, &mut states)?;
            hashes.push(hash(&states));
            if k == 0 {
                start = memory();
            }
        }

        // the hashes of one thread are the reference
        if threads == 1 {
            report.growth = memory().saturating_sub(start);
            report.hashes = hashes;
        } else {
            compare(&mut report, &hashes, "with several threads");
        }
    }
    Ok(report)
}

/// A saved state.
enum Saved {
    Vector(Vec<f64>),
    Clone(Box<Data>),
}

impl Saved {
    fn new(m: &Model, d: &Data, restore: Restore) -> Saved {
        match restore {
            Restore::Vector => {
                let mut state = vec![0.0; state_size(m, STATE).unwrap_or(0)];
                // the vector has the size of its signature
                let _ = get_state(m, d, &mut state, STATE);
                Saved::Vector(state)
            }
            Restore::Clone => Saved::Clone(Box::new(d.clone())),
        }
    }

    fn restore(self, m: &Model) -> Data {
        match self {
            Saved::Vector(state) => {
                let mut d = Data::new(m);
                let _ = set_state(m, &mut d, &state, STATE);
                d
            }
            Saved::Clone(d) => *d,
        }
    }
}

/// Makes steps from index `first` on, with controls that depend on the index.
fn run(m: &Model, d: &mut Data, first: usize, steps: usize) {
    for step in first..first + steps {
        for u in 0..m.nu {
            d.ctrl[u] = control(step / 50, u);
        }
        sinew::step(m, d);
    }
}

/// A piecewise constant control.
fn control(time: usize, actuator: usize) -> f64 {
    let phase = (time * 37 + actuator * 101) % 200;
    phase as f64 / 100.0 - 1.0
}

fn compare(report: &mut Report, hashes: &[u64], how: &str) {
    let differs = report.hashes.iter().zip(hashes).position(|(a, b)| a != b);
    if let Some(k) = differs {
        report.faults.push(format!("checkpoint {k} comes out otherwise {how}"));
    }
}

/// Hash of numbers.
fn hash(numbers: &[f64]) -> u64 {
    numbers.iter().fold(0xcbf2_9ce4_8422_2325, |hash, x| {
        (hash ^ x.to_bits()).wrapping_mul(0x0000_0100_0000_01b3).rotate_left(23)
    })
}

/// Resident memory of this process, KiB; 0 on other systems.
fn memory() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or(0)
}
