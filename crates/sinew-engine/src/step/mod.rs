//! The pipeline as a whole: the order of the stages, the integrators, inverse dynamics, bad states.
//!
//! [`forward`] is the table of contents, [`advance`] a step around it.

pub mod forward;

pub mod integrate;
pub mod inverse;

pub mod reset;

pub mod check;

pub mod advance;

pub mod four;
