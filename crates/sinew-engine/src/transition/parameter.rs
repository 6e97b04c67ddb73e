//! Gradients by parameters of the model.
//!
//! With the factors y and z of a product, a parameter p has the gradient y·∂G/∂p + z·∂X/∂p. A
//! body's force is linear in its inertia. With W the motion of the body at the rates y, the inertia
//! adds W·I a - (v × W)·I v.

use sinew_math::{Quat, Spatial, Vec3};
use sinew_model::enums::{
    BiasType, ConstraintType, DisableBit, DynType, GainType, Integrator, JointType, ObjType,
};
use sinew_model::{ActuatorId, BodyId, Data, Model};

use super::actuator::{Moments, drive, force_slopes, set_sources};
use super::error::{TransitionError, unsupported, unsupported_object};
use super::fluid::has_boxes;
use super::integrate::{Scheme, are_related};
use super::linear::StepWork;
use super::rotation::straight_dofs;
use super::tree::{Motion, TreeWork, body_motions};
use super::twist::Twists;
use crate::actuator::actuation::actuator_disabled;
use crate::constraint::jacobian_row;
use crate::sparse::SparseRow;

/// A field of the model by which steps have a gradient.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Parameter {
    /// `body_mass`.
    BodyMass,
    /// `body_ipos`: centres of mass in the axes of their bodies.
    BodyIpos,
    /// `body_inertia`: moments about the principal axes, which stay.
    BodyInertia,
    /// `dof_damping`.
    DofDamping,
    /// `dof_armature`.
    DofArmature,
    /// `jnt_stiffness`.
    JntStiffness,
    /// `dof_frictionloss`; zero where there is none.
    DofFrictionloss,
    /// `tendon_frictionloss`; zero where there is none.
    TendonFrictionloss,
    /// `actuator_gainprm`: the first three columns.
    ActuatorGainprm,
    /// `actuator_biasprm`: the first three columns.
    ActuatorBiasprm,
    /// `opt.gravity`.
    Gravity,
}

impl Parameter {
    /// All parameters.
    pub const ALL: [Parameter; 11] = [
        Parameter::BodyMass,
        Parameter::BodyIpos,
        Parameter::BodyInertia,
        Parameter::DofDamping,
        Parameter::DofArmature,
        Parameter::JntStiffness,
        Parameter::DofFrictionloss,
        Parameter::TendonFrictionloss,
        Parameter::ActuatorGainprm,
        Parameter::ActuatorBiasprm,
        Parameter::Gravity,
    ];

    /// The name of the field.
    pub fn name(self) -> &'static str {
        match self {
            Parameter::BodyMass => "body_mass",
            Parameter::BodyIpos => "body_ipos",
            Parameter::BodyInertia => "body_inertia",
            Parameter::DofDamping => "dof_damping",
            Parameter::DofArmature => "dof_armature",
            Parameter::JntStiffness => "jnt_stiffness",
            Parameter::DofFrictionloss => "dof_frictionloss",
            Parameter::TendonFrictionloss => "tendon_frictionloss",
            Parameter::ActuatorGainprm => "actuator_gainprm",
            Parameter::ActuatorBiasprm => "actuator_biasprm",
            Parameter::Gravity => "opt.gravity",
        }
    }

    /// The parameter with a name.
    pub fn from_name(name: &str) -> Option<Parameter> {
        Parameter::ALL.into_iter().find(|p| p.name() == name)
    }

    /// Number of values in a model.
    pub fn len(self, m: &Model) -> usize {
        match self {
            Parameter::BodyMass => m.nbody,
            Parameter::BodyIpos | Parameter::BodyInertia => 3 * m.nbody,
            Parameter::DofDamping | Parameter::DofArmature | Parameter::DofFrictionloss => m.nv,
            Parameter::TendonFrictionloss => m.ntendon,
            Parameter::JntStiffness => m.njnt,
            Parameter::ActuatorGainprm => m.nu * COLUMNS,
            Parameter::ActuatorBiasprm => m.nu * COLUMNS,
            Parameter::Gravity => 3,
        }
    }
}

/// Columns of the gains and biases of an actuator.
const COLUMNS: usize = 10;

/// The gradient by a parameter, in the layout of the field.
#[derive(Debug)]
pub struct ParameterGradient<'a> {
    /// The parameter.
    pub parameter: Parameter,
    /// Where the gradient is added.
    pub out: &'a mut [f64],
}

/// The factors of a product: of ∂G, and of ∂X if anything is implicit.
#[derive(Clone, Copy)]
pub(super) struct Factors<'a> {
    pub(super) by_force: &'a [f64],
    pub(super) by_acc: &'a [f64],
}

/// Adds the gradients by parameters.
pub(super) fn add_parameters(
    m: &Model,
    d: &Data,
    work: &StepWork,
    factors: Factors<'_>,
    params: &mut [ParameterGradient<'_>],
) {
    let implicit = work.scheme.is_some();
    let Factors { by_force, by_acc } = factors;
    let acc = &work.integrate.acc;
    for ParameterGradient { parameter, out } in params {
        match parameter {
            Parameter::BodyMass | Parameter::BodyIpos | Parameter::BodyInertia => {
                add_inertia(m, d, work, factors, *parameter, out);
            }
            Parameter::DofDamping if m.opt.disabled(DisableBit::Damper) => {}
            Parameter::DofDamping => {
                for v in 0..m.nv {
                    out[v] += by_force[v] * d.qvel[v];
                    if implicit {
                        out[v] -= by_acc[v] * m.opt.timestep * acc[v];
                    }
                }
            }
            Parameter::DofArmature => {
                for v in 0..m.nv {
                    out[v] += by_force[v] * d.qacc[v];
                    if implicit {
                        out[v] += by_acc[v] * (d.qacc[v] - acc[v]);
                    }
                }
            }
            Parameter::JntStiffness => add_stiffness(m, d, by_force, out),
            Parameter::DofFrictionloss => {
                add_friction(d, ConstraintType::FrictionDof, by_force, out);
            }
            Parameter::TendonFrictionloss => {
                add_friction(d, ConstraintType::FrictionTendon, by_force, out);
            }
            Parameter::ActuatorGainprm => add_actuator(m, d, work, factors, true, out),
            Parameter::ActuatorBiasprm => add_actuator(m, d, work, factors, false, out),
            Parameter::Gravity => add_gravity(m, d, by_force, out),
        }
    }
}

fn add_stiffness(m: &Model, d: &Data, by_force: &[f64], out: &mut [f64]) {
    if m.opt.disabled(DisableBit::Spring) {
        return;
    }
    for j in m.joints() {
        let (adr, dof) = (m.jnt_qpos(j).start, m.jnt_dofadr[j].idx());
        let straight = straight_dofs(m.jnt_type[j]);
        for k in 0..straight {
            out[j.idx()] += by_force[dof + k] * (d.qpos[adr + k] - m.qpos_spring[adr + k]);
        }
        if matches!(m.jnt_type[j], JointType::Free | JointType::Ball) {
            let quat = Quat::from_slice(d.qpos.split_at(adr + straight).1).normalize().0;
            let rest = Quat::from_slice(m.qpos_spring.split_at(adr + straight).1);
            let turn = quat.rotvec_from(rest);
            out[j.idx()] += Vec3::from_slice(&by_force[dof + straight..]).dot(turn);
        }
    }
}

/// Adds the gradient by the largest forces of dry friction: a row that slides has this force.
fn add_friction(d: &Data, kind: ConstraintType, by_force: &[f64], out: &mut [f64]) {
    for row in (0..d.nefc).filter(|&row| d.efc_type[row] == kind) {
        let force = d.efc_force[row];
        if force.abs() < d.efc_frictionloss[row].abs() {
            continue;
        }
        let (dofs, values) = jacobian_row(d, row);
        let push = dofs.iter().zip(values).fold(0.0, |sum, (&v, x)| sum + x * by_force[v as usize]);
        out[d.efc_id[row].max(0) as usize] -= push * force.signum();
    }
}

fn add_gravity(m: &Model, d: &Data, by_force: &[f64], out: &mut [f64]) {
    if m.opt.disabled(DisableBit::Gravity) {
        return;
    }
    let mut twists = Twists::default();
    twists.set(m, d, by_force);
    let compensates = has_compensation(m);
    for b in m.bodies().skip(1) {
        let share = if compensates { 1.0 - m.body_gravcomp[b] } else { 1.0 };
        let moved = at(twists.body[b.idx()], centre(m, d, b));
        for k in 0..3 {
            out[k] -= m.body_mass[b] * share * moved[k];
        }
    }
}

/// Whether forces of gravity compensation are computed.
fn has_compensation(m: &Model) -> bool {
    let passive = !m.opt.disabled(DisableBit::Spring) || !m.opt.disabled(DisableBit::Damper);
    passive && m.ngravcomp > 0
}

/// From the centre of mass of a body's tree to the body's.
fn centre(m: &Model, d: &Data, b: BodyId) -> Vec3 {
    d.xipos[b] - d.subtree_com[m.body_rootid[b]]
}

/// The motion of a point.
fn at(motion: Spatial, point: Vec3) -> Vec3 {
    motion.lin + motion.rot.cross(point)
}

/// Adds the gradient by an inertial parameter of the bodies.
fn add_inertia(
    m: &Model,
    d: &Data,
    work: &StepWork,
    factors: Factors<'_>,
    parameter: Parameter,
    out: &mut [f64],
) {
    let mut tree = TreeWork::default();
    let mut twists = Twists::default();
    let zero = vec![0.0; m.nv];
    let acc = &work.integrate.acc;

    // inverse dynamics, and forces at the centre of mass
    twists.set(m, d, factors.by_force);
    let motion = Motion { rates: Some(&d.qvel), acc: &d.qacc, gravity: true };
    add_motion(m, d, &mut tree, motion, (&twists, 1.0), parameter, out);
    add_forces(m, d, &twists, parameter, out);

    // terms of the integrator
    let Some(scheme) = work.scheme else { return };
    twists.set(m, d, factors.by_acc);
    let left: Vec<f64> = d.qacc.iter().zip(acc).map(|(a, b)| a - b).collect();
    let motion = Motion { rates: None, acc: &left, gravity: false };
    add_motion(m, d, &mut tree, motion, (&twists, 1.0), parameter, out);
    if scheme == Scheme::Full {
        for sign in [1.0, -1.0] {
            let rates: Vec<f64> = d.qvel.iter().zip(acc).map(|(v, y)| v + sign * y).collect();
            let motion = Motion { rates: Some(&rates), acc: &zero, gravity: false };
            let scale = -0.5 * sign * m.opt.timestep;
            add_motion(m, d, &mut tree, motion, (&twists, scale), parameter, out);
        }
    }
}

/// Adds the gradient of W·I a - (v × W)·I v of all bodies in a motion.
fn add_motion(
    m: &Model,
    d: &Data,
    tree: &mut TreeWork,
    motion: Motion<'_>,
    (twists, scale): (&Twists, f64),
    parameter: Parameter,
    out: &mut [f64],
) {
    let (velocities, accelerations) = body_motions(m, d, motion, tree);
    for b in m.bodies().skip(1) {
        let (w, v, a) = (twists.body[b.idx()], velocities[b.idx()], accelerations[b.idx()]);
        add_form(m, d, b, [w, a], parameter, scale, out);
        add_form(m, d, b, [v.cross_motion(w), v], parameter, -scale, out);
    }
}

/// Adds the gradient of x·I y of a body.
fn add_form(
    m: &Model,
    d: &Data,
    b: BodyId,
    [x, y]: [Spatial; 2],
    parameter: Parameter,
    scale: f64,
    out: &mut [f64],
) {
    let c = centre(m, d, b);
    let (by_x, by_y) = (at(x, c), at(y, c));
    match parameter {
        Parameter::BodyMass => out[b.idx()] += scale * by_x.dot(by_y),
        Parameter::BodyIpos => {
            for k in 0..3 {
                let shift = d.xmat[b].col(k);
                let sum = x.rot.cross(shift).dot(by_y) + by_x.dot(y.rot.cross(shift));
                out[3 * b.idx() + k] += scale * m.body_mass[b] * sum;
            }
        }
        _ => {
            for k in 0..3 {
                let axis = d.ximat[b].col(k);
                out[3 * b.idx() + k] += scale * x.rot.dot(axis) * y.rot.dot(axis);
            }
        }
    }
}

/// Adds the gradient of the forces at the centres of mass: gravity compensation and the user's.
fn add_forces(m: &Model, d: &Data, twists: &Twists, parameter: Parameter, out: &mut [f64]) {
    let compensates = has_compensation(m) && m.has_gravity();
    for b in m.bodies().skip(1) {
        let w = twists.body[b.idx()];
        let lift = if compensates { m.opt.gravity * -m.body_gravcomp[b] } else { Vec3::ZERO };
        match parameter {
            Parameter::BodyMass => out[b.idx()] -= at(w, centre(m, d, b)).dot(lift),
            Parameter::BodyIpos => {
                // the user's forces come first in their field
                let force = lift * m.body_mass[b] + d.xfrc_applied[b].rot;
                for k in 0..3 {
                    out[3 * b.idx() + k] -= w.rot.cross(d.xmat[b].col(k)).dot(force);
                }
            }
            _ => {}
        }
    }
}

/// Adds the gradient by the gains or by the biases of actuators.
fn add_actuator(
    m: &Model,
    d: &Data,
    work: &StepWork,
    factors: Factors<'_>,
    gains: bool,
    out: &mut [f64],
) {
    if m.opt.disabled(DisableBit::Actuation) {
        return;
    }
    let mut moments = Moments::default();
    let mut sources = Vec::new();
    let is_affine = |u: ActuatorId| match gains {
        true => m.actuator_gaintype[u] == GainType::Affine,
        false => m.actuator_biastype[u] == BiasType::Affine,
    };
    for u in m.actuators().filter(|&u| !actuator_disabled(m, u)) {
        if force_slopes(m, d, u).limited {
            continue;
        }
        moments.set(m, d, &work.arms.tendons, u);
        let row = &moments.row;
        let push = row
            .ind
            .iter()
            .zip(&row.val)
            .filter(|(v, _)| !work.actuators.at_limit[v.idx()])
            .fold(0.0, |sum, (v, x)| sum + x * factors.by_force[v.idx()]);
        set_sources(m, d, u, &mut sources);
        for &(k, share) in sources.iter().filter(|(k, _)| gains || is_affine(*k)) {
            let scale = if gains { drive(m, d, k) } else { 1.0 };
            let out = &mut out[k.idx() * COLUMNS..(k.idx() + 1) * COLUMNS];
            out[0] -= push * share * scale;
            if is_affine(k) {
                out[1] -= push * share * scale * d.actuator_length[k];
                out[2] -= push * share * scale * d.actuator_velocity[k];
            }
        }
        if is_affine(u) {
            // MuJoCo takes the control before clamping here
            let raw = m.actuator_dyntype[u] == DynType::None;
            let factor = match (gains, raw) {
                (false, _) => 1.0,
                (true, true) => d.ctrl[u],
                (true, false) => drive(m, d, u),
            };
            out[u.idx() * COLUMNS + 2] += factor * damping_gradient(m, work, factors, row);
        }
    }
}

/// An error if a parameter has no derivative in this model.
pub(super) fn check_parameter(m: &Model, parameter: Parameter) -> Result<(), TransitionError> {
    let muscle = |u: &ActuatorId| match parameter {
        Parameter::ActuatorGainprm => m.actuator_gaintype[*u] == GainType::Muscle,
        Parameter::ActuatorBiasprm => m.actuator_biastype[*u] == BiasType::Muscle,
        _ => false,
    };
    let of_mass = matches!(parameter, Parameter::BodyMass | Parameter::BodyInertia);
    if of_mass && has_boxes(m) {
        return unsupported(&format!(
            "{} in a fluid with forces on inertia boxes",
            parameter.name()
        ));
    }
    match m.actuators().find(muscle) {
        Some(u) => unsupported_object(m, ObjType::Actuator, u.idx(), "parameters of its muscle"),
        None => Ok(()),
    }
}

/// The gradient of h D a' by the slope of a force by velocity.
fn damping_gradient(m: &Model, work: &StepWork, factors: Factors<'_>, row: &SparseRow) -> f64 {
    if !matches!(m.opt.integrator, Integrator::Implicit | Integrator::Implicitfast) {
        return 0.0;
    }
    let acc = &work.integrate.acc;
    let mut sum = 0.0;
    for (&w, &moment) in row.ind.iter().zip(&row.val) {
        let related = row.ind.iter().zip(&row.val).filter(|(v, _)| are_related(m, w, **v));
        let speed = related.fold(0.0, |sum, (v, x)| sum + x * acc[v.idx()]);
        sum += factors.by_acc[w.idx()] * moment * speed;
    }
    m.opt.timestep * sum
}
