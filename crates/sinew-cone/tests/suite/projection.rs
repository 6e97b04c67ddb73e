//! The projection onto each kind of cone is the nearest point.

use sinew_cone::Cone;
use sinew_testkit::Random;

fn norm(values: impl Iterator<Item = f64>) -> f64 {
    values.map(|v| v * v).sum::<f64>().sqrt()
}

/// `x` is the projection of `p`: it is in the cone, the rest is in the polar cone, and they are
/// orthogonal.
#[track_caller]
fn check(mu: &[f64], p: &[f64]) {
    let cone = match *mu {
        [a, b] => Cone::Contact3([a, b]),
        [a, b, c] => Cone::Contact4([a, b, c]),
        [a, b, c, d, e] => Cone::Contact6([a, b, c, d, e]),
        _ => unreachable!("no such contact"),
    };
    let mut x = p.to_vec();
    cone.project(&mut x);
    let rest: Vec<f64> = p.iter().zip(&x).map(|(p, x)| p - x).collect();
    let used = norm(x[1..].iter().zip(mu).map(|(t, mu)| t / mu));
    let pull = norm(rest[1..].iter().zip(mu).map(|(t, mu)| t * mu));
    let work: f64 = rest.iter().zip(&x).map(|(r, x)| r * x).sum();
    assert!(used <= x[0] * (1.0 + 1e-9) + 1e-12, "{mu:?} {p:?}: {x:?} outside");
    assert!(pull <= -rest[0] + 1e-9, "{mu:?} {p:?}: {x:?} not nearest");
    assert!(work.abs() < 1e-9, "{mu:?} {p:?}: {x:?} not orthogonal");
}

#[test]
fn projections_are_nearest_points() {
    let mut random = Random::new(7);
    for _ in 0..2000 {
        let mu: [f64; 5] = core::array::from_fn(|_| 10f64.powf(random.between([-1.5, 0.5])));
        let p: [f64; 6] = core::array::from_fn(|_| random.between([-2.0, 2.0]));
        check(&mu[..2], &p[..3]);
        check(&[mu[0], mu[0]], &p[..3]);
        check(&mu[..3], &p[..4]);
        check(&mu, &p);
    }
}

#[test]
fn axes_without_friction_are_zero() {
    let mut x = [1.0, 5.0, 0.25];
    Cone::Contact3([0.0, 0.5]).project(&mut x);
    assert_eq!(x, [1.0, 0.0, 0.25]);
    let mut x = [2.0, 5.0, -3.0];
    Cone::contact(0.0).project(&mut x);
    assert_eq!(x, [2.0, 0.0, 0.0]);
}
