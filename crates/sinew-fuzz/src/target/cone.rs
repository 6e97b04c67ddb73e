//! Problems of the cone solver: random, singular, badly scaled, some with invalid values.

use sinew_cone::{Cone, Law, Options, Problem, solve};
use sinew_testkit::Random;

use crate::{Outcome, refused};

fn cones(random: &mut Random) -> Vec<Cone> {
    (0..1 + random.below(6))
        .map(|_| {
            let mu = random.pick(&[0.0, 0.5, 1.0, 1e-9, 1e9]);
            match random.below(6) {
                0 => Cone::Free,
                1 => Cone::HalfLine,
                2 => Cone::Interval { lower: random.signed() - 1.0, upper: random.unit() },
                3 => Cone::contact(mu),
                4 => Cone::Contact4([mu, random.unit(), 1e-3]),
                _ => Cone::Contact6([mu, mu, random.unit(), 1e-4, 0.0]),
            }
        })
        .collect()
}

pub(super) fn cone(number: u64) -> Outcome {
    let mut random = Random::new(number);
    let cones = cones(&mut random);
    let n: usize = cones.iter().map(Cone::dim).sum();

    // J Jᵀ of a random J, with or without full rank
    let rank = 1 + random.below(n + 3);
    let scale = random.pick(&[1.0, 1e-6, 1e6, 1e-150, 1e150]);
    let rows: Vec<Vec<f64>> = (0..n).map(|_| random.vector(rank)).collect();
    let dot = |x: &[f64], y: &[f64]| x.iter().zip(y).map(|(x, y)| x * y).sum::<f64>();
    let mut a: Vec<f64> =
        rows.iter().flat_map(|x| rows.iter().map(move |y| scale * dot(x, y))).collect();
    let size = random.pick(&[1.0, 1e-9, 1e9]);
    let mut b: Vec<f64> = random.vector(n).iter().map(|x| x * size).collect();
    if random.below(8) == 0 {
        let wrong = random.pick(&[f64::NAN, f64::INFINITY, -1.0, 1e308, 0.0]);
        let at = random.below(a.len());
        a[at] = wrong;
        let at = random.below(n);
        b[at] = random.pick(&[wrong, 0.0]);
    }

    let law = random.pick(&[Law::Convex, Law::Coulomb]);
    let regularization = random.pick(&[0.0, 1e-10]);
    let options = Options { law, regularization, ..Options::default() };
    let solved = Problem::new(&a, &b, &cones).and_then(|problem| solve(&problem, &options, None));
    match solved {
        Ok(solution) => {
            assert!(solution.impulses.len() == n, "as many impulses as rows");
            assert!(solution.impulses.iter().all(|x| !x.is_nan()), "impulses are numbers");
            Outcome::Accepted
        }
        Err(error) => refused(&error),
    }
}
