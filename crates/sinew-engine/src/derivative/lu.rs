//! LU factor of a matrix with the pattern of `qDeriv`: a row per dof with its ancestors and
//! descendants. Eliminating from the last dof on gives no fill-in.

use core::ops::Range;

use sinew_model::{DofId, Model};

use crate::sparse;

/// In-place factor: unit upper triangle U, lower triangle L with the diagonal.
#[doc(alias = "mju_factorLUSparse")]
pub(crate) fn factor_lu(m: &Model, lu: &mut [f64]) {
    let cols = &*m.D_colind;
    for i in m.dofs().rev() {
        let row_i = row(m, i);
        let diag = row_i.start + m.D_diag[i] as usize;
        let pivot = lu[diag];

        // rows j above i that reach i: the columns before the diagonal, as the pattern is symmetric
        for &j in cols[row_i.start..diag].iter().rev() {
            let row_j = row(m, j);
            let reach = row_j.start + cols[row_j.clone()].partition_point(|&c| c < i);
            lu[reach] /= pivot;
            let factor = lu[reach];

            // (j,k) -= (i,k) (j,i) for k < i; columns of row i are among those of row j
            let mut k = row_j.start;
            for a in row_i.start..diag {
                while k < reach && cols[k] < cols[a] {
                    k += 1;
                }
                if k < reach && cols[k] == cols[a] {
                    lu[k] -= lu[a] * factor;
                }
            }
        }
    }
}

/// In place x = (U L)⁻¹ x.
#[doc(alias = "mju_solveLUSparse")]
pub(crate) fn solve_lu(m: &Model, lu: &[f64], x: &mut [f64]) {
    let cols = &*m.D_colind;
    for i in m.dofs().rev() {
        let row = row(m, i);
        let after = row.start + m.D_diag[i] as usize + 1..row.end;
        x[i.idx()] -= sparse::dot(&cols[after.clone()], &lu[after], x);
    }
    for i in m.dofs() {
        let start = row(m, i).start;
        let diag = start + m.D_diag[i] as usize;
        x[i.idx()] -= sparse::dot(&cols[start..diag], &lu[start..diag], x);
        x[i.idx()] /= lu[diag];
    }
}

fn row(m: &Model, i: DofId) -> Range<usize> {
    let start = m.D_rowadr[i] as usize;
    start..start + m.D_rownnz[i] as usize
}
