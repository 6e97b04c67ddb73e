//! Analytic derivatives of the smooth forces with respect to velocity, the matrices that the
//! implicit integrators make of them, and the factor of a matrix with their pattern.

mod bias;
mod fluid;
mod pattern;
mod smooth_vel;

mod implicit;
pub(crate) mod lu;

pub(crate) use implicit::{euler_matrix, implicit_matrix};
pub use smooth_vel::smooth_vel;
