//! Ten thousand random problems: how many are solved, and what the others have in common.
//!
//! `cargo run --release -p sinew-cone --example survey [count]`

#![allow(clippy::print_stdout)]

#[path = "../tests/generate/mod.rs"]
mod generate;

use generate::{Random, pile, stack};
use sinew_cone::{Options, Solver};

fn main() {
    let count = std::env::args().nth(1).and_then(|a| a.parse().ok()).unwrap_or(10_000);
    let mut solver = Solver::new(Options { max_iterations: 100, ..Options::default() });
    let mut rng = Random::new(2026);
    let (mut unsolved, mut absolute, mut total, mut most) = (0, 0, 0, 0);
    for k in 0..count {
        let contacts = 1 + rng.below(50);
        let ratio = 10f64.powf(rng.uniform(0.0, 6.0));
        let stacked = rng.uniform(0.0, 1.0) < 0.1;
        let made = if stacked {
            stack(&mut rng, contacts.div_ceil(4), ratio.min(1e3), None)
        } else {
            pile(&mut rng, contacts, ratio, 0.0)
        };
        let solution = solver.solve(&made.problem(), None).expect("well-formed");
        let largest = solution.impulses.iter().fold(1.0, |a: f64, x| a.max(x.abs()));
        total += solution.iterations;
        most = most.max(solution.iterations);
        absolute += usize::from(solution.residual < 1e-8);
        if solution.residual >= 1e-8 * largest {
            unsolved += 1;
            println!(
                "problem {k}: {contacts} contacts, ratio {ratio:.0}, stack {stacked}: residual {:.1e}, \
                 impulses to {largest:.1e}, {:?}",
                solution.residual, solution.status
            );
        }
    }
    let share = 100.0 * (count - unsolved) as f64 / count as f64;
    println!("{count} problems, {share:.2} % solved to 1e-8 relative, {absolute} also absolutely");
    println!("iterations: mean {:.1}, most {most}", total as f64 / count as f64);
}
