//! Cholesky factors of dense fronts, four columns at a time, and solutions with them.
//!
//! A front is a dense matrix of which only the first columns are eliminated. (Duff and Reid, *The
//! multifrontal solution of indefinite sparse symmetric linear systems*, 1983.) The order of sums
//! is the kernels' own, with fused products on processors with FMA.
// loads and stores without bounds checks, after the check at the top of each kernel
#![allow(unsafe_code)]

use crate::scalar::MINVAL;
use crate::simd::{LANES, Lane, dispatch, padded};

dispatch! {
    /// Factors the columns of a front: see [`Factor`].
    pub fn factor(front: Factor<'_>) = factor_kernel::<Fused>;

    /// Solves with the factor of a front: see [`SolveT`].
    pub fn solve_t(front: SolveT<'_>) = solve_t_kernel::<Fused>;

    /// Solves with a whole matrix: see [`Whole`].
    pub fn solve_whole(matrix: Whole<'_>) = solve_whole_kernel::<Fused>;
}

/// In-place Cholesky factorisation of some columns of a dense matrix, stored by columns of `ld`
/// numbers; only the lower triangle is used. The other columns become the Schur complement.
///
/// Rows below the square are treated alike: a row that holds bᵀ becomes (L⁻¹ b)ᵀ, the forward
/// substitution for b. Pivots are at least `MINVAL`, as in MuJoCo.
pub struct Factor<'a> {
    /// The columns.
    pub mat: &'a mut [f64],
    /// Length of a column: a multiple of four.
    pub ld: usize,
    /// Number of columns to factor.
    pub own: usize,
    /// Number of all columns.
    pub size: usize,
    /// Inverses of the diagonal blocks: 16 numbers for each four columns.
    pub squares: &'a mut [f64],
}

#[inline(always)]
fn factor_kernel<L: Lane>(front: Factor<'_>) {
    let Factor { mat, ld, own, size, squares } = front;
    assert!(ld.is_multiple_of(LANES) && own <= size && size <= ld);
    assert!(mat.len() >= ld * size && squares.len() >= 4 * padded(own));
    let (m, squares) = (Columns { mat: mat.as_mut_ptr(), ld }, squares.as_mut_ptr());
    // SAFETY: columns are below `size`, rows below `ld`, a multiple of four.
    unsafe {
        let whole = own - own % LANES;
        factor_whole::<L>(m, whole, squares);
        let squares = squares.add(4 * whole);
        match own % LANES {
            1 => factor_panel::<L, 1>(m, whole, squares),
            2 => factor_panel::<L, 2>(m, whole, squares),
            3 => factor_panel::<L, 3>(m, whole, squares),
            _ => {}
        }
        for j in (own..size).step_by(LANES) {
            match size - j {
                1 => update_panel::<L, 1>(m, j, own),
                2 => update_panel::<L, 2>(m, j, own),
                3 => update_panel::<L, 3>(m, j, own),
                _ => update_panel::<L, 4>(m, j, own),
            }
        }
    }
}

/// A matrix by columns of `ld` numbers.
#[derive(Clone, Copy)]
struct Columns {
    mat: *mut f64,
    ld: usize,
}

impl Columns {
    /// The number in row `i` and column `j`.
    ///
    /// # Safety
    /// The matrix has them.
    #[inline(always)]
    unsafe fn at(self, i: usize, j: usize) -> *mut f64 {
        // SAFETY: the caller's promise.
        unsafe { self.mat.add(j * self.ld + i) }
    }
}

/// Factors `own` columns, a multiple of four. Each diagonal block is a long dependency chain. The
/// load starts before the rows of the previous block are finished, which hides its latency.
///
/// # Safety
/// As in `Factor`.
#[inline(always)]
unsafe fn factor_whole<L: Lane>(m: Columns, own: usize, squares: *mut f64) {
    if own == 0 {
        return;
    }
    // SAFETY: the caller's promise.
    unsafe {
        let mut pivot = Pivot::<4>::at::<L>(m, 0);
        for j in (0..own).step_by(LANES) {
            pivot.store::<L>(m, j, squares.add(4 * j));
            let mut i = j + LANES;
            let mut next = None;
            if i < own {
                divide_rows::<L, 1, 4>(m, i, j, &pivot);
                next = Some(Pivot::at::<L>(m, i));
                i += LANES;
            }
            divide_below::<L, 4>(m, i, j, &pivot);
            if let Some(next) = next {
                pivot = next;
            }
        }
    }
}

/// Factors the last `W` columns, from `j`, a multiple of four, after the earlier columns.
///
/// # Safety
/// As in `Factor`.
#[inline(always)]
unsafe fn factor_panel<L: Lane, const W: usize>(m: Columns, j: usize, squares: *mut f64) {
    // SAFETY: the caller's promise.
    unsafe {
        let pivot = Pivot::<W>::at::<L>(m, j);
        pivot.store::<L>(m, j, squares);
        divide_below::<L, W>(m, j + LANES, j, &pivot);
    }
}

/// The rows from `i` on of the `W` columns from `j`.
///
/// # Safety
/// As in `Factor`.
#[inline(always)]
unsafe fn divide_below<L: Lane, const W: usize>(
    m: Columns,
    mut i: usize,
    j: usize,
    pivot: &Pivot<W>,
) {
    // SAFETY: the caller's promise.
    unsafe {
        while i + 2 * LANES <= m.ld {
            divide_rows::<L, 2, W>(m, i, j, pivot);
            i += 2 * LANES;
        }
        if i < m.ld {
            divide_rows::<L, 1, W>(m, i, j, pivot);
        }
    }
}

/// `N` registers of rows from `i` of the `W` columns from `j`.
///
/// # Safety
/// As in `Factor`.
#[inline(always)]
unsafe fn divide_rows<L: Lane, const N: usize, const W: usize>(
    m: Columns,
    i: usize,
    j: usize,
    pivot: &Pivot<W>,
) {
    // SAFETY: the caller's promise.
    unsafe {
        let blocks = reduce::<L, N, W>(m, i, j, j);
        for (k, mut block) in blocks.into_iter().enumerate() {
            pivot.divide(&mut block);
            store_panel(m, i + k * LANES, j, &block);
        }
    }
}

/// Subtracts the contribution of `own` factored columns from the `W` columns from `j`.
///
/// # Safety
/// As in `Factor`.
#[inline(always)]
unsafe fn update_panel<L: Lane, const W: usize>(m: Columns, j: usize, own: usize) {
    // SAFETY: the caller's promise.
    unsafe {
        let mut i = j - j % LANES;
        while i + 2 * LANES <= m.ld {
            let blocks = reduce::<L, 2, W>(m, i, j, own);
            for (k, block) in blocks.into_iter().enumerate() {
                store_panel(m, i + k * LANES, j, &block);
            }
            i += 2 * LANES;
        }
        if i < m.ld {
            let [block] = reduce::<L, 1, W>(m, i, j, own);
            store_panel(m, i, j, &block);
        }
    }
}

/// `W` columns from `j` of `N` registers of rows from `i`, minus the contribution of the first
/// `done` columns.
///
/// # Safety
/// As in `Factor`.
#[inline(always)]
unsafe fn reduce<L: Lane, const N: usize, const W: usize>(
    m: Columns,
    i: usize,
    j: usize,
    done: usize,
) -> [[L; W]; N] {
    // SAFETY: the caller's promise.
    unsafe {
        let mut acc: [[L; W]; N] = core::array::from_fn(|k| {
            core::array::from_fn(|c| L::load_at(m.at(i + k * LANES, j + c)))
        });
        let mut at = m.mat;
        for _ in 0..done {
            let left: [L; N] = core::array::from_fn(|k| L::load_at(at.add(i + k * LANES)));
            for c in 0..W {
                let right = L::splat(*at.add(j + c));
                for k in 0..N {
                    acc[k][c] = acc[k][c].sub_mul(left[k], right);
                }
            }
            at = at.add(m.ld);
        }
        acc
    }
}

/// # Safety
/// As in `Factor`.
#[inline(always)]
unsafe fn store_panel<L: Lane, const W: usize>(m: Columns, i: usize, j: usize, block: &[L; W]) {
    // SAFETY: the caller's promise.
    unsafe {
        for (c, column) in block.iter().enumerate() {
            column.store_at(m.at(i, j + c));
        }
    }
}

/// The first `W` columns of the Cholesky factor of a 4×4 block, and the reciprocals of their
/// diagonal.
struct Pivot<const W: usize> {
    l: [[f64; 4]; W],
    inv: [f64; W],
}

impl<const W: usize> Pivot<W> {
    /// Computes the pivot from the block at column `j`, after the earlier columns.
    ///
    /// # Safety
    /// As in `Factor`.
    #[inline(always)]
    unsafe fn at<L: Lane>(m: Columns, j: usize) -> Self {
        // SAFETY: the caller's promise.
        unsafe {
            let [square] = reduce::<L, 1, W>(m, j, j, j);
            Pivot::new::<L>(square.map(L::to_array))
        }
    }

    #[inline(always)]
    fn new<L: Lane>(mut l: [[f64; 4]; W]) -> Self {
        let mut inv = [0.0; W];
        for c in 0..W {
            // later columns depend on the division only; the square root runs in parallel
            let x = if l[c][c] < MINVAL { MINVAL } else { l[c][c] };
            let over = 1.0 / x;
            for k in c + 1..W {
                for r in k..4 {
                    l[k][r] = L::sub_mul_one(l[k][r], l[c][r] * l[c][k], over);
                }
            }
            let root = x.sqrt();
            inv[c] = root * over;
            l[c][c] = root;
            for r in c + 1..4 {
                l[c][r] *= inv[c];
            }
        }
        Pivot { l, inv }
    }

    /// Writes the block, and its inverse by rows.
    ///
    /// # Safety
    /// As in `Factor`; `inverse` has 16 numbers.
    #[inline(always)]
    unsafe fn store<L: Lane>(&self, m: Columns, j: usize, inverse: *mut f64) {
        let mut rows = [[0.0; 4]; 4];
        for c in 0..W {
            rows[c][c] = self.inv[c];
            for r in c + 1..W {
                let mut sum = 0.0;
                for k in c..r {
                    sum = L::sub_mul_one(sum, self.l[k][r], rows[k][c]);
                }
                rows[r][c] = sum * self.inv[r];
            }
        }
        // SAFETY: the caller's promise.
        unsafe {
            for c in 0..W {
                L::load(&self.l[c]).store_at(m.at(j, j + c));
            }
            for (c, row) in rows.iter().enumerate() {
                L::load(row).store_at(inverse.add(4 * c));
            }
        }
    }

    /// Four rows below the block: B ← B L⁻ᵀ.
    #[inline(always)]
    fn divide<L: Lane>(&self, block: &mut [L; W]) {
        for c in 0..W {
            block[c] = block[c] * L::splat(self.inv[c]);
            for k in c + 1..W {
                block[k] = block[k].sub_mul(block[c], L::splat(self.l[c][k]));
            }
        }
    }
}

/// Solves Lᵀ x = y in place for the first `own` numbers of `x`, with the results of `Factor`. The
/// later numbers of `x`, up to `ld`, are known.
pub struct SolveT<'a> {
    /// Columns of the factor.
    pub mat: &'a [f64],
    /// Length of a column: a multiple of four.
    pub ld: usize,
    /// Columns that are factored.
    pub own: usize,
    /// Inverses of the diagonal blocks.
    pub squares: &'a [f64],
    /// The right-hand side, then the solution: `ld` numbers.
    pub x: &'a mut [f64],
}

#[inline(always)]
fn solve_t_kernel<L: Lane>(front: SolveT<'_>) {
    let SolveT { mat, ld, own, squares, x } = front;
    assert!(ld.is_multiple_of(LANES) && ld >= own && x.len() == ld);
    assert!(mat.len() >= ld * own && squares.len() >= 4 * padded(own));
    for (j, inverse) in (0..own).step_by(LANES).zip(squares.as_chunks::<16>().0).rev() {
        // the last panel may have fewer than four columns; a repeated column pads it
        let width = LANES.min(own - j);
        let column = |c: usize| (j + c.min(width - 1)) * ld;
        // SAFETY: columns are below `own`, rows below `ld`, a multiple of four.
        unsafe {
            let mut acc = [L::splat(0.0); 4];
            for i in (j + LANES..ld).step_by(LANES) {
                let x = L::load_at(x.as_ptr().add(i));
                for c in 0..4 {
                    acc[c] = acc[c].add_mul(L::load_at(mat.as_ptr().add(column(c) + i)), x);
                }
            }
            let mut rest = [0.0; 4];
            let sums = L::sums(acc);
            L::load_at(x.as_ptr().add(j)).sub_mul(sums, L::splat(1.0)).store(&mut rest);
            for c in 0..width {
                for k in width..4 {
                    rest[c] -= mat[column(c) + j + k] * x[j + k];
                }
            }
            let mut solved = L::splat(0.0);
            for k in 0..4 {
                let row = L::load_at(inverse.as_ptr().add(4 * k));
                solved = solved.add_mul(row, L::splat(rest[k]));
            }
            if width == 4 {
                solved.store_at(x.as_mut_ptr().add(j));
            } else {
                solved.store(&mut rest);
                x[j..j + width].copy_from_slice(&rest[..width]);
            }
        }
    }
}

/// Solves A x = -b, overwriting A with its factor: `Factor` and `SolveT` in one.
pub struct Whole<'a> {
    /// Columns of A, of which the lower triangle counts.
    pub mat: &'a mut [f64],
    /// Length of a column: a multiple of four, more than `n`.
    pub ld: usize,
    /// Number of columns.
    pub n: usize,
    /// Scratch: 16 numbers for each four columns.
    pub squares: &'a mut [f64],
    /// The right-hand side b.
    pub b: &'a [f64],
    /// The solution: `ld` numbers, zeros from `n` on.
    pub x: &'a mut [f64],
}

#[inline(always)]
fn solve_whole_kernel<L: Lane>(matrix: Whole<'_>) {
    let Whole { mat, ld, n, squares, b, x } = matrix;
    assert!(n < ld && mat.len() >= n * ld && b.len() >= n && x.len() == ld);
    for (c, b) in b[..n].iter().enumerate() {
        mat[c * ld + n] = *b;
    }
    factor_kernel::<L>(Factor { mat, ld, own: n, size: n, squares });
    for (c, x) in x.iter_mut().enumerate() {
        *x = if c < n { -mat[c * ld + n] } else { 0.0 };
    }
    solve_t_kernel::<L>(SolveT { mat, ld, own: n, squares, x });
}

#[cfg(test)]
mod tests {
    use sinew_testkit::Random;

    use super::*;
    use crate::simd::Portable;

    fn random(n: usize, seed: u64) -> Vec<f64> {
        Random::new(seed).vector(n)
    }

    #[track_caller]
    fn near(a: f64, b: f64) {
        assert!((a - b).abs() < 1e-12 * (1.0 + b.abs()), "{a} {b}");
    }

    /// Factoring some columns gives the factor of these columns and the Schur complement.
    #[test]
    fn a_factor_times_itself_is_the_matrix() {
        for size in 1..35 {
            for own in [1, size / 3, size / 2, size - 1, size] {
                let ld = padded(size + 1);
                let (mut mat, below) = (vec![0.0; ld * size], random(ld * size, size as u64));
                for c in 0..size {
                    for r in c..=size {
                        mat[c * ld + r] = 0.3 * below[c * ld + r];
                    }
                    mat[c * ld + c] += size as f64;
                }
                for portable in [true, false] {
                    let mut l = mat.clone();
                    let mut squares = vec![0.0; 4 * padded(own)];
                    let front = Factor { mat: &mut l, ld, own, size, squares: &mut squares };
                    if portable {
                        factor_kernel::<Portable>(front)
                    } else {
                        factor(front)
                    }
                    for c in 0..size {
                        for r in c..=size {
                            let done = (0..own.min(c + 1)).map(|k| l[k * ld + r] * l[k * ld + c]);
                            let rest = if c < own { 0.0 } else { l[c * ld + r] };
                            near(done.sum::<f64>() + rest, mat[c * ld + r]);
                        }
                    }
                    check_solve(&l, &squares, ld, own, portable);
                }
            }
        }
    }

    /// Lᵀ x = y for the factored columns, with the other numbers of x known.
    fn check_solve(l: &[f64], squares: &[f64], ld: usize, own: usize, portable: bool) {
        let y = random(ld, 99);
        let mut x = y.clone();
        let front = SolveT { mat: l, ld, own, squares, x: &mut x };
        if portable {
            solve_t_kernel::<Portable>(front)
        } else {
            solve_t(front)
        }
        assert_eq!(x[own..], y[own..]);
        for c in 0..own {
            near((c..ld).map(|r| l[c * ld + r] * x[r]).sum(), y[c]);
        }
    }

    #[test]
    fn a_whole_matrix_is_solved_in_one_go() {
        for n in 1..20 {
            let ld = padded(n + 1);
            let below = random(n * n, n as u64);
            let at = |i: usize, j: usize| {
                let product = (0..n).map(|k| below[k * n + i] * below[k * n + j]).sum::<f64>();
                product + if i == j { 1.0 } else { 0.0 }
            };
            let (b, mut mat) = (random(n, 99), vec![0.0; n * ld]);
            for j in 0..n {
                (j..n).for_each(|i| mat[j * ld + i] = at(i, j));
            }
            let (mut squares, mut x) = (vec![0.0; 4 * padded(n)], vec![9.0; ld]);
            solve_whole(Whole { mat: &mut mat, ld, n, squares: &mut squares, b: &b, x: &mut x });
            for (i, b) in b.iter().enumerate() {
                near((0..n).map(|j| at(i, j) * x[j]).sum(), -b);
            }
            assert!(x[n..].iter().all(|&x| x == 0.0));
        }
    }
}
