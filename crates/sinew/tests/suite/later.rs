//! Models with parts of later versions of MuJoCo: figures that such a version has recorded.
//!
//! `tests/later/record.py` makes the records.

use std::path::Path;

use sinew::model::enums::Integrator;
use sinew::{Data, Model, forward, load, reset_data_keyframe, step};

/// Largest difference, relative to the largest number of a field: sums of other orders over 100
/// steps.
const TOLERANCE: f64 = 1e-9;

/// The numbers of a line: integrator, steps, field, numbers.
fn parse(line: &str) -> (&str, usize, &str, Vec<f64>) {
    let mut words = line.split(' ');
    let (integrator, steps, field) = (words.next(), words.next(), words.next());
    let numbers = words.map(|word| word.parse().unwrap()).collect();
    (integrator.unwrap(), steps.unwrap().parse().unwrap(), field.unwrap(), numbers)
}

fn field(d: &Data, name: &str) -> Vec<f64> {
    if name == "energy" {
        return d.energy.to_vec();
    }
    let view = d.field(name).unwrap();
    view.bytes.as_chunks::<8>().0.iter().map(|x| f64::from_le_bytes(*x)).collect()
}

/// A state at the first keyframe.
fn start(m: &Model) -> Data {
    let mut d = Data::new(m);
    reset_data_keyframe(m, &mut d, 0);
    d
}

/// Compares a model of the folder with its record.
#[track_caller]
fn check(name: &str) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/later");
    let mut m = load(folder.join(name).with_extension("xml")).unwrap();
    let record = std::fs::read_to_string(folder.join(name).with_extension("txt")).unwrap();
    let (mut d, mut at) = (start(&m), (String::new(), 0));
    for line in record.lines().filter(|line| !line.starts_with('#')) {
        let (integrator, steps, name, wanted) = parse(line);
        if at.0 != integrator {
            m.opt.integrator = match integrator {
                "Euler" => Integrator::Euler,
                "implicit" => Integrator::Implicit,
                _ => Integrator::Implicitfast,
            };
            d = start(&m);
            at = (integrator.to_owned(), 0);
            forward(&m, &mut d);
        }
        if at.1 != steps {
            (at.1..steps).for_each(|_| step(&m, &mut d));
            forward(&m, &mut d);
            at.1 = steps;
        }
        let found = field(&d, name);
        assert_eq!(found.len(), wanted.len(), "{name}");
        let scale = wanted.iter().fold(1.0, |max: f64, x| max.max(x.abs()));
        for (i, (a, b)) in found.iter().zip(&wanted).enumerate() {
            let words = format!("{integrator}, {steps} steps: {name}[{i}] = {a}, wanted {b}");
            assert!((a - b).abs() <= TOLERANCE * scale, "{words}");
        }
    }
}

#[test]
fn springs_and_dampers_have_polynomials() {
    check("springs");
}

#[test]
fn actuators_add_damping_and_armature() {
    check("actuators");
}

#[test]
fn motors_have_states_and_limits() {
    check("motors");
}

#[test]
fn surfaces_move() {
    check("conveyors");
    check("conveyors_pyramidal");
}

#[test]
fn a_binary_file_keeps_the_tables() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/later");
    for name in ["springs.xml", "actuators.xml", "motors.xml", "conveyors.xml"] {
        let m = load(folder.join(name)).unwrap();
        assert!(m.later.is_some());
        assert_eq!(Model::from_binary(&m.to_binary()).unwrap(), m);
    }
    let m = load(folder.join("actuators.xml")).unwrap();
    let mut plain = m.clone();
    plain.later = None;
    assert!(m.to_binary().starts_with(&plain.to_binary()));
}
