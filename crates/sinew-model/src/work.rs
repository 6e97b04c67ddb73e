//! Scratch memory of the pipeline's stages, kept between steps so that a step allocates nothing.

use sinew_math::{Spatial, Vec3};

use crate::ids::{BodyId, DofId, GeomId};
use crate::model::Model;
use crate::table::Table;

pub use collision::{
    Balls, BodyFilter, BodyPair, Boxes, BroadWork, CollisionPlan, CollisionWork, GridWork, MidWork,
};
pub use private::Private;

mod collision;
mod private;

/// Scratch memory, sized with the `Data`; its contents mean nothing between stages.
#[derive(Clone, Debug, Default)]
pub struct Work {
    /// Of the recursive Newton-Euler passes.
    pub rne: RneWork,
    /// Of the integrators.
    pub integrate: IntegrateWork,
    /// Of the tendon stages.
    pub tendon: TendonWork,
    /// Of the transmission and actuation stages.
    pub actuation: ActuationWork,
    /// Of the derivatives.
    pub derivative: DerivativeWork,
    /// Of several rays from one point.
    pub ray: RayWork,
    /// Of the sensors.
    pub sensor: SensorWork,
    /// Of inverse dynamics.
    pub inverse: InverseWork,
    /// Of flexible objects.
    pub flex: Private,
    /// Of the islands.
    pub island: Private,
    /// Of the inverse inertia of the constraint rows.
    pub project: Private,
    /// Of the solvers in the space of the constraint rows.
    pub dual: Private,
    /// Of the exact friction mode.
    pub coulomb: Private,
    /// What that mode adds to the position at the end of the step; empty for nothing.
    pub shift: Vec<f64>,
    /// Of collision; none only while the stage has taken it out, which a pointer makes cheap.
    pub collision: Option<Box<CollisionWork>>,
    /// Of the primal constraint solvers.
    pub solver: Private,
    /// Of the constraint rows.
    pub constraint: ConstraintWork,
    /// A vector over the dofs.
    pub dof: Table<DofId, f64>,
    /// A matrix in the layout of `qDeriv`.
    pub deriv: Vec<f64>,
    /// A spatial vector per body.
    pub body: Table<BodyId, Spatial>,
}

/// Accelerations and forces of the bodies.
#[derive(Clone, Debug, Default)]
pub struct RneWork {
    /// Acceleration of each body.
    pub cacc: Table<BodyId, Spatial>,
    /// Force on each body, then on its subtree.
    pub cfrc: Table<BodyId, Spatial>,
}

/// Vectors of an integration step.
#[derive(Clone, Debug, Default)]
pub struct IntegrateWork {
    /// Acceleration to integrate.
    pub qacc: Vec<f64>,
    /// Rates of activation to integrate.
    pub act_dot: Vec<f64>,
    /// Runge-Kutta: the state at the start.
    pub start: StateVectors,
    /// Runge-Kutta: rates of one evaluation, scaled.
    pub rate: RateVectors,
    /// Runge-Kutta: the weighted sum of rates.
    pub sum: RateVectors,
}

/// Position, velocity and activation.
#[derive(Clone, Debug, Default)]
pub struct StateVectors {
    /// Position.
    pub qpos: Vec<f64>,
    /// Velocity.
    pub qvel: Vec<f64>,
    /// Activation.
    pub act: Vec<f64>,
}

/// Rates of position, velocity and activation.
#[derive(Clone, Debug, Default)]
pub struct RateVectors {
    /// Velocity.
    pub qvel: Vec<f64>,
    /// Acceleration.
    pub qacc: Vec<f64>,
    /// Rate of activation.
    pub act_dot: Vec<f64>,
}

/// Vectors of inverse dynamics.
#[derive(Clone, Debug, Default)]
pub struct InverseWork {
    /// The acceleration asked for.
    pub qacc: Vec<f64>,
    /// J q̈ - aref.
    pub jar: Vec<f64>,
    /// Comparison: the forces that inverse dynamics should find.
    pub force: Vec<f64>,
    /// Comparison: constraint forces of forward dynamics, by dof.
    pub qfrc_constraint: Vec<f64>,
    /// Comparison: constraint forces of forward dynamics, by row.
    pub efc_force: Vec<f64>,
}

/// Derivatives by velocity, one column per dof.
#[derive(Clone, Debug, Default)]
pub struct DerivativeWork {
    /// Of the bodies' velocities.
    pub cvel: Vec<Spatial>,
    /// Of the bodies' accelerations.
    pub cacc: Vec<Spatial>,
    /// Of the forces on the bodies.
    pub cfrc: Vec<Spatial>,
    /// The dofs that move one body.
    pub chain: Vec<DofId>,
    /// Its Jacobian: a rotation and a translation for each of them.
    pub jac: Vec<[f64; 6]>,
}

/// Scratch memory of the tendon stages.
#[derive(Clone, Debug, Default)]
pub struct TendonWork {
    /// The Jacobian row being summed up.
    pub row: SparseRow,
    /// The part of the row that comes from one piece of the path.
    pub piece: SparseRow,
    /// Room for merging the two.
    pub merge: SparseRow,
    /// A row as `nv` numbers.
    pub dense: Vec<f64>,
}

/// Scratch memory of the transmission and actuation stages.
#[derive(Clone, Debug, Default)]
pub struct ActuationWork {
    /// Controls after delay and clamping.
    pub ctrl: Vec<f64>,
    /// Sum of actuator forces on each tendon.
    pub tendon_force: Vec<f64>,
    /// The moment row being built.
    pub row: SparseRow,
    /// A moment row as `nv` numbers.
    pub dense: Vec<f64>,
    /// The part of `dense` that comes from contacts without constraint rows.
    pub excluded: Vec<f64>,
}

/// Scratch memory of several rays from one point.
#[derive(Clone, Debug, Default)]
pub struct RayWork {
    /// Geoms that no ray can meet.
    pub skip: Vec<bool>,
    /// Angles under which each geom is seen: least azimuth and elevation, then greatest.
    pub angles: Vec<[f64; 4]>,
}

/// Scratch memory of the sensors.
#[derive(Clone, Debug, Default)]
pub struct SensorWork {
    /// Directions of a camera's rays.
    pub dirs: Vec<Vec3>,
    /// Contacts that a contact sensor reports.
    pub matches: Vec<ContactMatch>,
    /// Geoms that press on a tactile sensor.
    pub geoms: Vec<GeomId>,
    /// A reading for a history.
    pub sample: Vec<f64>,
}

/// A contact that a contact sensor reports.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactMatch {
    /// The contact.
    pub contact: usize,
    /// Whether it is seen from its second geom.
    pub flip: bool,
    /// What contacts are sorted by.
    pub key: f64,
}

/// Scratch memory of the constraint rows.
#[derive(Clone, Debug, Default)]
pub struct ConstraintWork {
    /// The dofs that move the two bodies at hand, in rising order.
    pub chain: Vec<ChainLink>,
    /// The rows of a contact along its six axes.
    pub axes: Vec<f64>,
    /// The row of a joint or tendon.
    pub row: SparseRow,
    /// The row of the joint or tendon it is coupled to.
    pub other: SparseRow,
    /// Room for merging the two.
    pub merge: SparseRow,
}

/// A dof that moves one of two bodies, or both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChainLink {
    /// The dof.
    pub dof: DofId,
    /// Whether it moves the first body.
    pub first: bool,
    /// Whether it moves the second body.
    pub second: bool,
}

/// A sparse row: dofs in rising order and a number for each.
#[derive(Clone, Debug, Default)]
pub struct SparseRow {
    /// Dofs.
    pub ind: Vec<DofId>,
    /// Numbers.
    pub val: Vec<f64>,
}

impl SparseRow {
    /// Removes all entries.
    #[inline]
    pub fn clear(&mut self) {
        self.ind.clear();
        self.val.clear();
    }

    /// Appends an entry.
    #[inline]
    pub fn push(&mut self, dof: DofId, x: f64) {
        self.ind.push(dof);
        self.val.push(x);
    }

    /// Turns falling order into rising order.
    #[inline]
    pub fn reverse(&mut self) {
        self.ind.reverse();
        self.val.reverse();
    }

    /// Adds `x` at `dof`.
    #[inline]
    pub fn add(&mut self, dof: DofId, x: f64) {
        match self.ind.binary_search(&dof) {
            Ok(k) => self.val[k] += x,
            Err(k) => self.insert(k, dof, x),
        }
    }

    /// Puts `x` at `dof`.
    #[inline]
    pub fn set(&mut self, dof: DofId, x: f64) {
        match self.ind.binary_search(&dof) {
            Ok(k) => self.val[k] = x,
            Err(k) => self.insert(k, dof, x),
        }
    }

    fn insert(&mut self, k: usize, dof: DofId, x: f64) {
        self.ind.insert(k, dof);
        self.val.insert(k, x);
    }

    /// self += scale * o; the entries are the union of both. `merge` is scratch.
    pub fn add_scaled(&mut self, o: &SparseRow, scale: f64, merge: &mut SparseRow) {
        if self.ind == o.ind {
            for (x, y) in self.val.iter_mut().zip(&o.val) {
                *x += y * scale;
            }
            return;
        }
        merge.clear();
        let (mut i, mut j) = (0, 0);
        while i < self.ind.len() || j < o.ind.len() {
            let (a, b) = (self.ind.get(i), o.ind.get(j));
            match (a, b) {
                (Some(&a), Some(&b)) if a == b => {
                    merge.push(a, self.val[i] + scale * o.val[j]);
                    (i, j) = (i + 1, j + 1);
                }
                (Some(&a), b) if b.is_none_or(|&b| a < b) => {
                    merge.push(a, self.val[i]);
                    i += 1;
                }
                (_, Some(&b)) => {
                    merge.push(b, scale * o.val[j]);
                    j += 1;
                }
                _ => break,
            }
        }
        core::mem::swap(self, merge);
    }
}

impl Work {
    /// Takes the vector over the dofs out, zeroed; it goes back to `dof` after use.
    ///
    /// Stages sum up here and not in an array taken out of `Data`: others look at those arrays,
    /// which must stay where they are even if a stage panics.
    pub fn take_dof(&mut self, nv: usize) -> Table<DofId, f64> {
        let mut dof = core::mem::take(&mut self.dof);
        dof.clear();
        dof.resize(nv);
        dof
    }

    /// Scratch of the sizes the model asks for.
    pub(crate) fn new(m: &Model) -> Work {
        Work {
            rne: RneWork { cacc: Table::new(m.nbody), cfrc: Table::new(m.nbody) },
            integrate: IntegrateWork { qacc: vec![0.0; m.nv], ..IntegrateWork::default() },
            tendon: TendonWork::default(),
            actuation: ActuationWork::default(),
            derivative: DerivativeWork::default(),
            ray: RayWork::default(),
            sensor: SensorWork::default(),
            inverse: InverseWork::default(),
            flex: Private::default(),
            island: Private::default(),
            project: Private::default(),
            dual: Private::default(),
            coulomb: Private::default(),
            shift: Vec::new(),
            collision: Some(Box::default()),
            solver: Private::default(),
            constraint: ConstraintWork::default(),
            dof: Table::new(m.nv),
            deriv: Vec::new(),
            body: Table::new(m.nbody),
        }
    }
}
