//! The methods, for the convex law and for Coulomb's, which removes the relaxation of the convex
//! problem.
//!
//! The convex problem lets a sliding contact separate with `mu |g_t|`, the price of being convex.
//! De Saxcé's correction takes that speed away again: with `s = mu |g_t|` the law is `λ ∈ K`, `g +
//! s n ∈ K*`, `λ ⊥ g + s n` (De Saxcé and Feng 1998). In the scaled frame `s` is `|w_t|`, and the
//! law is again a natural map, `F(y) = y - Π(y - (w + |w_t| e_n)) = 0`, no longer the map of an
//! objective.
//!
//! 1. Newton's method on it from the warm start (`law`). Most steps of a simulation end here, after
//!    about the number of iterations of the convex problem.
//! 2. A first-order method on the law (`splitting`), with Newton's method from points on its way.
//! 3. The convex problem, and both methods from its solution. Where contacts are statically
//!    indeterminate the law has many solutions. The velocity of the convex problem is unique. From
//!    there a search ends at a nearby solution, for any order of the contacts.
//! 4. Interior points of Coulomb's law itself (`interior`), on a path from the convex law to it.
//!
//! The plan in `solver` says in which order, in which problems and how long each is tried.
//!
//! The convex law has the same Newton method, without the correction. From scratch a few sweeps
//! find out which contacts separate. If none does, the unconstrained minimum is computed, which may
//! be the answer or a better start. Interior-point steps follow where Newton's method stalls, or
//! where light bodies carry heavy ones (`interior`). Newton's method continues once it is clear
//! which contacts stick, slide and separate.
//!
//! All methods solve linear systems of one form (`system`, `weights`, `factors`), by the rows of a
//! problem (`velocity`, `bricks`) or by its matrix (`matrix`), and share sweeps (`sweep`,
//! `contact`, `group`). Small problems that are given by rows go on by their matrix where that is
//! smaller, or the last digits are wanted. All methods share one budget of factorisations, and the
//! first-order method has one of steps. The law may have no solution. Then, or when the budget is
//! spent, the result is a point that nearly obeys it, or the convex one.

mod anderson;
mod bricks;
mod contact;
mod coupling;
mod factors;
mod group;
mod interior;
mod iterate;
mod law;
mod matrix;
mod splitting;
mod sweep;
mod system;
mod velocity;
mod weights;

pub(crate) use interior::InteriorPoint;
pub(crate) use law::{LawSearch, NEWTON, Task, load};
pub(crate) use splitting::Splitting;
pub(crate) use system::System;
