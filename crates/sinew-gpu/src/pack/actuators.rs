//! Actuators with constant moments, and the derivatives of their forces.

use std::collections::BTreeMap;

use sinew_kernel::real::Real;
use sinew_model::enums::{BiasType, DisableBit, DynType, GainType, Integrator, TrnType};
use sinew_model::{ActuatorId, JointId, Model, TendonId};

use super::blob::Blob;
use super::bodies::{NONE, by_components, reals};

/// Moment of an actuator at a dof, and the coordinate that moves with it.
#[derive(Clone, Copy)]
struct Moment {
    dof: usize,
    coordinate: usize,
    coef: f64,
}

pub(super) fn add<R: Real>(m: &Model, blob: &mut Blob<R>) {
    (blob.counts.nu, blob.counts.na) = (m.nu as u32, m.na as u32);
    (blob.state.ctrl, blob.state.act) = (m.nu, m.na);
    blob.work.act_force = m.nu;
    (blob.work.act_slope, blob.work.act_next) = (m.nu, m.na);
    let on = !m.opt.disabled(DisableBit::Actuation);
    let works = |u: ActuatorId| on && !sinew_engine::actuator_disabled(m, u);

    // bounds; none is infinite
    let clamps = !m.opt.disabled(DisableBit::Clampctrl);
    let bounds = |limited: bool, range: [f64; 2]| {
        if limited { range } else { [f64::NEG_INFINITY, f64::INFINITY] }
    };
    let table = |of: &dyn Fn(ActuatorId) -> [f64; 2]| -> Vec<R> {
        by_components(&m.actuators().map(of).collect::<Vec<_>>())
    };
    blob.act_ctrlrange =
        table(&|u| bounds(clamps && m.actuator_ctrllimited[u].get(), m.actuator_ctrlrange[u]));
    blob.act_forcerange =
        table(&|u| bounds(m.actuator_forcelimited[u].get(), m.actuator_forcerange[u]));
    blob.act_range = table(&|u| bounds(m.actuator_actlimited[u].get(), m.actuator_actrange[u]));

    // dynamics, gain and bias; a rest for actuators that are switched off
    blob.act_rate = table(&|u| if works(u) { rate(m, u) } else { [0.0; 2] });
    blob.act_time = reals(m.actuators().map(|u| rate_time(m, u)));
    let three = |of: &dyn Fn(ActuatorId) -> [f64; 3]| -> Vec<R> {
        let some = |u| if works(u) { of(u) } else { [0.0; 3] };
        by_components(&m.actuators().map(some).collect::<Vec<_>>())
    };
    blob.act_gain = three(&|u| match m.actuator_gaintype[u] {
        GainType::Fixed => [m.actuator_gainprm[u][0], 0.0, 0.0],
        _ => first3(&m.actuator_gainprm[u]),
    });
    blob.act_bias = three(&|u| match m.actuator_biastype[u] {
        BiasType::None => [0.0; 3],
        _ => first3(&m.actuator_biasprm[u]),
    });
    blob.act_act =
        m.actuators().map(|u| u32::try_from(m.actuator_actadr[u]).unwrap_or(NONE)).collect();
    blob.act_early = m.actuators().map(|u| u32::from(m.actuator_actearly[u].get())).collect();

    // moments by actuators, then by dofs
    let moments: Vec<Vec<Moment>> = m.actuators().map(|u| moments(m, u)).collect();
    let mut of_dof = vec![Vec::new(); m.nv];
    for (u, moments) in moments.iter().enumerate() {
        blob.act_adr.push(blob.act_dof.len() as u32);
        for x in moments {
            blob.act_dof.push(x.dof as u32);
            blob.act_qpos.push(x.coordinate as u32);
            blob.act_coef.push(R::of(x.coef));
            of_dof[x.dof].push((u as u32, x.coef));
        }
    }
    blob.act_adr.push(blob.act_dof.len() as u32);
    for actuators in of_dof {
        blob.dof_act_adr.push(blob.dof_act.len() as u32);
        for (u, coef) in actuators {
            blob.dof_act.push(u);
            blob.dof_act_coef.push(R::of(coef));
        }
    }
    blob.dof_act_adr.push(blob.dof_act.len() as u32);
    let mut ranges = vec![bounds(false, [0.0; 2]); m.nv];
    for j in m.joints().filter(|&j| m.jnt_actfrclimited[j].get()) {
        ranges[m.jnt_dofadr[j].idx()] = m.jnt_actfrcrange[j];
    }
    blob.dof_act_range = by_components(&ranges);
    if on && m.opt.integrator == Integrator::Implicitfast {
        slopes(m, &moments, blob);
    }
}

fn first3(p: &[f64; 10]) -> [f64; 3] {
    [p[0], p[1], p[2]]
}

/// Time constant of an activation filter.
fn time_constant(m: &Model, u: ActuatorId) -> f64 {
    m.actuator_dynprm[u][0].max(sinew_math::MINVAL)
}

/// Rate of the activation by the control and by itself.
fn rate(m: &Model, u: ActuatorId) -> [f64; 2] {
    match m.actuator_dyntype[u] {
        DynType::Integrator => [1.0, 0.0],
        DynType::Filter | DynType::Filterexact => {
            [1.0 / time_constant(m, u), -1.0 / time_constant(m, u)]
        }
        _ => [0.0; 2],
    }
}

/// The time by which a rate is multiplied in a step.
fn rate_time(m: &Model, u: ActuatorId) -> f64 {
    let h = m.opt.timestep;
    if m.actuator_dyntype[u] != DynType::Filterexact {
        return h;
    }
    let tau = time_constant(m, u);
    tau * (1.0 - (-h / tau).exp())
}

/// Constant moments of an actuator.
fn moments(m: &Model, u: ActuatorId) -> Vec<Moment> {
    let (id, gear) = (m.actuator_trnid[u][0].max(0) as usize, m.actuator_gear[u][0]);
    let of_joint = |j: JointId, coef: f64| Moment {
        dof: m.jnt_dofadr[j].idx(),
        coordinate: m.jnt_qposadr[j] as usize,
        coef,
    };
    if m.actuator_trntype[u] != TrnType::Tendon {
        return vec![of_joint(JointId::new(id), gear)];
    }
    let t = TendonId::new(id);
    let path = m.tendon_adr[t].idx()..m.tendon_adr[t].idx() + m.tendon_num[t] as usize;
    path.map(|w| of_joint(JointId::new(m.wrap_objid[w] as usize), gear * m.wrap_prm[w])).collect()
}

/// Where the derivatives of actuators by velocity belong in M: the products of the moments of two
/// dofs of which one is above the other.
fn slopes<R: Real>(m: &Model, moments: &[Vec<Moment>], blob: &mut Blob<R>) {
    let mut entries: BTreeMap<usize, Vec<(u32, f64)>> = BTreeMap::new();
    for u in m.actuators() {
        let gain = m.actuator_gaintype[u] == GainType::Affine && m.actuator_gainprm[u][2] != 0.0;
        let bias = m.actuator_biastype[u] == BiasType::Affine && m.actuator_biasprm[u][2] != 0.0;
        if !gain && !bias {
            continue;
        }
        for a in &moments[u.idx()] {
            for b in &moments[u.idx()] {
                let row =
                    m.M_rowadr[a.dof] as usize..(m.M_rowadr[a.dof] + m.M_rownnz[a.dof]) as usize;
                let entry = row.into_iter().find(|&k| m.M_colind[k].idx() == b.dof);
                if let Some(entry) = entry {
                    entries.entry(entry).or_default().push((u.idx() as u32, a.coef * b.coef));
                }
            }
        }
    }
    for (entry, products) in entries {
        blob.slope_entry.push(entry as u32);
        blob.slope_adr.push(blob.slope_act.len() as u32);
        for (u, coef) in products {
            blob.slope_act.push(u);
            blob.slope_coef.push(R::of(coef));
        }
    }
    blob.slope_adr.push(blob.slope_act.len() as u32);
}
