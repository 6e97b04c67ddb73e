//! Builds a gripper in code: a finger, attached twice, compiled, moved, saved.

#![allow(clippy::print_stdout)]

use sinew::mjcf::spec::{Actuator, Equality, Geom, Joint, Spec};
use sinew::{Assets, Data, LoadOptions};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // the model of a finger
    let mut finger = Spec::new("finger");
    let mut link = finger.world().body("link");
    link.add(Joint::slide([1.0, 0.0, 0.0]).name("close").range([0.0, 0.03]).damping(2.0));
    link.add(Geom::cuboid([0.005, 0.01, 0.03]).pos([0.0, 0.0, -0.03]).friction(&[1.5]));
    finger.add(Actuator::position("close", 50.0).name("drive"));

    // a palm with two frames for fingers
    let mut gripper = Spec::new("gripper");
    let mut palm = gripper.world().body("palm").at([0.0, 0.0, 0.3]);
    palm.add(Geom::cuboid([0.05, 0.02, 0.01]));
    palm.add_frame([-0.04, 0.0, 0.0]).named("left");
    let mut right = palm.add_frame([0.04, 0.0, 0.0]).named("right");
    right.element().quat.set([0.0, 0.0, 0.0, 1.0]);
    gripper.attach(&finger, "left", "left_")?;
    gripper.attach(&finger, "right", "right_")?;
    gripper.add(Equality::couple("left_close", "right_close", &[0.0, 1.0]));

    // attached elements have a prefix in their name
    gripper.get_mut::<Joint>("left_close").expect("it was attached").damping.set(4.0);
    let model = gripper.compile(&Assets::new(), &LoadOptions::default())?.model;
    let mut data = Data::new(&model);
    data.ctrl[0] = 0.02;
    while data.time < 0.5 {
        sinew::step(&model, &mut data);
    }
    println!("the fingers have closed by {:.3} m and {:.3} m", data.qpos[0], data.qpos[1]);
    println!("{}", gripper.to_xml(Some(&model)));
    Ok(())
}
