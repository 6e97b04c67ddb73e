//! Vectors, quaternions, matrices and spatial algebra in MuJoCo's layout and order of sums, and the
//! linear algebra of the engine.
//!
//! Every operation adds and multiplies in the order of the corresponding `mju_*` function, so
//! results agree to the bit. Another order of a sum changes trajectories. The exceptions are
//! [`chol::blocked`], [`chol::skyline`] and [`lu::skyline`], for solvers whose solution is defined
//! up to a tolerance.

pub mod boxqp;
pub mod chol;
mod eig3;
pub mod four;
pub mod lagrange;
pub mod ldl;
pub mod lu;
mod mat3;
pub mod order;
mod polar;
mod quat;
mod rotation;
pub mod scalar;
pub mod simd;
pub mod sparse;
mod spatial;
mod spatial_pair;
mod vec3;
pub mod vector;

pub use eig3::{Eig3, eig3, eig3_by};
pub use mat3::Mat3;
pub use polar::nearest_rotation;
pub use quat::Quat;
pub use scalar::MINVAL;
pub use spatial::{Inertia, Spatial};
pub use spatial_pair::{InertiaPair, SpatialPair};
pub use vec3::Vec3;
