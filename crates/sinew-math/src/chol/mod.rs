//! Cholesky factors of dense matrices. This module has MuJoCo's order of sums; [`blocked`],
//! [`panel`] and [`skyline`] are for results that are defined up to a tolerance.

pub mod blocked;
pub mod panel;
pub mod skyline;

use crate::scalar::MINVAL;
use crate::vector::dot;

/// In-place factor L Lᵀ of the `n` rows of `mat`, in the lower triangle. Pivots below `mindiag`
/// become `mindiag`. Returns the rank: the number of other pivots.
#[doc(alias = "mju_cholFactor")]
#[inline]
pub fn factor(mat: &mut [f64], n: usize, mindiag: f64) -> usize {
    let mut rank = n;
    for j in 0..n {
        let (head, tail) = mat.split_at_mut((j + 1) * n);
        let row = &mut head[j * n..];
        let mut pivot = row[j] - dot(&row[..j], &row[..j]);
        if pivot < mindiag {
            pivot = mindiag;
            rank -= 1;
        }
        row[j] = pivot.sqrt();
        let inv = 1.0 / row[j];
        for below in tail.chunks_exact_mut(n).take(n - 1 - j) {
            below[j] = (below[j] - dot(&below[..j], &row[..j])) * inv;
        }
    }
    rank
}

/// In place x = (L Lᵀ)⁻¹ x, with L in the lower triangle of the `x.len()` rows of `mat`.
#[doc(alias = "mju_cholSolve")]
#[inline]
pub fn solve(mat: &[f64], x: &mut [f64]) {
    let n = x.len();
    for i in 0..n {
        x[i] -= dot(&mat[i * n..i * n + i], &x[..i]);
        x[i] /= mat[i * (n + 1)];
    }
    for i in (0..n).rev() {
        for j in i + 1..n {
            x[i] -= mat[j * n + i] * x[j];
        }
        x[i] /= mat[i * (n + 1)];
    }
}

/// In-place factor of L Lᵀ + sign x xᵀ, with `sign` 1 or -1; destroys `x`. Pivots are at least
/// `MINVAL`; returns the rank as [`factor`] does.
#[doc(alias = "mju_cholUpdate")]
pub fn update(mat: &mut [f64], x: &mut [f64], sign: f64) -> usize {
    let n = x.len();
    let mut rank = n;
    for k in 0..n {
        if x[k] == 0.0 {
            continue;
        }
        // the rotation that eliminates x(k)
        let old = mat[k * (n + 1)];
        let mut square = old * old + sign * x[k] * x[k];
        if square < MINVAL {
            square = MINVAL;
            rank -= 1;
        }
        let r = square.sqrt();
        let (c, s) = (r / old, x[k] / old);
        let inverse = 1.0 / c;

        // applied to the rows below
        mat[k * (n + 1)] = r;
        for i in k + 1..n {
            mat[i * n + k] = (mat[i * n + k] + sign * (s * x[i])) * inverse;
        }
        for i in k + 1..n {
            x[i] = c * x[i] - s * mat[i * n + k];
        }
    }
    rank
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A diagonally dominant symmetric matrix.
    fn matrix(n: usize) -> Vec<f64> {
        let entry = |i: usize, j: usize| ((i + j) as f64 * 1.3 + (i * j) as f64).sin();
        (0..n * n)
            .map(|k| entry(k / n, k % n) + if k / n == k % n { n as f64 } else { 0.0 })
            .collect()
    }

    #[test]
    fn a_solution_times_the_matrix_is_the_right_hand_side() {
        for n in 1..9 {
            let a = matrix(n);
            let b: Vec<f64> = (0..n).map(|i| (i as f64).cos()).collect();
            let (mut l, mut x) = (a.clone(), b.clone());
            assert_eq!(factor(&mut l, n, MINVAL), n);
            solve(&l, &mut x);
            for (row, b) in a.chunks_exact(n).zip(&b) {
                assert!((dot(row, &x) - b).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn an_update_is_the_factor_of_the_sum() {
        let n = 5;
        let (mut a, x) = (matrix(n), [0.3, 0.0, -1.2, 0.7, 0.1]);
        let mut l = a.clone();
        factor(&mut l, n, MINVAL);
        assert_eq!(update(&mut l, &mut x.clone(), 1.0), n);
        for (k, a) in a.iter_mut().enumerate() {
            *a += x[k / n] * x[k % n];
        }
        factor(&mut a, n, MINVAL);
        for i in 0..n {
            assert!((0..=i).all(|j| (a[i * n + j] - l[i * n + j]).abs() < 1e-12));
        }
    }

    #[test]
    fn a_singular_matrix_loses_rank() {
        assert_eq!(factor(&mut [1.0; 9], 3, MINVAL), 1);
    }
}
