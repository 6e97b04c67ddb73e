//! Constants of the model, automatic springs, length ranges.

use sinew_engine::{ConstError, InverseError, SleepError, set_const};
use sinew_math::MINVAL;
use sinew_model::enums::{DisableBit, EnableBit, EqType, SleepPolicy, TrnType};
use sinew_model::ids::JointId;
use sinew_model::later::TRN_SO3;
use sinew_model::{Data, Model};

use crate::compile::cx::{At, Cx};
use crate::compile::finish::length_range::compute_length_ranges;
use crate::compile::objects::keyframe::complete_plastic;
use crate::compile::options::option::store_statistic;
use crate::pose::largest;

/// Completes a model whose own fields are all set. Errors are reported.
pub(crate) fn finish(cx: &mut Cx<'_>, m: &mut Model) {
    let timestep = m.opt.timestep;
    if m.nhistory > 0 && timestep <= 0.0 {
        let span = cx.spec.option.timestep.span().unwrap_or_default();
        let text = format!("history buffers require positive timestep, got {timestep}");
        cx.diag.error("option", span, text);
        return;
    }
    set_sleep_policy(cx, m);
    count_rows(m);
    if cx.settings[0].settotalmass > 0.0 {
        sinew_engine::set_totalmass(m, cx.settings[0].settotalmass);
    }

    // constants at the reference pose, where contacts mean nothing
    let (disable, enable) = (m.opt.disableflags, m.opt.enableflags);
    m.opt.disableflags |= DisableBit::Contact.0;
    m.opt.enableflags &= !EnableBit::Sleep.0;
    let mut data = Data::new(m);
    let result = set_const(m, &mut data);
    let inverted = if result.is_ok() { first_comparison(m, &mut data) } else { Ok(()) };
    m.opt.disableflags = disable;
    if let Err(error) = result {
        report(cx, error);
        return;
    }
    if let Err(error) = inverted {
        let span = cx.spec.option.flag.fwdinv.span().unwrap_or_default();
        cx.diag.error("option", span, format!("engine error: {error}"));
        return;
    }
    auto_spring_damper(cx, m);
    complete_plastic(m);
    compute_length_ranges(cx.spec, m, cx.diag);
    m.opt.enableflags = enable;
    store_statistic(cx, m);
    m.nbuffer = buffer_bytes(m);
    if let Err(error) = first_sleep(m) {
        let span = cx.world.bodies[error.body.idx()].head.span;
        cx.diag.error("body", span, format!("engine error: {error}"));
    }
}

/// Puts trees to sleep that the model wants asleep from the start, as every reset does.
fn first_sleep(m: &Model) -> Result<(), SleepError> {
    let any = m.tree_sleep_policy.contains(&SleepPolicy::Init);
    if !any || !m.opt.enabled(EnableBit::Sleep) {
        return Ok(());
    }
    sinew_engine::reset_data_with(m, &mut Data::new(m), 0, &mut ())
}

/// Compares forward with inverse dynamics as the first step would, if the model enables it in every
/// step. The model may ask for an inverse that does not exist.
fn first_comparison(m: &Model, data: &mut Data) -> Result<(), InverseError> {
    if !m.opt.enabled(EnableBit::Fwdinv) {
        return Ok(());
    }
    sinew_model::state::reset_data(m, data);
    sinew_engine::forward(m, data);
    sinew_engine::compare_fwd_inv(m, data)
}

/// Sizes of lists that are made in each step.
fn count_rows(m: &mut Model) {
    let rows = |t: &EqType| match *t {
        EqType::Connect => 3,
        EqType::Weld => 7,
        _ => 1,
    };
    m.nemax = m.eq_type.iter().map(rows).sum();
    m.nJmom = m
        .actuators()
        .map(|u| match m.actuator_trntype[u] {
            TrnType::Joint | TrnType::Jointinparent => {
                let joint = usize::try_from(m.actuator_trnid[u][0]).unwrap_or(0);
                m.jnt_type.get(joint).map_or(0, |t| t.nv())
            }
            TRN_SO3 if m.actuator_trnid[u][1] < 0 => 1,
            _ => m.nv,
        })
        .sum();
}

/// When trees may sleep, as their root bodies say.
fn set_sleep_policy(cx: &mut Cx<'_>, m: &mut Model) {
    m.tree_sleep_policy.fill(SleepPolicy::Auto);
    for id in 1..cx.world.bodies.len() {
        let body = &cx.world.bodies[id];
        if body.sleep == SleepPolicy::Auto {
            continue;
        }
        let tree = m.body_treeid[id].get();
        match tree.filter(|_| m.body_treeid[id] != m.body_treeid[id - 1]) {
            Some(tree) => m.tree_sleep_policy[tree] = body.sleep,
            None => {
                let (name, span) = (body.name.clone(), body.head.span);
                let text = "sleep policy only allowed for movable root bodies";
                cx.fail(At { name: &name, id, span }, text);
            }
        }
    }
}

/// Reports constants that could not be computed.
fn report(cx: &mut Cx<'_>, error: ConstError) {
    let spec = cx.spec;

    // the element that is to blame
    let (name, id, span) = match error {
        ConstError::NoMass(b) => {
            let body = &cx.world.bodies[b.idx()];
            (body.name.clone(), b.idx(), body.head.span)
        }
        ConstError::SleepingTendon { tendon, .. } => {
            let i = tendon.idx();
            let e = spec.tendons.get(i);
            let span = e.map_or_else(Default::default, |e| e.head.span);
            (e.map_or_else(String::new, |e| e.name.text().to_owned()), i, span)
        }
        ConstError::EqualityObject(eq) => {
            let i = eq.idx();
            let e = spec.equalities.get(i);
            let span = e.map_or_else(Default::default, |e| e.head.span);
            (e.map_or_else(String::new, |e| e.name.text().to_owned()), i, span)
        }
        ConstError::FlexNotPlanar(flex) | ConstError::FlexLists(flex) => {
            let i = flex.idx();
            let e = spec.flexes.get(i);
            let span = e.map_or_else(Default::default, |e| e.head.span);
            (e.map_or_else(String::new, |e| e.name.text().to_owned()), i, span)
        }
        _ => (String::new(), 0, spec.world.head.span),
    };
    cx.fail(At { name: &name, id, span }, format!("engine error: {error}"));
}

/// Stiffness and damping from `springdamper`: time constant and damping ratio at the inertia of
/// the reference pose.
fn auto_spring_damper(cx: &Cx<'_>, m: &mut Model) {
    for (i, joint) in cx.world.joints.iter().enumerate() {
        let [time, ratio] = joint.elem.values().springdamper();
        // also false for NaN
        let given = time > 0.0 && ratio > 0.0;
        if !given {
            continue;
        }
        let dofs: Vec<_> = m.jnt_dofs(JointId::new(i)).collect();
        let inverse = dofs.iter().fold(0.0, |sum, &v| sum + m.dof_invweight0[v]);
        let inertia = dofs.len() as f64 / largest(MINVAL, inverse);
        m.jnt_stiffness[i] = inertia / largest(MINVAL, time * time * ratio * ratio);
        let damping = 2.0 * inertia / largest(MINVAL, time);
        for &v in &dofs {
            m.dof_damping[v] = damping;
        }
    }
}

/// Bytes of MuJoCo's model buffer: every array starts at a multiple of 64.
fn buffer_bytes(m: &Model) -> usize {
    let mut bytes: usize = 0;
    m.for_each_field(|field| bytes = bytes.next_multiple_of(64) + field.bytes.len());
    bytes
}
