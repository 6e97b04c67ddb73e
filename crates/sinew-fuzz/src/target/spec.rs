//! Edits of a model in code: elements taken out, put in elsewhere, models attached and detached.

use sinew::mjcf::spec::{Actuator, Body, Geom, Sensor, Tendon};
use sinew::{Assets, LoadOptions, Spec};
use sinew_testkit::Random;

use super::model::corpus;
use crate::corpus::pick_small;
use crate::exercise::exercise;
use crate::{Outcome, refused};

/// Kinds of sensors that name something.
const SENSORS: [&str; 6] = ["jointpos", "framepos", "touch", "rangefinder", "clock", "contact"];

pub(super) fn spec(number: u64) -> Outcome {
    let mut random = Random::new(number);
    let assets = &corpus().assets;
    let Some(mut spec) = parse(&mut random, assets) else { return Outcome::Refused };
    for _ in 0..1 + random.below(6) {
        edit(&mut random, &mut spec, assets);
    }
    let options = LoadOptions::default();
    match spec.compile(assets, &options) {
        Ok(mut loaded) => {
            exercise(&mut random, &mut loaded.model);
            let saved = spec.to_xml(Some(&loaded.model));
            if let Err(error) = sinew::load_str_with(&saved, assets, &options) {
                panic!("its own XML is refused: {error}");
            }
            Outcome::Accepted
        }
        Err(error) => refused(&error),
    }
}

fn parse(random: &mut Random, assets: &Assets) -> Option<Spec> {
    let models = &corpus().models;
    let (_, text) = &models[pick_small(random, models.len())];
    Spec::parse_str(text, assets, &LoadOptions::default()).ok().map(|(spec, _)| spec)
}

/// The name of one of the bodies, or one that nobody has.
fn body_name(random: &mut Random, spec: &Spec) -> String {
    let bodies = spec.all::<Body>();
    match bodies.get(random.below(bodies.len() + 1)) {
        Some(body) => body.name.text().to_owned(),
        None => random.pick(&["world", "nobody", ""]).to_owned(),
    }
}

fn edit(random: &mut Random, spec: &mut Spec, assets: &Assets) {
    let name = body_name(random, spec);
    match random.below(8) {
        0 => {
            let _ = spec.detach(&name);
        }
        1 => {
            let Some(other) = parse(random, assets) else { return };
            let _ = spec.attach(&other, &name, random.pick(&["a_", "", "b/"]));
        }
        2 => {
            if let Some(mut body) = spec.body(&name) {
                let size = random.pick(&[0.1, 0.0, -1.0, f64::NAN, f64::INFINITY, 1e30]);
                body.add(Geom::sphere(size));
            }
        }
        3 => {
            if let Some(mut body) = spec.body(&name) {
                let axis = random.pick(&[[0.0, 0.0, 1.0], [0.0; 3], [f64::NAN; 3]]);
                body.add_body("child").hinge("hinge", axis).geom(Geom::cuboid(random.array()));
            }
        }
        4 => {
            spec.add(Actuator::motor(random.pick(&["hinge", "knee", "", "none"])));
        }
        5 => {
            spec.add(Sensor::new(random.pick(&SENSORS)));
        }
        6 => {
            spec.add(Tendon::sum(&[("hinge", 1.0), ("nothing", random.signed())]));
        }
        _ => {
            let again = spec.clone();
            let _ = spec.attach(&again, &name, "again_");
        }
    }
}
