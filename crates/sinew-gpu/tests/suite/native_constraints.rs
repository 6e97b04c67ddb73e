//! Constraints of the kernel against those of the engine, and teams against each other.

use crate::native::{CHAIN, disturb, inline, model, near};
use sinew_engine as engine;
use sinew_gpu::native::World;
use sinew_gpu::pack::pack;
use sinew_kernel::outcome;
use sinew_kernel::team::{One, Shuffled};
use sinew_model::enums::{DisableBit, EnableBit, Integrator};
use sinew_model::{Data, Model};
use sinew_testkit::Random;

/// Accelerations at the optimum, relative to the largest.
const OPTIMUM: f64 = 1e-10;

/// The same by conjugate gradients, which stop where an iteration gains less than the tolerance:
/// the error is about the root of it.
const OPTIMUM_OF_FIRST_ORDER: f64 = 1e-7;

/// Accelerations in single precision, whose solver stops at a tolerance of 3.8e-6.
const OPTIMUM_OF_SINGLE: f64 = 1e-2;

/// Velocities and positions after a step of that.
const STEP_OF_SINGLE: f64 = 1e-4;

/// Steps both from the same states; every state is the engine's, so that errors do not add up.
fn check(m: Model, steps: usize, size: f64) {
    check_to(OPTIMUM, m, steps, size);
}

fn check_to(bound: f64, mut m: Model, steps: usize, size: f64) {
    // both at the optimum, however they get there
    (m.opt.tolerance, m.opt.iterations, m.opt.ls_iterations) = (1e-15, 100, 100);
    let mut rng = Random::new(11);
    let mut d = Data::new(&m);
    disturb(&m, &mut d, &mut rng, size);
    let (mut one, mut shuffled) = (World::<f64>::new(&m).unwrap(), World::<f64>::new(&m).unwrap());
    let mut most = 0;
    for _ in 0..steps {
        // the second time from the optimum that each has found, as far as rounding lets it go
        let mut start = d.qacc_warmstart.to_vec();
        for _ in 0..2 {
            for (kernel, shuffle) in [(&mut one, false), (&mut shuffled, true)] {
                kernel.set(&d);
                kernel.put("qacc_warmstart", &start);
                let done = if shuffle { kernel.step(Shuffled(5), 1) } else { kernel.step(One, 1) };
                assert_eq!(done, (outcome::OK, 1));
            }
            start = one.get("qacc_warmstart");
        }
        assert_eq!(one.row(), shuffled.row());
        engine::forward(&m, &mut d);
        let found = d.qacc.to_vec();
        d.qacc_warmstart.copy_from_slice(&found);
        engine::forward(&m, &mut d);
        most = most.max(d.nefc);
        near("qacc", &one.get("qacc_warmstart"), &d.qacc, bound);
        if d.nefc > 0 {
            near("qfrc_constraint", &one.work("qfrc_constraint"), &d.qfrc_constraint, bound);
        }
        engine::advance(&m, &mut d);
        near("qvel", &one.get("qvel"), &d.qvel, bound);
        near("qpos", &one.get("qpos"), &d.qpos, bound);
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
        for cone in ["pyramidal", "elliptic"] {
            balls_and_rods(cone, condim, impratio);
        }
    }
}

fn balls_and_rods(cone: &str, condim: u32, impratio: f64) {
    let mut m = inline(&format!(
        r#"<mujoco><option timestep=".002" cone="{cone}"><flag island="disable"/></option>
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

/// Bodies and sites held together, above a plane.
const FRAMES: &str = r#"<mujoco><option cone="{cone}"><flag island="disable"/></option><worldbody>
          <geom type="plane" size="3 3 .1"/>
          <body name="a" pos="0 0 .5"><freejoint/><geom size=".1"/><site name="p" pos=".1 0 .1"
            quat="1 .1 .2 .3"/>
            <body name="b" pos=".3 0 0"><joint type="ball"/><geom size=".08" pos=".1 0 0"/>
              <site name="q" pos=".05 0 0"/></body></body>
          <body name="c" pos="0 .5 .5"><freejoint/><geom type="capsule" size=".05 .1"/>
            <site name="r" pos=".1 .05 0" quat="1 0 .2 .3"/></body>
          <body name="d" pos="0 1 .5"><joint axis="0 1 0"/><joint axis="1 0 0"/>
            <geom size=".1" pos=".1 0 .2"/></body>
        </worldbody>
        <equality>
          <connect body1="a" body2="c" anchor="0 .2 .1"/>
          <connect body1="d" anchor=".1 0 .2" solref="-300 -10"/>
          <weld body1="b" body2="a" torquescale=".3" solimp=".8 .95 .01 .4 3"/>
          <weld site1="q" site2="r"/>
          <connect site1="p" site2="q" active="false"/>
          <weld body1="c" relpose="0 .5 .6 1 .1 0 0" active="false"/>
        </equality></mujoco>"#;

#[test]
fn equalities_of_bodies_and_sites() {
    for cone in ["pyramidal", "elliptic"] {
        check(inline(&FRAMES.replace("{cone}", cone)), 200, 0.2);
    }
}

/// Three hinges and slides in a row, and two tendons over them.
const ARM: &str = r#"<worldbody><body><joint name="a" axis="0 1 0"/><geom size=".1" pos=".2 0 0"/>
      <body pos=".4 0 0"><joint name="b" axis="0 1 0" frictionloss=".1"/>
        <geom size=".1" pos=".2 0 0"/>
        <body pos=".4 0 0"><joint name="c" type="slide" axis="1 0 0" range="-.1 .1"/>
          <geom size=".1" pos=".2 0 0"/></body></body></body></worldbody>"#;

#[test]
fn couplings_of_joints_and_tendons() {
    check(
        inline(&format!(
            r#"<mujoco><option><flag island="disable"/></option>{ARM}
              <tendon><fixed name="s"><joint joint="a" coef="1"/><joint joint="c" coef="-2"/></fixed>
                <fixed name="t"><joint joint="b" coef=".7"/></fixed></tendon>
              <equality><joint joint1="a" joint2="b" polycoef=".1 .5 .2 .3 -.1"/>
                <joint joint1="c" polycoef=".02 0 0 0 0"/>
                <tendon tendon1="s" tendon2="t" polycoef="0 .3 .1 0 .2"/>
                <tendon tendon1="t" polycoef=".2 0 0 0 0" active="false"/></equality></mujoco>"#
        )),
        200,
        0.3,
    );
}

#[test]
fn limits_and_dry_friction_of_fixed_tendons() {
    for integrator in ["Euler", "implicitfast", "implicit"] {
        check(
            inline(&format!(
                r#"<mujoco><option integrator="{integrator}"><flag island="disable"/></option>{ARM}
                  <tendon><fixed range="-.2 .3" limited="true" frictionloss=".2" margin=".02"
                      stiffness="3" damping=".5" springlength=".05 .1">
                      <joint joint="a" coef="1"/><joint joint="c" coef="-2"/></fixed>
                    <fixed frictionloss=".1" damping="2"><joint joint="b" coef=".7"/>
                      <joint joint="a" coef="-.3"/></fixed></tendon></mujoco>"#
            )),
            250,
            0.3,
        );
    }
}

/// Spatial tendons with limits and dry friction, and one that follows another.
const PULLED: &str = r#"<option><flag island="disable"/></option>
          <default><geom contype="0" conaffinity="0"/></default>{CHAIN}
          <tendon><spatial name="s" range="0 1.05" limited="true" frictionloss=".5"
              margin=".02" stiffness="3" damping=".5"><site site="s0"/>
              <geom geom="ball" sidesite="aside"/><site site="b0"/><geom geom="rod"/>
              <site site="c0"/></spatial>
            <spatial name="t" frictionloss=".3"><site site="s1"/><site site="b0"/></spatial>
          </tendon>
          <equality><tendon tendon1="t" tendon2="s" polycoef="0 .3 .1 0 0"/></equality>
        "#;

#[test]
fn limits_dry_friction_and_couplings_of_spatial_tendons() {
    check(inline(&format!("<mujoco>{PULLED}</mujoco>").replace("{CHAIN}", CHAIN)), 150, 0.1);
}

#[test]
fn adhesion() {
    for cone in ["pyramidal", "elliptic"] {
        check(
            inline(&format!(
                r#"<mujoco><option cone="{cone}"><flag island="disable"/></option><worldbody>
                  <geom type="plane" size="3 3 .1"/>
                  <body name="a" pos="0 0 .1"><freejoint/><geom size=".1"/>
                    <geom size=".08" pos=".2 0 -.02" condim="1"/>
                    <body name="b" pos="0 0 .2"><joint axis="0 1 0"/><geom type="capsule"
                      size=".05 .1" pos=".1 0 0"/></body></body>
                  <body pos=".05 0 .44"><freejoint/><geom size=".1"/></body>
                </worldbody>
                <actuator><adhesion body="a" gain="20" ctrlrange="0 1"/>
                  <adhesion body="b" gain="5" ctrlrange="0 1"/></actuator></mujoco>"#
            )),
            150,
            0.05,
        );
    }
}

#[test]
fn gravity_compensation_by_actuators() {
    check(
        inline(
            r#"<mujoco><worldbody><body gravcomp=".8"><joint name="a" axis="0 1 0"
                actuatorgravcomp="true" range="-10 5"/><geom size=".1" pos=".2 0 0"/></body>
              </worldbody><actuator><motor joint="a"/></actuator></mujoco>"#,
        ),
        150,
        0.3,
    );
}

#[test]
fn gravity_compensation_by_actuators_with_limits() {
    let text = |actuators: &str| {
        format!(
            r#"<mujoco><worldbody><body gravcomp=".8"><joint name="a" axis="0 1 0"
                actuatorgravcomp="true" range="-10 5" actuatorfrcrange="-7 .5"/>
              <geom size=".1" pos=".2 0 0"/><body pos=".4 0 0" gravcomp="1.2"><joint name="b"
                type="ball" actuatorgravcomp="true"/><geom size=".1" pos=".1 .2 0"/>
              <body pos=".1 .4 0" gravcomp=".5"><joint name="c" actuatorgravcomp="true"
                axis="1 0 0"/><geom size=".1" pos=".1 .2 0"/></body></body></body>
              </worldbody>{actuators}<sensor><jointactuatorfrc joint="a"/>
              <jointactuatorfrc joint="c"/></sensor></mujoco>"#
        )
    };
    check(inline(&text(r#"<actuator><motor joint="a"/><motor joint="c"/></actuator>"#)), 150, 0.3);
    check(inline(&text("")), 150, 0.3);
    let mut m = inline(&text(r#"<actuator><motor joint="a"/></actuator>"#));
    m.opt.disableflags |= DisableBit::Actuation.0;
    check(m, 150, 0.3);
}

#[test]
fn options_in_place_of_the_parameters_of_contacts() {
    let mut m = inline(&FRAMES.replace("{cone}", "elliptic"));
    m.opt.enableflags |= EnableBit::Override.0;
    (m.opt.o_margin, m.opt.o_solref) = (0.03, [0.05, 0.8]);
    (m.opt.o_solimp, m.opt.o_friction) = ([0.7, 0.9, 0.02, 0.5, 2.0], [0.7, 0.6, 0.01, 0.02, 0.03]);
    check(m, 200, 0.2);
}

#[test]
fn conjugate_gradients() {
    let m = inline(&format!(
        r#"<mujoco><option solver="CG"><flag island="disable"/></option>{ARM}
          <tendon><fixed range="-.2 .3" limited="true" frictionloss=".2" margin=".02">
              <joint joint="a" coef="1"/><joint joint="c" coef="-2"/></fixed></tendon>
          <equality><joint joint1="a" joint2="b" polycoef=".1 .5 .2 .3 -.1"/></equality></mujoco>"#
    ));
    check_to(OPTIMUM_OF_FIRST_ORDER, m, 150, 0.3);
}

#[test]
fn runge_kutta() {
    let mut m = model("humanoid.xml");
    m.opt.integrator = Integrator::Rk4;
    check_steps(&m, 30);
}

/// Whole steps from the same states.
fn check_steps(m: &Model, steps: usize) {
    let mut m = m.clone();
    (m.opt.tolerance, m.opt.iterations, m.opt.ls_iterations) = (1e-15, 100, 100);
    let mut d = Data::new(&m);
    disturb(&m, &mut d, &mut Random::new(3), 0.2);
    let (mut one, mut shuffled) = (World::<f64>::new(&m).unwrap(), World::<f64>::new(&m).unwrap());
    for _ in 0..steps {
        one.set(&d);
        shuffled.set(&d);
        assert_eq!(one.step(One, 1), (outcome::OK, 1));
        shuffled.step(Shuffled(5), 1);
        assert_eq!(one.row(), shuffled.row());
        engine::step(&m, &mut d);
        near("qpos", &one.get("qpos"), &d.qpos, OPTIMUM);
        near("qvel", &one.get("qvel"), &d.qvel, OPTIMUM);
        near("time", &one.get("time"), &[d.time], OPTIMUM);
    }
}

#[test]
fn single_precision_is_near_double() {
    for text in [FRAMES.replace("{cone}", "elliptic"), format!("<mujoco>{PULLED}</mujoco>")] {
        let m = inline(&text.replace("{CHAIN}", CHAIN));
        let mut d = Data::new(&m);
        disturb(&m, &mut d, &mut Random::new(11), 0.1);
        let (mut double, mut single) =
            (World::<f64>::new(&m).unwrap(), World::<f32>::new(&m).unwrap());
        for _ in 0..50 {
            double.set(&d);
            single.set(&d);
            assert_eq!(double.step(One, 1), (outcome::OK, 1));
            assert_eq!(single.step(One, 1), (outcome::OK, 1));
            let acc = double.get("qacc_warmstart");
            near("qacc", &single.get("qacc_warmstart"), &acc, OPTIMUM_OF_SINGLE);
            near("qvel", &single.get("qvel"), &double.get("qvel"), STEP_OF_SINGLE);
            near("qpos", &single.get("qpos"), &double.get("qpos"), STEP_OF_SINGLE);
            engine::step(&m, &mut d);
        }
    }
}

#[test]
fn limits_of_balls() {
    check(
        inline(
            r#"<mujoco><option><flag island="disable"/></option><worldbody>
              <body><joint type="ball" range="0 30" limited="true" margin=".05"/>
              <geom size=".1" pos=".2 0 0"/><body pos=".4 0 0"><joint type="ball" range="0 20"
                limited="true" solreflimit=".04 .8"/><geom size=".1" pos=".2 0 0"/></body></body>
            </worldbody></mujoco>"#,
        ),
        250,
        0.5,
    );
}

#[test]
fn humanoid() {
    check(model("humanoid.xml"), 200, 0.2);
}

#[test]
fn models_with_other_features_are_refused_with_their_names() {
    let m = inline(
        r#"<mujoco><option noslip_iterations="3"><flag nativeccd="disable"/></option><worldbody>
          <geom type="plane" size="1 1 1"/>
          <body><freejoint/><geom type="cylinder" size=".1 .1"/></body>
          <body pos="1 0 0"><freejoint/><geom type="ellipsoid" size=".1 .1 .2"/></body>
          </worldbody></mujoco>"#,
    );
    let error = pack::<f64>(&m).unwrap_err();
    assert_eq!(
        error.features,
        [
            "noslip solver",
            "contacts of distance fields, and of any convex shapes without nativeccd"
        ]
    );
}
