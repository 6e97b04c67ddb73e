//! Actuators: transmissions, dynamics, and the derivatives of their forces.

use std::collections::{BTreeMap, BTreeSet};

use sinew_kernel::actuation::part;
use sinew_kernel::real::Real;
use sinew_kernel::transmission::kind;
use sinew_math::MINVAL;
use sinew_model::enums::{BiasType, DisableBit, DynType, GainType, Integrator, TrnType};
use sinew_model::{ActuatorId, BodyId, JointId, Model, SiteId, TendonId};

use super::blob::Blob;
use super::bodies::{NONE, by_components, by_rows, reals};
use super::pairs::{chain, contact_dofs};
use super::sites::Sites;
use super::tendons::Tendons;

pub(super) fn add<R: Real>(m: &Model, tendons: &Tendons, sites: &Sites, blob: &mut Blob<R>) {
    (blob.counts.nu, blob.counts.na) = (m.nu as u32, m.na as u32);
    (blob.state.ctrl, blob.state.act) = (m.nu, m.na);
    blob.work.act_force = m.nu;
    (blob.work.act_slope, blob.work.act_dot) = (m.nu, m.na);
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
    blob.act_range =
        table(&|u| bounds(on && m.actuator_actlimited[u].get(), m.actuator_actrange[u]));

    // dynamics, gain and bias; a rest for actuators that are switched off
    blob.act_rate = table(&|u| if works(u) { rate(m, u) } else { [0.0; 2] });
    blob.act_time = reals(m.actuators().map(|u| rate_time(m, u)));
    let three = |of: &dyn Fn(ActuatorId) -> [f64; 3]| -> Vec<R> {
        let some = |u| if works(u) { of(u) } else { [0.0; 3] };
        by_rows(&m.actuators().map(some).collect::<Vec<_>>())
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

    delays(m, blob);
    transmissions(m, tendons, sites, blob);
    muscles(m, &works, blob);
    pulls(m, blob);
    let mut ranges = vec![bounds(false, [0.0; 2]); m.nv];
    for j in m.joints().filter(|&j| m.jnt_actfrclimited[j].get()) {
        ranges[m.jnt_dofadr[j].idx()] = m.jnt_actfrcrange[j];
    }
    // without actuators nothing compensates gravity there
    if m.nu == 0 || !on {
        for v in (0..m.nv).filter(|&v| blob.dof_lift.get(v).is_some_and(|&lift| lift != 0)) {
            ranges[v] = [0.0; 2];
        }
    }
    blob.dof_act_range = by_components(&ranges);
    if on && matches!(m.opt.integrator, Integrator::Implicit | Integrator::Implicitfast) {
        slopes(m, blob);
    }
}

/// Delays of controls, and samples of them.
fn delays<R: Real>(m: &Model, blob: &mut Blob<R>) {
    blob.state.history = m.nhistory;
    let samples = |u: ActuatorId| m.actuator_history[u][0].max(0) as u32;
    if m.nhistory == 0 || m.actuators().all(|u| samples(u) == 0) {
        return;
    }
    blob.counts.delayed = 1;
    blob.act_delay = reals(m.actuator_delay.iter().copied());
    let ring = |u| if samples(u) > 0 { m.actuator_historyadr[u] as u32 } else { NONE };
    blob.act_ring = m.actuators().map(ring).collect();
    blob.act_samples = m.actuators().map(samples).collect();
    blob.act_order = m.actuators().map(|u| m.actuator_history[u][1].max(0) as u32).collect();
}

fn first3(p: &[f64; 10]) -> [f64; 3] {
    [p[0], p[1], p[2]]
}

/// Time constant of an activation filter.
fn time_constant(m: &Model, u: ActuatorId) -> f64 {
    m.actuator_dynprm[u][0].max(MINVAL)
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

/// Kinds, objects and dofs of actuators.
fn transmissions<R: Real>(m: &Model, tendons: &Tendons, sites: &Sites, blob: &mut Blob<R>) {
    let mut of_dof = vec![Vec::new(); m.nv];
    let mut objects = Vec::new();
    for u in m.actuators() {
        let (kind, object, dofs) = transmission(m, u, tendons, sites);
        blob.act_kind.push(kind);
        objects.push(object);
        blob.act_adr.push(blob.act_dof.len() as u32);
        for v in dofs {
            of_dof[v as usize].push([u.idx() as u32, blob.act_dof.len() as u32]);
            blob.act_dof.push(v);
            blob.entry_act.push(u.idx() as u32);
        }
    }
    blob.act_adr.push(blob.act_dof.len() as u32);
    blob.work.moment = blob.act_dof.len();
    blob.act_object = [0, 1].iter().flat_map(|&k| objects.iter().map(move |o| o[k])).collect();
    for list in of_dof {
        blob.dof_act_adr.push(blob.dof_act.len() as u32);
        blob.dof_act.extend(list.iter().map(|[u, _]| u));
        blob.dof_act_entry.extend(list.iter().map(|[_, entry]| entry));
    }
    blob.dof_act_adr.push(blob.dof_act.len() as u32);
    blob.act_gear = by_rows(&m.actuator_gear);
    blob.act_rod = reals(m.actuator_cranklength.iter().copied());
}

/// Kind, objects and dofs of an actuator.
fn transmission(
    m: &Model,
    u: ActuatorId,
    tendons: &Tendons,
    sites: &Sites,
) -> (u32, [u32; 2], Vec<u32>) {
    let ids = m.actuator_trnid[u].map(|id| usize::try_from(id).ok());
    let first = ids[0].unwrap_or(0);
    let of_site =
        |id: Option<usize>| id.map_or(Vec::new(), |s| chain(m, m.site_bodyid[SiteId::new(s)]));
    let between = || {
        let [a, b] = ids.map(of_site);
        let alone = |v: &u32| a.contains(v) != b.contains(v);
        a.iter().chain(&b).copied().filter(alone).collect::<BTreeSet<_>>().into_iter().collect()
    };
    let places = ids.map(|id| id.map_or(NONE, |s| sites.place(s)));
    match m.actuator_trntype[u] {
        TrnType::Tendon => {
            let place = tendons.place(TendonId::new(first)).unwrap_or(0);
            (kind::TENDON, [place as u32, NONE], tendons.dofs(place).collect())
        }
        TrnType::Site if ids[1].is_none() => {
            let mut dofs = of_site(ids[0]);
            dofs.sort_unstable();
            (kind::SITE, places, dofs)
        }
        TrnType::Site => (kind::BETWEEN_SITES, places, between()),
        TrnType::Slidercrank => (kind::CRANK, places, between()),
        TrnType::Body => {
            let dofs = contact_dofs(m, BodyId::new(first)).into_iter().collect();
            (kind::ADHESION, [first as u32, NONE], dofs)
        }
        other => {
            let parent = other == TrnType::Jointinparent;
            let dofs = m.jnt_dofs(JointId::new(first)).map(|v| v.idx() as u32).collect();
            let kind = if parent { kind::JOINT_IN_PARENT } else { kind::JOINT };
            (kind, [first as u32, NONE], dofs)
        }
    }
}

/// The muscles' parts of actuators.
fn muscles<R: Real>(m: &Model, works: &dyn Fn(ActuatorId) -> bool, blob: &mut Blob<R>) {
    let bits = |u: ActuatorId| {
        let bit = |on: bool, bit: u32| if on && works(u) { bit } else { 0 };
        bit(m.actuator_gaintype[u] == GainType::Muscle, part::GAIN)
            | bit(m.actuator_biastype[u] == BiasType::Muscle, part::BIAS)
            | bit(m.actuator_dyntype[u] == DynType::Muscle, part::RATE)
    };
    blob.act_muscle = m.actuators().map(bits).collect();
    if blob.act_muscle.iter().all(|&bits| bits == 0) {
        return;
    }
    let curve = |u: ActuatorId, prm: &[f64; 10]| {
        let [lo, hi, force, scale, lmin, lmax, vmax, fpmax, fvmax, _] = *prm;
        let force = if force < 0.0 { scale / m.actuator_acc0[u].max(MINVAL) } else { force };
        let [from, to] = m.actuator_lengthrange[u];
        let optimum = (to - from) / (hi - lo).max(MINVAL);
        [force, lo, from, optimum, lmin, lmax, vmax, fpmax, fvmax]
    };
    let curves = |of: &dyn Fn(ActuatorId) -> [f64; 10]| -> Vec<R> {
        by_components(&m.actuators().map(|u| curve(u, &of(u))).collect::<Vec<_>>())
    };
    blob.muscle_gain = curves(&|u| m.actuator_gainprm[u]);
    blob.muscle_bias = curves(&|u| m.actuator_biasprm[u]);
    let rates: Vec<[f64; 3]> = m.actuators().map(|u| first3(&m.actuator_dynprm[u])).collect();
    blob.muscle_rate = by_components(&rates);
}

/// Tendons whose actuators' forces are limited.
fn pulls<R: Real>(m: &Model, blob: &mut Blob<R>) {
    blob.act_pull = vec![NONE; m.nu];
    let mut ranges = Vec::new();
    for t in m.tendons().filter(|&t| m.tendon_actfrclimited[t].get()) {
        let on = |u: &ActuatorId| {
            m.actuator_trntype[*u] == TrnType::Tendon && m.actuator_trnid[*u][0] == t.idx() as i32
        };
        blob.pull_adr.push(blob.pull_act.len() as u32);
        for u in m.actuators().filter(on) {
            blob.act_pull[u.idx()] = ranges.len() as u32;
            blob.pull_act.push(u.idx() as u32);
        }
        ranges.push(m.tendon_actfrcrange[t]);
    }
    blob.pull_adr.push(blob.pull_act.len() as u32);
    blob.pull_range = by_components(&ranges);
    blob.counts.npull = ranges.len() as u32;
    blob.work.pull_scale = ranges.len();
}

/// Where the derivatives of actuators by velocity belong in M: the products of the moments of two
/// dofs of which one is above the other.
fn slopes<R: Real>(m: &Model, blob: &mut Blob<R>) {
    let mut entries: BTreeMap<usize, Vec<[u32; 3]>> = BTreeMap::new();
    for u in m.actuators() {
        let affine = m.actuator_gaintype[u] == GainType::Affine && m.actuator_gainprm[u][2] != 0.0;
        let gain = affine || m.actuator_gaintype[u] == GainType::Muscle;
        let bias = m.actuator_biastype[u] == BiasType::Affine && m.actuator_biasprm[u][2] != 0.0;
        if !gain && !bias {
            continue;
        }
        let moments = blob.act_adr[u.idx()]..blob.act_adr[u.idx() + 1];
        for a in moments.clone() {
            let v = blob.act_dof[a as usize] as usize;
            let row = m.M_rowadr[v] as usize..(m.M_rowadr[v] + m.M_rownnz[v]) as usize;
            for b in moments.clone() {
                let column = blob.act_dof[b as usize] as usize;
                let entry = row.clone().find(|&k| m.M_colind[k].idx() == column);
                if let Some(entry) = entry {
                    entries.entry(entry).or_default().push([u.idx() as u32, a, b]);
                }
            }
        }
    }
    for (entry, products) in entries {
        blob.slope_entry.push(entry as u32);
        blob.slope_adr.push(blob.slope_act.len() as u32);
        for [u, first, second] in products {
            blob.slope_act.push(u);
            blob.slope_first.push(first);
            blob.slope_second.push(second);
        }
    }
    blob.slope_adr.push(blob.slope_act.len() as u32);
}
