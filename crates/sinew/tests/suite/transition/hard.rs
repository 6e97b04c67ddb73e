//! Derivatives of steps with exact friction.

use sinew::engine;
use sinew::model::coulomb::{ContactState, FrictionLaw};
use sinew::model::enums::Integrator;
use sinew::{Data, Model};
use sinew_testkit::Random;

use super::{analytic, check_state_within};

/// Errors that are allowed. The correction of the position is solved to 1e-6 of its size, which is
/// noise in the differences.
const HARD: f64 = 1e-6;

/// A model in the exact mode.
fn exact(xml: &str) -> Model {
    let mut m = sinew::load_str(xml).unwrap();
    m.coulomb.enabled = true;
    m.coulomb.tolerance = 1e-13;
    m
}

/// Compares at a velocity, with some noise, and checks the states of the contacts.
#[track_caller]
fn check(m: &Model, vel: &[f64], states: &[ContactState], label: &str) {
    check_with(m, vel, states, label, 2e-5);
}

/// `check` with a length of the steps.
#[track_caller]
fn check_with(m: &Model, vel: &[f64], states: &[ContactState], label: &str, step: f64) {
    let mut random = Random::new(7);
    for integrator in [Integrator::Euler, Integrator::Implicitfast] {
        let mut m = m.clone();
        m.opt.integrator = integrator;
        let mut d = Data::new(&m);
        for (to, vel) in d.qvel.iter_mut().zip(vel.iter().chain(&[0.0; 40])) {
            *to = vel + random.between([-0.01, 0.01]);
        }
        for u in 0..m.nu {
            d.ctrl[u] = random.between([-1.0, 1.0]);
        }
        let mut next = d.clone();
        sinew::step(&m, &mut next);
        let found: Vec<ContactState> = next.coulomb.contacts.iter().map(|c| c.state).collect();
        assert!(next.coulomb.converged(), "{label}");
        for state in states {
            assert!(found.contains(state), "{label}: {found:?}");
        }
        check_state_within(&m, &d, step, HARD, &format!("{integrator:?}, {label}"));
    }
}

fn ball(ground: &str, ball: &str) -> Model {
    exact(&format!(
        "<mujoco><option timestep='.005' cone='elliptic'/>
           <default><geom friction='.5 .02 .01'/></default>
           <worldbody><geom type='plane' size='3 3 .1' {ground}/>
           <body pos='0 0 .099'><freejoint/>
             <inertial pos='.01 0 .005' mass='1' diaginertia='.004 .006 .005'/>
             <geom size='.1' {ball}/></body></worldbody></mujoco>"
    ))
}

#[test]
fn a_ball_sticks_and_slides_as_its_derivatives_say() {
    for condim in [1, 3, 4, 6] {
        let m = ball("", &format!("condim='{condim}'"));
        check(&m, &[0.1, 0.05, -0.1, -0.5, 1.0, 0.2], &[], &format!("sticks, {condim}"));
        check(&m, &[2.0, 1.0, -0.1, 1.0, 2.0, 3.0], &[], &format!("slides, {condim}"));
    }
    check(&ball("", ""), &[0.1, 0.05, -0.1, -0.5, 1.0, 0.2], &[ContactState::Stick], "sticks");
    check(&ball("", ""), &[2.0, 1.0, -0.1, 1.0, 2.0, 3.0], &[ContactState::Slide], "slides");
    check(&ball("euler='10 5 0'", ""), &[2.0, 1.0, -0.1], &[ContactState::Slide], "on a slope");
    let mut m = ball("", "");
    m.coulomb.law = FrictionLaw::Convex;
    check(&m, &[2.0, 1.0, -0.1, 1.0, 2.0, 3.0], &[ContactState::Slide], "in the convex law");
}

#[test]
fn a_ball_bounces_as_its_derivatives_say() {
    let mut m = ball("", "");
    m.coulomb.geom_restitution = vec![0.5; m.ngeom];
    check(&m, &[0.1, 0.05, -1.0, 1.0, 2.0, 3.0], &[ContactState::Stick], "bounces");
    check(&m, &[4.0, 0.05, -1.0, 1.0, 2.0, 3.0], &[ContactState::Slide], "bounces and slides");
}

/// A body on a plane.
fn stand(geoms: &str) -> Model {
    exact(&format!(
        "<mujoco><option timestep='.005' cone='elliptic'/><default><geom friction='.5'/></default>
           <worldbody><geom type='plane' size='3 3 .1'/>
             <body pos='0 0 .099'><freejoint/>{geoms}</body>
           </worldbody></mujoco>"
    ))
}

#[test]
fn a_tripod_moves_as_its_derivatives_say() {
    let m = stand(
        "<geom size='.05' pos='.2 0 -.05'/><geom size='.05' pos='-.1 .2 -.05'/>
         <geom size='.05' pos='-.1 -.2 -.05'/>",
    );
    let slides = [1.5, 0.5, -0.1, 0.0, 0.0, 0.8];
    // the solver of three contacts leaves 3e-11 m/s, which is noise in short differences
    check_with(&m, &slides, &[ContactState::Slide], "slides", 1.5e-4);
    check(&m, &[0.0, 0.0, -0.1], &[ContactState::Stick], "stands");
}

#[test]
fn a_box_that_stands_on_four_corners_moves_as_its_derivatives_say() {
    let m = stand("<geom type='box' size='.2 .15 .1' mass='2'/>");
    check(&m, &[0.0, 0.0, -0.1], &[ContactState::Stick], "stands");
}

#[test]
fn stacked_balls_move_as_their_derivatives_say() {
    let m = exact(
        "<mujoco><option timestep='.005' cone='elliptic'/><default><geom friction='.5'/></default>
           <worldbody><geom type='plane' size='3 3 .1'/>
             <body pos='0 0 .099'><freejoint/><geom size='.1' mass='1'/></body>
             <body pos='.02 .03 .293'><freejoint/><geom size='.1' mass='2'/></body>
           </worldbody></mujoco>",
    );
    check(&m, &[0.0, 0.0, -0.2, 0.0, 0.0, 0.0, 0.0, 0.0, -0.4], &[ContactState::Stick], "stacked");
}

#[test]
fn joints_with_limits_friction_and_equalities_move_as_their_derivatives_say() {
    let m = exact(
        "<mujoco><option timestep='.005' cone='elliptic'/>
           <worldbody><geom type='plane' size='3 3 .1' pos='0 0 -.6'/>
             <body><joint name='a' axis='0 1 0' damping='.2' frictionloss='.3'/>
               <geom type='capsule' size='.05' fromto='0 0 0 .4 0 0' mass='1'/>
               <body pos='.4 0 0'>
                 <joint name='b' axis='0 1 .1' range='.02 1' limited='true' damping='.1'/>
                 <geom type='capsule' size='.05' fromto='0 0 0 .3 0 0' mass='.7'/>
                 <body pos='.3 0 0'><joint name='c' axis='1 0 .3' frictionloss='.001'/>
                   <geom size='.06' pos='0 .2 .1' mass='.4'/></body>
               </body></body>
             <body pos='0 1 0'><joint name='d' axis='0 1 .2' stiffness='3'/>
               <geom type='capsule' size='.05' fromto='0 0 0 .4 .1 0' mass='1'/></body>
             <body pos='.3 2 0'><freejoint/><geom size='.06' pos='.1 .2 .1' mass='.4'/></body>
           </worldbody>
           <equality><joint joint1='a' joint2='d' polycoef='0 .5 .3 0 0'/></equality>
           <actuator><motor joint='a'/><position joint='c' kp='3' kv='.1'/></actuator></mujoco>",
    );
    check(&m, &[0.4, -0.6, 0.3, 0.2], &[], "arm");
}

#[test]
fn what_has_no_derivative_with_exact_friction_is_an_error() {
    let m = ball("", "");
    let mut d = Data::new(&m);
    let (mut state, mut mass) = (vec![0.0; 12], vec![0.0; m.nbody]);
    let gradient =
        engine::ParameterGradient { parameter: engine::Parameter::BodyMass, out: &mut mass };
    let params = &mut [gradient];
    let out = engine::StepGradient { state: &mut state, ctrl: &mut [], params };
    let error = engine::step_vjp(&m, &mut d, &[0.0; 12], out).unwrap_err();
    assert!(error.to_string().contains("parameters with exact friction"), "{error}");
}

#[test]
fn a_derivative_leaves_the_step_as_it_was() {
    let m = ball("", "");
    let mut d = Data::new(&m);
    d.qvel[0] = 1.0;
    let mut other = d.clone();
    analytic(&m, &mut other);
    sinew::step(&m, &mut d);
    sinew::step(&m, &mut other);
    assert_eq!((&*d.qpos, &*d.qvel), (&*other.qpos, &*other.qvel));
}
