//! Registers of several numbers, and kernels compiled for more than one kind of processor.
//!
//! A kernel is a generic function over [`Lane`] (four `f64`) or [`LaneF32`] (eight `f32`).
//! [`dispatch!`] turns it into an ordinary, safe function that is compiled for the baseline of the
//! target and for AVX2 with FMA. Each call runs the version for its processor:
//!
//! ```
//! use sinew_math::simd::{Lane, dispatch, lanes, lanes_mut};
//!
//! dispatch! {
//!     /// y += a x
//!     pub fn axpy(a: f64, x: &[f64], y: &mut [f64]) = axpy_kernel::<Fused>;
//! }
//!
//! #[inline(always)]
//! fn axpy_kernel<L: Lane>(a: f64, x: &[f64], y: &mut [f64]) {
//!     for (x, y) in lanes(x).iter().zip(lanes_mut(y)) {
//!         L::load(y).add_mul(L::splat(a), L::load(x)).store(y);
//!     }
//! }
//!
//! let mut y = [1.0; 4];
//! axpy(2.0, &[1.0, 2.0, 3.0, 4.0], &mut y);
//! assert_eq!(y, [3.0, 5.0, 7.0, 9.0]);
//! ```
//!
//! The kind of register decides how a product and a sum are rounded:
//!
//! - `Exact`: `add_mul` rounds twice, as two operations do. Every number has the operations of a
//!   plain loop, so the bits are the same on every processor.
//! - `Fused`: `add_mul` rounds once where the processor has FMA. The last bits differ between
//!   processors, never between two runs on one.
//! - `Single`: eight `f32`, never fused.
//!
//! Every function that a kernel calls per number must be `#[inline(always)]`: a function that is
//! not inlined is compiled for the baseline. Closures that are inlined take part too. Tests compare
//! a dispatched function with its kernel on [`Portable`].
// the processor's instructions, in functions that are only reached if it has them
#![allow(unsafe_code)]

mod alone;
#[cfg(target_arch = "x86_64")]
mod avx2;
mod dispatch;
mod lane;
mod pair;
mod portable;
mod quad;

pub use alone::alone;
pub use dispatch::{dispatch, has_avx2_and_fma};
pub use lane::{LANES, Lane, LaneF32, dot, lanes, lanes_mut, load3, padded, store3};
pub use pair::Pair;
pub use portable::{Portable, PortableF32};
pub use quad::Quad;

/// The registers that any processor of the target has, by kind.
#[doc(hidden)]
pub mod baseline {
    pub use super::portable::{Portable as Exact, Portable as Fused, PortableF32 as Single};
}

/// The registers of AVX, by kind. A value of these may only exist where [`has_avx2_and_fma`].
#[cfg(target_arch = "x86_64")]
#[doc(hidden)]
pub mod wide {
    pub use super::avx2::{Exact, Fused, Single};
}

#[cfg(test)]
mod tests;
