//! Identical numbers in every run, on every thread, and from a copy of the state.

use std::path::PathBuf;
use std::thread;

use sinew::model::enums::SolverType;
use sinew::{Data, Model, load, step};

const SOLVERS: [SolverType; 3] = [SolverType::Pgs, SolverType::Cg, SolverType::Newton];
const STEPS: usize = 500;

fn model(name: &str, solver: SolverType) -> Model {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../models").join(name);
    let mut m = load(path).unwrap();
    m.opt.solver = solver;
    m
}

/// Makes steps with controls that depend on the step's index alone.
fn run(m: &Model, d: &mut Data, steps: std::ops::Range<usize>) {
    for k in steps {
        for (u, ctrl) in d.ctrl.iter_mut().enumerate() {
            *ctrl = (0.05 * k as f64 + 1.3 * u as f64).sin();
        }
        step(m, d);
    }
}

/// Hash of the state.
fn hash(d: &Data) -> u64 {
    sinew_testkit::hash(d.qpos.iter().chain(d.qvel.iter()).chain(d.act.iter()).chain(d.qacc.iter()))
}

fn hash_of_run(m: &Model) -> u64 {
    let mut d = Data::new(m);
    run(m, &mut d, 0..STEPS);
    assert!(d.qpos.iter().all(|x| x.is_finite()));
    hash(&d)
}

#[track_caller]
fn check(name: &str) {
    for solver in SOLVERS {
        let m = model(name, solver);
        let once = hash_of_run(&m);

        // concurrent runs on several threads
        let others = thread::scope(|scope| {
            let runs: Vec<_> = (0..3).map(|_| scope.spawn(|| hash_of_run(&m))).collect();
            runs.into_iter().map(|run| run.join().unwrap()).collect::<Vec<_>>()
        });
        assert_eq!(others, [once; 3], "{name} {solver:?}");

        // the second half from copies: one with new scratch memory, one with used scratch memory
        let mut d = Data::new(&m);
        run(&m, &mut d, 0..STEPS / 2);
        let mut copy = d.clone();
        run(&m, &mut d, STEPS / 2..STEPS);
        let mut used = d;
        used.copy_from(&copy);
        run(&m, &mut copy, STEPS / 2..STEPS);
        run(&m, &mut used, STEPS / 2..STEPS);
        assert_eq!([hash(&copy), hash(&used)], [once; 2], "{name} {solver:?}");
    }
}

#[test]
fn a_humanoid_repeats_itself() {
    check("humanoid.xml");
}

#[test]
fn a_quadruped_repeats_itself() {
    check("quadruped.xml");
}

#[test]
fn a_gripper_repeats_itself() {
    check("gripper.xml");
}

#[test]
fn a_pile_repeats_itself() {
    check("pile.xml");
}
