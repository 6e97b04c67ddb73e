//! What goes wrong says where, and what was probably meant.
// a program talks to its user on stdout; the libraries never do
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
    // a model with two faults: both are reported
    let strict = LoadOptions { strict: true, ..LoadOptions::default() };
    if let Err(error) = sinew::load_str_with(MODEL, &sinew::Assets::new(), &strict) {
        println!("{error}");
    }

    // a name that does not exist
    let model = sinew::load(concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/arm.xml"))?;
    if let Err(error) = model.body("hnad") {
        println!("{error}");
    }

    // a state that has gone bad
    let mut data = Data::new(&model);
    data.qvel[3] = f64::INFINITY;
    if let Err(error) = sinew::step_checked(&model, &mut data) {
        println!("{error}");
    }
    Ok(())
}
