//! The pipeline as a whole: the order of the stages, the integrators, inverse dynamics, bad states.

pub mod check;
pub mod forward;
pub mod integrate;
pub mod inverse;
