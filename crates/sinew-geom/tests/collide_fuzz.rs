//! Random solids never make collision panic, loop or, if they are sane, return nonsense.

use sinew_geom::ccd::{Options, Work};
use sinew_geom::collide::{Form, MAX_CONTACTS, Solid, Touch, collide};
use sinew_geom::shape::{Pose, Shape};
use sinew_math::{Mat3, Quat, Vec3};

/// A small generator (splitmix64), so that every run sees the same cases.
struct Rng(u64);

impl Rng {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// Uniform in [-1, 1).
    fn uniform(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.next() as usize % from.len()]
    }

    /// True once in `n` times.
    fn once_in(&mut self, n: u64) -> bool {
        self.next().is_multiple_of(n)
    }

    fn vec(&mut self) -> Vec3 {
        Vec3::new(self.uniform(), self.uniform(), self.uniform())
    }
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
fn rotation(rng: &mut Rng) -> Mat3 {
    let corner = |rng: &mut Rng| rng.pick(&[-1.0, 0.0, 1.0]);
    let exact = Quat::new(corner(rng), corner(rng), corner(rng), corner(rng));
    let any = Quat::new(rng.uniform(), rng.uniform(), rng.uniform(), rng.uniform());
    let near = rng.pick(&[1.0, 1e-15, 1e-9, 1e-3]);
    let quat = match rng.next() % 3 {
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
    let mut rng = Rng(seed);
    let mut work = Work::default();
    let mut out = Vec::new();
    for case in 0..cases {
        let mut solid = |kind: usize| {
            let size = [(); 3].map(|()| {
                let size = rng.pick(sizes);
                if rng.once_in(2) { size } else { size * (1.0 + rng.uniform()) }
            });
            let place = rng.pick(places);
            let exact = Vec3::new(rng.pick(places), rng.pick(places), rng.pick(places));
            let pos = if rng.once_in(3) { exact } else { rng.vec() * place };
            let odd = [Mat3::ZERO, Mat3([[f64::NAN; 3]; 3]), Mat3::diag(rng.vec() * 1e8)];
            let mat = if sane || !rng.once_in(8) { rotation(&mut rng) } else { rng.pick(&odd) };
            Solid { pose: Pose { pos, mat }, form: Form::Shape(shape(kind, size)) }
        };
        let kinds = [case % TYPES, case / TYPES % TYPES];
        let (a, b) = (solid(kinds[0].min(kinds[1])), solid(kinds[0].max(kinds[1])));
        let margin = rng.pick(&[0.0, 1e-3, 0.5]);
        let options = Options { multi: rng.once_in(2), ..Options::default() };
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
