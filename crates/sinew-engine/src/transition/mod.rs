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
//! `tree` has ∂ID, `passive`, `fluid` and `actuator` have ∂τ, `constraint` has the rows. `arm` has
//! the lengths that tendons and transmissions depend on. `integrate` goes on from the acceleration
//! to the next state. Positions change along the axes of the dofs, as `integrate_pos` moves them.
//! `refine` makes contacts exact first. `ground` and `footing` add up contacts with bodies that
//! never move.
//! `linear` joins all of it, and `panel` solves for several inputs.
//!
//! `step` has the matrices and `sensor` their rows of readings. `product` has products without
//! matrices, `parameter` their gradients by the model, `rollout` the same of many steps.
//! `runge_kutta` has all of it for four evaluations, `hard` for exact
//! friction.

mod dual;
mod jet;
mod mat6;
mod muscle;
mod rotation;

mod error;
mod reading;
mod residual;
mod switches;

mod twist;

mod hessian;

mod footing;
mod pairs;
mod tree;

mod wrapping;

mod arm;

mod actuator;
mod fluid;
mod passive;

mod support;

mod rows;

mod contact;
mod equality;
mod feature;
mod ground;
mod limit;
mod surface;

mod refine;

mod sums;

mod constraint;

mod integrate;

mod quantity;
mod sensor;

mod panel;

mod linear;

mod parameter;

mod runge_kutta;

mod step;

mod product;

mod hard;

mod coordinates;

mod rollout;

pub use error::TransitionError;
pub use parameter::{Parameter, ParameterGradient};
pub use product::{StepGradient, step_jvp, step_vjp};
pub use rollout::{Rollout, RolloutGradient};
pub use step::transition;
pub use switches::Switches;
