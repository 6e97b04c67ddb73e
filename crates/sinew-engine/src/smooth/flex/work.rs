//! Scratch memory of the stages that work on flexes.

use sinew_math::Vec3;
use sinew_model::{BodyId, DofId};

/// Scratch memory of the stages that work on flexes.
#[derive(Clone, Debug, Default)]
pub(crate) struct FlexWork {
    /// Forces on the vertices of one flex.
    pub(crate) vertex_force: Vec<Vec3>,
    /// Bodies that a contact moves.
    pub(crate) bodies: Vec<BodyWeight>,
    /// Dofs that move them, in rising order.
    pub(crate) dofs: Vec<DofId>,
    /// Velocity and angular velocity of the contact per unit rate of each of these.
    pub(crate) columns: Vec<[Vec3; 2]>,
    /// Nodes of a tree that have an element, and the others; the lists may be longer.
    pub(crate) leaves: Vec<u32>,
    pub(crate) inner: Vec<u32>,
    /// Dofs of interpolated flexes in the implicit integrators.
    pub(crate) system: FlexSystem,
}

/// The dense system of the dofs of interpolated flexes.
#[derive(Clone, Debug, Default)]
pub(crate) struct FlexSystem {
    /// The dofs; none if there is no system.
    pub(crate) dofs: Vec<DofId>,
    /// Place of each dof of the model among them.
    pub(crate) places: Vec<Option<usize>>,
    /// The matrix by rows, then its Cholesky factor.
    pub(crate) matrix: Vec<f64>,
    /// The right-hand side, then the solution.
    pub(crate) force: Vec<f64>,
    /// Coupling of the dofs with others.
    pub(crate) coupling: Vec<Coupling>,
}

impl FlexSystem {
    /// Place of a dof of the model in the system.
    pub(crate) fn place(&self, dof: DofId) -> Option<usize> {
        self.places[dof.idx()]
    }
}

/// An entry of the usual matrix between a dof of the system, by its place, and one of the model.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Coupling {
    pub(crate) row: usize,
    pub(crate) col: usize,
    pub(crate) value: f64,
}

/// A body and its share of a contact's motion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct BodyWeight {
    pub(crate) body: BodyId,
    pub(crate) weight: f64,
}
