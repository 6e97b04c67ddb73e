//! Walls, pyramids, arches, chains and the other families: feasible, and certified as an independent residual says.

mod generate;

use generate::Random;
use generate::families::FAMILIES;
use generate::residual::residual;
use sinew_cone::{Law, Options, Solver};

#[test]
fn certificates_agree_with_an_independent_residual() {
    for law in [Law::Convex, Law::Coulomb] {
        let mut solver = Solver::new(Options { law, max_iterations: 30, ..Options::default() });
        for family in FAMILIES.iter().filter(|f| !f.name.contains("55")) {
            let mut rng = Random::new(3);
            let made = (family.make)(&mut rng);
            let found = solver.solve(&made.problem(), None).expect("well-formed");
            let largest = found.impulses.iter().fold(1.0, |a: f64, x| a.max(x.abs()));
            let other = residual(&made.a, &made.b, &made.cones, &found.impulses, law) * largest;
            let off = (found.residual - other).abs();
            assert!(off <= 1e-9 * largest + 1e-6 * other, "{}: {other:e} {off:e}", family.name);
        }
    }
}
