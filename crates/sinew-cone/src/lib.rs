//! Contact impulses with exact friction cones: minimise `½ λᵀ A λ - bᵀ λ` over a product of cones.
//!
//! ```
//! use sinew_cone::{Cone, Options, Problem, State, solve};
//!
//! // a body of 10 kg at rest on a slope, friction 0.5, for one step: will it slide?
//! let a = [0.1, 0.0, 0.0, 0.0, 0.1, 0.0, 0.0, 0.0, 0.1];
//! let cones = [Cone::contact(0.5)];
//! let problem = Problem::new(&a, &[0.15, -0.05, 0.0], &cones)?;
//! let solution = solve(&problem, &Options::default(), None)?;
//! assert_eq!(solution.states, [State::Stick]);
//! assert!((solution.impulses[0] - 1.5).abs() < 1e-8);
//! # Ok::<(), sinew_cone::Error>(())
//! ```
//!
//! # The problem
//!
//! Bodies with mass matrix `M` touch in rows `J`: per contact a normal and its tangents. Impulses
//! `λ` on the rows change the rows' velocity from `J v` to `J v + A λ`, where `A = J M⁻¹ Jᵀ`
//! ([`Delassus`] builds it). With `b = -J v`, to which restitution adds `e` times the approach
//! speed on the normal rows, the remaining velocity is `g = A λ - b`, the gradient of the
//! objective. The contact pushes: `λ` is in the friction cone `K`. The contact does not penetrate:
//! `g` is in the dual cone `K*`. The two are orthogonal: `λ ⊥ g`. The optimality conditions of the
//! convex problem are the same, so its minimiser is the answer. With `g = 0` the contact sticks,
//! with `λ = 0` it separates. On the surface of both cones it slides, its friction opposite to its
//! velocity.
//!
//! The convex problem relaxes the normal velocity of a sliding contact: convexity makes it `mu
//! |g_t|` instead of zero. [`Law::Coulomb`] takes that away again: the same equations with one more
//! term, no longer convex. A first-order method on these equations finds the neighbourhood of an
//! answer where Newton's method alone does not. The method is the alternating direction method of
//! multipliers with Anderson's extrapolation.
//!
//! # The method
//!
//! `λ` is optimal if and only if the *natural map* `F(λ) = λ - Π(λ - T (A λ - b))` is zero. `Π`
//! projects onto the cones, and `T` is a step length per contact, one over the largest eigenvalue
//! of its block of `A`. `F` is piecewise smooth, and Newton's method on it converges quadratically
//! once it has found which contacts stick, slide and separate. The linear system of a step can be
//! made symmetric positive definite, and small: separated contacts drop out, sliding ones lose a
//! row. A factor serves several steps as long as they pay.
//!
//! Far from the answer the pieces flicker. Against that, the derivative of `Π` is smoothed over a
//! width that shrinks with `|F|`. Sweeps that solve one contact at a time give a good first guess.
//! Where contacts are statically indeterminate or light bodies carry heavy ones, a primal-dual
//! interior-point method walks until Newton's method can take over. By Coulomb's law its path
//! begins at the convex law: a sliding speed counts once the barrier is smaller than it.
//!
//! `A` is made of few bodies and many contacts. Given its factor `B`, `A = B Bᵀ`, as sparse rows
//! ([`SparseProblem`]), all methods solve for the change of the bodies' velocity instead. `A` is
//! then not needed at all.
//!
//! Projecting a Newton step of the objective itself looks simpler but does not work. With `λ₁ =
//! Π(A⁻¹ b)` every further step leads from `λ₁` straight away from the cone and is projected back
//! to `λ₁`. But `λ₁` is optimal only if `A` is a multiple of the identity on the active contacts.
//!
//! # Certificate
//!
//! A solution carries its residual `|λ - Π(λ - τ (A λ - b))|`, computed at the end from the problem
//! as given. The residual is in units of impulse and bounds the distance from optimality; `τ` is
//! one for problems of usual scale. Beside it is the error of velocity that it stands for, contact
//! by contact, and the same without units. Impulses are always feasible and finite, and never worse
//! than no impulse at all.
//!
//! Reading: Qi and Sun, *A nonsmooth version of Newton's method* (1993). Alizadeh and Goldfarb,
//! *Second-order cone programming* (2003). Acary, Brémond and Huber, *On solving contact problems
//! with Coulomb friction* (2018). Carpentier, Le Lidec and Montaut, *From compliant to rigid
//! contact simulation* (2024).

mod cone;
mod problem;
mod solution;
mod solver;

mod certificate;
mod delassus;
mod methods;
mod sparse;

mod dense;
mod frame;
mod natural_map;
mod small;
mod target;
mod tuning;

pub use cone::Cone;
pub use delassus::{Delassus, InverseMass};
pub use problem::{Error, ErrorKind, Problem};
pub use solution::{Criterion, Law, Options, Solution, State, Status};
pub use solver::{Solver, solve};
pub use sparse::{SparseProblem, SparseRows};
