//! Kernels of the primal solvers: the loops in which their time goes.
//!
//! Matrices are stored by columns, with columns and vectors padded to whole registers. A kernel
//! checks the lengths of what it is given and then loads without further checks.
// loads and stores without bounds checks, after the check at the top of each kernel
#![allow(unsafe_code)]

use sinew_math::MINVAL;

#[cfg(target_arch = "x86_64")]
use super::lane::Avx2;
use super::lane::{Lane, Level};

/// Numbers in a register.
pub(super) const LANES: usize = 4;

/// `n` rounded up to whole registers.
pub(super) const fn padded(n: usize) -> usize {
    n.next_multiple_of(LANES)
}

/// A loop that is compiled for several kinds of processor.
pub(super) trait Kernel: Sized {
    /// What it returns.
    type Output;

    /// Runs it; implementations are `#[inline(always)]`.
    fn run<L: Lane>(self) -> Self::Output;

    /// Runs it with what the processor has.
    #[inline]
    fn dispatch(self, level: Level) -> Self::Output {
        match level {
            Level::Portable => self.run::<[f64; 4]>(),
            #[cfg(target_arch = "x86_64")]
            // SAFETY: the level says that the processor has AVX2 and FMA.
            Level::Avx2 => unsafe { run_avx2(self) },
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn run_avx2<K: Kernel>(kernel: K) -> K::Output {
    kernel.run::<Avx2>()
}

/// Rows of one pattern: `n` rows of `width` numbers, padded, over the same columns.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Group {
    /// First of its columns; there are `width`, rising, the last one repeated.
    pub(super) cols: usize,
    /// Columns without padding.
    pub(super) k: usize,
    /// Columns with padding.
    pub(super) width: usize,
    /// First of its numbers: rows, then two more for each cone.
    pub(super) vals: usize,
    /// First of its rows.
    pub(super) row: usize,
    /// How many rows.
    pub(super) n: usize,
    /// First of its cones.
    pub(super) cone: usize,
    /// How many cones; if any, all rows belong to cones.
    pub(super) cones: usize,
    /// The front that it adds to.
    pub(super) front: usize,
}

/// A Jacobian as groups of rows, and rows with a single number.
#[derive(Clone, Debug, Default)]
pub(super) struct Jacobian {
    /// Rows of one pattern.
    pub(super) groups: Vec<Group>,
    /// Columns of the groups.
    pub(super) cols: Vec<u32>,
    /// Places of the columns in the group's front.
    pub(super) at: Vec<u32>,
    /// Numbers of the groups.
    pub(super) vals: Vec<f64>,
    /// Rows with a single number.
    pub(super) singles: Vec<Single>,
}

/// A row with a single number.
#[derive(Clone, Copy, Debug)]
pub(super) struct Single {
    /// Row.
    pub(super) row: u32,
    /// Column.
    pub(super) col: u32,
    /// Number.
    pub(super) val: f64,
    /// Where it adds to the fronts.
    pub(super) at: usize,
}

/// out = J x
pub(super) struct MulJacobian<'a> {
    pub(super) jac: &'a Jacobian,
    pub(super) x: &'a [f64],
    pub(super) out: &'a mut [f64],
    /// Room for the longest pattern.
    pub(super) room: &'a mut [f64],
}

impl Kernel for MulJacobian<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lane>(self) {
        let MulJacobian { jac, x, out, room } = self;
        for s in &jac.singles {
            out[s.row as usize] = s.val * x[s.col as usize];
        }
        for g in &jac.groups {
            let cols = &jac.cols[g.cols..g.cols + g.width];
            let vals = &jac.vals[g.vals..g.vals + g.n * g.width];
            let room = &mut room[..g.width];
            for (r, &c) in room.iter_mut().zip(cols) {
                *r = x[c as usize];
            }
            dots::<L>(vals, room, &mut out[g.row..g.row + g.n]);
        }
    }
}

/// out[i] = row i of `vals` times `x`, for rows as long as `x`.
#[inline(always)]
fn dots<L: Lane>(vals: &[f64], x: &[f64], out: &mut [f64]) {
    let width = x.len();
    assert!(width.is_multiple_of(LANES) && vals.len() == out.len() * width);
    let (quads, rest) = out.as_chunks_mut::<4>();
    let mut at = vals.as_ptr();
    // SAFETY: `at` goes over `vals` row by row, and every index is below `width`, a multiple of the
    // register's.
    unsafe {
        for quad in quads {
            let mut acc = [L::splat(0.0); 4];
            for c in (0..width).step_by(LANES) {
                let x = L::load(x.as_ptr().add(c));
                for (r, acc) in acc.iter_mut().enumerate() {
                    *acc = acc.add_mul(L::load(at.add(r * width + c)), x);
                }
            }
            L::sums(acc).store(quad.as_mut_ptr());
            at = at.add(4 * width);
        }
        for out in rest {
            let mut acc = L::splat(0.0);
            for c in (0..width).step_by(LANES) {
                acc = acc.add_mul(L::load(at.add(c)), L::load(x.as_ptr().add(c)));
            }
            *out = acc.sum();
            at = at.add(width);
        }
    }
}

/// out = Jᵀ f
pub(super) struct MulJacobianT<'a> {
    pub(super) jac: &'a Jacobian,
    pub(super) f: &'a [f64],
    pub(super) out: &'a mut [f64],
    /// Room for the longest pattern.
    pub(super) room: &'a mut [f64],
}

impl Kernel for MulJacobianT<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lane>(self) {
        let MulJacobianT { jac, f, out, room } = self;
        out.fill(0.0);
        for s in &jac.singles {
            out[s.col as usize] += s.val * f[s.row as usize];
        }
        for g in &jac.groups {
            let f = &f[g.row..g.row + g.n];
            if f.iter().all(|&f| f == 0.0) {
                continue;
            }
            let cols = &jac.cols[g.cols..g.cols + g.k];
            let vals = &jac.vals[g.vals..g.vals + g.n * g.width];
            let room = &mut room[..g.width];
            combine::<L>(vals, f, room);
            for (r, &c) in room.iter().zip(cols) {
                out[c as usize] += r;
            }
        }
    }
}

/// out = sum of the rows of `vals`, as long as `out`, weighted by `f`.
#[inline(always)]
fn combine<L: Lane>(vals: &[f64], f: &[f64], out: &mut [f64]) {
    let width = out.len();
    assert!(width.is_multiple_of(LANES) && vals.len() == f.len() * width);
    // SAFETY: every index is below `width`, a multiple of the register's, in a row of `vals`.
    unsafe {
        for c in (0..width).step_by(LANES) {
            let mut at = vals.as_ptr().add(c);
            let mut acc = L::splat(0.0);
            for &f in f {
                acc = acc.add_mul(L::load(at), L::splat(f));
                at = at.wrapping_add(width);
            }
            acc.store(out.as_mut_ptr().add(c));
        }
    }
}

/// out = A x for a dense matrix of `x.len()` columns as long as `out`.
pub(super) struct MulDense<'a> {
    pub(super) mat: &'a [f64],
    pub(super) x: &'a [f64],
    pub(super) out: &'a mut [f64],
}

impl Kernel for MulDense<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lane>(self) {
        let MulDense { mat, x, out } = self;
        let ld = out.len();
        assert!(ld.is_multiple_of(LANES) && mat.len() >= x.len() * ld);
        // SAFETY: every index is below `ld`, a multiple of the register's, in a column of `mat`.
        unsafe {
            let mut i = 0;
            while i + 4 * LANES <= ld {
                columns::<L, 4>(mat.as_ptr().add(i), ld, x, out.as_mut_ptr().add(i));
                i += 4 * LANES;
            }
            while i < ld {
                columns::<L, 1>(mat.as_ptr().add(i), ld, x, out.as_mut_ptr().add(i));
                i += LANES;
            }
        }
    }
}

/// `N` registers of a product with a dense matrix.
///
/// # Safety
/// `mat` has `N` registers in each of `x.len()` columns of distance `ld`, `out` has them too.
#[inline(always)]
unsafe fn columns<L: Lane, const N: usize>(mat: *const f64, ld: usize, x: &[f64], out: *mut f64) {
    // SAFETY: the caller's promise.
    unsafe {
        let mut acc = [L::splat(0.0); N];
        let mut at = mat;
        for &x in x {
            let x = L::splat(x);
            for (r, acc) in acc.iter_mut().enumerate() {
                *acc = acc.add_mul(L::load(at.add(r * LANES)), x);
            }
            at = at.wrapping_add(ld);
        }
        for (r, acc) in acc.into_iter().enumerate() {
            acc.store(out.add(r * LANES));
        }
    }
}

/// Lower triangle of Σ w rᵀ r over some rows r, by columns of `width` numbers.
pub(super) struct Gram<'a> {
    /// Rows of `width` numbers.
    pub(super) vals: &'a [f64],
    /// Which rows take part, and with what weight.
    pub(super) active: &'a [(u32, f64)],
    pub(super) width: usize,
    /// What is above the diagonal means nothing.
    pub(super) out: &'a mut [f64],
}

impl Kernel for Gram<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lane>(self) {
        let Gram { vals, active, width, out } = self;
        assert!(width.is_multiple_of(LANES) && out.len() >= width * width);
        let rows = vals.len() / width.max(1);
        assert!(active.iter().all(|&(r, _)| (r as usize) < rows));
        // SAFETY: rows are in `vals`, indices below `width`, a multiple of the register's.
        unsafe {
            for b in (0..width).step_by(LANES) {
                let mut a = b;
                while a + 2 * LANES <= width {
                    gram_block::<L, 2>(vals, active, width, (a, b), out);
                    a += 2 * LANES;
                }
                if a < width {
                    gram_block::<L, 1>(vals, active, width, (a, b), out);
                }
            }
        }
    }
}

/// `N` registers of rows from `a`, times the four columns from `b`.
///
/// # Safety
/// As in `Gram`, and `a + N LANES` and `b + 4` are at most `width`.
#[inline(always)]
unsafe fn gram_block<L: Lane, const N: usize>(
    vals: &[f64],
    active: &[(u32, f64)],
    width: usize,
    (a, b): (usize, usize),
    out: &mut [f64],
) {
    // SAFETY: the caller's promise.
    unsafe {
        let mut acc = [[L::splat(0.0); 4]; N];
        for &(r, w) in active {
            let row = vals.as_ptr().add(r as usize * width);
            let w = L::splat(w);
            let left: [L; N] = core::array::from_fn(|i| L::load(row.add(a + i * LANES)).mul(w));
            for c in 0..4 {
                let right = L::splat(*row.add(b + c));
                for i in 0..N {
                    acc[i][c] = acc[i][c].add_mul(left[i], right);
                }
            }
        }
        for i in 0..N {
            for c in 0..4 {
                acc[i][c].store(out.as_mut_ptr().add((b + c) * width + a + i * LANES));
            }
        }
    }
}

/// In-place Cholesky factor of some columns of a dense matrix, by columns of `ld` numbers of which
/// the lower triangle counts; the other columns become what is left for them.
///
/// Rows below the square are treated alike: a row that holds bᵀ becomes (L⁻¹ b)ᵀ, which is half of
/// solving for b. Pivots are at least `MINVAL`, as in MuJoCo.
pub(super) struct Factor<'a> {
    pub(super) mat: &'a mut [f64],
    pub(super) ld: usize,
    /// Columns to factor.
    pub(super) own: usize,
    /// All columns.
    pub(super) size: usize,
    /// Inverses of the squares on the diagonal: 16 numbers for each four columns.
    pub(super) squares: &'a mut [f64],
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
pub(super) struct SolveT<'a> {
    pub(super) mat: &'a [f64],
    pub(super) ld: usize,
    /// Columns that are factored.
    pub(super) own: usize,
    pub(super) squares: &'a [f64],
    pub(super) x: &'a mut [f64],
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
pub(super) struct Pass<'a> {
    /// The columns after the eliminated ones.
    pub(super) from: &'a [f64],
    pub(super) from_ld: usize,
    /// Rows before those that are passed on.
    pub(super) skip: usize,
    pub(super) to: &'a mut [f64],
    pub(super) to_ld: usize,
    /// Place in the parent of each dof, rising, and at the end that of the right-hand side.
    pub(super) places: &'a [u32],
    /// The place of the right-hand side.
    pub(super) side: usize,
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

/// Forces of one-sided rows, their weights and a bit for each that pushes; returns their cost, how
/// many push, and how many have changed.
pub(super) struct OneSidedForces<'a> {
    pub(super) d: &'a [f64],
    pub(super) jar: &'a [f64],
    pub(super) force: &'a mut [f64],
    pub(super) weight: &'a mut [f64],
    pub(super) pushes: &'a mut [u8],
}

impl Kernel for OneSidedForces<'_> {
    type Output = (f64, usize, usize);

    #[inline(always)]
    fn run<L: Lane>(self) -> (f64, usize, usize) {
        let OneSidedForces { d, jar, force, weight, pushes } = self;
        let n = pushes.len() * LANES;
        assert!(d.len() == n && jar.len() == n && force.len() == n && weight.len() == n);
        let (mut cost, mut active, mut changed) = (L::splat(0.0), 0, 0);
        for (at, old) in (0..n).step_by(LANES).zip(pushes) {
            // SAFETY: there is a register from `at` in every slice.
            unsafe {
                let jar = L::load(jar.as_ptr().add(at));
                let w = L::load(d.as_ptr().add(at)).where_negative(jar);
                let f = L::splat(0.0).sub_mul(w, jar);
                w.store(weight.as_mut_ptr().add(at));
                f.store(force.as_mut_ptr().add(at));
                cost = cost.sub_mul(f, jar);
                let new = jar.negative();
                active += new.count_ones() as usize;
                changed += (new ^ *old).count_ones() as usize;
                *old = new;
            }
        }
        (0.5 * cost.sum(), active, changed)
    }
}

/// Sum of the quadratics of those one-sided rows that push at a step of `alpha`.
pub(super) struct OneSidedQuads<'a> {
    pub(super) jar: &'a [f64],
    pub(super) jv: &'a [f64],
    pub(super) quad: [&'a [f64]; 3],
    pub(super) alpha: f64,
}

impl Kernel for OneSidedQuads<'_> {
    type Output = [f64; 3];

    #[inline(always)]
    fn run<L: Lane>(self) -> [f64; 3] {
        let OneSidedQuads { jar, jv, quad, alpha } = self;
        let n = jar.len();
        assert!(n.is_multiple_of(LANES) && jv.len() == n && quad.iter().all(|q| q.len() == n));
        let mut total = [L::splat(0.0); 3];
        let alpha = L::splat(alpha);
        for at in (0..n).step_by(LANES) {
            // SAFETY: there is a register from `at` in every slice.
            unsafe {
                let x = L::load(jar.as_ptr().add(at)).add_mul(alpha, L::load(jv.as_ptr().add(at)));
                for (total, quad) in total.iter_mut().zip(quad) {
                    *total = total.add(L::load(quad.as_ptr().add(at)).where_negative(x));
                }
            }
        }
        total.map(L::sum)
    }
}

/// The quadratics ½ d (jar + alpha jv)² of rows: coefficients of 1, alpha and alpha².
pub(super) struct Quads<'a> {
    pub(super) d: &'a [f64],
    pub(super) jar: &'a [f64],
    pub(super) jv: &'a [f64],
    pub(super) quad: [&'a mut [f64]; 3],
}

impl Kernel for Quads<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lane>(self) {
        let Quads { d, jar, jv, quad: [q0, q1, q2] } = self;
        let n = jar.len();
        assert!(n.is_multiple_of(LANES) && jv.len() == n && d.len() == n);
        assert!(q0.len() == n && q1.len() == n && q2.len() == n);
        let half = L::splat(0.5);
        for at in (0..n).step_by(LANES) {
            // SAFETY: there is a register from `at` in every slice.
            unsafe {
                let d = L::load(d.as_ptr().add(at));
                let (jar, jv) = (L::load(jar.as_ptr().add(at)), L::load(jv.as_ptr().add(at)));
                let dj = d.mul(jar);
                jar.mul(dj).mul(half).store(q0.as_mut_ptr().add(at));
                jv.mul(dj).store(q1.as_mut_ptr().add(at));
                jv.mul(d).mul(jv).mul(half).store(q2.as_mut_ptr().add(at));
            }
        }
    }
}

/// Elliptic contacts along a line of search, padded with contacts that are satisfied.
#[derive(Clone, Debug, Default)]
pub(super) struct ConeLines {
    /// The normal, scaled, is u0 + alpha v0.
    pub(super) u0: Vec<f64>,
    pub(super) v0: Vec<f64>,
    /// The square of the tangent, scaled, is uu + 2 alpha uv + alpha² vv.
    pub(super) uu: Vec<f64>,
    pub(super) uv: Vec<f64>,
    pub(super) vv: Vec<f64>,
    pub(super) mu: Vec<f64>,
    /// D of the normal / (µ² (1 + µ²)).
    pub(super) dm: Vec<f64>,
    /// Coefficients of 1, alpha and alpha² where all rows are quadratic.
    pub(super) quad: [Vec<f64>; 3],
}

/// Contacts at a step of `alpha`: the sum of the quadratics of those that are quadratic; cost,
/// slope and curvature of those that slide.
pub(super) struct ConesAlong<'a> {
    pub(super) lines: &'a ConeLines,
    pub(super) alpha: f64,
}

impl Kernel for ConesAlong<'_> {
    type Output = [[f64; 3]; 2];

    #[inline(always)]
    fn run<L: Lane>(self) -> [[f64; 3]; 2] {
        let ConeLines { u0, v0, uu, uv, vv, mu, dm, quad } = self.lines;
        let n = u0.len();
        let all = [v0, uu, uv, vv, mu, dm, &quad[0], &quad[1], &quad[2]];
        assert!(n.is_multiple_of(LANES) && all.iter().all(|list| list.len() == n));
        let (zero, half) = (L::splat(0.0), L::splat(0.5));
        let alpha = L::splat(self.alpha);
        let mut quadratic = [zero; 3];
        let mut sliding = [zero; 3];
        for at in (0..n).step_by(LANES) {
            // SAFETY: there is a register from `at` in every list.
            let load = |list: &Vec<f64>| unsafe { L::load(list.as_ptr().add(at)) };
            let (v0, uv, vv, mu, dm) = (load(v0), load(uv), load(vv), load(mu), load(dm));
            let normal = load(u0).add_mul(alpha, v0);
            let rate = uv.add_mul(alpha, vv);
            let square = load(uu).add_mul(alpha, uv.add(rate));

            // without a tangent, the sign of the normal decides; a mask of at_least(zero, x) has
            // no ones where x is positive
            let bare = zero.at_least(square);
            let tangent = square.except(bare).sqrt();
            let satisfied = normal.at_least(mu.mul(tangent));
            let inside = zero.at_least(tangent.add_mul(mu, normal)).except(satisfied);
            for (sum, quad) in quadratic.iter_mut().zip(quad) {
                *sum = sum.add(load(quad).only(inside));
            }

            // ½ dm (N - µT)² and its derivatives
            let over = L::splat(1.0).div(tangent);
            let t1 = rate.mul(over);
            let t2 = vv.sub_mul(t1, t1).mul(over);
            let gap = normal.sub_mul(mu, tangent);
            let drift = v0.sub_mul(mu, t1);
            let scaled = dm.mul(gap);
            let bend = dm.mul(drift).mul(drift).sub_mul(scaled.mul(mu), t2);
            let terms = [scaled.mul(gap).mul(half), scaled.mul(drift), bend];
            for (sum, term) in sliding.iter_mut().zip(terms) {
                *sum = sum.add(term.except(satisfied).except(inside));
            }
        }
        [quadratic.map(L::sum), sliding.map(L::sum)]
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::Random;
    use super::*;

    const LEVELS: [fn() -> Level; 2] = [|| Level::Portable, Level::default];

    fn random(n: usize, seed: u64) -> Vec<f64> {
        let mut random = Random(seed);
        (0..n).map(|_| random.next()).collect()
    }

    #[track_caller]
    fn near(a: f64, b: f64) {
        assert!((a - b).abs() < 1e-12 * (1.0 + b.abs()), "{a} {b}");
    }

    /// A Jacobian of two groups and a single, and the same as dense rows.
    fn jacobian(n: usize) -> (Jacobian, Vec<Vec<f64>>) {
        let mut jac = Jacobian::default();
        let mut dense = vec![vec![0.0; n]; 12];
        let patterns: [&[u32]; 2] = [&[0, 1, 4, 5, 7, 8], &[2, 3, 6, 9, 10]];
        let mut row = 0;
        for (seed, (cols, rows)) in patterns.into_iter().zip([5, 6]).enumerate() {
            let (k, width) = (cols.len(), padded(cols.len()));
            let (start, vals) = (jac.cols.len(), jac.vals.len());
            jac.cols.extend_from_slice(cols);
            jac.cols.resize(start + width, cols[k - 1]);
            for r in 0..rows {
                let numbers = random(k, (seed * 10 + r) as u64);
                for (&c, &x) in cols.iter().zip(&numbers) {
                    dense[row + r][c as usize] = x;
                }
                jac.vals.extend(numbers);
                jac.vals.resize(vals + (r + 1) * width, 0.0);
            }
            jac.groups.push(Group {
                cols: start,
                k,
                width,
                vals,
                row,
                n: rows,
                ..Group::default()
            });
            row += rows;
        }
        jac.singles.push(Single { row: row as u32, col: 3, val: 1.5, at: 0 });
        dense[row][3] = 1.5;
        (jac, dense)
    }

    #[test]
    fn jacobian_products_are_those_of_dense_rows() {
        let (jac, dense) = jacobian(11);
        let (x, f) = (random(11, 50), random(12, 51));
        for level in LEVELS {
            let (mut out, mut out_t, mut room) = (vec![0.0; 12], vec![0.0; 11], vec![0.0; 8]);
            MulJacobian { jac: &jac, x: &x, out: &mut out, room: &mut room }.dispatch(level());
            MulJacobianT { jac: &jac, f: &f, out: &mut out_t, room: &mut room }.dispatch(level());
            for (out, row) in out.iter().zip(&dense) {
                near(*out, row.iter().zip(&x).map(|(a, b)| a * b).sum());
            }
            for (c, out) in out_t.iter().enumerate() {
                near(*out, dense.iter().zip(&f).map(|(row, f)| row[c] * f).sum());
            }
        }
    }

    #[test]
    fn a_gram_matrix_is_a_sum_of_squares() {
        for (width, rows) in [(4, 1), (8, 5), (12, 7), (20, 3)] {
            let vals = random(width * rows, 7);
            let active: Vec<(u32, f64)> =
                (0..rows as u32).step_by(2).map(|r| (r, 0.5 + f64::from(r))).collect();
            for level in LEVELS {
                let mut out = vec![f64::NAN; width * width];
                Gram { vals: &vals, active: &active, width, out: &mut out }.dispatch(level());
                for b in 0..width {
                    for a in b..width {
                        let term = |&(r, w): &(u32, f64)| {
                            let row = &vals[r as usize * width..];
                            w * row[a] * row[b]
                        };
                        near(out[b * width + a], active.iter().map(term).sum());
                    }
                }
            }
        }
    }

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

    #[test]
    fn one_sided_rows_push_where_they_are_violated() {
        let (d, jar) = (vec![2.0; 8], vec![-1.0, 0.5, -0.5, 0.0, 3.0, -2.0, 0.1, 0.2]);
        for level in LEVELS {
            let (mut force, mut weight, mut pushes) = (vec![9.0; 8], vec![9.0; 8], vec![0, 0xf]);
            let (cost, active, changed) = OneSidedForces {
                d: &d,
                jar: &jar,
                force: &mut force,
                weight: &mut weight,
                pushes: &mut pushes,
            }
            .dispatch(level());
            near(cost, 1.0 + 0.25 + 4.0);
            assert_eq!((active, changed), (3, 2 + 3));
            assert_eq!(force, [2.0, 0.0, 1.0, 0.0, 0.0, 4.0, 0.0, 0.0]);
            assert_eq!(weight, [2.0, 0.0, 2.0, 0.0, 0.0, 2.0, 0.0, 0.0]);
        }
    }

    /// Cost, slope and curvature of contacts along a line, against differences.
    #[test]
    fn contacts_along_a_line_have_consistent_derivatives() {
        let list = |seed| random(4, seed);
        let (us, vs, u0, v0) = (list(1), list(2), list(3), list(4));
        let lines = ConeLines {
            uu: us.iter().map(|u| u * u).collect(),
            uv: us.iter().zip(&vs).map(|(u, v)| u * v).collect(),
            vv: vs.iter().map(|v| v * v + 0.1).collect(),
            u0,
            v0,
            mu: vec![0.8; 4],
            dm: vec![2.0; 4],
            quad: [vec![0.0; 4], vec![0.0; 4], vec![0.0; 4]],
        };
        for level in LEVELS {
            let at = |alpha| ConesAlong { lines: &lines, alpha }.dispatch(level())[1];
            let mut sliding = 0;
            for k in 0..20 {
                let (alpha, eps) = (0.1 * f64::from(k), 1e-6);
                let ([_, slope, bend], [up, su, _], [down, sd, _]) =
                    (at(alpha), at(alpha + eps), at(alpha - eps));
                if slope == 0.0 {
                    continue;
                }
                sliding += 1;
                // quadratic zones cost nothing here, so a contact that enters one is a jump
                if ((up - down) / (2.0 * eps) - slope).abs() < 1e-3 {
                    assert!(((up - down) / (2.0 * eps) - slope).abs() < 1e-6);
                    assert!(((su - sd) / (2.0 * eps) - bend).abs() < 1e-6);
                }
            }
            assert!(sliding > 5);
        }
    }
}
