//! Random problems of 1 to 50 contacts and mass ratios up to a million: solved, feasible,
//! certified.

use crate::generate::{Generated, Random, pile, stack};
use sinew_cone::{Law, Options, Problem, Solver, State};

/// Problem `k` of an endless mixture.
fn mixture(rng: &mut Random) -> Generated {
    let ratio = if rng.uniform(0.0, 1.0) < 0.5 { 1.0 } else { 10f64.powf(rng.uniform(0.0, 6.0)) };
    if rng.uniform(0.0, 1.0) < 0.8 {
        let contacts = 1 + rng.below(50);
        pile(rng, contacts, ratio, 0.0)
    } else {
        let boxes = 1 + rng.below(12);
        stack(rng, boxes, ratio, None)
    }
}

/// Solves `count` problems and returns how many were not solved.
fn unsolved(seed: u64, count: usize) -> usize {
    let mut rng = Random::new(seed);
    let mut solver = Solver::new(Options { max_iterations: 100, ..Options::default() });
    let mut unsolved = 0;
    for k in 0..count {
        let made = mixture(&mut rng);
        let solution = solver.solve(&made.problem(), None).expect("well-formed");
        let largest = solution.impulses.iter().fold(1.0, |a: f64, x| a.max(x.abs()));
        unsolved += usize::from(solution.residual >= 1e-8 * largest);
        assert!(solution.objective <= 0.0, "problem {k}: worse than no impulse");
        for ((x, mu), state) in
            solution.impulses.chunks_exact(3).zip(made.friction()).zip(&solution.states)
        {
            let t = x[1].hypot(x[2]);
            assert!(x[0] >= 0.0 && t <= mu * x[0] * (1.0 + 1e-12), "problem {k}: {x:?}");
            assert_eq!(x[0] == 0.0, *state == State::Separate, "problem {k}: {x:?}");
        }
    }
    unsolved
}

#[test]
fn nearly_all_are_solved() {
    // 99.9 %; the example `survey` counts many more
    assert!(unsolved(1, 1000) <= 1);
}

#[test]
fn friction_takes_energy() {
    // λ_t · v_t <= 0 at every contact, and without restitution the whole loses energy
    let mut rng = Random::new(3);
    let mut solver = Solver::default();
    for _ in 0..60 {
        let contacts = 1 + rng.below(12);
        let made = pile(&mut rng, contacts, 1.0, 0.0);
        for law in [Law::Convex, Law::Coulomb] {
            solver.options.law = law;
            let x = solver.solve(&made.problem(), None).expect("well-formed");
            for (l, g) in x.impulses.chunks_exact(3).zip(x.velocity.chunks_exact(3)) {
                let power = l[1] * g[1] + l[2] * g[2];
                assert!(power <= 1e-6, "friction power {power}");
            }
        }
    }
}

#[test]
fn coulomb_contacts_slide_without_lifting() {
    let mut rng = Random::new(4);
    let options = Options { law: Law::Coulomb, ..Options::default() };
    let mut solver = Solver::new(options);
    let mut solved = 0;
    for _ in 0..60 {
        let contacts = 1 + rng.below(8);
        let made = pile(&mut rng, contacts, 1.0, 0.0);
        let x = solver.solve(&made.problem(), None).expect("well-formed");
        solved += usize::from(x.converged);
        for (l, g) in x.impulses.chunks_exact(3).zip(x.velocity.chunks_exact(3)) {
            assert!(!x.converged || l[0] * g[0].abs() < 1e-5, "presses and lifts: {l:?} {g:?}");
        }
    }
    assert!(solved >= 50, "{solved} of 60");
}

#[test]
fn a_solution_is_its_own_warm_start() {
    let mut rng = Random::new(5);
    let mut solver = Solver::default();
    for _ in 0..40 {
        let made = mixture(&mut rng);
        let first = solver.solve(&made.problem(), None).expect("well-formed").clone();
        let again = solver.solve(&made.problem(), Some(&first.impulses)).expect("well-formed");
        if first.converged {
            assert_eq!(again.iterations, 0);
            assert_eq!(again.impulses.len(), first.impulses.len());
        }
    }
}

#[test]
fn results_do_not_depend_on_what_was_solved_before() {
    let mut rng = Random::new(6);
    let list: Vec<Generated> = (0..20).map(|_| mixture(&mut rng)).collect();
    let mut used = Solver::default();
    for made in list.iter().chain(list.iter().rev()) {
        let problem = Problem::new(&made.a, &made.b, &made.cones).expect("well-formed");
        let fresh = sinew_cone::solve(&problem, &Options::default(), None).expect("well-formed");
        let reused = used.solve(&problem, None).expect("well-formed");
        assert_eq!(fresh.impulses, reused.impulses);
    }
}
