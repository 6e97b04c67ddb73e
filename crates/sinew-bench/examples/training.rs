//! Steps models with every choice of integrator, solver and cone, each for the same short time:
//! what a profile for the compiler is made of.
//!
//! `cargo run --release -p sinew-bench --example training -- MODEL...`; `cargo xtask guided` does
//! so for its builds.

use std::path::Path;

use sinew::model::enums::{ConeType, Integrator, SolverType};
use sinew_bench::{Load, Rollout};

/// Seconds of each choice, and steps at most.
const SECONDS: f64 = 0.04;
const STEPS: usize = 2000;
const LOAD: Load = Load { key: None, seed: 1, scale: 0.3 };
const INTEGRATORS: [Integrator; 4] =
    [Integrator::Euler, Integrator::Rk4, Integrator::Implicit, Integrator::Implicitfast];
const SOLVERS: [SolverType; 3] = [SolverType::Pgs, SolverType::Cg, SolverType::Newton];
const CONES: [ConeType; 2] = [ConeType::Pyramidal, ConeType::Elliptic];

fn main() {
    for path in std::env::args().skip(1) {
        match sinew::load(Path::new(&path)) {
            Ok(model) if model.nv > 0 => step(&model),
            Ok(_) => {}
            Err(error) => eprintln!("{path}: {error}"),
        }
    }
}

fn step(model: &sinew::Model) {
    for integrator in INTEGRATORS {
        for solver in SOLVERS {
            for cone in CONES {
                let mut model = model.clone();
                let opt = &mut model.opt;
                (opt.integrator, opt.solver, opt.cone) = (integrator, solver, cone);
                let mut rollout = Rollout::new(model, LOAD).expect("no keyframe is asked for");
                let (mut seconds, mut steps) = (0.0, 0);
                while seconds < SECONDS && steps < STEPS {
                    seconds += rollout.run(5, false).cpu;
                    steps += 5;
                }
            }
        }
    }
}
