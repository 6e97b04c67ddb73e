//! Scratch memory of the stages, kept between steps so that a settled step allocates nothing.
//!
//! A [`Data`] holds it behind one pointer and does not know its type. The contents mean nothing
//! between stages. Scratch that only one module uses is a [`Private`] slot here.
#![allow(unsafe_code)]

mod collision;
mod private;

use sinew_math::{Spatial, Vec3, vector};
use sinew_model::work::Scratch;
use sinew_model::{BodyId, Data, DofId, GeomId, Table};

use crate::dof_chain::RisingChain;
use crate::sparse::SparseRow;

pub(crate) use collision::{
    Balls, BodyFilter, BodyPair, Boxes, BroadWork, CollisionPlan, CollisionWork, GridWork,
    MarkWork, MidWork, PlanSource, PlannedPair, WorldBox, WorldBoxes,
};
pub(crate) use private::Private;

/// The scratch memory of a `Data`.
#[inline(always)]
pub(crate) fn scratch(d: &mut Data) -> &mut Work {
    Work::of(&mut d.work)
}

/// Scratch memory of all stages.
#[derive(Clone, Debug, Default)]
pub(crate) struct Work {
    /// Of the recursive Newton-Euler passes.
    pub(crate) rne: RneWork,
    /// Of the integrators.
    pub(crate) integrate: IntegrateWork,
    /// Of the tendon stages.
    pub(crate) tendon: TendonWork,
    /// Of the transmission and actuation stages.
    pub(crate) actuation: ActuationWork,
    /// Of the derivatives.
    pub(crate) derivative: DerivativeWork,
    /// Of several rays from one point.
    pub(crate) ray: RayWork,
    /// Of the sensors.
    pub(crate) sensor: SensorWork,
    /// Of inverse dynamics.
    pub(crate) inverse: InverseWork,
    /// Of flexible objects.
    pub(crate) flex: Private,
    /// Of the smooth stages of four worlds.
    pub(crate) four: Private,
    /// Of the islands.
    pub(crate) island: Private,
    /// Of the inverse inertia of the constraint rows.
    pub(crate) project: Private,
    /// Of the solvers in the space of the constraint rows.
    pub(crate) dual: Private,
    /// Of the exact friction mode.
    pub(crate) coulomb: Private,
    /// Of collision; none only while the stage has taken it out, which a pointer makes cheap.
    pub(crate) collision: Option<Box<CollisionWork>>,
    /// Of the primal constraint solvers.
    pub(crate) solver: Private,
    /// Of the derivatives of a step.
    pub(crate) transition: Private,
    /// Scratch of Runge-Kutta steps.
    pub(crate) stages: Private,
    /// Of the constraint rows; none only while a stage has taken it out.
    pub(crate) constraint: Option<Box<ConstraintWork>>,
    /// A vector over the dofs.
    pub(crate) dof: Table<DofId, f64>,
    /// A spatial vector per body.
    pub(crate) body: Table<BodyId, Spatial>,
}

/// Accelerations and forces of the bodies.
#[derive(Clone, Debug, Default)]
pub(crate) struct RneWork {
    /// Acceleration of each body.
    pub(crate) cacc: Table<BodyId, Spatial>,
    /// Force on each body, then on its subtree.
    pub(crate) cfrc: Table<BodyId, Spatial>,
}

/// Vectors of an integration step.
#[derive(Clone, Debug, Default)]
pub(crate) struct IntegrateWork {
    /// Acceleration to integrate.
    pub(crate) qacc: Vec<f64>,
    /// Rates of activation to integrate.
    pub(crate) act_dot: Vec<f64>,
    /// Runge-Kutta: the state at the start.
    pub(crate) start: StateVectors,
    /// Runge-Kutta: rates of one evaluation, scaled.
    pub(crate) rate: RateVectors,
    /// Runge-Kutta: the weighted sum of rates.
    pub(crate) sum: RateVectors,
}

/// Position, velocity and activation.
#[derive(Clone, Debug, Default)]
pub(crate) struct StateVectors {
    /// Position.
    pub(crate) qpos: Vec<f64>,
    /// Velocity.
    pub(crate) qvel: Vec<f64>,
    /// Activation.
    pub(crate) act: Vec<f64>,
}

/// Rates of position, velocity and activation.
#[derive(Clone, Debug, Default)]
pub(crate) struct RateVectors {
    /// Velocity.
    pub(crate) qvel: Vec<f64>,
    /// Acceleration.
    pub(crate) qacc: Vec<f64>,
    /// Rate of activation.
    pub(crate) act_dot: Vec<f64>,
}

/// Vectors of inverse dynamics.
#[derive(Clone, Debug, Default)]
pub(crate) struct InverseWork {
    /// The acceleration that the caller gave.
    pub(crate) qacc: Vec<f64>,
    /// J q̈ - aref.
    pub(crate) jar: Vec<f64>,
    /// Comparison: the forces that inverse dynamics should find.
    pub(crate) force: Vec<f64>,
    /// Comparison: constraint forces of forward dynamics, by dof.
    pub(crate) qfrc_constraint: Vec<f64>,
    /// Comparison: constraint forces of forward dynamics, by row.
    pub(crate) efc_force: Vec<f64>,
}

/// Derivatives by velocity, one column per dof.
#[derive(Clone, Debug, Default)]
pub(crate) struct DerivativeWork {
    /// Of the bodies' velocities.
    pub(crate) cvel: Vec<Spatial>,
    /// Of the bodies' accelerations.
    pub(crate) cacc: Vec<Spatial>,
    /// Of the forces on the bodies.
    pub(crate) cfrc: Vec<Spatial>,
    /// The dofs that move one body.
    pub(crate) chain: Vec<DofId>,
    /// Jacobian of the dofs: a rotation and a translation for each of them.
    pub(crate) jac: Vec<[f64; 6]>,
    /// Product of the fluid's derivative with the Jacobian.
    pub(crate) image: Vec<[f64; 6]>,
}

/// Scratch memory of the tendon stages.
#[derive(Clone, Debug, Default)]
pub(crate) struct TendonWork {
    /// The Jacobian row of a fixed tendon.
    pub(crate) row: SparseRow,
    /// The Jacobian row of a spatial tendon.
    pub(crate) path: PathRow,
    /// A row as `nv` numbers.
    pub(crate) dense: Vec<f64>,
}

/// The Jacobian row of a spatial tendon while it is summed up.
#[derive(Clone, Debug, Default)]
pub(crate) struct PathRow {
    /// A sum for each dof, and up to a whole block; negative zero for those that the row has not.
    pub(crate) sums: Vec<f64>,
    /// A bit for each dof: whether the row has it.
    pub(crate) bits: Vec<u64>,
    /// Whether `blocks` and `runs` are those of this evaluation.
    pub(crate) has_blocks: bool,
    /// The motion axes, four dofs side by side.
    pub(crate) blocks: Vec<AxisBlock>,
    /// For each dof the run of neighbours that ends with it, each the parent of the next.
    pub(crate) runs: Vec<DofRun>,
}

/// The six numbers of the motion axes of four dofs.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct AxisBlock(pub(crate) [[f64; 4]; 6]);

/// A run of dofs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DofRun {
    /// The first dof.
    pub(crate) first: u32,
    /// The parent of the first dof, -1 if it has none.
    pub(crate) up: i32,
}

/// Scratch memory of the transmission and actuation stages.
#[derive(Clone, Debug, Default)]
pub(crate) struct ActuationWork {
    /// Controls after delay and clamping.
    pub(crate) ctrl: Vec<f64>,
    /// Sum of actuator forces on each tendon.
    pub(crate) tendon_force: Vec<f64>,
    /// The moment row being built.
    pub(crate) row: SparseRow,
    /// A moment row as `nv` numbers.
    pub(crate) dense: Vec<f64>,
    /// The part of `dense` that comes from contacts without constraint rows.
    pub(crate) excluded: Vec<f64>,
}

/// Scratch memory of several rays from one point.
#[derive(Clone, Debug, Default)]
pub(crate) struct RayWork {
    /// Geoms that no ray can hit.
    pub(crate) skip: Vec<bool>,
    /// Angles under which each geom is seen: least azimuth and elevation, then greatest.
    pub(crate) angles: Vec<[f64; 4]>,
    /// Nodes that rays have visited since the last collision.
    pub(crate) visited: Visited,
}

/// Nodes of trees of meshes that rays have visited.
#[derive(Clone, Debug, Default)]
pub(crate) struct Visited {
    /// Whether there are any.
    pub(crate) any: bool,
    /// Whether each node of the model is one.
    pub(crate) nodes: Vec<bool>,
}

impl Visited {
    /// Forgets them.
    pub(crate) fn clear(&mut self) {
        if core::mem::take(&mut self.any) {
            self.nodes.fill(false);
        }
    }
}

/// Scratch memory of the sensors.
#[derive(Clone, Debug, Default)]
pub(crate) struct SensorWork {
    /// Directions of a camera's rays.
    pub(crate) dirs: Vec<Vec3>,
    /// Contacts that a contact sensor reports.
    pub(crate) matches: Vec<ContactMatch>,
    /// Geoms that press on a tactile sensor.
    pub(crate) geoms: Vec<GeomId>,
    /// A reading for a history.
    pub(crate) sample: Vec<f64>,
}

/// A contact that a contact sensor reports.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ContactMatch {
    /// The contact.
    pub(crate) contact: usize,
    /// Whether it is seen from its second geom.
    pub(crate) flip: bool,
    /// Sort keys of contacts.
    pub(crate) key: f64,
}

/// Scratch memory of the constraint rows.
#[derive(Clone, Debug, Default)]
pub(crate) struct ConstraintWork {
    /// The dofs that move the two bodies of the current pair.
    pub(crate) chain: RisingChain,
    /// The motion axes of these dofs.
    pub(crate) blocks: Vec<ChainBlock>,
    /// The row of a joint or tendon.
    pub(crate) row: SparseRow,
    /// The row of the joint or tendon it is coupled to.
    pub(crate) other: SparseRow,
    /// Scratch for merging the two.
    pub(crate) merge: SparseRow,
}

/// The motion axes of four dofs side by side, and their references.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ChainBlock {
    pub(crate) rot: [[f64; 4]; 3],
    pub(crate) lin: [[f64; 4]; 3],
    /// The centre of mass that the axis refers to.
    pub(crate) com: [[f64; 4]; 3],
    /// How the second body moves relative to the first: -1 if the dof moves the first, 0 if both.
    pub(crate) sign: [f64; 4],
}

/// Calls `f` with the state and an array of it, which is out of the state meanwhile.
///
/// The memory also goes back if `f` panics or a callback raises an exception, because views of the
/// array exist and it must not move.
pub(crate) fn set_aside<T: Default, R>(
    d: &mut Data,
    array: fn(&mut Data) -> &mut T,
    f: impl FnOnce(&mut Data, &mut T) -> R,
) -> R {
    let taken = core::mem::take(array(d));
    let mut aside = Aside { d, array, taken };
    f(aside.d, &mut aside.taken)
}

/// An array that is out of its state.
struct Aside<'a, T: Default> {
    d: &'a mut Data,
    array: fn(&mut Data) -> &mut T,
    taken: T,
}

impl<T: Default> Drop for Aside<'_, T> {
    fn drop(&mut self) {
        *(self.array)(self.d) = core::mem::take(&mut self.taken);
    }
}

impl Work {
    /// The scratch memory in the slot of a `Data`, for stages that borrow its other fields too.
    #[inline(always)]
    pub(crate) fn of(slot: &mut Scratch) -> &mut Work {
        // SAFETY: this is the only call of `get_or_default`, so that it always names one type
        unsafe { slot.get_or_default() }
    }

    /// Takes the vector over the dofs out, zeroed; it goes back to `dof` after use.
    ///
    /// Stages sum up here and not in an array taken out of `Data`. Other code reads those arrays,
    /// which must stay in place even if a stage panics.
    pub(crate) fn take_dof(&mut self, nv: usize) -> Table<DofId, f64> {
        let mut dof = core::mem::take(&mut self.dof);
        dof.resize(nv);
        vector::zero(&mut dof);
        dof
    }
}
