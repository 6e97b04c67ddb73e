//! Branching a simulation: `clone` the data, change the copy, compare.
// the program prints to stdout; the libraries do not
#![allow(clippy::print_stdout)]

use sinew::{Data, Model};

fn main() -> sinew::Result<()> {
    let model =
        sinew::load(concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/double_pendulum.xml"))?;
    let mut data = Data::new(&model);
    sinew::reset_data_keyframe(&model, &mut data, model.key("inverted")?.idx());

    let mut other = data.clone();
    other.qpos[0] += 1e-6;
    for seconds in 1..=3 {
        run_until(&model, &mut data, f64::from(seconds));
        run_until(&model, &mut other, f64::from(seconds));
        println!(
            "after {seconds} s the branches are {:.1e} rad apart",
            (data.qpos[0] - other.qpos[0]).abs()
        );
    }
    Ok(())
}

fn run_until(m: &Model, d: &mut Data, time: f64) {
    while d.time < time {
        sinew::step(m, d);
    }
}
