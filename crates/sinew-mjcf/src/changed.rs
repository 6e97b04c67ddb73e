//! Differences of later versions' results, for models that are made for them.
//!
//! A file does not say its version, but names that came later show it. The model keeps the meaning
//! of MuJoCo 3.5, and one warning names the parts whose numbers have changed.

use sinew_math::Quat;
use sinew_model::enums::{
    BiasType, DisableBit, EnableBit, GainType, GeomType, Integrator, JointType, TrnType, WrapType,
};
use sinew_model::{ActuatorId, Model, SiteId};

use crate::diag::Diagnostics;
use crate::spec::{Actuator, ActuatorTag, Spec};

/// A part whose numbers have changed: the version that changed it, its words, and whether a model
/// has it, which is compiled from elements.
type Change = (&'static str, &'static str, fn(&Model, &Spec) -> bool);

const CHANGES: [Change; 10] = [
    ("3.8", "contacts of cylinders and meshes without multiccd", |m, _| is_single_contact(m)),
    ("3.9", "gap", |m, _| has_gap(m)),
    ("3.11", "servos of ball joints and of rotations between sites", |m, _| {
        m.actuators().any(|u| is_servo_of_rotation(m, u))
    }),
    ("3.11", "free bodies with the integrator implicitfast", |m, _| {
        m.opt.integrator == Integrator::Implicitfast && m.jnt_type.contains(&JointType::Free)
    }),
    ("3.12", "contacts of two boxes", |m, _| colliding(m, |kind| kind == GeomType::Box) > 1),
    ("3.15", "dampratio of position and intvelocity", |_, spec| {
        let classes = spec.defaults.iter().flat_map(|class| &class.actuators);
        let kinds = [ActuatorTag::Position, ActuatorTag::IntVelocity];
        let has = |e: &Actuator| kinds.contains(&e.kind) && e.dampratio.is_set();
        classes.chain(&spec.actuators).any(has)
    }),
    ("4.0", "actuators of rotations between sites that are turned in their bodies", |m, _| {
        m.actuators().any(|u| is_between_turned_sites(m, u))
    }),
    ("4.0", "actuatorfrcrange with the integrators implicit and implicitfast", |m, _| {
        let implicit = [Integrator::Implicit, Integrator::Implicitfast];
        let limits = |flags: &[sinew_model::Flag]| flags.iter().any(|limited| limited.get());
        implicit.contains(&m.opt.integrator)
            && (limits(&m.jnt_actfrclimited) || limits(&m.tendon_actfrclimited))
    }),
    ("4.0", "the integrator RK4 with ball and free joints", |m, _| {
        let turns = |kind| matches!(kind, JointType::Ball | JointType::Free);
        m.opt.integrator == Integrator::Rk4 && m.jnt_type.iter().any(|&kind| turns(kind))
    }),
    ("4.0", "sidesite", |m, _| {
        let wraps = m.wrap_type.iter().zip(m.wrap_prm.iter());
        let around = |kind| matches!(kind, WrapType::Sphere | WrapType::Cylinder);
        wraps.clone().any(|(&kind, &site)| around(kind) && site >= 0.0)
    }),
];

/// Warns of such parts, if a model is made for a later version.
pub(crate) fn warn_of_changes(spec: &Spec, m: &Model, diag: &mut Diagnostics) {
    if spec.later.is_none() && m.later.is_none() {
        return;
    }
    let found = CHANGES.iter().filter(|(_, _, has)| has(m, spec));
    let parts: Vec<_> = found.map(|(version, what, _)| format!("{what} ({version})")).collect();
    if !parts.is_empty() {
        let text = format!(
            "the model is made for a later version of MuJoCo than 3.5, and parts of it have \
             changed since, but have the numbers of 3.5 here: {}",
            parts.join(", ")
        );
        diag.warn("later-numbers", spec.later.unwrap_or_default(), text);
    }
}

/// Whether an actuator acts on a rotation about all axes between two sites.
fn is_between_sites(m: &Model, u: ActuatorId) -> bool {
    let gear = &m.actuator_gear[u];
    m.actuator_trntype[u] == TrnType::Site
        && m.actuator_trnid[u][1] >= 0
        && gear[3..].iter().any(|&x| x != 0.0)
}

/// Whether an actuator has a setpoint for such a rotation, or for a ball joint's.
fn is_servo_of_rotation(m: &Model, u: ActuatorId) -> bool {
    let joint = matches!(m.actuator_trntype[u], TrnType::Joint | TrnType::Jointinparent);
    let target = usize::try_from(m.actuator_trnid[u][0]).unwrap_or(usize::MAX);
    let ball = joint && m.jnt_type.get(target) == Some(&JointType::Ball);
    let alone = m.actuator_gear[u][..3] == [0.0; 3];
    let servo = m.actuator_gaintype[u] == GainType::Fixed
        && m.actuator_biastype[u] == BiasType::Affine
        && m.actuator_gainprm[u][0] == -m.actuator_biasprm[u][1];
    servo && (ball || alone && is_between_sites(m, u))
}

/// Whether an actuator acts on a rotation between sites that are turned in their bodies.
fn is_between_turned_sites(m: &Model, u: ActuatorId) -> bool {
    let turned = |id: i32| m.site_quat[SiteId::new(id as usize)] != Quat::IDENTITY;
    is_between_sites(m, u) && m.actuator_trnid[u].into_iter().any(turned)
}

/// Number of geoms of some types that can collide.
fn colliding(m: &Model, kind: impl Fn(GeomType) -> bool) -> usize {
    if m.opt.disabled(DisableBit::Contact) {
        return 0;
    }
    let collides = |&g: &sinew_model::GeomId| m.geom_contype[g] != 0 || m.geom_conaffinity[g] != 0;
    let paired = |g: sinew_model::GeomId| m.pair_geom1.contains(&g) || m.pair_geom2.contains(&g);
    m.geoms().filter(|g| kind(m.geom_type[*g]) && (collides(g) || paired(*g))).count()
}

fn is_single_contact(m: &Model) -> bool {
    let changed = |kind| matches!(kind, GeomType::Mesh | GeomType::Cylinder);
    !m.opt.enabled(EnableBit::Multiccd) && colliding(m, changed) > 0 && m.ngeom > 1
}

fn has_gap(m: &Model) -> bool {
    m.geom_gap.iter().chain(m.pair_gap.iter()).any(|&gap| gap != 0.0)
}
