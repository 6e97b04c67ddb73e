//! Cholesky factors of skyline matrices, whose rows are zero beyond an end column.
//!
//! Matrices are row-major. Rows and vectors are padded to whole registers of [`LANES`] numbers, so
//! kernels have no remainder loops. The order of sums is the kernels' own, with fused products on
//! processors with FMA.

use crate::simd::{LANES, Lane, dispatch, lanes, lanes_mut, padded};

/// A padded symmetric matrix, overwritten by its factor.
#[derive(Clone, Debug, Default)]
pub struct Cholesky {
    /// Entries, row by row; only the upper triangle is used.
    pub k: Vec<f64>,
    over: Vec<f64>,
    ends: Vec<usize>,
}

impl Cholesky {
    /// Starts a matrix with one row per end, the index after the row's last nonzero column. The
    /// caller fills in the upper triangle. Ends must not decrease from row to row.
    pub fn reset(&mut self, ends: &[usize]) {
        let n = padded(ends.len());
        self.ends.clear();
        self.ends.extend(ends.chunks(LANES).map(|ends| padded(ends[ends.len() - 1])));
        self.over.resize(n, 0.0);
        self.k.resize(n * n, 0.0);
        self.set_identity(ends.len());
    }

    /// Sets the rows from `from` on to rows of the identity.
    pub fn set_identity(&mut self, from: usize) {
        let n = self.over.len();
        for i in from..n {
            let row = &mut self.k[i * n..(i + 1) * n];
            row[i / LANES * LANES..self.ends[i / LANES]].fill(0.0);
            row[i] = 1.0;
        }
    }

    /// Sets a row from a column on; entries beyond are zero.
    #[inline]
    pub fn set_row(&mut self, i: usize, from: usize, line: &[f64]) {
        let n = self.over.len();
        let row = &mut self.k[i * n..][..self.ends[i / LANES]];
        let (numbers, rest) = row[from..].split_at_mut(line.len());
        numbers.copy_from_slice(line);
        rest.fill(0.0);
    }

    /// Factors in place; returns `false` if the matrix is not positive definite.
    pub fn factor(&mut self) -> bool {
        factor(&mut self.k, &self.ends, &mut self.over)
    }

    /// Solves with the factor in place; `x` may be longer than the matrix.
    pub fn solve(&self, x: &mut [f64]) {
        solve(&self.k, &self.ends, &self.over, &mut x[..self.over.len()]);
    }
}

dispatch! {
    /// Factors a padded `n` by `n` matrix in place as `K = Uᵀ D⁻¹ U`, where `D` is the diagonal of
    /// `U`. This form needs no square roots. Only the upper triangle of diagonal blocks is used.
    /// Blocks of [`LANES`] rows are used up to their column `end`, also padded and not decreasing.
    /// Returns `false` if a pivot is not positive.
    pub(crate) fn factor(k: &mut [f64], end: &[usize], over: &mut [f64]) -> bool
        = factor_body::<Fused>;

    /// Solves `Uᵀ D⁻¹ U x = x` in place.
    pub(crate) fn solve(u: &[f64], end: &[usize], over: &[f64], x: &mut [f64])
        = solve_body::<Fused>;
}

/// Four rows of `n` numbers, each in the columns `from..to`.
#[inline(always)]
fn four(rows: &[f64], n: usize, from: usize, to: usize) -> [&[[f64; LANES]]; 4] {
    let (a, rest) = rows.split_at(n);
    let (b, rest) = rest.split_at(n);
    let (c, d) = rest.split_at(n);
    [lanes(&a[from..to]), lanes(&b[from..to]), lanes(&c[from..to]), lanes(&d[from..to])]
}

/// The four rows without their first registers.
#[inline(always)]
fn behind([a, b, c, d]: [&[[f64; LANES]]; 4]) -> [&[[f64; LANES]]; 4] {
    [&a[1..], &b[1..], &c[1..], &d[1..]]
}

#[inline(always)]
fn four_mut(rows: &mut [f64], n: usize, from: usize, to: usize) -> [&mut [[f64; LANES]]; 4] {
    let (a, rest) = rows.split_at_mut(n);
    let (b, rest) = rest.split_at_mut(n);
    let (c, d) = rest.split_at_mut(n);
    [
        lanes_mut(&mut a[from..to]),
        lanes_mut(&mut b[from..to]),
        lanes_mut(&mut c[from..to]),
        lanes_mut(&mut d[from..to]),
    ]
}

#[inline(always)]
fn factor_body<L: Lane>(k: &mut [f64], end: &[usize], over: &mut [f64]) -> bool {
    let n = end.len() * LANES;
    for (p, &last) in end.iter().enumerate() {
        let first = p * LANES;
        let (panel, rest) = k[first * n..].split_at_mut(LANES * n);
        let rows = four_mut(panel, n, first, last);
        let Some(found) = factor_panel::<L>(rows) else { return false };
        over[first..first + LANES].copy_from_slice(&found);

        // every later row i with an entry: K(i, i..) -= Σ U(k, i) U(k, i..) / D(k)
        let later = (last - first) / LANES - 1;
        for (t, rows) in rest.chunks_exact_mut(LANES * n).take(later).enumerate() {
            let from = first + LANES * (t + 1);
            let u = four(panel, n, from, last);
            subtract_panel::<L>(&found, u, four_mut(rows, n, from, last));
        }
    }
    true
}

/// Factors the diagonal block of four rows, stores the inverse of its unit triangle in it, and
/// eliminates to its right. Returns the reciprocals of the diagonal, or `None` if a pivot is not
/// positive.
#[inline(always)]
fn factor_panel<L: Lane>(rows: [&mut [[f64; LANES]]; 4]) -> Option<[f64; LANES]> {
    let [a, b, c, d] = rows;
    let n = a.len();
    let (b, c, d) = (&mut b[..n], &mut c[..n], &mut d[..n]);

    // reciprocals of the diagonal, and the unit triangle
    let pivot = |x: f64| (x > 0.0).then(|| 1.0 / x);
    let i0 = pivot(a[0][0])?;
    let (r01, r02, r03) = (a[0][1], a[0][2], a[0][3]);
    let (u01, u02, u03) = (r01 * i0, r02 * i0, r03 * i0);
    let i1 = pivot(b[0][1] - u01 * r01)?;
    let (r12, r13) = (b[0][2] - u01 * r02, b[0][3] - u01 * r03);
    let (u12, u13) = (r12 * i1, r13 * i1);
    let i2 = pivot(c[0][2] - u02 * r02 - u12 * r12)?;
    let r23 = c[0][3] - u02 * r03 - u12 * r13;
    let u23 = r23 * i2;
    let i3 = pivot(d[0][3] - u03 * r03 - u13 * r13 - u23 * r23)?;

    // its inverse, for the solves
    let (v02, v13) = (u01 * u12 - u02, u12 * u23 - u13);
    a[0] = [1.0, -u01, v02, u02 * u23 - u01 * v13 - u03];
    b[0] = [0.0, 1.0, -u12, v13];
    c[0] = [0.0, 0.0, 1.0, -u23];
    d[0] = [0.0, 0.0, 0.0, 1.0];

    // the columns to the right
    let s = L::splat;
    for j in 1..n {
        let x = L::load(&a[j]);
        let y = L::load(&b[j]).sub_mul(s(u01), x);
        let z = L::load(&c[j]).sub_mul(s(u02), x).sub_mul(s(u12), y);
        let w = L::load(&d[j]).sub_mul(s(u03), x).sub_mul(s(u13), y).sub_mul(s(u23), z);
        y.store(&mut b[j]);
        z.store(&mut c[j]);
        w.store(&mut d[j]);
    }
    Some([i0, i1, i2, i3])
}

/// `row -= Σ u[row] u over` for four rows, which begin with their diagonal block.
#[inline(always)]
fn subtract_panel<L: Lane>(
    over: &[f64; LANES],
    u: [&[[f64; LANES]]; 4],
    rows: [&mut [[f64; LANES]]; 4],
) {
    let n = u[0].len();
    let u = [&u[0][..n], &u[1][..n], &u[2][..n], &u[3][..n]];
    let [a, b, c, d] = rows;
    for (r, a, b) in [(0, &mut a[..n], &mut b[..n]), (2, &mut c[..n], &mut d[..n])] {
        let column = |r: usize| [u[0][0][r], u[1][0][r], u[2][0][r], u[3][0][r]];
        let (s, t) =
            (splat4::<L>(&scaled(over, &column(r))), splat4::<L>(&scaled(over, &column(r + 1))));
        for j in 0..n {
            let (x, y) = (L::load(&u[0][j]), L::load(&u[1][j]));
            let (z, w) = (L::load(&u[2][j]), L::load(&u[3][j]));
            let first = L::load(&a[j]).sub_mul(s[0], x).sub_mul(s[1], y);
            let second = L::load(&b[j]).sub_mul(t[0], x).sub_mul(t[1], y);
            first.sub_mul(s[2], z).sub_mul(s[3], w).store(&mut a[j]);
            second.sub_mul(t[2], z).sub_mul(t[3], w).store(&mut b[j]);
        }
    }
}

#[inline(always)]
fn solve_body<L: Lane>(u: &[f64], end: &[usize], over: &[f64], x: &mut [f64]) {
    let n = end.len() * LANES;
    let (over, x) = (lanes(over), lanes_mut(&mut x[..n]));

    // D⁻¹ U⁻ᵀ x, by rows of U
    for (p, &last) in end.iter().enumerate() {
        let first = p * LANES;
        let rows = four(&u[first * n..], n, first, last);
        let (head, tail) = x[p..last / LANES].split_at_mut(1);
        let x = splat4::<L>(&head[0]);
        let [a, b, c, d] = rows.map(|row| L::load(&row[0]));
        let two = x[2].mul(c).add_mul(x[3], d);
        x[0].mul(a).add_mul(x[1], b).add(two).mul(L::load(&over[p])).store(&mut head[0]);
        subtract_four::<L>(&head[0], behind(rows), tail);
    }

    // U x = D x
    for (p, &last) in end.iter().enumerate().rev() {
        let first = p * LANES;
        let rows = four(&u[first * n..], n, first, last);
        let (head, tail) = x[p..last / LANES].split_at_mut(1);
        let known = dot_four::<L>(behind(rows), tail);
        let x = L::load(&head[0]).sub_mul(known, L::load(&over[p]));
        L::sums(rows.map(|row| L::load(&row[0]).mul(x))).store(&mut head[0]);
    }
}

#[inline(always)]
fn scaled(a: &[f64; LANES], b: &[f64; LANES]) -> [f64; LANES] {
    [a[0] * b[0], a[1] * b[1], a[2] * b[2], a[3] * b[3]]
}

#[inline(always)]
fn splat4<L: Lane>(x: &[f64; 4]) -> [L; 4] {
    [L::splat(x[0]), L::splat(x[1]), L::splat(x[2]), L::splat(x[3])]
}

/// `y -= Σ x row` over four rows.
#[inline(always)]
fn subtract_four<L: Lane>(x: &[f64; 4], rows: [&[[f64; LANES]]; 4], y: &mut [[f64; LANES]]) {
    let n = y.len();
    let [a, b, c, d] = rows;
    let (a, b, c, d) = (&a[..n], &b[..n], &c[..n], &d[..n]);
    let s = splat4::<L>(x);
    for j in 0..n {
        let two = s[2].mul(L::load(&c[j])).add_mul(s[3], L::load(&d[j]));
        let rest = L::load(&y[j]).sub_mul(s[0], L::load(&a[j])).sub_mul(s[1], L::load(&b[j]));
        rest.sub(two).store(&mut y[j]);
    }
}

/// Products of four rows with one vector.
#[inline(always)]
fn dot_four<L: Lane>(rows: [&[[f64; LANES]]; 4], x: &[[f64; LANES]]) -> L {
    let n = x.len();
    let [a, b, c, d] = rows;
    let (a, b, c, d) = (&a[..n], &b[..n], &c[..n], &d[..n]);
    let mut sum = [L::splat(0.0); 4];
    for j in 0..n {
        let x = L::load(&x[j]);
        sum[0] = sum[0].add_mul(L::load(&a[j]), x);
        sum[1] = sum[1].add_mul(L::load(&b[j]), x);
        sum[2] = sum[2].add_mul(L::load(&c[j]), x);
        sum[3] = sum[3].add_mul(L::load(&d[j]), x);
    }
    let [x, y, z, w] = L::transpose(sum);
    x.add(z).add(y.add(w))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::{Portable, dot};

    fn spd(n: usize) -> Vec<f64> {
        let entry = |i: usize, j: usize| ((i * 7 + j * 13) % 11) as f64 / 11.0 - 0.4;
        let mut k = vec![0.0; n * n];
        for i in 0..n {
            for j in 0..n {
                k[i * n + j] = (0..n).map(|l| entry(i, l) * entry(j, l)).sum::<f64>();
            }
            k[i * n + i] += 0.5;
        }
        k
    }

    /// Keeps a padded band of `width` above the diagonal, and the ends of its panels.
    fn banded(n: usize, width: usize) -> (Vec<f64>, Vec<usize>) {
        let (dense, stride) = (spd(n), padded(n));
        let mut k = vec![0.0; stride * stride];
        for i in 0..n {
            for j in 0..n {
                if i.abs_diff(j) <= width {
                    k[i * stride + j] = dense[i * n + j];
                }
            }
            k[i * stride + i] += n as f64;
        }
        (n..stride).for_each(|i| k[i * stride + i] = 1.0);
        (k, (LANES..=stride).step_by(LANES).map(|i| padded(i + width).min(stride)).collect())
    }

    #[test]
    fn cholesky_solves_at_every_size_and_width() {
        for n in 0..23 {
            for width in [0, 1, 3, 7, n] {
                let (k, end) = banded(n, width);
                let x: Vec<f64> = (0..padded(n)).map(|i| i as f64 - 3.0).collect();
                let mut over = vec![0.0; padded(n)];
                let row = |i: usize| &k[i * padded(n)..(i + 1) * padded(n)];
                let mut rhs: Vec<f64> =
                    (0..padded(n)).map(|i| dot::<Portable>(row(i), &x)).collect();
                let mut u = k.clone();
                assert!(factor(&mut u, &end, &mut over));
                solve(&u, &end, &over, &mut rhs);
                for (a, b) in rhs.iter().zip(&x) {
                    assert!((a - b).abs() < 1e-10, "n = {n}, width = {width}: {a} and {b}");
                }
            }
        }
    }

    #[test]
    fn an_indefinite_matrix_is_refused() {
        let mut k = [[1.0, 2.0, 0.0, 0.0], [2.0, 1.0, 0.0, 0.0], [0.0; 4], [0.0; 4]];
        (k[2][2], k[3][3]) = (1.0, 1.0);
        assert!(!factor(k.as_flattened_mut(), &[4], &mut [0.0; 4]));
        k[0][0] = f64::NAN;
        assert!(!factor(k.as_flattened_mut(), &[4], &mut [0.0; 4]));
    }

    #[test]
    fn both_twins_give_the_same_up_to_rounding() {
        let (mut a, end) = banded(37, 11);
        let mut b = a.clone();
        let (mut i, mut j) = (vec![0.0; padded(37)], vec![0.0; padded(37)]);
        assert!(factor(&mut a, &end, &mut i) && factor_body::<Portable>(&mut b, &end, &mut j));
        let (mut x, mut y) = (vec![1.0; padded(37)], vec![1.0; padded(37)]);
        solve(&a, &end, &i, &mut x);
        solve_body::<Portable>(&b, &end, &j, &mut y);
        assert!(x.iter().zip(&y).all(|(x, y)| (x - y).abs() < 1e-14), "{x:?} {y:?}");
    }
}
