//! Time per step of every model of a list, and by class.
//!
//! `cargo run --profile dist -p sinew-bench --example sweep -- LIST [BEFORE]`
//!
//! `LIST` has a path on each line, relative to its own folder. `BEFORE` is the output of an earlier
//! run; the table by class then has the speed-up over it.
// the program prints to stdout; the libraries do not
#![allow(clippy::print_stdout)]

use std::collections::BTreeMap;
use std::error::Error;
use std::fs;
use std::path::Path;

use sinew::Model;
use sinew::model::enums::{ConeType, Integrator, SolverType};
use sinew_workload::{Load, Rollout};

/// Approximate seconds of steps per repetition; repetitions; warm-up steps.
const SECONDS: f64 = 0.1;
const REPEAT: usize = 5;
const WARMUP: usize = 50;

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let list = args.next().ok_or("wanted a file with a path of a model on each line")?;
    let before = args.next().map(fs::read_to_string).transpose()?.unwrap_or_default();
    let before: BTreeMap<&str, f64> = before.lines().filter_map(parse).collect();

    // a line for each model
    let folder = Path::new(&list).parent().unwrap_or(Path::new("."));
    let mut classes: BTreeMap<&str, Vec<(f64, Option<f64>)>> = BTreeMap::new();
    for name in fs::read_to_string(&list)?.lines().map(str::trim) {
        if name.is_empty() || name.starts_with('#') {
            continue;
        }
        let load = Load { key: None, seed: 1, scale: 0.3 };
        match Rollout::open(&folder.join(name), load) {
            Ok(rollout) if rollout.model.nv == 0 => {}
            Ok(mut rollout) => {
                let us = 1e6 * floor(&mut rollout);
                println!("{us:10.2} us  {name}");
                let ratio = before.get(name).map(|before| before / us);
                for class in classes_of(&rollout.model) {
                    classes.entry(class).or_default().push((us, ratio));
                }
            }
            Err(error) => println!("# {name}: {error}"),
        }
    }

    // a line for each class
    println!("\n# class, models, geometric mean of us per step, speed-up over before");
    for (class, figures) in &classes {
        let us = mean(figures.iter().map(|f| f.0));
        let ratio = mean(figures.iter().filter_map(|f| f.1));
        println!("# {class:<22} {:4} {us:10.2} {ratio:7.3}", figures.len());
    }
    Ok(())
}

/// Name and microseconds in a line of this program's output.
fn parse(line: &str) -> Option<(&str, f64)> {
    let (us, name) = line.split_once(" us ")?;
    Some((name.trim(), us.trim().parse().ok()?))
}

/// Seconds per step: the sum over short pieces of each piece's minimum over all repetitions.
fn floor(rollout: &mut Rollout) -> f64 {
    rollout.reset();
    rollout.run(WARMUP, false);
    let guess = rollout.run(10, false).cpu / 10.0;
    let piece = ((SECONDS / guess / 40.0) as usize).clamp(1, 25);
    let mut least = [f64::INFINITY; 40];
    for _ in 0..REPEAT {
        rollout.reset();
        rollout.run(WARMUP, false);
        for least in &mut least {
            *least = least.min(rollout.run(piece, false).cpu);
        }
    }
    least.iter().sum::<f64>() / (least.len() * piece) as f64
}

fn classes_of(m: &Model) -> Vec<&'static str> {
    let mut classes = vec!["all"];
    classes.push(match m.nv {
        0..=3 => "dofs 1 to 3",
        4..=10 => "dofs 4 to 10",
        11..=40 => "dofs 11 to 40",
        _ => "dofs more than 40",
    });
    classes.push(match m.opt.integrator {
        Integrator::Euler => "integrator Euler",
        Integrator::Rk4 => "integrator RK4",
        Integrator::Implicit => "integrator implicit",
        _ => "integrator implicitfast",
    });
    classes.push(match m.opt.solver {
        SolverType::Newton => "solver Newton",
        SolverType::Cg => "solver CG",
        _ => "solver PGS",
    });
    classes.push(match m.opt.cone {
        ConeType::Elliptic => "cones elliptic",
        _ => "cones pyramidal",
    });
    let has = [
        (m.opt.noslip_iterations > 0, "with noslip"),
        (m.nmesh > 0, "with meshes"),
        (m.ntendon > 0, "with tendons"),
        (m.nflex > 0, "with flexes"),
    ];
    classes.extend(has.into_iter().filter(|(has, _)| *has).map(|(_, class)| class));
    classes
}

/// Geometric mean; NaN of an empty list.
fn mean(numbers: impl Iterator<Item = f64>) -> f64 {
    let (n, sum) = numbers.fold((0.0, 0.0), |(n, sum), x| (n + 1.0, sum + x.ln()));
    (sum / n).exp()
}
