//! A solver that has seen a problem of some size allocates nothing for the next ones.

use crate::generate::{Random, pile, stack};
use sinew_cone::{Law, Options, Solver};
use sinew_testkit::alloc::allocations;

#[test]
fn nothing_is_allocated_after_the_first_time() {
    let mut rng = Random::new(1);
    let mut list = vec![stack(&mut rng, 6, 1e3, None)];
    list.extend((0..20).map(|k| pile(&mut rng, 1 + k, 1e3, 0.0)));
    let warm: Vec<f64> = vec![0.1; list[0].rows()];
    for law in [Law::Convex, Law::Coulomb] {
        let mut solver = Solver::new(Options { law, ..Options::default() });
        for round in 0..2 {
            let before = allocations();
            for made in &list {
                solver.solve(&made.problem(), None).expect("well-formed");
                solver.solve(&made.problem(), Some(&warm[..made.rows()])).expect("well-formed");
            }
            let made = allocations() - before;
            assert!(round == 0 || made == 0, "{made} allocations with {law:?}");
        }
    }
}
