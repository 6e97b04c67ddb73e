//! Tendon paths: lengths at `qpos0`, and invalid paths.

use crate::common::{close, extension, model, rejected};

/// Two sites on a moving body, one in the world, wrapping geoms, and a path.
fn path(path: &str) -> String {
    tendon(&format!("<spatial name='t'>{path}</spatial>"))
}

fn tendon(tendon: &str) -> String {
    format!(
        "<mujoco><worldbody><site name='w' pos='0 0 1'/><site name='w2' pos='0 1 1'/>\
         <geom name='ball' size='.1' pos='1 1 1'/><geom name='box' type='box' size='.1 .1 .1'/>\
         <body><joint name='j'/><geom size='.1'/><site name='a'/><site name='b' pos='.1 0 0'/>\
         </body>\
         </worldbody><tendon>{tendon}</tendon></mujoco>"
    )
}

const A: &str = "<site site='a'/>";
const B: &str = "<site site='b'/>";
const W: &str = "<site site='w'/>";
const W2: &str = "<site site='w2'/>";
const BALL: &str = "<geom geom='ball'/>";
const PULLEY: &str = "<pulley divisor='2'/>";

#[test]
fn path_needs_two_objects() {
    rejected(&path(""), "path cannot be empty");
    rejected(&path(A), "spatial path must contain at least two objects");
    rejected(&tendon("<fixed/>"), "path cannot be empty");
}

#[test]
fn geoms_are_bracketed_by_sites() {
    let wrong = [
        format!("{BALL}{A}"),
        format!("{A}{BALL}"),
        format!("{A}{BALL}{BALL}{B}"),
        format!("{A}{BALL}{PULLEY}{W}{B}"),
        format!("{A}{W}{PULLEY}{BALL}{B}"),
    ];
    for p in wrong {
        rejected(&path(&p), "not bracketed by sites");
    }
}

#[test]
fn pulley_may_come_first() {
    let m = model(&path(&format!("{PULLEY}{A}{W}")));
    close(&[m.tendon_length0[0]], &[0.5], 1e-12);
}

#[test]
fn pulleys_end_nothing_and_follow_none() {
    rejected(&path(&format!("{A}{W}{PULLEY}")), "path ends with pulley");
    rejected(&path(&format!("{A}{W}{PULLEY}{PULLEY}{W}{B}")), "consecutive pulleys (pos 3)");
}

#[test]
fn only_spheres_and_cylinders_are_wrapped() {
    let text = "geom 'box' in tendon 0, wrap 1 is not sphere or cylinder";
    rejected(&path(&format!("{A}<geom geom='box'/>{W}")), text);
}

#[test]
fn divisors_are_positive() {
    let with = |divisor: &str| path(&format!("{A}{W}<pulley {divisor}/>{W}{B}"));
    rejected(&with("divisor='0'"), "zero divisor");
    rejected(&with("divisor='-1'"), "pulley has negative divisor in tendon 0, wrap 2");
    let m = extension(&with(""), "required attribute missing: 'divisor'");
    assert_eq!(m.wrap_prm[2], 1.0);
}

#[test]
fn a_site_is_not_alone() {
    let text = "site 3 needs a neighbor that is not a pulley";
    rejected(&path(&format!("{A}{W}{PULLEY}{B}")), text);
    rejected(&path(&format!("{A}{PULLEY}{W}{B}")), "site 0 needs a neighbor");
}

#[test]
fn unknown_names_are_rejected() {
    rejected(&path(&format!("{A}<site site='zz'/>")), "site 'zz' not found in wrap 1");
    let geom = format!("{A}<geom geom='zz'/>{W}");
    rejected(&path(&geom), "geom 'zz' not found in tendon 0, wrap 1");
    let side = format!("{A}<geom geom='ball' sidesite='zz'/>{W}");
    rejected(&path(&side), "side site 'zz' not found in tendon 0, wrap 1");
    let fixed = "<fixed><joint joint='zz' coef='1'/></fixed>";
    rejected(&tendon(fixed), "joint 'zz' not found in tendon 0, wrap 0");
}

#[test]
fn joints_belong_to_fixed_tendons() {
    let joint = format!("{A}<joint joint='j' coef='1'/>");
    rejected(&path(&joint), "Use a fixed tendon for joint coupling");
}

#[test]
fn the_same_site_may_follow_itself() {
    rejected(&path(&format!("{A}{A}")), "site 0 is repeated");
}

#[test]
fn side_site_may_be_inside() {
    let m = model(&path(&format!("{W}<geom geom='ball' sidesite='b'/>{W2}")));
    assert_eq!(m.wrap_prm[1], 3.0);
}

#[test]
fn massless_moving_bodies_are_rejected() {
    let xml = "<mujoco><worldbody><site name='w'/><body><joint/><site name='a'/></body></worldbody>\
               <tendon><spatial><site site='w'/><site site='a'/></spatial></tendon></mujoco>";
    rejected(xml, "mass and inertia of moving bodies must be larger than mjMINVAL");
}

#[test]
fn ranges_decide_whether_tendons_are_limited() {
    let fixed = |attr: &str| tendon(&format!("<fixed {attr}><joint joint='j' coef='1'/></fixed>"));
    let m = model(&fixed("range='-1 1' actuatorfrcrange='-2 3'"));
    // a force range alone does not limit: its default is "false", not "auto"
    assert!(m.tendon_limited[0].get() && !m.tendon_actfrclimited[0].get());
    assert!(!model(&fixed("range='1 0'")).tendon_limited[0].get());
    rejected(&fixed("range='1 0' limited='true'"), "invalid limits in tendon");
    let limited = "actuatorfrcrange='1 2' actuatorfrclimited='true'";
    rejected(&fixed(limited), "invalid actuatorfrcrange in tendon");
    rejected(&fixed("springlength='2 1'"), "invalid springlength in tendon");
}

#[test]
fn springlength_of_none_is_the_length_at_rest() {
    let m = model(&path(&format!("{A}{W}")));
    assert_eq!(m.tendon_lengthspring[0], [m.tendon_length0[0]; 2]);
    let m = model(&tendon(&format!("<spatial springlength='.3'>{A}{W}</spatial>")));
    assert_eq!(m.tendon_lengthspring[0], [0.3, 0.3]);
}

#[test]
fn armature_and_width_are_checked() {
    let wrap = format!("<spatial armature='1'>{A}{BALL}{W}</spatial>");
    rejected(&tendon(&wrap), "geom wrapping not supported by tendon armature");
    let negative = format!("<spatial armature='-1'>{A}{W}</spatial>");
    rejected(&tendon(&negative), "tendon armature cannot be negative");
    let width = format!("<spatial width='0'>{A}{W}</spatial>");
    rejected(&tendon(&width), "must have positive width");
}
