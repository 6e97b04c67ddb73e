//! Tendons: their paths through sites and around geoms, their lengths, Jacobians and inertia.

pub(crate) mod path;
pub(crate) mod wrap;
