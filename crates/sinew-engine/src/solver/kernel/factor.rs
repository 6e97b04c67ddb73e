//! Cholesky factors of dense fronts, and solutions with them.
// loads and stores without bounds checks, after the check at the top of each kernel
#![allow(unsafe_code)]

use sinew_math::MINVAL;

use super::{Kernel, LANES, Lane, padded};

/// In-place Cholesky factor of some columns of a dense matrix, by columns of `ld` numbers of which
/// the lower triangle counts; the other columns become what is left for them.
///
/// Rows below the square are treated alike: a row that holds bᵀ becomes (L⁻¹ b)ᵀ, which is half of
/// solving for b. Pivots are at least `MINVAL`, as in MuJoCo.
pub(in super::super) struct Factor<'a> {
    pub(in super::super) mat: &'a mut [f64],
    pub(in super::super) ld: usize,
    /// Columns to factor.
    pub(in super::super) own: usize,
    /// All columns.
    pub(in super::super) size: usize,
    /// Inverses of the squares on the diagonal: 16 numbers for each four columns.
    pub(in super::super) squares: &'a mut [f64],
}

impl Kernel for Factor<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lane>(self) {
        let Factor { mat, ld, own, size, squares } = self;
        assert!(ld.is_multiple_of(LANES) && own <= size && size <= ld);
        assert!(mat.len() >= ld * size && squares.len() >= 4 * padded(own));
        let (mat, squares) = (mat.as_mut_ptr(), squares.as_mut_ptr());
        // SAFETY: columns are below `size`, rows below `ld`, a multiple of four.
        unsafe {
            let whole = own - own % LANES;
            factor_whole::<L>(mat, ld, whole, squares);
            let squares = squares.add(4 * whole);
            match own % LANES {
                1 => factor_panel::<L, 1>(mat, ld, whole, squares),
                2 => factor_panel::<L, 2>(mat, ld, whole, squares),
                3 => factor_panel::<L, 3>(mat, ld, whole, squares),
                _ => {}
            }
            for j in (own..size).step_by(LANES) {
                match size - j {
                    1 => update_panel::<L, 1>(mat, ld, j, own),
                    2 => update_panel::<L, 2>(mat, ld, j, own),
                    3 => update_panel::<L, 3>(mat, ld, j, own),
                    _ => update_panel::<L, 4>(mat, ld, j, own),
                }
            }
        }
    }
}

/// Factors `own` columns, a multiple of four. Each square on the diagonal is a long chain of
/// operations: it is begun before the rows of the last one are finished, which hides it.
///
/// # Safety
/// As in `Factor`.
#[inline(always)]
unsafe fn factor_whole<L: Lane>(mat: *mut f64, ld: usize, own: usize, squares: *mut f64) {
    if own == 0 {
        return;
    }
    // SAFETY: the caller's promise.
    unsafe {
        let mut pivot = Pivot::<4>::at::<L>(mat, ld, 0);
        for j in (0..own).step_by(LANES) {
            pivot.store::<L>(mat, ld, j, squares.add(4 * j));
            let mut i = j + LANES;
            let mut next = None;
            if i < own {
                divide_rows::<L, 1, 4>(mat, ld, (i, j), &pivot);
                next = Some(Pivot::at::<L>(mat, ld, i));
                i += LANES;
            }
            divide_below::<L, 4>(mat, ld, (i, j), &pivot);
            if let Some(next) = next {
                pivot = next;
            }
        }
    }
}

/// Factors the last `W` columns, from `j`, a multiple of four, when those before are done.
///
/// # Safety
/// As in `Factor`.
#[inline(always)]
unsafe fn factor_panel<L: Lane, const W: usize>(
    mat: *mut f64,
    ld: usize,
    j: usize,
    squares: *mut f64,
) {
    // SAFETY: the caller's promise.
    unsafe {
        let pivot = Pivot::<W>::at::<L>(mat, ld, j);
        pivot.store::<L>(mat, ld, j, squares);
        divide_below::<L, W>(mat, ld, (j + LANES, j), &pivot);
    }
}

/// The rows from `i` on of the `W` columns from `j`.
///
/// # Safety
/// As in `Factor`.
#[inline(always)]
unsafe fn divide_below<L: Lane, const W: usize>(
    mat: *mut f64,
    ld: usize,
    (mut i, j): (usize, usize),
    pivot: &Pivot<W>,
) {
    // SAFETY: the caller's promise.
    unsafe {
        while i + 2 * LANES <= ld {
            divide_rows::<L, 2, W>(mat, ld, (i, j), pivot);
            i += 2 * LANES;
        }
        if i < ld {
            divide_rows::<L, 1, W>(mat, ld, (i, j), pivot);
        }
    }
}

/// `N` registers of rows from `i` of the `W` columns from `j`.
///
/// # Safety
/// As in `Factor`.
#[inline(always)]
unsafe fn divide_rows<L: Lane, const N: usize, const W: usize>(
    mat: *mut f64,
    ld: usize,
    (i, j): (usize, usize),
    pivot: &Pivot<W>,
) {
    // SAFETY: the caller's promise.
    unsafe {
        let blocks = reduce::<L, N, W>(mat, ld, (i, j), j);
        for (k, mut block) in blocks.into_iter().enumerate() {
            pivot.divide(&mut block);
            store_panel(mat, ld, (i + k * LANES, j), &block);
        }
    }
}

/// Takes away from the `W` columns from `j` what `own` factored columns do.
///
/// # Safety
/// As in `Factor`.
#[inline(always)]
unsafe fn update_panel<L: Lane, const W: usize>(mat: *mut f64, ld: usize, j: usize, own: usize) {
    // SAFETY: the caller's promise.
    unsafe {
        let mut i = j - j % LANES;
        while i + 2 * LANES <= ld {
            let blocks = reduce::<L, 2, W>(mat, ld, (i, j), own);
            for (k, block) in blocks.into_iter().enumerate() {
                store_panel(mat, ld, (i + k * LANES, j), &block);
            }
            i += 2 * LANES;
        }
        if i < ld {
            let [block] = reduce::<L, 1, W>(mat, ld, (i, j), own);
            store_panel(mat, ld, (i, j), &block);
        }
    }
}

/// `W` columns from `j` of `N` registers of rows from `i`, less what the first `done` columns take
/// away.
///
/// # Safety
/// As in `Factor`.
#[inline(always)]
unsafe fn reduce<L: Lane, const N: usize, const W: usize>(
    mat: *const f64,
    ld: usize,
    (i, j): (usize, usize),
    done: usize,
) -> [[L; W]; N] {
    // SAFETY: the caller's promise.
    unsafe {
        let mut acc: [[L; W]; N] = core::array::from_fn(|k| {
            core::array::from_fn(|c| L::load(mat.add((j + c) * ld + i + k * LANES)))
        });
        let mut at = mat;
        for _ in 0..done {
            let left: [L; N] = core::array::from_fn(|k| L::load(at.add(i + k * LANES)));
            for c in 0..W {
                let right = L::splat(*at.add(j + c));
                for k in 0..N {
                    acc[k][c] = acc[k][c].sub_mul(left[k], right);
                }
            }
            at = at.add(ld);
        }
        acc
    }
}

/// # Safety
/// As in `Factor`.
#[inline(always)]
unsafe fn store_panel<L: Lane, const W: usize>(
    mat: *mut f64,
    ld: usize,
    (i, j): (usize, usize),
    block: &[L; W],
) {
    // SAFETY: the caller's promise.
    unsafe {
        for (c, column) in block.iter().enumerate() {
            column.store(mat.add((j + c) * ld + i));
        }
    }
}

/// The first `W` columns of the Cholesky factor of a square of four, and one over their diagonal.
struct Pivot<const W: usize> {
    l: [[f64; 4]; W],
    inv: [f64; W],
}

impl<const W: usize> Pivot<W> {
    /// From the square at column `j`, when the columns before are done.
    ///
    /// # Safety
    /// As in `Factor`.
    #[inline(always)]
    unsafe fn at<L: Lane>(mat: *mut f64, ld: usize, j: usize) -> Self {
        // SAFETY: the caller's promise; the array has four numbers.
        unsafe {
            let [square] = reduce::<L, 1, W>(mat, ld, (j, j), j);
            Pivot::new::<L>(square.map(|column| {
                let mut x = [0.0; 4];
                column.store(x.as_mut_ptr());
                x
            }))
        }
    }

    #[inline(always)]
    fn new<L: Lane>(mut l: [[f64; 4]; W]) -> Self {
        let mut inv = [0.0; W];
        for c in 0..W {
            // the next columns wait for the division only, not for the root
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

    /// Writes the square, and its inverse by rows.
    ///
    /// # Safety
    /// As in `Factor`; `inverse` has 16 numbers.
    #[inline(always)]
    unsafe fn store<L: Lane>(&self, mat: *mut f64, ld: usize, j: usize, inverse: *mut f64) {
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
        // SAFETY: the caller's promise; the arrays have four numbers.
        unsafe {
            for c in 0..W {
                L::load(self.l[c].as_ptr()).store(mat.add((j + c) * ld + j));
            }
            for (c, row) in rows.iter().enumerate() {
                L::load(row.as_ptr()).store(inverse.add(4 * c));
            }
        }
    }

    /// Four rows below the square: B ← B L⁻ᵀ.
    #[inline(always)]
    fn divide<L: Lane>(&self, block: &mut [L; W]) {
        for c in 0..W {
            block[c] = block[c].mul(L::splat(self.inv[c]));
            for k in c + 1..W {
                block[k] = block[k].sub_mul(block[c], L::splat(self.l[c][k]));
            }
        }
    }
}

/// Solves Lᵀ x = y in place for the first `own` numbers of `x`, with the results of `Factor`. The
/// numbers of `x` after those, up to `ld`, are known.
pub(in super::super) struct SolveT<'a> {
    pub(in super::super) mat: &'a [f64],
    pub(in super::super) ld: usize,
    /// Columns that are factored.
    pub(in super::super) own: usize,
    pub(in super::super) squares: &'a [f64],
    pub(in super::super) x: &'a mut [f64],
}

impl Kernel for SolveT<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lane>(self) {
        let SolveT { mat, ld, own, squares, x } = self;
        assert!(ld.is_multiple_of(LANES) && ld >= own && x.len() == ld);
        assert!(mat.len() >= ld * own && squares.len() >= 4 * padded(own));
        for (j, inverse) in (0..own).step_by(LANES).zip(squares.as_chunks::<16>().0).rev() {
            // the last columns may be fewer than four: one of them stands in
            let width = LANES.min(own - j);
            let column = |c: usize| (j + c.min(width - 1)) * ld;
            // SAFETY: columns are below `own`, rows below `ld`, a multiple of four.
            unsafe {
                let mut acc = [L::splat(0.0); 4];
                for i in (j + LANES..ld).step_by(LANES) {
                    let x = L::load(x.as_ptr().add(i));
                    for c in 0..4 {
                        acc[c] = acc[c].add_mul(L::load(mat.as_ptr().add(column(c) + i)), x);
                    }
                }
                let mut rest = [0.0; 4];
                let sums = L::sums(acc);
                L::load(x.as_ptr().add(j)).sub_mul(sums, L::splat(1.0)).store(rest.as_mut_ptr());
                for c in 0..width {
                    for k in width..4 {
                        rest[c] -= mat[column(c) + j + k] * x[j + k];
                    }
                }
                let mut solved = L::splat(0.0);
                for k in 0..4 {
                    let row = L::load(inverse.as_ptr().add(4 * k));
                    solved = solved.add_mul(row, L::splat(rest[k]));
                }
                if width == 4 {
                    solved.store(x.as_mut_ptr().add(j));
                } else {
                    solved.store(rest.as_mut_ptr());
                    x[j..j + width].copy_from_slice(&rest[..width]);
                }
            }
        }
    }
}

/// Adds what is left in a front to that of its parent.
pub(in super::super) struct Pass<'a> {
    /// The columns after the eliminated ones.
    pub(in super::super) from: &'a [f64],
    pub(in super::super) from_ld: usize,
    /// Rows before those that are passed on.
    pub(in super::super) skip: usize,
    pub(in super::super) to: &'a mut [f64],
    pub(in super::super) to_ld: usize,
    /// Place in the parent of each dof, rising, and at the end that of the right-hand side.
    pub(in super::super) places: &'a [u32],
    /// The place of the right-hand side.
    pub(in super::super) side: usize,
}

impl Kernel for Pass<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lane>(self) {
        let Pass { from, from_ld, skip, to, to_ld, places, side } = self;
        for (b, column) in from.chunks_exact(from_ld).take(places.len()).enumerate() {
            let column = &column[skip..=skip + places.len()];
            let target = &mut to[places[b] as usize * to_ld..][..to_ld];
            let mut a = b;
            while a < places.len() {
                // as far as places follow each other
                let place = places[a] as usize;
                let mut end = a + 1;
                while end < places.len() && places[end] as usize == place + end - a {
                    end += 1;
                }
                for (t, x) in target[place..place + end - a].iter_mut().zip(&column[a..end]) {
                    *t += x;
                }
                a = end;
            }
            target[side] += column[places.len()];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Level;
    use super::super::tests::{LEVELS, near, random};
    use super::*;

    /// Factoring some columns leaves the product of the factor with itself, and the rest of it.
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
                for level in LEVELS {
                    let mut l = mat.clone();
                    let mut squares = vec![0.0; 4 * padded(own)];
                    Factor { mat: &mut l, ld, own, size, squares: &mut squares }.dispatch(level());
                    for c in 0..size {
                        for r in c..=size {
                            let done = (0..own.min(c + 1)).map(|k| l[k * ld + r] * l[k * ld + c]);
                            let rest = if c < own { 0.0 } else { l[c * ld + r] };
                            near(done.sum::<f64>() + rest, mat[c * ld + r]);
                        }
                    }
                    check_solve(&l, &squares, ld, own, level());
                }
            }
        }
    }

    /// Lᵀ x = y for the factored columns, the other numbers of x being known.
    fn check_solve(l: &[f64], squares: &[f64], ld: usize, own: usize, level: Level) {
        let y = random(ld, 99);
        let mut x = y.clone();
        SolveT { mat: l, ld, own, squares, x: &mut x }.dispatch(level);
        assert_eq!(x[own..], y[own..]);
        for c in 0..own {
            near((c..ld).map(|r| l[c * ld + r] * x[r]).sum(), y[c]);
        }
    }
}
