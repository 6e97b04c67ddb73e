//! The dual solvers: Gauss-Seidel sweeps over the forces of the constraint rows.
//!
//! `pgs` for all rows, `noslip` for friction once more. `matrix` has A by rows, `cone` the contacts
//! with elliptic cones, `qcqp` the best friction of one contact, `work` the common part of both
//! solvers.

mod cone;
mod matrix;
mod noslip;
mod pgs;
mod qcqp;
mod start;
mod work;

pub(crate) use noslip::noslip;
pub(crate) use pgs::pgs;
