//! The Jacobian of a site, and the joint torques that hold a weight at it.
// the program prints to stdout; the libraries do not
#![allow(clippy::print_stdout)]

use sinew::{Data, Vec3, engine};

fn main() -> sinew::Result<()> {
    let m = sinew::load(concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/arm.xml"))?;
    let mut d = Data::new(&m);
    sinew::reset_data_keyframe(&m, &mut d, m.key("reach")?.idx());
    sinew::forward(&m, &mut d);

    // torques = Jᵀ force
    let tool = m.site("tool")?;
    let weight = Vec3::new(0.0, 0.0, -9.81);
    let mut torques = vec![0.0; m.nv];
    engine::apply_ft(
        &m,
        &d,
        weight,
        Vec3::ZERO,
        d.site_xpos[tool],
        m.site_bodyid[tool],
        &mut torques,
    );
    println!("1 kg at the tool: {torques:.3?} N m");
    Ok(())
}
