//! Edits a model in code: finds elements, adds, changes class, deletes, and compiles after each.

#![allow(clippy::print_stdout)]

use sinew::mjcf::spec::{Actuator, Body, Geom, Joint, Light, Sensor, Site};
use sinew::{Assets, LoadOptions, Spec};

const ARM: &str = r#"<mujoco model="arm">
    <worldbody>
        <body name="upper" pos="0 0 1">
            <joint name="shoulder" axis="0 1 0"/>
            <geom type="capsule" fromto="0 0 0 0 0 -0.3" size="0.04"/>
            <body name="lower" pos="0 0 -0.3">
                <joint name="elbow" axis="0 1 0"/>
                <geom name="forearm" type="capsule" fromto="0 0 0 0 0 -0.25" size="0.03"/>
            </body>
        </body>
    </worldbody>
</mujoco>"#;

fn main() -> sinew::Result<()> {
    let (mut spec, _) = Spec::parse_str(ARM, &Assets::new(), &LoadOptions::default())?;

    // an addition returns the id of the element
    let mut lower = spec.body("lower")?;
    let hand = lower.add_geom(Geom::sphere(0.05).pos([0.0, 0.0, -0.3]));
    let tip = lower.add_site(Site::default().name("tip").pos([0.0, 0.0, -0.35]));
    spec.world().add_light(Light::default().pos([0.0, 0.0, 3.0]));
    let motor = spec.insert(Actuator::motor("elbow").gear(&[20.0]));
    spec.insert(Sensor::new("accelerometer").site("tip"));

    // an identity outlives names and other edits
    spec.at_mut(tip).expect("it was added").name.set("fingertip".to_owned());
    spec.get_mut::<Sensor>("").expect("it was added").site.set("fingertip".to_owned());
    spec.at_mut(hand).expect("it was added").mass.set(0.4);
    let model = compile(&spec)?;
    assert_eq!((model.nu, model.nsensor, model.nlight), (1, 1, 1));

    // default classes
    spec.class("main")?.joint.damping.set(0.5.into());
    spec.add_class("stiff", "main")?.joint.stiffness.set(30.0.into());
    let elbow = spec.id::<Joint>("elbow")?;
    spec.set_class(elbow, "stiff")?;
    let model = compile(&spec)?;
    assert_eq!(model.dof_damping.to_vec(), [0.5, 0.5]);
    assert_eq!(model.jnt_stiffness.to_vec(), [0.0, 30.0]);

    // a frame moves its contents, and an attached model has a prefix before its names
    let mut upper = spec.body("upper")?;
    upper.add_frame([0.1, 0.0, 0.0]).named("mount").add_geom(Geom::cuboid([0.02; 3]));
    let tool = Spec::parse_str(ARM, &Assets::new(), &LoadOptions::default())?.0;
    spec.attach(&tool, "mount", "tool_")?;
    assert_eq!(compile(&spec)?.nbody, 5);

    // a motor is removed by itself, a body with the elements that refer to it
    assert!(spec.delete(motor).is_some());
    let lower = spec.id::<Body>("lower")?;
    let taken = spec.delete(lower).expect("it is there");
    println!("{} was taken out with {} elements", taken.name.text(), taken.children.len());
    let model = compile(&spec)?;
    assert_eq!((model.nbody, model.nu, model.nsensor), (4, 0, 0));

    // a wrong name is an error that knows a better one
    let error = spec.body("uper").expect_err("there is none of this name");
    println!("{error}");
    Ok(())
}

fn compile(spec: &Spec) -> sinew::Result<sinew::Model> {
    Ok(spec.compile(&Assets::new(), &LoadOptions::default())?.model)
}

#[test]
fn the_example_runs() {
    main().expect("all of it is right");
}
