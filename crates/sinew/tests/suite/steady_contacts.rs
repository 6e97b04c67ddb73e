//! Contacts of the exact friction mode under small tilts: none vanishes or jumps near alignment,
//! and flat bodies rest.

use sinew::model::{BodyId, Contact};
use sinew::{Data, Model, Quat, Vec3, forward, load_str, step};

/// A solid whose lowest and highest points have the same distance from its centre.
struct Solid {
    name: &'static str,
    geom: &'static str,
    half_height: f64,
    /// Whether it touches in a point or a line, so that a body on it must be centred.
    round: bool,
}

const fn solid(name: &'static str, geom: &'static str, half_height: f64, round: bool) -> Solid {
    Solid { name, geom, half_height, round }
}

const SOLIDS: [Solid; 12] = [
    solid("plane", "type='plane' size='5 5 1'", 0.0, false),
    solid("height field", "type='hfield' hfield='h'", 0.0, false),
    solid("sphere", "size='.1'", 0.1, true),
    solid("capsule", "type='capsule' size='.05 .1' euler='90 0 0'", 0.05, true),
    solid("upright capsule", "type='capsule' size='.05 .1'", 0.15, true),
    solid("ellipsoid", "type='ellipsoid' size='.1 .12 .08'", 0.08, true),
    solid("cylinder", "type='cylinder' size='.1 .08'", 0.08, false),
    solid("lying cylinder", "type='cylinder' size='.1 .08' euler='90 0 0'", 0.1, true),
    solid("box", "type='box' size='.1 .12 .07'", 0.07, false),
    solid("small box", "type='box' size='.02 .02 .02'", 0.02, false),
    solid("cube", "type='box' size='.1 .1 .1'", 0.1, false),
    solid("mesh", "type='mesh' mesh='m'", 0.1, false),
];

/// One solid with a given pose, and one that falls freely.
fn pair(lower: &str, upper: &str) -> Model {
    let flat = "1 ".repeat(36);
    load_str(&format!(
        "<mujoco><option coulomb='exact'/>
         <asset><hfield name='h' nrow='6' ncol='6' size='2 2 .1 .1' elevation='{flat}'/>
           <mesh name='m' vertex='-.1 -.1 -.1  .1 -.1 -.1  -.1 .1 -.1  .1 .1 -.1
                                  -.1 -.1 .1  .1 -.1 .1  -.1 .1 .1  .1 .1 .1'/></asset>
         <worldbody><body mocap='true'><geom {lower}/></body>
           <body><freejoint/><geom {upper}/></body></worldbody></mujoco>"
    ))
    .unwrap()
}

/// Poses of the upper solid: depth, rotation about the vertical, tilt, and horizontal offset.
fn places() -> Vec<(f64, f64, f64, Vec3, [f64; 2])> {
    let mut found = Vec::new();
    let tilts = (-17..=-6).flat_map(|k| [1.0, -3.0].map(|x| x * 10f64.powi(k)));
    let tilts: Vec<f64> = tilts.chain([0.0]).collect();
    for depth in [1e-6, 5e-3] {
        for spin in [0.0, 0.3] {
            for &tilt in &tilts {
                for axis in [Vec3::X, Vec3::Y, Vec3::new(0.6, 0.8, 0.0)] {
                    for aside in [[0.0, 0.0], [0.011, -0.007], [0.01, 0.0]] {
                        found.push((depth, spin, tilt, axis, aside));
                    }
                }
            }
        }
    }
    found
}

#[test]
fn contacts_neither_vanish_nor_leap_at_any_small_tilt() {
    let turn = Quat::from_axis_angle;
    let slopes =
        [Quat::IDENTITY, turn(Vec3::X, 0.4), turn(Vec3::new(0.3, -0.7, 0.2).normalize().0, 1.1)];
    for lower in &SOLIDS {
        for upper in &SOLIDS[2..] {
            let m = pair(lower.geom, upper.geom);
            let mut d = Data::new(&m);
            let both = lower.round && upper.round;
            for slope in slopes {
                for (depth, spin, tilt, axis, aside) in places() {
                    let [x, y] = if both { [0.0; 2] } else { aside };
                    let height = lower.half_height + upper.half_height - depth;
                    let pos = slope.to_mat() * Vec3::new(x, y, height);
                    let quat = slope * turn(axis, tilt) * turn(Vec3::Z, spin);
                    d.mocap_quat[0] = slope;
                    d.qpos.rows_mut(0..3).copy_from_slice(&pos.to_array());
                    d.qpos.rows_mut(3..7).copy_from_slice(&quat.to_array());
                    forward(&m, &mut d);
                    let at = || {
                        let Solid { name, .. } = upper;
                        format!(
                            "{name} on {}, {slope:?}: {depth} {spin} {tilt:e} {axis:?} {aside:?}",
                            lower.name
                        )
                    };
                    let up = slope.to_mat().col(2);
                    check(&d.contact, depth, up, both, at);
                }
            }
        }
    }
}

/// Checks that the deepest contact has the solids' depth and a vertical normal.
#[track_caller]
fn check(contacts: &[Contact], depth: f64, up: Vec3, round: bool, at: impl Fn() -> String) {
    let deepest = contacts.iter().min_by(|a, b| a.dist.total_cmp(&b.dist));
    let Some(deepest) = deepest else { panic!("{}: no contact", at()) };
    // rotated round solids touch at other points
    let slack = if round { 2e-3 } else { 1e-6 };
    let off = (deepest.dist + depth).abs();
    assert!(off <= slack + 1e-3 * depth, "{}: {} deep", at(), -deepest.dist);
    let upright = deepest.frame.row(0).dot(up).abs() > 0.999 || round;
    assert!(upright, "{}: normal {:?}", at(), deepest.frame.row(0));
}

/// Bases with a flat top, each with another collision function.
const BASES: [&str; 4] = [
    "type='plane' size='5 5 1'",
    "type='box' size='1 1 .5' pos='0 0 -.5'",
    "type='mesh' mesh='big' pos='0 0 -.5'",
    "type='cylinder' size='1 .5' pos='0 0 -.5'",
];

/// A solid that stands or lies on a base.
fn on_base(base: &str, body: &str, geom: &str, gravity: [f64; 3]) -> Model {
    let [x, y, z] = gravity;
    load_str(&format!(
        "<mujoco><option coulomb='exact' gravity='{x} {y} {z}'/><asset>
           <mesh name='big' vertex='-1 -1 -.5  1 -1 -.5  -1 1 -.5  1 1 -.5
                                    -1 -1 .5  1 -1 .5  -1 1 .5  1 1 .5'/>
           <mesh name='m' vertex='-.1 -.1 -.1  .1 -.1 -.1  -.1 .1 -.1  .1 .1 -.1
                                  -.1 -.1 .1  .1 -.1 .1  -.1 .1 .1  .1 .1 .1'/></asset>
         <worldbody><geom {base}/>
           <body {body}><freejoint/><geom {geom}/></body></worldbody></mujoco>"
    ))
    .unwrap()
}

/// Largest change of the coordinates in some steps.
fn drift(m: &Model, d: &mut Data, steps: usize) -> f64 {
    let start = d.qpos.to_vec();
    (0..steps).for_each(|_| step(m, d));
    d.qpos.iter().zip(&start).fold(0.0_f64, |a, (x, y)| a.max((x - y).abs()))
}

#[test]
fn flat_bodies_rest_on_a_slope_with_every_collider() {
    for base in BASES {
        for solid in &SOLIDS[6..] {
            for [x, y] in [[0.01, 0.02], [0.0, 0.0], [0.013, -0.007]] {
                let place = format!("pos='{x} {y} {}'", solid.half_height - 1e-6);
                let m = on_base(base, &place, solid.geom, [0.0, 3.0, -9.0]);
                let mut d = Data::new(&m);
                let at = format!("{} on {base} at {x} {y}", solid.name);

                // corners without a contact sink until they have one
                let sunk = drift(&m, &mut d, 500);
                assert!(sunk < 3e-5, "{at}: {sunk:e} m in 1 s");
                let drift = drift(&m, &mut d, 1500);
                assert!(drift < 1e-9, "{at}: {drift:e} m in 3 more");
            }
        }
    }
}

/// Round bodies begin to roll on the smallest slope, with the acceleration of rolling without
/// slipping: their contacts neither hold nor drive them.
#[test]
fn round_bodies_roll_on_the_smallest_slope_with_every_collider() {
    const RADIUS: f64 = 0.1;
    for base in BASES {
        for shape in ["cylinder", "capsule"] {
            for (slope, yaw) in [(1e-5, 0.0), (1e-4, 20.0), (1e-2, 0.0), (0.1, 20.0)] {
                let (sin, cos) = f64::to_radians(yaw).sin_cos();
                let pull = [9.0 * slope * cos, 9.0 * slope * sin, -9.0];
                let place = format!("pos='.01 .02 {}' euler='0 0 {yaw}'", RADIUS - 1e-6);
                let geom = format!("type='{shape}' size='{RADIUS} .15' euler='90 0 0'");
                let m = on_base(base, &place, &geom, pull);
                let mut d = Data::new(&m);
                (0..500).for_each(|_| step(&m, &mut d));

                // after 1 s: g sin / (1 + I / (m r²)); the axis of rolling has the least inertia
                let body = BodyId::new(1);
                let least = m.body_inertia[body].to_array().into_iter().fold(f64::MAX, f64::min);
                let wanted = 9.0 * slope / (1.0 + least / (m.body_mass[body] * RADIUS * RADIUS));
                let off = d.qvel[0].hypot(d.qvel[1]) / wanted - 1.0;
                let turned = d.qvel.rows(3..6).iter().map(|w| w * w).sum::<f64>().sqrt();
                let slip = turned * RADIUS / wanted - 1.0;
                // the rolling radius is smaller by the depth, which the slop of 1e-5 m bounds
                let most = 2e-4;
                assert!(
                    off.abs() < most && slip.abs() < most,
                    "{shape} on {base}: {off:e} {slip:e}"
                );
            }
        }
    }
}

#[test]
fn an_aligned_cylinder_stays_on_its_slope() {
    // tilted by rounding errors, it neither sinks nor jumps
    for tilt in [0.0, 1e-16, 1e-15, 3e-15, 1e-14, 1e-12] {
        let m = load_str(&format!(
            "<mujoco><compiler angle='radian'/><option coulomb='exact' gravity='3 0 -9'/><worldbody>
               <geom type='plane' size='5 5 1'/>
               <body pos='0 0 .099999' euler='0 {tilt} 0'><freejoint/>
                 <geom type='cylinder' size='.1 .1'/></body></worldbody></mujoco>"
        ))
        .unwrap();
        let mut d = Data::new(&m);
        let start = d.qpos.to_vec();
        for _ in 0..2000 {
            step(&m, &mut d);
            assert!(d.coulomb.converged() && d.contact.len() >= 3);
        }
        let drift = d.qpos.iter().zip(&start).fold(0.0_f64, |a, (x, y)| a.max((x - y).abs()));
        assert!(drift < 1e-9, "{tilt:e}: {drift:e}");
    }
}

/// A cube of 1 kg between two fingers that press with a share of the required force: its fall and
/// its rotation after 0.2 s.
fn slip(share: f64, finger: f64, cube: f64) -> (f64, f64) {
    let finger = |name: &str, x: f64| {
        format!(
            "<body pos='{x} 0 1'><joint name='{name}' type='slide' axis='1 0 0'/>
               <geom type='box' size='.02 {finger} {finger}' mass='.1' friction='.5'/></body>"
        )
    };
    let m = load_str(&format!(
        "<mujoco><option coulomb='exact'/><worldbody>{}{}
           <body pos='0 0 1'><freejoint/>
             <geom type='box' size='.050001 {cube} {cube}' mass='1' friction='.5'/></body>
         </worldbody><actuator><motor joint='l'/><motor joint='r'/></actuator></mujoco>",
        finger("l", -0.07),
        finger("r", 0.07)
    ))
    .unwrap();
    let mut d = Data::new(&m);
    (d.ctrl[0], d.ctrl[1]) = (9.81 * share, -9.81 * share);
    for _ in 0..100 {
        step(&m, &mut d);
        assert!(d.coulomb.converged());
    }
    (1.0 - d.qpos[4], 2.0 * d.qpos.rows(6..9).iter().map(|x| x * x).sum::<f64>().sqrt().asin())
}

#[test]
fn a_grip_below_its_limit_lets_go_straight() {
    for share in [0.8, 0.9, 0.99] {
        for (finger, cube) in [(0.05, 0.03), (0.05, 0.05), (0.02, 0.05)] {
            let (fall, angle) = slip(share, finger, cube);
            // the sum over a hundred steps of 2 ms
            let wanted = 9.81 * (1.0 - share) * 0.002 * 0.002 * 5050.0;
            let at = format!("{share} {finger} {cube}");
            assert!((fall / wanted - 1.0).abs() < 1e-3, "{at}: {fall} m, not {wanted}");
            assert!(angle < 1e-3, "{at}: {angle} rad");
        }
    }
}
