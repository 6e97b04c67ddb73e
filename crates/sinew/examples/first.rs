//! The first ten lines: load, step, print.
// the program prints to stdout; the libraries do not
#![allow(clippy::print_stdout)]

use sinew::Data;

fn main() -> sinew::Result<()> {
    let model = sinew::load(concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/arm.xml"))?;
    let mut data = Data::new(&model);
    let hand = model.body("hand")?;
    while data.time < 1.0 {
        data.ctrl[0] = 0.3;
        sinew::step(&model, &mut data);
    }
    println!("hand at {:?}", data.xpos[hand]);
    Ok(())
}
