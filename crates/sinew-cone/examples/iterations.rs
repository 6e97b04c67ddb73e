//! Iterations on generated problems: median, 90th percentile and largest, cold and warm.
//!
//! `cargo run --release -p sinew-cone --example iterations [absolute]`

#![allow(clippy::print_stdout)]

#[allow(dead_code)] // the tests use the rest
#[path = "../tests/suite/generate/mod.rs"]
mod generate;

use generate::{Generated, Random, friction_angle, pile, stack};
use sinew_cone::{Criterion, Options, Problem, Solver};

type Make = fn(&mut Random) -> Generated;

const FAMILIES: [(&str, Make, usize); 20] = [
    ("1 contact", |r| pile(r, 1, 1.0, 0.0), 200),
    ("pile 4", |r| pile(r, 4, 1.0, 0.0), 200),
    ("pile 8", |r| pile(r, 8, 1.0, 0.0), 200),
    ("pile 16", |r| pile(r, 16, 1.0, 0.0), 200),
    ("pile 32", |r| pile(r, 32, 1.0, 0.0), 100),
    ("pile 50", |r| pile(r, 50, 1.0, 0.0), 50),
    ("pile 12, masses to 1e2", |r| pile(r, 12, 1e2, 0.0), 200),
    ("pile 12, masses to 1e4", |r| pile(r, 12, 1e4, 0.0), 200),
    ("pile 12, masses to 1e6", |r| pile(r, 12, 1e6, 0.0), 200),
    ("pile 8, restitution 0.5", |r| pile(r, 8, 1.0, 0.5), 200),
    ("pile 8, restitution 0.9", |r| pile(r, 8, 1.0, 0.9), 200),
    ("box", |r| stack(r, 1, 1.0, None), 200),
    ("3 boxes", |r| stack(r, 3, 1.0, None), 200),
    ("6 boxes", |r| stack(r, 6, 1.0, None), 100),
    ("12 boxes", |r| stack(r, 12, 1.0, None), 50),
    ("4 boxes, 1e2 on top", |r| stack(r, 4, 1e2, None), 100),
    ("4 boxes, 1e3 on top", |r| stack(r, 4, 1e3, None), 100),
    ("4 boxes, 1e4 on top", |r| stack(r, 4, 1e4, None), 100),
    ("4 boxes, 1e6 on top", |r| stack(r, 4, 1e6, None), 100),
    ("box at the friction angle", friction_angle, 100),
];

fn main() {
    let absolute = std::env::args().any(|a| a == "absolute");
    let criterion = if absolute { Criterion::Absolute } else { Criterion::Relative };
    let options = Options { criterion, max_iterations: 60, ..Options::default() };
    let mut solver = Solver::new(options);
    println!("{:28} {:>18} {:>18} {:>18}", "solved, iterations", "cold", "warm 0.1 %", "warm 3 %");
    for (name, make, count) in FAMILIES {
        let mut rng = Random::new(11);
        let mut iterations = [vec![], vec![], vec![]];
        let mut solved = [0; 3];
        for _ in 0..count {
            let made = make(&mut rng);
            let cold = solver.solve(&made.problem(), None).expect("well-formed").clone();
            iterations[0].push(cold.iterations);
            solved[0] += usize::from(cold.converged && (!absolute || cold.residual < 1e-8));
            for (k, fraction) in [(1, 0.001), (2, 0.03)] {
                let b = made.nudged(&mut rng, fraction);
                let problem = Problem::new(&made.a, &b, &made.cones).expect("well-formed");
                let warm = solver.solve(&problem, Some(&cold.impulses)).expect("well-formed");
                iterations[k].push(warm.iterations);
                solved[k] += usize::from(warm.converged && (!absolute || warm.residual < 1e-8));
            }
        }
        print!("{name:28}");
        for (list, solved) in iterations.iter_mut().zip(solved) {
            list.sort_unstable();
            let at = |q: f64| list[((list.len() - 1) as f64 * q).round() as usize];
            let share = format!("{solved}/{count}");
            print!("  {share:>7} {:>2}/{:>2}/{:>2}", at(0.5), at(0.9), at(1.0));
        }
        println!();
    }
}
