//! Bodies, joints, dofs and the inertia matrix.

use sinew_kernel::linear;
use sinew_kernel::real::Real;
use sinew_model::enums::{DisableBit, Integrator, JointType, SensorType};
use sinew_model::{BodyId, JointId, Model};

use super::blob::Blob;

/// The index of no object.
pub(super) const NONE: u32 = u32::MAX;

/// Numbers of rows, component after component.
pub(super) fn by_components<R: Real, const N: usize>(rows: &[[f64; N]]) -> Vec<R> {
    (0..N).flat_map(|k| rows.iter().map(move |row| R::of(row[k]))).collect()
}

/// Numbers of rows, row after row.
pub(super) fn by_rows<R: Real, const N: usize>(rows: &[[f64; N]]) -> Vec<R> {
    reals(rows.as_flattened().iter().copied())
}

pub(super) fn reals<R: Real>(from: impl IntoIterator<Item = f64>) -> Vec<R> {
    from.into_iter().map(R::of).collect()
}

pub(super) fn add<R: Real>(m: &Model, blob: &mut Blob<R>) {
    let gravity = if m.opt.disabled(DisableBit::Gravity) { [0.0; 3] } else { m.opt.gravity.into() };
    blob.scalars.timestep = R::of(m.opt.timestep);
    blob.scalars.gravity_x = R::of(gravity[0]);
    blob.scalars.gravity_y = R::of(gravity[1]);
    blob.scalars.gravity_z = R::of(gravity[2]);
    blob.counts.nq = m.nq as u32;
    blob.counts.nv = m.nv as u32;
    blob.counts.nbody = m.nbody as u32;
    blob.counts.njnt = m.njnt as u32;
    bodies(m, blob);
    tree(m, blob);
    joints(m, blob);
    dofs(m, blob);

    // fields of the state and the workspace
    let s = &mut blob.state;
    s.time = 1;
    (s.qpos, s.qvel, s.qacc_warmstart, s.qfrc_applied) = (m.nq, m.nv, m.nv, m.nv);
    s.xfrc_applied = 6 * m.nbody;
    s.eq_active = m.neq;
    (s.mocap_pos, s.mocap_quat) = (3 * m.nmocap, 4 * m.nmocap);
    let w = &mut blob.work;
    w.jnt_quat = 4 * m.njnt;
    (w.xpos, w.xquat, w.xmat, w.xipos) = (3 * m.nbody, 4 * m.nbody, 9 * m.nbody, 3 * m.nbody);
    (w.xanchor, w.xaxis) = (3 * m.njnt, 3 * m.njnt);
    w.com = 3 * blob.root_body.len();
    (w.rigid, w.composite) = (16 * m.nbody, 16 * m.nbody);
    (w.joint_vel, w.joint_acc, w.cvel) = (6 * m.nbody, 6 * m.nbody, 6 * m.nbody);
    (w.cdof, w.dof_force) = (6 * m.nv, 6 * m.nv);
    w.M = m.nC;
    if m.opt.integrator == Integrator::Rk4 {
        blob.counts.rk4 = 1;
        w.start_time = 1;
        (w.start_qpos, w.start_qvel, w.start_act) = (m.nq, m.nv, m.na);
        (w.mean_qvel, w.mean_qacc, w.mean_act) = (m.nv, m.nv, m.na);
    }
    (w.qfrc_smooth, w.qacc) = (m.nv, m.nv);
    (w.matrix, w.matrix_inv) = (m.nv * linear::stride(m.nv), linear::scratch(m.nv));
}

fn bodies<R: Real>(m: &Model, blob: &mut Blob<R>) {
    let rows = |of: &dyn Fn(BodyId) -> [f64; 3]| -> Vec<[f64; 3]> { m.bodies().map(of).collect() };
    blob.body_pos = by_rows(&rows(&|b| m.body_pos[b].into()));
    blob.body_ipos = by_rows(&rows(&|b| m.body_ipos[b].into()));
    let quats: Vec<[f64; 4]> = m.bodies().map(|b| m.body_quat[b].to_array()).collect();
    blob.body_quat = by_rows(&quats);
    let inertias: Vec<[f64; 6]> = m.bodies().map(|b| body_inertia(m, b)).collect();
    blob.body_inertia = by_rows(&inertias);
    blob.body_mass = reals(m.body_mass.iter().copied());

    // compensation of weight is a passive force, and goes with them
    let passive = !m.opt.disabled(DisableBit::Spring) || !m.opt.disabled(DisableBit::Damper);
    let part = |b: BodyId| if passive { m.body_gravcomp[b] } else { 0.0 };
    blob.body_gravcomp = reals(m.bodies().map(part));
    blob.body_jntadr =
        m.bodies().map(|b| m.body_jntadr[b].get().map_or(0, |j| j.idx() as u32)).collect();
    blob.body_jntnum = m.bodies().map(|b| m.body_jntnum[b] as u32).collect();
    let mocap = |b| m.body_mocapid[b].get().map_or(NONE, |id| id.idx() as u32);
    blob.body_mocap = m.bodies().map(mocap).collect();
}

/// R diag(I) Rᵀ for the principal axes R: xx, yy, zz, xy, xz, yz.
fn body_inertia(m: &Model, b: BodyId) -> [f64; 6] {
    let (axes, diag) = (m.body_iquat[b].to_mat(), m.body_inertia[b].to_array());
    let entry =
        |i: usize, j: usize| (0..3).map(|k| axes.0[i][k] * diag[k] * axes.0[j][k]).sum::<f64>();
    [entry(0, 0), entry(1, 1), entry(2, 2), entry(0, 1), entry(0, 2), entry(1, 2)]
}

/// The ancestors and descendants of each body.
fn tree<R: Real>(m: &Model, blob: &mut Blob<R>) {
    let parent = |b: usize| m.body_parentid[b].idx();
    let (mut level, mut end) = (vec![0; m.nbody], vec![0; m.nbody]);
    for b in (0..m.nbody).rev() {
        end[b] = end[b].max(b + 1);
        let up = parent(b);
        end[up] = end[up].max(end[b]);
    }
    let mut root = vec![0; m.nbody];
    for b in 1..m.nbody {
        level[b] = if parent(b) == 0 { 0 } else { level[parent(b)] + 1 };
        if parent(b) == 0 {
            root[b] = blob.root_body.len() as u32;
            blob.root_body.push(b as u32);
            let mass = m.body_subtreemass[b];
            blob.root_inv_mass.push(R::of(if mass < sinew_math::MINVAL {
                0.0
            } else {
                1.0 / mass
            }));
        } else {
            root[b] = root[parent(b)];
        }
    }
    if blob.root_body.is_empty() {
        blob.root_body.push(0);
        blob.root_inv_mass.push(R::ZERO);
    }
    blob.counts.nroot = blob.root_body.len() as u32;
    blob.body_root = root;
    blob.body_parent = (0..m.nbody).map(|b| parent(b) as u32).collect();
    blob.body_end = end.iter().map(|&end| end as u32).collect();

    // levels below the roots
    let deepest = level.iter().copied().max().unwrap_or(0);
    blob.counts.nlevel = deepest as u32;
    blob.level_adr.push(0);
    for l in 1..=deepest {
        blob.level_body.extend((1..m.nbody).filter(|&b| level[b] == l).map(|b| b as u32));
        blob.level_adr.push(blob.level_body.len() as u32);
    }

    // chains from the roots
    for b in 0..m.nbody {
        blob.chain_adr.push(blob.chain_body.len() as u32);
        let start = blob.chain_body.len();
        let mut up = b;
        while up != 0 {
            blob.chain_body.push(up as u32);
            up = parent(up);
        }
        blob.chain_body[start..].reverse();
    }
    blob.chain_adr.push(blob.chain_body.len() as u32);
}

fn joints<R: Real>(m: &Model, blob: &mut Blob<R>) {
    let rows: Vec<[f64; 3]> = m.joints().map(|j| m.jnt_pos[j].into()).collect();
    blob.jnt_pos = by_rows(&rows);
    let rows: Vec<[f64; 3]> = m.joints().map(|j| m.jnt_axis[j].into()).collect();
    blob.jnt_axis = by_rows(&rows);
    blob.jnt_ref = reals(m.joints().map(|j| m.qpos0[m.jnt_qposadr[j] as usize]));
    blob.jnt_type = m.joints().map(|j| m.jnt_type[j].0 as u32).collect();
    blob.jnt_qposadr = m.joints().map(|j| m.jnt_qposadr[j] as u32).collect();
    blob.jnt_dofadr = m.joints().map(|j| m.jnt_dofadr[j].idx() as u32).collect();
    blob.jnt_body = m.joints().map(|j| m.jnt_bodyid[j].idx() as u32).collect();
    if !m.opt.disabled(DisableBit::Spring) {
        for j in m.joints().filter(|&j| m.jnt_stiffness[j] != 0.0) {
            blob.spring_jnt.push(j.idx() as u32);
            blob.spring_stiffness.push(R::of(m.jnt_stiffness[j]));
        }
    }
    blob.counts.nspring = blob.spring_jnt.len() as u32;
    blob.qpos_spring = reals(m.qpos_spring.iter().copied());
    debug_assert!(m.joints().all(|j| m.jnt_type[j].0 <= JointType::Hinge.0));
}

/// Dofs whose actuators compensate gravity, where their force is limited or measured.
fn lifts<R: Real>(m: &Model, blob: &mut Blob<R>) {
    let off = m.nu == 0 || m.opt.disabled(DisableBit::Actuation);
    let measured = |j: JointId| {
        m.sensors().any(|s| {
            m.sensor_type[s] == SensorType::Jointactfrc && m.sensor_objid[s] == j.idx() as i32
        })
    };
    let lifted = |j: JointId| {
        m.jnt_actgravcomp[j].get() && (off || m.jnt_actfrclimited[j].get() || measured(j))
    };
    if m.ngravcomp == 0 || !m.joints().any(lifted) {
        return;
    }
    blob.counts.lifted = 1;
    blob.dof_lift = m.dofs().map(|v| u32::from(lifted(m.dof_jntid[v]))).collect();
}

fn dofs<R: Real>(m: &Model, blob: &mut Blob<R>) {
    let damper = !m.opt.disabled(DisableBit::Damper);
    let damping: Vec<f64> = m.dofs().map(|v| if damper { m.dof_damping[v] } else { 0.0 }).collect();
    let damped = damping.iter().any(|&b| b > 0.0);
    blob.counts.implicit = match m.opt.integrator {
        Integrator::Implicit | Integrator::Implicitfast => 1,
        Integrator::Rk4 => 0,
        _ => u32::from(damped && !m.opt.disabled(DisableBit::Eulerdamp)),
    };
    blob.dof_damping = reals(damping);
    lifts(m, blob);
    blob.dof_armature = reals(m.dof_armature.iter().copied());
    blob.dof_body = m.dofs().map(|v| m.dof_bodyid[v].idx() as u32).collect();
    for v in m.dofs() {
        for k in m.M_rowadr[v]..m.M_rowadr[v] + m.M_rownnz[v] {
            blob.M_row.push(v.idx() as u32);
            blob.M_col.push(m.M_colind[k as usize].idx() as u32);
        }
    }
}
