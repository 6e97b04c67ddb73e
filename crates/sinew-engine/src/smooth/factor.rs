//! The factor LᵀDL of matrices with the pattern of M.

use core::ops::Range;

use sinew_math::ldl::{self, TreeRows};
use sinew_model::Model;
use sinew_model::pod::as_i32;

/// The pattern of M.
#[inline]
pub(crate) fn m_rows(m: &Model) -> TreeRows<'_> {
    TreeRows { adr: &m.M_rowadr, nnz: &m.M_rownnz, cols: as_i32(&m.M_colind) }
}

/// In-place factor LᵀDL of a matrix with the pattern of M, and the inverse of D.
#[doc(alias = "mj_factorI")]
pub fn factor_i(m: &Model, mat: &mut [f64], diag_inv: &mut [f64]) {
    factor_dofs(m, 0..m.nv, mat, diag_inv);
}

/// `factor_i` for the dofs of whole trees.
#[inline]
pub(crate) fn factor_dofs(m: &Model, dofs: Range<usize>, mat: &mut [f64], diag_inv: &mut [f64]) {
    ldl::factor(&m_rows(m), dofs, mat, diag_inv);
}

/// In place x = (LᵀDL)⁻¹ x for the dofs of whole trees.
#[inline]
pub(crate) fn solve_dofs(
    m: &Model,
    dofs: Range<usize>,
    x: &mut [f64],
    ld: &[f64],
    diag_inv: &[f64],
) {
    ldl::solve(&m_rows(m), dofs, ld, diag_inv, x);
}
