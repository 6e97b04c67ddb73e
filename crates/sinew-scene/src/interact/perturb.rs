//! Mouse perturbation of a body: by a spring while time runs, by its pose while paused.

use core::f64::consts::{FRAC_PI_2, PI};

use sinew_engine::{jac, object_velocity, solve_m2};
use sinew_math::{MINVAL, Quat, Spatial, Vec3, scalar, vector};
use sinew_model::enums::{JointType, ObjType, PertBit, VisMouse};
use sinew_model::{BodyId, Data, JointId, Model};

use super::camera::{ORTHOGRAPHIC_SLOWDOWN, motion};
use crate::camera::{camera_in_model, frustum_height};
use crate::error::SceneError;
use crate::records::Perturb;
use crate::scene::Scene;

/// The selected body, if there is one.
fn selected(m: &Model, pert: &Perturb) -> Option<BodyId> {
    let sel = usize::try_from(pert.select).ok()?;
    (sel > 0 && sel < m.nbody).then(|| BodyId::new(sel))
}

/// The position of the selected point.
fn selected_point(d: &Data, pert: &Perturb, b: BodyId) -> Vec3 {
    d.xmat[b] * pert.localpos + d.xpos[b]
}

/// Moves the reference pose that the selected body is pulled to.
#[doc(alias = "mjv_movePerturb")]
pub fn move_perturb(
    m: &Model,
    d: &Data,
    action: VisMouse,
    [dx, dy]: [f64; 2],
    scn: &Scene,
    pert: &mut Perturb,
) -> Result<(), SceneError> {
    let [_, forward, _] = camera_in_model(scn)?;
    let vec = motion(action, dx, dy, forward)?;
    let mut shift = |vec: Vec3, by: f64| {
        pert.refpos += vec * by;
        pert.refselpos += vec * by;
    };
    match action {
        VisMouse::MoveV | VisMouse::MoveH => shift(vec, pert.scale),
        VisMouse::MoveVRel | VisMouse::MoveHRel => {
            // along the axes of the body
            let b = usize::try_from(pert.select).ok().filter(|&b| b < m.nbody);
            let mat = d.xmat[BodyId::new(b.unwrap_or(0))];
            let axis = if action == VisMouse::MoveHRel { Vec3::X } else { Vec3::Z };
            let scale = pert.scale;
            shift(mat * axis, scale * dy);
            shift(mat * Vec3::Y, scale * dx);
        }
        VisMouse::RotateV | VisMouse::RotateH => rotate(m, d, vec, pert),
        _ => {}
    }
    Ok(())
}

/// Rotates the reference, by at most 90° from the body.
fn rotate(m: &Model, d: &Data, vec: Vec3, pert: &mut Perturb) {
    let (axis, angle) = vec.normalize();
    let turn = Quat::from_axis_angle(axis, angle * PI * 2.0);
    pert.refquat = (turn * pert.refquat).normalize().0;
    let Some(b) = selected(m, pert) else { return };
    let own = d.xquat[b] * m.body_iquat[b];
    let (axis, angle) = (own.conj() * pert.refquat).to_vel(1.0).normalize();
    if !(-FRAC_PI_2..=FRAC_PI_2).contains(&angle) {
        let angle = angle.clamp(-FRAC_PI_2, FRAC_PI_2);
        pert.refquat = own * Quat::from_axis_angle(axis, angle);
    }
}

/// Sets the reference to the selected body's pose, and the scale of mouse motion.
///
/// Reads `xpos`, `xmat`, `xipos`, `xquat`, `cdof`, `qLD`.
#[doc(alias = "mjv_initPerturb")]
pub fn init_perturb(
    m: &Model,
    d: &Data,
    scn: &Scene,
    pert: &mut Perturb,
) -> Result<(), SceneError> {
    let Some(b) = selected(m, pert) else { return Ok(()) };
    let point = selected_point(d, pert, b);
    pert.localmass = local_mass(m, d, b, point);

    // effective mass of a flex vertex: scaled by the mean number of edges at a vertex
    let flex = usize::try_from(pert.flexselect).ok().filter(|&f| f < m.nflex);
    if let Some(f) = flex.filter(|&f| !m.flex_rigid[f].get()) {
        pert.localmass *= (2.0 * f64::from(m.flex_edgenum[f])) / f64::from(m.flex_vertnum[f]);
    }
    pert.refpos = d.xipos[b];
    pert.refquat = d.xquat[b] * m.body_iquat[b];
    pert.refselpos = point;

    // a mouse motion moves the point by the same distance on the screen
    let [head, forward, _] = camera_in_model(scn)?;
    pert.scale = frustum_height(scn)? * (pert.refselpos - head).dot(forward);
    if scn.camera[0].orthographic != 0 {
        pert.scale *= ORTHOGRAPHIC_SLOWDOWN;
    }
    Ok(())
}

/// The effective mass at a point of a body: 3 / tr(J M⁻¹ Jᵀ).
fn local_mass(m: &Model, d: &Data, b: BodyId, point: Vec3) -> f64 {
    let mut jacp = vec![0.0; 3 * m.nv];
    let mut half = vec![0.0; 3 * m.nv];
    jac(m, d, Some(&mut jacp), None, point, b);
    let roots: Vec<f64> = d.qLDiagInv.iter().map(|&x| scalar::sqrt(x)).collect();
    solve_m2(m, d, &mut half, &jacp, &roots);
    let dots = half.chunks_exact(m.nv.max(1)).map(|row| vector::dot(row, row));
    let inverse = dots.reduce(|a, b| a + b).unwrap_or(0.0);
    if inverse == 0.0 { 1.0 } else { 3.0 / inverse.max(MINVAL) }
}

#[derive(Clone, Copy)]
struct Pose {
    pos: Vec3,
    quat: Quat,
}

impl Pose {
    /// The composition of this pose with another.
    fn compose(self, b: Pose) -> Pose {
        let pos = self.quat.rotate(b.pos) + self.pos;
        Pose { pos, quat: (self.quat * b.quat).normalize().0 }
    }

    fn inverse(self) -> Pose {
        let quat = self.quat.conj();
        Pose { pos: quat.rotate(self.pos) * -1.0, quat }
    }
}

/// The free joint of a body with no other joint.
fn free_joint(m: &Model, b: BodyId) -> Option<JointId> {
    let j = m.body_jntadr[b].get()?;
    (m.body_jntnum[b] == 1 && m.jnt_type[j] == JointType::Free).then_some(j)
}

/// Moves the selected body to its reference: a mocap body always; a body with a free joint, or a
/// descendant of one, while paused.
#[doc(alias = "mjv_applyPerturbPose")]
pub fn apply_perturb_pose(m: &Model, d: &mut Data, pert: &Perturb, paused: bool) {
    let Some(b) = selected(m, pert).filter(|_| pert.active | pert.active2 != 0) else { return };
    let root = m.body_rootid[b];

    // the reference is the pose of the inertial frame
    let offset = Pose { pos: m.body_ipos[b], quat: m.body_iquat[b] }.inverse();
    let wanted = Pose { pos: pert.refpos, quat: pert.refquat }.compose(offset);
    if let Some(mocap) = m.body_mocapid[b].get() {
        (d.mocap_pos[mocap], d.mocap_quat[mocap]) = (wanted.pos, wanted.quat);
    } else if let Some(j) = free_joint(m, b).filter(|_| paused) {
        set_free(m, d, j, wanted);
    } else if let Some(j) = free_joint(m, root).filter(|_| paused) {
        // root ← wanted · child⁻¹ · root
        let qpos = &(*d.qpos)[m.jnt_qpos(j)];
        let at = Pose { pos: Vec3::from_slice(qpos), quat: Quat::from_slice(&qpos[3..]) };
        let child = Pose { pos: d.xpos[b], quat: d.xquat[b] }.inverse();
        set_free(m, d, j, wanted.compose(child.compose(at)));
    }
}

fn set_free(m: &Model, d: &mut Data, j: JointId, Pose { pos, quat }: Pose) {
    let qpos = &mut (*d.qpos)[m.jnt_qpos(j)];
    qpos[..3].copy_from_slice(&pos.to_array());
    qpos[3..].copy_from_slice(&quat.to_array());
}

/// Sets the force that pulls the selected body to its reference, as a critically damped spring.
///
/// Reads `cvel`. Writes `xfrc_applied` of that body.
#[doc(alias = "mjv_applyPerturbForce")]
pub fn apply_perturb_force(m: &Model, d: &mut Data, pert: &Perturb) {
    let active = pert.active | pert.active2;
    let sel = usize::try_from(pert.select).ok().filter(|&sel| sel < m.nbody && active != 0);
    let Some(b) = sel.map(BodyId::new) else { return };
    let vel = object_velocity(m, d, ObjType::Body, b.idx(), false).unwrap_or(Spatial::ZERO);
    let weight = m.body_invweight0[b][1];
    let inertia = if weight != 0.0 { 1.0 / weight.max(MINVAL) } else { 1.0 };
    let turning = f64::from(m.vis.map.stiffnessrot);
    let mut frc = d.xfrc_applied[b];

    // `xfrc_applied` stores the force first
    let (force, torque) = (&mut frc.rot, &mut frc.lin);
    if active & PertBit::Translate.0 != 0 {
        let point = selected_point(d, pert, b);
        let diff = point - pert.refselpos;
        let stiffness = f64::from(m.vis.map.stiffness);
        let arm = point - d.xipos[b];
        let speed = vel.rot.cross(arm) + vel.lin;
        *force = diff * (-stiffness * pert.localmass);
        *force += speed * (-scalar::sqrt(stiffness) * pert.localmass);
        *torque = arm.cross(*force);

        // damp the rotation about the spring's axis
        let axis = diff.normalize().0;
        *torque += axis * (-scalar::sqrt(turning) * inertia * axis.dot(vel.rot));
    }
    if active & PertBit::Rotate.0 != 0 {
        let own = d.xquat[b] * m.body_iquat[b];
        let dif = pert.refquat * own.conj();
        *torque = dif.to_vel(1.0 / (turning * inertia));
        *torque += vel.rot * (-scalar::sqrt(turning) * inertia);
    }
    d.xfrc_applied[b] = frc;
}
