//! Worlds of one model on a GPU.
//!
//! [`pack`](pack::pack) makes a model one blob of bytes. [`Worlds`] keeps the states of worlds in
//! the memory of a GPU, where `sinew-kernel` steps them. [`cuda`] is the interface to the driver.

pub mod cuda;
mod error;
pub mod native;
pub mod pack;
mod place;
mod programs;
pub mod row;
mod worlds;

pub use error::GpuError;
pub use pack::{Kept, RESULTS};
pub use place::Shape;
pub use programs::Precision;
pub use worlds::{Started, Worlds};
