//! Hashes of the state after 200 steps, for every given model and every combination of integrator,
//! solver and cone. Equal hashes show that a change of the code keeps all numbers:
//!
//! ```sh
//! cargo run --release -p sinew-bench --example state_hash -- models/*.xml > before.txt
//! # change the code
//! cargo run --release -p sinew-bench --example state_hash -- models/*.xml | diff before.txt -
//! ```
//!
//! With `@file` the models are the lines of a file. A line of the output has the model, the
//! combination, the hash, and a sum of the positions that shows the size of a difference.
#![allow(clippy::print_stdout)]

use std::path::{Path, PathBuf};

use sinew::Data;
use sinew_workload::{Load, Rollout, with_every_choice};

const STEPS: usize = 200;
const LOAD: Load = Load { key: None, seed: 1, scale: 0.5 };

fn main() -> Result<(), String> {
    for argument in std::env::args().skip(1) {
        match argument.strip_prefix('@') {
            Some(list) => {
                let text = std::fs::read_to_string(list).map_err(|e| format!("{list}: {e}"))?;
                let folder = Path::new(list).parent().unwrap_or(Path::new(""));
                text.split_whitespace().for_each(|line| hash_model(&folder.join(line), line));
            }
            None => hash_model(&PathBuf::from(&argument), &argument),
        }
    }
    Ok(())
}

/// Prints the hashes of one model, or that it does not load.
fn hash_model(path: &Path, name: &str) {
    let model = match sinew::load(path) {
        Ok(model) => model,
        Err(_) => return println!("{name} does not load"),
    };
    with_every_choice(&model, |model| {
        let opt = &model.opt;
        let (integrator, solver, cone) = (opt.integrator, opt.solver, opt.cone);
        let mut rollout = Rollout::new(model, LOAD).expect("no keyframe is asked for");
        rollout.run(STEPS, false);
        let (hash, sum) = (hash(&rollout.data), rollout.checksum());
        println!("{name} {integrator:?} {solver:?} {cone:?} {hash:016x} {sum:e}");
    });
}

/// Hash of the state.
fn hash(d: &Data) -> u64 {
    let state = d.qpos.iter().chain(d.qvel.iter()).chain(d.act.iter());
    let forces = d.qacc.iter().chain(d.sensordata.iter()).chain(d.actuator_force.iter());
    sinew_testkit::hash(state.chain(forces))
}
