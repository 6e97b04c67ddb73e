//! Models that are built and edited in code.

use sinew_mjcf::spec::{Actuator, Body, Geom, Joint, Sensor, Site, Spec, Tri};
use sinew_mjcf::{Assets, LoadOptions};
use sinew_model::Model;
use sinew_model::enums::JointType;

fn compile(spec: &Spec) -> Model {
    spec.compile(&Assets::new(), &LoadOptions::default()).expect("it compiles").model
}

fn arm() -> Spec {
    let mut spec = Spec::new("arm");
    let upper = spec.world().body("upper").at([0.0, 0.0, 1.0]).hinge("shoulder", [0.0, 1.0, 0.0]);
    let lower = upper.geom(Geom::capsule(0.04, 0.15)).body("lower").at([0.0, 0.0, -0.3]);
    lower.hinge("elbow", [0.0, 1.0, 0.0]).geom(Geom::sphere(0.05)).site("tip", [0.0, 0.0, -0.1]);
    spec.add(Actuator::motor("elbow").name("drive").gear(&[20.0]));
    spec.add(Sensor::new("accelerometer").site("tip"));
    spec
}

#[test]
fn what_is_built_compiles_as_the_same_xml_does() {
    let xml = r#"<mujoco model="arm"><worldbody>
        <body name="upper" pos="0 0 1"><joint name="shoulder" axis="0 1 0"/>
          <geom type="capsule" size=".04 .15"/>
          <body name="lower" pos="0 0 -.3"><joint name="elbow" axis="0 1 0"/>
            <geom size=".05"/><site name="tip" pos="0 0 -.1"/></body></body>
        </worldbody>
        <actuator><motor name="drive" joint="elbow" gear="20"/></actuator>
        <sensor><accelerometer site="tip"/></sensor></mujoco>"#;
    let loaded = sinew_mjcf::load_str(xml, &Assets::new(), &LoadOptions::default());
    assert_eq!(compile(&arm()).to_binary(), loaded.expect("it loads").model.to_binary());
}

#[test]
fn what_is_saved_loads_to_the_same_model() {
    let model = compile(&arm());
    let xml = arm().to_xml(Some(&model));
    let again = sinew_mjcf::load_str(&xml, &Assets::new(), &LoadOptions::default());
    assert_eq!(again.expect("it loads").model.to_binary(), model.to_binary());
}

#[test]
fn alignment_of_a_free_joint_is_saved() {
    let mut spec = Spec::new("free");
    let mut joint = Joint::default();
    joint.type_.set(JointType::Free);
    joint.name.set("root".to_owned());
    joint.align.set(Tri::True);
    let mut geom = Geom::sphere(0.1);
    geom.pos.set([0.2, 0.0, 0.0]);
    spec.world().body("b").at([0.0, 0.0, 1.0]).add(joint).add(geom);
    let model = compile(&spec);
    let xml = spec.to_xml(Some(&model));
    assert!(xml.contains(r#"<freejoint name="root" align="true"/>"#), "{xml}");
    let again = sinew_mjcf::load_str(&xml, &Assets::new(), &LoadOptions::default());
    assert_eq!(again.expect("it loads").model.body_ipos[1], model.body_ipos[1]);
}

#[test]
fn an_error_points_to_the_line_that_made_the_element() {
    let mut spec = Spec::new("wrong");
    let line = line!() + 1;
    spec.world().body("b").geom(Geom::default());
    let error = spec.compile(&Assets::new(), &LoadOptions::default()).expect_err("it has no size");
    let place = error.diagnostics[0].place(&error.sources).expect("it has a place");
    assert!(place.file.ends_with("editing.rs"), "{}", place.file);
    assert_eq!(place.line, line as usize);
    assert!(error.to_string().contains("editing.rs"), "{error}");
}

#[test]
fn elements_are_found_changed_and_listed() {
    let mut spec = arm();
    spec.get_mut::<Joint>("elbow").expect("it is there").damping.set(3.0.into());
    spec.body("lower").expect("it is there").add(Geom::sphere(0.01).name("knob"));
    let names: Vec<&str> = spec.all::<Body>().iter().map(|b| b.name.text()).collect();
    assert_eq!(names, ["upper", "lower"]);
    assert_eq!(spec.all::<Geom>().len(), 3);
    assert!(spec.get::<Geom>("knob").is_some() && spec.get::<Geom>("none").is_none());
    assert_eq!(compile(&spec).dof_damping.to_vec(), [0.0, 3.0]);
}

#[test]
fn attaching_brings_what_refers_to_the_tree_under_new_names() {
    let mut robot = Spec::new("robot");
    robot.world().body("base").geom(Geom::cuboid([0.1; 3])).site("mount", [0.2, 0.0, 0.0]);
    robot.attach(&arm(), "base", "left_").expect("it fits");
    let naming = sinew_mjcf::Naming { prefix: "", suffix: "_right" };
    robot.attach(&arm(), "mount", naming).expect("it fits");
    let model = compile(&robot);
    assert_eq!((model.nbody, model.nu, model.nsensor), (6, 2, 2));
    assert!(robot.get::<Actuator>("left_drive").is_some());
    assert!(robot.get::<Body>("lower_right").is_some());
    assert!(robot.attach(&arm(), "nowhere", "x_").is_err());
    // the same names again cannot be
    assert!(robot.attach(&arm(), "base", "left_").is_err() || robot.compile_fails());
}

trait Fails {
    fn compile_fails(&self) -> bool;
}

impl Fails for Spec {
    fn compile_fails(&self) -> bool {
        self.compile(&Assets::new(), &LoadOptions::default()).is_err()
    }
}

#[test]
fn detaching_takes_what_refers_to_the_body() {
    let mut spec = arm();
    let lower = spec.detach("lower").expect("it is there");
    assert_eq!(lower.name.text(), "lower");
    assert!(spec.actuators.is_empty() && spec.sensors.is_empty());
    assert_eq!(compile(&spec).nq, 1);
    assert!(spec.detach("lower").is_none());
}

#[test]
fn identities_live_through_renaming_attaching_detaching_and_deleting() {
    let mut spec = arm();
    let knob = spec.body("lower").expect("it is there").add_geom(Geom::sphere(0.01));
    let (drive, tip) = (spec.id::<Actuator>("drive"), spec.id::<Site>("tip"));
    let (drive, tip) = (drive.expect("it is there"), tip.expect("it is there"));
    assert_eq!(spec.id::<Site>("tip").expect("it is there"), tip);

    spec.get_mut::<Site>("tip").expect("it is there").name.set("end".to_owned());
    spec.get_mut::<Sensor>("").expect("it is there").site.set("end".to_owned());
    spec.attach(&spec.clone(), "upper", "copy_").expect("it fits");
    spec.detach("copy_lower").expect("it was attached");
    let other = spec.insert(Actuator::motor("shoulder"));
    assert!(spec.delete(other).is_some() && spec.delete(other).is_none());

    assert_eq!(spec.at(tip).expect("it is there").name.text(), "end");
    assert_eq!(spec.at(drive).expect("it is there").name.text(), "drive");
    spec.at_mut(knob).expect("it is there").mass.set(7.0);
    assert_eq!(compile(&spec).geom_bodyid.len(), spec.all::<Geom>().len());
    assert_eq!(spec.all::<Geom>().iter().filter(|g| g.mass.get() == Some(&7.0)).count(), 1);
}

#[test]
fn copies_have_identities_of_their_own() {
    let mut spec = arm();
    let tip = spec.id::<Site>("tip").expect("it is there");
    spec.attach(&spec.clone(), "upper", "copy_").expect("it fits");
    let copy = spec.id::<Site>("copy_tip").expect("it was attached");
    assert_ne!(copy, tip);
    assert!(spec.delete(tip).is_some() && spec.at(copy).is_some() && spec.at(tip).is_none());

    // a body that was taken out and put in again is another one
    let lower = spec.id::<Body>("copy_lower").expect("it was attached");
    let body = spec.delete(lower).expect("it is there");
    let again = spec.world().insert(body);
    assert!(spec.at(lower).is_none() && spec.at(copy).is_none() && spec.at(again).is_some());
}

#[test]
fn deleting_a_body_takes_what_refers_to_it() {
    let mut spec = arm();
    let lower = spec.id::<Body>("lower").expect("it is there");
    assert_eq!(spec.delete(lower).expect("it is there").name.text(), "lower");
    assert!(spec.actuators.is_empty() && spec.sensors.is_empty());
    assert!(spec.at(lower).is_none() && spec.body("lower").is_err());
}

#[test]
fn what_is_put_into_a_body_has_its_class() {
    let xml = r#"<mujoco><default><default class="soft"><geom solmix="3"/>
        <default class="heavy"><geom density="5"/></default></default></default>
        <worldbody><body name="b" childclass="soft"><frame name="f"/></body></worldbody></mujoco>"#;
    let read = Spec::parse_str(xml, &Assets::new(), &LoadOptions::default());
    let mut spec = read.expect("it reads").0;
    spec.body("b").expect("it is there").add_geom(Geom::sphere(0.1));
    spec.frame("f").expect("it is there").add_geom(Geom::sphere(0.1));
    let heavy = spec.world().add_geom(Geom::sphere(0.1));
    spec.set_class(heavy, "heavy").expect("there is one");
    spec.add_class("dense", "heavy").expect("it is new").geom.density.set(9.0);
    let body = spec.world().body("c").childclass("dense").expect("there is one");
    body.geom(Geom::sphere(0.1));
    let model = compile(&spec);
    assert_eq!(model.geom_solmix.to_vec(), [3.0; 4]);
    let volume = 4.0 / 3.0 * core::f64::consts::PI * 1e-3;
    let close = |body: usize, density: f64| {
        let mass = model.body_mass.to_vec()[body];
        assert!((mass - density * volume).abs() < 1e-9, "{body}: {mass}");
    };
    close(1, 2000.0);
    close(2, 9.0);
}

#[track_caller]
fn check_suggestion<T>(result: Result<T, sinew_mjcf::diag::Error>, words: &str) {
    let error = result.err().expect("there is none of this name").to_string();
    assert!(error.contains(words), "{error}");
}

#[test]
fn unknown_names_are_errors_with_suggestions() {
    let mut spec = arm();
    check_suggestion(spec.body("uper").map(drop), "did you mean 'upper'?");
    check_suggestion(spec.frame("f").map(drop), "there is no frame 'f'");
    check_suggestion(spec.id::<Joint>("elbo").map(drop), "did you mean 'elbow'?");
    check_suggestion(spec.class("mian").map(drop), "did you mean 'main'?");
    check_suggestion(spec.add_class("new", "old").map(drop), "there is no default class 'old'");
    check_suggestion(spec.add_class("main", "main").map(drop), "repeated default class name");
    check_suggestion(spec.world().childclass("none").map(drop), "there is no default class 'none'");
}
