//! What later versions of MuJoCo compute otherwise, in models that are made for them.
//!
//! A file does not say its version, but names that came later show it. Its parts have the meaning
//! of MuJoCo 3.5 all the same, and one warning names those whose numbers have changed.

use sinew_model::Model;
use sinew_model::enums::{DisableBit, EnableBit, GeomType, Integrator, JointType, WrapType};

use crate::diag::Diagnostics;
use crate::spec::Spec;

/// A part whose numbers have changed: the version that changed it, its words, and whether a model
/// has it.
type Change = (&'static str, &'static str, fn(&Model) -> bool);

const CHANGES: [Change; 7] = [
    ("3.8", "contacts of cylinders and meshes without multiccd", is_single_contact),
    ("3.9", "gap", has_gap),
    ("3.11", "free bodies with the integrator implicitfast", |m| {
        m.opt.integrator == Integrator::Implicitfast && m.jnt_type.contains(&JointType::Free)
    }),
    ("3.12", "contacts of two boxes", |m| colliding(m, |kind| kind == GeomType::Box) > 1),
    ("4.0", "actuatorfrcrange with the integrators implicit and implicitfast", |m| {
        let implicit = [Integrator::Implicit, Integrator::Implicitfast];
        let limits = |flags: &[sinew_model::Flag]| flags.iter().any(|limited| limited.get());
        implicit.contains(&m.opt.integrator)
            && (limits(&m.jnt_actfrclimited) || limits(&m.tendon_actfrclimited))
    }),
    ("4.0", "the integrator RK4 with ball and free joints", |m| {
        let turns = |kind| matches!(kind, JointType::Ball | JointType::Free);
        m.opt.integrator == Integrator::Rk4 && m.jnt_type.iter().any(|&kind| turns(kind))
    }),
    ("4.0", "sidesite", |m| {
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
    let found = CHANGES.iter().filter(|(_, _, has)| has(m));
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

/// How many geoms of some types can collide.
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
