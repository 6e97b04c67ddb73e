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
    /// Rows along the axes of the contact.
    pub(crate) axes: Vec<f64>,
}

/// A body and how much of a contact's motion is that of the body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct BodyWeight {
    pub(crate) body: BodyId,
    pub(crate) weight: f64,
}
