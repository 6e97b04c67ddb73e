//! Kernels of the solvers: the loops in which their time goes.
//!
//! Matrices are stored by columns, with columns and vectors padded to whole registers. A kernel
//! checks the lengths of its arguments and then loads without further checks.

mod extend_add;
mod friction;
mod jacobian;
mod rows;

pub(crate) use extend_add::{ExtendAdd, extend_add};
pub(crate) use friction::{
    FrictionLines, FrictionRows, FrictionZones, friction_forces, friction_quads,
};
pub(crate) use jacobian::{
    Jacobian, NarrowRow, RowGroup, Single, WeightedRow, add_gram, gram, mul_dense, mul_jacobian,
    mul_jacobian_t,
};
pub(crate) use rows::{
    ConeLines, OneSidedLines, OneSidedRows, cones_along, one_sided_forces, one_sided_quads,
    row_quads,
};
