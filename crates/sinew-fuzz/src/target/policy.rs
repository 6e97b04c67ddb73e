//! ONNX files of policies, mutated, that drive the robot of the file.

use std::sync::OnceLock;

use sinew::{Data, Model};
use sinew_testkit::Random;
use sinew_view::Policy;

use super::Files;
use crate::mutate::bytes;
use crate::{Outcome, refused};

/// A file that drives the quadruped, and the robot.
fn seed() -> &'static (Vec<u8>, Model) {
    static SEED: OnceLock<(Vec<u8>, Model)> = OnceLock::new();
    SEED.get_or_init(|| {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
        let file = format!("{folder}/crates/sinew-view/src/policy/tests/walk.onnx");
        let file = std::fs::read(file).expect("a file of the project");
        let robot = sinew::load(format!("{folder}/models/quadruped.xml"));
        (file, robot.expect("a model of the project"))
    })
}

fn generate(number: u64) -> Vec<u8> {
    let mut random = Random::new(number);
    let mut file = seed().0.clone();
    for _ in 0..1 + random.below(3) {
        bytes::mutate(&mut random, &mut file);
    }
    file
}

pub(super) fn policy(number: u64) -> Outcome {
    let m = &seed().1;
    let read = Policy::read(&generate(number));
    match read.and_then(|policy| policy.fits(m, &Data::new(m))) {
        Ok(()) => Outcome::Accepted,
        Err(reason) => refused(&reason),
    }
}

pub(super) fn write(number: u64) -> Files {
    vec![("policy.onnx".to_owned(), generate(number))]
}
