//! Tendons: their paths through sites and around geoms, their lengths, Jacobians and inertia.

mod path;
mod row;
mod wrap;

mod bias;
mod length;

pub(crate) use bias::{bias_force, fwd_bias};
pub use bias::{tendon_bias, tendon_dot};
pub(crate) use length::{dense_row, jacobian_row};
pub use length::{tendon, tendon_vel};
pub(crate) use path::{Path, PathItem, Span, path_range};
pub use wrap::{Obstacle, Wrap, wrap};
