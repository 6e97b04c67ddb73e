//! Derivatives of a step in closed form.
//!
//! The acceleration a makes the residual zero:
//!
//! ```text
//! G = ID(q, v, a) - τ(q, v, act, ctrl) - J(q)ᵀ f,   f = φ(J a - aref(q, v))
//! ```
//!
//! ID is inverse dynamics, τ the sum of passive and actuator forces, φ the force of the constraint
//! rows. With W = -dφ and the matrix H = M + Jᵀ W J, on which Newton's method ends, every input x
//! has
//!
//! ```text
//! da/dx = -H⁻¹ ∂G/∂x
//! ```
//!
//! `tree` has ∂ID, `passive` and `actuator` have ∂τ, `constraint` has the rows. `integrate` goes on
//! from the acceleration to the next state. Positions change along the axes of the dofs, as
//! `integrate_pos` moves them. `linear` joins them; `step` has the matrices, `product` has products
//! with them.

mod mat6;
mod rotation;

mod error;
mod residual;
mod support;
mod switches;

mod twist;

mod tree;

mod actuator;
mod passive;

mod rows;

mod contact;
mod equality;
mod limit;
mod surface;

mod constraint;

mod integrate;

mod linear;

mod step;

mod product;

pub use error::TransitionError;
pub use product::{StepGradient, step_jvp, step_vjp};
pub use step::transition;
pub use switches::Switches;
