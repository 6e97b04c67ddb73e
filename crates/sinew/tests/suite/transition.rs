//! Analytic derivatives of a step against central differences that are extrapolated.

mod contacts;
mod hard;
mod rollouts;
mod sensors;

use sinew::engine::{self, TransitionError};
use sinew::model::enums::Integrator;
use sinew::{Data, Model};
use sinew_testkit::Random;

/// Differences from the extrapolated ones that are allowed, relative to the largest entry.
const TOLERANCE: f64 = 1e-6;

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

/// Compares products of vectors with products of the matrices.
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
