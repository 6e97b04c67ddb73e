//! Scratch memory of the pipeline's stages, kept between steps so that a step allocates nothing.

use sinew_math::Spatial;

use crate::ids::{BodyId, DofId};
use crate::model::Model;
use crate::table::Table;

/// Scratch memory, sized with the `Data`; its contents mean nothing between stages.
#[derive(Clone, Debug, Default)]
pub struct Work {
    /// Of the recursive Newton-Euler passes.
    pub rne: RneWork,
    /// Of the integrators.
    pub integrate: IntegrateWork,
    /// A vector over the dofs.
    pub dof: Table<DofId, f64>,
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
    /// Runge-Kutta: state and its rate at each evaluation.
    pub rk4: [RkStage; 4],
    /// Runge-Kutta: the weighted sum of rates.
    pub rate: RkStage,
}

/// One evaluation of a Runge-Kutta step.
#[derive(Clone, Debug, Default)]
pub struct RkStage {
    /// Position.
    pub qpos: Vec<f64>,
    /// Velocity.
    pub qvel: Vec<f64>,
    /// Activation.
    pub act: Vec<f64>,
    /// Acceleration.
    pub qacc: Vec<f64>,
    /// Rate of activation.
    pub act_dot: Vec<f64>,
}

impl Work {
    /// Scratch of the sizes the model asks for.
    pub(crate) fn new(m: &Model) -> Work {
        Work {
            rne: RneWork { cacc: Table::new(m.nbody), cfrc: Table::new(m.nbody) },
            integrate: IntegrateWork { qacc: vec![0.0; m.nv], ..IntegrateWork::default() },
            dof: Table::new(m.nv),
            body: Table::new(m.nbody),
        }
    }
}
