//! All families of generated problems: how many are solved, at what cost.
//!
//! `cargo run --release -p sinew-cone --example survey [law] [form] [share] [seed] [family]`: law
//! `coulomb` or `convex`, form `dense` or `sparse`, share of the full number of problems (0.1),
//! seed (1), part of a name.

#![allow(clippy::print_stdout)]

#[path = "../tests/generate/mod.rs"]
mod generate;

use std::time::Instant;

use generate::families::FAMILIES;
use generate::residual::residual;
use generate::{Generated, Random};
use sinew_cone::{Law, Options, Solver, SparseProblem};

/// Residual, over the largest impulse where that exceeds one, up to which a problem counts as
/// solved.
const SOLVED: f64 = 1e-8;

/// Runs of each problem, of which the fastest counts: others use the machine too.
const RUNS: usize = 3;

struct Outcome {
    residual: f64,
    factorisations: usize,
    time: f64,
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let arg = |k: usize, default: &str| args.get(k).cloned().unwrap_or_else(|| default.into());
    let law = if arg(0, "coulomb") == "convex" { Law::Convex } else { Law::Coulomb };
    let sparse = arg(1, "dense") == "sparse";
    let share: f64 = arg(2, "0.1").parse().expect("a number");
    let seed: u64 = arg(3, "1").parse().expect("a number");
    let wanted = arg(4, "");
    println!("{law:?}, sparse {sparse}, seed {seed}");
    println!(
        "{:32} {:>6} {:>8} {:>14} {:>26} {:>6}",
        "", "count", "solved", "factors", "time/ms med p99 max", "p99/med"
    );
    let mut solver = Solver::new(Options { law, ..Options::default() });
    let (mut solved, mut total) = (0, 0);
    for family in FAMILIES.iter().filter(|f| f.name.contains(&wanted)) {
        let mut rng = Random::new(seed);
        let count = ((family.count as f64 * share) as usize).max(1);
        let mut list = Vec::new();
        for k in 0..count {
            let made = (family.make)(&mut rng);
            let outcome = measure(&mut solver, &made, law, sparse);
            if outcome.residual >= SOLVED && args.len() > 4 {
                println!(
                    "  {k}: {} rows, residual {:.1e}, {} factorisations, {:.1} ms",
                    made.rows(),
                    outcome.residual,
                    outcome.factorisations,
                    1e3 * outcome.time
                );
            }
            list.push(outcome);
        }
        let good = list.iter().filter(|o| o.residual < SOLVED).count();
        solved += good;
        total += count;
        let mut factors: Vec<usize> = list.iter().map(|o| o.factorisations).collect();
        let mut times: Vec<f64> = list.iter().map(|o| 1e3 * o.time).collect();
        factors.sort_unstable();
        times.sort_by(f64::total_cmp);
        let at = |q: f64| ((count - 1) as f64 * q).ceil() as usize;
        println!(
            "{:32} {count:6} {:7.2}% {:>4}/{:>4}/{:>4} {:8.3}/{:8.3}/{:8.2} {:6.1}",
            family.name,
            100.0 * good as f64 / count as f64,
            factors[at(0.5)],
            factors[at(0.99)],
            factors[count - 1],
            times[at(0.5)],
            times[at(0.99)],
            times[count - 1],
            times[at(0.99)] / times[at(0.5)],
        );
    }
    println!(
        "all: {solved} of {total}, {:.3} %",
        100.0 * f64::from(solved as u32) / f64::from(total as u32)
    );
}

fn measure(solver: &mut Solver, made: &Generated, law: Law, sparse: bool) -> Outcome {
    let (rows, width) = made.sparse_rows();
    let problem = made.problem();
    let sparse =
        sparse.then(|| SparseProblem::new(&rows, width, &made.b, &made.cones).expect("fine"));
    let mut time = f64::INFINITY;
    for _ in 0..RUNS {
        let start = Instant::now();
        let found = match &sparse {
            Some(problem) => solver.solve_sparse(problem, None),
            None => solver.solve(&problem, None),
        };
        found.expect("well-formed");
        time = time.min(start.elapsed().as_secs_f64());
    }
    let solution = solver.solution();
    let residual = residual(&made.a, &made.b, &made.cones, &solution.impulses, law);
    Outcome { residual, factorisations: solution.iterations, time }
}
