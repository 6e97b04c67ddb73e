//! Dense kernels: products with a symmetric matrix, Cholesky factorisation and its solves.
//!
//! Matrices are row-major. Each kernel is written once and compiled twice on x86-64, for the
//! baseline and for AVX. Lanes are independent and nothing is fused, so both give the same bits.

#![allow(unsafe_code)] // calls of the AVX twins, after asking the processor

/// Compiles `$body` for the baseline and for AVX and chooses at run time.
macro_rules! twin {
    ($(#[$doc:meta])* $name:ident, $avx:ident, $body:ident, ($($arg:ident: $ty:ty),*) $(-> $ret:ty)?) => {
        $(#[$doc])*
        pub(crate) fn $name($($arg: $ty),*) $(-> $ret)? {
            #[cfg(target_arch = "x86_64")]
            if is_x86_feature_detected!("avx") {
                // SAFETY: the processor has just been asked for the feature.
                return unsafe { $avx($($arg),*) };
            }
            $body($($arg),*)
        }

        #[cfg(target_arch = "x86_64")]
        #[target_feature(enable = "avx")]
        fn $avx($($arg: $ty),*) $(-> $ret)? {
            $body($($arg),*)
        }
    };
}

twin! {
    /// `y += a x`.
    axpy, axpy_avx, axpy_body, (a: f64, x: &[f64], y: &mut [f64])
}
twin! {
    /// `y += Σ a x` over three rows.
    axpy3, axpy3_avx, axpy3_body, (a: [f64; 3], x: [&[f64]; 3], y: &mut [f64])
}
twin! {
    /// `out = A x - b`.
    gradient, gradient_avx, gradient_body, (a: &[f64], x: &[f64], b: &[f64], out: &mut [f64])
}
twin! {
    /// Factors an `n` by `n` matrix in place, `K = Uᵀ U`. Only the upper triangle is used, and of row
    /// `i` only the columns up to `end[i]`, which must not fall from row to row; what lies
    /// between the ends of rows of one [`PANEL`] must be zero. False if a pivot is not positive.
    cholesky, cholesky_avx, cholesky_body, (k: &mut [f64], end: &[usize]) -> bool
}
twin! {
    /// Solves `Uᵀ U x = x` in place, `U` with the same ends.
    cholesky_solve, cholesky_solve_avx, cholesky_solve_body, (u: &[f64], end: &[usize], x: &mut [f64])
}
twin! {
    /// `y -= K x` from the upper triangle of `K` with the same ends.
    subtract_product, subtract_product_avx, subtract_product_body,
    (k: &[f64], end: &[usize], x: &[f64], y: &mut [f64])
}

/// Dot product.
pub(crate) fn dot(a: &[f64], b: &[f64]) -> f64 {
    dot_body(a, b)
}

#[inline(always)]
fn dot_body(a: &[f64], b: &[f64]) -> f64 {
    let n = a.len().min(b.len());
    let (a, b) = (&a[..n], &b[..n]);
    let mut lanes = [0.0; 8];
    for (x, y) in a.chunks_exact(8).zip(b.chunks_exact(8)) {
        for l in 0..8 {
            lanes[l] += x[l] * y[l];
        }
    }
    let done = n - n % 8;
    let mut tail = 0.0;
    for (x, y) in a[done..].iter().zip(&b[done..]) {
        tail += x * y;
    }
    let half = [lanes[0] + lanes[4], lanes[1] + lanes[5], lanes[2] + lanes[6], lanes[3] + lanes[7]];
    (half[0] + half[2]) + (half[1] + half[3]) + tail
}

#[inline(always)]
fn axpy_body(a: f64, x: &[f64], y: &mut [f64]) {
    for (y, x) in y.iter_mut().zip(x) {
        *y += a * x;
    }
}

#[inline(always)]
fn axpy3_body(a: [f64; 3], x: [&[f64]; 3], y: &mut [f64]) {
    let n = y.len();
    let x = x.map(|x| &x[..n]);
    for j in 0..n {
        y[j] += a[0] * x[0][j] + a[1] * x[1][j] + a[2] * x[2][j];
    }
}

#[inline(always)]
fn gradient_body(a: &[f64], x: &[f64], b: &[f64], out: &mut [f64]) {
    for ((row, b), out) in a.chunks_exact(x.len().max(1)).zip(b).zip(out) {
        *out = dot_body(row, x) - b;
    }
}

/// Pivot rows that are eliminated together: a trailing row is loaded once for four of them.
pub(crate) const PANEL: usize = 4;

#[inline(always)]
fn cholesky_body(k: &mut [f64], end: &[usize]) -> bool {
    let n = end.len();
    let mut first = 0;
    while first < n {
        let width = PANEL.min(n - first);
        let last = end[first + width - 1];
        let (panel, rest) = k[first * n..].split_at_mut(width * n);

        // the panel's own rows, one after the other
        for c in 0..width {
            let (done, row) = panel.split_at_mut(c * n);
            let row = &mut row[first + c..last];
            for above in done.chunks_exact(n) {
                let above = &above[first + c..last];
                axpy_body(-above[0], above, row);
            }
            if row[0].is_nan() || row[0] <= 0.0 {
                return false;
            }
            let inverse = 1.0 / row[0].sqrt();
            row.iter_mut().for_each(|x| *x *= inverse);
        }

        // every later row it reaches: K(i, i..) -= Σ U(k, i) U(k, i..)
        let later = last - (first + width);
        for (r, row) in rest.chunks_exact_mut(n).take(later).enumerate() {
            let i = first + width + r;
            let row = &mut row[i..last];
            if width == PANEL {
                let (a, b) = panel.split_at(2 * n);
                let (u0, u1) = (&a[i..last], &a[n + i..n + last]);
                let (u2, u3) = (&b[i..last], &b[n + i..n + last]);
                subtract_four(row, [u0, u1, u2, u3]);
            } else {
                for above in panel.chunks_exact(n) {
                    axpy_body(-above[i], &above[i..last], row);
                }
            }
        }
        first += width;
    }
    true
}

/// `row -= Σ u[0] u` over four rows.
#[inline(always)]
fn subtract_four(row: &mut [f64], u: [&[f64]; 4]) {
    let n = row.len();
    let u = u.map(|u| &u[..n]);
    let s = [u[0][0], u[1][0], u[2][0], u[3][0]];
    for j in 0..n {
        row[j] -= (s[0] * u[0][j] + s[1] * u[1][j]) + (s[2] * u[2][j] + s[3] * u[3][j]);
    }
}

#[inline(always)]
fn cholesky_solve_body(u: &[f64], end: &[usize], x: &mut [f64]) {
    let n = end.len();

    // Uᵀ z = x, by rows of U
    for i in 0..n {
        let row = &u[i * n + i..i * n + end[i]];
        let (head, tail) = x[i..end[i]].split_at_mut(1);
        head[0] /= row[0];
        axpy_body(-head[0], &row[1..], tail);
    }

    // U x = z
    for i in (0..n).rev() {
        let row = &u[i * n + i..i * n + end[i]];
        x[i] = (x[i] - dot_body(&row[1..], &x[i + 1..end[i]])) / row[0];
    }
}

#[inline(always)]
fn subtract_product_body(k: &[f64], end: &[usize], x: &[f64], y: &mut [f64]) {
    let n = end.len();
    for i in 0..n {
        let row = &k[i * n + i..i * n + end[i]];
        y[i] -= dot_body(row, &x[i..end[i]]);
        axpy_body(-x[i], &row[1..], &mut y[i + 1..end[i]]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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

    /// Keeps a band of `width` above the diagonal, as rows with ends.
    fn banded(n: usize, width: usize) -> (Vec<f64>, Vec<usize>) {
        let mut k = spd(n);
        for i in 0..n {
            for j in 0..n {
                if i.abs_diff(j) > width {
                    k[i * n + j] = 0.0;
                }
            }
            k[i * n + i] += n as f64;
        }
        (k, (0..n).map(|i| (i + width + 1).min(n)).collect())
    }

    #[test]
    fn cholesky_solves_at_every_size_and_width() {
        for n in 0..23 {
            for width in [0, 1, 3, 7, n] {
                let (k, end) = banded(n, width);
                let x: Vec<f64> = (0..n).map(|i| i as f64 - 3.0).collect();
                let mut rhs = vec![0.0; n];
                subtract_product(&k, &end, &x, &mut rhs);
                let mut u = k.clone();
                assert!(cholesky(&mut u, &end));
                cholesky_solve(&u, &end, &mut rhs);
                for (a, b) in rhs.iter().zip(&x) {
                    assert!((a + b).abs() < 1e-10, "n = {n}, width = {width}: {a} and {b}");
                }
            }
        }
    }

    #[test]
    fn an_indefinite_matrix_is_refused() {
        assert!(!cholesky(&mut [1.0, 2.0, 2.0, 1.0], &[2, 2]));
        assert!(!cholesky(&mut [f64::NAN], &[1]));
    }

    #[test]
    fn both_twins_give_the_same_bits() {
        let (mut a, end) = banded(37, 11);
        let mut b = a.clone();
        assert!(cholesky(&mut a, &end) && cholesky_body(&mut b, &end));
        assert_eq!(a, b);
    }
}
