//! Products with the constraint Jacobian and with dense matrices.
// loads and stores without bounds checks, after the check at the top of each kernel
#![allow(unsafe_code)]

use super::{Kernel, LANES, Lane};

/// Rows of one pattern: `n` rows of `width` numbers, padded, over the same columns.
#[derive(Clone, Copy, Debug, Default)]
pub(in super::super) struct Group {
    /// First of its columns; there are `width`, rising, the last one repeated.
    pub(in super::super) cols: usize,
    /// Columns without padding.
    pub(in super::super) k: usize,
    /// Columns with padding.
    pub(in super::super) width: usize,
    /// First of its numbers: rows, then two more for each cone.
    pub(in super::super) vals: usize,
    /// First of its rows.
    pub(in super::super) row: usize,
    /// How many rows.
    pub(in super::super) n: usize,
    /// First of its cones.
    pub(in super::super) cone: usize,
    /// How many cones; if any, all rows belong to cones.
    pub(in super::super) cones: usize,
    /// The front that it adds to.
    pub(in super::super) front: usize,
}

/// A Jacobian as groups of rows, and rows with a single number.
#[derive(Clone, Debug, Default)]
pub(in super::super) struct Jacobian {
    /// Rows of one pattern.
    pub(in super::super) groups: Vec<Group>,
    /// Columns of the groups.
    pub(in super::super) cols: Vec<u32>,
    /// Places of the columns in the group's front.
    pub(in super::super) at: Vec<u32>,
    /// Numbers of the groups.
    pub(in super::super) vals: Vec<f64>,
    /// Rows with a single number.
    pub(in super::super) singles: Vec<Single>,
}

/// A row with a single number.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Single {
    /// Row.
    pub(in super::super) row: u32,
    /// Column.
    pub(in super::super) col: u32,
    /// Number.
    pub(in super::super) val: f64,
    /// Where it adds to the fronts.
    pub(in super::super) at: usize,
}

/// out = J x
pub(in super::super) struct MulJacobian<'a> {
    pub(in super::super) jac: &'a Jacobian,
    pub(in super::super) x: &'a [f64],
    pub(in super::super) out: &'a mut [f64],
    /// Room for the longest pattern.
    pub(in super::super) room: &'a mut [f64],
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
pub(in super::super) struct MulJacobianT<'a> {
    pub(in super::super) jac: &'a Jacobian,
    pub(in super::super) f: &'a [f64],
    pub(in super::super) out: &'a mut [f64],
    /// Room for the longest pattern.
    pub(in super::super) room: &'a mut [f64],
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
pub(in super::super) struct MulDense<'a> {
    pub(in super::super) mat: &'a [f64],
    pub(in super::super) x: &'a [f64],
    pub(in super::super) out: &'a mut [f64],
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
pub(in super::super) struct Gram<'a> {
    /// Rows of `width` numbers.
    pub(in super::super) vals: &'a [f64],
    /// Which rows take part, and with what weight.
    pub(in super::super) active: &'a [(u32, f64)],
    pub(in super::super) width: usize,
    /// What is above the diagonal means nothing.
    pub(in super::super) out: &'a mut [f64],
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

#[cfg(test)]
mod tests {
    use super::super::padded;
    use super::super::tests::{LEVELS, near, random};
    use super::*;

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
}
