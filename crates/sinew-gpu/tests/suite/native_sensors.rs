//! Sensors of contacts, limits, forces, rays and energies, and delays, against those of the engine.

use crate::native::{disturb, inline, near};
use sinew_engine as engine;
use sinew_gpu::native::World;
use sinew_gpu::pack::pack;
use sinew_gpu::{Precision, row};
use sinew_kernel::outcome;
use sinew_kernel::team::{One, Shuffled};
use sinew_model::{Data, Model};
use sinew_testkit::Random;

/// Readings, relative to the largest of their sensor: forces at the optimum of the solver.
const READING: f64 = 1e-7;

/// The same in single precision, whose solver stops at a tolerance of 3.8e-6.
const READING_OF_SINGLE: f64 = 3e-2;

/// Positions and velocities after a step.
const STEP: f64 = 1e-9;

/// Bodies on a plane, held together and limited, with a sensor of every kind.
const SCENE: &str = r#"
  <option cone="{cone}" integrator="{integrator}"><flag island="disable"/></option>
  <default><geom condim="{condim}" friction=".8 .02 .01"/></default>
  <worldbody>
    <geom name="floor" type="plane" size="3 3 .1"/>
    <geom name="ghost" size=".3" pos="0 0 1.4" rgba="1 1 1 0" contype="0" conaffinity="0"/>
    <geom name="roof" type="box" size="2 2 .1" pos="0 0 2" contype="0" conaffinity="0"/>
    <camera name="far" pos="0 -3 1" xyaxes="1 0 0 0 .3 1" resolution="640 480" fovy="50"/>
    <site name="pole" type="cylinder" size=".3 1" pos="0 0 .1"/>
    <body name="a" pos="0 0 .1"><freejoint/>
      <camera name="eye" pos=".1 0 .2" quat="1 .2 .3 0" resolution="300 200" sensorsize=".03 .02"
        focal=".02 .025"/>
      <geom name="ball" size=".1"/><site name="sole" type="box" size=".2 .2 .05" pos="0 0 -.1"/>
      <site name="up" pos=".02 0 .05" size=".01"/><site name="down" pos=".3 0 0" zaxis="0 .2 -1"/>
      <body name="b" pos="0 0 .2"><joint name="hinge" axis="0 1 0" range="-5 5" limited="true"
          stiffness="2"/>
        <geom name="rod" type="capsule" size=".05 .1" pos=".1 0 0"/><site name="wrist" quat="1 .2 .1 0"/>
        <body name="c" pos=".2 0 .1"><joint name="globe" type="ball" range="0 4" limited="true"
            stiffness="3"/>
          <geom name="egg" type="ellipsoid" size=".05 .06 .09" pos="0 .1 .1"/>
          <site name="tip" type="ellipsoid" size=".1 .2 .15" quat="1 .3 0 0"/></body></body></body>
    <body name="d" pos=".05 .02 .42"><freejoint/><geom name="rider" size=".1"/></body>
    <body name="e" pos="1 0 .09"><freejoint/><geom name="box" type="box" size=".1 .1 .1"/>
      <site name="lid" type="capsule" size=".3 .1" pos="0 0 .05"/></body>
    <body name="f" pos="1 0 .27"><freejoint/><geom type="box" size=".08 .08 .08"/></body>
  </worldbody>
  <tendon><fixed name="t" range="-.05 .05" limited="true" stiffness="5" springlength=".01 .02">
      <joint joint="hinge" coef="1"/></fixed>
    <spatial name="s" range="0 .3" limited="true"><site site="up"/><site site="tip"/></spatial></tendon>
  <equality><connect body1="d" body2="a" anchor="0 0 -.2" solref=".05 1"/>
    <weld body1="e" body2="f" solref=".05 1"/></equality>
  <actuator><motor tendon="t"/><motor tendon="t" gear="2"/></actuator>
  <sensor>
    <touch site="sole"/><touch site="wrist"/><touch site="lid"/><touch site="pole"/>
    <force site="wrist"/><torque site="wrist"/><force site="tip"/><torque site="up"/>
    <force site="lid" cutoff="3"/><rangefinder site="up"/><rangefinder site="down" cutoff=".5"/>
    <rangefinder site="wrist" data="dist dir origin point normal depth"/>
    <tendonactuatorfrc tendon="t"/><tendonactuatorfrc tendon="s"/>
    <jointlimitpos joint="hinge"/><jointlimitvel joint="hinge"/><jointlimitfrc joint="hinge"/>
    <jointlimitpos joint="globe"/><jointlimitvel joint="globe"/><jointlimitfrc joint="globe"/>
    <tendonlimitpos tendon="t"/><tendonlimitvel tendon="t"/><tendonlimitfrc tendon="t"/>
    <tendonlimitpos tendon="s"/><tendonlimitvel tendon="s"/><tendonlimitfrc tendon="s"/>
    <subtreeangmom body="a"/><subtreeangmom body="world"/><e_potential/><e_kinetic/>
    <insidesite site="tip" objtype="site" objname="wrist"/>
    <insidesite site="lid" objtype="geom" objname="box"/>
    <contact num="4" reduce="none" data="found force torque dist pos normal tangent"/>
    <contact geom1="floor" num="3" reduce="mindist" data="found dist pos"/>
    <contact body1="a" num="2" reduce="maxforce" data="force normal"/>
    <contact subtree1="a" body2="d" num="2" data="found force torque pos"/>
    <contact subtree1="a" num="3" reduce="maxforce" data="force torque tangent"/>
    <contact geom1="ball" geom2="floor" data="found force normal"/>
    <contact subtree2="e" num="5" reduce="mindist" data="force dist normal"/>
    <contact site="lid" reduce="netforce" data="found force torque pos"/>
    <contact body1="e" body2="f" reduce="netforce" data="found force torque pos normal"/>
    <contact geom1="ghost" data="found force"/>
    <camprojection site="tip" camera="eye"/><camprojection site="lid" camera="far"/>
    <framepos objtype="camera" objname="eye"/>
    <framequat objtype="camera" objname="eye" reftype="camera" refname="far"/>
  </sensor>"#;

fn scene(cone: &str, integrator: &str, condim: u32) -> Model {
    let text = SCENE.replace("{cone}", cone).replace("{integrator}", integrator);
    let mut m =
        inline(&format!("<mujoco>{text}</mujoco>").replace("{condim}", &condim.to_string()));
    // both at the optimum, however they get there
    (m.opt.tolerance, m.opt.iterations, m.opt.ls_iterations) = (1e-15, 100, 100);
    m
}

/// Compares the readings sensor by sensor.
#[track_caller]
fn near_readings(m: &Model, ours: &[f64], theirs: &[f64], bound: f64) {
    for s in m.sensors() {
        let part = m.sensor_adr[s] as usize..(m.sensor_adr[s] + m.sensor_dim[s]) as usize;
        let name = format!("sensor {} of type {}", s.idx(), m.sensor_type[s].0);
        near(&name, &ours[part.clone()], &theirs[part], bound);
    }
}

/// Readings of steps from the engine's states; how many numbers differ from zero.
fn check(m: &Model, steps: usize) -> usize {
    let (mut d, mut rng) = (Data::new(m), Random::new(4));
    disturb(m, &mut d, &mut rng, 0.03);
    d.xfrc_applied.flat_mut().fill(0.2);
    let (mut one, mut shuffled) = (World::<f64>::new(m).unwrap(), World::<f64>::new(m).unwrap());
    let mut used = vec![false; m.nsensordata];
    for _ in 0..steps {
        // the second time from the optimum that each has found
        let mut start = d.qacc_warmstart.to_vec();
        for _ in 0..2 {
            for kernel in [&mut one, &mut shuffled] {
                kernel.set(&d);
                kernel.put("qacc_warmstart", &start);
            }
            assert_eq!(one.step(One, 1), (outcome::OK, 1));
            assert_eq!(shuffled.step(Shuffled(5), 1), (outcome::OK, 1));
            start = one.get("qacc_warmstart");
        }
        assert_eq!(one.row(), shuffled.row());
        let readings = one.result("sensordata").unwrap();
        assert_eq!(readings, shuffled.result("sensordata").unwrap());
        engine::forward(m, &mut d);
        let found = d.qacc.to_vec();
        d.qacc_warmstart.copy_from_slice(&found);
        engine::forward(m, &mut d);
        near_readings(m, &readings, &d.sensordata, READING);
        used.iter_mut().zip(&readings).for_each(|(used, x)| *used |= *x != 0.0);
        engine::advance(m, &mut d);
        near("qpos", &one.get("qpos"), &d.qpos, STEP);
    }
    used.into_iter().filter(|&used| used).count()
}

#[test]
fn contacts_limits_forces_rays_and_energies() {
    for (cone, condim) in [("pyramidal", 3), ("elliptic", 4), ("pyramidal", 6), ("elliptic", 1)] {
        let m = scene(cone, "Euler", condim);
        assert_eq!(pack::<f64>(&m).unwrap().unread, [""; 0]);
        let used = check(&m, 60);
        assert!(2 * used > m.nsensordata, "{used} of {} numbers", m.nsensordata);
    }
}

#[test]
fn distances_of_shapes_with_a_formula() {
    let m = inline(
        r#"<mujoco><default><geom contype="0" conaffinity="0"/></default><worldbody>
            <geom name="plane" type="plane" size="3 3 .1" pos="0 0 -1"/>
            <body name="a"><freejoint/><geom name="ball" size=".2"/>
              <geom name="rod" type="capsule" size=".1 .3" pos=".4 .1 0" quat="1 .3 .2 0"/></body>
            <body name="b" pos="0 .8 .3"><freejoint/><geom name="box" type="box" size=".1 .2 .3"/>
              <geom name="stick" type="capsule" size=".05 .2" pos="-.3 .2 .1"/></body>
            <body name="c" pos=".2 -.8 .5"><freejoint/><geom name="can" type="cylinder"
              size=".2 .15"/><geom name="egg" type="ellipsoid" size=".1 .15 .3" pos="0 0 .3"/></body>
          </worldbody><sensor>
            <distance geom1="ball" geom2="box" cutoff="2"/><normal geom1="box" geom2="ball" cutoff="2"/>
            <fromto geom1="box" geom2="rod" cutoff="2"/><fromto body1="a" body2="b" cutoff=".9"/>
            <distance geom1="can" geom2="plane" cutoff="1.2"/><normal body1="c" geom2="plane" cutoff="3"/>
            <fromto geom1="can" geom2="ball" cutoff="1"/><fromto geom1="stick" geom2="rod" cutoff="1"/>
            <distance geom1="egg" geom2="plane" cutoff="3"/><normal geom1="ball" geom2="stick" cutoff=".5"/>
          </sensor></mujoco>"#,
    );
    assert_eq!(pack::<f64>(&m).unwrap().unread, [""; 0]);
    let mut near_ones = 0;
    for seed in 0..40 {
        let mut d = Data::new(&m);
        disturb(&m, &mut d, &mut Random::new(seed), 0.5);
        engine::forward(&m, &mut d);
        let mut single = World::<f32>::new(&m).unwrap();
        let (mut one, mut shuffled) =
            (World::<f64>::new(&m).unwrap(), World::<f64>::new(&m).unwrap());
        [&mut one, &mut shuffled].into_iter().for_each(|kernel| kernel.set(&d));
        single.set(&d);
        assert_eq!(one.step(One, 0).0, outcome::OK);
        assert_eq!(shuffled.step(Shuffled(7), 0).0, outcome::OK);
        assert_eq!(single.step(One, 0).0, outcome::OK);
        let readings = one.result("sensordata").unwrap();
        assert_eq!(readings, shuffled.result("sensordata").unwrap());
        near_readings(&m, &readings, &d.sensordata, 1e-10);
        near_readings(&m, &single.result("sensordata").unwrap(), &d.sensordata, 1e-3);
        near_ones += usize::from(readings[10..16] != [0.0; 6]);
    }
    assert!(near_ones > 10, "{near_ones} states near each other");
}

#[test]
fn rays_against_terrain_and_meshes() {
    let m = inline(
        r#"<mujoco><asset><mesh name="wedge" vertex="-.2 -.2 -.1 .2 -.2 -.1 0 .2 -.1 0 0 .2"/>
            <mesh name="ring" builtin="supertorus" params="20 .3 1 1" scale=".3 .3 .3"/>
            <hfield name="hills" nrow="4" ncol="5" size="1 1 .3 .1"
              elevation="0 .2 .4 .1 0 .3 .9 .5 .2 .1 0 .4 .8 .3 .2 .1 .1 .2 .3 0"/></asset>
          <worldbody><geom type="hfield" hfield="hills" pos="0 0 -.2"/>
            <geom type="mesh" mesh="wedge" pos=".3 .2 .9" contype="0" conaffinity="0"/>
            <body pos="-.4 0 .7"><freejoint/><geom type="mesh" mesh="ring" mass="1"/></body>
            <body pos="0 0 .6"><freejoint/><geom size=".05"/>
              <site name="a" zaxis="0 0 -1"/><site name="b" zaxis=".2 .1 -1"/>
              <site name="c" zaxis="-1 .1 -.2"/><site name="d" zaxis=".4 .3 .5"/>
              <site name="e" zaxis="-.5 .6 -.4"/><site name="f" zaxis="-1 0 .3"/></body>
          </worldbody><sensor>
            <rangefinder site="a" data="dist normal"/><rangefinder site="b" data="dist normal"/>
            <rangefinder site="c" data="dist normal"/><rangefinder site="d" data="dist normal"/>
            <rangefinder site="e" data="dist normal"/><rangefinder site="f" data="dist normal"/>
          </sensor></mujoco>"#,
    );
    let mut hits = 0;
    for seed in 0..40 {
        let mut d = Data::new(&m);
        disturb(&m, &mut d, &mut Random::new(seed), 0.4);
        engine::forward(&m, &mut d);
        let mut single = World::<f32>::new(&m).unwrap();
        let (mut one, mut shuffled) =
            (World::<f64>::new(&m).unwrap(), World::<f64>::new(&m).unwrap());
        [&mut one, &mut shuffled].into_iter().for_each(|kernel| kernel.set(&d));
        single.set(&d);
        assert_eq!(one.step(One, 0).0, outcome::OK);
        assert_eq!(shuffled.step(Shuffled(7), 0).0, outcome::OK);
        assert_eq!(single.step(One, 0).0, outcome::OK);
        let readings = one.result("sensordata").unwrap();
        assert_eq!(readings, shuffled.result("sensordata").unwrap());
        near_readings(&m, &readings, &d.sensordata, 1e-10);
        near_readings(&m, &single.result("sensordata").unwrap(), &d.sensordata, 1e-3);
        hits += readings.chunks(4).filter(|reading| reading[0] > 0.0).count();
    }
    assert!(hits > 80, "{hits} hits");
}

#[test]
fn readings_of_runge_kutta_are_those_of_the_start() {
    let mut m = scene("pyramidal", "RK4", 3);
    m.opt.disableflags |= sinew_model::enums::DisableBit::Constraint.0;
    let (mut d, mut rng) = (Data::new(&m), Random::new(4));
    disturb(&m, &mut d, &mut rng, 0.03);
    let mut kernel = World::<f64>::new(&m).unwrap();
    for _ in 0..20 {
        kernel.set(&d);
        assert_eq!(kernel.step(One, 1), (outcome::OK, 1));
        engine::step(&m, &mut d);
        near_readings(&m, &kernel.result("sensordata").unwrap(), &d.sensordata, 1e-10);
    }
}

#[test]
fn single_precision_is_near_double() {
    let m = scene("elliptic", "Euler", 3);
    let (mut d, mut rng) = (Data::new(&m), Random::new(4));
    disturb(&m, &mut d, &mut rng, 0.03);
    let (mut double, mut single) = (World::<f64>::new(&m).unwrap(), World::<f32>::new(&m).unwrap());
    // where all contacts of one are those of the other
    let (mut compared, mut steps) = (0, 0);
    while compared < 10 && steps < 60 {
        double.set(&d);
        single.set(&d);
        assert_eq!(double.step(One, 1), (outcome::OK, 1));
        assert_eq!(single.step(One, 1), (outcome::OK, 1));
        engine::step(&m, &mut d);
        steps += 1;
        if double.words("solved_rows") == single.words("solved_rows") && steps > 20 {
            let [ours, theirs] =
                [single.result("sensordata").unwrap(), double.result("sensordata").unwrap()];
            near_readings(&m, &ours, &theirs, READING_OF_SINGLE);
            compared += 1;
        }
    }
    assert_eq!(compared, 10);
}

/// Delays of every order, of controls and of readings, and ticks.
const DELAYS: &str = r#"
  <mujoco><option integrator="{integrator}" timestep=".004"/><worldbody>
    <body><joint name="j" axis="0 1 0" damping=".1"/><geom name="one" size=".1" pos=".2 0 0"/>
      <site name="s" pos=".3 0 0"/>
      <body pos=".4 0 0"><joint name="k" axis="0 1 0"/>
        <geom name="two" type="box" size=".1 .1 .1" pos=".2 0 0"/>
        <geom name="three" type="box" size=".1 .1 .1" pos=".2 .5 0"/></body></body>
  </worldbody>
  <actuator>
    <motor joint="j" delay=".01" nsample="4"/>
    <position joint="k" kp="3" kv=".2" delay=".014" nsample="6" interp="linear"/>
    <general joint="k" gainprm="2" dyntype="filter" dynprm=".1" delay=".011" nsample="7"
      interp="cubic" ctrlrange="-.4 .4" ctrllimited="true"/>
    <motor joint="j" nsample="3"/><motor joint="k"/>
    <general joint="j" gaintype="affine" gainprm="1 .2 .3" delay=".003" nsample="2"/>
  </actuator>
  {sensors}</mujoco>"#;

const DELAYED_SENSORS: &str = r#"<sensor>
    <jointpos joint="j" delay=".01" nsample="4"/><jointvel joint="k" delay=".018" nsample="6"
      interp="linear"/><accelerometer site="s" delay=".017" nsample="9" interp="cubic"/>
    <framepos objtype="site" objname="s" interval=".012" nsample="2"/><gyro site="s"/>
    <e_kinetic interval=".01 -.002" nsample="5" delay=".02" interp="linear"/>
    <jointpos joint="k" nsample="3" cutoff=".05"/><force site="s" delay=".004" nsample="2"/>
    <clock nsample="4" interval=".01"/>
  </sensor>"#;

#[test]
fn delays_of_controls_and_readings() {
    for integrator in ["Euler", "implicitfast", "implicit", "RK4"] {
        let sensors = if integrator == "RK4" { "" } else { DELAYED_SENSORS };
        let text = DELAYS.replace("{integrator}", integrator).replace("{sensors}", sensors);
        delayed(&inline(&text), false);
        // ticks between steps, which rounding of times does not move
        let between = text.replace(r#"interval=".012"#, r#"interval=".0131"#);
        let between = between.replace(r#"interval=".01 "#, r#"interval=".0107 "#);
        delayed(&inline(&between.replace(r#"interval=".01""#, r#"interval=".0093""#)), true);
    }
}

/// Compares steps, in single precision too if asked for.
fn delayed(m: &Model, in_single: bool) {
    assert!(m.nhistory > 0);
    let (mut d, mut rng) = (Data::new(m), Random::new(4));
    disturb(m, &mut d, &mut rng, 0.3);
    let (mut one, mut shuffled) = (World::<f64>::new(m).unwrap(), World::<f64>::new(m).unwrap());
    let mut single = World::<f32>::new(m).unwrap();
    one.set(&d);
    shuffled.set(&d);
    for _ in 0..60 {
        d.ctrl.iter_mut().for_each(|x| *x = rng.between([-1.0, 1.0]));
        one.put("ctrl", &d.ctrl);
        shuffled.put("ctrl", &d.ctrl);
        single.set(&d);
        // steps of none read, and record nothing
        assert_eq!(one.step(One, 0).0, outcome::OK);
        assert_eq!(one.step(One, 1), (outcome::OK, 1));
        assert_eq!(shuffled.step(Shuffled(3), 1), (outcome::OK, 1));
        assert_eq!(single.step(One, 1), (outcome::OK, 1));
        assert_eq!(one.row(), shuffled.row());
        engine::step(m, &mut d);
        near_readings(m, &one.result("sensordata").unwrap(), &d.sensordata, STEP);
        near("history", &one.get("history"), &d.history, STEP);
        if in_single {
            near("history", &single.get("history"), &d.history, 1e-4);
            near("qvel", &single.get("qvel"), &d.qvel, 1e-4);
        }
        near("qpos", &one.get("qpos"), &d.qpos, STEP);
        near("qvel", &one.get("qvel"), &d.qvel, STEP);
        near("act", &one.get("act"), &d.act, STEP);
        near("time", &one.get("time"), &[d.time], STEP);
    }
}

#[test]
fn rows_have_the_samples_of_delays() {
    let text = DELAYS.replace("{integrator}", "Euler").replace("{sensors}", DELAYED_SENSORS);
    let m = inline(&text);
    let (mut d, mut other) = (Data::new(&m), Data::new(&m));
    disturb(&m, &mut d, &mut Random::new(4), 0.3);
    (0..7).for_each(|_| engine::step(&m, &mut d));
    let packed = pack::<f64>(&m).unwrap();
    let row = row::of_data(&packed, Precision::Double, &d);
    row::to_data(&packed, Precision::Double, &row, &mut other);
    assert_ne!(*d.history, *Data::new(&m).history);
    assert_eq!(*other.history, *d.history);
}

#[test]
fn samples_at_times_that_do_not_compare_are_read() {
    let text = DELAYS.replace("{integrator}", "Euler").replace("{sensors}", DELAYED_SENSORS);
    let m = inline(&text);
    for bad in [f64::NAN, f64::INFINITY, -1e300] {
        let mut kernel = World::<f64>::new(&m).unwrap();
        kernel.set(&Data::new(&m));
        kernel.put("history", &vec![bad; m.nhistory]);
        // the engine steps such a world, whose controls are unfit
        assert_eq!(kernel.step(One, 1).0, outcome::BAD_NUMBER);
    }
}

#[test]
fn delays_that_need_every_reading_are_refused_where_there_is_none() {
    let apart = r#"<sensor><distance geom1="three" geom2="two" cutoff="1" delay=".01" nsample="4"/></sensor>"#;
    for (integrator, sensors, feature) in [
        ("Euler", apart, "delays of sensors that the kernel does not read"),
        ("RK4", DELAYED_SENSORS, "delays of sensors with the integrator RK4"),
    ] {
        let text = DELAYS.replace("{integrator}", integrator).replace("{sensors}", sensors);
        assert_eq!(pack::<f64>(&inline(&text)).unwrap_err().features, [feature]);
    }
}
