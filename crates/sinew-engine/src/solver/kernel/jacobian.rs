//! Products with the constraint Jacobian and with dense matrices.
// loads and stores without bounds checks, after the check at the top of each kernel
#![allow(unsafe_code)]

use sinew_math::simd::{LANES, Lane, dispatch, lanes, lanes_mut};
use sinew_math::vector;

dispatch! {
    /// out = J x, where `x` has a number more than J has columns; `scratch` has space for the
    /// longest pattern.
    pub(crate) fn mul_jacobian(jac: &Jacobian, x: &[f64], out: &mut [f64], scratch: &mut [f64])
        = mul_jacobian_kernel::<Fused>;

    /// out = Jᵀ f; `scratch` has space for the longest pattern.
    pub(crate) fn mul_jacobian_t(jac: &Jacobian, f: &[f64], out: &mut [f64], scratch: &mut [f64])
        = mul_jacobian_t_kernel::<Fused>;

    /// out = A x for a dense matrix of `x.len()` columns as long as `out`.
    pub(crate) fn mul_dense(mat: &[f64], x: &[f64], out: &mut [f64]) = mul_dense_kernel::<Fused>;

    /// out = Σ w rᵀ r over the active rows r of `vals`, which have `width` numbers, by columns.
    /// Entries above the diagonal are undefined.
    pub(crate) fn gram(vals: &[f64], active: &[WeightedRow], width: usize, out: &mut [f64])
        = gram_kernel::<Fused>;

    /// The same, added to the columns of `out`, or to the columns of another matrix of its size.
    pub(crate) fn add_gram(
        vals: &[f64],
        active: &[WeightedRow],
        width: usize,
        to: Option<&[f64]>,
        out: &mut [f64],
    ) = add_gram_kernel::<Fused>;
}

/// A row of a group and its weight.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WeightedRow {
    pub(crate) row: u32,
    pub(crate) weight: f64,
}

/// Rows of one pattern: `n` rows of `width` numbers, padded, over the same columns. In a Jacobian
/// of whole rows those are all columns, and none are listed.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct RowGroup {
    /// First of its columns; there are `width`, rising, the last one repeated.
    pub(crate) cols: usize,
    /// Columns without padding.
    pub(crate) k: usize,
    /// Columns with padding.
    pub(crate) width: usize,
    /// First of its numbers: rows, then two more for each cone.
    pub(crate) vals: usize,
    /// First of its rows.
    pub(crate) row: usize,
    /// Number of rows.
    pub(crate) n: usize,
    /// First of its cones.
    pub(crate) cone: usize,
    /// How many cones; if any, all rows belong to cones.
    pub(crate) cones: usize,
    /// The front that it adds to.
    pub(crate) front: usize,
}

/// A Jacobian as groups of rows, and rows with a single number.
#[derive(Clone, Debug, Default)]
pub(crate) struct Jacobian {
    /// Rows of one pattern.
    pub(crate) groups: Vec<RowGroup>,
    /// Columns of the groups.
    pub(crate) cols: Vec<u32>,
    /// Places of the columns in the group's front.
    pub(crate) at: Vec<u32>,
    /// Numbers of the groups.
    pub(crate) vals: Vec<f64>,
    /// Whether rows of groups have a number for every column.
    pub(crate) whole: bool,
    /// Rows with a single number.
    pub(crate) singles: Vec<Single>,
    /// Rows with few numbers and a pattern of their own, in conjugate gradient: edges of flexes.
    pub(crate) narrow: Vec<NarrowRow>,
}

impl Jacobian {
    /// Removes all rows, keeping capacity.
    pub(crate) fn clear(&mut self) {
        self.groups.clear();
        self.cols.clear();
        self.at.clear();
        self.vals.clear();
        self.singles.clear();
        self.narrow.clear();
    }

    /// Appends rows of `k` numbers, which follow each other, as rows of `width` numbers.
    pub(crate) fn put_rows(&mut self, rows: &[f64], k: usize, width: usize) {
        if k == width {
            self.vals.extend_from_slice(rows);
            return;
        }
        for row in rows.chunks_exact(k) {
            let end = self.vals.len() + width;
            self.vals.extend_from_slice(row);
            self.vals.resize(end, 0.0);
        }
    }
}

/// Columns of a run of a narrow row: a point has three dofs.
const RUN: usize = 3;

/// A row with a few numbers, in two runs of neighbouring columns: the runs of two points.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct NarrowRow {
    /// Numbers of each run; zeros where the row has none, and in the last place.
    pub(crate) vals: [[f64; LANES]; 2],
    /// First column of each run, of which there are `RUN`.
    pub(crate) cols: [u32; 2],
    /// Row.
    pub(crate) row: u32,
}

impl NarrowRow {
    /// A row of columns below `n`; `None` if its nonzeros are not in two runs.
    #[inline]
    pub(crate) fn new(
        row: usize,
        n: usize,
        numbers: impl Iterator<Item = (usize, f64)>,
    ) -> Option<NarrowRow> {
        let last = n.checked_sub(RUN)?;
        let mut made = NarrowRow { row: row as u32, ..NarrowRow::default() };
        let (mut runs, mut start) = (0, 0);
        for (col, val) in numbers {
            if val == 0.0 {
                continue;
            }
            let mut at = col.wrapping_sub(start);
            if runs == 0 || at >= RUN {
                start = col.min(last);
                at = col - start;
                *made.cols.get_mut(runs)? = start as u32;
                runs += 1;
            }
            made.vals[runs - 1][at] = val;
        }
        Some(made)
    }
}

/// A row with a single number.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Single {
    /// Row.
    pub(crate) row: u32,
    /// Column.
    pub(crate) col: u32,
    /// Number.
    pub(crate) val: f64,
    /// Where it adds to the fronts.
    pub(crate) at: usize,
}

#[inline(always)]
fn mul_jacobian_kernel<L: Lane>(jac: &Jacobian, x: &[f64], out: &mut [f64], scratch: &mut [f64]) {
    for s in &jac.singles {
        out[s.row as usize] = s.val * x[s.col as usize];
    }
    let (quads, rest) = jac.narrow.as_chunks::<4>();
    for quad in quads {
        // no `map`: its closure is not compiled for the same registers
        let (a, b) = (narrow_products::<L>(&quad[0], x), narrow_products::<L>(&quad[1], x));
        let (c, d) = (narrow_products::<L>(&quad[2], x), narrow_products::<L>(&quad[3], x));
        for (r, dot) in quad.iter().zip(L::sums([a, b, c, d]).to_array()) {
            out[r.row as usize] = dot;
        }
    }
    for r in rest {
        out[r.row as usize] = L::sums([narrow_products::<L>(r, x); 4]).to_array()[0];
    }
    for g in &jac.groups {
        let vals = &jac.vals[g.vals..g.vals + g.n * g.width];
        if jac.whole {
            dots::<L>(vals, &x[..g.width], &mut out[g.row..g.row + g.n]);
            continue;
        }
        let cols = &jac.cols[g.cols..g.cols + g.width];
        let fours = cols.as_chunks::<LANES>().0;
        if g.n == 1 {
            let mut acc = L::splat(0.0);
            for (cols, vals) in fours.iter().zip(lanes(vals)) {
                acc = acc.add_mul(L::load(vals), pick::<L>(x, cols));
            }
            out[g.row] = acc.sum();
            continue;
        }
        // whole registers are written: one that was written in parts is slow to read
        let own = &mut scratch[..g.width];
        for (own, cols) in lanes_mut(own).iter_mut().zip(fours) {
            pick::<L>(x, cols).store(own);
        }
        dots::<L>(vals, own, &mut out[g.row..g.row + g.n]);
    }
}

/// The numbers of `x` at four columns.
#[inline(always)]
fn pick<L: Lane>(x: &[f64], &[a, b, c, d]: &[u32; LANES]) -> L {
    L::new([x[a as usize], x[b as usize], x[c as usize], x[d as usize]])
}

/// Four sums of the products of a row with `x`.
#[inline(always)]
fn narrow_products<L: Lane>(r: &NarrowRow, x: &[f64]) -> L {
    let first = narrow_run::<L>(x, r.cols[0]);
    (L::load(&r.vals[0]) * first).add_mul(L::load(&r.vals[1]), narrow_run::<L>(x, r.cols[1]))
}

/// The numbers of `x` from `first` on.
#[inline(always)]
fn narrow_run<L: Lane>(x: &[f64], first: u32) -> L {
    match x.get(first as usize..).and_then(|x| x.first_chunk()) {
        Some(x) => L::load(x),
        None => L::splat(0.0),
    }
}

/// out[i] = row i of `vals` times `x`, for rows as long as `x`.
#[inline(always)]
fn dots<L: Lane>(vals: &[f64], x: &[f64], out: &mut [f64]) {
    match x.len() / LANES {
        1 => short_dots::<L, 1>(vals, x, out),
        2 => short_dots::<L, 2>(vals, x, out),
        3 => short_dots::<L, 3>(vals, x, out),
        _ => long_dots::<L>(vals, x, out),
    }
}

/// [`dots`] of rows of `W` registers.
#[inline(always)]
fn short_dots<L: Lane, const W: usize>(vals: &[f64], x: &[f64], out: &mut [f64]) {
    let width = W * LANES;
    assert!(x.len() == width && vals.len() == out.len() * width);
    let (quads, rest) = out.as_chunks_mut::<4>();
    let mut at = vals.as_ptr();
    // SAFETY: `at` goes over `vals` row by row, and every index is below `width`.
    unsafe {
        let x: [L; W] = core::array::from_fn(|c| L::load_at(x.as_ptr().add(c * LANES)));
        for quad in quads {
            let mut acc = [L::splat(0.0); 4];
            for (r, acc) in acc.iter_mut().enumerate() {
                *acc = products(at.add(r * width), &x);
            }
            L::sums(acc).store(quad);
            at = at.add(4 * width);
        }
        for out in rest {
            *out = products(at, &x).sum();
            at = at.add(width);
        }
    }
}

/// Four sums of the products of a row with `x`.
///
/// # Safety
/// The row has the length of `x`.
#[inline(always)]
unsafe fn products<L: Lane, const W: usize>(row: *const f64, x: &[L; W]) -> L {
    // SAFETY: the caller's promise.
    unsafe {
        let mut acc = L::load_at(row) * x[0];
        for (c, &x) in x.iter().enumerate().skip(1) {
            acc = acc.add_mul(L::load_at(row.add(c * LANES)), x);
        }
        acc
    }
}

/// [`dots`] of rows of any length.
#[inline(always)]
fn long_dots<L: Lane>(vals: &[f64], x: &[f64], out: &mut [f64]) {
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
                let x = L::load_at(x.as_ptr().add(c));
                for (r, acc) in acc.iter_mut().enumerate() {
                    *acc = acc.add_mul(L::load_at(at.add(r * width + c)), x);
                }
            }
            L::sums(acc).store(quad);
            at = at.add(4 * width);
        }
        for out in rest {
            let mut acc = L::splat(0.0);
            for c in (0..width).step_by(LANES) {
                acc = acc.add_mul(L::load_at(at.add(c)), L::load_at(x.as_ptr().add(c)));
            }
            *out = acc.sum();
            at = at.add(width);
        }
    }
}

#[inline(always)]
fn mul_jacobian_t_kernel<L: Lane>(jac: &Jacobian, f: &[f64], out: &mut [f64], scratch: &mut [f64]) {
    vector::zero(out);
    for s in &jac.singles {
        out[s.col as usize] += s.val * f[s.row as usize];
    }
    // only a run is written: a register that overlaps a recent write is slow to read
    for r in &jac.narrow {
        let f = f[r.row as usize];
        for (&first, vals) in r.cols.iter().zip(&r.vals) {
            let run = out.get_mut(first as usize..).and_then(|out| out.first_chunk_mut::<RUN>());
            if let Some([x, y, z]) = run {
                *x += vals[0] * f;
                *y += vals[1] * f;
                *z += vals[2] * f;
            }
        }
    }
    for g in &jac.groups {
        let f = &f[g.row..g.row + g.n];
        let vals = &jac.vals[g.vals..g.vals + g.n * g.width];
        if jac.whole {
            combine::<L, true>(vals, f, &mut out[..g.width]);
            continue;
        }
        if f.iter().all(|&f| f == 0.0) {
            continue;
        }
        let cols = &jac.cols[g.cols..g.cols + g.k];
        if let &[f] = f {
            for (&val, &c) in vals.iter().zip(cols) {
                out[c as usize] += val * f;
            }
            continue;
        }
        let own = &mut scratch[..g.width];
        combine::<L, false>(vals, f, own);
        for (own, &c) in own.iter().zip(cols) {
            out[c as usize] += own;
        }
    }
}

/// out = sum of the rows of `vals`, which have the length of `out`, weighted by `f`; with `ADD`
/// added to `out`.
#[inline(always)]
fn combine<L: Lane, const ADD: bool>(vals: &[f64], f: &[f64], out: &mut [f64]) {
    let width = out.len();
    assert!(width.is_multiple_of(LANES) && vals.len() == f.len() * width);
    // SAFETY: every index is below `width`, a multiple of the register's, in a row of `vals`.
    unsafe {
        let at = |c: usize| vals.as_ptr().add(c);
        let mut c = 0;
        while c + 4 * LANES <= width {
            columns::<L, 4, ADD>(at(c), width, f, out.as_mut_ptr().add(c));
            c += 4 * LANES;
        }
        let out = out.as_mut_ptr().add(c);
        match (width - c) / LANES {
            3 => columns::<L, 3, ADD>(at(c), width, f, out),
            2 => columns::<L, 2, ADD>(at(c), width, f, out),
            1 => columns::<L, 1, ADD>(at(c), width, f, out),
            _ => {}
        }
    }
}

#[inline(always)]
fn mul_dense_kernel<L: Lane>(mat: &[f64], x: &[f64], out: &mut [f64]) {
    let numbers = x.len() * out.len();
    combine::<L, false>(&mat[..numbers], x, out);
}

/// `N` registers of a sum of vectors weighted by `x`; with `ADD` added to the present contents.
///
/// # Safety
/// `mat` has `N` registers in each of `x.len()` vectors of distance `ld`, `out` has them too.
#[inline(always)]
unsafe fn columns<L: Lane, const N: usize, const ADD: bool>(
    mat: *const f64,
    ld: usize,
    x: &[f64],
    out: *mut f64,
) {
    // SAFETY: the caller's promise.
    unsafe {
        let mut acc = [L::splat(0.0); N];
        if ADD {
            for (r, acc) in acc.iter_mut().enumerate() {
                *acc = L::load_at(out.add(r * LANES));
            }
        }
        let mut at = mat;
        for &x in x {
            let x = L::splat(x);
            for (r, acc) in acc.iter_mut().enumerate() {
                *acc = acc.add_mul(L::load_at(at.add(r * LANES)), x);
            }
            at = at.wrapping_add(ld);
        }
        for (r, acc) in acc.into_iter().enumerate() {
            acc.store_at(out.add(r * LANES));
        }
    }
}

#[inline(always)]
fn gram_kernel<L: Lane>(vals: &[f64], active: &[WeightedRow], width: usize, out: &mut [f64]) {
    grams::<L, false>(vals, active, width, None, out);
}

#[inline(always)]
fn add_gram_kernel<L: Lane>(
    vals: &[f64],
    active: &[WeightedRow],
    width: usize,
    to: Option<&[f64]>,
    out: &mut [f64],
) {
    grams::<L, true>(vals, active, width, to, out);
}

/// Block by block: a whole square, or with `ADD` the columns of `out`.
#[inline(always)]
fn grams<L: Lane, const ADD: bool>(
    vals: &[f64],
    active: &[WeightedRow],
    width: usize,
    to: Option<&[f64]>,
    out: &mut [f64],
) {
    assert!(to.is_none_or(|to| to.len() == out.len()));
    let columns = if ADD { out.len() / width.max(1) } else { width };
    assert!(width.is_multiple_of(LANES) && columns.is_multiple_of(LANES));
    assert!(columns <= width && out.len() >= width * columns);
    let rows = vals.len() / width.max(1);
    assert!(active.iter().all(|a| (a.row as usize) < rows));
    // SAFETY: rows are in `vals`, indices below `width` and `columns`, multiples of the register's.
    unsafe {
        for b in (0..columns).step_by(LANES) {
            let mut a = b;
            while a + 2 * LANES <= width {
                gram_block::<L, 2, ADD>(GramBlock { vals, active, width, a, b, to }, out);
                a += 2 * LANES;
            }
            if a < width {
                gram_block::<L, 1, ADD>(GramBlock { vals, active, width, a, b, to }, out);
            }
        }
    }
}

/// A block of a sum of squares: registers of rows from `a`, and the four columns from `b`.
struct GramBlock<'a> {
    vals: &'a [f64],
    active: &'a [WeightedRow],
    width: usize,
    a: usize,
    b: usize,
    /// The vector to which the sum is added, if not the present contents.
    to: Option<&'a [f64]>,
}

/// `N` registers of rows from `a`, times the four columns from `b`; with `ADD` added to the present
/// contents.
///
/// # Safety
/// As in `grams`, `a + N LANES` is at most `width`, and `out` and `to` have the columns.
#[inline(always)]
unsafe fn gram_block<L: Lane, const N: usize, const ADD: bool>(
    block: GramBlock<'_>,
    out: &mut [f64],
) {
    let GramBlock { vals, active, width, a, b, to } = block;
    // SAFETY: the caller's promise.
    unsafe {
        let out = out.as_mut_ptr().add(b * width + a);
        let to = to.map_or(out.cast_const(), |to| to.as_ptr().add(b * width + a));
        let mut acc = [[L::splat(0.0); 4]; N];
        if ADD {
            for (i, acc) in acc.iter_mut().enumerate() {
                for (c, acc) in acc.iter_mut().enumerate() {
                    *acc = L::load_at(to.add(c * width + i * LANES));
                }
            }
        }
        for &WeightedRow { row, weight } in active {
            let row = vals.as_ptr().add(row as usize * width);
            let w = L::splat(weight);
            let left: [L; N] = core::array::from_fn(|i| L::load_at(row.add(a + i * LANES)) * w);
            for c in 0..4 {
                let right = L::splat(*row.add(b + c));
                for i in 0..N {
                    acc[i][c] = acc[i][c].add_mul(left[i], right);
                }
            }
        }
        for i in 0..N {
            for c in 0..4 {
                acc[i][c].store_at(out.add(c * width + i * LANES));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use sinew_math::simd::{Portable, padded};

    use super::*;
    use crate::solver::tests::{near, random};

    /// A Jacobian of two groups and a single, and the same as dense rows.
    fn jacobian(n: usize) -> (Jacobian, Vec<Vec<f64>>) {
        let mut jac = Jacobian::default();
        let mut dense = vec![vec![0.0; n]; 13];
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
            jac.groups.push(RowGroup {
                cols: start,
                k,
                width,
                vals,
                row,
                n: rows,
                ..RowGroup::default()
            });
            row += rows;
        }
        jac.singles.push(Single { row: row as u32, col: 3, val: 1.5, at: 0 });
        dense[row][3] = 1.5;
        row += 1;
        let numbers = [(1, 0.5), (2, -2.0), (8, 3.0), (10, 0.25)];
        jac.narrow.extend(NarrowRow::new(row, n, numbers.into_iter()));
        for (c, x) in numbers {
            dense[row][c] = x;
        }
        (jac, dense)
    }

    #[test]
    fn jacobian_products_are_those_of_dense_rows() {
        let (jac, dense) = jacobian(11);
        let (x, f) = (random(12, 50), random(13, 51));
        for portable in [true, false] {
            let (mut out, mut out_t, mut scratch) = (vec![0.0; 13], vec![0.0; 11], vec![0.0; 8]);
            if portable {
                mul_jacobian_kernel::<Portable>(&jac, &x, &mut out, &mut scratch);
                mul_jacobian_t_kernel::<Portable>(&jac, &f, &mut out_t, &mut scratch);
            } else {
                mul_jacobian(&jac, &x, &mut out, &mut scratch);
                mul_jacobian_t(&jac, &f, &mut out_t, &mut scratch);
            }
            for (out, row) in out.iter().zip(&dense) {
                near(*out, row.iter().zip(&x).map(|(a, b)| a * b).sum());
            }
            for (c, out) in out_t.iter().enumerate() {
                near(*out, dense.iter().zip(&f).map(|(row, f)| row[c] * f).sum());
            }
        }
    }

    #[test]
    fn products_of_whole_rows_are_those_of_dense_rows() {
        let (n, width, rows) = (9, 12, 7);
        let mut jac = Jacobian { whole: true, ..Jacobian::default() };
        for (row, start) in [(0, 0), (4, 3)] {
            let (vals, n) = (start * width, if start == 0 { 3 } else { rows - 3 });
            jac.groups.push(RowGroup { k: 9, width, vals, row, n, ..RowGroup::default() });
        }
        for r in 0..rows {
            jac.vals.extend(random(n, r as u64));
            jac.vals.resize((r + 1) * width, 0.0);
        }
        let (x, f) = (random(width, 50), random(rows + 1, 51));
        for portable in [true, false] {
            let (mut out, mut out_t) = (vec![0.0; rows + 1], vec![0.0; width]);
            if portable {
                mul_jacobian_kernel::<Portable>(&jac, &x, &mut out, &mut []);
                mul_jacobian_t_kernel::<Portable>(&jac, &f, &mut out_t, &mut []);
            } else {
                mul_jacobian(&jac, &x, &mut out, &mut []);
                mul_jacobian_t(&jac, &f, &mut out_t, &mut []);
            }
            let place = |r: usize| if r < 3 { r } else { r + 1 };
            let row = |r: usize| &jac.vals[r * width..][..width];
            for r in 0..rows {
                near(out[place(r)], row(r).iter().zip(&x).map(|(a, b)| a * b).sum());
            }
            for (c, out) in out_t.iter().enumerate() {
                near(*out, (0..rows).map(|r| row(r)[c] * f[place(r)]).sum());
            }
        }
    }

    #[test]
    fn narrow_rows_have_two_runs_of_columns() {
        let made = |n: usize, cols: &[usize]| {
            NarrowRow::new(0, n, cols.iter().map(|&c| (c, 1.0 + c as f64)))
                .map(|r| (r.cols, r.vals))
        };
        let edge = made(12, &[0, 1, 2, 9, 10, 11]);
        assert_eq!(edge, Some(([0, 9], [[1.0, 2.0, 3.0, 0.0], [10.0, 11.0, 12.0, 0.0]])));
        assert_eq!(made(12, &[3, 4, 5]), Some(([3, 0], [[4.0, 5.0, 6.0, 0.0], [0.0; 4]])));
        assert_eq!(
            made(12, &[0, 11]),
            Some(([0, 9], [[1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 12.0, 0.0]]))
        );
        assert_eq!(made(12, &[0, 4, 8]), None);
        assert_eq!(made(2, &[0, 1]), None);
        let zeros = [(0, 0.0), (3, 0.0), (5, 1.0), (9, 0.0), (10, 2.0)];
        assert_eq!(NarrowRow::new(0, 12, zeros.into_iter()).map(|r| r.cols), Some([5, 9]));
    }

    #[test]
    fn a_gram_matrix_is_a_sum_of_squares() {
        for (width, rows) in [(4, 1), (8, 5), (12, 7), (20, 3)] {
            let vals = random(width * rows, 7);
            let weighted = |row: u32| WeightedRow { row, weight: 0.5 + f64::from(row) };
            let active: Vec<WeightedRow> = (0..rows as u32).step_by(2).map(weighted).collect();
            for (portable, add) in [(true, false), (false, false), (true, true), (false, true)] {
                let (columns, old) = if add { (width.max(8) - 4, 0.25) } else { (width, f64::NAN) };
                let mut out = vec![old; width * columns];
                match (portable, add) {
                    (true, false) => gram_kernel::<Portable>(&vals, &active, width, &mut out),
                    (false, false) => gram(&vals, &active, width, &mut out),
                    (true, true) => {
                        add_gram_kernel::<Portable>(&vals, &active, width, None, &mut out)
                    }
                    (false, true) => {
                        let to = out.clone();
                        out.fill(f64::NAN);
                        add_gram(&vals, &active, width, Some(&to), &mut out);
                    }
                }
                let start = if add { old } else { 0.0 };
                for b in 0..columns {
                    for a in b..width {
                        let term = |active: &WeightedRow| {
                            let row = &vals[active.row as usize * width..];
                            active.weight * row[a] * row[b]
                        };
                        near(out[b * width + a], start + active.iter().map(term).sum::<f64>());
                    }
                }
            }
        }
    }
}
