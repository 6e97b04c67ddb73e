//! What the kernel does not do.

use sinew_engine::contact_param;
use sinew_model::Model;
use sinew_model::enums::{
    BiasType, ConeType, DisableBit, DynType, EnableBit, GainType, Integrator, JointType,
    SolverType, TrnType, WrapType,
};

use super::constraints::limited;
use super::packed::Unsupported;
use super::pairs::{candidates, formula};

/// Collects the features.
#[derive(Default)]
struct Found(Vec<&'static str>);

impl Found {
    fn note(&mut self, feature: &'static str, there: bool) {
        if there && !self.0.contains(&feature) {
            self.0.push(feature);
        }
    }
}

pub(super) fn check(m: &Model) -> Result<(), Unsupported> {
    let mut found = Found::default();
    options(m, &mut found);
    bodies(m, &mut found);
    actuators(m, &mut found);
    tendons(m, &mut found);
    constraints(m, &mut found);
    if found.0.is_empty() { Ok(()) } else { Err(Unsupported { features: found.0 }) }
}

fn options(m: &Model, found: &mut Found) {
    let o = &m.opt;
    found.note("integrator RK4", o.integrator == Integrator::Rk4);
    found.note("integrator implicit", o.integrator == Integrator::Implicit);
    found.note("forces of a fluid", o.viscosity != 0.0 || o.density != 0.0);
    found.note("enable flag sleep", o.enabled(EnableBit::Sleep));
    found.note("exact friction", m.coulomb.enabled);
    found.note("plugins", m.nplugin > 0);
    found.note("flexes", m.nflex > 0);
    found.note("delays", m.nhistory > 0);
}

fn bodies(m: &Model, found: &mut Found) {
    // the bodies below one follow it
    let ordered = m.bodies().skip(1).all(|b| {
        let parent = m.body_parentid[b];
        let mut up = b.idx() - 1;
        while up != parent.idx() && up != 0 {
            up = m.body_parentid[up].idx();
        }
        up == parent.idx()
    });
    found.note("bodies that are not in depth-first order", !ordered);
    let compensated = m.joints().any(|j| m.jnt_actgravcomp[j].get());
    found.note("gravity compensation by actuators", m.ngravcomp > 0 && compensated);
}

fn actuators(m: &Model, found: &mut Found) {
    for u in m.actuators() {
        let id = m.actuator_trnid[u][0].max(0) as usize;
        match m.actuator_trntype[u] {
            TrnType::Joint | TrnType::Jointinparent => {
                let single = matches!(m.jnt_type[id], JointType::Hinge | JointType::Slide);
                found.note("actuators of ball and free joints", !single);
            }
            TrnType::Tendon => found.note("actuators of spatial tendons", !is_fixed(m, id)),
            TrnType::Slidercrank => found.note("actuators of slider-cranks", true),
            TrnType::Site => found.note("actuators of sites", true),
            TrnType::Body => found.note("actuators of bodies", true),
            _ => found.note("actuators of unknown transmission", true),
        }
        let plain = |kind| {
            matches!(
                kind,
                DynType::None | DynType::Integrator | DynType::Filter | DynType::Filterexact
            )
        };
        let kind = m.actuator_dyntype[u];
        found.note("muscles", kind == DynType::Muscle);
        found.note("activation dynamics of the user", !plain(kind) && kind != DynType::Muscle);
        found.note("actuators of several activations", m.actuator_actnum[u] > 1);
        let gain = m.actuator_gaintype[u];
        found.note("muscles", gain == GainType::Muscle);
        let known = matches!(gain, GainType::Fixed | GainType::Affine | GainType::Muscle);
        found.note("gains of the user", !known);
        let bias = m.actuator_biastype[u];
        found.note("muscles", bias == BiasType::Muscle);
        let known = matches!(bias, BiasType::None | BiasType::Affine | BiasType::Muscle);
        found.note("biases of the user", !known);
    }
}

/// Whether a tendon's length is a sum of joint coordinates.
fn is_fixed(m: &Model, t: usize) -> bool {
    let path = m.tendon_adr[t].idx()..m.tendon_adr[t].idx() + m.tendon_num[t] as usize;
    path.into_iter().all(|w| m.wrap_type[w] == WrapType::Joint)
}

fn tendons(m: &Model, found: &mut Found) {
    for t in m.tendons() {
        let passive = m.tendon_stiffness[t] != 0.0 || m.tendon_damping[t] != 0.0;
        found.note("springs and dampers of tendons", passive);
        found.note("armature of tendons", m.tendon_armature[t] != 0.0);
        found.note("limits of actuator forces on tendons", m.tendon_actfrclimited[t].get());
    }
}

fn constraints(m: &Model, found: &mut Found) {
    if m.opt.disabled(DisableBit::Constraint) {
        return;
    }
    let equalities = !m.opt.disabled(DisableBit::Equality) && m.neq > 0;
    found.note("equalities", equalities);
    for t in m.tendons() {
        let limited = m.tendon_limited[t].get() && !m.opt.disabled(DisableBit::Limit);
        found.note("limits of tendons", limited);
        let rubs = m.tendon_frictionloss[t] != 0.0 && !m.opt.disabled(DisableBit::Frictionloss);
        found.note("dry friction of tendons", rubs);
    }
    let turning = |kind| !matches!(kind, JointType::Hinge | JointType::Slide);
    let balls = limited(m).iter().any(|&j| turning(m.jnt_type[j]));
    found.note("limits of ball and free joints", balls);
    found.note("solver PGS", m.opt.solver == SolverType::Pgs);
    found.note("solver CG", m.opt.solver == SolverType::Cg);
    found.note("noslip solver", m.opt.noslip_iterations > 0);
    found.note("enable flag override", m.opt.enabled(EnableBit::Override));

    // contacts
    let pairs = candidates(m);
    for &pair in &pairs {
        let params = contact_param(m, pair[0], pair[1]);
        found.note("elliptic cones", params.dim > 1 && m.opt.cone == ConeType::Elliptic);
        found
            .note("powers of impedance that are no whole numbers", has_broken_power(params.solimp));
        found.note(
            "contacts of distance fields, and of any convex shapes without nativeccd",
            formula(m, pair).is_none(),
        );
    }
    let powers = limited(m).iter().any(|&j| has_broken_power(m.jnt_solimp[j]));
    found.note("powers of impedance that are no whole numbers", powers);
}

fn has_broken_power([_, _, _, _, power]: [f64; 5]) -> bool {
    power > 1.0 && power.fract() != 0.0
}
