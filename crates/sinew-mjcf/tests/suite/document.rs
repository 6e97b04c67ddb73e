//! Elements of edited models as records: nothing is lost, and a wrong number is an error.

use sinew_mjcf::document::{Builder, Fields, Given, Passed, Reader, Record, Row};
use sinew_mjcf::spec::datum::Datum;
use sinew_mjcf::spec::{Child, Spec};
use sinew_mjcf::{Assets, LoadOptions};
use sinew_model::options::{Options, Visual};

const MODEL: &str = r#"<mujoco>
    <compiler angle="radian"/>
    <default><geom friction="0.5"/><default class="c"><joint damping="2"/></default></default>
    <worldbody>
        <camera name="eye" output="rgb depth" resolution="4 3"/>
        <body name="b" pos="0.1 0.2 1e-3" childclass="c">
            <inertial mass="2" pos="0 0 .1" diaginertia="1 1 1"/>
            <joint name="j" type="slide" range="-1 1" limited="true" springdamper="0 0"/>
            <geom name="g" type="box" size=".1 .2 .3" rgba=".1 .2 .3 1" user="1 2" euler="0 0 1"/>
        </body>
    </worldbody>
    <tendon><fixed name="t" springlength="0.3"><joint joint="j" coef="2"/></fixed></tendon>
    <equality><joint name="e" joint1="j" polycoef="1 0 2"/></equality>
    <actuator><position name="a" joint="j" kp="3"/></actuator>
    <sensor><jointpos name="s" joint="j" noise=".1"/></sensor>
    <keyframe><key name="k" qpos="1"/></keyframe>
</mujoco>"#;

fn reader() -> Reader {
    let spec = Spec::parse_str(MODEL, &Assets::new(), &LoadOptions::default());
    Reader::new(&spec.expect("it reads").0).expect("it expands").expect("its values fit")
}

fn given(record: &Record) -> Given<'_> {
    Given { record, class: Some(0), scope: 0, mark: 1 }
}

/// The contents of a body, by way of records.
fn children(
    reader: &mut Reader,
    builder: &mut Builder,
    list: &[Child],
    body: &mut Record,
) -> Vec<Child> {
    let mut out = Vec::new();
    for child in list {
        match child {
            Child::Body(e) => {
                let mut record = reader.body(e);
                let inner = children(reader, builder, &e.children, &mut record);
                let mut made = builder.body(&given(&record)).expect("a body");
                made.children.extend(inner);
                out.push(Child::Body(made));
            }
            Child::Inertial(e) => sinew_mjcf::document::say_inertial(body, e),
            child => {
                let (record, _) = reader.leaf(child).expect("an element");
                out.push(builder.leaf(&given(&record)).expect("an element"));
            }
        }
    }
    out
}

/// The model by way of records.
fn again() -> Spec {
    let mut reader = reader();
    let model = reader.spec.clone();
    let settings = reader.settings(&model).expect("sizes");
    let mut builder = Builder::new(&settings);
    let options = (&Options::default(), Vec::new());
    builder.settings(&given(&settings), options, &Visual::default()).expect("settings");
    let compiler = reader.compiler(&model.scopes[0]);
    builder.scope(&given(&compiler), false, Vec::new(), "".into()).expect("a scope");
    for class in reader.classes.clone() {
        let says: Vec<_> = class.records.iter().filter(|r| r.says_anything()).map(given).collect();
        builder.class(&class.name, class.parent, &says).expect("a class");
    }
    let mut world = reader.body(&model.world);
    let inside = children(&mut reader, &mut builder, &model.world.children, &mut world);
    builder.world(&given(&world), inside);
    let path = [Passed {
        kind: sinew_mjcf::spec::WrapTag::Joint,
        target: "j".to_owned(),
        side: String::new(),
        number: 2.0,
        mark: 0,
    }];
    let records = [
        reader.equality(&model.equalities[0]),
        reader.tendon(&model.tendons[0]),
        reader.actuator(&model.actuators[0]).expect("an actuator"),
        reader.sensor(&model.sensors[0]),
        reader.key(&model.keys[0]),
    ];
    for record in &records {
        builder.listed(&given(record), &path, &|_, _| true).expect("an element");
    }
    builder.finish().expect("the values fit")
}

#[test]
fn a_model_of_records_compiles_as_the_one_it_came_from() {
    let compile = |spec: &Spec| {
        let loaded = spec.compile(&Assets::new(), &LoadOptions::default());
        loaded.expect("it compiles").model.to_binary()
    };
    let spec = Spec::parse_str(MODEL, &Assets::new(), &LoadOptions::default());
    assert_eq!(compile(&again()), compile(&spec.expect("it reads").0));
}

#[test]
fn elements_say_what_their_classes_say() {
    let mut reader = reader();
    let model = reader.spec.clone();
    let Child::Body(body) = &model.world.children[1] else { panic!("the body is second") };
    let (joint, _) = reader.leaf(&body.children[1]).expect("a joint");
    assert_eq!(joint.numbers("damping"), [2.0, 0.0, 0.0]);
    assert_eq!((joint.name.as_str(), joint.class.as_str()), ("j", "c"));
    let (geom, _) = reader.leaf(&body.children[2]).expect("a geom");
    assert_eq!(geom.numbers("friction"), [0.5, 0.005, 0.0001]);
    assert_eq!(geom.text("info"), "line 9");
    let alt = geom.part_of("alt").expect("it has an orientation");
    assert_eq!((alt.integer("type"), alt.numbers("euler")), (4, vec![0.0, 0.0, 1.0]));
    let servo = reader.actuator(&model.actuators[0]).expect("an actuator");
    assert_eq!(servo.numbers("biasprm")[..2], [0.0, -3.0]);
    assert_eq!((servo.text("target"), servo.integer("trntype")), ("j", 0));
}

#[test]
fn rows_keep_their_place_and_copies_have_their_own() {
    let fields = Fields::of("geom").expect("a kind");
    let mut geom = Record::new(fields);
    let pos = fields.index("pos").expect("an attribute");
    let row = geom.row(pos).expect("three numbers").clone();
    let copy = geom.clone();
    geom.set(pos, Datum::Reals(vec![1.0, 2.0]));
    let Row::Reals(numbers) = &row else { panic!("numbers of eight bytes") };
    let seen =
        numbers.iter().map(|x| f64::from_bits(x.load(core::sync::atomic::Ordering::Relaxed)));
    assert_eq!(seen.collect::<Vec<_>>(), [1.0, 2.0, 0.0]);
    assert_eq!(copy.numbers("pos"), [0.0; 3]);
    geom.assign(&copy);
    assert_eq!(geom.row(pos).map(Row::count), Some(3));
    assert_eq!(geom.numbers("pos"), [0.0; 3]);
}

#[track_caller]
fn check_wrong(kind: &str, name: &str, number: i32, words: &str) {
    let mut record = Record::new(Fields::of(kind).expect("a kind"));
    record.put(name, number);
    let mut builder = Builder::new(&Record::new(Fields::of("spec").expect("a kind")));
    let made = match kind {
        "joint" | "geom" => builder.leaf(&given(&record)).map(drop),
        _ => builder.listed(&given(&record), &[], &|_, _| false),
    };
    assert_eq!(made, Err(words.to_owned()));
}

#[test]
fn numbers_that_are_no_keywords_are_errors() {
    check_wrong("joint", "type", 77, "invalid type in joint");
    check_wrong("geom", "type", 9, "invalid type in geom");
    check_wrong("equality", "type", 9, "invalid type in equality constraint");
    check_wrong("actuator", "trntype", 9, "invalid transmission type in actuator");
    check_wrong("sensor", "type", -1, "invalid type in sensor");
    check_wrong("sensor", "type", 0, "invalid type in sensor");
}
