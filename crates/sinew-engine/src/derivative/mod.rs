//! Analytic derivatives of the smooth forces with respect to velocity, and the factor of matrices with
//! their pattern.

mod bias;
mod fluid;
pub(crate) mod lu;
mod smooth_vel;

pub use smooth_vel::smooth_vel;
