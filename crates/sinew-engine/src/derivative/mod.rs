//! Analytic derivatives of the smooth forces with respect to velocity, the matrices of the implicit
//! integrators, and factors of matrices with their pattern.

mod bias;
mod flex;
mod fluid;
mod pattern;
mod smooth_vel;

mod implicit;
pub(crate) mod lu;

pub(crate) use flex::{factor_flexes, skip_flexes, solve_flexes};
pub(crate) use implicit::{euler_matrix, implicit_matrix};
pub use smooth_vel::smooth_vel;
