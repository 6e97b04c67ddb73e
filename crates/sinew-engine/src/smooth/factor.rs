//! The factor LᵀDL of matrices with the pattern of M.

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
    ldl::factor(&m_rows(m), mat, diag_inv);
}
