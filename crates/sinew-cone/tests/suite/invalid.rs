//! Input that is refused, and input that is extreme but allowed.

use sinew_cone::{Cone, Delassus, Options, Problem, Solver, Status, solve};

const CONTACT: [Cone; 1] = [Cone::Contact3([0.5, 0.5])];

#[track_caller]
fn refused(a: &[f64], b: &[f64], cones: &[Cone], message: &str) {
    let error = Problem::new(a, b, cones).expect_err("must be refused");
    assert_eq!(error.to_string(), message);
}

fn identity() -> [f64; 9] {
    [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]
}

#[test]
fn sizes_must_fit() {
    refused(&identity(), &[1.0, 0.0], &CONTACT, "the cones have 3 rows, b has 2");
    refused(&identity()[..6], &[0.0; 3], &CONTACT, "A has 6 entries, wanted 3 x 3");
}

#[test]
fn values_must_be_finite() {
    let mut a = identity();
    a[5] = f64::NAN;
    refused(&a, &[0.0; 3], &CONTACT, "A[1, 2] is not finite");
    refused(&identity(), &[0.0, f64::INFINITY, 0.0], &CONTACT, "b[1, 0] is not finite");
}

#[test]
fn the_matrix_must_be_symmetric_without_negative_diagonal() {
    let mut a = identity();
    a[1] = 0.1;
    refused(&a, &[0.0; 3], &CONTACT, "A is not symmetric: A[1, 0] differs from A[0, 1]");
    let mut a = identity();
    a[4] = -1.0;
    refused(&a, &[0.0; 3], &CONTACT, "A[1, 1] = -1, wanted >= 0");
}

#[test]
fn cones_must_make_sense() {
    let wanted = "cone 0: friction -0.5, wanted a finite value >= 0";
    refused(&identity(), &[0.0; 3], &[Cone::contact(-0.5)], wanted);
    let wanted = "cone 0: friction NaN, wanted a finite value >= 0";
    refused(&identity(), &[0.0; 3], &[Cone::Contact3([0.5, f64::NAN])], wanted);
    let interval = Cone::Interval { lower: 1.0, upper: -1.0 };
    refused(&[1.0], &[0.0], &[interval], "cone 0: interval 1 .. -1, wanted lower <= upper");
}

#[test]
fn warm_starts_and_options_are_checked() {
    let a = identity();
    let problem = Problem::new(&a, &[1.0, 0.0, 0.0], &CONTACT).expect("well-formed");
    let mut solver = Solver::default();
    let error = solver.solve(&problem, Some(&[1.0])).expect_err("too short");
    assert_eq!(error.to_string(), "the warm start has 1 entries, wanted 3");
    let error = solver.solve(&problem, Some(&[1.0, f64::NAN, 0.0])).expect_err("NaN");
    assert_eq!(error.to_string(), "warm start[1, 0] is not finite");
    solver.options.tolerance = 0.0;
    let error = solver.solve(&problem, None).expect_err("no tolerance");
    assert_eq!(error.to_string(), "option tolerance = 0 is invalid");
}

#[test]
fn jacobians_are_checked() {
    let mut delassus = Delassus::default();
    let identity = |_: &mut [f64]| {};
    let error = delassus.assemble(&[1.0; 7], 3, &identity).expect_err("not a rectangle");
    assert_eq!(error.to_string(), "the Jacobian has 7 entries, not a multiple of 3 columns");
    let error = delassus.assemble(&[1.0, f64::NAN], 2, &identity).expect_err("NaN");
    assert_eq!(error.to_string(), "Jacobian[0, 1] is not finite");
    assert!(delassus.assemble(&[], 0, &identity).expect("empty is fine").is_empty());
}

#[test]
fn nothing_to_solve_is_solved() {
    let problem = Problem::new(&[], &[], &[]).expect("empty is fine");
    let solution = solve(&problem, &Options::default(), None).expect("well-formed");
    assert!(solution.converged && solution.impulses.is_empty());
}

#[test]
fn extreme_values_stay_finite_and_feasible() {
    for scale in [0.0, 1e-300, 1e-150, 1e-12, 1e12, 1e150, 1e300] {
        for push in [0.0, 1e-300, 1e-9, 1e9, 1e300] {
            let a = identity().map(|x| x * scale);
            let b = [push, -push, 0.5 * push];
            let problem = Problem::new(&a, &b, &CONTACT).expect("finite");
            let x = solve(&problem, &Options::default(), None).expect("well-formed");
            let [n, t, s] = x.impulses[..] else { panic!("three rows") };
            assert!(n.is_finite() && t.is_finite() && s.is_finite(), "{scale} {push}: {x:?}");
            assert!(n >= 0.0 && t.hypot(s) <= 0.5 * n * (1.0 + 1e-12), "{scale} {push}: {x:?}");
        }
    }
}

#[test]
fn contradictions_are_reported() {
    // a body between two plates that are to leave at different speeds
    let e = 1e-10;
    let a = [1.0 + e, -1.0, -1.0, 1.0 + e];
    let cones = [Cone::HalfLine, Cone::HalfLine];
    let problem = Problem::new(&a, &[1.5, -1.0], &cones).expect("well-formed");
    let solution = solve(&problem, &Options::default(), None).expect("well-formed");
    assert_eq!(solution.status, Some(Status::IllPosed), "{solution:?}");
    assert!(!solution.converged && solution.impulses.iter().all(|x| x.is_finite()));
}
