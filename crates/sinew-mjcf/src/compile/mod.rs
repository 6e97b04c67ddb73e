//! From a `Spec` to a `Model`.

pub mod actuator;
pub mod actuator_kinds;
pub mod cx;
pub mod equality;
pub mod length_range;
pub mod limits;
pub mod names;
pub mod sensor;
pub mod sensor_kinds;
pub mod settings;
pub mod tendon;

pub use cx::Cx;
