//! From a `Spec` to a `Model`.

pub mod cx;
pub mod names;
pub mod settings;

pub use cx::Cx;
