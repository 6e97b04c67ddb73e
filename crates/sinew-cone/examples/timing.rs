//! Time per solve, cold and warm, next to Clarabel on the same problems.
//!
//! `cargo run --release -p sinew-cone --example timing`

#![allow(clippy::print_stdout)]

#[path = "../tests/generate/mod.rs"]
mod generate;
#[path = "../tests/independent/mod.rs"]
mod independent;

use std::hint::black_box;
use std::time::Instant;

use generate::{Generated, Random, pile, stack};
use independent::Independent;
use sinew_cone::{Options, Problem, Solver};

type Make = fn(&mut Random) -> Generated;

const FAMILIES: [(&str, Make, usize); 7] = [
    ("1 contact", |r| pile(r, 1, 1.0, 0.0), 100),
    ("pile of 4", |r| pile(r, 4, 1.0, 0.0), 100),
    ("pile of 10", |r| pile(r, 10, 1.0, 0.0), 100),
    ("pile of 25", |r| pile(r, 25, 1.0, 0.0), 40),
    ("pile of 50", |r| pile(r, 50, 1.0, 0.0), 20),
    ("3 boxes, 12 contacts", |r| stack(r, 3, 1.0, None), 40),
    ("12 boxes, 48 contacts", |r| stack(r, 12, 1.0, None), 10),
];

/// Runs of each problem; the fastest counts, the machine may be shared.
const RUNS: usize = 7;

fn main() {
    println!("mean microseconds per problem (fastest of {RUNS} runs each)");
    println!(
        "timed here: checks of the input, scaling and ordering, solve, certificate; buffers are kept"
    );
    println!(
        "timed there: set-up and solve with default settings, its sparse matrices being ready"
    );
    println!("median x: of the problems' own ratios, which a few hard ones do not decide");
    println!(
        "{:22} {:>10} {:>10} {:>10} {:>8} {:>8} {:>8} {:>8}",
        "", "cold", "warm 0.1%", "Clarabel", "cold x", "median x", "warm x", "median x"
    );
    let mut solver = Solver::new(Options::default());
    for (name, make, count) in FAMILIES {
        let mut rng = Random::new(5);
        let mut times = Vec::new();
        for _ in 0..count {
            let made = make(&mut rng);
            let nudged = made.nudged(&mut rng, 0.001);
            let other = Independent::new(&made.problem());
            let last = solver.solve(&made.problem(), None).expect("well-formed").impulses.clone();
            let cold = fastest(|| {
                black_box(solver.solve(&made.problem(), None).expect("well-formed").residual);
            });
            let warm = fastest(|| {
                let problem = Problem::new(&made.a, &nudged, &made.cones).expect("well-formed");
                black_box(solver.solve(&problem, Some(&last)).expect("well-formed").residual);
            });
            let clarabel = fastest(|| {
                black_box(other.solve(false));
            });
            times.push([cold, warm, clarabel]);
        }
        let mean = |k: usize| 1e6 * times.iter().map(|t| t[k]).sum::<f64>() / count as f64;
        let (cold, warm, clarabel) = (mean(0), mean(1), mean(2));
        let [middle_cold, middle_warm] = [0, 1].map(|k| median(times.iter().map(|t| t[2] / t[k])));
        println!(
            "{name:22} {cold:10.1} {warm:10.1} {clarabel:10.1} {:8.1} {middle_cold:8.1} {:8.1} {middle_warm:8.1}",
            clarabel / cold,
            clarabel / warm
        );
    }
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut sorted: Vec<f64> = values.collect();
    sorted.sort_by(f64::total_cmp);
    sorted[sorted.len() / 2]
}

fn fastest(mut run: impl FnMut()) -> f64 {
    let mut best = f64::INFINITY;
    for _ in 0..RUNS {
        let start = Instant::now();
        run();
        best = best.min(start.elapsed().as_secs_f64());
    }
    best
}
