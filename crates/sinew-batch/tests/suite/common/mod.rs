//! Models and comparisons shared by the tests.

use std::path::PathBuf;
use std::sync::Arc;

use sinew_batch::{Batch, BatchOptions};
use sinew_model::{Data, Model};

pub(crate) fn model(name: &str) -> Model {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../models").join(name);
    sinew_mjcf::load_path(&path, &Default::default()).unwrap().model
}

pub(crate) fn parse(xml: &str) -> Model {
    sinew_mjcf::load_str(xml, &Default::default(), &Default::default()).unwrap().model
}

pub(crate) fn batch(m: &Model, worlds: usize, threads: usize, chunk: usize) -> Batch {
    let options = BatchOptions { threads, chunk, ..Default::default() };
    Batch::new(Arc::new(m.clone()), worlds, options).unwrap()
}

/// Controls that differ by world, actuator and time.
pub(crate) fn control(world: usize, k: usize, u: usize) -> f64 {
    (0.05 * k as f64 + 1.3 * u as f64 + 0.7 * world as f64).sin()
}

/// Gives every world another initial state.
pub(crate) fn disturb(batch: &mut Batch) {
    let worlds = batch.worlds();
    let qvel = batch.bind("qvel").unwrap().f64_mut().unwrap();
    let nv = qvel.len() / worlds;
    for (i, v) in qvel.iter_mut().enumerate() {
        *v = 0.3 * ((i / nv) as f64 + 0.9 * (i % nv) as f64).sin();
    }
}

/// Gives a single state the initial state of a world.
pub(crate) fn disturb_one(d: &mut Data, world: usize) {
    for (i, v) in d.qvel.iter_mut().enumerate() {
        *v = 0.3 * (world as f64 + 0.9 * i as f64).sin();
    }
}

/// Makes steps with different controls for every world.
pub(crate) fn run(batch: &mut Batch, steps: std::ops::Range<usize>) {
    let worlds = batch.worlds();
    for k in steps {
        let ctrl = batch.bind("ctrl").unwrap().f64_mut().unwrap();
        let nu = ctrl.len() / worlds;
        for (i, u) in ctrl.iter_mut().enumerate() {
            *u = control(i / nu, k, i % nu);
        }
        batch.step(1, None).unwrap();
    }
}

/// Makes the steps of one world with a single state.
pub(crate) fn run_one(m: &Model, d: &mut Data, world: usize, steps: std::ops::Range<usize>) {
    for k in steps {
        for (u, ctrl) in d.ctrl.iter_mut().enumerate() {
            *ctrl = control(world, k, u);
        }
        sinew_engine::step(m, d);
    }
}

/// The bits of a field's numbers, one world after the other.
pub(crate) fn bits(batch: &Batch, name: &str) -> Vec<u64> {
    batch.array(name).unwrap().f64().unwrap().iter().map(|x| x.to_bits()).collect()
}

/// A hash of all states.
pub(crate) fn hash(batch: &Batch) -> u64 {
    let numbers = ["time", "qpos", "qvel", "act", "qacc_warmstart", "sensordata"]
        .map(|name| batch.array(name).unwrap().f64().unwrap());
    sinew_testkit::hash(numbers.into_iter().flatten())
}
