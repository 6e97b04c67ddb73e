//! Dense kernels: products with a symmetric matrix, Cholesky factorisation and its solves.
//!
//! Matrices are row-major. Rows and vectors that the kernels see are padded to whole registers of
//! [`LANES`] numbers, so that no kernel has a tail.

use crate::lane::{LANES, Lane, lanes, lanes_mut, twin};

twin! {
    /// `out = A x - b`, nothing padded.
    gradient, gradient_avx, gradient_body, (a: &[f64], x: &[f64], b: &[f64], out: &mut [f64])
}
twin! {
    /// Factors a padded `n` by `n` matrix in place, `K = Uᵀ U`, and writes the inverses of the
    /// diagonal of `U`, which is not stored itself. Of the blocks on the diagonal only the upper triangle is used, and of
    /// [`LANES`] rows only the columns up to their `end`, padded too and not falling. False if a
    /// pivot is not positive.
    cholesky, cholesky_avx, cholesky_body, (k: &mut [f64], end: &[usize], inverse: &mut [f64]) -> bool
}
twin! {
    /// Solves `Uᵀ U x = x` in place.
    cholesky_solve, cholesky_solve_avx, cholesky_solve_body,
    (u: &[f64], end: &[usize], inverse: &[f64], x: &mut [f64])
}
twin! {
    /// `y -= K x`, `K` as for [`cholesky`].
    subtract_product, subtract_product_avx, subtract_product_body,
    (k: &[f64], end: &[usize], x: &[f64], y: &mut [f64])
}

/// Dot product.
#[inline(always)]
pub(crate) fn dot(a: &[f64], b: &[f64]) -> f64 {
    dot_lanes::<[f64; 4]>(a, b)
}

#[inline(always)]
fn dot_lanes<L: Lane>(a: &[f64], b: &[f64]) -> f64 {
    let n = a.len().min(b.len());
    let ((a, a_tail), (b, b_tail)) = (a[..n].as_chunks(), b[..n].as_chunks());
    let mut sum = [L::splat(0.0); 2];
    for (j, (x, y)) in a.iter().zip(b).enumerate() {
        sum[j % 2] = sum[j % 2].add(L::load(x).mul(L::load(y)));
    }
    let tail: f64 = a_tail.iter().zip(b_tail).map(|(x, y)| x * y).sum();
    sum[0].add(sum[1]).sum() + tail
}

/// `y += a x`.
#[inline(always)]
pub(crate) fn axpy(a: f64, x: &[f64], y: &mut [f64]) {
    for (y, x) in y.iter_mut().zip(x) {
        *y += a * x;
    }
}

/// `y += Σ a x` over three padded rows.
#[inline(always)]
pub(crate) fn axpy3<L: Lane>(a: [f64; 3], x: [&[f64]; 3], y: &mut [f64]) {
    let y = lanes_mut(y);
    let n = y.len();
    let [u, v, w] = x.map(|x| &lanes(x)[..n]);
    let (a, b, c) = (L::splat(a[0]), L::splat(a[1]), L::splat(a[2]));
    for j in 0..n {
        let two = a.mul(L::load(&u[j])).add(b.mul(L::load(&v[j])));
        L::load(&y[j]).add(two.add(c.mul(L::load(&w[j])))).store(&mut y[j]);
    }
}

/// `y += K x` for a square matrix, all padded.
#[inline(always)]
pub(crate) fn add_product<L: Lane>(k: &[f64], n: usize, x: &[f64], y: &mut [f64]) {
    let (x, y) = (lanes(&x[..n]), lanes_mut(&mut y[..n]));
    for (p, y) in y.iter_mut().enumerate() {
        let s = dot_four::<L>(four(&k[p * LANES * n..(p + 1) * LANES * n], n, 0, n), x);
        L::load(y).add(L::new(s)).store(y);
    }
}

/// `y = V x` for three padded rows.
#[inline(always)]
pub(crate) fn combine_three<L: Lane>(v: &[[f64; 3]; 3], x: [&[f64]; 3], y: [&mut [f64]; 3]) {
    let n = x[0].len() / LANES;
    let [a, b, c] = x.map(|x| &lanes(x)[..n]);
    for (v, y) in v.iter().zip(y) {
        let y = &mut lanes_mut(y)[..n];
        let (p, q, r) = (L::splat(v[0]), L::splat(v[1]), L::splat(v[2]));
        for j in 0..n {
            let two = p.mul(L::load(&a[j])).add(q.mul(L::load(&b[j])));
            two.add(r.mul(L::load(&c[j]))).store(&mut y[j]);
        }
    }
}

#[inline(always)]
fn gradient_body<L: Lane>(a: &[f64], x: &[f64], b: &[f64], out: &mut [f64]) {
    for ((row, b), out) in a.chunks_exact(x.len().max(1)).zip(b).zip(out) {
        *out = dot_lanes::<L>(row, x) - b;
    }
}

/// Four rows of `n` numbers, each from column `from` to `to`.
#[inline(always)]
fn four(rows: &[f64], n: usize, from: usize, to: usize) -> [&[[f64; LANES]]; 4] {
    let width = (to - from) / LANES;
    [0, 1, 2, 3].map(|r| &lanes(&rows[r * n + from..r * n + to])[..width])
}

#[inline(always)]
fn four_mut(rows: &mut [f64], n: usize, from: usize, to: usize) -> [&mut [[f64; LANES]]; 4] {
    let (a, rest) = rows.split_at_mut(n);
    let (b, rest) = rest.split_at_mut(n);
    let (c, d) = rest.split_at_mut(n);
    [a, b, c, d].map(|row| lanes_mut(&mut row[from..to]))
}

#[inline(always)]
fn cholesky_body<L: Lane>(k: &mut [f64], end: &[usize], inverse: &mut [f64]) -> bool {
    let n = end.len() * LANES;
    for (p, &last) in end.iter().enumerate() {
        let first = p * LANES;
        let (panel, rest) = k[first * n..].split_at_mut(LANES * n);
        let rows = four_mut(panel, n, first, last);
        let Some(inv) = factor_panel::<L>(rows) else { return false };
        inverse[first..first + LANES].copy_from_slice(&inv);

        // every later row it reaches: K(i, i..) -= Σ U(k, i) U(k, i..)
        let later = (last - first) / LANES - 1;
        for (t, rows) in rest.chunks_exact_mut(LANES * n).take(later).enumerate() {
            let from = first + LANES * (t + 1);
            let u = four(panel, n, from, last);
            subtract_panel::<L>(u, four_mut(rows, n, from, last));
        }
    }
    true
}

/// Factors the square in front of four rows and divides what is behind it; the inverses of the
/// diagonal, or none if a pivot is not positive.
#[inline(always)]
fn factor_panel<L: Lane>(rows: [&mut [[f64; LANES]]; 4]) -> Option<[f64; LANES]> {
    let [a, b, c, d] = rows;
    let n = a.len();
    let (b, c, d) = (&mut b[..n], &mut c[..n], &mut d[..n]);

    // U(i, j) of the square, and one over its diagonal
    let pivot = |x: f64| (x > 0.0).then(|| 1.0 / x.sqrt());
    let i0 = pivot(a[0][0])?;
    let [_, u01, u02, u03] = a[0].map(|x| x * i0);
    let i1 = pivot(b[0][1] - u01 * u01)?;
    let (u12, u13) = ((b[0][2] - u01 * u02) * i1, (b[0][3] - u01 * u03) * i1);
    let i2 = pivot(c[0][2] - u02 * u02 - u12 * u12)?;
    let u23 = (c[0][3] - u02 * u03 - u12 * u13) * i2;
    let i3 = pivot(d[0][3] - u03 * u03 - u13 * u13 - u23 * u23)?;
    a[0] = [0.0, u01, u02, u03];
    b[0] = [0.0, 0.0, u12, u13];
    c[0] = [0.0, 0.0, 0.0, u23];

    // the rows behind it
    let s = L::splat;
    for j in 1..n {
        let x = L::load(&a[j]).mul(s(i0));
        let y = L::load(&b[j]).sub(s(u01).mul(x)).mul(s(i1));
        let z = L::load(&c[j]).sub(s(u02).mul(x)).sub(s(u12).mul(y)).mul(s(i2));
        let w = L::load(&d[j]).sub(s(u03).mul(x)).sub(s(u13).mul(y)).sub(s(u23).mul(z));
        x.store(&mut a[j]);
        y.store(&mut b[j]);
        z.store(&mut c[j]);
        w.mul(s(i3)).store(&mut d[j]);
    }
    Some([i0, i1, i2, i3])
}

/// `row -= Σ u[row] u` for four rows, whose square on the diagonal comes first.
#[inline(always)]
fn subtract_panel<L: Lane>(u: [&[[f64; LANES]]; 4], rows: [&mut [[f64; LANES]]; 4]) {
    let n = u[0].len();
    let u = u.map(|u| &u[..n]);
    let [a, b, c, d] = rows.map(|row| &mut row[..n]);
    for pair in [(0, a, b), (2, c, d)] {
        let (r, a, b) = pair;
        let column = |r: usize| [u[0][0][r], u[1][0][r], u[2][0][r], u[3][0][r]];
        let (s, t) = (splat4::<L>(&column(r)), splat4::<L>(&column(r + 1)));
        for j in 0..n {
            let u = [L::load(&u[0][j]), L::load(&u[1][j]), L::load(&u[2][j]), L::load(&u[3][j])];
            let first = s[0].mul(u[0]).add(s[1].mul(u[1])).add(s[2].mul(u[2]).add(s[3].mul(u[3])));
            let second = t[0].mul(u[0]).add(t[1].mul(u[1])).add(t[2].mul(u[2]).add(t[3].mul(u[3])));
            L::load(&a[j]).sub(first).store(&mut a[j]);
            L::load(&b[j]).sub(second).store(&mut b[j]);
        }
    }
}

#[inline(always)]
fn cholesky_solve_body<L: Lane>(u: &[f64], end: &[usize], inverse: &[f64], x: &mut [f64]) {
    let n = end.len() * LANES;
    let (inverse, x) = (lanes(inverse), lanes_mut(&mut x[..n]));

    // Uᵀ z = x, by rows of U
    for (p, &last) in end.iter().enumerate() {
        let first = p * LANES;
        let rows = four(&u[first * n..], n, first, last);
        let ([a, b, c, _], i) = (rows, inverse[p]);
        let (head, tail) = x[p..last / LANES].split_at_mut(1);
        let x = &mut head[0];
        x[0] *= i[0];
        x[1] = (x[1] - a[0][1] * x[0]) * i[1];
        x[2] = (x[2] - a[0][2] * x[0] - b[0][2] * x[1]) * i[2];
        x[3] = (x[3] - a[0][3] * x[0] - b[0][3] * x[1] - c[0][3] * x[2]) * i[3];
        subtract_four::<L>(x, rows.map(|row| &row[1..]), tail);
    }

    // U x = z
    for (p, &last) in end.iter().enumerate().rev() {
        let first = p * LANES;
        let rows = four(&u[first * n..], n, first, last);
        let i = inverse[p];
        let (head, tail) = x[p..last / LANES].split_at_mut(1);
        let s = dot_four::<L>(rows.map(|row| &row[1..]), tail);
        let [a, b, c, _] = rows;
        let x = &mut head[0];
        x[3] = (x[3] - s[3]) * i[3];
        x[2] = (x[2] - s[2] - c[0][3] * x[3]) * i[2];
        x[1] = (x[1] - s[1] - b[0][3] * x[3] - b[0][2] * x[2]) * i[1];
        x[0] = (x[0] - s[0] - a[0][3] * x[3] - a[0][2] * x[2] - a[0][1] * x[1]) * i[0];
    }
}

#[inline(always)]
fn splat4<L: Lane>(x: &[f64; 4]) -> [L; 4] {
    [L::splat(x[0]), L::splat(x[1]), L::splat(x[2]), L::splat(x[3])]
}

/// `y -= Σ x row` over four rows.
#[inline(always)]
fn subtract_four<L: Lane>(x: &[f64; 4], rows: [&[[f64; LANES]]; 4], y: &mut [[f64; LANES]]) {
    let n = y.len();
    let [a, b, c, d] = rows.map(|row| &row[..n]);
    let s = splat4::<L>(x);
    for j in 0..n {
        let two = s[0].mul(L::load(&a[j])).add(s[1].mul(L::load(&b[j])));
        let more = s[2].mul(L::load(&c[j])).add(s[3].mul(L::load(&d[j])));
        L::load(&y[j]).sub(two.add(more)).store(&mut y[j]);
    }
}

/// Products of four rows with one vector.
#[inline(always)]
fn dot_four<L: Lane>(rows: [&[[f64; LANES]]; 4], x: &[[f64; LANES]]) -> [f64; 4] {
    let n = x.len();
    let [a, b, c, d] = rows.map(|row| &row[..n]);
    let mut sum = [L::splat(0.0); 4];
    for j in 0..n {
        let x = L::load(&x[j]);
        sum[0] = sum[0].add(L::load(&a[j]).mul(x));
        sum[1] = sum[1].add(L::load(&b[j]).mul(x));
        sum[2] = sum[2].add(L::load(&c[j]).mul(x));
        sum[3] = sum[3].add(L::load(&d[j]).mul(x));
    }
    [sum[0].sum(), sum[1].sum(), sum[2].sum(), sum[3].sum()]
}

#[inline(always)]
fn subtract_product_body<L: Lane>(k: &[f64], end: &[usize], x: &[f64], y: &mut [f64]) {
    let n = end.len() * LANES;
    let (x, y) = (lanes(&x[..n]), lanes_mut(&mut y[..n]));
    for (p, &last) in end.iter().enumerate() {
        let first = p * LANES;
        let rows = four(&k[first * n..], n, first, last);
        let (head, tail) = y[p..last / LANES].split_at_mut(1);
        let own = &x[p];

        // the square on the diagonal, from its upper triangle
        for r in 0..LANES {
            for l in 0..LANES {
                head[0][r] -= rows[r.min(l)][0][r.max(l)] * own[l];
            }
        }

        // what is behind it, and its mirror image
        let behind = rows.map(|row| &row[1..]);
        let s = dot_four::<L>(behind, &x[p + 1..last / LANES]);
        for r in 0..LANES {
            head[0][r] -= s[r];
        }
        subtract_four::<L>(own, behind, tail);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lane::padded;

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

    /// Keeps a band of `width` above the diagonal, padded, with the ends of its panels.
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
                let mut rhs = vec![0.0; padded(n)];
                let mut inverse = rhs.clone();
                subtract_product(&k, &end, &x, &mut rhs);
                for i in 0..n {
                    let row: f64 = (0..n).map(|j| k[i * padded(n) + j] * x[j]).sum();
                    assert!((row + rhs[i]).abs() < 1e-10, "n = {n}, width = {width}: row {i}");
                }
                let mut u = k.clone();
                assert!(cholesky(&mut u, &end, &mut inverse));
                cholesky_solve(&u, &end, &inverse, &mut rhs);
                for (a, b) in rhs.iter().zip(&x) {
                    assert!((a + b).abs() < 1e-10, "n = {n}, width = {width}: {a} and {b}");
                }
            }
        }
    }

    #[test]
    fn an_indefinite_matrix_is_refused() {
        let mut k = [[1.0, 2.0, 0.0, 0.0], [2.0, 1.0, 0.0, 0.0], [0.0; 4], [0.0; 4]];
        (k[2][2], k[3][3]) = (1.0, 1.0);
        assert!(!cholesky(k.as_flattened_mut(), &[4], &mut [0.0; 4]));
        k[0][0] = f64::NAN;
        assert!(!cholesky(k.as_flattened_mut(), &[4], &mut [0.0; 4]));
    }

    #[test]
    fn both_twins_give_the_same_bits() {
        let (mut a, end) = banded(37, 11);
        let mut b = a.clone();
        let (mut i, mut j) = (vec![0.0; padded(37)], vec![0.0; padded(37)]);
        assert!(cholesky(&mut a, &end, &mut i) && cholesky_body::<[f64; 4]>(&mut b, &end, &mut j));
        assert_eq!(a, b);
        assert_eq!(i, j);
        let (mut x, mut y) = (vec![1.0; padded(37)], vec![1.0; padded(37)]);
        cholesky_solve(&a, &end, &i, &mut x);
        cholesky_solve_body::<[f64; 4]>(&a, &end, &i, &mut y);
        assert_eq!(x, y);
    }
}
