//! Coulomb's law: what the convex problem relaxes is taken back.
//!
//! The convex problem lets a sliding contact separate with `mu |g_t|`, the price of being convex.
//! De Saxcé's correction takes that speed away again: with `s = mu |g_t|` the law is `λ ∈ K`,
//! `g + s n ∈ K*`, `λ ⊥ g + s n` (De Saxcé and Feng 1998). In the scaled frame `s` is `|w_t|`, and
//! the law is again a natural map, `F(y) = y - Π(y - (w + |w_t| e_n)) = 0`, no longer that of an
//! objective.
//!
//! 1. Newton's method on it from the warm start. Most steps of a simulation end here, after about
//!    as many iterations as the convex problem takes.
//! 2. A first-order method on the law (`splitting`), with Newton's method from points on its way.
//!    With more than 150 rows it begins where the warm start has led, or from nothing; of problems
//!    that are given by rows all of it works with the velocities of the bodies.
//! 3. Small problems without a warm start begin with the convex problem. Where contacts are
//!    statically indeterminate the law has many solutions. The velocity of the convex problem is
//!    unique: from there a search ends at one near to it, and not at one that depends on the order
//!    of the contacts. It is made a little soft at first, which makes its impulses unique as well.
//!
//! Newton's method is the same for the convex law (`search`), which has no correction.
//!
//! All of it shares one budget of factorisations, and the first-order method has one of steps. The
//! law may have no solution. Then, or when the budget is spent, the result is a point that nearly
//! obeys it, or the convex one.

mod anderson;
mod bricks;
pub(crate) mod contact;
mod coupling;
mod law;
mod lu;
mod splitting;
mod system;
mod velocity;

pub(crate) use coupling::{Coupling, Manner};
pub(crate) use law::{LawSearch, Place};
pub(crate) use splitting::{Splitting, Way};
pub(crate) use system::SlipSystem;
pub(crate) use velocity::VelocitySystem;
