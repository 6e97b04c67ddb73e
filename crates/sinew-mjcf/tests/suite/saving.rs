//! A model saved as XML loads back to the same model.

use std::path::Path;

use sinew_mjcf::spec::Spec;
use sinew_mjcf::{Assets, LoadOptions};
use sinew_model::Model;

/// The model before and after saving and loading; `dir` is the folder of its files.
#[track_caller]
fn round_trip(spec: &Spec, assets: &Assets) -> (Model, Model) {
    let opts = LoadOptions::default();
    let model = spec.compile(assets, &opts).unwrap_or_else(|e| panic!("{e}")).model;
    let xml = spec.to_xml(Some(&model));
    let (mut again, _) =
        Spec::parse_str(&xml, assets, &opts).unwrap_or_else(|e| panic!("{e}\n{xml}"));
    again.scopes[0].dir = spec.scopes[0].dir.clone();
    let again = again.compile(assets, &opts).unwrap_or_else(|e| panic!("{e}\n{xml}")).model;
    (model, again)
}

#[track_caller]
fn check_same(a: &Model, b: &Model) {
    assert_eq!(differing(a, b), Vec::<&str>::new());
    assert_eq!(a.geom_solreffriction, b.geom_solreffriction);
}

/// The fields that are not the same.
fn differing(a: &Model, b: &Model) -> Vec<&'static str> {
    let mut differ = Vec::new();
    a.for_each_field(|field| {
        let other = b.field(field.info.name).unwrap();
        if field.bytes != other.bytes {
            differ.push(field.info.name);
        }
    });
    differ
}

#[track_caller]
fn check(xml: &str, assets: &Assets) {
    let opts = LoadOptions::default();
    let (spec, _) = Spec::parse_str(xml, assets, &opts).unwrap_or_else(|e| panic!("{e}"));
    let (a, b) = round_trip(&spec, assets);
    check_same(&a, &b);
}

/// Instances of attached models have MuJoCo's numbers, which depend on the order of attaching. A
/// saved file cannot express it; MuJoCo cannot read its own file of that model.
const NUMBERS_OF_PLUGINS: [&str; 9] = [
    "body_plugin",
    "actuator_plugin",
    "sensor_plugin",
    "plugin",
    "plugin_attr",
    "plugin_attradr",
    "name_pluginadr",
    "names",
    "names_map",
];

#[test]
fn every_model_of_the_repository_survives_saving() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
    let mut open = vec![folder];
    let mut count = 0;
    while let Some(dir) = open.pop() {
        for entry in std::fs::read_dir(dir).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|e| e == "xml" || e == "urdf") {
                let Ok((spec, _)) = Spec::load(&path, &LoadOptions::default()) else { continue };
                let (a, b) = round_trip(&spec, &Assets::new());
                let mut differ = differing(&a, &b);
                if path.ends_with("features/plugin_attach.xml") {
                    differ.retain(|field| !NUMBERS_OF_PLUGINS.contains(field));
                }
                assert_eq!(differ, Vec::<&str>::new(), "{}", path.display());
                count += 1;
            }
        }
    }
    assert!(count > 8, "only {count} models");
}

#[test]
fn classes_of_all_kinds_survive_saving() {
    check(
        "<mujoco model='a &amp; b'><compiler eulerseq='zyx'/>\
         <default><joint damping='1'/><motor gear='7'/><position kp='50'/>\
         <default class='k'><geom size='.2' euler='10 20 30' friction='.5' \
         solreffriction='.05 1'/><joint range='-10 10'/>\
         <velocity kv='3'/><camera fovy='50'/><light directional='true'/>\
         <default class='l'><motor ctrlrange='-1 1'/></default></default></default>\
         <worldbody><light/><body childclass='k' pos='0 0 1'><joint name='j'/><geom/>\
         <geom friction='1 2' quat='0 1 0 0'/><camera sensorsize='1 1' resolution='8 8'/>\
         <light type='spot'/><frame axisangle='0 0 1 30'><site name='s'/></frame></body>\
         </worldbody>\
         <actuator><motor joint='j'/><position class='k' joint='j'/><general class='l' joint='j'/>\
         <velocity joint='j' class='l'/></actuator>\
         <tendon><fixed><joint joint='j' coef='2'/></fixed></tendon>\
         <sensor><jointpos joint='j' name='&lt;'/></sensor></mujoco>",
        &Assets::new(),
    );
}

#[test]
fn attached_models_in_other_units_are_saved_in_their_own() {
    let child = "<mujoco model='c'><compiler angle='radian' eulerseq='XYZ'/><worldbody>\
        <body name='b' euler='.1 .2 .3'><joint name='h' ref='.1' range='-1 1'/>\
        <geom size='.1' zaxis='1 1 1'/></body></worldbody>\
        <keyframe><key name='k' qpos='.5'/></keyframe></mujoco>";
    let assets: Assets = [("c.xml", child)].into_iter().collect();
    check(
        "<mujoco><asset><model name='c' file='c.xml'/></asset><worldbody>\
         <body euler='0 0 90'><joint range='-90 90' ref='10' springref='20'/><geom size='.1'/>\
         <attach model='c' body='b' prefix='p_'/></body>\
         <replicate count='3' offset='1 0 0' euler='0 0 7'><geom size='.1'/></replicate>\
         </worldbody></mujoco>",
        &assets,
    );
}

#[test]
fn an_inertia_that_an_attached_model_balances_is_saved_balanced() {
    let xml = "<mujoco><asset><model name='c' file='c.xml'/></asset><worldbody>\
         <attach model='c' prefix='p'/></worldbody></mujoco>";
    for inertia in ["diaginertia='1 1 5'", "fullinertia='1 1 5 0 .1 0'"] {
        let child = format!(
            "<mujoco model='c'><compiler balanceinertia='true'/><worldbody><body><freejoint/>\
             <inertial pos='0 0 0' mass='1' {inertia}/></body></worldbody></mujoco>"
        );
        let assets: Assets = [("c.xml", child)].into_iter().collect();
        let (spec, _) = Spec::parse_str(xml, &assets, &LoadOptions::default()).unwrap();
        let (was, is) = round_trip(&spec, &assets);
        for m in [was, is] {
            let found = m.body_inertia.iter().next_back().unwrap();
            for i in [found.x, found.y, found.z] {
                assert!((i - 7.0 / 3.0).abs() < 1e-12, "{inertia}: {found:?}");
            }
        }
    }
}

#[test]
fn instances_of_a_plugin_that_is_declared_twice_are_saved_once() {
    check(
        "<mujoco><extension><plugin plugin='mujoco.elasticity.cable'/></extension>\
         <extension><plugin plugin='mujoco.elasticity.cable'/></extension><worldbody>\
         <composite type='cable' curve='s' count='4 1 1' size='.3'>\
         <plugin plugin='mujoco.elasticity.cable'><config key='twist' value='1e6'/></plugin>\
         <geom type='capsule' size='.01'/></composite></worldbody></mujoco>",
        &Assets::new(),
    );
}

#[test]
fn numbers_too_small_to_be_read_are_saved_as_zero() {
    let xml = "<mujoco><worldbody><flexcomp name='f' type='direct' dim='1' mass='1' \
               point='0 0 0  1e-300 1 0  0 2 0' element='0 1 1 2' scale='1e-14 1 1'/></worldbody></mujoco>";
    let assets = Assets::new();
    let (spec, _) = Spec::parse_str(xml, &assets, &LoadOptions::default()).unwrap();
    let (model, again) = round_trip(&spec, &assets);
    assert!(model.body_pos.iter().any(|pos| pos.x != 0.0));
    assert!(again.body_pos.iter().all(|pos| pos.x == 0.0));
}

#[test]
fn names_with_spaces_in_a_list_of_names_survive_saving() {
    for name in ["a b", "  ", "it's a", "'", "'a", "a '' b'", "'a b'", "' '"] {
        let xml = format!(
            r#"<mujoco><worldbody>
              <flexcomp name="{name}" type="grid" count="3 1 1" spacing=".1 .1 .1" dim="1" mass="1"/>
            </worldbody></mujoco>"#
        );
        check(&xml, &Assets::new());
    }
}
