//! Many worlds of one model on all cores, each with its own initial state, gravity and controller.
//! Each world computes the same bits as it would alone.
// the program prints to stdout; the libraries do not
#![allow(clippy::print_stdout)]

use std::error::Error;
use std::sync::Arc;

use sinew::batch::{Batch, BatchOptions};

const WORLDS: usize = 1000;

fn main() -> Result<(), Box<dyn Error>> {
    let model = sinew::load(concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/pendulum.xml"))?;
    let mut batch = Batch::new(Arc::new(model), WORLDS, BatchOptions::default())?;

    // arrays have a row for each world
    let speeds = batch.bind("qvel")?.f64_mut().ok_or("velocities are numbers")?;
    speeds.iter_mut().enumerate().for_each(|(world, v)| *v = 0.01 * world as f64);
    let gravity = batch.expand("opt.gravity")?.f64_mut().ok_or("so is gravity")?;
    gravity[3 * (WORLDS - 1) + 2] = -1.62;

    // a closure runs in every world, on all threads
    batch.for_each(None, |_, model, data| {
        for _ in 0..500 {
            data.qfrc_applied[0] = -0.1 * data.qvel[0];
            sinew::step(model, data);
        }
    })?;
    let angles = batch.array("qpos").and_then(|a| a.f64()).ok_or("so are positions")?;
    for world in [0, 100, WORLDS - 2, WORLDS - 1] {
        println!("world {world}: {:.6} rad", angles[world]);
    }
    println!("{} bytes per world, {} threads", batch.bytes_per_world(), batch.threads());
    Ok(())
}
