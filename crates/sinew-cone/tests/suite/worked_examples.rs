//! Ten problems whose answers are known: by hand for one contact, to twelve digits for the rest.

use crate::generate::{Body, Generated, Touch, assemble, upright};
use sinew_cone::{Cone, Criterion, Law, Options, Problem, Solution, State, solve};

/// Rounding of the numbers below.
const DIGITS: f64 = 1e-7;

fn options(law: Law) -> Options {
    Options { law, criterion: Criterion::Absolute, ..Options::default() }
}

/// A contact at the centre of a body of ten kilograms.
fn central() -> [f64; 9] {
    let d = 0.1 + 1e-10;
    [d, 0.0, 0.0, 0.0, d, 0.0, 0.0, 0.0, d]
}

#[track_caller]
fn solve_central(b: [f64; 3], mu: f64, law: Law, warm: Option<&[f64]>) -> Solution {
    let cones = [Cone::contact(mu)];
    let problem = Problem::new(&central(), &b, &cones).map(|p| solve(&p, &options(law), warm));
    let solution = problem.expect("well-formed").expect("well-formed");
    assert!(solution.converged, "{:?} after {}", solution.status, solution.iterations);
    solution
}

#[track_caller]
fn check(solution: &Solution, wanted: &[f64], tolerance: f64) {
    for (row, (got, wanted)) in solution.impulses.iter().zip(wanted).enumerate() {
        assert!((got - wanted).abs() < tolerance, "row {row}: {got}, wanted {wanted}");
    }
}

#[track_caller]
fn solve_made(made: &Generated, law: Law) -> Solution {
    let solution = solve(&made.problem(), &options(law), None).expect("well-formed");
    assert!(solution.converged, "{:?}", solution.status);
    solution
}

#[test]
fn a_contact_without_friction_has_the_quotient_as_impulse() {
    let problem = Problem::new(&[0.1 + 1e-10], &[1.5], &[Cone::HalfLine]).map(|p| {
        let solution = solve(&p, &Options::default(), None).expect("well-formed");
        check(&solution, &[1.5 / (0.1 + 1e-10)], 1e-12);
        assert!(solution.iterations <= 2 && solution.states == [State::Stick]);
    });
    problem.expect("well-formed");
    let solution = solve_central([1.5, 0.3, -0.2], 0.0, Law::Convex, None);
    check(&solution, &[14.999999985, 0.0, 0.0], 1e-8);
    assert_eq!(solution.impulses[1..], [0.0, 0.0]);
}

#[test]
fn a_push_inside_the_cone_sticks() {
    let solution = solve_central([1.5, -0.2, 0.0], 0.5, Law::Convex, None);
    check(&solution, &[14.999999985, -1.999999998, 0.0], DIGITS);
    assert_eq!((solution.iterations, &solution.states[..]), (1, &[State::Stick][..]));
}

#[test]
fn a_push_outside_the_cone_slides_on_its_surface() {
    let solution = solve_central([1.5, -3.0, -4.0], 0.3, Law::Convex, None);
    check(&solution, &[27.522935752, -4.954128435, -6.605504581], DIGITS);
    assert_eq!(solution.states, [State::Slide]);
    let solution = solve_central([1.5, -3.0, -4.0], 0.3, Law::Coulomb, None);
    check(&solution, &[15.0, -2.7, -3.6], 1e-6);
}

#[test]
fn contacts_on_one_point_determine_only_their_sum() {
    let mut a = [0.0; 36];
    for i in 0..6 {
        a[i * 6 + i % 3] = 0.1;
        a[i * 6 + i % 3 + 3] = 0.1;
        a[i * 7] += 1e-10;
    }
    let b = [1.5, -1.0, 0.0, 1.5, -1.0, 0.0];
    let cones = [Cone::contact(0.8), Cone::contact(0.2)];
    let problem = Problem::new(&a, &b, &cones).expect("well-formed");
    let x = solve(&problem, &options(Law::Convex), None).expect("well-formed");
    assert!(x.converged);

    // only the sum is determined
    for (k, wanted) in [15.0, -10.0, 0.0].into_iter().enumerate() {
        let sum = x.impulses[k] + x.impulses[k + 3];
        assert!((sum - wanted).abs() < 1e-6, "{sum}, wanted {wanted}");
    }
    assert_feasible(&x, &cones);
}

#[test]
fn a_warm_start_gives_the_same_impulses_in_fewer_iterations() {
    let b = [1.5, -5.0, 0.0];
    let cold = solve_central(b, 0.5, Law::Convex, None);
    check(&cold, &[31.999999968, -15.999999984, 0.0], DIGITS);
    let warm = solve_central(b, 0.5, Law::Convex, Some(&[31.0, -15.5, 0.0]));
    check(&warm, &[31.999999968, -15.999999984, 0.0], DIGITS);
    assert!(warm.iterations <= cold.iterations);
    let again = solve_central(b, 0.5, Law::Convex, Some(&cold.impulses));
    assert_eq!(again.iterations, 0);
    check(&solve_central(b, 0.5, Law::Coulomb, None), &[15.0, -7.5, 0.0], 1e-6);
}

#[test]
fn coulombs_law_keeps_a_grazing_contact_from_lifting() {
    let b = [0.001, -5.0, 0.0];
    let solution = solve_central(b, 0.5, Law::Convex, None);
    check(&solution, &[20.00799998, -10.00399999, 0.0], DIGITS);
    check(&solve_central(b, 0.5, Law::Coulomb, None), &[0.01, -0.005, 0.0], 1e-6);
}

#[test]
fn a_body_sticks_on_a_gentle_slope_and_slides_on_a_steep_one() {
    let stick = solve_central([0.2013, 0.0671, 0.0], 0.5, Law::Convex, None);
    check(&stick, &[2.013, 0.671, 0.0], DIGITS);
    assert_eq!(stick.states, [State::Stick]);
    let slide = [0.2013, 0.2013, 0.0];
    check(&solve_central(slide, 0.5, Law::Convex, None), &[2.4156, 1.2078, 0.0], DIGITS);
    check(&solve_central(slide, 0.5, Law::Coulomb, None), &[2.013, 1.0065, 0.0], 1e-6);
    let same = solve_central([0.2013, 0.0671, 0.0], 0.5, Law::Coulomb, None);
    check(&same, &stick.impulses, 1e-9);
}

fn body(mass: f64, inertia: [f64; 3]) -> Body {
    let [x, y, z] = inertia;
    Body { mass, inertia: [[x, 0.0, 0.0], [0.0, y, 0.0], [0.0, 0.0, z]], pos: [0.0; 3] }
}

fn ground(point: [f64; 3]) -> Touch {
    Touch { a: 0, b: None, point, normal: [0.0, 0.0, 1.0], b_pos: [0.0; 3] }
}

#[test]
fn a_lever_arm_couples_normal_and_tangents() {
    let velocity = vec![3.0, 4.0, -1.0, 0.0, 0.0, 0.0];
    let touch = ground([0.2, 0.1, -0.3]);
    let made = assemble(&[body(10.0, [0.1, 0.2, 0.15])], &[touch], velocity, &[0.3], 0.5, upright);
    for (k, wanted) in [1.5, -3.0, -4.0].into_iter().enumerate() {
        assert!((made.b[k] - wanted).abs() < 1e-12);
    }
    let convex = solve_made(&made, Law::Convex);
    check(&convex, &[13.787971500677, -3.075757212644, -2.765764234019], 1e-8);
    assert!((convex.objective + 20.486142912513).abs() < 1e-9);
    let coulomb = solve_made(&made, Law::Coulomb);
    check(&coulomb, &[5.499499794, -1.140462630, -1.192203761], DIGITS);
}

#[test]
fn a_rod_slides_on_two_contacts_of_different_friction() {
    let touches = [ground([0.5, 0.0, -0.1]), ground([-0.5, 0.0, -0.1])];
    let velocity = vec![1.5, 0.4, -1.0, 0.1, 0.3, 2.0];
    let rod = [body(2.0, [0.02, 0.3, 0.3])];
    let made = assemble(&rod, &touches, velocity, &[0.6, 0.2], 0.0, upright);
    let convex = solve_made(&made, Law::Convex);
    let wanted = [
        1.776515686673,
        -0.942655292384,
        -0.497557910537,
        1.102849942751,
        -0.196980531228,
        0.099246109074,
    ];
    check(&convex, &wanted, DIGITS);
    assert!((convex.objective + 2.707896004966).abs() < 1e-9);
    let coulomb = solve_made(&made, Law::Coulomb);
    let wanted = [1.163876872, -0.587051874, -0.378192374, 0.836123128, -0.151716846, 0.070328331];
    check(&coulomb, &wanted, DIGITS);
}

#[test]
fn the_objective_of_four_corners_is_unique_though_their_impulses_are_not() {
    let corners = [(-0.5, -0.5), (-0.5, 0.5), (0.5, -0.5), (0.5, 0.5)];
    let touches = corners.map(|(x, y)| ground([x, y, -0.25]));
    let inertia = [0.3125 / 3.0, 0.3125 / 3.0, 0.5 / 3.0];
    let velocity = vec![0.3, 0.1, -9.81 / 60.0, 0.0, 0.0, 0.2];
    let made = assemble(&[body(1.0, inertia)], &touches, velocity, &[0.4; 4], 0.0, upright);
    let solution = solve_made(&made, Law::Convex);
    assert!((solution.objective + 0.037986298561).abs() < 1e-11, "{}", solution.objective);
    assert_feasible(&solution, &made.cones);
}

#[track_caller]
fn assert_feasible(solution: &Solution, cones: &[Cone]) {
    for (x, cone) in solution.impulses.chunks_exact(3).zip(cones) {
        let mu = cone.friction()[0];
        assert!(x[0] >= 0.0 && x[1].hypot(x[2]) <= mu * x[0] * (1.0 + 1e-12), "{x:?}");
    }
}
