//! The contribution of each element to the stiffness or damping of a mode.

use sinew_model::enums::{DisableBit, Integrator, JointType, ObjType};
use sinew_model::{Data, FlexId, JointId, Model, TendonId};

use crate::element::Element;
use crate::modes::{Along, Linear, Mode};

/// The contribution of an element to vᵀKv or vᵀBv of a mode.
#[derive(Clone, Debug)]
pub(crate) struct Share {
    /// The element; of unknown type if the force belongs to none.
    pub(crate) part: Element,
    /// The contribution.
    pub(crate) work: f64,
    /// Stiffness or damping in units of the element's own length, if it has a length.
    pub(crate) strength: f64,
}

/// The damping of each dof that the integrator treats implicitly.
pub(crate) fn implicit_damping(m: &Model) -> Vec<f64> {
    let off = m.opt.disabled(DisableBit::Damper);
    let implicit = match m.opt.integrator {
        Integrator::Euler => !m.opt.disabled(DisableBit::Eulerdamp),
        Integrator::Rk4 => false,
        _ => true,
    };
    match implicit && !off {
        true => m.dof_damping.to_vec(),
        false => vec![0.0; m.nv],
    }
}

/// Contributions of all elements to a mode, the largest first; for a growing mode, the most
/// negative first.
pub(crate) fn shares(linear: &mut Linear<'_>, along: Along, mode: &Mode) -> Vec<Share> {
    linear.perturb(along, &mode.vector);
    let mut list = Vec::new();
    actuators(linear, along, &mut list);
    joints(&linear.m, along, &mode.vector, &mut list);
    tendons(linear, along, &mut list);
    if along == Along::Velocity {
        let fluid = |d: &Data, v: usize| d.qfrc_fluid[v];
        let work = (0..linear.m.nv).map(|v| linear.work(fluid, v, mode.vector[v])).sum();
        let part = Element { kind: ObjType::Unknown, id: 0, name: Some("fluid".into()) };
        list.push(Share { part, work, strength: 0.0 });
    }
    flexes(linear, along, &mode.vector, &mut list);
    let sign = if mode.value < 0.0 { -1.0 } else { 1.0 };
    list.sort_by(|a, b| (sign * b.work).total_cmp(&(sign * a.work)));
    list
}

fn actuators(linear: &Linear<'_>, along: Along, list: &mut Vec<Share>) {
    let Linear { m, base, perturbed, scale, .. } = linear;
    for u in m.actuators() {
        let moved = match along {
            Along::Position => perturbed.actuator_length[u] - base.actuator_length[u],
            Along::Velocity => perturbed.actuator_velocity[u] - base.actuator_velocity[u],
        };
        let answer = base.actuator_force[u] - perturbed.actuator_force[u];
        if moved != 0.0 && answer != 0.0 {
            list.push(Share {
                part: Element::new(m, ObjType::Actuator, u.idx()),
                work: answer * moved / (scale * scale),
                strength: answer / moved,
            });
        }
    }
}

/// Springs of joints, or their dampers if these are explicit.
fn joints(m: &Model, along: Along, v: &[f64], list: &mut Vec<Share>) {
    let implicit = implicit_damping(m);
    for j in m.joints() {
        let dofs = joint_dofs(m, j);
        let (work, strength) = match along {
            Along::Position => {
                let k = if m.opt.disabled(DisableBit::Spring) { 0.0 } else { m.jnt_stiffness[j] };
                (dofs.map(|i| k * v[i] * v[i]).sum::<f64>(), k)
            }
            Along::Velocity => {
                let of = |i: usize| m.dof_damping[i] - implicit[i];
                (dofs.clone().map(|i| of(i) * v[i] * v[i]).sum(), of(dofs.start))
            }
        };
        if work != 0.0 {
            list.push(Share { part: Element::new(m, ObjType::Joint, j.idx()), work, strength });
        }
    }
}

/// The dofs of a joint.
pub(crate) fn joint_dofs(m: &Model, j: JointId) -> core::ops::Range<usize> {
    let width = match m.jnt_type[j] {
        JointType::Free => 6,
        JointType::Ball => 3,
        _ => 1,
    };
    let first = m.jnt_dofadr[j].idx();
    first..first + width
}

fn tendons(linear: &Linear<'_>, along: Along, list: &mut Vec<Share>) {
    let Linear { m, base, perturbed, scale, .. } = linear;
    for t in (0..m.ntendon).map(TendonId::new) {
        let [low, high] = m.tendon_lengthspring[t];
        let length = base.ten_length[t];
        let slack = length > low && length < high;
        let (moved, strength) = match along {
            Along::Position if slack => continue,
            Along::Position => (perturbed.ten_length[t] - length, m.tendon_stiffness[t]),
            Along::Velocity => {
                (perturbed.ten_velocity[t] - base.ten_velocity[t], m.tendon_damping[t])
            }
        };
        let work = strength * moved * moved / (scale * scale);
        if work != 0.0 {
            list.push(Share { part: Element::new(m, ObjType::Tendon, t.idx()), work, strength });
        }
    }
}

/// The flex of every dof whose body carries vertices or nodes of a flex.
pub(crate) fn flex_of_dofs(m: &Model) -> Vec<Option<FlexId>> {
    let mut of_body = vec![None; m.nbody];
    for f in m.flexes() {
        let range = |first: i32, n: i32| first.max(0) as usize..(first.max(0) + n.max(0)) as usize;
        let vertices = range(m.flex_vertadr[f], m.flex_vertnum[f]);
        let nodes = range(m.flex_nodeadr[f], m.flex_nodenum[f]);
        let bodies = m.flex_vertbodyid.get(vertices).into_iter().flatten();
        let bodies = bodies.filter_map(|b| b.get());
        for b in bodies.chain(m.flex_nodebodyid.get(nodes).into_iter().flatten().copied()) {
            of_body[b.idx()] = Some(f);
        }
    }
    m.dofs().map(|v| of_body[m.dof_bodyid[v].idx()]).collect()
}

/// Passive forces on the dofs of flexes, without springs and dampers of joints.
fn flexes(linear: &Linear<'_>, along: Along, v: &[f64], list: &mut Vec<Share>) {
    let m = &linear.m;
    if m.nflex == 0 {
        return;
    }
    let mut work = vec![0.0; m.nflex];
    let passive = |d: &Data, v: usize| d.qfrc_spring[v] + d.qfrc_damper[v];
    for (i, f) in flex_of_dofs(m).into_iter().enumerate() {
        let Some(f) = f else { continue };
        let j = m.dof_jntid[i];
        let own = match along {
            Along::Position => m.jnt_stiffness[j],
            Along::Velocity => m.dof_damping[i],
        };
        work[f.idx()] += linear.work(passive, i, v[i]) - own * v[i] * v[i];
    }
    for (f, &work) in work.iter().enumerate().filter(|(_, work)| **work != 0.0) {
        list.push(Share { part: Element::new(m, ObjType::Flex, f), work, strength: 0.0 });
    }
}
