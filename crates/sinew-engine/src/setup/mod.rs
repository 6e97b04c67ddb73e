//! What the compiler computes once: the constants of a model and the length ranges of its muscles.

pub mod length_range;
mod set_const;

pub use set_const::{ConstError, set_const};
