//! Steps by the kernel, natively, beside those of the engine.

use std::path::Path;

use sinew_mjcf::{load_path, load_str};
use sinew_model::{Data, Model};
use sinew_testkit::Random;

/// A model of the project.
pub(crate) fn model(name: &str) -> Model {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models").join(name);
    load_path(&path, &Default::default()).unwrap().model
}

/// A model from a text.
pub(crate) fn inline(xml: &str) -> Model {
    load_str(xml, &Default::default(), &Default::default()).unwrap().model
}

/// A chain of three bodies on a free joint, and sites and geoms for tendons.
pub(crate) const CHAIN: &str = r#"<worldbody>
      <site name="s0" pos="0 0 2"/><site name="s1" pos="-.3 .1 1.9" quat="1 .1 .2 0"/>
      <body pos="0 0 1.5"><joint name="free" type="free"/>
        <geom name="ball" size=".12" mass="1"/><site name="a0" pos=".3 .05 -.1" quat="1 0 .3 .1"/>
        <site name="aside" pos="0 .25 0"/>
        <body pos=".5 0 0"><joint name="ball" type="ball" damping=".1"/>
          <geom name="rod" type="cylinder" size=".08 .2" mass="1" quat="1 .3 0 0"/>
          <site name="b0" pos=".1 0 .2"/><site name="inside" pos="0 .02 0"/>
          <body pos=".5 0 0"><joint name="hinge" axis="0 1 0"/>
            <joint name="slide" type="slide" axis="1 0 0"/>
            <geom size=".05" pos=".1 0 0" mass=".5"/><site name="c0" pos=".1 .1 0" quat="1 .2 .1 0"/>
          </body></body></body>
    </worldbody>"#;

/// A state in which everything moves.
pub(crate) fn disturb(m: &Model, d: &mut Data, rng: &mut Random, size: f64) {
    let mut along = vec![0.0; m.nv];
    along.fill_with(|| rng.between([-size, size]));
    sinew_engine::integrate_pos(m, &mut d.qpos, &along, 1.0);
    d.qvel.iter_mut().for_each(|x| *x = rng.between([-size, size]));
    d.act.iter_mut().for_each(|x| *x = rng.between([0.0, size]));
    d.ctrl.iter_mut().for_each(|x| *x = rng.between([-1.0, 1.0]));
    d.qfrc_applied.iter_mut().for_each(|x| *x = rng.between([-size, size]));
    d.xfrc_applied.flat_mut()[6..].iter_mut().for_each(|x| *x = rng.between([-size, size]));
}

/// The largest difference, relative to the largest number.
pub(crate) fn difference(ours: &[f64], theirs: &[f64]) -> f64 {
    assert_eq!(ours.len(), theirs.len());
    let scale = theirs.iter().fold(1.0_f64, |max, x| max.max(x.abs()));
    let worst = ours.iter().zip(theirs).fold(0.0_f64, |max, (a, b)| {
        let dif = (a - b).abs();
        if dif.is_nan() { f64::INFINITY } else { max.max(dif) }
    });
    worst / scale
}

#[track_caller]
pub(crate) fn near(name: &str, ours: &[f64], theirs: &[f64], tolerance: f64) {
    let dif = difference(ours, theirs);
    assert!(dif <= tolerance, "{name} differs by {dif:e}:\n{ours:?}\n{theirs:?}");
}
