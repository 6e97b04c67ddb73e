//! Which models have analytic derivatives.

use sinew_model::enums::{
    BiasType, DisableBit, DynType, EnableBit, EqType, GainType, Integrator, JointType, ObjType,
    TrnType, WrapType,
};
use sinew_model::later::row;
use sinew_model::{ActuatorId, JointId, Model};

use super::error::{TransitionError, unsupported, unsupported_object};

/// Refuses models with parts that have no derivative here.
pub(super) fn check_model(m: &Model) -> Result<(), TransitionError> {
    if m.opt.integrator == Integrator::Rk4 {
        return unsupported("integrator RK4");
    }
    if m.nhistory > 0 {
        return unsupported("delays and histories");
    }
    if m.opt.enabled(EnableBit::Sleep) {
        return unsupported("option sleep");
    }
    if m.coulomb.enabled {
        return unsupported("exact friction");
    }
    if m.opt.noslip_iterations > 0 {
        return unsupported("option noslip_iterations");
    }
    if m.opt.density != 0.0 || m.opt.viscosity != 0.0 {
        return unsupported("fluid forces (option density, option viscosity)");
    }
    if m.nplugin > 0 {
        return unsupported_object(m, ObjType::Plugin, 0, "plugin");
    }
    if m.nflex > 0 {
        return unsupported_object(m, ObjType::Flex, 0, "flexible object");
    }
    if let Some(later) = &m.later {
        if !later.geom_surfacevel.is_empty() {
            return unsupported("surfacevel");
        }
        if later.nplastic > 0 {
            return unsupported("springyield");
        }
        let turns = |j: &JointId| matches!(m.jnt_type[*j], JointType::Free | JointType::Ball);
        let bends = |j: &JointId| row(&later.jnt_stiffnesspoly, j.idx()) != [0.0; 2];
        if let Some(j) = m.joints().filter(turns).find(bends) {
            return unsupported_object(m, ObjType::Joint, j.idx(), "its polynomial stiffness");
        }
        let dampers =
            [&later.dof_dampingpoly, &later.tendon_dampingpoly, &later.actuator_dampingpoly];
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
        let fail = |property| unsupported_object(m, ObjType::Tendon, t.idx(), property);
        let first = m.tendon_adr[t].idx();
        let path = first..first + m.tendon_num[t].max(0) as usize;
        if m.wrap_type.rows(path).iter().any(|&kind| kind != WrapType::Joint) {
            return fail("spatial");
        }
        if m.tendon_actfrclimited[t].get() {
            return fail("actuatorfrcrange");
        }
    }
    Ok(())
}

fn check_actuator(m: &Model, u: ActuatorId) -> Result<(), TransitionError> {
    let fail = |property| unsupported_object(m, ObjType::Actuator, u.idx(), property);
    match m.actuator_trntype[u] {
        TrnType::Joint | TrnType::Jointinparent | TrnType::Tendon => {}
        TrnType::Site if m.actuator_trnid[u][1] < 0 => {
            if m.jnt_actfrclimited.iter().any(|limited| limited.get()) {
                return fail("a site beside joints with actuatorfrcrange");
            }
        }
        TrnType::Site => return fail("a site with refsite"),
        TrnType::Slidercrank => return fail("a slider-crank"),
        TrnType::Body => return fail("adhesion"),
        _ => return fail("its transmission"),
    }
    let dynamics = [DynType::None, DynType::Integrator, DynType::Filter, DynType::Filterexact];
    if !dynamics.contains(&m.actuator_dyntype[u]) {
        return fail("its dynamics");
    }
    if !matches!(m.actuator_gaintype[u], GainType::Fixed | GainType::Affine) {
        return fail("its gain");
    }
    if !matches!(m.actuator_biastype[u], BiasType::None | BiasType::Affine) {
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
