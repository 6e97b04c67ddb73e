//! Dry friction and limits of joints, the options of the solver, and the rows of all constraints.

use sinew_kernel::real::Real;
use sinew_math::MINVAL;
use sinew_model::enums::{DisableBit, JointType, SolverType};
use sinew_model::{DofId, JointId, Model};

use super::blob::Blob;
use super::bodies::{NONE, by_components, reals};

/// Bounds of the impedance.
const IMPEDANCE: [f64; 2] = [0.0001, 0.9999];

/// Stiffness, damping, and the impedance over the violation, as the kernel has them.
pub(super) fn response(m: &Model, solref: [f64; 2], solimp: [f64; 5]) -> [f64; 7] {
    let [k, b, _, _] = sinew_engine::row_response(m, solref, solimp, 0.0);
    let clip = |x: f64| x.clamp(IMPEDANCE[0], IMPEDANCE[1]);
    let [dmin, dmax, width, mid, power] = solimp;
    [k, b, clip(dmin), clip(dmax), width.max(0.0), clip(mid), power.max(1.0)]
}

/// Dofs with dry friction.
fn rubbing(m: &Model) -> Vec<DofId> {
    let off = |bit| m.opt.disabled(bit);
    if off(DisableBit::Constraint) || off(DisableBit::Frictionloss) {
        return Vec::new();
    }
    m.dofs().filter(|&v| m.dof_frictionloss[v] != 0.0).collect()
}

/// Joints with limits.
pub(super) fn limited(m: &Model) -> Vec<JointId> {
    let off = |bit| m.opt.disabled(bit);
    if off(DisableBit::Constraint) || off(DisableBit::Limit) {
        return Vec::new();
    }
    m.joints().filter(|&j| m.jnt_limited[j].get()).collect()
}

pub(super) fn add<R: Real>(m: &Model, blob: &mut Blob<R>) {
    friction(m, blob);
    limits(m, blob);
    solver(m, blob);

    // M by rows of both triangles
    let mut rows = vec![Vec::new(); m.nv];
    for (k, (&i, &j)) in blob.M_row.iter().zip(&blob.M_col).enumerate() {
        rows[i as usize].push((j, k as u32));
        if i != j {
            rows[j as usize].push((i, k as u32));
        }
    }
    for mut row in rows {
        row.sort_unstable();
        blob.full_adr.push(blob.full_col.len() as u32);
        blob.full_col.extend(row.iter().map(|&(col, _)| col));
        blob.full_entry.extend(row.iter().map(|&(_, entry)| entry));
    }
    blob.full_adr.push(blob.full_col.len() as u32);
}

/// Tables and workspace of all rows, when all are known.
pub(super) fn finish<R: Real>(m: &Model, blob: &mut Blob<R>) {
    blob.counts.nresponse = blob.response_rows.len() as u32;
    blob.response = by_components(&blob.response_rows);

    // the maximum number of rows
    blob.counts.constrained = u32::from(blob.most_rows > 0);
    let (w, most) = (&mut blob.work, blob.most_rows);
    (w.row_D, w.row_sign, w.row_aref, w.row_jar) = (most, most, most, most);
    (w.row_jv, w.row_force, w.row_H) = (most, most, most);
    (w.Ma, w.Mv, w.search, w.qfrc_constraint) = (m.nv, m.nv, m.nv, m.nv);
}

fn friction<R: Real>(m: &Model, blob: &mut Blob<R>) {
    let dofs = rubbing(m);
    blob.friction_of = vec![NONE; m.nv];
    for (i, &v) in dofs.iter().enumerate() {
        blob.friction_of[v.idx()] = i as u32;
        let [_, b, imp, _] = sinew_engine::row_response(m, m.dof_solref[v], m.dof_solimp[v], 0.0);
        let r = ((1.0 - imp) * m.dof_invweight0[v] / imp).max(MINVAL);
        blob.friction_D.push(R::of(1.0 / r));
        blob.friction_b.push(R::of(b));
    }
    blob.friction_dof = dofs.iter().map(|v| v.idx() as u32).collect();
    blob.friction_loss = reals(dofs.iter().map(|&v| m.dof_frictionloss[v]));
    blob.counts.nfriction = dofs.len() as u32;
    blob.most_rows += dofs.len();
}

fn limits<R: Real>(m: &Model, blob: &mut Blob<R>) {
    let mut joints = limited(m);
    joints.retain(|&j| matches!(m.jnt_type[j], JointType::Hinge | JointType::Slide));
    let dof = |j: JointId| m.jnt_dofadr[j];
    blob.limit_of = vec![NONE; m.nv];
    for (l, &j) in joints.iter().enumerate() {
        blob.limit_of[dof(j).idx()] = l as u32;
        blob.response_rows.push(response(m, m.jnt_solref[j], m.jnt_solimp[j]));
    }
    let ranges: Vec<[f64; 2]> = joints.iter().map(|&j| m.jnt_range[j]).collect();
    blob.limit_range = by_components(&ranges);
    blob.limit_margin = reals(joints.iter().map(|&j| m.jnt_margin[j]));
    blob.limit_diag = reals(joints.iter().map(|&j| m.dof_invweight0[dof(j)]));
    blob.limit_qpos = joints.iter().map(|&j| m.jnt_qposadr[j] as u32).collect();
    blob.limit_dof = joints.iter().map(|&j| dof(j).idx() as u32).collect();
    blob.counts.nlimit = joints.len() as u32;
    blob.work.limit_row = joints.len() + 1;
    blob.most_rows += 2 * joints.len();
}

fn solver<R: Real>(m: &Model, blob: &mut Blob<R>) {
    blob.scalars.tolerance = R::of(m.opt.tolerance.max(32.0 * R::EPSILON.to_f64()));
    blob.scalars.ls_tolerance = R::of(m.opt.ls_tolerance);
    blob.scale = vec![R::of(1.0 / (m.stat.meaninertia * m.nv.max(1) as f64))];
    blob.counts.iterations = m.opt.iterations.max(0) as u32;
    blob.counts.ls_iterations = m.opt.ls_iterations.max(0) as u32;
    if m.opt.solver == SolverType::Cg {
        blob.counts.conjugate = 1;
        let w = &mut blob.work;
        (w.old_grad, w.solved, w.old_solved) = (m.nv, m.nv, m.nv);
    }
    blob.counts.warm = u32::from(!m.opt.disabled(DisableBit::Warmstart));
}
