//! A certificate does not depend on the units of a problem, and bounds the error of velocities.

use crate::generate::{Random, pile, stack};
use sinew_cone::{Law, Options, Problem, Solver};

#[test]
fn any_scale_of_the_problem_has_the_same_answer() {
    let mut rng = Random::new(5);
    for k in 0..40 {
        let made =
            if k % 2 == 0 { pile(&mut rng, 6, 1.0, 0.0) } else { stack(&mut rng, 3, 1.0, None) };
        for law in [Law::Convex, Law::Coulomb] {
            let mut solver = Solver::new(Options { law, ..Options::default() });
            let base = solver.solve(&made.problem(), None).expect("well-formed").clone();
            let size = base.velocity.iter().chain(&made.b).fold(0.0_f64, |a, x| a.max(x.abs()));
            for (of_a, of_b) in [(1.0, 1e-12), (1e-9, 1.0), (1e9, 1e6), (1e-6, 1e-9)] {
                let a: Vec<f64> = made.a.iter().map(|x| of_a * x).collect();
                let b: Vec<f64> = made.b.iter().map(|x| of_b * x).collect();
                let problem = Problem::new(&a, &b, &made.cones).expect("well-formed");
                let got = solver.solve(&problem, None).expect("well-formed");
                assert_eq!(got.converged, base.converged, "{law:?} {k}: {of_a} {of_b}");
                assert!(got.scaled_residual < 1e-5, "{law:?} {k}: {:e}", got.scaled_residual);
                if law == Law::Convex {
                    // its velocity is unique
                    for (x, y) in got.velocity.iter().zip(&base.velocity) {
                        assert!((x / of_b - y).abs() < 1e-5 * size, "{k}: {x} {y}, {of_a} {of_b}");
                    }
                }
            }
        }
    }
}

#[test]
fn the_velocity_error_is_that_of_the_velocities() {
    // masses from one to a million
    let mut rng = Random::new(9);
    for k in 0..40 {
        let made = pile(&mut rng, 8, 1e6, 0.0);
        let mut solver = Solver::new(Options { tolerance: 1e-13, ..Options::default() });
        let fine = solver.solve(&made.problem(), None).expect("well-formed").clone();
        solver.options.tolerance = 1e-7;
        let coarse = solver.solve(&made.problem(), None).expect("well-formed");
        let speed = made.b.iter().fold(0.0_f64, |a, x| a.max(x.abs()));
        assert!((coarse.velocity_error / speed - coarse.scaled_residual).abs() < 1e-12);
        assert!(coarse.scaled_residual < 1e-2, "{k}: {:e}", coarse.scaled_residual);
        assert!(fine.scaled_residual <= 1e-6, "{k}: {:e}", fine.scaled_residual);

        // a contact of a light body has a smaller allowed error than a heavy one's
        let bound = 1e3 * (coarse.velocity_error + fine.velocity_error) + 1e-9 * speed;
        for (x, y) in coarse.velocity.iter().zip(&fine.velocity) {
            assert!((x - y).abs() <= bound, "{k}: {x} {y}, bound {bound:e}");
        }
    }
}

#[test]
fn nothing_converges_at_no_impulses_where_some_are_needed() {
    // a point of 1e9 kg that falls at 1e-12 m/s
    let (a, b) = ([1e-9, 0.0, 0.0, 0.0, 1e-9, 0.0, 0.0, 0.0, 1e-9], [1e-12, 2e-13, 0.0]);
    let cones = [sinew_cone::Cone::contact(0.5)];
    for law in [Law::Convex, Law::Coulomb] {
        let mut solver = Solver::new(Options { law, ..Options::default() });
        let problem = Problem::new(&a, &b, &cones).expect("well-formed");
        let got = solver.solve(&problem, None).expect("well-formed");
        assert!(got.converged && (got.impulses[0] - 1e-3).abs() < 1e-9, "{:?}", got.impulses);
    }
}
