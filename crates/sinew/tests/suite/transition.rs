//! Analytic derivatives of a step against central differences that are extrapolated.

use sinew::engine::{
    self, Parameter, ParameterGradient, Rollout, RolloutGradient, TransitionError,
};
use sinew::model::enums::{Integrator, SameFrame};
use sinew::{Data, Model};
use sinew_testkit::Random;

/// Differences from the extrapolated ones that are allowed, relative to the largest entry.
const TOLERANCE: f64 = 1e-6;

/// The same for contacts of ellipsoids and cylinders that a search finds. The normal that it finds
/// has an error of about the root of `ccd_tolerance`, which is noise in the differences.
const SEARCHED: f64 = 1e-3;

/// The longest of the three steps that are extrapolated. Their error falls with the sixth power,
/// and rounding adds 1e-12.
const STEP: f64 = 4e-3;

/// A change of an input of a step.
#[derive(Clone, Copy)]
enum Input {
    Position(usize),
    Velocity(usize),
    Activation(usize),
    Control(usize),
}

fn inputs(m: &Model) -> Vec<Input> {
    let pos = (0..m.nv).map(Input::Position);
    let vel = (0..m.nv).map(Input::Velocity);
    let act = (0..m.na).map(Input::Activation);
    pos.chain(vel).chain(act).chain((0..m.nu).map(Input::Control)).collect()
}

/// The state after a step whose input is changed by `by`.
fn stepped(m: &Model, d: &Data, input: Input, by: f64) -> Data {
    let mut d = changed(m, d, input, by);
    sinew::step(m, &mut d);
    d
}

/// A state whose input is changed by `by`.
fn changed(m: &Model, d: &Data, input: Input, by: f64) -> Data {
    let mut d = d.clone();
    match input {
        Input::Position(v) => {
            let mut along = vec![0.0; m.nv];
            along[v] = 1.0;
            engine::integrate_pos(m, &mut d.qpos, &along, by);
        }
        Input::Velocity(v) => d.qvel[v] += by,
        Input::Activation(k) => d.act[k] += by,
        Input::Control(u) => d.ctrl[u] += by,
    }
    d
}

/// Central differences with three steps, extrapolated.
fn extrapolated(m: &Model, d: &Data, input: Input, step: f64) -> Vec<f64> {
    let [long, middle, short] = [1.0, 0.5, 0.25].map(|scale| {
        let h = step * scale;
        let [back, forth] = [-h, h].map(|by| stepped(m, d, input, by));
        let mut dif = vec![0.0; m.nv];
        engine::differentiate_pos(m, &mut dif, 2.0 * h, &back.qpos, &forth.qpos);
        dif.extend(back.qvel.iter().zip(&*forth.qvel).map(|(a, b)| (b - a) / (2.0 * h)));
        dif.extend(back.act.iter().zip(&*forth.act).map(|(a, b)| (b - a) / (2.0 * h)));
        dif
    });
    let combine = |a: &[f64], b: &[f64], k: f64| -> Vec<f64> {
        a.iter().zip(b).map(|(a, b)| (k * b - a) / (k - 1.0)).collect()
    };
    let (first, second) = (combine(&long, &middle, 4.0), combine(&middle, &short, 4.0));
    combine(&first, &second, 16.0)
}

/// A and B by the analytic derivative.
fn analytic(m: &Model, d: &mut Data) -> (Vec<f64>, Vec<f64>) {
    let n = 2 * m.nv + m.na;
    let (mut a, mut b) = (vec![f64::NAN; n * n], vec![f64::NAN; n * m.nu]);
    let out = engine::Transition { a: Some(&mut a), b: Some(&mut b), ..Default::default() };
    engine::transition(m, d, out).unwrap();
    (a, b)
}

/// Compares all columns at a state.
#[track_caller]
fn check_state(m: &Model, d: &Data, step: f64, label: &str) {
    check_state_within(m, d, step, TOLERANCE, label);
}

/// `check_state` with a tolerance.
#[track_caller]
fn check_state_within(m: &Model, d: &Data, step: f64, tolerance: f64, label: &str) {
    check_products(m, d, label);
    let n = 2 * m.nv + m.na;
    let (a, b) = analytic(m, &mut d.clone());
    for (input, &kind) in inputs(m).iter().enumerate() {
        let wanted = extrapolated(m, d, kind, step);
        let column: Vec<f64> = (0..n)
            .map(|row| if input < n { a[row * n + input] } else { b[row * m.nu + input - n] })
            .collect();
        let scale = wanted.iter().fold(1e-3_f64, |max, x| max.max(x.abs()));
        for (row, (x, y)) in column.iter().zip(&wanted).enumerate() {
            let error = (x - y).abs() / scale;
            assert!(
                error < tolerance,
                "{label}: row {row} by input {input}: {x} instead of {y} (scale {scale})"
            );
        }
    }
}

/// Compares products with those of the matrices.
#[track_caller]
fn check_products(m: &Model, d: &Data, label: &str) {
    let n = 2 * m.nv + m.na;
    let (a, b) = analytic(m, &mut d.clone());
    let mut random = Random::new(9);
    let [after, state, ctrl] = [n, n, m.nu].map(|len| random.vector(len));
    let close = |x: f64, y: f64| {
        assert!((x - y).abs() < 1e-9 * (1.0 + y.abs()), "{label}: {x} instead of {y}");
    };

    // Aᵀ x and Bᵀ x
    let (mut by_state, mut by_ctrl) = (vec![f64::NAN; n], vec![f64::NAN; m.nu]);
    let out = engine::StepGradient { state: &mut by_state, ctrl: &mut by_ctrl, params: &mut [] };
    engine::step_vjp(m, &mut d.clone(), &after, out).unwrap();
    for (k, &x) in by_state.iter().enumerate() {
        close(x, (0..n).map(|row| after[row] * a[row * n + k]).sum());
    }
    for (k, &x) in by_ctrl.iter().enumerate() {
        close(x, (0..n).map(|row| after[row] * b[row * m.nu + k]).sum());
    }

    // A dx + B du
    let mut out = vec![f64::NAN; n];
    engine::step_jvp(m, &mut d.clone(), &state, &ctrl, &mut out).unwrap();
    for (row, &x) in out.iter().enumerate() {
        let by_state: f64 = (0..n).map(|k| a[row * n + k] * state[k]).sum();
        let by_ctrl: f64 = (0..m.nu).map(|k| b[row * m.nu + k] * ctrl[k]).sum();
        close(x, by_state + by_ctrl);
    }
}

fn random_state(m: &Model, seed: u64) -> Data {
    let mut random = Random::new(seed);
    let mut d = Data::new(m);
    let along: Vec<f64> = (0..m.nv).map(|_| random.between([-0.6, 0.6])).collect();
    engine::integrate_pos(m, &mut d.qpos, &along, 1.0);
    d.qvel.fill_with(|| random.between([-1.0, 1.0]));
    d.act.fill_with(|| random.unit());
    for u in m.actuators() {
        let limited = m.actuator_ctrllimited[u].get();
        let range = if limited { m.actuator_ctrlrange[u] } else { [-1.0, 1.0] };
        d.ctrl[u] = random.between(range);
    }
    for b in 1..m.nbody {
        d.xfrc_applied[b] = sinew::math::Spatial::from_slice(&random.vector(6));
    }
    d
}

const INTEGRATORS: [Integrator; 4] =
    [Integrator::Euler, Integrator::Implicit, Integrator::Implicitfast, Integrator::Rk4];

/// Compares at random states with all integrators.
#[track_caller]
fn check(xml: &str) {
    check_integrators(sinew::load_str(xml).unwrap(), &INTEGRATORS, STEP);
}

/// Compares at random states with some integrators.
#[track_caller]
fn check_integrators(mut m: Model, integrators: &[Integrator], step: f64) {
    for &integrator in integrators {
        m.opt.integrator = integrator;
        for seed in 1..=2 {
            let d = random_state(&m, seed);
            check_state(&m, &d, step, &format!("integrator {integrator:?}, state {seed}"));
        }
    }
}

/// Compares near the reference position, where the constraints of the model act; the steps are too
/// short to reach a switch.
#[track_caller]
fn check_rows(xml: &str, spread: f64, rows: usize) {
    check_rows_with(xml, spread, rows, 4e-5);
}

/// `check_rows` with a length of the steps.
#[track_caller]
fn check_rows_with(xml: &str, spread: f64, rows: usize, step: f64) {
    let mut m = sinew::load_str(xml).unwrap();
    let mut random = Random::new(5);
    let mut d = Data::new(&m);
    let along: Vec<f64> = (0..m.nv).map(|_| random.between([-spread, spread])).collect();
    engine::integrate_pos(&m, &mut d.qpos, &along, 1.0);
    d.qvel.fill_with(|| random.between([-0.5, 0.5]));
    sinew::forward(&m, &mut d);
    assert!(d.nefc >= rows, "{} rows", d.nefc);
    check_state(&m, &d, step, xml);
    m.opt.integrator = Integrator::Rk4;
    check_state(&m, &d, step, &format!("Runge-Kutta: {xml}"));
}

const TREE: &str = "
  <option timestep='0.01'><flag contact='disable'/></option>
  <worldbody>
    <body pos='0 0 1'>
      <freejoint name='free'/><geom size='.2 .1 .3' type='ellipsoid' pos='.1 .2 0' mass='2'/>
      <body pos='.3 0 .1' gravcomp='.7'>
        <joint name='ball' type='ball' stiffness='2' damping='.3' pos='.05 0 0'/>
        <geom size='.1 .2 .1' type='box' pos='0 .3 .1' mass='1'/>
        <site name='thrust' pos='.1 .2 .3' euler='20 30 40'/>
        <body pos='0 .6 0'>
          <joint name='hinge' axis='1 .5 0' stiffness='3' damping='.2' armature='.1'/>
          <joint name='other' axis='0 .5 1' damping='.1'/>
          <geom size='.1' fromto='0 0 0 .3 .2 .1' type='capsule' mass='.7'/>
        </body>
        <body pos='0 .6 0'>
          <joint name='slide' type='slide' axis='1 1 0' stiffness='1' damping='.4'/>
          <geom size='.1' pos='.3 0 0' mass='.4'/>
        </body>
      </body>
    </body>
    <body pos='3 0 0'><joint axis='0 1 0'/><geom size='.1' pos='.3 .1 0' mass='1'/></body>
  </worldbody>";

#[test]
fn derivatives_of_free_trees_are_those_of_a_step() {
    check(&format!("<mujoco>{TREE}</mujoco>"));
}

/// Tendons of all kinds: through sites of several trees, over pulleys, around spheres and
/// cylinders, on either side.
const STRINGS: &str = "
  <option timestep='0.01'><flag contact='disable'/></option>
  <worldbody>
    <site name='w' pos='.2 .1 1.7'/><site name='w2' pos='-.5 .4 .8'/>
    <body pos='0 0 1'>
      <joint name='ball' type='ball' damping='.1'/>
      <geom name='ring' type='cylinder' size='.12 .3' euler='80 10 0' pos='.1 0 .1' mass='1'/>
      <geom name='knob' size='.1' pos='.3 .2 .1' mass='.5'/>
      <site name='a' pos='.1 .3 .3'/><site name='b' pos='-.2 -.4 .2'/>
      <site name='side' pos='.1 .1 .4'/><site name='in' pos='.3 .2 .12'/>
      <body pos='.3 0 .1'>
        <joint name='hinge' axis='1 .5 0' damping='.1'/>
        <joint name='slide' type='slide' axis='0 .3 1' damping='.1'/>
        <geom size='.1 .05 .1' type='box' pos='.1 .2 .1' mass='.7'/>
        <site name='c' pos='.35 .42 .2'/><site name='d' pos='.2 -.1 .5' euler='10 20 30'/>
      </body>
    </body>
    <body pos='1 0 1'>
      <joint name='far' axis='0 1 .2'/><joint name='far2' axis='1 0 0'/>
      <geom size='.1' fromto='0 0 0 .2 .3 .1' type='capsule' mass='1'/>
      <site name='e' pos='-.2 .3 .1'/><site name='f' pos='.1 .3 -.2' euler='40 10 5'/>
    </body>
  </worldbody>
  <tendon>
    <spatial name='plain' stiffness='20' damping='2' springlength='.1'>
      <site site='w'/><site site='a'/><site site='c'/><site site='e'/></spatial>
    <spatial name='pulley' stiffness='10' damping='1' springlength='.1'>
      <site site='w'/><site site='d'/><pulley divisor='2'/><site site='d'/><site site='w2'/>
      <pulley divisor='2'/><site site='d'/><site site='f'/></spatial>
    <spatial name='over' stiffness='15' damping='1.5' springlength='.1'>
      <site site='w2'/><geom geom='ring'/><site site='e'/></spatial>
    <spatial name='sided' stiffness='15' damping='1.5' springlength='.1'>
      <site site='w'/><geom geom='ring' sidesite='side'/><site site='e'/><geom geom='knob'/>
      <site site='b'/></spatial>
  </tendon>";

/// A path inside a geom. The iteration that finds it stops at 1e-6, so that the length has jumps of
/// this size between states.
const INNER: &str = "
  <tendon>
    <spatial name='within' stiffness='15' damping='1.5' springlength='.1'>
      <site site='c'/><geom geom='knob' sidesite='in'/><site site='a'/></spatial>
  </tendon>";

#[test]
fn derivatives_of_spatial_tendons_are_those_of_a_step() {
    check(&format!("<mujoco>{STRINGS}</mujoco>"));
}

#[test]
fn derivatives_of_actuators_on_spatial_arms_are_those_of_a_step() {
    let affine = "gaintype='affine' gainprm='1 2 -.3' biastype='affine' biasprm='.1 -1 -.4'";
    check(&format!(
        "<mujoco>{STRINGS}<actuator>
           <general tendon='plain' gear='.7' {affine}/><general tendon='sided' {affine}/>
           <general tendon='pulley' {affine}/>
           <general cranksite='e' slidersite='d' cranklength='1.5' gear='.6' {affine}/>
           <general cranksite='c' slidersite='w' cranklength='.2' {affine}/>
           <general site='d' refsite='f' gear='1 2 3 .1 .2 .3' {affine}/>
           <general site='d' refsite='b' gear='1 2 3 .1 .2 .3' {affine}/>
         </actuator></mujoco>"
    ));
}

#[test]
fn derivatives_of_limited_actuator_forces_are_those_of_a_step() {
    let affine = "gaintype='affine' gainprm='1 2 -.3' biastype='affine' biasprm='.1 -1 -.4'";
    let strings = STRINGS
        .replace("name='plain'", "name='plain' actuatorfrcrange='-.01 .01'")
        .replace("name='far'", "name='far' actuatorfrcrange='-.01 .01'");
    check(&format!(
        "<mujoco>{strings}<actuator>
           <general tendon='plain' gear='.7' {affine}/>
           <general tendon='plain' gear='-.2' {affine} dyntype='filter' dynprm='.1'/>
           <general tendon='sided' {affine}/><general site='f' gear='1 2 3 .1 .2 .3' {affine}/>
         </actuator></mujoco>"
    ));
}

#[test]
fn derivatives_of_muscles_are_those_of_a_step() {
    check(&format!(
        "<mujoco>{STRINGS}<actuator>
           <muscle tendon='plain' lengthrange='.3 1.9' force='30'/>
           <muscle tendon='over' lengthrange='.2 2.5' force='20' tausmooth='.4'/>
           <muscle joint='hinge' lengthrange='-1 1' force='10' timeconst='.03 .06'/>
           <muscle joint='slide' lengthrange='-.3 .2' force='10' range='.5 1.5'/>
         </actuator></mujoco>"
    ));
}

#[test]
fn derivatives_of_a_fluid_are_those_of_a_step() {
    let fluid = "density='300' viscosity='2' wind='.3 -.2 .4'";
    let tree = TREE.replace("timestep='0.01'", &format!("timestep='0.01' {fluid}"));
    // drag grows with |u| u, which has no second derivative at rest: steps are short
    let boxes = sinew::load_str(&format!("<mujoco>{tree}</mujoco>")).unwrap();
    check_integrators(boxes, &INTEGRATORS, 1e-4);

    // geoms as ellipsoids, beside bodies that are boxes
    let shape = "fluidshape='ellipsoid' fluidcoef='.6 .3 1.4 .9 .8' ";
    let tree = tree.replacen("<geom ", &format!("<geom {shape}"), 3);
    let ellipsoids = sinew::load_str(&format!("<mujoco>{tree}</mujoco>")).unwrap();
    check_integrators(ellipsoids, &INTEGRATORS, 1e-4);
}

#[test]
fn derivatives_of_paths_inside_are_those_of_a_step() {
    let affine = "gaintype='affine' gainprm='1 2 -.3' biastype='affine' biasprm='.1 -1 -.4'";
    let mut m = sinew::load_str(&format!(
        "<mujoco>{STRINGS}{INNER}<actuator><general tendon='within' {affine}/></actuator></mujoco>"
    ))
    .unwrap();
    for integrator in INTEGRATORS {
        m.opt.integrator = integrator;
        check_state(&m, &random_state(&m, 1), 4e-5, &format!("{integrator:?}"));
    }
}

#[test]
fn derivatives_of_rows_of_spatial_tendons_are_those_of_a_step() {
    let strings = STRINGS
        .replace("timestep='0.01'", "timestep='0.01' tolerance='0' iterations='200'")
        .replace("name='plain'", "name='plain' limited='true' range='0 1.2' frictionloss='.3'")
        .replace("name='over'", "name='over' limited='true' range='0 1.2'")
        .replace("name='pulley'", "name='pulley' limited='true' range='1.9 3'");
    let inner = INNER.replace("name='within'", "name='within' frictionloss='20'");
    check_rows(
        &format!(
            "<mujoco>{strings}{inner}<equality>
               <tendon tendon1='over' tendon2='sided' polycoef='.1 .5 .7 .3 .2'/>
               <tendon tendon1='pulley'/></equality></mujoco>"
        ),
        0.1,
        6,
    );
}

#[test]
fn derivatives_of_actuators_are_those_of_a_step() {
    check(&format!(
        "<mujoco>{TREE}
        <tendon><fixed name='t' stiffness='2' damping='.3' springlength='.01 .02'>
          <joint joint='hinge' coef='.7'/><joint joint='slide' coef='-.4'/></fixed></tendon>
        <actuator>
          <motor joint='hinge' gear='2'/>
          <general joint='ball' gear='1 2 .5' biastype='affine' biasprm='.1 -2 -.4'/>
          <general jointinparent='ball' gear='1 -1 .5' biastype='affine' biasprm='.1 -2 -.4'/>
          <general jointinparent='free' gear='1 -1 .5 2 .3 .4' biastype='affine'
                   biasprm='.1 -2 -.4'/>
          <position joint='slide' kp='3' kv='.5'/>
          <general site='thrust' gear='1 2 3 .1 .2 .3' gaintype='affine' gainprm='1 0 .3'
                   biastype='affine' biasprm='.1 0 -.4'/>
          <general tendon='t' gaintype='affine' gainprm='1 2 -.3' biastype='affine'
                   biasprm='.1 -1 -.4'/>
          <intvelocity joint='other' kp='4' kv='.2' actrange='-1 1'/>
          <general joint='hinge' dyntype='filter' dynprm='.1' gaintype='affine' gainprm='1 .2 .3'/>
          <general joint='other' dyntype='filterexact' dynprm='.2' actearly='true'/>
        </actuator></mujoco>"
    ));
}

/// The solver goes on until rounding.
const EXACT: &str = "<option timestep='0.01' tolerance='0' iterations='200'/>";

#[test]
fn derivatives_of_limits_and_dry_friction_are_those_of_a_step() {
    check_rows(
        &format!(
            "<mujoco>{EXACT}<worldbody>
               <body pos='0 0 1'>
                 <joint name='a' axis='0 1 0' range='-10 10' limited='true' frictionloss='.2'/>
                 <geom size='.1' fromto='0 0 0 .3 .1 0' type='capsule' mass='1'/>
                 <body pos='.3 .1 0'>
                   <joint type='ball' range='0 20' limited='true' frictionloss='.05'/>
                   <geom size='.1' fromto='0 0 0 .3 .1 .2' type='capsule' mass='1'/>
                   <body pos='.3 .1 .2'>
                     <joint name='c' type='slide' axis='1 0 1' range='-.01 .01' limited='true'
                            frictionloss='3'/>
                     <geom size='.1' mass='.5'/>
                   </body>
                 </body>
               </body>
             </worldbody>
             <tendon><fixed limited='true' range='-.05 .05' frictionloss='.1'>
               <joint joint='a' coef='1'/><joint joint='c' coef='2'/>
             </fixed></tendon></mujoco>"
        ),
        0.4,
        8,
    );
}

#[test]
fn derivatives_of_equalities_are_those_of_a_step() {
    check_rows(
        &format!(
            "<mujoco>{EXACT}<worldbody>
               <body name='A' pos='0 0 1'>
                 <freejoint/><geom size='.1 .2 .15' type='box' mass='1'/>
                 <body pos='.3 .1 0'>
                   <joint name='b' axis='0 1 .4'/><joint name='b2' axis='1 0 0'/>
                   <geom size='.1' fromto='0 0 0 .3 .1 .2' type='capsule' mass='1'/>
                   <body name='C' pos='.3 .1 .2'>
                     <joint name='c' type='slide' axis='1 0 1'/>
                     <geom size='.1' mass='.5' pos='.1 .1 .1'/>
                   </body>
                 </body>
               </body>
               <body name='D' pos='1 0 1'>
                 <joint type='ball'/>
                 <geom size='.1' fromto='0 0 0 .3 .1 .2' type='capsule' mass='1'/>
               </body>
             </worldbody>
             <equality>
               <connect body1='C' body2='D' anchor='.1 .2 .05' solimp='.5 .95 .6 .5 3'/>
               <weld body1='A' body2='D' relpose='.2 .1 0 .9 .1 .3 .2' torquescale='.7'
                     solimp='.3 .95 .8 .5 2'/>
               <connect body1='A' anchor='.1 0 .3'/>
               <joint joint1='b' joint2='c' polycoef='.1 .5 .7 .3 .2'/>
               <joint joint1='b2' polycoef='.1 0 0 0 0'/>
             </equality></mujoco>"
        ),
        0.4,
        14,
    );
}

/// Compares two geoms in contact, with both cones, with and without torques.
#[track_caller]
fn check_contact(ground: &str, pos: &str, geom: &str) {
    check_contact_with(ground, pos, geom, 4e-5);
}

/// `check_contact` with a length of the steps.
#[track_caller]
fn check_contact_with(ground: &str, pos: &str, geom: &str, step: f64) {
    for cone in ["pyramidal", "elliptic"] {
        for condim in [1, 3, 6] {
            check_rows_with(
                &format!(
                    "<mujoco>
                       <option timestep='0.01' tolerance='0' iterations='200' impratio='2'
                               cone='{cone}' ccd_tolerance='1e-12' ccd_iterations='200'/>
                       <default><geom condim='{condim}' solimp='.6 .95 .05 .5 2'
                                      friction='.8 .1 .05'/></default>
                       <asset>
                         <mesh name='block' vertex='.3 .3 .1  .3 .3 -.1  .3 -.3 .1  .3 -.3 -.1
                               -.3 .3 .1  -.3 .3 -.1  -.3 -.3 .1  -.3 -.3 -.1'/>
                         <mesh name='hull' vertex='0 0 -.1  .1 .02 .05  -.08 .1 .06  -.05 -.1 .04'/>
                       </asset>
                       <worldbody>
                         <body>{ground}</body>
                         <body {pos}>
                           <freejoint/><inertial pos='.1 0 .1' mass='1' diaginertia='.02 .03 .01'/>
                           {geom}
                         </body>
                       </worldbody>
                     </mujoco>"
                ),
                0.002,
                condim,
                step,
            );
        }
    }
}

/// A body that moves, with a geom.
fn moving(geom: &str) -> String {
    format!(
        "<joint axis='0 1 .3'/><joint type='slide' axis='0 0 1'/>
         <inertial pos='.1 .1 -.2' mass='3' diaginertia='.2 .3 .25'/>{geom}"
    )
}

const PLANE: &str = "<geom type='plane' size='3 3 .1' euler='3 4 0'/>";
const BALL: &str = "<geom size='.1'/>";

#[test]
fn contacts_with_a_plane_move_as_their_derivatives_say() {
    check_contact(PLANE, "pos='0 0 .09'", BALL);
    check_contact(PLANE, "pos='0 0 .09' euler='90 20 3'", "<geom type='capsule' size='.1 .2'/>");
    check_contact(PLANE, "pos='0 0 .12' euler='5 8 3'", "<geom type='box' size='.1 .2 .15'/>");
    check_contact(PLANE, "pos='0 0 .14' euler='5 8 3'", "<geom type='cylinder' size='.1 .15'/>");
    check_contact(PLANE, "pos='0 0 .09' euler='5 8 3'", "<geom type='mesh' mesh='hull'/>");
    check_contact(
        PLANE,
        "pos='0 0 .11' euler='35 8 3'",
        "<geom type='ellipsoid' size='.1 .15 .12'/>",
    );
}

#[test]
fn contacts_of_balls_move_as_their_derivatives_say() {
    for (ground, place) in [
        ("<geom size='.2'/>", "pos='.02 .03 .29'"),
        ("<geom size='.2 .3' type='capsule' euler='60 20 0'/>", "pos='.02 .03 .31'"),
        ("<geom size='.2 .3' type='capsule' euler='20 10 0' pos='0 0 -.3'/>", "pos='.02 .03 .225'"),
        ("<geom size='.2 .3 .2' type='box' euler='10 20 0'/>", "pos='.02 .03 .3'"),
        ("<geom size='.2 .3 .2' type='box' euler='45 5 0' pos='0 0 -.1'/>", "pos='.02 .03 .34'"),
        ("<geom size='.2 .2 .2' type='box' euler='45 35 0' pos='0 0 -.1'/>", "pos='-.03 -.04 .33'"),
        ("<geom size='.2 .3' type='cylinder' euler='70 20 0'/>", "pos='.02 .03 .295'"),
        ("<geom size='.2 .3' type='cylinder' euler='10 20 0'/>", "pos='.02 .03 .4'"),
        (
            "<geom size='.2 .3' type='cylinder' euler='50 10 0' pos='0 0 -.05'/>",
            "pos='.026 -.112 .385'",
        ),
    ] {
        check_contact(&moving(ground), place, BALL);
    }
}

#[test]
fn contacts_of_capsules_move_as_their_derivatives_say() {
    let ground = &moving("<geom size='.1 .3' type='capsule' euler='70 20 0'/>");
    let capsule = "<geom size='.1 .3' type='capsule'/>";
    check_contact(ground, "pos='.02 .03 .19' euler='0 90 0'", capsule);
    check_contact(ground, "pos='.02 .03 .43' euler='10 20 0'", capsule);
}

#[test]
fn contacts_of_boxes_move_as_their_derivatives_say() {
    let block = "<geom type='box' size='.1 .2 .15'/>";
    // a face with corners, with edges that cross its outline, and below a larger box
    let table = &moving("<geom type='box' size='.5 .5 .1' euler='3 5 8'/>");
    check_contact(table, "pos='.1 .05 .24' euler='9 2 30'", block);
    check_contact(table, "pos='.45 .4 .235' euler='4 7 30'", block);
    let post = &moving("<geom type='box' size='.05 .06 .1' euler='3 5 8'/>");
    check_contact(post, "pos='.03 .02 .24' euler='9 2 30'", block);
    check_contact(post, "pos='.03 .02 .24' euler='3.2 5.1 30'", block);
    // edges that cross
    let roof = &moving("<geom type='box' size='.3 .3 .3' euler='45 3 2' pos='0 0 -.4'/>");
    check_contact(roof, "pos='.02 .01 .22' euler='4 48 5'", "<geom type='box' size='.2 .2 .2'/>");
}

#[test]
fn contacts_of_capsules_with_boxes_move_as_their_derivatives_say() {
    let table = &moving("<geom type='box' size='.3 .3 .1' euler='3 5 8'/>");
    let capsule = "<geom size='.1 .2' type='capsule'/>";
    check_contact(table, "pos='.02 .03 .19' euler='0 88 20'", capsule);
    check_contact(table, "pos='.25 .03 .21' euler='0 86 20'", capsule);
    check_contact(table, "pos='.05 .03 .38' euler='10 20 5'", capsule);
    let roof = &moving("<geom type='box' size='.3 .3 .3' euler='45 3 2' pos='0 0 -.4'/>");
    check_contact(roof, "pos='.02 .01 .11' euler='0 88 20'", capsule);
}

#[test]
fn contacts_that_a_search_finds_move_as_their_derivatives_say() {
    let hull = "<geom type='mesh' mesh='hull'/>";
    let table = &moving("<geom type='box' size='.3 .3 .1' euler='3 5 8'/>");
    check_contact(table, "pos='.02 .03 .185' euler='5 8 3'", hull);
    let mesh = &moving("<geom type='mesh' mesh='block' euler='3 5 8'/>");
    check_contact(mesh, "pos='.02 .03 .185' euler='5 8 3'", hull);
    let capsule = "<geom size='.1 .2' type='capsule'/>";
    check_contact_with(mesh, "pos='.05 .03 .388' euler='10 20 5'", capsule, 1e-4);
    // what a search finds of a ball has an error of its own, and steps are longer for it
    check_contact_with(mesh, "pos='.02 .03 .19'", BALL, 3e-4);
}

#[test]
fn contacts_of_ellipsoids_and_cylinders_move_as_their_derivatives_say() {
    let table = "<geom type='box' size='.4 .4 .1' euler='3 5 8'/>";
    let rod = "<geom type='capsule' size='.2 .4' euler='85 5 8'/>";
    let egg = "<geom type='ellipsoid' size='.1 .15 .2'/>";
    let can = "<geom type='cylinder' size='.1 .2'/>";
    for (ground, geom, place) in [
        (table, egg, "pos='.02 .03 .28' euler='10 25 5'"),
        (table, egg, "pos='.02 .03 .23' euler='85 20 30'"),
        (table, can, "pos='.02 .03 .315' euler='10 25 5'"),
        (table, can, "pos='.02 .03 .215' euler='85 20 30'"),
        (rod, egg, "pos='.02 .03 .32' euler='85 20 30'"),
        (rod, can, "pos='.02 .03 .29' euler='85 60 30'"),
    ] {
        let m = sinew::load_str(&format!(
            "<mujoco>
               <option timestep='0.01' tolerance='0' iterations='200' impratio='2' cone='elliptic'
                       ccd_tolerance='1e-12' ccd_iterations='200'/>
               <default><geom solimp='.6 .95 .05 .5 2' friction='.8 .1 .05'/></default>
               <worldbody>
                 <body>{}</body>
                 <body {place}>
                   <freejoint/><inertial pos='.1 0 .1' mass='1' diaginertia='.02 .03 .01'/>{geom}
                 </body>
               </worldbody>
             </mujoco>",
            moving(ground)
        ))
        .unwrap();
        let mut d = Data::new(&m);
        d.qvel.fill_with({
            let mut random = Random::new(5);
            move || random.between([-0.5, 0.5])
        });
        sinew::forward(&m, &mut d);
        assert_eq!(d.ncon, 1, "{geom} {place}");
        check_state_within(&m, &d, STEP, SEARCHED, &format!("{geom} {place}"));
    }
}

#[test]
fn a_part_without_derivative_is_named() {
    let error = |xml: &str| {
        let m = sinew::load_str(xml).unwrap();
        let mut d = Data::new(&m);
        engine::transition(&m, &mut d, engine::Transition::default()).unwrap_err()
    };
    let bodies = "<worldbody><body><joint name='j'/><geom name='g' size='.1' mass='1'/>
                  </body></worldbody>";
    let text = error(&format!(
        "<mujoco>{bodies}<actuator><adhesion name='glue' body='world' ctrlrange='0 1'/></actuator>
         </mujoco>"
    ));
    assert!(text.to_string().contains("actuator 'glue'"), "{text}");
    let text = error(
        "<mujoco><worldbody><geom name='floor' type='box' size='1 1 .1'/><body pos='0 0 .19'>
         <freejoint/><geom name='can' type='cylinder' size='.1 .1'/></body></worldbody></mujoco>",
    );
    assert!(text.to_string().contains("cylinder 'can' and box 'floor'"), "{text}");
}

#[test]
fn wrong_lengths_and_bad_states_are_errors() {
    let m = sinew::load_str(&format!("<mujoco>{TREE}</mujoco>")).unwrap();
    let mut d = Data::new(&m);
    let mut short = [0.0; 3];
    let out = engine::Transition { a: Some(&mut short), ..Default::default() };
    let error = engine::transition(&m, &mut d, out).unwrap_err();
    let n = 2 * m.nv;
    assert_eq!(error, TransitionError::Length { name: "A", found: 3, wanted: n * n });
    d.qvel[4] = f64::NAN;
    let error = engine::transition(&m, &mut d, engine::Transition::default()).unwrap_err();
    assert_eq!(error, TransitionError::BadState { field: "qvel", index: 4 });
}

#[test]
fn the_state_stays_and_the_switches_are_those_of_the_rows() {
    let m = sinew::load_str(
        "<mujoco><worldbody><geom type='plane' size='1 1 .1'/><body pos='0 0 .09'><freejoint/>
         <geom size='.1'/></body></worldbody></mujoco>",
    )
    .unwrap();
    let mut d = Data::new(&m);
    let before = d.qpos.to_vec();
    let switches = engine::transition(&m, &mut d, engine::Transition::default()).unwrap();
    assert_eq!(before, d.qpos.to_vec());
    assert!((switches.gap - 0.01).abs() < 1e-12, "{switches:?}");
    assert!(switches.acceleration > 0.0 && switches.acceleration.is_finite());
}

/// A state with all numbers of `qpos`, `qvel` and `act`.
fn flat_state(d: &Data) -> Vec<f64> {
    [d.qpos.to_vec(), d.qvel.to_vec(), d.act.to_vec()].concat()
}

/// Gradients of a random number of the states of a rollout, beside extrapolated differences.
#[track_caller]
fn check_rollout(m: &Model, d: &Data, steps: usize, parameters: &[Parameter], step: f64) {
    let mut random = Random::new(11);
    let start = flat_state(d);
    let ctrl: Vec<f64> = (0..steps)
        .flat_map(|_| d.ctrl.iter().map(|u| u + random.between([-0.1, 0.1])).collect::<Vec<_>>())
        .collect();
    let weights = random.vector(steps * start.len());
    let value = |m: &Model, start: &[f64], ctrl: &[f64]| {
        let mut states = vec![0.0; weights.len()];
        Rollout { start, ctrl, steps }.run(m, &mut d.clone(), &mut states).unwrap();
        weights.iter().zip(&states).map(|(w, x)| w * x).sum::<f64>()
    };
    let difference = |at: &dyn Fn(f64) -> f64| {
        let [a, b, c] = [1.0, 0.5, 0.25].map(|k| (at(k * step) - at(-k * step)) / (2.0 * k * step));
        let (first, second) = ((4.0 * b - a) / 3.0, (4.0 * c - b) / 3.0);
        (16.0 * second - first) / 15.0
    };

    // the gradient
    let mut by_start = vec![f64::NAN; start.len()];
    let mut by_ctrl = vec![f64::NAN; ctrl.len()];
    let mut by_params: Vec<Vec<f64>> = parameters.iter().map(|p| vec![0.0; p.len(m)]).collect();
    let mut params: Vec<_> = parameters
        .iter()
        .zip(&mut by_params)
        .map(|(&parameter, out)| ParameterGradient { parameter, out })
        .collect();
    let out = RolloutGradient { start: &mut by_start, ctrl: &mut by_ctrl, params: &mut params };
    let rollout = Rollout { start: &start, ctrl: &ctrl, steps };
    rollout.vjp(m, &mut d.clone(), &weights, out).unwrap();

    // beside differences
    let check = |name: &str, gradient: &[f64], at: &dyn Fn(usize, f64) -> f64| {
        let scale = gradient.iter().fold(1e-2_f64, |max, x| max.max(x.abs()));
        for (k, x) in gradient.iter().enumerate() {
            let y = difference(&|by| at(k, by));
            let error = (x - y).abs() / scale;
            assert!(error < TOLERANCE, "{name}[{k}]: {x} instead of {y} (scale {scale})");
        }
    };
    let nudged = |x: &[f64], k: usize, by: f64| {
        let mut x = x.to_vec();
        x[k] += by;
        x
    };
    check("start", &by_start, &|k, by| value(m, &nudged(&start, k, by), &ctrl));
    check("ctrl", &by_ctrl, &|k, by| value(m, &start, &nudged(&ctrl, k, by)));
    for (&parameter, gradient) in parameters.iter().zip(&by_params) {
        check(parameter.name(), gradient, &|k, by| {
            let mut m = m.clone();
            nudge(&mut m, parameter, k, by);
            value(&m, &start, &ctrl)
        });
    }

    // the product the other way has the same sum
    let change = [random.vector(start.len()), random.vector(ctrl.len())];
    let mut states = vec![0.0; weights.len()];
    rollout.jvp(m, &mut d.clone(), [&change[0], &change[1]], &mut states).unwrap();
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let forth = dot(&weights, &states);
    let back = dot(&by_start, &change[0]) + dot(&by_ctrl, &change[1]);
    assert!((forth - back).abs() < 1e-9 * (1.0 + forth.abs()), "{forth} and {back}");
}

/// All parameters but those whose zeros are kinks.
fn smooth_parameters() -> Vec<Parameter> {
    let kinks = [Parameter::DofFrictionloss, Parameter::TendonFrictionloss];
    Parameter::ALL.into_iter().filter(|p| !kinks.contains(p)).collect()
}

/// Changes a number of a parameter.
fn nudge(m: &mut Model, parameter: Parameter, k: usize, by: f64) {
    match parameter {
        Parameter::BodyMass => m.body_mass[k] += by,
        Parameter::BodyIpos => m.body_ipos[k / 3][k % 3] += by,
        Parameter::BodyInertia => m.body_inertia[k / 3][k % 3] += by,
        Parameter::DofDamping => m.dof_damping[k] += by,
        Parameter::DofArmature => m.dof_armature[k] += by,
        Parameter::JntStiffness => m.jnt_stiffness[k] += by,
        Parameter::DofFrictionloss => m.dof_frictionloss[k] += by,
        Parameter::TendonFrictionloss => m.tendon_frictionloss[k] += by,
        Parameter::ActuatorGainprm => m.actuator_gainprm[k / 10][k % 10] += by,
        Parameter::ActuatorBiasprm => m.actuator_biasprm[k / 10][k % 10] += by,
        _ => m.opt.gravity[k] += by,
    }
}

#[test]
fn gradients_of_rollouts_are_those_of_their_steps() {
    let mut m = sinew::load_str(&format!(
        "<mujoco>{TREE}
        <actuator>
          <general joint='hinge' gaintype='affine' gainprm='1 2 -.3' biastype='affine'
                   biasprm='.1 -1 -.4'/>
          <position joint='slide' kp='3' kv='.5' forcerange='-9 9'/>
          <general joint='other' dyntype='filter' dynprm='.1' gaintype='affine'
                   gainprm='1 .2 .3'/>
          <general site='thrust' gear='1 2 3 .1 .2 .3'/>
        </actuator></mujoco>"
    ))
    .unwrap();
    // bodies whose centre of mass may move
    m.body_sameframe.fill(SameFrame::None);
    for integrator in INTEGRATORS {
        m.opt.integrator = integrator;
        let mut d = random_state(&m, 4);
        // a step uses the direction of a quaternion only
        (3..7).for_each(|k| d.qpos[k] *= 1.1);
        check_rollout(&m, &d, 5, &smooth_parameters(), 1e-4);
    }
}

#[test]
fn gradients_of_rollouts_reach_through_contacts_and_dry_friction() {
    for cone in ["pyramidal", "elliptic"] {
        let mut m = sinew::load_str(&format!(
            "<mujoco><option timestep='0.005' tolerance='0' iterations='200' cone='{cone}'/>
             <worldbody><geom type='plane' size='3 3 .1'/>
               <body pos='0 0 .095'><freejoint/><geom size='.1' mass='1'/>
                 <body pos='0 0 .2'><joint axis='0 1 .2' frictionloss='.01' damping='.1'/>
                   <geom size='.05' fromto='0 0 0 .1 .2 .3' type='capsule' mass='.3'/></body>
               </body>
             </worldbody></mujoco>"
        ))
        .unwrap();
        m.body_sameframe.fill(SameFrame::None);
        let mut d = Data::new(&m);
        d.qvel.copy_from_slice(&[0.3, 0.1, 0.02, 0.3, -0.2, 0.1, 0.8]);
        check_rollout(&m, &d, 7, &smooth_parameters(), 5e-6);
    }
}

#[test]
fn gradients_reach_the_friction_of_joints_and_tendons() {
    let mut m = sinew::load_str(
        "<mujoco><option timestep='0.005' tolerance='0' iterations='200'/>
         <worldbody>
           <body><joint name='a' axis='0 1 .2' frictionloss='.1'/>
             <geom size='.05' fromto='0 0 0 .1 .2 .3' type='capsule' mass='.3'/>
             <body pos='.1 .2 .3'><joint name='b' axis='1 0 0' frictionloss='9'/>
               <geom size='.05' fromto='0 0 0 .1 .2 .3' type='capsule' mass='.3'/>
               <site name='s' pos='.1 .2 .3'/></body></body>
           <site name='w' pos='0 0 1'/>
         </worldbody>
         <tendon><fixed frictionloss='.05'><joint joint='a' coef='1'/><joint joint='b' coef='2'/>
         </fixed><spatial frictionloss='.07'><site site='w'/><site site='s'/></spatial></tendon>
         </mujoco>",
    )
    .unwrap();
    let mut d = Data::new(&m);
    d.qvel.copy_from_slice(&[0.8, -0.4]);
    for integrator in [Integrator::Euler, Integrator::Rk4] {
        m.opt.integrator = integrator;
        let parameters = [Parameter::DofFrictionloss, Parameter::TendonFrictionloss];
        check_rollout(&m, &d, 5, &parameters, 1e-5);
    }
}

/// Compares C and D with extrapolated differences of the readings.
#[track_caller]
fn check_sensors(m: &Model, d: &Data, step: f64) {
    let (n, ns) = (2 * m.nv + m.na, m.nsensordata);
    let (mut c, mut by_ctrl) = (vec![f64::NAN; ns * n], vec![f64::NAN; ns * m.nu]);
    let out = engine::Transition { c: Some(&mut c), d: Some(&mut by_ctrl), ..Default::default() };
    engine::transition(m, &mut d.clone(), out).unwrap();
    for (input, &kind) in inputs(m).iter().enumerate() {
        let read = |by: f64| {
            let mut d = changed(m, d, kind, by);
            sinew::forward(m, &mut d);
            d.sensordata.to_vec()
        };
        let central = |h: f64| {
            let [back, there] = [read(-h), read(h)];
            back.iter().zip(&there).map(|(a, b)| (b - a) / (2.0 * h)).collect::<Vec<_>>()
        };
        let [long, middle, short] = [1.0, 0.5, 0.25].map(|k| central(k * step));
        for s in m.sensors() {
            let (adr, dim) = (m.sensor_adr[s] as usize, m.sensor_dim[s] as usize);
            let wanted: Vec<f64> = (adr..adr + dim)
                .map(|k| {
                    let first = (4.0 * middle[k] - long[k]) / 3.0;
                    let second = (4.0 * short[k] - middle[k]) / 3.0;
                    (16.0 * second - first) / 15.0
                })
                .collect();
            let scale = wanted.iter().fold(1e-2_f64, |max, x| max.max(x.abs()));
            for (row, y) in (adr..).zip(&wanted) {
                let x = match input.checked_sub(n) {
                    Some(u) => by_ctrl[row * m.nu + u],
                    None => c[row * n + input],
                };
                let (kind, error) = (m.sensor_type[s], (x - y).abs() / scale);
                assert!(error < TOLERANCE, "{kind:?} by input {input}: {x} instead of {y}");
            }
        }
    }
}

const SENSORS: &str = "<sensor>
    <jointpos joint='hinge'/><jointvel joint='slide'/><ballquat joint='ball'/>
    <ballangvel joint='ball'/><tendonpos tendon='t'/><tendonvel tendon='t'/>
    <actuatorpos actuator='a'/><actuatorvel actuator='a'/><actuatorfrc actuator='a'/>
    <actuatorpos actuator='b'/><actuatorvel actuator='b'/><actuatorfrc actuator='b'/>
    <actuatorfrc actuator='filter'/><actuatorvel actuator='jet'/><actuatorfrc actuator='jet'/>
    <accelerometer site='thrust'/><gyro site='thrust'/><velocimeter site='thrust'/>
    <magnetometer site='thrust'/><accelerometer site='tip' cutoff='.1'/>
    <framepos objtype='site' objname='tip'/><framequat objtype='body' objname='leaf'/>
    <framelinvel objtype='site' objname='tip'/><frameangvel objtype='site' objname='tip'/>
    <framelinacc objtype='site' objname='tip'/><frameangacc objtype='site' objname='tip'/>
    <framepos objtype='site' objname='tip' reftype='site' refname='thrust'/>
    <framequat objtype='site' objname='tip' reftype='site' refname='thrust'/>
    <framexaxis objtype='site' objname='tip' reftype='site' refname='thrust'/>
    <framelinvel objtype='site' objname='tip' reftype='site' refname='thrust'/>
    <frameangvel objtype='site' objname='tip' reftype='site' refname='thrust'/>
    <framezaxis objtype='xbody' objname='leaf'/><subtreecom body='leaf'/><clock/>
  </sensor>";

#[test]
fn derivatives_of_sensors_are_those_of_their_readings() {
    let tree = TREE.replace(
        "<geom size='.1' fromto='0 0 0 .3 .2 .1' type='capsule' mass='.7'/>",
        "<geom size='.1' fromto='0 0 0 .3 .2 .1' type='capsule' mass='.7'/>
         <site name='tip' pos='.3 .2 .1' euler='10 50 20'/>
         <body name='leaf' pos='.3 .2 .1'><joint type='ball' damping='.1'/>
           <geom size='.05 .1 .2' type='box' pos='0 .1 0' mass='.3'/></body>",
    );
    let mut m = sinew::load_str(&format!(
        "<mujoco>{tree}
         <tendon><fixed name='t'><joint joint='hinge' coef='.7'/><joint joint='slide' coef='-.4'/>
         </fixed></tendon>
         <actuator>
           <general name='a' joint='ball' gear='1 2 .5' biastype='affine' biasprm='.1 -2 -.4'/>
           <general name='b' jointinparent='ball' gear='1 -1 .5' biastype='affine'
                    biasprm='.1 -2 -.4'/>
           <general name='filter' joint='hinge' dyntype='filter' dynprm='.1' gaintype='affine'
                    gainprm='1 .2 .3'/>
           <general name='jet' site='thrust' gear='1 2 3 .1 .2 .3' gaintype='affine'
                    gainprm='1 0 .3' biastype='affine' biasprm='.1 0 -.4'/>
         </actuator>{SENSORS}</mujoco>"
    ))
    .unwrap();
    for integrator in INTEGRATORS {
        m.opt.integrator = integrator;
        check_sensors(&m, &random_state(&m, 3), STEP);
    }
}

#[test]
fn derivatives_of_sensors_of_limits_and_energies_are_those_of_their_readings() {
    let strings = STRINGS
        .replace("timestep='0.01'", "timestep='0.01' tolerance='0' iterations='200'")
        .replace("name='far'", "name='far' limited='true' range='-60 -50' stiffness='2'")
        .replace("type='ball'", "type='ball' limited='true' range='0 5' stiffness='3'")
        .replace(
            "name='plain'",
            "name='plain' limited='true' range='0 1' actuatorfrcrange='-.1 .1'",
        )
        .replace("name='pulley'", "name='pulley' limited='true' range='3 4'")
        .replace("<body pos='1 0 1'>", "<geom type='plane' size='3 3 .1'/><body pos='1 0 1'>");
    let mut m = sinew::load_str(
        &format!(
            "<mujoco>{strings}<actuator>
           <general name='a' tendon='plain' gear='.7' biastype='affine' biasprm='.3 -1 -.4'/>
           <general name='b' tendon='plain' gear='-.2' dyntype='filter' dynprm='.1'/>
           <general name='c' tendon='over' biastype='affine' biasprm='.1 -1 -.4'/>
         </actuator><sensor>
           <jointlimitpos joint='far'/><jointlimitvel joint='far'/><jointlimitfrc joint='far'/>
           <jointlimitpos joint='ball'/>
           <tendonlimitpos tendon='plain'/><tendonlimitvel tendon='plain'/>
           <tendonlimitfrc tendon='plain'/><tendonlimitfrc tendon='pulley'/>
           <tendonpos tendon='sided'/><tendonvel tendon='sided'/>
           <actuatorfrc actuator='a'/><actuatorfrc actuator='b'/><actuatorfrc actuator='c'/>
           <tendonactuatorfrc tendon='plain'/><tendonactuatorfrc tendon='over'/>
           <actuatorvel actuator='c'/><e_potential/><e_kinetic/>
           <subtreelinvel body='arm'/><rangefinder site='f'/><rangefinder site='d'/>
         </sensor></mujoco>",
        )
        .replacen("<body pos='.3 0 .1'>", "<body name='arm' pos='.3 0 .1'>", 1),
    )
    .unwrap();
    for integrator in INTEGRATORS {
        m.opt.integrator = integrator;
        check_sensors(&m, &random_state(&m, 3), 2e-4);
    }
}
