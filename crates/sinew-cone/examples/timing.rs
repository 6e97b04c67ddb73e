//! Time per solve next to Clarabel on the same problems, cold and warm.
//!
//! `cargo run --profile dist -p sinew-cone --example timing` prints a table of the convex law;
//! `... --example timing -- write FOLDER` writes problems with the times of Coulomb's law for
//! `peers.py`, which gives them to other programs.

#![allow(clippy::print_stdout)]

#[allow(dead_code)] // the tests use the rest
#[path = "../tests/suite/generate/mod.rs"]
mod generate;
#[path = "../tests/suite/independent/mod.rs"]
mod independent;

use std::hint::black_box;
use std::io::Write;
use std::path::Path;
use std::time::Instant;

use generate::families::{bricks, ordinary, pyramid};
use generate::residual::residual;
use generate::{Generated, Random, pile, stack};
use independent::Independent;
use sinew_cone::{Law, Options, Problem, Solver, SparseProblem, SparseRows};

type Make = fn(&mut Random) -> Generated;

/// A name, how a problem is made, and how many.
const FAMILIES: [(&str, Make, usize); 10] = [
    ("1 contact", |r| pile(r, 1, 1.0, 0.0), 100),
    ("pile of 4", |r| pile(r, 4, 1.0, 0.0), 100),
    ("pile of 10", |r| pile(r, 10, 1.0, 0.0), 100),
    ("pile of 25", |r| pile(r, 25, 1.0, 0.0), 40),
    ("pile of 50", |r| pile(r, 50, 1.0, 0.0), 20),
    ("3 boxes, 12 contacts", |r| stack(r, 3, 1.0, None), 40),
    ("12 boxes, 48 contacts", |r| stack(r, 12, 1.0, None), 10),
    ("wall of 9 bricks", |r| bricks(r, [3, 3], ordinary), 20),
    ("wall of 36 bricks", |r| bricks(r, [6, 6], ordinary), 10),
    ("pyramid of 21 boxes", |r| pyramid(r, 6), 10),
];

/// Runs of each problem; the fastest counts, the machine may be shared.
const RUNS: usize = 7;

fn main() -> std::io::Result<()> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match &args[..] {
        [command, folder] if command == "write" => write(Path::new(folder)),
        _ => {
            table();
            Ok(())
        }
    }
}

/// The convex law beside Clarabel, whose faster form counts.
fn table() {
    println!("mean microseconds per problem (fastest of {RUNS} runs each)");
    println!(
        "here: checks of the input, scaling and ordering, solve, certificate; buffers are kept"
    );
    println!("Clarabel: set-up and solve to about our residual, its sparse matrices being ready");
    println!("median x: of the problems' own ratios, which a few hard ones do not decide");
    println!(
        "{:22} {:>10} {:>10} {:>10} {:>10} {:>8} {:>8} {:>8} {:>8} {:>9} {:>9}",
        "",
        "cold",
        "warm 0.1%",
        "impulses",
        "velocities",
        "cold x",
        "median x",
        "warm x",
        "median x",
        "residual",
        "Clarabel"
    );
    let mut solver = Solver::new(Options { law: Law::Convex, ..Options::default() });
    for (name, make, count) in FAMILIES {
        let mut rng = Random::new(5);
        let races: Vec<Race> = (0..count).map(|_| race(&mut solver, make, &mut rng)).collect();
        let mean = |of: fn(&Race) -> f64| races.iter().map(of).sum::<f64>() / count as f64;
        let (cold, warm) = (mean(|r| r.cold), mean(|r| r.warm));
        let [impulses, velocities] = [mean(|r| r.clarabel[0]), mean(|r| r.clarabel[1])];
        let best = impulses.min(velocities);
        println!(
            "{name:22} {:10.1} {:10.1} {:10.1} {:10.1} {:8.1} {:8.1} {:8.1} {:8.1} {:9.1e} {:9.1e}",
            1e6 * cold,
            1e6 * warm,
            1e6 * impulses,
            1e6 * velocities,
            best / cold,
            median(races.iter().map(|r| r.best() / r.cold)),
            best / warm,
            median(races.iter().map(|r| r.best() / r.warm)),
            median(races.iter().map(|r| r.residual[0])),
            median(races.iter().map(|r| r.residual[1])),
        );
    }
}

/// Times of one problem in seconds, and residuals: ours, and of Clarabel's faster form.
struct Race {
    cold: f64,
    warm: f64,
    /// By impulses, by velocities.
    clarabel: [f64; 2],
    residual: [f64; 2],
}

impl Race {
    fn best(&self) -> f64 {
        self.clarabel[0].min(self.clarabel[1])
    }
}

fn race(solver: &mut Solver, make: Make, rng: &mut Random) -> Race {
    let made = make(rng);
    let nudged = made.nudged(rng, 0.001);
    let mut ours = Ours::new(solver, &made);
    let last = ours.solve(&made.b, None);
    let cold = fastest(|| drop(black_box(ours.solve(&made.b, None))));
    let warm = fastest(|| drop(black_box(ours.solve(&nudged, Some(&last)))));

    let problem = made.problem();
    let forms = [
        Independent::new(&problem),
        Independent::by_velocities(&problem, &made.scaled_rows(), made.velocity.len()),
    ];
    let clarabel = [0, 1].map(|k: usize| fastest(|| drop(black_box(forms[k].solve(true)))));
    let faster = usize::from(clarabel[1] < clarabel[0]);
    let error = |x: &[f64]| residual(&made.a, &made.b, &made.cones, x, Law::Convex);
    let residual = [error(&last), error(&forms[faster].solve(true))];
    Race { cold, warm, clarabel, residual }
}

/// Contacts above which a problem is given by its sparse rows, as the engine does.
const MANY: usize = 40;

/// A problem in the form that the engine would choose.
struct Ours<'a> {
    solver: &'a mut Solver,
    made: &'a Generated,
    rows: SparseRows,
    width: usize,
}

impl<'a> Ours<'a> {
    fn new(solver: &'a mut Solver, made: &'a Generated) -> Ours<'a> {
        let (rows, width) = made.sparse_rows();
        Ours { solver, made, rows, width }
    }

    fn solve(&mut self, b: &[f64], start: Option<&[f64]>) -> Vec<f64> {
        let Ours { solver, made, rows, width } = self;
        let solution = if made.cones.len() > MANY {
            let problem = SparseProblem::new(rows, *width, b, &made.cones).expect("well-formed");
            solver.solve_sparse(&problem, start)
        } else {
            let problem = Problem::new(&made.a, b, &made.cones).expect("well-formed");
            solver.solve(&problem, start)
        };
        solution.expect("well-formed").impulses.clone()
    }
}

/// Problems with contacts of three rows, with our time and residual for Coulomb's law. A file for
/// each: numbers of eight bytes, contacts, time, residual, then friction, b, and A by rows.
fn write(folder: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(folder)?;
    let mut solver = Solver::new(Options { law: Law::Coulomb, ..Options::default() });
    for (name, make, count) in FAMILIES {
        let mut rng = Random::new(5);
        for k in 0..count.min(20) {
            let made = make(&mut rng);
            let mut ours = Ours::new(&mut solver, &made);
            let impulses = ours.solve(&made.b, None);
            let time = fastest(|| drop(black_box(ours.solve(&made.b, None))));
            let error = residual(&made.a, &made.b, &made.cones, &impulses, Law::Coulomb);
            let head = [made.cones.len() as f64, time, error];
            let friction: Vec<f64> = made.friction().collect();
            let mut file = std::fs::File::create(folder.join(format!("{name} {k}.bin")))?;
            for list in [&head[..], &friction, &made.b, &made.a] {
                let bytes: Vec<u8> = list.iter().flat_map(|x| x.to_le_bytes()).collect();
                file.write_all(&bytes)?;
            }
        }
    }
    Ok(())
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
