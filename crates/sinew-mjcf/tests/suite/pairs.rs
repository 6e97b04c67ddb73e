//! `<contact>`: explicit pairs and excluded bodies as they are compiled.

use crate::common::{close, extension, model, rejected, try_load};
use sinew_mjcf::LoadOptions;
use sinew_model::Model;

/// Two free spheres, the first with attributes, and the contents of `<contact>`.
fn scene(contact: &str, geom: &str) -> String {
    format!(
        "<mujoco><worldbody><body name='A'><freejoint/><geom name='a' size='.1' {geom}/></body>\
         <body name='B' pos='0 0 .19'><freejoint/><geom name='b' size='.1'/></body></worldbody>\
         <contact>{contact}</contact></mujoco>"
    )
}

#[track_caller]
fn pair(attributes: &str) -> Model {
    model(&scene(&format!("<pair geom1='a' geom2='b' {attributes}/>"), ""))
}

#[test]
fn excludes_do_not_care_for_order() {
    let signature = |contact| model(&scene(contact, "")).exclude_signature[0];
    let ab = signature("<exclude body1='A' body2='B'/>");
    assert_eq!(ab, signature("<exclude body1='B' body2='A'/>"));
    assert_eq!(ab, (1 << 16) + 2);
}

#[test]
fn what_is_written_is_stored() {
    let m = pair("condim='1' friction='.8 .7 .01 .001 .002' margin='.1' gap='.05'");
    assert_eq!((m.pair_dim[0], m.pair_friction[0]), (1, [0.8, 0.7, 0.01, 0.001, 0.002]));
    assert_eq!((m.pair_margin[0], m.pair_gap[0]), (0.1, 0.05));
    let m = pair("solref='.05 .8' solimp='.85 .9 .002 .4 1.5'");
    assert_eq!((m.pair_solref[0], m.pair_solimp[0]), ([0.05, 0.8], [0.85, 0.9, 0.002, 0.4, 1.5]));
    assert_eq!(m.pair_solreffriction[0], [0.0, 0.0]);
}

/// A geom unlike the defaults in everything a pair can take from it.
const UNLIKE: &str = "condim='4' friction='.3 .2 .1' solref='.05 .7' solimp='.8 .9 .01 .4 3' \
                      margin='.01' gap='.005'";

#[test]
fn what_is_not_written_does_not_come_from_the_geoms() {
    let m = model(&scene("<pair geom1='a' geom2='b'/>", UNLIKE));
    assert_eq!((m.pair_dim[0], m.pair_friction[0]), (3, [1.0, 1.0, 0.005, 0.0001, 0.0001]));
    assert_eq!((m.pair_solref[0], m.pair_solimp[0]), ([0.02, 1.0], [0.9, 0.95, 0.001, 0.5, 2.0]));
    assert_eq!((m.pair_margin[0], m.pair_gap[0]), (0.0, 0.0));
}

#[test]
fn what_is_not_written_comes_from_the_geoms_if_asked_for() {
    let opts = LoadOptions { pair_from_geoms: true, ..LoadOptions::default() };
    let xml = scene("<pair geom1='a' geom2='b'/>", UNLIKE);
    let m = try_load(&xml, &opts).unwrap_or_else(|e| panic!("{e}")).model;
    assert_eq!(m.pair_dim[0], 4);
    close(&m.pair_friction[0], &[1.0, 1.0, 0.2, 0.1, 0.1], 1e-15);
    close(&m.pair_solref[0], &[0.035, 0.85], 1e-15);
    close(&m.pair_solimp[0], &[0.85, 0.925, 0.0055, 0.45, 2.5], 1e-15);
    close(&[m.pair_margin[0] - m.pair_gap[0]], &[0.005], 1e-15);
    let both = xml.replace("name='b' size='.1'", "name='b' size='.1' margin='.03' gap='.02'");
    let m = try_load(&both, &opts).unwrap_or_else(|e| panic!("{e}")).model;
    close(&[m.pair_margin[0], m.pair_gap[0]], &[0.04, 0.025], 1e-15);
}

#[test]
fn geoms_have_reference_parameters_of_friction() {
    let xml = scene("<pair geom1='a' geom2='b'/>", "solreffriction='.05'");
    let m = extension(&xml, "unrecognized attribute: 'solreffriction'");
    assert_eq!(m.geom_solreffriction, [[0.05, 0.0], [0.0; 2]]);

    // a pair has them only if it takes the values of its geoms
    assert_eq!(m.pair_solreffriction[0], [0.0; 2]);
    let opts = LoadOptions { pair_from_geoms: true, ..LoadOptions::default() };
    let m = try_load(&xml, &opts).unwrap_or_else(|e| panic!("{e}")).model;
    assert_eq!(m.pair_solreffriction[0], [0.05, 0.0]);
}

#[test]
fn partial_arrays_overwrite_positions() {
    assert_eq!(pair("friction='.5'").pair_friction[0], [0.5, 1.0, 0.005, 0.0001, 0.0001]);
    let m = pair("solref='.5' solimp='.5'");
    assert_eq!((m.pair_solref[0], m.pair_solimp[0]), ([0.5, 1.0], [0.5, 0.95, 0.001, 0.5, 2.0]));
}

#[test]
fn pairs_have_classes() {
    let xml = scene("<pair class='custom' geom1='a' geom2='b'/>", "").replace(
        "<mujoco>",
        "<mujoco><default><default class='custom'><pair condim='4'/></default>\
         <pair solref='.07 1'/></default>",
    );
    let m = model(&xml);
    assert_eq!((m.pair_dim[0], m.pair_solref[0]), (4, [0.07, 1.0]));
}

#[test]
fn unknown_and_missing_names_are_rejected() {
    let check = |contact: &str, text| rejected(&scene(contact, ""), text);
    check("<pair geom1='foo' geom2='b'/>", "geom 'foo' not found in collision 0");
    check("<pair geom1='a' geom2='foo'/>", "geom 'foo' not found in collision 0");
    check("<exclude body1='foo' body2='B'/>", "body 'foo' not found in bodypair 0");
    check("<exclude body1='A' body2='foo'/>", "body 'foo' not found in bodypair 0");
    check("<pair geom2='b'/>", "geom1");
    check("<pair geom1='a'/>", "geom2");
    check("<exclude body2='B'/>", "required attribute missing: 'body1'");
    check("<exclude body1='A'/>", "required attribute missing: 'body2'");
}

#[test]
fn oddities_that_mujoco_accepts_are_accepted() {
    assert_eq!(model(&scene("<exclude body1='A' body2='A'/>", "")).nexclude, 1);
    assert_eq!(model("<mujoco><contact/></mujoco>").npair, 0);
    assert_eq!(model("<mujoco><contact></contact></mujoco>").npair, 0);
    assert_eq!(pair("gap='-1'").pair_gap[0], -1.0);
    assert_eq!(pair("margin='-.1'").pair_margin[0], -0.1);
    assert_eq!(model(&scene("<pair geom1='a' geom2='a'/>", "")).npair, 1);
}

#[test]
fn duplicates_stay_unless_asked_otherwise() {
    let xml =
        scene("<pair geom1='a' geom2='b' condim='1'/><pair geom1='b' geom2='a' condim='4'/>", "");
    assert_eq!(*model(&xml).pair_dim, [1, 4]);
    let opts = LoadOptions { pair_dedup: true, ..LoadOptions::default() };
    let m = try_load(&xml, &opts).unwrap_or_else(|e| panic!("{e}")).model;
    assert_eq!(*m.pair_dim, [4]);
}

#[test]
fn a_pair_with_itself_is_dropped_if_asked_for() {
    let opts = LoadOptions { pair_skip_self: true, ..LoadOptions::default() };
    let xml = scene("<pair geom1='a' geom2='a'/><pair geom1='a' geom2='b'/>", "");
    let m = try_load(&xml, &opts).unwrap_or_else(|e| panic!("{e}")).model;
    assert_eq!(m.npair, 1);
}

#[test]
fn pairs_are_sorted_by_bodies() {
    let m = model(
        "<mujoco><worldbody><geom name='p' type='plane' size='1 1 .1'/>\
         <body pos='0 0 .09'><freejoint/><geom name='a' size='.1'/></body>\
         <body pos='1 0 .09'><freejoint/><geom name='b' size='.1'/></body>\
         <body pos='2 0 .09'><freejoint/><geom name='c' size='.1'/></body></worldbody>\
         <contact><pair geom1='c' geom2='p'/><pair geom1='p' geom2='a'/></contact></mujoco>",
    );
    let geoms: Vec<_> = (0..2).map(|i| (m.pair_geom1[i].idx(), m.pair_geom2[i].idx())).collect();
    assert_eq!(geoms, [(0, 1), (0, 3)]);
}

#[test]
fn unknown_children_are_skipped_with_a_warning() {
    let m = extension(&scene("<blah/><pair geom1='a' geom2='b'/>", ""), "unrecognized element");
    assert_eq!(m.npair, 1);
}
