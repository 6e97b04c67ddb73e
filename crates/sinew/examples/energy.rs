//! Energy of an undamped double pendulum: the Runge-Kutta integrator conserves it closely.
// the program prints to stdout; the libraries do not
#![allow(clippy::print_stdout)]

use sinew::Data;

fn main() -> sinew::Result<()> {
    let model =
        sinew::load(concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/double_pendulum.xml"))?;
    let mut data = Data::new(&model);
    sinew::reset_data_keyframe(&model, &mut data, model.key("moving")?.idx());
    sinew::forward(&model, &mut data);
    let start: f64 = data.energy.iter().sum();
    while data.time < 5.0 {
        sinew::step(&model, &mut data);
    }
    sinew::forward(&model, &mut data);
    let end: f64 = data.energy.iter().sum();
    println!("{start:.9} J at the start, {end:.9} J after {:.1} s", data.time);
    Ok(())
}
