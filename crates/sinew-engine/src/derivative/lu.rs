//! The LU factor of matrices with the pattern of `qDeriv`: a row per dof with its ancestors and
//! descendants.

use core::ops::Range;

use sinew_math::lu::{self, LuRows};
use sinew_model::Model;
use sinew_model::pod::as_i32;

/// In-place factor: unit upper triangle U, lower triangle L with the diagonal. For the dofs of
/// whole trees.
pub(crate) fn factor_lu(m: &Model, dofs: Range<usize>, lu: &mut [f64]) {
    lu::factor(&d_rows(m), dofs, lu);
}

/// In place x = (U L)⁻¹ x for the dofs of whole trees.
pub(crate) fn solve_lu(m: &Model, dofs: Range<usize>, lu: &[f64], x: &mut [f64]) {
    lu::solve(&d_rows(m), dofs, lu, x);
}

/// In place x = (U L)⁻ᵀ x for the dofs of whole trees.
pub(crate) fn solve_lu_transposed(m: &Model, dofs: Range<usize>, lu: &[f64], x: &mut [f64]) {
    lu::solve_transposed(&d_rows(m), dofs, lu, x);
}

/// The pattern of `qDeriv`.
fn d_rows(m: &Model) -> LuRows<'_> {
    let cols = as_i32(&m.D_colind);
    LuRows { adr: &m.D_rowadr, nnz: &m.D_rownnz, diag: &m.D_diag, cols }
}
