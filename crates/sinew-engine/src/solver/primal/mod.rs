//! The primal solvers: Newton's method and conjugate gradient on the acceleration.
//!
//! `islands` makes a `Problem` of each island and returns its solution. `descent` minimises, with
//! `line_search` along each direction and `hessian` for Newton's direction, whose zeros `symbolic`
//! knows. `nnz` counts the entries that MuJoCo would keep.

mod block_sets;
mod descent;
pub(super) mod hessian;
mod inertia;
mod islands;
mod line_search;
mod nnz;
pub(super) mod part;
pub(super) mod problem;
mod rows;
mod symbolic;

pub(crate) use islands::primal;
