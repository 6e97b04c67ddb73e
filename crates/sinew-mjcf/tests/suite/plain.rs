//! Models as tags and values: nothing is lost, and a wrong type is an error that names it.

use sinew_mjcf::plain::{Plain, PlainModel};
use sinew_mjcf::spec::Spec;
use sinew_mjcf::spec::datum::Datum;
use sinew_mjcf::{Assets, LoadOptions};

const MODEL: &str = r#"<mujoco>
    <compiler angle="radian"/>
    <option integrator="RK4" gravity="0 0 -1"><flag energy="enable"/></option>
    <worldbody>
        <camera name="eye" output="rgb depth" resolution="4 3"/>
        <body name="b" pos="0.1 0.2 1e-3">
            <joint name="j" type="slide" range="-1 1" limited="true" springdamper="0 0"/>
            <geom name="g" type="box" size=".1 .2 .3" friction="0.5" rgba=".1 .2 .3 1" user="1 2"/>
        </body>
    </worldbody>
    <tendon><fixed name="t" springlength="0.3"><joint joint="j" coef="2"/></fixed></tendon>
    <actuator><position name="a" joint="j" kp="3"/></actuator>
    <sensor><jointpos name="s" joint="j" noise=".1"/></sensor>
</mujoco>"#;

fn plain() -> PlainModel {
    let spec = Spec::parse_str(MODEL, &Assets::new(), &LoadOptions::default());
    spec.expect("it reads").0.to_plain().expect("it expands")
}

/// The first element of a tag.
fn find<'p>(parts: &'p mut [Plain], tag: &str) -> Option<&'p mut Plain> {
    for part in parts {
        if part.tag == tag {
            return Some(part);
        }
        if let Some(found) = find(&mut part.children, tag) {
            return Some(found);
        }
    }
    None
}

#[test]
fn values_have_the_types_of_their_attributes() {
    let mut model = plain();
    let mut value = |tag: &str, name: &str| {
        find(&mut model.parts, tag).expect("it is there").attr(name).cloned()
    };
    assert_eq!(value("body", "pos"), Some(Datum::Reals(vec![0.1, 0.2, 1e-3])));
    assert_eq!(value("geom", "type"), Some(Datum::Integer(6)));
    assert_eq!(value("geom", "friction"), Some(Datum::Reals(vec![0.5])));
    assert_eq!(value("geom", "rgba"), Some(Datum::Singles(vec![0.1, 0.2, 0.3, 1.0])));
    assert_eq!(value("joint", "limited"), Some(Datum::Integer(1)));
    assert_eq!(value("camera", "output"), Some(Datum::Integer(3)));
    assert_eq!(value("camera", "resolution"), Some(Datum::Integers(vec![4, 3])));
    assert_eq!(value("fixed", "springlength"), Some(Datum::Reals(vec![0.3; 2])));
    assert_eq!(value("sensor/jointpos", "joint"), Some(Datum::Text("j".into())));
    assert_eq!(value("sensor/jointpos", "noise"), Some(Datum::Real(0.1)));
}

#[test]
fn a_model_of_values_compiles_as_the_one_it_came_from() {
    let compile = |spec: &Spec| {
        let loaded = spec.compile(&Assets::new(), &LoadOptions::default());
        loaded.expect("it compiles").model.to_binary()
    };
    let spec = Spec::parse_str(MODEL, &Assets::new(), &LoadOptions::default());
    // an actuator shortcut stays what it is for callers, who resolve it
    let mut model = plain();
    let servo = find(&mut model.parts, "position").expect("it is there");
    servo.tag = "general".into();
    servo.attrs.retain(|(name, _)| name != "kp");
    servo.attrs.push(("gainprm".into(), Datum::Reals(vec![3.0])));
    servo.attrs.push(("biastype".into(), Datum::Integer(1)));
    servo.attrs.push(("biasprm".into(), Datum::Reals(vec![0.0, -3.0])));
    let again = Spec::from_plain(&model).expect("the values fit");
    assert_eq!(compile(&again), compile(&spec.expect("it reads").0));
}

#[track_caller]
fn check_wrong(tag: &str, name: &'static str, value: Datum, words: &str) {
    let mut model = plain();
    find(&mut model.parts, tag).expect("it is there").attrs.insert(0, (name.into(), value));
    let error = Spec::from_plain(&model).expect_err("the value does not fit").to_string();
    assert!(error.contains(&format!("attribute '{name}' of {tag}: {words}")), "{error}");
}

#[test]
fn wrong_values_are_errors_that_name_the_attribute() {
    check_wrong("body", "pos", Datum::Reals(vec![1.0]), "wanted 3 numbers, not 1");
    check_wrong("geom", "size", Datum::Reals(vec![1.0; 4]), "wanted at most 3 numbers");
    check_wrong("geom", "type", Datum::Integer(99), "invalid keyword '99'");
    check_wrong("geom", "group", Datum::Real(0.5), "'0.5' is not a number");
    check_wrong("geom", "mass", Datum::Texts(vec!["a".into()]), "wanted numbers");
    check_wrong("geom", "material", Datum::Real(1.0), "wanted a text");
}
