//! Quantities computed once by the compiler: the constants of a model and the length ranges of its
//! muscles.

mod error;
mod flex;
pub mod length_range;
mod set_const;
mod weight;

pub use error::ConstError;
pub use set_const::set_const;
