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
    for tree in m.trees() {
        let first = m.tree_dofadr[tree];
        let joint = m.dof_jntid[first];
        if m.tree_dofnum[tree] != 6 || m.jnt_type[joint] != JointType::Free {
            continue;
        }
        let body = FreeBody::new(m, d, tree, m.jnt_bodyid[joint], first);
        let Some(change) = body.change_of_torque(d, m.opt.timestep, &force[first.idx()..]) else {
            continue;
        };
        for (to, change) in force[first.idx() + 3..].iter_mut().zip(change.to_array()) {
            *to += change;
        }
    }
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

        // the other torques about the centre of mass
        let arm = d.subtree_com[self.id] - d.xpos[self.id];
        let pull = arm.cross(Vec3::from_slice(force));
        let torque = Vec3::from_slice(&force[3..]) - d.xmat[self.id].tmul_vec(pull) + explicit;

        let mean = self.mean_spin(torque, h)?;
        Some(explicit - self.gyroscopic(mean))
    }

    /// The mean of the angular velocities before and after a step.
    fn mean_spin(&self, torque: Vec3, h: f64) -> Option<Vec3> {
        let half = 0.5 * h;
        let mut mean = self.spin;
        for _ in 0..NEWTON_STEPS {
            // residual, and its size beside that of its parts
            let lag = self.inertia * (mean - self.spin);
            let (gyroscopic, torque) = (self.gyroscopic(mean) * half, torque * half);
            let residual = lag + gyroscopic - torque;
            let scale = lag.norm() + gyroscopic.norm() + torque.norm();
            if residual.norm() <= PRECISION * scale {
                return Some(mean);
            }

            // Newton's step
            let momentum = self.inertia * mean;
            let [x, y, z] = [0, 1, 2].map(|axis| {
                let (unit, inertia) = (Mat3::IDENTITY.col(axis), self.inertia.col(axis));
                inertia + (unit.cross(momentum) + mean.cross(inertia)) * half
            });
            mean = mean - solve([x, y, z], residual);
        }
        None
    }
}

/// Solves three equations with these columns; the result of singular ones is not finite.
fn solve([x, y, z]: [Vec3; 3], b: Vec3) -> Vec3 {
    let volume = x.dot(y.cross(z));
    Vec3::new(b.dot(y.cross(z)), x.dot(b.cross(z)), x.dot(y.cross(b))) * (1.0 / volume)
}
