//! Numbers measured from MuJoCo 3.5.0.

use super::*;
use crate::spec::Partial;

/// An element of a kind; attributes are set by `edit`.
fn elem(kind: ActuatorTag, edit: impl FnOnce(&mut Actuator)) -> Actuator {
    let mut e = Actuator { kind, ..Actuator::default() };
    edit(&mut e);
    e
}

/// The settings after several elements, which must not fail.
fn apply(elems: &[Actuator]) -> ActuatorSettings {
    let mut diag = Diagnostics::default();
    let mut set = ActuatorSettings::default();
    for e in elems {
        set.apply(e, &mut diag);
    }
    assert!(diag.list.is_empty(), "{:?}", diag.list);
    set
}

/// The error of an element.
fn complaint(e: &Actuator) -> String {
    let mut diag = Diagnostics::default();
    ActuatorSettings::default().apply(e, &mut diag);
    diag.list.iter().map(|d| d.message.clone()).collect()
}

/// The first numbers of a row.
fn first<const N: usize>(row: &[f64; 10]) -> [f64; N] {
    core::array::from_fn(|i| row[i])
}

#[test]
fn default_classes_share_one_record() {
    let motor = elem(ActuatorTag::Motor, |e| e.gear.set(Partial { value: [7.0; 6], len: 1 }));
    let position = elem(ActuatorTag::Position, |e| e.kp.set(50.0));
    let classes = [motor, position];
    for kind in [ActuatorTag::Motor, ActuatorTag::Position, ActuatorTag::Velocity] {
        let set = apply(&[classes[0].clone(), classes[1].clone(), elem(kind, |_| {})]);
        assert_eq!(set.gear, [7.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
        if kind == ActuatorTag::Motor {
            assert_eq!(first(&set.biasprm), [0.0, -50.0, 0.0]);
            assert_eq!(set.biastype, BiasType::None);
        }
    }
}

#[test]
fn position_takes_its_gain_from_what_lies_below() {
    let general = elem(ActuatorTag::General, |e| {
        e.gainprm.set(Partial { value: [3.0; 10], len: 2 });
    });
    let set = apply(&[general, elem(ActuatorTag::Position, |e| e.kv.set(2.0))]);
    assert_eq!(first(&set.gainprm), [3.0, 3.0, 0.0]);
    assert_eq!(first(&set.biasprm), [0.0, -3.0, -2.0]);
}

#[test]
fn position_with_time_constant_filters_exactly() {
    let timeconst =
        |t| elem(ActuatorTag::Position, |e| e.timeconst.set(Partial { value: [t; 2], len: 1 }));
    assert_eq!(apply(&[timeconst(0.5)]).dyntype, DynType::Filterexact);
    assert_eq!(apply(&[timeconst(0.5)]).dynprm[0], 0.5);
    assert_eq!(apply(&[timeconst(0.5), timeconst(0.0)]).dyntype, DynType::None);
}

#[test]
fn integrated_velocity_ignores_what_position_complains_about() {
    let set = apply(&[elem(ActuatorTag::IntVelocity, |e| e.kv.set(-1.0))]);
    assert_eq!(set.dyntype, DynType::Integrator);
    assert_eq!(set.biastype, BiasType::None);
    assert_eq!(set.actlimited, Tri::True);
    assert_eq!(first(&set.biasprm), [0.0, -1.0, 0.0]);
}

#[test]
fn velocity_clears_the_bias() {
    let position = elem(ActuatorTag::Position, |e| e.kp.set(5.0));
    let set = apply(&[position, elem(ActuatorTag::Velocity, |_| {})]);
    assert_eq!(first(&set.gainprm), [5.0, 0.0, 0.0]);
    assert_eq!(first(&set.biasprm), [0.0, 0.0, -5.0]);
}

#[test]
fn cylinder_uses_area_or_diameter() {
    let set = apply(&[elem(ActuatorTag::Cylinder, |e| {
        e.bias.set([1.0, 2.0, 3.0]);
        e.area.set(7.0);
        e.diameter.set(2.0);
    })]);
    assert_eq!(set.gainprm[0], core::f64::consts::PI);
    assert_eq!(first(&set.biasprm), [1.0, 0.0, 0.0]);
    assert_eq!(set.dyntype, DynType::Filter);
}

#[test]
fn muscle_replaces_general_defaults_and_keeps_what_is_written() {
    let set = apply(&[elem(ActuatorTag::Muscle, |e| e.force.set(100.0))]);
    assert_eq!(first(&set.dynprm), [0.01, 0.04, 0.0]);
    let prm = [0.75, 1.05, 100.0, 200.0, 0.5, 1.6, 1.5, 1.3, 1.2];
    assert_eq!(first(&set.gainprm), prm);
    assert_eq!(first(&set.biasprm), prm);
}

#[test]
fn damper_and_adhesion_limit_the_control() {
    let damper = apply(&[elem(ActuatorTag::Damper, |e| e.kv.set(4.0))]);
    assert_eq!(first(&damper.gainprm), [0.0, 0.0, -4.0]);
    assert_eq!((damper.ctrllimited, damper.gaintype), (Tri::True, GainType::Affine));
    let adhesion = apply(&[elem(ActuatorTag::Adhesion, |e| e.gain.set(9.0))]);
    assert_eq!((adhesion.ctrllimited, adhesion.gainprm[0]), (Tri::True, 9.0));
}

#[test]
fn wrong_elements_are_named_as_mujoco_names_them() {
    let check = |e: Actuator, text: &str| {
        assert_eq!(complaint(&e), format!("<{}>: {text}", e.kind.name()));
    };
    let position = |edit: fn(&mut Actuator)| elem(ActuatorTag::Position, edit);
    check(position(|e| e.kv.set(-1.0)), "kv cannot be negative");
    check(position(|e| e.dampratio.set(-1.0)), "dampratio cannot be negative");
    let both = position(|e| {
        e.kv.set(1.0);
        e.dampratio.set(1.0);
    });
    check(both, "kv and dampratio cannot both be defined");
    let two = position(|e| e.timeconst.set(Partial { value: [1.0; 2], len: 2 }));
    check(two, "attribute 'timeconst' has too much data");
    let damper = elem(ActuatorTag::Damper, |e| e.kv.set(-1.0));
    check(damper, "damping coefficient cannot be negative");
    let adhesion = elem(ActuatorTag::Adhesion, |e| e.ctrlrange.set([-1.0, 1.0]));
    check(adhesion, "adhesion control range cannot be negative");
    let muscle = elem(ActuatorTag::Muscle, |e| e.tausmooth.set(-1.0));
    check(muscle, "muscle tausmooth cannot be negative");
    let targets = elem(ActuatorTag::Motor, |e| {
        e.joint.set("j".into());
        e.site.set("s".into());
    });
    check(targets, "actuator can have at most one of transmission target");
}

#[test]
fn refsite_of_a_joint_is_ignored_unless_strict() {
    let e = elem(ActuatorTag::Motor, |e| {
        e.joint.set("j".into());
        e.refsite = Attr::at("s".into(), Span { file: 0, start: 3, end: 5 });
    });
    for strict in [false, true] {
        let mut diag = Diagnostics { strict, ..Diagnostics::default() };
        let mut set = ActuatorSettings::default();
        set.apply(&e, &mut diag);
        assert_eq!(set.refsite, Attr::default());
        assert_eq!(diag.failed(), strict);
        assert!(diag.list[0].message.contains("refsite can only be used with site transmission"));
    }
}
