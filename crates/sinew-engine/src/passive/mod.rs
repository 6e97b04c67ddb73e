//! Passive forces: springs, dampers, gravity compensation and the fluid around the bodies.

pub(crate) mod flex;
pub(crate) mod fluid;
pub mod forces;
