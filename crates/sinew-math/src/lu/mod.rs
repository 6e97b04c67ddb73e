//! LU factors of matrices with a symmetric tree pattern: the row of a dof has its ancestors and
//! descendants, as in `qDeriv`. Elimination from the last dof has no fill-in. The module
//! [`skyline`] is for other matrices, whose solution is defined up to a tolerance.

pub mod skyline;

use core::ops::Range;

use crate::sparse;

/// The sparsity pattern: first entry, number of entries, position of the diagonal, and ascending
/// columns of each row.
#[derive(Clone, Copy, Debug)]
pub struct LuRows<'a> {
    /// First number of each row.
    pub adr: &'a [i32],
    /// Numbers of each row.
    pub nnz: &'a [i32],
    /// Place of the diagonal in each row.
    pub diag: &'a [i32],
    /// Columns of all numbers.
    pub cols: &'a [i32],
}

impl LuRows<'_> {
    pub(crate) fn row(&self, i: usize) -> Range<usize> {
        let start = self.adr[i] as usize;
        start..start + self.nnz[i] as usize
    }
}

/// In-place factors for the dofs of whole trees: unit upper triangle U, and lower triangle L with
/// the diagonal.
#[doc(alias = "mju_factorLUSparse")]
pub fn factor(rows: &LuRows<'_>, dofs: Range<usize>, lu: &mut [f64]) {
    let cols = rows.cols;
    for i in dofs.rev() {
        let row_i = rows.row(i);
        let diag = row_i.start + rows.diag[i] as usize;
        let pivot = lu[diag];

        // rows j above i with an entry in column i: the columns before the diagonal, by symmetry
        for &j in cols[row_i.start..diag].iter().rev() {
            let row_j = rows.row(j as usize);
            let reach = row_j.start + cols[row_j.clone()].partition_point(|&c| (c as usize) < i);
            lu[reach] /= pivot;
            let factor = lu[reach];

            // (j,k) -= (i,k) (j,i) for k < i; the columns of row i are a subset of row j's
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

/// In place x = (U L)⁻¹ x for the dofs of whole trees.
#[doc(alias = "mju_solveLUSparse")]
pub fn solve(rows: &LuRows<'_>, dofs: Range<usize>, lu: &[f64], x: &mut [f64]) {
    let cols = rows.cols;
    for i in dofs.clone().rev() {
        let row = rows.row(i);
        let after = row.start + rows.diag[i] as usize + 1..row.end;
        x[i] -= sparse::dot(&cols[after.clone()], &lu[after], x);
    }
    for i in dofs {
        let start = rows.row(i).start;
        let diag = start + rows.diag[i] as usize;
        x[i] -= sparse::dot(&cols[start..diag], &lu[start..diag], x);
        x[i] /= lu[diag];
    }
}

/// In place x = (U L)⁻ᵀ x = U⁻ᵀ L⁻ᵀ x for the dofs of whole trees.
pub fn solve_transposed(rows: &LuRows<'_>, dofs: Range<usize>, lu: &[f64], x: &mut [f64]) {
    for i in dofs.clone().rev() {
        let start = rows.row(i).start;
        let diag = start + rows.diag[i] as usize;
        x[i] /= lu[diag];
        for k in start..diag {
            x[rows.cols[k] as usize] -= lu[k] * x[i];
        }
    }
    for i in dofs {
        let row = rows.row(i);
        for k in row.start + rows.diag[i] as usize + 1..row.end {
            x[rows.cols[k] as usize] -= lu[k] * x[i];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_solution_times_the_matrix_is_the_right_hand_side() {
        // a root with two branches: 0 - 1 - 2 and 0 - 3
        let dense = [
            [9.0, 1.0, 2.0, 3.0],
            [-1.0, 8.0, 0.5, 0.0],
            [0.3, 2.0, 7.0, 0.0],
            [1.5, 0.0, 0.0, 6.0],
        ];
        let (mut adr, mut nnz, mut diag, mut cols, mut lu) =
            (vec![], vec![], vec![], vec![], vec![]);
        for (i, row) in dense.iter().enumerate() {
            adr.push(cols.len() as i32);
            for (j, &x) in row.iter().enumerate().filter(|(_, x)| **x != 0.0) {
                if i == j {
                    diag.push(cols.len() as i32 - adr[i]);
                }
                cols.push(j as i32);
                lu.push(x);
            }
            nnz.push(cols.len() as i32 - adr[i]);
        }
        let rows = LuRows { adr: &adr, nnz: &nnz, diag: &diag, cols: &cols };
        factor(&rows, 0..4, &mut lu);
        let b = [1.0, -2.0, 3.0, 0.5];
        let mut x = b;
        solve(&rows, 0..4, &lu, &mut x);
        for (row, b) in dense.iter().zip(b) {
            let product: f64 = row.iter().zip(&x).map(|(a, x)| a * x).sum();
            assert!((product - b).abs() < 1e-13);
        }

        // the same of the transpose
        let mut x = b;
        solve_transposed(&rows, 0..4, &lu, &mut x);
        for (k, b) in b.into_iter().enumerate() {
            let product: f64 = dense.iter().zip(&x).map(|(row, x)| row[k] * x).sum();
            assert!((product - b).abs() < 1e-13);
        }
    }
}
