//! The LU factor of matrices with the pattern of `qDeriv`: a row per dof with its ancestors and
//! descendants.

use sinew_math::lu::{self, LuRows};
use sinew_model::Model;
use sinew_model::pod::as_i32;

/// In-place factor: unit upper triangle U, lower triangle L with the diagonal.
pub(crate) fn factor_lu(m: &Model, lu: &mut [f64]) {
    lu::factor(&d_rows(m), lu);
}

/// In place x = (U L)⁻¹ x.
pub(crate) fn solve_lu(m: &Model, lu: &[f64], x: &mut [f64]) {
    lu::solve(&d_rows(m), lu, x);
}

/// The pattern of `qDeriv`.
fn d_rows(m: &Model) -> LuRows<'_> {
    let cols = as_i32(&m.D_colind);
    LuRows { adr: &m.D_rowadr, nnz: &m.D_rownnz, diag: &m.D_diag, cols }
}
