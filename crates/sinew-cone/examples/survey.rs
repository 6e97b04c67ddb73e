//! The survey that judges the solver: families of generated problems by both laws, given by matrix
//! and by rows. Problems start from scratch and from the impulses before a kick of 0.1 %.
//!
//! `cargo run --release -p sinew-cone --example survey [law=coulomb] [form=rows] [start=warm]
//! [share=0.25] [seeds=1,2,3] [family=walls] [list]` runs it. Without a choice of law, form or
//! start both run. `share` is a share of the full number of problems. `family` is a name, or a part
//! of names. `list` prints every problem that is not solved.

#![allow(clippy::print_stdout)]

#[allow(dead_code)] // the tests use the rest
#[path = "../tests/suite/generate/mod.rs"]
mod generate;

use std::time::Instant;

use generate::families::{FAMILIES, Family};
use generate::residual::residual;
use generate::{Generated, Random};
use sinew_cone::{Law, Options, Problem, Solver, SparseProblem, SparseRows};

/// Residual, over the largest impulse where that exceeds one, up to which a problem counts as
/// solved.
const SOLVED: f64 = 1e-8;

/// Runs of each problem, of which the fastest counts: others use the machine too.
const RUNS: usize = 3;

/// Change of the velocities before a warm start, relative to their mean.
const KICK: f64 = 1e-3;

/// The problems to run.
struct Choice {
    laws: Vec<Law>,
    forms: Vec<&'static str>,
    starts: Vec<&'static str>,
    share: f64,
    seeds: Vec<u64>,
    family: String,
    list: bool,
}

/// The result of a problem.
struct Outcome {
    residual: f64,
    factorisations: usize,
    time: f64,
    converged: bool,
}

fn main() {
    let choice = choice();
    for &law in &choice.laws {
        for &form in &choice.forms {
            for &start in &choice.starts {
                survey(&choice, law, form, start);
            }
        }
    }
}

fn choice() -> Choice {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let value =
        |key: &str| args.iter().find_map(|a| a.strip_prefix(key)?.strip_prefix('=')).unwrap_or("");
    let some = |key: &str, all: [&'static str; 2]| -> Vec<&'static str> {
        all.into_iter().filter(|name| value(key).is_empty() || value(key) == *name).collect()
    };
    let number = |text: &str, default: f64| {
        if text.is_empty() { default } else { text.parse().expect("a number") }
    };
    let seeds = value("seeds").split(',').map(|seed| number(seed, 1.0) as u64).collect();
    let law = |name| if name == "convex" { Law::Convex } else { Law::Coulomb };
    Choice {
        laws: some("law", ["convex", "coulomb"]).into_iter().map(law).collect(),
        forms: some("form", ["matrix", "rows"]),
        starts: some("start", ["cold", "warm"]),
        share: number(value("share"), 0.25),
        seeds,
        family: value("family").into(),
        list: args.iter().any(|a| a == "list"),
    }
}

fn survey(choice: &Choice, law: Law, form: &str, start: &str) {
    println!("\n{law:?}, by {form}, {start}, seeds {:?}, share {}", choice.seeds, choice.share);
    println!(
        "{:32} {:>5} {:>8} {:>5} {:>9} {:>12} {:>24} {:>7}",
        "", "count", "solved", "false", "residual", "factors", "ms: median p99 max", "p99/med"
    );
    let mut solver = Solver::new(Options { law, ..Options::default() });
    let (mut solved, mut total, mut weakest, mut slowest) = (0, 0, 1.0_f64, 0.0_f64);
    let named = FAMILIES.iter().any(|f| f.name == choice.family);
    let chosen = |f: &&Family| f.name == choice.family || !named && f.name.contains(&choice.family);
    for family in FAMILIES.iter().filter(chosen) {
        let mut list = Vec::new();
        for &seed in &choice.seeds {
            let mut rng = Random::new(seed);
            let count = (family.count as f64 * choice.share).ceil() as usize;
            for k in 0..count {
                let made = (family.make)(&mut rng);
                let outcome = measure(&mut solver, &made, form == "rows", start == "warm", seed);
                if choice.list && outcome.residual >= SOLVED {
                    println!(
                        "  seed {seed}, {k}: {} rows, residual {:.1e}, {} factors, {:.1} ms",
                        made.rows(),
                        outcome.residual,
                        outcome.factorisations,
                        1e3 * outcome.time
                    );
                }
                list.push(outcome);
            }
        }
        let good = list.iter().filter(|o| o.residual < SOLVED).count();
        solved += good;
        total += list.len();
        weakest = weakest.min(good as f64 / list.len() as f64);
        slowest = slowest.max(row(family, &list, good));
    }
    println!(
        "all: {solved} of {total}, {:.2} %; weakest family {:.1} %; largest p99 over median {:.1}",
        100.0 * solved as f64 / total as f64,
        100.0 * weakest,
        slowest
    );
}

/// Prints the row of a family; the 99th percentile of time over the median.
fn row(family: &Family, list: &[Outcome], good: usize) -> f64 {
    let lies = list.iter().filter(|o| o.converged && o.residual > 1.01 * SOLVED).count();
    let mut residuals: Vec<f64> = list.iter().map(|o| o.residual).collect();
    let mut factors: Vec<usize> = list.iter().map(|o| o.factorisations).collect();
    let mut times: Vec<f64> = list.iter().map(|o| 1e3 * o.time).collect();
    residuals.sort_by(f64::total_cmp);
    factors.sort_unstable();
    times.sort_by(f64::total_cmp);
    let at = |q: f64| ((list.len() - 1) as f64 * q).ceil() as usize;
    println!(
        "{:32} {:5} {:7.1}% {lies:5} {:9.1e} {:>4}/{:>3}/{:>3} {:7.3}/{:7.2}/{:8.2} {:7.1}",
        family.name,
        list.len(),
        100.0 * good as f64 / list.len() as f64,
        residuals[at(1.0)],
        factors[at(0.5)],
        factors[at(0.99)],
        factors[at(1.0)],
        times[at(0.5)],
        times[at(0.99)],
        times[at(1.0)],
        times[at(0.99)] / times[at(0.5)],
    );
    times[at(0.99)] / times[at(0.5)]
}

fn measure(solver: &mut Solver, made: &Generated, rows: bool, warm: bool, seed: u64) -> Outcome {
    let (sparse, width) = made.sparse_rows();
    let given = Given { made, rows: rows.then_some((&sparse, width)) };
    let (mut b, mut start) = (made.b.clone(), None);
    if warm {
        given.solve(solver, &b, None);
        start = Some(solver.solution().impulses.clone());
        b = made.nudged(&mut Random::new(seed), KICK);
    }
    let mut time = f64::INFINITY;
    for _ in 0..RUNS {
        let begin = Instant::now();
        given.solve(solver, &b, start.as_deref());
        time = time.min(begin.elapsed().as_secs_f64());
    }
    let solution = solver.solution();
    let law = solver.options.law;
    Outcome {
        residual: residual(&made.a, &b, &made.cones, &solution.impulses, law),
        factorisations: solution.iterations,
        time,
        converged: solution.converged,
    }
}

/// A problem in one of its forms.
struct Given<'a> {
    made: &'a Generated,
    rows: Option<(&'a SparseRows, usize)>,
}

impl Given<'_> {
    fn solve(&self, solver: &mut Solver, b: &[f64], start: Option<&[f64]>) {
        let (a, cones) = (&self.made.a, &self.made.cones);
        let found = match self.rows {
            Some((rows, width)) => {
                let problem = SparseProblem::new(rows, width, b, cones).expect("well-formed");
                solver.solve_sparse(&problem, start)
            }
            None => solver.solve(&Problem::new(a, b, cones).expect("well-formed"), start),
        };
        found.expect("well-formed");
    }
}
