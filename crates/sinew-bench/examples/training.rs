//! Steps models with every choice of integrator, solver and cone, each for the same short time:
//! what a profile for the compiler is made of.
//!
//! `cargo run --release -p sinew-bench --example training -- MODEL...`; `cargo xtask guided` does
//! so for its builds.

use std::path::Path;

use sinew_bench::{Load, Rollout, with_every_choice};

/// Seconds of each choice, and steps at most.
const SECONDS: f64 = 0.04;
const STEPS: usize = 2000;
const LOAD: Load = Load { key: None, seed: 1, scale: 0.3 };

fn main() {
    for path in std::env::args().skip(1) {
        match sinew::load(Path::new(&path)) {
            Ok(model) if model.nv > 0 => with_every_choice(&model, step),
            Ok(_) => {}
            Err(error) => eprintln!("{path}: {error}"),
        }
    }
}

/// Steps a model for a while.
fn step(model: sinew::Model) {
    let mut rollout = Rollout::new(model, LOAD).expect("no keyframe is asked for");
    let (mut seconds, mut steps) = (0.0, 0);
    while seconds < SECONDS && steps < STEPS {
        seconds += rollout.run(5, false).cpu;
        steps += 5;
    }
}
