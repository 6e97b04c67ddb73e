//! Contacts of the kernel against those of the engine, one by one.

use crate::native::{difference, disturb, inline};
use sinew_engine as engine;
use sinew_gpu::native::World;
use sinew_kernel::outcome;
use sinew_kernel::real::Real;
use sinew_kernel::team::{One, Shuffled, Team};
use sinew_model::{Data, Model};
use sinew_testkit::Random;

/// Distance, place and frame of contacts in f64: rounding of poses, amplified by clipping.
const DOUBLE: f64 = 1e-10;

/// The same in f32, where poses are rounded to single precision. Searches for the depth of round
/// shapes stop at a tolerance of 1e-6, and the place of a contact varies by the root of that.
const SINGLE: f64 = 1e-3;

/// Compared numbers: distance, place, frame.
type Numbers = [f64; 13];

fn of_engine(d: &Data) -> Vec<Numbers> {
    let active = d.contact.iter().filter(|con| con.dist < con.includemargin);
    active
        .map(|con| {
            let mut numbers = [con.dist; 13];
            numbers[1..4].copy_from_slice(&con.pos.to_array());
            numbers[4..].copy_from_slice(&con.frame.to_array());
            numbers
        })
        .collect()
}

/// The contacts of the kernel's last step, whose workspace was clear before.
fn of_kernel<R: Real>(kernel: &World<R>) -> Vec<Numbers> {
    let (slot, frame) = (kernel.work("slot"), kernel.work("frame"));
    let places = kernel.words("con_slot");
    let found =
        frame.chunks(9).zip(places).take_while(|(frame, _)| frame.iter().any(|&x| x != 0.0));
    found
        .map(|(frame, at)| {
            let mut numbers = [0.0; 13];
            numbers[..4].copy_from_slice(&slot[10 * at..10 * at + 4]);
            numbers[4..].copy_from_slice(frame);
            numbers
        })
        .collect()
}

fn step<R: Real>(m: &Model, d: &Data, team: impl Team) -> World<R> {
    let mut kernel = World::<R>::new(m).unwrap();
    kernel.set(d);
    kernel.clear_work();
    assert_eq!(kernel.step(team, 1), (outcome::OK, 1));
    kernel
}

/// Compares the contacts of random states; how many there were.
fn check(m: &Model, states: usize, size: f64) -> usize {
    let [total, lost] = compare(m, states, size);
    // single precision may miss a contact at the margin, or find another
    assert!(20 * lost <= total, "{lost} of {total} contacts have no like in f32");
    total
}

#[track_caller]
fn enough(contacts: usize) {
    assert!(contacts >= 20, "{contacts} contacts");
}

/// Compares the contacts of random states in f64; how many there were, and how many have no
/// like in f32.
fn compare(m: &Model, states: usize, size: f64) -> [usize; 2] {
    let mut rng = Random::new(7);
    let (mut total, mut lost) = (0, 0);
    for k in 0..states {
        let mut d = Data::new(m);
        disturb(m, &mut d, &mut rng, size);
        let one = step::<f64>(m, &d, One);
        let shuffled = step::<f64>(m, &d, Shuffled(k as u64));
        let single = step::<f32>(m, &d, One);
        engine::forward(m, &mut d);

        let (ours, theirs) = (of_kernel(&one), of_engine(&d));
        assert_eq!(ours.len(), theirs.len(), "state {k}: {ours:?} {theirs:?}");
        for (a, b) in ours.iter().zip(&theirs) {
            let dif = difference(a, b);
            assert!(dif <= DOUBLE, "state {k} differs by {dif:e}: {a:?} {b:?}");
        }
        assert_eq!(ours, of_kernel(&shuffled));
        assert_eq!(one.row(), shuffled.row());
        total += theirs.len();

        let rounded = of_kernel(&single);
        let is_lost = |a: &&Numbers| rounded.iter().all(|b| difference(*a, b) > SINGLE);
        lost += theirs.iter().filter(is_lost).count();
    }
    [total, lost]
}

/// Two of each shape in a heap on a plane.
fn heap(shapes: &[&str], attributes: &str) -> Model {
    falling(shapes, attributes, "")
}

/// The same with options.
fn falling(shapes: &[&str], attributes: &str, options: &str) -> Model {
    let mut bodies = String::new();
    for (i, shape) in shapes.iter().cycle().take(2 * shapes.len()).enumerate() {
        let (x, z) = (0.12 * (i % 2) as f64, 0.1 + 0.08 * i as f64);
        bodies +=
            &format!(r#"<body pos="{x} 0 {z}"><freejoint/><geom {shape} {attributes}/></body>"#);
    }
    inline(&format!(
        r#"<mujoco><option>{options}</option>{ASSETS}<worldbody>
           <geom type="plane" size="1 1 .1" quat="1 .02 .03 0"/>{bodies}</worldbody></mujoco>"#
    ))
}

/// A mesh that is searched in full, one that is climbed, and a terrain.
const ASSETS: &str = r#"<asset>
  <mesh name="wedge" vertex="-.1 -.07 -.05  .1 -.07 -.05  -.1 .07 -.05  .1 .07 -.05  0 -.07 .08  0 .07 .08"/>
  <mesh name="round" vertex="
    .08 0 0  -.08 0 0  0 .08 0  0 -.08 0  0 0 .08  0 0 -.08
    .05 .05 .04  -.05 .05 .04  .05 -.05 .04  -.05 -.05 .04
    .05 .05 -.04  -.05 .05 -.04  .05 -.05 -.04  -.05 -.05 -.04
    .07 .04 .01  -.04 .07 .01  -.06 -.05 .02  .03 -.07 -.02"/>
  <hfield name="hills" nrow="5" ncol="6" size=".8 .6 .2 .1" elevation="
    0 .2 .1 .4 0 .3  .5 .1 .6 .2 .3 0  .1 .8 .2 1 .4 .2  0 .3 .5 .1 .2 .6  .2 0 .1 .3 0 .4"/>
  </asset>"#;

const WEDGE: &str = r#"type="mesh" mesh="wedge""#;
const ROUND: &str = r#"type="mesh" mesh="round""#;
const BOX: &str = r#"type="box" size=".1 .07 .05""#;
const SPHERE: &str = r#"type="sphere" size=".08""#;
const CAPSULE: &str = r#"type="capsule" size=".05 .09""#;
const CYLINDER: &str = r#"type="cylinder" size=".07 .06""#;
const ELLIPSOID: &str = r#"type="ellipsoid" size=".1 .07 .05""#;

#[test]
fn boxes_spheres_and_capsules() {
    for attributes in ["", r#"margin=".02" gap=".005""#, r#"condim="1""#] {
        let m = heap(&[BOX, SPHERE, CAPSULE, BOX], attributes);
        enough(check(&m, 60, 0.3));
    }
}

#[test]
fn boxes_that_lie_flat() {
    let mut m = heap(&[BOX, BOX], "");
    m.geom_quat[0] = Default::default();
    // of faces that lie on each other, rounding decides which corners count
    for size in [0.0, 1e-9, 1e-3] {
        let [total, _] = compare(&m, 10, size);
        assert!(total >= 120, "{total}");
    }
}

#[test]
fn cylinders_and_ellipsoids() {
    for flags in ["", r#"<flag multiccd="enable"/>"#] {
        let m = falling(&[CYLINDER, ELLIPSOID, CAPSULE, BOX, SPHERE], "", flags);
        enough(check(&m, 40, 0.3));
    }
    let m = falling(&[ELLIPSOID, CYLINDER], r#"margin=".01" gap=".002""#, "");
    enough(check(&m, 60, 0.3));
}

#[test]
fn meshes() {
    for flags in ["", r#"<flag multiccd="enable"/>"#] {
        let m = falling(&[ROUND, SPHERE, WEDGE, BOX, CAPSULE], "", flags);
        enough(check(&m, 40, 0.3));
        let m = falling(&[WEDGE, CYLINDER, ROUND, ELLIPSOID], "", flags);
        enough(check(&m, 40, 0.3));
    }
    let fitted = r#"type="ellipsoid" mesh="wedge""#;
    enough(check(&falling(&[fitted], "", ""), 40, 0.2));
}

#[test]
fn height_fields() {
    for shape in [SPHERE, CAPSULE, ELLIPSOID, CYLINDER, BOX, ROUND] {
        let mut bodies = String::new();
        for x in [-0.4, 0.0, 0.4] {
            bodies += &format!(r#"<body pos="{x} 0 .15"><freejoint/><geom {shape}/></body>"#);
        }
        let m = inline(&format!(
            r#"<mujoco>{ASSETS}<worldbody><geom type="hfield" hfield="hills"/>{bodies}
               </worldbody></mujoco>"#
        ));
        enough(check(&m, 40, 0.1));
    }
}

#[test]
fn a_search_without_room_leaves_the_world_to_the_engine() {
    let mut m = falling(&[ELLIPSOID], "", r#"<flag multiccd="enable"/>"#);
    (m.opt.ccd_tolerance, m.opt.ccd_iterations) = (0.0, 100_000);
    let mut d = Data::new(&m);
    d.qpos[9] = d.qpos[2] + 0.06;
    d.qpos[7] = d.qpos[0];
    let mut kernel = World::<f64>::new(&m).unwrap();
    kernel.set(&d);
    let before = kernel.row().to_vec();
    assert_eq!(kernel.step(One, 3), (outcome::BEYOND_WORKSPACE, 0));
    assert_eq!(kernel.row(), before);
}

#[test]
fn pairs_come_in_the_order_of_the_engine() {
    let m = inline(&format!(
        r#"<mujoco><worldbody><geom name="floor" type="plane" size="1 1 .1"/>
          <geom type="box" size=".3 .3 .05" pos="0 0 .04"/>
          <body pos="0 0 .14"><freejoint/><geom name="a" {BOX}/><geom {SPHERE} pos=".15 0 0"/></body>
          <body pos="0 0 .23"><freejoint/><geom {CAPSULE}/><geom name="b" {BOX} pos="0 .1 0"/></body>
          <body name="c" pos="0 .3 .06"><freejoint/><geom {SPHERE}/></body>
          <body name="d" pos="0 .3 .18"><freejoint/><geom {BOX}/></body>
        </worldbody>
        <contact><pair geom1="b" geom2="a" margin=".02" gap=".01" condim="1"/>
          <pair geom1="floor" geom2="a"/><exclude body1="c" body2="d"/></contact></mujoco>"#
    ));
    enough(check(&m, 60, 0.05));
}

/// The axes in a workspace affect the speed alone: the memory of another world, or none at all,
/// gives the same bits.
#[test]
fn memory_of_pairs_does_not_change_results() {
    let shapes = [ROUND, WEDGE, CYLINDER, ELLIPSOID, BOX, CAPSULE];
    let m = falling(&shapes, r#"margin=".004""#, r#"<flag multiccd="enable"/>"#);
    let mut d = Data::new(&m);
    let mut rng = Random::new(7);
    disturb(&m, &mut d, &mut rng, 0.2);
    let [mut keeps, mut forgets, mut swaps] = [(); 3].map(|()| {
        let mut kernel = World::<f64>::new(&m).unwrap();
        kernel.set(&d);
        kernel
    });
    let mut other = World::<f64>::new(&m).unwrap();
    let mut d = Data::new(&m);
    let (mut remembered, mut touching) = (0, 0);
    for k in 0..150 {
        assert_eq!(keeps.step(One, 1), (outcome::OK, 1));
        remembered += usize::from(keeps.words("pair_axis").iter().any(|&x| x != 0));

        // cleared, and after the step of a world in another state
        forgets.clear_work();
        forgets.step(One, 1);
        touching += usize::from(forgets.words("pair_count").iter().any(|&n| n > 0));
        swaps.swap_work(&mut other);
        swaps.step(Shuffled(k), 1);
        swaps.swap_work(&mut other);
        disturb(&m, &mut d, &mut rng, 0.3);
        other.set(&d);
        other.step(One, 1);
        assert!(keeps.row() == forgets.row() && keeps.row() == swaps.row(), "step {k}");
    }
    assert!(remembered > 100 && touching > 100, "{remembered} {touching}");
}
