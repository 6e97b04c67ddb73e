//! Edits of a model in code: elements removed and inserted, models attached and detached.

use sinew::mjcf::spec::{Actuator, Body, Geom, Sensor, Tendon};
use sinew::{Assets, LoadOptions, Spec};
use sinew_testkit::Random;

use super::model::corpus;
use crate::corpus::pick_small;
use crate::exercise::exercise;
use crate::{Outcome, refused};

/// Types of sensors that refer to an object.
const SENSORS: [&str; 6] = ["jointpos", "framepos", "touch", "rangefinder", "clock", "contact"];

pub(super) fn spec(number: u64) -> Outcome {
    let mut random = Random::new(number);
    let assets = &corpus().assets;
    let Some((mut spec, _)) = parse(&mut random, assets) else { return Outcome::Refused };
    let mut lost_bounds = false;
    for _ in 0..1 + random.below(6) {
        lost_bounds |= edit(&mut random, &mut spec, assets);
    }
    let options = LoadOptions::default();
    match spec.compile(assets, &options) {
        Ok(mut loaded) => {
            exercise(&mut random, &mut loaded.model);
            let saved = spec.to_xml(Some(&loaded.model));
            if let Err(error) = sinew::load_str_with(&saved, assets, &options) {
                let massless = error.to_string().contains("mass and inertia of moving bodies");
                assert!(lost_bounds && massless, "its own XML is refused: {error}");
            }
            Outcome::Accepted
        }
        Err(error) => refused(&error),
    }
}

/// A model, and whether it bounds masses or inertias from below.
fn parse(random: &mut Random, assets: &Assets) -> Option<(Spec, bool)> {
    let models = &corpus().models;
    let (_, text) = &models[pick_small(random, models.len())];
    let (spec, _) = Spec::parse_str(text, assets, &LoadOptions::default()).ok()?;
    Some((spec, ["boundmass", "boundinertia"].iter().any(|word| text.contains(word))))
}

/// The name of a body, or an unknown name.
fn body_name(random: &mut Random, spec: &Spec) -> String {
    let bodies = spec.all::<Body>();
    match bodies.get(random.below(bodies.len() + 1)) {
        Some(body) => body.name.text().to_owned(),
        None => random.pick(&["world", "nobody", ""]).to_owned(),
    }
}

/// Makes one edit. Returns whether attached bodies have their own bounds of mass and inertia. As in
/// MuJoCo, these bodies keep the bounds, but a saved file has only the bounds of the receiving
/// model.
fn edit(random: &mut Random, spec: &mut Spec, assets: &Assets) -> bool {
    let name = body_name(random, spec);
    match random.below(8) {
        0 => {
            let _ = spec.detach(&name);
        }
        1 => {
            let Some((other, bounds)) = parse(random, assets) else { return false };
            let attached = spec.attach(&other, &name, random.pick(&["a_", "", "b/"]));
            return bounds && attached.is_ok();
        }
        2 => {
            if let Ok(mut body) = spec.body(&name) {
                let size = random.pick(&[0.1, 0.0, -1.0, f64::NAN, f64::INFINITY, 1e30]);
                body.add(Geom::sphere(size));
            }
        }
        3 => {
            if let Ok(mut body) = spec.body(&name) {
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
    false
}
