//! What the tests of Sinew share: random numbers, tolerances, counted allocations, a hash of
//! states.
//!
//! Only tests, examples and measurements use this crate. It depends on nothing, so that the tests
//! of every crate can use it, the lowest included; vectors are arrays here.

pub mod alloc;
mod hash;
mod near;
mod random;
pub mod tolerance;

pub use hash::hash;
pub use near::near;
pub use random::Random;
