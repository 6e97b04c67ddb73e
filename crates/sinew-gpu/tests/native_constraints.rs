//! Constraints of the kernel against those of the engine, and teams against each other.
#![allow(clippy::unwrap_used)]

mod native;

use native::{Kernel, disturb, inline, model, near};
use sinew_engine as engine;
use sinew_gpu::pack::pack;
use sinew_kernel::outcome;
use sinew_kernel::team::{One, Shuffled};
use sinew_model::{Data, Model};
use sinew_testkit::Random;

/// Accelerations at the optimum, relative to the largest.
const OPTIMUM: f64 = 1e-10;

/// Steps both from the same states; every state is the engine's, so that errors do not add up.
fn check(mut m: Model, steps: usize, size: f64) {
    // both at the optimum, however they get there
    (m.opt.tolerance, m.opt.iterations, m.opt.ls_iterations) = (1e-15, 100, 100);
    let mut rng = Random::new(11);
    let mut d = Data::new(&m);
    disturb(&m, &mut d, &mut rng, size);
    let (mut one, mut shuffled) = (Kernel::<f64>::new(&m), Kernel::<f64>::new(&m));
    let mut most = 0;
    for _ in 0..steps {
        one.set(&d);
        shuffled.set(&d);
        assert_eq!(one.step(One, 1), (outcome::OK, 1));
        shuffled.step(Shuffled(5), 1);
        assert_eq!(one.state, shuffled.state);

        engine::forward(&m, &mut d);
        most = most.max(d.nefc);
        near("qacc", &one.get("qacc_warmstart"), &d.qacc, OPTIMUM);
        if d.nefc > 0 {
            near("qfrc_constraint", &one.work("qfrc_constraint"), &d.qfrc_constraint, OPTIMUM);
        }
        engine::advance(&m, &mut d);
        near("qvel", &one.get("qvel"), &d.qvel, OPTIMUM);
        near("qpos", &one.get("qpos"), &d.qpos, OPTIMUM);
    }
    assert!(most > 0, "no rows");
}

#[test]
fn limits_of_joints() {
    check(
        inline(
            r#"<mujoco><worldbody><body><joint range="-10 20" axis="0 1 0"/><geom size=".1" pos=".2 0 0"/>
              <body pos=".4 0 0"><joint type="slide" axis="1 0 0" range="-.05 .05" margin=".1"
                solreflimit="-200 -10" solimplimit=".8 .9 .1 .3 3"/><geom size=".1"/></body>
            </body></worldbody></mujoco>"#,
        ),
        200,
        0.5,
    );
}

#[test]
fn dry_friction_of_joints() {
    check(
        inline(
            r#"<mujoco><worldbody><body><joint frictionloss=".3" axis="0 1 0"/>
              <geom size=".1" pos=".2 0 0"/>
              <body pos=".4 0 0"><joint frictionloss=".2" damping=".1" axis="0 1 0" range="-30 30"/>
                <geom size=".1" pos=".2 0 0"/></body>
            </body></worldbody></mujoco>"#,
        ),
        200,
        0.5,
    );
}

#[test]
fn spheres_and_capsules() {
    for (condim, impratio) in [(1, 1.0), (3, 1.0), (4, 2.0), (6, 1.0)] {
        let mut m = inline(&format!(
            r#"<mujoco><option timestep=".002"><flag island="disable"/></option>
            <default><geom condim="{condim}" friction=".8 .02 .01"/></default>
            <worldbody>
              <geom type="plane" size="2 2 .1" quat="1 .05 .02 0"/>
              <geom type="capsule" size=".1" fromto="-1 0 .1 1 0 .1"/>
              <body pos="0 0 .2"><freejoint/><geom type="capsule" size=".05 .1"/></body>
              <body pos=".1 0 .34"><freejoint/><geom size=".08" margin=".01" gap=".005"/></body>
              <body pos="0 .02 .5"><freejoint/><geom type="capsule" size=".05 .1" quat="1 1 0 0"/>
                <geom size=".06" pos="0 .1 .1" solref="-500 -20"/></body>
              <body pos="-.1 0 .7"><freejoint/><geom type="capsule" size=".05 .1" priority="1"/></body>
            </worldbody></mujoco>"#
        ));
        m.opt.impratio = impratio;
        check(m, 250, 0.1);
    }
}

#[test]
fn humanoid() {
    let mut m = model("humanoid.xml");
    for t in 0..m.ntendon {
        m.tendon_limited[t] = false.into();
    }
    check(m, 200, 0.2);
}

#[test]
fn models_with_other_features_are_refused_with_their_names() {
    let m = inline(
        r#"<mujoco><option integrator="RK4" cone="elliptic"><flag nativeccd="disable"/></option><worldbody>
          <geom type="plane" size="1 1 1"/>
          <body><freejoint/><geom type="cylinder" size=".1 .1"/></body>
          <body pos="1 0 0"><freejoint/><geom type="ellipsoid" size=".1 .1 .2"/></body>
          </worldbody></mujoco>"#,
    );
    let error = pack::<f64>(&m).unwrap_err();
    assert_eq!(
        error.features,
        [
            "integrator RK4",
            "elliptic cones",
            "contacts of distance fields, and of any convex shapes without nativeccd"
        ]
    );
}
