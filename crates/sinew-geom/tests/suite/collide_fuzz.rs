//! Random solids never make collision panic, loop or, if they are sane, return nonsense.

use sinew_geom::ccd::{Options, Work};
use sinew_geom::collide::collide;
use sinew_geom::shape::{Pose, Shape};
use sinew_geom::solid::{Form, Solid};
use sinew_geom::touch::{MAX_CONTACTS, Touch};
use sinew_math::{Mat3, Quat, Vec3};
use sinew_testkit::Random;

fn vec3(random: &mut Random) -> Vec3 {
    random.array().into()
}

const TYPES: usize = 6;

/// Forms in the order `collide` wants them.
fn shape(kind: usize, [a, b, c]: [f64; 3]) -> Shape {
    match kind {
        0 => Shape::Plane { half: [a, b] },
        1 => Shape::Sphere { radius: a },
        2 => Shape::Capsule { radius: a, half_len: b },
        3 => Shape::Ellipsoid { half: Vec3::new(a, b, c) },
        4 => Shape::Cylinder { radius: a, half_len: b },
        _ => Shape::Box { half: Vec3::new(a, b, c) },
    }
}

/// Any rotation, a quarter turn, or almost one.
fn rotation(random: &mut Random) -> Mat3 {
    let corner = |random: &mut Random| random.pick(&[-1.0, 0.0, 1.0]);
    let exact = Quat::new(corner(random), corner(random), corner(random), corner(random));
    let any = Quat::new(random.signed(), random.signed(), random.signed(), random.signed());
    let near = random.pick(&[1.0, 1e-15, 1e-9, 1e-3]);
    let quat = match random.below(3) {
        0 => exact,
        1 => any,
        _ => Quat::new(
            exact.w + near * any.w,
            exact.x + near * any.x,
            exact.y + near * any.y,
            exact.z + near * any.z,
        ),
    };
    quat.normalize().0.to_mat()
}

fn is_sane(touch: &Touch, margin: f64) -> bool {
    touch.dist.is_finite()
        && touch.pos.is_finite()
        && (touch.normal.norm() - 1.0).abs() < 1e-6
        && touch.dist <= margin + 1e-6
}

/// Collides random pairs of every two shapes; `sane` sizes and poses must give sane contacts.
fn run(seed: u64, cases: usize, sizes: &[f64], places: &[f64], sane: bool) {
    let mut random = Random::new(seed);
    let mut work = Work::default();
    let mut out = Vec::new();
    for case in 0..cases {
        let mut solid = |kind: usize| {
            let size = [(); 3].map(|()| {
                let size = random.pick(sizes);
                if random.once_in(2) { size } else { size * (1.0 + random.signed()) }
            });
            let place = random.pick(places);
            let exact = Vec3::new(random.pick(places), random.pick(places), random.pick(places));
            let pos = if random.once_in(3) { exact } else { vec3(&mut random) * place };
            let odd = [Mat3::ZERO, Mat3([[f64::NAN; 3]; 3]), Mat3::diag(vec3(&mut random) * 1e8)];
            let mat =
                if sane || !random.once_in(8) { rotation(&mut random) } else { random.pick(&odd) };
            Solid { pose: Pose { pos, mat }, form: Form::Shape(shape(kind, size)) }
        };
        let kinds = [case % TYPES, case / TYPES % TYPES];
        let (a, b) = (solid(kinds[0].min(kinds[1])), solid(kinds[0].max(kinds[1])));
        let margin = random.pick(&[0.0, 1e-3, 0.5]);
        let options = Options { multi: random.once_in(2), ..Options::default() };
        out.clear();
        collide(&a, &b, margin, &options, &mut work, &mut out);
        assert!(out.len() <= MAX_CONTACTS, "{a:?} {b:?}");
        if sane {
            assert!(out.iter().all(|touch| is_sane(touch, margin)), "{a:?} {b:?}: {out:?}");
        }
    }
}

#[test]
fn ordinary_solids_touch_sanely() {
    run(1, 200_000, &[1e-3, 0.1, 0.5, 1.0, 3.0], &[0.0, 0.1, 0.5, 1.0, 2.0], true);
}

#[test]
fn flat_and_tiny_solids_touch_sanely() {
    run(2, 100_000, &[0.0, 1e-12, 1e-6, 0.5], &[0.0, 1e-12, 0.1, 0.5], true);
}

#[test]
fn absurd_solids_do_no_harm() {
    let sizes = [0.0, 1e-300, 1e-12, 1.0, 1e8, 1e200, f64::MAX, f64::INFINITY, f64::NAN, -1.0];
    let places = [0.0, 1e-12, 1.0, 1e8, 1e200, f64::INFINITY, f64::NAN];
    run(3, 200_000, &sizes, &places, false);
}
