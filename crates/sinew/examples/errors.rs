//! Errors name the place and suggest a correction.
// the program prints to stdout; the libraries do not
#![allow(clippy::print_stdout)]

use sinew::{Data, LoadOptions};

const MODEL: &str = r#"
<mujoco>
  <default><default class="wheel"><geom type="sphere" size="0.1"/></default></default>
  <worldbody>
    <body name="hand"><joint range="2 1" limited="true"/><geom class="whel"/></body>
  </worldbody>
</mujoco>"#;

fn main() -> sinew::Result<()> {
    // a model with two faults, both reported
    let strict = LoadOptions { strict: true, ..LoadOptions::default() };
    if let Err(error) = sinew::load_str_with(MODEL, &sinew::Assets::new(), &strict) {
        println!("{error}");
    }

    // an unknown name
    let model = sinew::load(concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/arm.xml"))?;
    if let Err(error) = model.body("hnad") {
        println!("{error}");
    }

    // a bad state
    let mut data = Data::new(&model);
    data.qvel[3] = f64::INFINITY;
    if let Err(error) = sinew::step_checked(&model, &mut data) {
        println!("{error}");
    }
    Ok(())
}
