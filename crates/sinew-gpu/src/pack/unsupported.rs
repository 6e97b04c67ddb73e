//! Features that the kernel does not support.

use sinew_engine::contact_param;
use sinew_model::enums::{
    BiasType, DisableBit, DynType, EnableBit, EqType, GainType, Integrator, JointType, SolverType,
    TrnType,
};
use sinew_model::{BodyId, JointId, Model, TendonId};

use super::constraints::limited;
use super::packed::Unsupported;
use super::pairs::{candidates, formula, has_gaps};
use super::results;
use super::tendons::{self, equalities, is_fixed};

const BROKEN_POWER: &str = "powers of impedance that are no whole numbers";

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
    found.note("enable flag sleep", o.enabled(EnableBit::Sleep));
    found.note("exact friction", m.coulomb.enabled);
    let later = "polynomial springs and dampers, damping and armature of actuators, \
                 controllers, servos and motors, surfacevel, adhesion, springs that yield, \
                 sites with a mesh";
    found.note(later, m.later.is_some());
    found.note("plugins", m.nplugin > 0);
    found.note("flexes", m.nflex > 0);
    let stages = o.integrator == Integrator::Rk4;
    let feature = "delays of sensors with the integrator RK4";
    found.note(feature, stages && results::sampled(m));
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
}

fn actuators(m: &Model, found: &mut Found) {
    for u in m.actuators() {
        let kind = m.actuator_trntype[u];
        if kind == TrnType::Body {
            let body = BodyId::new(m.actuator_trnid[u][0].max(0) as usize);
            found.note("actuators of bodies whose contacts have gaps", has_gaps(m, body));
        }
        let known = [
            TrnType::Joint,
            TrnType::Jointinparent,
            TrnType::Tendon,
            TrnType::Slidercrank,
            TrnType::Site,
            TrnType::Body,
        ];
        found.note("actuators of unknown transmission", !known.contains(&kind));
        let plain = |kind| {
            matches!(
                kind,
                DynType::None
                    | DynType::Integrator
                    | DynType::Filter
                    | DynType::Filterexact
                    | DynType::Muscle
            )
        };
        let kind = m.actuator_dyntype[u];
        found.note("activation dynamics of the user", !plain(kind));
        found.note("actuators of several activations", m.actuator_actnum[u] > 1);
        let gain = m.actuator_gaintype[u];
        let known = matches!(gain, GainType::Fixed | GainType::Affine | GainType::Muscle);
        found.note("gains of the user", !known);
        let bias = m.actuator_biastype[u];
        let known = matches!(bias, BiasType::None | BiasType::Affine | BiasType::Muscle);
        found.note("biases of the user", !known);
    }
}

fn tendons(m: &Model, found: &mut Found) {
    for t in tendons::used(m) {
        let path = m.tendon_adr[t].idx()..m.tendon_adr[t].idx() + m.tendon_num[t] as usize;
        let mut joints: Vec<i32> = path.map(|w| m.wrap_objid[w]).collect();
        joints.sort_unstable();
        let twice = joints.windows(2).any(|pair| pair[0] == pair[1]);
        found.note("joints that a tendon names twice", twice && is_fixed(m, t));
    }
}

fn constraints(m: &Model, found: &mut Found) {
    if m.opt.disabled(DisableBit::Constraint) {
        return;
    }
    for e in equalities(m) {
        let known = [EqType::Connect, EqType::Weld, EqType::Joint, EqType::Tendon];
        found.note("equalities of unknown type", !known.contains(&m.eq_type[e]));
        found.note(BROKEN_POWER, has_broken_power(m.eq_solimp[e]));
    }
    let free = |j: &JointId| m.jnt_type[*j] == JointType::Free;
    found.note("limits of free joints", limited(m).iter().any(free));
    let swings = |j: &JointId| m.jnt_type[*j] == JointType::Ball && m.jnt_range[*j][0] > 0.0;
    found.note("limits of swing and twist", limited(m).iter().any(swings));
    let broken = |&t: &TendonId| has_broken_power(m.tendon_solimp_lim[t]);
    found.note(BROKEN_POWER, tendons::limited(m).iter().any(broken));
    found.note("solver PGS", m.opt.solver == SolverType::Pgs);
    found.note("noslip solver", m.opt.noslip_iterations > 0);

    // contacts
    let pairs = candidates(m);
    for &pair in &pairs {
        let params = contact_param(m, pair[0], pair[1]);
        found.note(BROKEN_POWER, has_broken_power(params.solimp));
        found.note(
            "contacts of distance fields, and of any convex shapes without nativeccd",
            formula(m, pair).is_none(),
        );
    }
    let powers = limited(m).iter().any(|&j| has_broken_power(m.jnt_solimp[j]));
    found.note(BROKEN_POWER, powers);
}

fn has_broken_power([_, _, _, _, power]: [f64; 5]) -> bool {
    power > 1.0 && power.fract() != 0.0
}
