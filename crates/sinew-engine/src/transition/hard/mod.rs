//! Derivatives of a step with exact friction.
//!
//! With the matrix M of the integrator, the forces τ without the constraints', and impulses λ:
//!
//! ```text
//! M a = τ(q, v, act, ctrl) + J(q)ᵀ λ / h    u = J (v + h a)    law(u, λ) = 0
//! ```
//!
//! Each cone keeps its state, so that its law is linear near the step (`law`). Eliminating a leaves
//! a system for the changes of the impulses, whose matrix joins A = J M⁻¹ Jᵀ with the laws. Rows
//! that are statically indeterminate share their change (`dense`). `shift` goes on to the
//! correction of the position.

mod dense;
mod law;
mod rows;
pub(super) mod work;

mod shift;

mod step;

pub(super) use step::{fill_hard, is_hard};
