//! Time of collision detection for spheres without contacts, which grows linearly with their
//! number.
//!
//! `cargo run --profile dist -p sinew-bench --example many_spheres`
// the program prints to stdout; the libraries do not
#![allow(clippy::print_stdout)]

use std::fmt::Write as _;
use std::time::Instant;

use sinew::{Data, engine};

fn main() -> sinew::Result<()> {
    println!("{:>8} {:>12} {:>12}", "spheres", "us", "ns / sphere");
    for n in [100, 1000, 10_000] {
        let model = sinew::load_str(&scene(n))?;
        let mut data = Data::new(&model);
        sinew::forward(&model, &mut data);
        let best = (0..20).map(|_| {
            let start = Instant::now();
            engine::collision(&model, &mut data);
            start.elapsed().as_secs_f64()
        });
        let best = best.fold(f64::INFINITY, f64::min);
        println!("{n:>8} {:>12.1} {:>12.1}", best * 1e6, best * 1e9 / n as f64);
    }
    Ok(())
}

/// Spheres on a cubic lattice, separated by a radius, and above a plane.
fn scene(n: usize) -> String {
    let side = (n as f64).cbrt().ceil() as usize;
    let mut xml = String::from("<mujoco><worldbody><geom type='plane' size='1 1 1'/>");
    for i in 0..n {
        let at = [i % side, i / side % side, i / (side * side)].map(|k| 0.3 * (k + 1) as f64);
        let [x, y, z] = at;
        let body = "<freejoint/><geom size='.1' mass='1'/>";
        let _ = write!(xml, "<body pos='{x} {y} {z}'>{body}</body>");
    }
    xml + "</worldbody></mujoco>"
}
