//! The exact friction mode: contacts that stick, slide, bounce and carry loads by Coulomb's law.

use sinew::engine::{copy_state, get_state, set_state, state_size};
use sinew::model::coulomb::{ContactState, CoulombStatus, FrictionLaw};
use sinew::model::enums::{Integrator, StateBit, Warning};
use sinew::{
    Assets, Data, LoadOptions, Model, Spec, forward, load_str, load_str_with, reset_data, step,
};

const G: f64 = 9.81;

/// A model from XML, in the exact mode.
fn exact(xml: &str) -> Model {
    let mut m = load_str(xml).unwrap();
    m.coulomb.enabled = true;
    m
}

/// Makes steps, and checks that each obeys the law and adds no energy.
#[track_caller]
fn run(m: &Model, d: &mut Data, steps: usize) {
    for i in 0..steps {
        step(m, d);
        let c = &d.coulomb;
        assert!(c.converged(), "step {i}: {:?}, residual {:e}", c.status, c.residual);
        assert!(c.energy <= 1e-9, "step {i}: impulses add {:e} J", c.energy);
    }
}

fn largest_difference(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).fold(0.0, |most, (x, y)| most.max((x - y).abs()))
}

// slopes

/// A box on a slope of `angle` radians, 1e-6 m deep in it, with friction `mu`.
fn slope(angle: f64, mu: f64) -> (Model, Data) {
    let (gx, gz) = (G * angle.sin(), -G * angle.cos());
    let m = exact(&format!(
        "<mujoco><option gravity='{gx} 0 {gz}'/><worldbody>
           <geom type='plane' size='5 5 1' friction='{mu}'/>
           <body pos='0 0 .099999'><freejoint/><geom type='box' size='.2 .15 .1' friction='{mu}'/></body>
         </worldbody></mujoco>"
    ));
    let d = Data::new(&m);
    (m, d)
}

#[test]
fn a_box_below_the_friction_angle_stays_put() {
    for law in [FrictionLaw::Exact, FrictionLaw::Convex] {
        let (mut m, mut d) = slope(0.4, 0.5);
        m.coulomb.law = law;
        let start = d.qpos.to_vec();
        run(&m, &mut d, 5000);
        let drift = largest_difference(&d.qpos, &start);
        assert!(drift < 1e-9, "{law:?}: {drift:e}");
        assert!(d.coulomb.contacts.iter().all(|c| c.state == ContactState::Stick));
    }
}

#[test]
fn a_box_above_the_friction_angle_accelerates_as_coulomb_says() {
    let (angle, mu) = (0.6_f64, 0.4);
    let (m, mut d) = slope(angle, mu);
    let wanted = G * (angle.sin() - mu * angle.cos());
    for _ in 0..500 {
        run(&m, &mut d, 1);
        assert!((d.qacc[0] - wanted).abs() < 1e-6, "{} {wanted}", d.qacc[0]);
    }
    assert!((d.qvel[0] - wanted * d.time).abs() < 1e-6);
    assert!(d.coulomb.contacts.iter().all(|c| c.state == ContactState::Slide));
}

#[test]
fn in_the_convex_law_a_sliding_box_leaves_the_slope() {
    let (mut m, mut d) = slope(0.6, 0.4);
    m.coulomb.law = FrictionLaw::Convex;
    run(&m, &mut d, 1);
    assert!((d.qvel[2] - 0.4 * d.qvel[0]).abs() < 1e-9, "{:?}", d.qvel);
}

// stacks and grips

/// Boxes on top of each other, each 1e-6 m deep in the one below.
fn stack(n: usize) -> (Model, Data) {
    let bodies: String = (0..n)
        .map(|i| {
            let z = 0.1 - 1e-6 + i as f64 * (0.2 - 1e-6);
            format!("<body pos='0 0 {z}'><freejoint/><geom type='box' size='.1 .1 .1'/></body>")
        })
        .collect();
    let m = exact(&format!(
        "<mujoco><worldbody><geom type='plane' size='5 5 1'/>{bodies}</worldbody></mujoco>"
    ));
    let d = Data::new(&m);
    (m, d)
}

#[test]
fn a_stack_of_ten_boxes_stands() {
    let (m, mut d) = stack(10);
    let start = d.qpos.to_vec();
    run(&m, &mut d, 50);
    assert!(d.coulomb.contacts.len() >= 40);

    // box-box contacts are deeper than they should be at first, and are corrected once
    assert!(largest_difference(&d.qpos, &start) < 1e-5);
    let settled = d.qpos.to_vec();
    run(&m, &mut d, 450);
    let drift = largest_difference(&d.qpos, &settled);
    assert!(drift < 1e-9, "{drift:e}");
}

#[test]
fn thousands_of_contacts_of_one_body_are_held() {
    // A with over 6000 rows would have 36 million entries
    let feet: String = (0..2000)
        .map(|i| {
            let (x, y) = (0.05 * f64::from(i % 50), 0.05 * f64::from(i / 50));
            format!("<geom size='.02' pos='{x} {y} 0' mass='.01' friction='.5'/>")
        })
        .collect();
    let mut m = exact(&format!(
        "<mujoco><option gravity='2 0 -9.6'/><worldbody><geom type='plane' size='5 5 1'/>
         <body pos='0 0 .019999'><freejoint/>{feet}</body></worldbody></mujoco>"
    ));
    for law in [FrictionLaw::Exact, FrictionLaw::Convex] {
        m.coulomb.law = law;
        let mut d = Data::new(&m);
        run(&m, &mut d, 3);
        assert_eq!(d.coulomb.contacts.len(), 2000);
        assert!(d.qvel.iter().all(|v| v.abs() < 1e-9), "{law:?}: {:?}", d.qvel);
    }
}

#[test]
fn thousands_of_contacts_of_many_bodies_are_certified() {
    // a plate on a thousand balls: sweeps solve it, and the certificate gives the residual
    let balls: String = (0..1000)
        .map(|i| {
            let (x, y) = (0.05 * f64::from(i % 40), 0.05 * f64::from(i / 40));
            format!("<body pos='{x} {y} .019999'><freejoint/><geom size='.02' mass='.01'/></body>")
        })
        .collect();
    let m = exact(&format!(
        "<mujoco><worldbody><geom type='plane' size='5 5 1'/>{balls}
         <body pos='1 .6 .049998'><freejoint/><geom type='box' size='1.1 .7 .01' mass='5'/></body>
         </worldbody></mujoco>"
    ));
    let mut d = Data::new(&m);
    for _ in 0..3 {
        step(&m, &mut d);
        assert_eq!(d.coulomb.contacts.len(), 2000);
        assert!(d.coulomb.residual < 1e-3, "{:e}", d.coulomb.residual);
        assert!(d.qvel.iter().all(|v| v.abs() < 1e-3));
    }
}

/// A box of 1 kg between two fingers that press with `force`, friction one half.
fn grip(force: f64) -> (Model, Data) {
    let finger = |name: &str, x: f64| {
        format!(
            "<body pos='{x} 0 1'><joint name='{name}' type='slide' axis='1 0 0'/>
               <geom type='box' size='.02 .05 .05' mass='.1' friction='.5'/></body>"
        )
    };
    let m = exact(&format!(
        "<mujoco><worldbody>{}{}
           <body pos='0 0 1'><freejoint/><geom type='box' size='.050001 .03 .03' mass='1' friction='.5'/></body>
         </worldbody><actuator><motor joint='l'/><motor joint='r'/></actuator></mujoco>",
        finger("l", -0.07),
        finger("r", 0.07)
    ));
    let mut d = Data::new(&m);
    (d.ctrl[0], d.ctrl[1]) = (force, -force);
    (m, d)
}

#[test]
fn a_pinched_object_is_held_or_slips() {
    // two contacts carry 2 μ F
    let (m, mut d) = grip(10.0);
    let start = d.qpos.to_vec();
    run(&m, &mut d, 1000);
    let drift = largest_difference(&d.qpos, &start);
    assert!(drift < 1e-8, "{drift:e}");

    let (m, mut d) = grip(5.0);
    run(&m, &mut d, 50);
    let fall = -d.qvel[4] / d.time;
    assert!((fall - (G - 5.0)).abs() < 1e-6, "{fall}");
}

// sliding in the plane

#[test]
fn a_sliding_block_goes_straight_and_stops() {
    let (m, mut d) = slope(0.0, 0.3);
    (d.qvel[0], d.qvel[1]) = (0.6, 0.8);
    let brake = 0.3 * G * m.opt.timestep;
    let (mut speed, mut path) = (1.0_f64, 0.0);
    for _ in 0..250 {
        run(&m, &mut d, 1);
        speed = (speed - brake).max(0.0);
        path += m.opt.timestep * speed;
        assert!((d.qvel[0] - 0.6 * speed).abs() < 1e-8 && (d.qvel[1] - 0.8 * speed).abs() < 1e-8);
    }
    assert!((d.qpos[0] - 0.6 * path).abs() < 1e-8 && (d.qpos[1] - 0.8 * path).abs() < 1e-8);
    assert!(d.qvel.iter().all(|v| v.abs() < 1e-9));
}

#[test]
fn on_a_slope_at_the_friction_angle_speed_and_fall_speed_add_up_to_a_constant() {
    // |v| grows by (g sin - μ g cos v_x / |v|) t, and v_x such that the sum stays constant
    let angle = 0.5_f64;
    let (m, mut d) = slope(angle, angle.tan());
    d.qvel[1] = 2.0;
    for _ in 0..1000 {
        run(&m, &mut d, 1);
        let sum = d.qvel[0].hypot(d.qvel[1]) + d.qvel[0];
        assert!((sum - 2.0).abs() < 0.01, "{sum}");
    }
    assert!((d.qvel[0] - 1.0).abs() < 0.02 && d.qvel[1].abs() < 0.1, "{:?}", d.qvel);
}

// restitution

/// A ball above a plane.
fn ball(attributes: &str, pair: &str) -> Model {
    load_str(&format!(
        "<mujoco><option coulomb='exact'/><worldbody>
           <geom name='floor' type='plane' size='5 5 1'/>
           <body pos='0 0 1'><freejoint/><geom name='ball' size='.1' {attributes}/></body>
         </worldbody><contact>{pair}</contact></mujoco>"
    ))
    .unwrap()
}

/// Ratio of the speeds after and before the first impact.
fn rebound(m: &Model) -> f64 {
    let mut d = Data::new(m);
    for _ in 0..1000 {
        let before = d.qvel[2];
        run(m, &mut d, 1);
        if d.qvel[2] > before {
            return -d.qvel[2] / before;
        }
    }
    panic!("no impact");
}

#[test]
fn a_ball_rebounds_at_its_restitution() {
    for e in [0.0, 0.3, 0.8, 1.0] {
        for margin in ["", "margin='.01'"] {
            let m = ball(&format!("restitution='{e}' {margin}"), "");
            let ratio = rebound(&m);
            // a contact within its margin may approach until it touches
            let fine = if e > 0.0 { (ratio - e).abs() < 1e-3 } else { ratio < 1e-9 };
            assert!(fine, "{e} {margin}: {ratio}");
        }
    }

    // a pair has its own restitution
    let m = ball("restitution='.8'", "<pair geom1='floor' geom2='ball' restitution='.5'/>");
    assert!((rebound(&m) - 0.5).abs() < 1e-3);
}

#[test]
fn a_bouncing_ball_comes_to_rest() {
    let m = ball("restitution='.5'", "");
    let mut d = Data::new(&m);
    run(&m, &mut d, 2000);
    assert!(d.qvel.iter().all(|v| v.abs() < 1e-9), "{:?}", d.qvel);
    assert!((d.qpos[2] - 0.1).abs() < 1e-4, "{}", d.qpos[2]);
}

#[test]
fn a_ball_leaves_the_ceiling_at_its_restitution() {
    for e in [0.5, 1.0] {
        let m = load_str(&format!(
            "<mujoco><option coulomb='exact'/><worldbody>
               <geom type='plane' size='5 5 1' pos='0 0 2' euler='180 0 0'/>
               <body pos='0 0 1.85'><freejoint/><geom size='.1' restitution='{e}'/></body>
             </worldbody></mujoco>"
        ))
        .unwrap();
        let mut d = Data::new(&m);
        d.qvel[2] = 3.0;
        let mut before = d.qvel[2];
        while d.qvel[2] > 0.0 {
            before = d.qvel[2];
            run(&m, &mut d, 1);
        }
        assert!((-d.qvel[2] / before - e).abs() < 1e-9, "{e}: {before} becomes {}", d.qvel[2]);
        assert_eq!(d.coulomb.restitution_scale, 1.0);
    }
}

/// The maximum heights of a ball between its impacts.
fn heights(m: &Model, count: usize) -> Vec<f64> {
    let mut d = Data::new(m);
    let (mut found, mut rising) = (Vec::new(), false);
    for _ in 0..10_000 {
        let (height, speed) = (d.qpos[2] - 0.1, d.qvel[2]);
        run(m, &mut d, 1);
        if rising && d.qvel[2] <= 0.0 {
            found.push(height.max(d.qpos[2] - 0.1));
        }
        rising = d.qvel[2] > 0.0 && (rising || d.qvel[2] > speed);
        if found.len() == count {
            break;
        }
    }
    found
}

#[test]
fn bounces_lose_the_energy_that_restitution_takes_and_no_other() {
    for margin in ["", "margin='.01'"] {
        let found = heights(&ball(&format!("restitution='.5' {margin}"), ""), 4);
        for (k, height) in found.iter().enumerate() {
            let wanted = 0.9 * 0.25_f64.powi(k as i32 + 1);
            let off = height / wanted - 1.0;
            assert!(off.abs() < 0.02, "{margin} bounce {k}: {height} for {wanted}, {off:.4}");
        }

        // twenty elastic bounces conserve the energy
        let found = heights(&ball(&format!("restitution='1' {margin}"), ""), 20);
        assert!(found.iter().all(|z| (z / 0.9 - 1.0).abs() < 2e-3), "{margin}: {found:?}");
    }
}

/// Five balls of a Newton's cradle with gaps: their speeds after the first hits at 1 m/s.
fn cradle(gap: f64, e: f64) -> Vec<f64> {
    let balls: String = (0..5)
        .map(|i| {
            let x = (0.2 + gap) * f64::from(i);
            format!(
                "<body pos='{x} 0 1'><joint axis='0 1 0' pos='0 0 1'/>
                 <geom size='.1' mass='1' condim='1' restitution='{e}'/></body>"
            )
        })
        .collect();
    let m = exact(&format!(
        "<mujoco><option><flag energy='enable'/></option><worldbody>{balls}</worldbody></mujoco>"
    ));
    let mut d = Data::new(&m);
    forward(&m, &mut d);
    let rest = d.energy[0];
    d.qvel[0] = -1.0;
    forward(&m, &mut d);
    let before = d.energy[0] + d.energy[1] - rest;
    run(&m, &mut d, 12);
    forward(&m, &mut d);
    let after = d.energy[0] + d.energy[1] - rest;
    if e == 1.0 {
        assert!((after / before - 1.0).abs() < 2e-3, "{gap}: {before} J become {after}");
    }
    d.qvel.iter().map(|v| -v).collect()
}

#[test]
fn a_cradle_passes_on_its_speed() {
    // sequential impacts: the last ball takes the whole speed
    let speeds = cradle(1e-3, 1.0);
    assert!(speeds[4] > 0.99 && speeds[..4].iter().all(|v| v.abs() < 0.02), "{speeds:?}");

    // simultaneous impacts, Newton's law: the first rebounds with 3/5, the others share the rest
    let speeds = cradle(-1e-6, 1.0);
    assert!((speeds[0] + 0.6).abs() < 0.01, "{speeds:?}");
    assert!(speeds[1..].iter().all(|v| (v - 0.4).abs() < 0.01), "{speeds:?}");

    // with restitution e the relative speed of the first two becomes e times the impact speed
    let speeds = cradle(-1e-6, 0.5);
    assert!((speeds[0] + 0.2).abs() < 0.01 && (speeds[1] - 0.3).abs() < 0.01, "{speeds:?}");
}

#[test]
fn restitution_of_a_pile_adds_no_energy() {
    let bodies: String = (0..6)
        .map(|i| {
            let (x, z) = (0.03 * f64::from(i % 3), 0.3 + 0.25 * f64::from(i));
            let shape = ["type='box' size='.1 .08 .06'", "type='capsule' size='.05 .1'", "size='.1'"]
                [i as usize % 3];
            format!("<body pos='{x} 0 {z}' euler='10 20 {i}'><freejoint/><geom {shape} restitution='.9'/></body>")
        })
        .collect();
    let m = exact(&format!(
        "<mujoco><option><flag energy='enable'/></option><worldbody>
         <geom type='plane' size='5 5 1'/>{bodies}</worldbody></mujoco>"
    ));
    let mut d = Data::new(&m);
    forward(&m, &mut d);
    let start = d.energy[0] + d.energy[1];
    for _ in 0..800 {
        step(&m, &mut d);
        assert!(d.coulomb.energy <= 1e-9, "{:e}", d.coulomb.energy);
        assert!(d.energy[0] + d.energy[1] < 1.001 * start);
    }
}

// other rows than contacts

#[test]
fn dry_friction_holds_and_gives_way() {
    let m = exact(
        "<mujoco><worldbody><body><joint type='slide' axis='1 0 0' frictionloss='3'/>
           <geom size='.1' mass='2'/></body></worldbody>
         <actuator><motor joint='j'/></actuator></mujoco>"
            .replace("<joint ", "<joint name='j' ")
            .as_str(),
    );
    let mut d = Data::new(&m);
    d.ctrl[0] = 2.9;
    run(&m, &mut d, 100);
    assert!(d.qpos[0].abs() < 1e-12);
    d.ctrl[0] = 5.0;
    run(&m, &mut d, 100);
    assert!((d.qacc[0] - 1.0).abs() < 1e-8);
}

#[test]
fn a_limit_stops_a_joint() {
    let m = exact(
        "<mujoco><worldbody><body><joint axis='0 1 0' limited='true' range='-90 30' damping='.01'/>
           <geom type='capsule' size='.02' fromto='0 0 0 .5 0 0'/></body></worldbody></mujoco>",
    );
    for integrator in [Integrator::Euler, Integrator::Implicitfast] {
        let mut m = m.clone();
        m.opt.integrator = integrator;
        let mut d = Data::new(&m);
        run(&m, &mut d, 1000);
        assert!((d.qpos[0] - 30_f64.to_radians()).abs() < 2e-5, "{}", d.qpos[0]);
        assert!(d.qvel[0].abs() < 1e-10);
    }
}

#[test]
fn equalities_hold_without_drift() {
    for equality in ["<connect body1='b' anchor='-.25 0 0'/>", "<weld body1='b' body2='c'/>"] {
        let m = exact(&format!(
            "<mujoco><worldbody><body name='c' pos='-.5 0 1'><joint axis='0 1 0'/>
               <geom size='.05' contype='0' conaffinity='0'/></body>
             <body name='b' pos='0 0 1'><freejoint/><geom type='capsule' size='.02' fromto='-.25 0 0 .25 0 0'/></body>
             </worldbody><equality>{equality}</equality></mujoco>"
        ));
        let mut d = Data::new(&m);
        for _ in 0..1000 {
            run(&m, &mut d, 1);
            let error = d.efc_pos.iter().fold(0.0_f64, |a, x| a.max(x.abs()));
            assert!(error < 2e-4, "{equality}: {error:e}");
        }
    }
}

// warm start

#[test]
fn contacts_that_change_their_order_are_found_again() {
    let (m, mut d) = slope(0.4, 0.5);
    run(&m, &mut d, 20);
    let mut other = d.clone();
    other.coulomb.start.contacts.reverse();
    let mut stranger = other.coulomb.start.contacts[0];
    stranger.geom = [7, 9];
    other.coulomb.start.contacts.insert(1, stranger);
    run(&m, &mut d, 1);
    run(&m, &mut other, 1);
    assert_eq!(d.coulomb, other.coulomb);
    assert_eq!(d.qacc.to_vec(), other.qacc.to_vec());

    // with fewer contacts or none in the warmstart, the motion is the same
    for keep in [3, 0] {
        let mut other = d.clone();
        other.coulomb.start.contacts.truncate(keep);
        run(&m, &mut other, 1);
        assert!(largest_difference(&other.qacc, &d.qacc) < 1e-8);
    }
}

#[test]
fn a_resting_stack_takes_one_factorisation_of_a_small_matrix() {
    let (mut m, _) = stack(10);
    for law in [FrictionLaw::Exact, FrictionLaw::Convex] {
        m.coulomb.law = law;
        let mut d = Data::new(&m);
        run(&m, &mut d, 100);
        let (mut factors, mut dense) = (0, 0);
        for _ in 0..300 {
            run(&m, &mut d, 1);
            factors += d.coulomb.iterations;

            // A is dense
            dense += usize::from(d.solver_nnz[0] as usize >= d.nefc * d.nefc);
        }
        assert!(factors < 450, "{law:?}: {factors} in 300 steps");
        assert!(dense < 10, "{law:?}: A was made in {dense} of 300 steps");
    }
}

/// A hand with two coupled fingers lifts a cube: fingers, hand and cube have eleven dofs, of which
/// each contact moves ten.
const HAND: &str = r#"<mujoco><option timestep='0.008' integrator='implicitfast' coulomb='exact'/>
  <default><geom friction='0.6'/><joint type='slide' damping='5' armature='0.1'/></default>
  <worldbody><body gravcomp='1'>
    <joint axis='1 0 0'/> <joint axis='0 1 0'/> <joint name='lift' axis='0 0 1'/>
    <geom type='box' size='.06 .02 .015' mass='.5' contype='0' conaffinity='0'/>
    <body name='a' pos='-.026 0 -.05' gravcomp='1'><joint name='left' axis='1 0 0'/>
      <geom type='box' size='.006 .015 .025' mass='.05'/></body>
    <body name='b' pos='.026 0 -.05' gravcomp='1'><joint name='right' axis='-1 0 0'/>
      <geom type='box' size='.006 .015 .025' mass='.05'/></body>
  </body>
  <body pos='.0003 .0011 -.05'><freejoint/><geom type='box' size='.02 .02 .02' mass='.2'/></body>
  </worldbody>
  <contact><exclude body1='a' body2='b'/></contact>
  <equality><joint joint1='left' joint2='right'/></equality>
  <actuator><position joint='lift' kp='1000' dampratio='1'/>
    <motor joint='left'/><motor joint='right'/></actuator></mujoco>"#;

#[test]
fn a_held_cube_takes_one_factorisation() {
    let m = exact(HAND);
    let mut d = Data::new(&m);
    d.ctrl.copy_from_slice(&[0.02, 4.0, 4.0]);
    run(&m, &mut d, 100);
    let mut total = 0;
    for _ in 0..100 {
        run(&m, &mut d, 1);
        assert!(d.ncon >= 8, "the cube is lost");
        total += d.coulomb.iterations;
    }
    assert!(total <= 150, "{total} factorisations in 100 steps");
}

#[test]
fn contacts_that_split_and_merge_keep_their_load() {
    let (m, mut d) = slope(0.4, 0.5);
    run(&m, &mut d, 20);
    let mut other = d.clone();
    run(&m, &mut d, 1);

    // a corner whose impulse belongs to two contacts
    let half = &mut other.coulomb.start.contacts[2];
    half.impulse.iter_mut().for_each(|x| *x *= 0.5);
    let half = *half;
    other.coulomb.start.contacts.insert(0, half);
    run(&m, &mut other, 1);
    assert_eq!(other.coulomb.iterations, 0);
    assert!(largest_difference(&other.qacc, &d.qacc) < 1e-9);
    for (a, b) in d.coulomb.contacts.iter().zip(&other.coulomb.contacts) {
        assert!(largest_difference(&a.impulse, &b.impulse) < 1e-9);
    }
}

#[test]
fn a_settled_contact_costs_nothing() {
    let (m, mut d) = slope(0.4, 0.5);
    run(&m, &mut d, 10);
    assert!(d.coulomb.iterations <= 1, "{}", d.coulomb.iterations);
}

#[test]
fn the_statistics_of_the_solver_are_filled() {
    let (m, mut d) = slope(0.6, 0.4);
    step(&m, &mut d);
    let stat = d.solver[0];
    assert_eq!(stat.nupdate, d.solver_niter[0]);
    assert!(stat.nupdate > 0 && stat.nactive == 12 && stat.nchange == 4, "{stat:?}");
    assert!(stat.improvement > 0.0 && stat.improvement == -d.coulomb.energy, "{stat:?}");
    assert!(stat.gradient <= d.coulomb.residual && d.solver_nnz[0] == 72);
}

// saved states

/// Positions after some more steps.
fn future(m: &Model, d: &mut Data) -> Vec<f64> {
    (0..60).for_each(|_| step(m, d));
    d.qpos.to_vec()
}

#[test]
fn a_restored_state_has_the_same_future_every_time() {
    let mut m = sinew::load("../../models/pile.xml").unwrap();
    m.coulomb.enabled = true;
    let mut d = Data::new(&m);
    future(&m, &mut d);
    let all = StateBit::Integration.0;
    let mut state = vec![0.0; state_size(&m, all).unwrap()];
    get_state(&m, &d, &mut state, all).unwrap();
    let kept = d.clone();
    let (mut other, mut ends) = (Data::new(&m), Vec::new());
    for _ in 0..2 {
        for d in [&mut d, &mut other] {
            set_state(&m, d, &state, all).unwrap();
            ends.push(future(&m, d));
        }
    }
    let mut copy = Data::new(&m);
    copy_state(&m, &kept, &mut copy, all).unwrap();
    ends.push(future(&m, &mut copy));
    assert!(ends.iter().all(|end| *end == ends[0]));

    // a full copy continues identically
    let mut whole = Data::new(&m);
    whole.copy_from(&kept);
    assert_eq!(future(&m, &mut whole), future(&m, &mut kept.clone()));
}

#[test]
fn forward_changes_no_step_after_it() {
    let (m, mut d) = slope(0.6, 0.4);
    run(&m, &mut d, 20);
    let mut other = d.clone();
    (0..3).for_each(|_| forward(&m, &mut other));
    run(&m, &mut d, 5);
    run(&m, &mut other, 5);
    assert_eq!(d.qpos.to_vec(), other.qpos.to_vec());
}

// the switch

#[test]
fn without_the_mode_nothing_changes() {
    let (m, mut d) = slope(0.4, 0.5);
    let mut off = m.clone();
    off.coulomb.enabled = false;
    let mut plain = off.clone();
    plain.coulomb = Default::default();
    assert_eq!(off.to_binary(), plain.to_binary());
    off.coulomb.geom_restitution = vec![0.5; 2];
    let mut same = d.clone();
    for _ in 0..100 {
        step(&off, &mut d);
        step(&plain, &mut same);
    }
    assert_eq!(d.qpos.to_vec(), same.qpos.to_vec());
    assert_eq!(d.coulomb.status, CoulombStatus::Idle);
    assert!(d.qvel[0] > 1e-5, "MuJoCo's contacts creep");
}

#[test]
fn settings_survive_text_and_binary() {
    let xml = "<mujoco><option coulomb='convex' coulomb_tolerance='1e-9' coulomb_iterations='77'
        coulomb_bounce='.2' coulomb_slop='1e-4' coulomb_correction='.5'/>
      <default><geom restitution='.25'/><pair restitution='.75'/></default>
      <worldbody><geom name='a' size='.1'/><body><freejoint/><geom name='b' size='.1' restitution='.5'/></body></worldbody>
      <contact><pair geom1='a' geom2='b'/></contact></mujoco>";
    let m = load_str(xml).unwrap();
    let c = &m.coulomb;
    assert_eq!((c.enabled, c.law, c.iterations), (true, FrictionLaw::Convex, 77));
    assert_eq!([c.tolerance, c.bounce_speed, c.slop, c.correction], [1e-9, 0.2, 1e-4, 0.5]);
    assert_eq!(c.geom_restitution, [0.25, 0.5]);
    assert_eq!(c.pair_restitution, [0.75]);
    assert_eq!(Model::from_binary(&m.to_binary()).unwrap().coulomb, m.coulomb);
    let mut cut = m.to_binary();
    cut.pop();
    assert!(Model::from_binary(&cut).is_err());

    // each extension gives a warning, or an error in strict mode
    let loaded = load_str_with(xml, &Assets::new(), &LoadOptions::default()).unwrap();
    let extensions = loaded.warnings.iter().filter(|w| w.code == "extension-attribute");
    assert_eq!(extensions.count(), 9);
    let (spec, _) = Spec::parse_str(xml, &Assets::new(), &LoadOptions::default()).unwrap();
    let again = load_str(&spec.to_xml(Some(&m))).unwrap();
    assert_eq!(again.coulomb, m.coulomb);
    let strict = LoadOptions { strict: true, ..LoadOptions::default() };
    let error = load_str_with(xml, &Assets::new(), &strict).unwrap_err().to_string();
    assert!(error.contains("unrecognized attribute: 'coulomb'"), "{error}");
}

#[test]
fn what_cannot_work_is_refused() {
    for (option, word) in [
        ("coulomb='exact' integrator='RK4'", "RK4"),
        ("coulomb='exact' integrator='implicit'", "not symmetric"),
        ("coulomb='yes'", "coulomb"),
        ("coulomb='exact' coulomb_iterations='0'", "coulomb_iterations"),
        ("coulomb='exact' coulomb_tolerance='0'", "coulomb_tolerance"),
    ] {
        let xml = format!("<mujoco><option {option}/><worldbody/></mujoco>");
        let error = load_str(&xml).unwrap_err().to_string();
        assert!(error.contains(word), "{option}: {error}");
    }

    // set from code: MuJoCo's contacts are used, and the certificate reports it
    let (mut m, mut d) = slope(0.4, 0.5);
    m.opt.integrator = Integrator::Rk4;
    step(&m, &mut d);
    assert_eq!(d.coulomb.status, CoulombStatus::Unsupported);
}

// free bodies

/// Energy and angular momentum of a body that tumbles without forces, at the start and after 700
/// steps.
fn tumble(geoms: &str, exact_mode: bool) -> [(f64, f64); 2] {
    let mut m = load_str(&format!(
        "<mujoco><option gravity='0 0 0'><flag energy='enable'/></option><worldbody>
         <body name='thrown'><freejoint/>{geoms}</body></worldbody>
         <sensor><subtreeangmom body='thrown'/></sensor></mujoco>"
    ))
    .unwrap();
    m.coulomb.enabled = exact_mode;
    let mut d = Data::new(&m);
    d.qvel.flat_mut().copy_from_slice(&[0.3, 0.0, -0.2, 2.0, 7.0, 1.0]);
    let mut measure = |steps: usize| {
        for _ in 0..steps {
            step(&m, &mut d);
        }
        forward(&m, &mut d);
        let momentum = d.sensordata.iter().map(|x| x * x).sum::<f64>().sqrt();
        (d.energy[1], momentum)
    };
    [measure(0), measure(700)]
}

#[test]
fn tumbling_bodies_keep_their_energy() {
    let brick = "<geom type='box' size='.1 .2 .05'/>";
    let change = |[(before, _), (after, _)]: [(f64, f64); 2]| (after - before).abs() / before;
    let length = |[(_, before), (_, after)]: [(f64, f64); 2]| (after - before).abs() / before;

    // MuJoCo's explicit torque adds energy
    assert!(change(tumble(brick, false)) > 1e-3);
    let exact = tumble(brick, true);
    assert!(change(exact) < 1e-12, "{:e}", change(exact));
    assert!(length(exact) < 1e-12, "{:e}", length(exact));

    // the velocity of a joint beside the centre of mass still follows the explicit step
    let hammer = "<geom type='box' size='.1 .2 .05' pos='.03 .02 -.01' euler='20 10 50'/>
                  <geom type='sphere' size='.05' pos='0 .3 0'/>";
    let (soft, exact) = (change(tumble(hammer, false)), change(tumble(hammer, true)));
    assert!(exact < 0.1 * soft, "{exact:e}, {soft:e}");
}

#[test]
fn a_tumbling_pile_obeys_the_law() {
    // contacts between sticking and sliding may miss the last digit, and the certificate reports it
    let mut m = sinew::load("../../models/pile.xml").unwrap();
    m.coulomb.enabled = true;
    for law in [FrictionLaw::Exact, FrictionLaw::Convex] {
        m.coulomb.law = law;
        let mut d = Data::new(&m);
        let mut missed = 0;
        for i in 0..500 {
            step(&m, &mut d);
            let c = &d.coulomb;
            missed += usize::from(!c.converged());
            assert!(c.residual < 1e-6, "step {i}: {:?}, residual {:e}", c.status, c.residual);
            assert!(c.energy <= 1e-9, "step {i}: impulses add {:e} J", c.energy);
        }
        assert!(missed <= 1, "{law:?}: {missed} of 500");
    }
}

#[test]
fn models_with_motors_tendons_and_overlaps_run() {
    for name in ["arm", "gripper", "humanoid", "quadruped", "tendons"] {
        let mut m = sinew::load(format!("../../models/{name}.xml")).unwrap();
        m.coulomb.enabled = true;
        if !matches!(m.opt.integrator, Integrator::Euler | Integrator::Implicitfast) {
            m.opt.integrator = Integrator::Implicitfast;
        }
        let mut d = Data::new(&m);
        run(&m, &mut d, 300);
        assert!(d.warning.iter().all(|w| w.number == 0), "{name}");
        assert!(d.qvel.iter().all(|v| v.abs() < 50.0), "{name}");
    }
}

#[test]
fn bad_numbers_do_no_harm() {
    let (m, d) = slope(0.4, 0.5);
    for bad in [f64::NAN, f64::INFINITY, 1e300] {
        let mut d = d.clone();
        d.qvel[0] = bad;
        step(&m, &mut d);
        assert_eq!(d.warning[Warning::Badqvel.0 as usize].number, 1, "{bad}");
        let mut strange = m.clone();
        strange.coulomb.tolerance = bad;
        strange.opt.timestep = if bad > 1e200 { 0.0 } else { 0.002 };
        step(&strange, &mut d);

        // nothing of it is left after a reset
        let mut fresh = Data::new(&m);
        reset_data(&m, &mut d);
        run(&m, &mut fresh, 20);
        run(&m, &mut d, 20);
        assert_eq!(d.qpos, fresh.qpos, "{bad}");
        assert_eq!(d.qvel, fresh.qvel, "{bad}");
    }
}

// sleep

/// A stack of boxes, and a ball above them.
const PILE: &str = "<mujoco><option timestep='.002'><flag sleep='enable'/></option><worldbody>
    <geom type='plane' size='5 5 1'/>
    <body pos='0 0 .1'><freejoint/><geom type='box' size='.15 .15 .1'/></body>
    <body pos='0 0 .3'><freejoint/><geom type='box' size='.1 .1 .1'/></body>
    <body pos='0 0 1'><freejoint/><geom size='.05'/></body>
  </worldbody></mujoco>";

#[test]
fn a_pile_sleeps_as_one_and_wakes_as_one() {
    let m = exact(PILE);
    let mut d = Data::new(&m);
    run(&m, &mut d, 60);
    assert_eq!(d.tree_awake.to_vec(), [0, 0, 1]);
    assert_eq!(d.tree_asleep.rows(0..2), [1, 0]);

    // sleeping bodies do not move
    let still = d.qpos.rows(0..14).to_vec();
    run(&m, &mut d, 60);
    assert_eq!(d.qpos.rows(0..14), still);

    // the ball wakes both boxes, and finally all bodies sleep
    let mut woke = false;
    for _ in 0..2000 {
        run(&m, &mut d, 1);
        woke |= d.ntree_awake == 3;
    }
    assert!(woke && d.ntree_awake == 0, "{:?}", d.tree_asleep);
    let drift = largest_difference(d.qpos.rows(0..14), &still);
    assert!(drift < 1e-3, "{drift:e}");
}
