//! Test utilities: random numbers, tolerances, counted allocations, a hash of states.
//!
//! Only tests, examples and benchmarks use this crate. The crate has no dependencies, so that the
//! tests of every crate can use it, including the lowest; vectors are arrays here.

pub mod alloc;
mod hash;
mod near;
mod random;
pub mod tolerance;

pub use hash::hash;
pub use near::near;
pub use random::Random;
