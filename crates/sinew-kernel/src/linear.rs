//! The factor L D Lᵀ of a dense symmetric matrix, and solutions with it.
//!
//! Matrices are by columns: lanes that have neighbouring rows read neighbouring numbers. Of the
//! factor, columns hold L D below the diagonal and D on it; L lies above the diagonal, row i of L
//! in column i, so that both solutions read columns too.

use crate::memory::Cells;
use crate::real::Real;
use crate::team::Team;

/// Factors the lower triangle of an n × n matrix in place, and solves for `x` in place.
// out of line, as everything that is called twice: the kernel is larger than a GPU's instruction
// cache
#[inline(never)]
pub(crate) fn factor_and_solve<R: Real, T: Team>(
    t: T,
    n: usize,
    a: Cells<'_, R>,
    inv: Cells<'_, R>,
    x: Cells<'_, R>,
) {
    factor(t, n, a, inv);
    solve(t, n, [a, inv], x);
}

/// Factors the lower triangle of an n × n matrix in place; one wait for each column.
#[inline(always)]
fn factor<R: Real, T: Team>(t: T, n: usize, a: Cells<'_, R>, inv: Cells<'_, R>) {
    for j in 0..n {
        // the pivot of the column before, in all lanes
        let (before, pivot) =
            if j > 0 { (j - 1, R::ONE / a.at((j - 1) * n + j - 1)) } else { (0, R::ONE) };
        let scale = if j > 0 { a.at(before * n + j) * pivot } else { R::ZERO };
        t.par(n - j, |r| {
            let i = j + r;
            let mut s = a.at(j * n + i);
            if j > 0 {
                for k in 0..before {
                    s -= a.at(k * n + i) * a.at(j * n + k);
                }
                let last = a.at(before * n + i);
                s -= last * scale;
                a.put(i * n + before, last * pivot);
                if r == 0 {
                    inv.put(before, pivot);
                }
            }
            a.put(j * n + i, s);
        });
    }
    if n > 0 {
        t.par(1, |_| inv.put(n - 1, R::ONE / a.at((n - 1) * n + n - 1)));
    }
}

/// Solves for `x` in place with the factor that `factor_and_solve` has left.
#[inline(never)]
pub(crate) fn solve_again<R: Real, T: Team>(
    t: T,
    n: usize,
    a: Cells<'_, R>,
    inv: Cells<'_, R>,
    x: Cells<'_, R>,
) {
    solve(t, n, [a, inv], x);
}

/// Solves with the factor in place.
#[inline(always)]
fn solve<R: Real, T: Team>(t: T, n: usize, [a, inv]: [Cells<'_, R>; 2], x: Cells<'_, R>) {
    for j in 0..n.saturating_sub(1) {
        let z = x.at(j) * inv.at(j);
        t.par(n - j - 1, |r| {
            let i = j + 1 + r;
            x.put(i, x.at(i) - a.at(j * n + i) * z);
        });
    }
    t.par(n, |i| x.put(i, x.at(i) * inv.at(i)));
    for j in (1..n).rev() {
        let z = x.at(j);
        t.par(j, |i| x.put(i, x.at(i) - a.at(j * n + i) * z));
    }
}
