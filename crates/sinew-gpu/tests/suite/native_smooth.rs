//! Smooth stages of the kernel against those of the engine, and teams against each other.

use crate::native::{CHAIN, disturb, inline, model, near};
use sinew_engine as engine;
use sinew_gpu::native::World;
use sinew_kernel::outcome;
use sinew_kernel::team::{One, Plain, Shuffled};
use sinew_model::enums::{DisableBit, Integrator};
use sinew_model::{Data, Model};
use sinew_testkit::Random;

/// Rounding, after stages of other order than the engine's.
const ROUNDING: f64 = 1e-12;

/// Accelerations, through a factor of M.
const SOLUTION: f64 = 1e-10;

fn check(mut m: Model) {
    m.opt.disableflags |= DisableBit::Constraint.0;
    let mut rng = Random::new(7);
    let implicit = [Integrator::Implicit, Integrator::Implicitfast];
    for integrator in [Integrator::Euler, Integrator::Rk4].into_iter().chain(implicit) {
        m.opt.integrator = integrator;
        for round in 0..3 {
            let mut d = Data::new(&m);
            disturb(&m, &mut d, &mut rng, 0.2 * f64::from(round));
            stages(&m, d);
        }
    }
}

fn stages(m: &Model, mut d: Data) {
    let mut kernel = World::<f64>::new(m).unwrap();
    kernel.set(&d);
    let mut other = World::<f64>::new(m).unwrap();
    other.set(&d);
    let (one, shuffled) = (kernel.step(One, 1), other.step(Shuffled(3), 1));
    assert_eq!((one, shuffled), ((outcome::OK, 1), (outcome::OK, 1)));
    assert_eq!(kernel.row(), other.row());

    if m.opt.integrator == Integrator::Rk4 {
        // the workspace is that of the last evaluation
        engine::step(m, &mut d);
        return compare_states(&kernel, &d);
    }
    engine::forward(m, &mut d);
    near("xpos", &kernel.work("xpos"), d.xpos.flat(), ROUNDING);
    near("xmat", &kernel.work("xmat"), d.xmat.flat(), ROUNDING);
    near("xipos", &kernel.work("xipos"), d.xipos.flat(), ROUNDING);
    near("xanchor", &kernel.work("xanchor"), d.xanchor.flat(), ROUNDING);
    near("xaxis", &kernel.work("xaxis"), d.xaxis.flat(), ROUNDING);
    near("cdof", &kernel.work("cdof"), d.cdof.flat(), ROUNDING);
    near("cvel", &kernel.work("cvel"), d.cvel.flat(), ROUNDING);
    near("M", &kernel.work("M"), d.M.flat(), ROUNDING);
    near("actuator_force", &kernel.work("act_force"), &d.actuator_force, ROUNDING);
    near("qfrc_smooth", &kernel.work("qfrc_smooth"), &d.qfrc_smooth, ROUNDING);
    near("qacc", &kernel.get("qacc_warmstart"), &d.qacc, SOLUTION);

    engine::advance(m, &mut d);
    compare_states(&kernel, &d);
}

fn compare_states(kernel: &World<f64>, d: &Data) {
    near("qvel", &kernel.get("qvel"), &d.qvel, SOLUTION);
    near("qpos", &kernel.get("qpos"), &d.qpos, SOLUTION);
    near("act", &kernel.get("act"), &d.act, ROUNDING);
    near("time", &kernel.get("time"), &[d.time], ROUNDING);
}

#[test]
fn robots_of_the_project() {
    for name in ["humanoid.xml", "quadruped.xml", "pendulum.xml", "double_pendulum.xml"] {
        check(model(name));
    }
}

#[test]
fn all_joints_springs_and_gravity_compensation() {
    check(inline(
        r#"<mujoco>
          <option gravity="1 -2 -9"/>
          <worldbody>
            <body pos="0 0 1"><freejoint/><geom size=".1 .2 .3" type="box" pos=".1 0 0"/>
              <body pos=".3 0 0" quat="1 .2 .3 .1" gravcomp=".7"><joint type="ball" stiffness="3"/>
                <geom size=".1" pos="0 .2 0"/>
                <body pos="0 .4 0"><joint type="slide" axis="1 2 3" stiffness="5" springref=".3"/>
                  <joint axis="0 1 1" pos=".1 0 .1" ref=".4" damping="2" armature=".1"/>
                  <geom size=".1 .2" type="capsule"/></body></body></body>
            <body pos="3 0 0"><joint type="free" stiffness="2" damping=".3"/><geom size=".2"/></body>
            <body pos="-3 0 0"><geom size=".2"/><body pos="0 0 1"><joint/><geom size=".1 .3"
              type="cylinder" pos="0 .1 0"/></body></body>
          </worldbody>
        </mujoco>"#,
    ));
}

#[test]
fn actuators_with_constant_moments() {
    check(inline(
        r#"<mujoco>
          <worldbody>
            <body><joint name="a" axis="0 1 0" actuatorfrcrange="-2 2"/><geom size=".1" pos=".2 0 0"/>
              <body pos=".4 0 0"><joint name="b" axis="0 1 0" damping=".2"/>
                <geom size=".1" pos=".2 0 0"/>
                <body pos=".4 0 0"><joint name="c" type="slide" axis="1 0 0"/>
                  <geom size=".1" pos=".2 0 0"/></body></body></body>
          </worldbody>
          <tendon><fixed name="t"><joint joint="a" coef=".5"/><joint joint="c" coef="-2"/></fixed>
          </tendon>
          <actuator>
            <motor joint="a" gear="3" ctrlrange="-.3 .3" ctrllimited="true"/>
            <position joint="b" kp="20" kv="3" forcerange="-1 1"/>
            <velocity joint="c" kv="2"/>
            <intvelocity joint="b" kp="4" actrange="-.1 .1"/>
            <general tendon="t" dyntype="filter" dynprm=".1" gaintype="affine" gainprm="1 .2 .3"
              biastype="affine" biasprm=".1 -2 -.4" actearly="true"/>
            <general joint="c" dyntype="filterexact" dynprm=".05" gainprm="2"/>
          </actuator>
        </mujoco>"#,
    ));
}

#[test]
fn spatial_tendons() {
    let m = inline(&format!(
        r#"<mujoco><default><geom contype="0" conaffinity="0"/></default>{CHAIN}
          <tendon>
            <spatial stiffness="10" damping="1" springlength=".5 .8"><site site="s0"/>
              <geom geom="ball" sidesite="aside"/><site site="b0"/><geom geom="rod"/>
              <site site="c0"/></spatial>
            <spatial stiffness="20" damping=".3"><site site="s1"/><site site="a0"/>
              <pulley divisor="2"/><site site="a0"/><site site="b0"/><pulley divisor="3"/>
              <site site="a0"/><geom geom="rod" sidesite="inside"/><site site="c0"/></spatial>
            <spatial stiffness="5"><site site="s1"/><geom geom="ball" sidesite="inside"/>
              <site site="c0"/></spatial>
            <spatial damping="5"><site site="s0"/><geom geom="ball"/><site site="s1"/></spatial>
          </tendon></mujoco>"#,
    ));
    // paths outside and inside are both among them
    let mut d = Data::new(&m);
    engine::forward(&m, &mut d);
    let touched = d.wrap_obj.as_flattened().iter().filter(|&&obj| obj >= 0).count();
    assert!(touched >= 6, "{touched} points on geoms");
    check(m);
}

#[test]
fn armature_of_tendons() {
    let m = inline(&format!(
        r#"<mujoco><default><geom contype="0" conaffinity="0"/></default>{CHAIN}
          <tendon>
            <spatial armature=".7" stiffness="10"><site site="s0"/><site site="b0"/></spatial>
            <spatial armature="1.2" damping=".3"><site site="s1"/><site site="a0"/>
              <pulley divisor="2"/><site site="a0"/><site site="b0"/><site site="c0"/></spatial>
            <spatial armature=".4"><site site="a0"/><site site="aside"/><site site="c0"/></spatial>
            <fixed armature=".3"><joint joint="hinge" coef=".5"/><joint joint="slide" coef="-2"/>
            </fixed>
            <spatial name="t" stiffness="3"><site site="s1"/><site site="c0"/></spatial>
          </tendon><actuator><motor tendon="t"/></actuator></mujoco>"#,
    ));
    assert!(m.later.is_none());
    check(m.clone());
    in_single_precision(m);
}

/// Forces and accelerations without constraints in single precision, beside the engine's.
fn in_single_precision(mut m: Model) {
    m.opt.disableflags |= DisableBit::Constraint.0;
    let mut d = Data::new(&m);
    disturb(&m, &mut d, &mut Random::new(5), 0.3);
    let mut kernel = World::<f32>::new(&m).unwrap();
    kernel.set(&d);
    kernel.step(One, 1);
    engine::forward(&m, &mut d);
    near("M", &kernel.work("M"), d.M.flat(), 1e-6);
    near("qfrc_smooth", &kernel.work("qfrc_smooth"), &d.qfrc_smooth, 1e-5);
    near("qacc", &kernel.get("qacc_warmstart"), &d.qacc, 1e-4);
    engine::advance(&m, &mut d);
    near("qvel", &kernel.get("qvel"), &d.qvel, 1e-5);
    near("qpos", &kernel.get("qpos"), &d.qpos, 1e-6);
}

#[test]
fn implicit_integrators_in_single_precision() {
    for integrator in [Integrator::Implicit, Integrator::Implicitfast] {
        let mut m = model("humanoid.xml");
        m.opt.integrator = integrator;
        (m.opt.density, m.opt.viscosity) = (3.0, 0.5);
        in_single_precision(m);
    }
}

#[test]
fn actuators_of_every_transmission() {
    check(inline(&format!(
        r#"<mujoco><default><geom contype="0" conaffinity="0"/></default>{CHAIN}
          <tendon>
            <spatial name="t" actuatorfrclimited="true" actuatorfrcrange="-3 2"><site site="s0"/>
              <geom geom="ball" sidesite="aside"/><site site="b0"/><geom geom="rod"/>
              <site site="c0"/></spatial>
            <fixed name="f"><joint joint="hinge" coef=".5"/><joint joint="slide" coef="-2"/></fixed>
          </tendon>
          <actuator>
            <muscle tendon="t" lengthrange=".3 1.5" force="50"/>
            <muscle joint="hinge" lengthrange="-.5 1" tausmooth=".2" scale="100"/>
            <position tendon="t" kp="3" kv=".4"/>
            <velocity tendon="f" kv="2" ctrllimited="true" ctrlrange="-.5 .5"/>
            <general site="c0" gear="1 2 3 .3 .2 .1"/>
            <position site="c0" refsite="s1" gear="1 -2 .5 0 0 0" kp="4" kv=".2"/>
            <position site="b0" refsite="a0" gear="1 0 0 .3 .1 .2" kp="4"/>
            <position cranksite="b0" slidersite="a0" cranklength=".8" gear="2" kp="5" kv="1"/>
            <velocity cranksite="c0" slidersite="s1" cranklength=".1" gear="2"/>
            <position joint="ball" gear="1 2 .3" kp="2" kv=".1"/>
            <position jointinparent="ball" gear="1 0 .3" kp="2" kv=".1"/>
            <motor joint="free" gear="1 2 3 .1 .2 .3"/>
            <velocity jointinparent="free" gear="1 2 3 .1 .2 .3"/>
          </actuator></mujoco>"#,
    )));
}

#[test]
fn boxes_and_ellipsoids_in_a_fluid() {
    for medium in [r#"density="3""#, r#"viscosity="2""#, r#"density="5" viscosity="1""#] {
        check(inline(&format!(
            r#"<mujoco><option {medium} wind="1 .5 -.2"/>
              <default><geom contype="0" conaffinity="0"/></default><worldbody>
              <body pos="0 0 1"><freejoint/><geom size=".1 .2 .3" type="box" pos=".1 0 0"/>
                <body pos=".3 0 0" quat="1 .2 .3 .1"><joint type="ball"/>
                  <geom size=".1 .2" type="capsule" pos="0 .2 0" fluidshape="ellipsoid"/>
                  <geom size=".1 .2 .3" type="ellipsoid" fluidshape="ellipsoid"
                    quat="1 .1 0 .3" fluidcoef=".4 .3 1.2 .8 .9"/>
                  <geom size=".1"/></body></body>
              <body pos="3 0 0"><joint axis="0 1 0"/><geom type="cylinder" size=".1 .2"
                pos=".2 0 0" quat="1 .3 0 .2"/></body>
            </worldbody></mujoco>"#
        )));
    }
}

#[test]
fn single_precision_is_near_double() {
    let mut m = model("humanoid.xml");
    m.opt.disableflags |= DisableBit::Constraint.0;
    let mut d = Data::new(&m);
    disturb(&m, &mut d, &mut Random::new(5), 0.3);
    let (mut double, mut single) = (World::<f64>::new(&m).unwrap(), World::<f32>::new(&m).unwrap());
    double.set(&d);
    single.set(&d);
    double.step(One, 1);
    single.step(One, 1);
    near("M", &single.work("M"), &double.work("M"), 1e-6);
    near("qpos", &single.get("qpos"), &double.get("qpos"), 1e-6);
    near("qacc", &single.get("qacc_warmstart"), &double.get("qacc_warmstart"), 1e-4);
}

#[test]
fn bad_numbers_leave_the_world_as_it_was() {
    let mut m = model("pendulum.xml");
    m.opt.disableflags |= DisableBit::Constraint.0;
    let mut d = Data::new(&m);
    d.qvel[0] = f64::NAN;
    let mut kernel = World::<f64>::new(&m).unwrap();
    kernel.set(&d);
    let before: Vec<u64> = kernel.row().iter().map(|x| x.to_bits()).collect();
    assert_eq!(kernel.step(One, 3), (outcome::BAD_NUMBER, 0));
    let after: Vec<u64> = kernel.row().iter().map(|x| x.to_bits()).collect();
    assert_eq!(before, after);
}

#[test]
fn the_smaller_program_steps_plain_models_with_the_same_bits() {
    for name in ["humanoid", "muscles", "pile"] {
        assert!(
            !World::<f64>::new(&model(&format!("{name}.xml"))).unwrap().packed().plain,
            "{name}"
        );
    }
    let touching = inline(
        "<mujoco><worldbody><geom type='plane' size='5 5 1'/>
           <body pos='0 0 .3'><freejoint/><geom type='capsule' size='.1 .2' condim='4'/>
             <body pos='.3 0 0'><joint axis='0 1 0' range='-40 40' frictionloss='.1'/>
               <geom size='.12' condim='6'/></body></body>
           <body pos='.1 .1 .8'><freejoint/><geom size='.15'/></body>
         </worldbody></mujoco>",
    );
    let driven = inline(
        "<mujoco><option integrator='implicitfast'/><worldbody><body><joint name='a' damping='.1'/>
           <geom size='.1' pos='.3 0 0'/><body pos='.3 0 0'><joint name='b' stiffness='2'/>
             <geom type='capsule' size='.05 .2' pos='0 0 -.2'/></body></body></worldbody>
         <tendon><fixed name='t'><joint joint='a' coef='1'/><joint joint='b' coef='-2'/></fixed></tendon>
         <actuator><position joint='a' kp='5'/><motor tendon='t'/></actuator></mujoco>",
    );
    for m in [touching, driven] {
        let mut kernels = [0, 1, 2].map(|_| World::<f64>::new(&m).unwrap());
        assert!(kernels[0].packed().plain);
        let mut d = Data::new(&m);
        disturb(&m, &mut d, &mut Random::new(3), 0.1);
        kernels.iter_mut().for_each(|kernel| kernel.set(&d));
        let [full, small, shuffled] = &mut kernels;
        assert_eq!(full.step(One, 100), (outcome::OK, 100));
        assert_eq!(small.step(Plain(One), 100), (outcome::OK, 100));
        assert_eq!(shuffled.step(Plain(Shuffled(3)), 100), (outcome::OK, 100));
        assert_eq!(full.row(), small.row());
        assert_eq!(full.row(), shuffled.row());
    }
}
