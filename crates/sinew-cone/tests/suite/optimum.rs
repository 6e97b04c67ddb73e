//! The optimum agrees with an independent solver, for every kind of cone.

use crate::generate::{Generated, Random, pile, stack};
use crate::independent::Independent;
use sinew_cone::{Cone, Options, Problem, solve};

/// Our objective may lie above the other one by this much, relatively.
const NOT_WORSE: f64 = 1e-9;

/// And below it by this much: the other solver often stops there although asked for 1e-11.
const SAME: f64 = 1e-6;

#[track_caller]
fn compare(problem: &Problem<'_>, what: &str) {
    let ours = solve(problem, &Options::default(), None).expect("well-formed");
    assert!(ours.converged, "{what}: {:?}, residual {}", ours.status, ours.residual);
    let theirs = Independent::new(problem).solve(true);
    let their_objective = problem.objective(&theirs);
    let size = ours.objective.abs().max(1e-3);
    let difference = (ours.objective - their_objective) / size;
    let same = difference < NOT_WORSE && difference > -SAME;
    assert!(same, "{what}: {} and {their_objective}", ours.objective);
}

#[test]
fn piles_and_stacks() {
    let mut rng = Random::new(1);
    for contacts in [1, 2, 5, 10, 20] {
        for k in 0..8 {
            compare(&pile(&mut rng, contacts, 1.0, 0.0).problem(), &format!("pile {contacts}.{k}"));
        }
    }
    for boxes in [1, 2, 4] {
        for k in 0..4 {
            compare(&stack(&mut rng, boxes, 1.0, None).problem(), &format!("stack {boxes}.{k}"));
        }
    }
}

/// A problem of the size of `made` with other cones on its rows.
fn recast(made: &Generated, rng: &mut Random) -> Vec<Cone> {
    let mut cones: Vec<Cone> = Vec::new();
    let mut left = made.rows();
    while left > 0 {
        let mut mu = || rng.uniform(0.05, 1.2);
        let cone = match mu() {
            x if x < 0.15 => Cone::Free,
            x if x < 0.30 => Cone::HalfLine,
            x if x < 0.45 => Cone::Interval { lower: -mu(), upper: mu() },
            x if x < 0.70 => Cone::Contact3([mu(), mu()]),
            x if x < 0.75 => Cone::Contact3([mu(), 0.0]),
            x if x < 0.95 => Cone::Contact4([mu(), mu(), mu()]),
            _ => Cone::Contact6([mu(), mu(), mu(), mu(), mu()]),
        };
        if cone.dim() <= left {
            left -= cone.dim();
            cones.push(cone);
        }
    }
    cones
}

#[test]
fn every_cone() {
    let mut rng = Random::new(2);
    for k in 0..120 {
        let contacts = 2 + k % 9;
        let made = pile(&mut rng, contacts, 1.0, 0.0);
        let cones = recast(&made, &mut rng);
        let n = made.rows();
        let mut a = made.a.clone();
        for i in 0..n {
            // dependent rows with free cones may have no optimum
            a[i * n + i] += 0.1;
        }
        compare(
            &Problem::new(&a, &made.b, &cones).expect("well-formed"),
            &format!("{k}: {cones:?}"),
        );
    }
}
