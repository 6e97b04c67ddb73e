//! Frequency with which exact friction misses its tolerance: a stirred pile of 24 bodies, from many
//! initial states.
//!
//! `cargo run --release -p sinew-bench --example stirred`
// the program prints to stdout; the libraries do not
#![allow(clippy::print_stdout)]

use sinew::model::coulomb::FrictionLaw;
use sinew::{Data, step};

const STARTS: usize = 20;
const STEPS: usize = 500;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut m = sinew::load(concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/pile.xml"))?;
    m.coulomb.enabled = true;
    println!("{STARTS} starts, {STEPS} steps each");
    for law in [FrictionLaw::Exact, FrictionLaw::Convex] {
        m.coulomb.law = law;
        let (mut missed, mut worst, mut most, mut all) = (0, 0.0_f64, 0, 0);
        for start in 0..STARTS {
            let mut d = Data::new(&m);
            for (k, v) in d.qvel.iter_mut().enumerate() {
                // a different velocity of up to 1 mm/s for each dof
                *v += 1e-6 * ((start * 131 + k * 7919) % 1009) as f64;
            }
            for _ in 0..STEPS {
                step(&m, &mut d);
                missed += usize::from(!d.coulomb.converged());
                worst = worst.max(d.coulomb.residual);
                let factorisations: i32 = d.solver_niter.iter().sum();
                most = most.max(factorisations);
                all += factorisations;
            }
        }
        let mean = f64::from(all) / (STARTS * STEPS) as f64;
        println!(
            "{law:?}: {missed} steps missed, residual at most {worst:.0e} N s, factorisations {mean:.1} on average, {most} at most"
        );
    }
    Ok(())
}
