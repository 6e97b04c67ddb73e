//! `<default>` classes: the values that reach an element, and their precedence.

use crate::common::{close, extension, model, rejected};
use sinew_model::Model;
use sinew_model::enums::{BiasType, GeomType, JointType};

/// A body with a joint and a geom of the given attributes, and more sections.
fn body(defaults: &str, joint: &str, geom: &str, tail: &str) -> String {
    format!(
        "<mujoco>{defaults}<worldbody><body><joint {joint}/><geom size='.1' {geom}/></body>\
         </worldbody>{tail}</mujoco>"
    )
}

#[track_caller]
fn one(defaults: &str, joint: &str, geom: &str) -> Model {
    model(&body(defaults, joint, geom, ""))
}

/// Something to actuate and to sense.
const TAIL: &str = "<tendon><fixed name='t'><joint joint='j' coef='1'/></fixed></tendon>\
                    <actuator><motor joint='j'/></actuator><sensor><jointpos joint='j'/></sensor>";

#[test]
fn root_class_reaches_plain_elements() {
    let m = one("<default><joint damping='0.5'/></default>", "", "");
    assert_eq!(*m.dof_damping, [0.5]);
}

#[test]
fn attribute_beats_class() {
    let heavy = "<default><default class='heavy'><joint damping='0.5'/></default></default>";
    assert_eq!(*one(heavy, "class='heavy' damping='1'", "").dof_damping, [1.0]);
}

#[test]
fn class_inherits_from_all_parents() {
    let m = one(
        "<default><joint damping='.1'/><default class='robot'><joint damping='.5'/>\
         <default class='arm'><joint armature='.01'/></default></default></default>",
        "class='arm'",
        "",
    );
    assert_eq!((m.dof_damping[0], m.dof_armature[0]), (0.5, 0.01));
}

#[test]
fn friction_of_the_root_class_reaches_geoms() {
    let m = one("<default><geom friction='0.8 0.01 0.001'/></default>", "", "");
    assert_eq!(m.geom_friction[0], [0.8, 0.01, 0.001].into());
}

#[test]
fn actuator_in_default_is_general() {
    let xml = body("<default><actuator gear='100'/></default>", "name='j'", "", TAIL);
    let m = extension(&xml, "unrecognized element");
    assert_eq!(m.actuator_gear[0][0], 100.0);
}

#[test]
fn tendons_inherit_from_their_class() {
    let xml = body("<default><tendon stiffness='1000'/></default>", "name='j'", "", TAIL);
    assert_eq!(*model(&xml).tendon_stiffness, [1000.0]);
}

#[test]
fn sensor_in_default_sets_noise_and_cutoff() {
    let xml = body("<default><sensor noise='.01' cutoff='3'/></default>", "name='j'", "", TAIL);
    let m = extension(&xml, "unrecognized element");
    assert_eq!((m.sensor_noise[0], m.sensor_cutoff[0]), (0.01, 3.0));
}

#[test]
fn density_of_a_class_reaches_inferred_mass() {
    let m = one("<default><geom density='500'/></default>", "", "");
    close(&[m.body_mass[1]], &[2.094_395_102_393], 1e-12);
}

#[test]
fn no_class_means_the_root_not_a_sibling() {
    let m = one(
        "<default><joint damping='0.5'/><default class='c'><joint damping='7'/></default>\
         </default>",
        "",
        "",
    );
    assert_eq!(*m.dof_damping, [0.5]);
}

#[test]
fn unknown_class_applies_no_defaults_at_all() {
    let root = "<default><joint damping='3'/><geom density='500'/></default>";
    let m = extension(&body(root, "class='nope'", "", ""), "unknown default class name 'nope'");
    assert_eq!(*m.dof_damping, [0.0]);
    let m = extension(&body(root, "", "class='nope'", ""), "unknown default class name 'nope'");
    close(&[m.body_mass[1]], &[4.188_790_204_786], 1e-12);
    let xml =
        "<mujoco><worldbody><body childclass='nope'><geom size='.1'/></body></worldbody></mujoco>";
    extension(xml, "unknown default childclass");
    let tail = "<actuator><motor class='nope' joint='x'/></actuator>";
    let root = "<default><motor gear='7'/></default>";
    let m = extension(&body(root, "name='x'", "", tail), "unknown default class name 'nope'");
    assert_eq!(m.actuator_gear[0][0], 1.0);
}

#[test]
fn empty_default_is_none() {
    assert_eq!(*one("<default/>", "", "").dof_damping, [0.0]);
}

#[test]
fn writing_the_builtin_value_beats_a_class() {
    let m = one(
        "<default><default class='c'><joint damping='5' type='slide'/><geom density='500'/>\
         </default></default>",
        "class='c' damping='0' type='hinge'",
        "class='c' density='1000'",
    );
    assert_eq!((m.dof_damping[0], m.jnt_type[0]), (0.0, JointType::Hinge));
    close(&[m.body_mass[1]], &[4.188_790_204_786], 1e-12);
}

#[test]
fn childclass_of_bodies_and_frames_nearest_wins() {
    let m = model(
        "<mujoco><default><joint damping='.1'/>\
         <default class='a'><joint damping='1'/><site size='.07'/><geom density='1'/></default>\
         <default class='b'><joint damping='2'/></default></default><worldbody>\
         <body childclass='a'><joint/><geom size='.1'/><site name='s'/>\
         <body><joint/><geom size='.1'/><body childclass='b'><joint/><geom size='.1'/>\
         <body><joint class='a'/><joint class='main' axis='1 0 0'/><geom size='.1'/></body>\
         </body></body>\
         <frame childclass='b'><body><joint/><geom size='.1'/></body></frame></body></worldbody>\
         </mujoco>",
    );
    assert_eq!(*m.dof_damping, [1.0, 1.0, 2.0, 1.0, 0.1, 2.0]);
    assert_eq!(m.site_size[0].x, 0.07);
}

#[test]
fn partial_arrays_keep_the_tail_of_the_class() {
    let class = "<default><geom friction='0.8 0.01 0.001'/></default>";
    assert_eq!(one(class, "", "friction='.3'").geom_friction[0], [0.3, 0.01, 0.001].into());
    assert_eq!(one("", "", "friction='.3'").geom_friction[0], [0.3, 0.005, 0.0001].into());
}

#[test]
fn contact_parameters_pass_through_classes() {
    let m = one(
        "<default><geom solref='.04 2' solimp='.5 .6 .1 .2 3' margin='.01' gap='.005' priority='3' \
         solmix='2' condim='6'/><joint solreflimit='.03 1' solimpfriction='.5 .6 .1 .2 3'/>\
             </default>",
        "",
        "",
    );
    assert_eq!((m.geom_solref[0], m.geom_solimp[0]), ([0.04, 2.0], [0.5, 0.6, 0.1, 0.2, 3.0]));
    assert_eq!((m.geom_margin[0], m.geom_gap[0], m.geom_priority[0]), (0.01, 0.005, 3));
    assert_eq!((m.geom_solmix[0], m.geom_condim[0]), (2.0, 6));
    assert_eq!((m.jnt_solref[0], m.dof_solimp[0]), ([0.03, 1.0], [0.5, 0.6, 0.1, 0.2, 3.0]));
}

#[test]
fn sites_meshes_and_equalities_have_classes() {
    let m = model(
        "<mujoco><default><default class='c'><site size='.3' type='box'/><mesh scale='2 2 2'/>\
         <equality solref='.05 .7' solimp='.8 .9 .01 .4 3'/></default><mesh scale='3 3 3'/>\
         </default>\
         <asset><mesh name='m' class='c' vertex='0 0 0 1 0 0 0 1 0 0 0 1'/>\
         <mesh name='n' vertex='0 0 0 1 0 0 0 1 0 0 0 1'/></asset>\
         <worldbody><body name='b'><freejoint/><geom type='mesh' mesh='m'/>\
         <geom type='mesh' mesh='n'/><site class='c'/></body></worldbody>\
         <equality><weld class='c' body1='b'/></equality></mujoco>",
    );
    assert_eq!((m.site_type[0], m.site_size[0].x), (GeomType::Box, 0.3));
    assert_eq!((m.eq_solref[0], m.eq_solimp[0]), ([0.05, 0.7], [0.8, 0.9, 0.01, 0.4, 3.0]));
    assert_eq!((m.mesh_scale[0].x, m.mesh_scale[1].x), (2.0, 3.0));
}

#[test]
fn parent_attributes_after_a_nested_class_reach_it() {
    let m = one(
        "<default><default class='q'><joint damping='1'/><default class='r'><joint stiffness='4'/>\
         </default></default><joint armature='.5'/></default>",
        "class='r'",
        "",
    );
    assert_eq!((m.dof_armature[0], m.dof_damping[0], m.jnt_stiffness[0]), (0.5, 1.0, 4.0));
}

#[test]
fn badly_nested_classes_are_rejected() {
    let check = |defaults: &str, text| rejected(&body(defaults, "", "", ""), text);
    check("<default><default><joint damping='3'/></default></default>", "empty class name");
    check(
        "<default><default class='a'/><default class='a'/></default>",
        "repeated default class name",
    );
    check("<default class='foo'/>", "top-level default class 'main' cannot be renamed");
}

#[test]
fn two_root_blocks_merge() {
    let m = one(
        "<default><joint damping='1'/></default><default><joint armature='2'/></default>",
        "",
        "",
    );
    assert_eq!((m.dof_damping[0], m.dof_armature[0]), (1.0, 2.0));
}

#[test]
fn kinds_of_actuators_share_one_record() {
    let xml = body(
        "<default><motor gear='7'/><position kp='50'/></default>",
        "name='j'",
        "",
        "<actuator><motor joint='j'/><position joint='j'/><velocity joint='j' kv='2'/></actuator>",
    );
    let m = model(&xml);
    for u in 0..3 {
        assert_eq!(m.actuator_gear[u][0], 7.0);
    }
    assert_eq!(m.actuator_biasprm[0][..3], [0.0, -50.0, 0.0]);
    assert_eq!(m.actuator_biastype[0], BiasType::None);
    assert_eq!(m.actuator_gainprm[1][0], 50.0);
    assert_eq!(m.actuator_biasprm[2][..3], [0.0, 0.0, -2.0]);
}

#[test]
fn springlength_of_one_number_replaces_both_of_a_class() {
    let xml = body(
        "<default><tendon springlength='.1 .2'/></default>",
        "name='j'",
        "",
        "<tendon><fixed springlength='.15'><joint joint='j' coef='1'/></fixed></tendon>",
    );
    assert_eq!(model(&xml).tendon_lengthspring[0], [0.15, 0.15]);
}
