//! Overlapping convex hulls of random points, many of them flat, thin or with repeated points.

use std::fmt::Write as _;

use sinew_testkit::Random;

use super::Files;
use crate::exercise::exercise;
use crate::{Outcome, refused};

/// Points of a hull: scattered, on a lattice, nearly on a plane, or nearly on a line.
fn points(random: &mut Random) -> String {
    let count = 4 + random.below(20);
    let shape = random.below(6);
    let scale = random.pick(&[1.0, 1.0, 1e-3, 1e3, 1e-6]);
    let thin = random.pick(&[1.0, 1e-3, 1e-9, 0.0]);
    let mut text = String::new();
    for _ in 0..count {
        let [x, y, z] = random.array::<3>();
        let p = match shape {
            0 => [x, y, z],
            1 => [x.round(), y.round(), z.round()],
            2 => [x, y, z * thin],
            3 => [x, y * thin, z * thin],
            4 => [(4.0 * x).round() / 4.0, (4.0 * y).round() / 4.0, z.signum()],
            _ => [x.signum(), y.signum(), z.signum() * thin],
        };
        for v in p {
            let _ = write!(text, "{} ", v * scale);
        }
    }
    text
}

/// A model of two or three hulls and a primitive.
fn model(random: &mut Random) -> String {
    let mut assets = String::new();
    let mut bodies = String::new();
    for k in 0..2 + random.below(2) {
        let _ = write!(assets, "<mesh name='m{k}' vertex='{}'/>", points(random));
        let [x, y, z] = random.array::<3>();
        let q = random.array::<4>();
        let _ = write!(
            bodies,
            "<body pos='{} {} {}' quat='{} {} {} {}'><freejoint/><geom type='mesh' mesh='m{k}'/></body>",
            x * 0.3,
            y * 0.3,
            z * 0.3,
            q[0],
            q[1],
            q[2],
            q[3],
        );
    }
    let kind = random.pick(&["box", "ellipsoid", "cylinder", "capsule", "sphere"]);
    let multi = random.pick(&["enable", "disable"]);
    let native = random.pick(&["enable", "disable"]);
    let margin = random.pick(&["0", "0.01", "1"]);
    format!(
        "<mujoco><option><flag multiccd='{multi}' nativeccd='{native}'/></option>\
         <default><geom margin='{margin}' density='1000'/></default><asset>{assets}</asset>\
         <worldbody><geom type='{kind}' size='.5 .4 .3'/>{bodies}</worldbody></mujoco>"
    )
}

pub(super) fn hull(number: u64) -> Outcome {
    let mut random = Random::new(number);
    match sinew::load_str(&model(&mut random)) {
        Ok(mut m) => {
            exercise(&mut random, &mut m);
            Outcome::Accepted
        }
        Err(error) => refused(&error),
    }
}

pub(super) fn write(number: u64) -> Files {
    vec![("model.xml".to_owned(), model(&mut Random::new(number)).into_bytes())]
}
