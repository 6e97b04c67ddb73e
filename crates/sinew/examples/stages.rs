//! One stage at a time: all quantities can be read and changed between two stages.
// the program prints to stdout; the libraries do not
#![allow(clippy::print_stdout)]

use sinew::{Data, engine};

fn main() -> sinew::Result<()> {
    let m = sinew::load(concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/double_pendulum.xml"))?;
    let mut d = Data::new(&m);
    sinew::reset_data_keyframe(&m, &mut d, m.key("moving")?.idx());

    engine::kinematics(&m, &mut d);
    println!("end of the lower link: {:?}", d.site_xpos[m.site("end")?]);
    engine::com_pos(&m, &mut d);
    println!("centre of mass:        {:?}", d.subtree_com[0]);
    engine::make_m(&m, &mut d);
    println!("mass matrix:           {:?}", d.M);

    sinew::forward(&m, &mut d);
    println!("bias forces:           {:?}", d.qfrc_bias);
    println!("acceleration:          {:?}", d.qacc);
    Ok(())
}
