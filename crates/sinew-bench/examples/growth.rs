//! Growth of time per step and memory per state with the number of bodies.
//!
//! `cargo run --profile dist -p sinew-bench --example growth [-- FOLDER]`
//!
//! The models are chains of hinges, stacks of boxes, and separate arms of ten links. With a folder
//! as argument, the models are also written there, for other engines.
// the program prints to stdout; the libraries do not
#![allow(clippy::print_stdout)]

use std::error::Error;
use std::fmt::Write;
use std::path::PathBuf;

use sinew_testkit::alloc::{CountingAllocator, peak_bytes, restart_peak};
use sinew_workload::{Load, Rollout};

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

/// Approximate seconds of timed steps.
const SECONDS: f64 = 1.0;

/// Name of a family of models, function that makes one, and numbers of bodies.
type Family = (&'static str, fn(usize) -> String, &'static [usize]);

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args().nth(1).map(PathBuf::from);
    println!("kind     bodies       us/step  exponent  bytes of a state");
    // XML parsers limit the depth of chains
    let families: [Family; 3] = [
        ("chain", chain, &[10, 100, 400]),
        ("stacks", stacks, &[10, 100, 1000, 10_000]),
        ("arms", arms, &[10, 100, 1000, 10_000]),
    ];
    for (kind, make, sizes) in families {
        let mut before: Option<(usize, f64)> = None;
        for &n in sizes {
            let xml = make(n);
            if let Some(folder) = &folder {
                std::fs::write(folder.join(format!("{kind}_{n}.xml")), &xml)?;
            }
            let (us, bytes) = measure(&xml)?;
            let exponent = before
                .map_or(f64::NAN, |(m, before)| (us / before).ln() / (n as f64 / m as f64).ln());
            println!("{kind:<8} {n:6} {us:13.2} {exponent:9.2} {bytes:17}");
            before = Some((n, us));
        }
    }
    Ok(())
}

/// Microseconds per step, and bytes of a state after a few steps.
fn measure(xml: &str) -> Result<(f64, usize), Box<dyn Error>> {
    let model = sinew::load_str(xml)?;
    let start = restart_peak();
    let mut rollout = Rollout::new(model, Load { key: None, seed: 1, scale: 0.3 })?;
    rollout.run(10, false);
    let bytes = peak_bytes() - start;
    let guess = rollout.run(1, false).cpu;
    let piece = ((SECONDS / guess / 20.0) as usize).clamp(1, 100);
    let pieces = ((SECONDS / guess / piece as f64) as usize).clamp(3, 20);
    let least =
        (0..pieces).fold(f64::INFINITY, |least, _| least.min(rollout.run(piece, false).cpu));
    Ok((1e6 * least / piece as f64, bytes))
}

/// A chain of hinges about crossed axes.
fn chain(n: usize) -> String {
    let mut xml =
        String::from("<mujoco><worldbody><geom type='plane' size='1 1 1' pos='0 0 -999'/>");
    add_chain(&mut xml, n, "0 0 0");
    xml + "</worldbody></mujoco>"
}

/// Separate chains of ten.
fn arms(n: usize) -> String {
    let mut xml =
        String::from("<mujoco><worldbody><geom type='plane' size='1 1 1' pos='0 0 -999'/>");
    for k in 0..n / 10 {
        add_chain(&mut xml, 10, &format!("{} {} 0", 5 * (k % 32), 5 * (k / 32)));
    }
    xml + "</worldbody></mujoco>"
}

fn add_chain(xml: &mut String, n: usize, pos: &str) {
    for k in 0..n {
        let axis = if k % 2 == 0 { "0 1 0" } else { "1 0 0" };
        let pos = if k == 0 { pos } else { "0 0 -.2" };
        // writing to a string cannot fail
        let _ = write!(
            xml,
            "<body pos='{pos}'><joint axis='{axis}' damping='.1'/>\
             <geom type='capsule' size='.02' fromto='0 0 0 0 0 -.2' contype='0' conaffinity='0'/>"
        );
    }
    xml.push_str(&"</body>".repeat(n));
}

/// Stacks of five boxes on a plane.
fn stacks(n: usize) -> String {
    let mut xml =
        String::from("<mujoco><size memory='4G'/><worldbody><geom type='plane' size='1 1 1'/>");
    for k in 0..n {
        let (stack, level) = (k / 5, k % 5);
        let (x, y) = (stack % 50, stack / 50);
        let z = 0.0999 + 0.1999 * level as f64;
        let _ = write!(
            xml,
            "<body pos='{} {} {z:.4}'><freejoint/><geom type='box' size='.1 .1 .1'/></body>",
            0.5 * x as f64,
            0.5 * y as f64
        );
    }
    xml + "</worldbody></mujoco>"
}
