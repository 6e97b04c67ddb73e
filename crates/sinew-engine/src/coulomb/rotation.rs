//! Gyroscopic torque of free bodies by the midpoint rule.
//!
//! A free body with inertia I turns by I ω̇ + ω × I ω = τ, in its own axes. MuJoCo takes the
//! gyroscopic torque ω × I ω at the start of a step, so a tumbling body gains energy in every step.
//! The midpoint rule takes it at the mean ω̄ of the velocities before and after:
//!
//! ```text
//! I (ω⁺ - ω) / h + ω̄ × I ω̄ = τ,   ω̄ = (ω + ω⁺) / 2
//! ```
//!
//! Without τ, a step then keeps the kinetic energy and the length of the angular momentum.

use sinew_math::{Mat3, Vec3};
use sinew_model::enums::JointType;
use sinew_model::{BodyId, Data, DofId, Model, TreeId};

/// Maximum number of Newton steps; three are usual.
const NEWTON_STEPS: usize = 10;

/// Residual torque at which Newton's method ends, relative to the torques in the equation.
const PRECISION: f64 = 1e-13;

/// Replaces the gyroscopic torque of every free body in `force` by the midpoint rule's.
///
/// Reads `qvel`, `xpos`, `xmat`, `subtree_com`, `cinert`. A tree with further joints keeps
/// MuJoCo's torque, and so does a body that turns too fast for the time step.
pub(super) fn use_midpoint_torque(m: &Model, d: &Data, force: &mut [f64]) {
    for (body, first) in free_bodies(m, d) {
        let Some(change) = body.change_of_torque(d, m.opt.timestep, &force[first..]) else {
            continue;
        };
        for (to, change) in force[first + 3..].iter_mut().zip(change.to_array()) {
            *to += change;
        }
    }
}

/// The free bodies, each with its first dof.
fn free_bodies(m: &Model, d: &Data) -> impl Iterator<Item = (FreeBody, usize)> {
    m.trees().filter_map(|tree| {
        let first = m.tree_dofadr[tree];
        let joint = m.dof_jntid[first];
        let is_free = m.tree_dofnum[tree] == 6 && m.jnt_type[joint] == JointType::Free;
        is_free.then(|| (FreeBody::new(m, d, tree, m.jnt_bodyid[joint], first), first.idx()))
    })
}

/// Derivatives of the change of a free body's torque by the midpoint rule.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SpinChange {
    /// The first dof of the body.
    pub(crate) first: usize,
    pub(crate) by_force: Mat3,
    pub(crate) by_torque: Mat3,
    /// By the orientation and by the angular velocity.
    pub(crate) by_turn: Mat3,
    pub(crate) by_spin: Mat3,
}

/// The derivatives of all changes that `use_midpoint_torque` made to `force`.
pub(crate) fn spin_changes(m: &Model, d: &Data, force: &[f64], out: &mut Vec<SpinChange>) {
    out.clear();
    let changes = free_bodies(m, d)
        .filter_map(|(body, first)| body.derivative(d, m.opt.timestep, &force[first..], first));
    out.extend(changes);
}

/// A body with a free joint, with all that is fixed to it.
struct FreeBody {
    id: BodyId,
    /// Inertia about the centre of mass, in the body's axes.
    inertia: Mat3,
    /// Angular velocity in the body's axes.
    spin: Vec3,
}

impl FreeBody {
    fn new(m: &Model, d: &Data, tree: TreeId, id: BodyId, dof: DofId) -> FreeBody {
        // the sum over the tree is about its centre of mass, in the world's axes
        let mut sum = [0.0; 6];
        let bodies = m.tree_bodyadr[tree].idx()..;
        for b in bodies.take(m.tree_bodynum[tree].max(0) as usize) {
            let own = d.cinert[BodyId::new(b)].0;
            for (sum, own) in sum.iter_mut().zip(own) {
                *sum += own;
            }
        }
        let [xx, yy, zz, xy, xz, yz] = sum;
        let world = Mat3([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]);
        let axes = d.xmat[id];
        let spin = Vec3::from_slice(&d.qvel.flat()[dof.idx() + 3..]);
        FreeBody { id, inertia: axes.tmul(world * axes), spin }
    }

    /// The torque that a body of this angular velocity exerts by its inertia.
    fn gyroscopic(&self, spin: Vec3) -> Vec3 {
        spin.cross(self.inertia * spin)
    }

    /// The torque to add to the six forces of the joint; none if the step is too long for it.
    fn change_of_torque(&self, d: &Data, h: f64, force: &[f64]) -> Option<Vec3> {
        let explicit = self.gyroscopic(self.spin);
        if explicit == Vec3::ZERO {
            return None;
        }
        let mean = self.mean_spin(self.torque(d, force) + explicit, h)?;
        Some(explicit - self.gyroscopic(mean))
    }

    /// The torque of the six forces of the joint about the centre of mass.
    fn torque(&self, d: &Data, force: &[f64]) -> Vec3 {
        let arm = d.subtree_com[self.id] - d.xpos[self.id];
        let pull = arm.cross(Vec3::from_slice(force));
        Vec3::from_slice(&force[3..]) - d.xmat[self.id].tmul_vec(pull)
    }

    /// Derivatives of the torque that `change_of_torque` adds; none if it adds none.
    fn derivative(&self, d: &Data, h: f64, force: &[f64], first: usize) -> Option<SpinChange> {
        let explicit = self.gyroscopic(self.spin);
        if explicit == Vec3::ZERO {
            return None;
        }
        let mean = self.mean_spin(self.torque(d, force) + explicit, h)?;
        let (at_start, at_mean) = (self.gyroscopic_slope(self.spin), self.gyroscopic_slope(mean));
        let newton = self.newton_columns(mean, h);
        let columns =
            |f: &dyn Fn(Vec3) -> Vec3| Mat3::from_cols(f(Vec3::X), f(Vec3::Y), f(Vec3::Z));

        // the mean changes by K⁻¹ (I dω + h/2 dτ), where τ has the explicit torque in it
        let by_torque = columns(&|x| -(at_mean * solve(newton, x * (0.5 * h))));
        let by_spin = columns(&|x| {
            let explicit = at_start * x;
            explicit - at_mean * solve(newton, self.inertia * x + explicit * (0.5 * h))
        });
        let axes = d.xmat[self.id];
        let arm = axes.tmul_vec(d.subtree_com[self.id] - d.xpos[self.id]);
        let pull = axes.tmul_vec(Vec3::from_slice(force));
        Some(SpinChange {
            first,
            by_force: columns(&|x| -(by_torque * arm.cross(axes.tmul_vec(x)))),
            by_torque,
            by_turn: columns(&|x| -(by_torque * arm.cross(pull.cross(x)))),
            by_spin,
        })
    }

    /// The derivative of `gyroscopic`.
    fn gyroscopic_slope(&self, spin: Vec3) -> Mat3 {
        let momentum = self.inertia * spin;
        let column = |x: Vec3| x.cross(momentum) + spin.cross(self.inertia * x);
        Mat3::from_cols(column(Vec3::X), column(Vec3::Y), column(Vec3::Z))
    }

    /// The columns of the matrix of Newton's method.
    fn newton_columns(&self, mean: Vec3, h: f64) -> [Vec3; 3] {
        let slope = self.gyroscopic_slope(mean);
        [0, 1, 2].map(|axis| self.inertia.col(axis) + slope.col(axis) * (0.5 * h))
    }

    /// The mean of the angular velocities before and after a step.
    fn mean_spin(&self, torque: Vec3, h: f64) -> Option<Vec3> {
        let half = 0.5 * h;
        let mut mean = self.spin;
        for _ in 0..NEWTON_STEPS {
            // residual, and its size beside the size of its parts
            let lag = self.inertia * (mean - self.spin);
            let (gyroscopic, torque) = (self.gyroscopic(mean) * half, torque * half);
            let residual = lag + gyroscopic - torque;
            let scale = lag.norm() + gyroscopic.norm() + torque.norm();
            if residual.norm() <= PRECISION * scale {
                return Some(mean);
            }

            // Newton's step
            mean -= solve(self.newton_columns(mean, h), residual);
        }
        None
    }
}

/// Solves three equations with these columns; the result of singular ones is not finite.
fn solve([x, y, z]: [Vec3; 3], b: Vec3) -> Vec3 {
    let volume = x.dot(y.cross(z));
    Vec3::new(b.dot(y.cross(z)), x.dot(b.cross(z)), x.dot(y.cross(b))) * (1.0 / volume)
}
