//! The factor L D Lᵀ of a dense symmetric matrix, and solutions with it.
//!
//! Matrices are by columns of n + 1 numbers: lanes that have neighbouring rows read neighbouring
//! numbers. The row below the matrix is the right side, so that the factor solves with L on its
//! way. Columns of the factor hold L D below the diagonal. L lies above the diagonal, row i of L in
//! column i, so that solutions read columns too.
//!
//! Columns go by `BLOCK`. The products with earlier columns are summed for all columns of a block
//! at once. Every lane factors the triangle on the block's diagonal for itself.

use crate::memory::Cells;
use crate::real::Real;
use crate::team::Team;

/// Columns of a block.
const BLOCK: usize = 4;

/// Numbers of the scratch beside a matrix: inverse pivots, a solution on its way, a triangle.
pub const fn scratch(n: usize) -> usize {
    2 * n + BLOCK * BLOCK
}

/// Distance of the columns of an n × n matrix.
pub const fn stride(n: usize) -> usize {
    n + 1
}

/// Factors the lower triangle of an n × n matrix in place, and solves for `x` in place.
// out of line, as everything that is called twice: the kernel is larger than a GPU's instruction
// cache
#[inline(never)]
pub(crate) fn factor_and_solve<R: Real, T: Team>(
    t: T,
    n: usize,
    a: Cells<'_, R>,
    scratch: Cells<'_, R>,
    x: Cells<'_, R>,
) {
    t.par(n, |j| a.put(j * stride(n) + n, x.at(j)));
    let mut j = 0;
    while j + BLOCK <= n {
        block::<R, T, BLOCK>(t, [n, j], a, scratch);
        j += BLOCK;
    }
    while j < n {
        block::<R, T, 1>(t, [n, j], a, scratch);
        j += 1;
    }
    t.par(n, |i| scratch.put(n + i, a.at(i * stride(n) + n) * scratch.at(i)));
    back(t, n, [a, scratch], x);
}

/// Factors the columns of a block from `j` on.
#[inline(always)]
fn block<R: Real, T: Team, const B: usize>(
    t: T,
    [n, j]: [usize; 2],
    a: Cells<'_, R>,
    scratch: Cells<'_, R>,
) {
    let (stride, triangle) = (stride(n), 2 * n);

    // the columns, less the products with the columns before
    t.par(stride - j, |r| {
        let i = j + r;
        let mut s = [R::ZERO; B];
        for c in 0..B {
            s[c] = a.at((j + c) * stride + i);
        }
        for k in 0..j {
            let x = a.at(k * stride + i);
            for c in 0..B {
                s[c] -= x * a.at((j + c) * stride + k);
            }
        }
        for c in 0..B {
            if r < B {
                scratch.put(triangle + c * B + r, s[c]);
            } else {
                a.put((j + c) * stride + i, s[c]);
            }
        }
    });

    // the triangle on the diagonal, in every lane; then each row
    t.par(stride - j, |r| {
        let i = j + r;
        let (mut l, mut inv) = ([[R::ZERO; B]; B], [R::ZERO; B]);
        for c in 0..B {
            let mut x = [R::ZERO; B];
            for k in 0..c + 1 {
                x[k] = scratch.at(triangle + k * B + c);
                for m in 0..k {
                    let taken = x[m] * l[k][m];
                    x[k] -= taken;
                }
                l[c][k] = x[k] * inv[k];
            }
            inv[c] = R::ONE / x[c];
        }
        let mut x = [R::ZERO; B];
        for c in 0..B {
            let of_triangle = triangle + c * B + r;
            x[c] = if r < B { scratch.at(of_triangle) } else { a.at((j + c) * stride + i) };
            for m in 0..c {
                let taken = x[m] * l[c][m];
                x[c] -= taken;
            }
        }
        for c in 0..B {
            if r >= c {
                a.put((j + c) * stride + i, x[c]);
            }
            if r > c && i < n {
                a.put(i * stride + j + c, x[c] * inv[c]);
            }
            if r == 0 {
                scratch.put(j + c, inv[c]);
            }
        }
    });
}

/// Solves for `x` in place with the factor that `factor_and_solve` has left.
#[inline(never)]
pub(crate) fn solve_again<R: Real, T: Team>(
    t: T,
    n: usize,
    a: Cells<'_, R>,
    scratch: Cells<'_, R>,
    x: Cells<'_, R>,
) {
    for j in 0..n.saturating_sub(1) {
        let z = x.at(j) * scratch.at(j);
        t.par(n - j - 1, |r| {
            let i = j + 1 + r;
            x.put(i, x.at(i) - a.at(j * stride(n) + i) * z);
        });
    }
    t.par(n, |i| scratch.put(n + i, x.at(i) * scratch.at(i)));
    back(t, n, [a, scratch], x);
}

/// Solves with Lᵀ: blocks from the last one on.
#[inline(always)]
fn back<R: Real, T: Team>(t: T, n: usize, [a, scratch]: [Cells<'_, R>; 2], x: Cells<'_, R>) {
    let mut j = n;
    while !j.is_multiple_of(BLOCK) {
        j -= 1;
        back_block::<R, T, 1>(t, [n, j], [a, scratch], x);
    }
    while j > 0 {
        j -= BLOCK;
        back_block::<R, T, BLOCK>(t, [n, j], [a, scratch], x);
    }
}

/// Solves for the numbers of a block from `j` on, and takes them from those before.
#[inline(always)]
fn back_block<R: Real, T: Team, const B: usize>(
    t: T,
    [n, j]: [usize; 2],
    [a, scratch]: [Cells<'_, R>; 2],
    x: Cells<'_, R>,
) {
    t.par(j + B, |i| {
        // the numbers of the block, in every lane
        let mut found = [R::ZERO; B];
        for c in (0..B).rev() {
            found[c] = scratch.at(n + j + c);
            for m in (c + 1..B).rev() {
                let taken = a.at((j + m) * stride(n) + j + c) * found[m];
                found[c] -= taken;
            }
        }
        let mut own = scratch.at(n + i);
        for c in (0..B).rev() {
            if i < j + c {
                own -= a.at((j + c) * stride(n) + i) * found[c];
            }
        }
        if i < j {
            scratch.put(n + i, own);
        } else {
            x.put(i, own);
        }
    });
}
