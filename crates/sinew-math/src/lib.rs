//! Vectors, quaternions, matrices and spatial algebra in MuJoCo's layout and order of sums, and the
//! linear algebra of the engine.
//!
//! Every operation adds and multiplies in the order of the corresponding `mju_*` function, so
//! results agree to the bit. Another order of a sum changes trajectories. The exceptions are
//! [`chol::blocked`], [`chol::skyline`] and [`lu::skyline`], for solvers whose solution is defined
//! up to a tolerance.
//!
//! On a GPU there is no standard library: the crate has vectors, matrices and the algebra alone
//! there.
#![cfg_attr(target_arch = "nvptx64", no_std)]
#![cfg_attr(target_arch = "nvptx64", allow(internal_features))]
#![cfg_attr(target_arch = "nvptx64", feature(core_intrinsics))]

pub mod algebra;
#[cfg(not(target_arch = "nvptx64"))]
pub mod boxqp;
#[cfg(not(target_arch = "nvptx64"))]
pub mod chol;
#[cfg(not(target_arch = "nvptx64"))]
mod eig3;
pub mod elementary;
#[cfg(not(target_arch = "nvptx64"))]
pub mod four;
#[cfg(not(target_arch = "nvptx64"))]
pub mod lagrange;
#[cfg(not(target_arch = "nvptx64"))]
pub mod ldl;
#[cfg(not(target_arch = "nvptx64"))]
pub mod lu;
mod mat3;
#[cfg(not(target_arch = "nvptx64"))]
pub mod order;
#[cfg(not(target_arch = "nvptx64"))]
mod polar;
#[cfg(not(target_arch = "nvptx64"))]
mod quat;
#[cfg(not(target_arch = "nvptx64"))]
mod rotation;
pub mod scalar;
#[cfg(not(target_arch = "nvptx64"))]
pub mod simd;
/// The part of `simd` that a GPU has.
#[cfg(target_arch = "nvptx64")]
pub mod simd {
    mod alone;
    pub use alone::alone;
}
#[cfg(not(target_arch = "nvptx64"))]
pub mod sparse;
#[cfg(not(target_arch = "nvptx64"))]
mod spatial;
#[cfg(not(target_arch = "nvptx64"))]
mod spatial_pair;
mod vec3;
#[cfg(not(target_arch = "nvptx64"))]
pub mod vector;

#[cfg(not(target_arch = "nvptx64"))]
pub use eig3::{Eig3, eig3, eig3_by};
pub use mat3::Mat3;
#[cfg(not(target_arch = "nvptx64"))]
pub use polar::nearest_rotation;
#[cfg(not(target_arch = "nvptx64"))]
pub use quat::Quat;
pub use scalar::MINVAL;
#[cfg(not(target_arch = "nvptx64"))]
pub use spatial::{Inertia, Spatial};
#[cfg(not(target_arch = "nvptx64"))]
pub use spatial_pair::{InertiaPair, SpatialPair};
pub use vec3::Vec3;
