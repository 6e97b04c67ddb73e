//! Which models have analytic derivatives.

use sinew_model::enums::{
    BiasType, DisableBit, DynType, EnableBit, EqType, GainType, JointType, ObjType, TrnType,
    WrapType,
};
use sinew_model::later::row;
use sinew_model::{ActuatorId, JointId, Model};

use super::error::{TransitionError, unsupported, unsupported_object};
use crate::constraint::has_adhesion;
use crate::later;

/// Refuses models with parts that have no derivative here.
pub(super) fn check_model(m: &Model) -> Result<(), TransitionError> {
    if m.nhistory > 0 {
        return unsupported("delays and histories");
    }
    if m.opt.enabled(EnableBit::Sleep) {
        return unsupported("option sleep");
    }
    if m.opt.noslip_iterations > 0 {
        return unsupported("option noslip_iterations");
    }
    if m.nplugin > 0 {
        return unsupported_object(m, ObjType::Plugin, 0, "plugin");
    }
    if m.nflex > 0 {
        return unsupported_object(m, ObjType::Flex, 0, "flexible object");
    }
    if let Some(table) = &m.later {
        if !table.geom_surfacevel.is_empty() {
            return unsupported("surfacevel");
        }
        if has_adhesion(m) {
            return unsupported("adhesion");
        }
        if table.nplastic > 0 {
            return unsupported("springyield");
        }
        let turns = |j: &JointId| matches!(m.jnt_type[*j], JointType::Free | JointType::Ball);
        let bends = |j: &JointId| row(&table.jnt_stiffnesspoly, j.idx()) != [0.0; 2];
        if let Some(j) = m.joints().filter(turns).find(bends) {
            return unsupported_object(m, ObjType::Joint, j.idx(), "its polynomial stiffness");
        }
        let dampers =
            [&table.dof_dampingpoly, &table.tendon_dampingpoly, &table.actuator_dampingpoly];
        if dampers.iter().any(|table| table.iter().any(|&high| high != [0.0; 2])) {
            return unsupported("polynomial damping");
        }
    }
    check_tendons(m)?;
    if !m.opt.disabled(DisableBit::Actuation) {
        m.actuators().try_for_each(|u| check_actuator(m, u))?;
    }
    check_gravcomp(m)?;
    if m.opt.disabled(DisableBit::Equality) || m.opt.disabled(DisableBit::Constraint) {
        return Ok(());
    }
    for e in m.equalities() {
        if !matches!(m.eq_type[e], EqType::Connect | EqType::Weld | EqType::Joint | EqType::Tendon)
        {
            return unsupported_object(m, ObjType::Equality, e.idx(), "its type");
        }
    }
    Ok(())
}

fn check_tendons(m: &Model) -> Result<(), TransitionError> {
    for t in m.tendons() {
        let spatial = m.wrap_type[m.tendon_adr[t]] != WrapType::Joint;
        if spatial && later::tendon_armature(m, t) != 0.0 {
            return unsupported_object(m, ObjType::Tendon, t.idx(), "armature of a spatial tendon");
        }
    }
    Ok(())
}

fn check_actuator(m: &Model, u: ActuatorId) -> Result<(), TransitionError> {
    let fail = |property| unsupported_object(m, ObjType::Actuator, u.idx(), property);
    match m.actuator_trntype[u] {
        TrnType::Joint
        | TrnType::Jointinparent
        | TrnType::Tendon
        | TrnType::Site
        | TrnType::Slidercrank => {}
        TrnType::Body => return fail("adhesion"),
        _ => return fail("its transmission"),
    }
    let dynamics = [
        DynType::None,
        DynType::Integrator,
        DynType::Filter,
        DynType::Filterexact,
        DynType::Muscle,
    ];
    if !dynamics.contains(&m.actuator_dyntype[u]) {
        return fail("its dynamics");
    }
    let gains = [GainType::Fixed, GainType::Affine, GainType::Muscle];
    if !gains.contains(&m.actuator_gaintype[u]) {
        return fail("its gain");
    }
    let biases = [BiasType::None, BiasType::Affine, BiasType::Muscle];
    if !biases.contains(&m.actuator_biastype[u]) {
        return fail("its bias");
    }
    Ok(())
}

/// Joints whose actuators compensate gravity have the same sum of forces, unless a limit or the
/// absence of actuators takes the compensation away.
fn check_gravcomp(m: &Model) -> Result<(), TransitionError> {
    if m.ngravcomp == 0 {
        return Ok(());
    }
    for j in m.joints().filter(|&j| m.jnt_actgravcomp[j].get()) {
        let fail = |property| unsupported_object(m, ObjType::Joint, j.idx(), property);
        if m.jnt_actfrclimited[j].get() {
            return fail("actuatorgravcomp with actuatorfrcrange");
        }
        if m.nu == 0 || m.opt.disabled(DisableBit::Actuation) {
            return fail("actuatorgravcomp without actuation");
        }
    }
    Ok(())
}
