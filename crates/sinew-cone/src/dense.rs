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
    /// `out = P x - q`.
    gradient, gradient_avx, gradient_body, (p: &[f64], x: &[f64], q: &[f64], out: &mut [f64])
}
twin! {
    /// `out = P x`.
    product, product_avx, product_body, (p: &[f64], x: &[f64], out: &mut [f64])
}
twin! {
    /// `y += a x`.
    axpy, axpy_avx, axpy_body, (a: f64, x: &[f64], y: &mut [f64])
}
twin! {
    /// Factors the upper triangle of the `n` by `n` matrix `k` in place, `K = Uᵀ U`. The strict
    /// lower triangle is left as it is. False if a pivot is not positive.
    cholesky, cholesky_avx, cholesky_body, (k: &mut [f64], n: usize) -> bool
}
twin! {
    /// Solves `Uᵀ U x = x` in place.
    cholesky_solve, cholesky_solve_avx, cholesky_solve_body, (u: &[f64], x: &mut [f64])
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
fn product_body(p: &[f64], x: &[f64], out: &mut [f64]) {
    for (row, out) in p.chunks_exact(x.len().max(1)).zip(out) {
        *out = dot_body(row, x);
    }
}

#[inline(always)]
fn gradient_body(p: &[f64], x: &[f64], q: &[f64], out: &mut [f64]) {
    for ((row, q), out) in p.chunks_exact(x.len().max(1)).zip(q).zip(out) {
        *out = dot_body(row, x) - q;
    }
}

/// Pivot rows that are eliminated together: a trailing row is loaded once for four of them.
const PANEL: usize = 4;

#[inline(always)]
fn cholesky_body(k: &mut [f64], n: usize) -> bool {
    let mut first = 0;
    while first < n {
        let width = PANEL.min(n - first);
        let (panel, rest) = k[first * n..].split_at_mut(width * n);

        // the panel's own rows, one after the other
        for c in 0..width {
            let (done, row) = panel.split_at_mut(c * n);
            let row = &mut row[first + c..n];
            for above in done.chunks_exact(n) {
                let above = &above[first + c..];
                axpy_body(-above[0], above, row);
            }
            if row[0].is_nan() || row[0] <= 0.0 {
                return false;
            }
            let inverse = 1.0 / row[0].sqrt();
            row.iter_mut().for_each(|x| *x *= inverse);
        }

        // every later row: K(i, i..) -= Σ U(k, i) U(k, i..)
        for (r, row) in rest.chunks_exact_mut(n).enumerate() {
            let i = first + width + r;
            let row = &mut row[i..];
            if width == PANEL {
                let (a, b) = panel.split_at(2 * n);
                let (u0, u1) = (&a[i..n], &a[n + i..]);
                let (u2, u3) = (&b[i..n], &b[n + i..]);
                subtract_four(row, [u0, u1, u2, u3]);
            } else {
                for above in panel.chunks_exact(n) {
                    axpy_body(-above[i], &above[i..], row);
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
fn cholesky_solve_body(u: &[f64], x: &mut [f64]) {
    let n = x.len();

    // Uᵀ z = x, by rows of U
    for i in 0..n {
        let row = &u[i * n + i..(i + 1) * n];
        let (head, tail) = x[i..].split_at_mut(1);
        head[0] /= row[0];
        axpy_body(-head[0], &row[1..], tail);
    }

    // U x = z
    for i in (0..n).rev() {
        let row = &u[i * n + i..(i + 1) * n];
        x[i] = (x[i] - dot_body(&row[1..], &x[i + 1..])) / row[0];
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

    #[test]
    fn cholesky_solves_at_every_size() {
        for n in 0..23 {
            let k = spd(n);
            let x: Vec<f64> = (0..n).map(|i| i as f64 - 3.0).collect();
            let mut rhs = vec![0.0; n];
            product(&k, &x, &mut rhs);
            let mut u = k.clone();
            assert!(cholesky(&mut u, n));
            cholesky_solve(&u, &mut rhs);
            for (a, b) in rhs.iter().zip(&x) {
                assert!((a - b).abs() < 1e-10, "n = {n}: {a} and {b}");
            }
        }
    }

    #[test]
    fn an_indefinite_matrix_is_refused() {
        assert!(!cholesky(&mut [1.0, 2.0, 2.0, 1.0], 2));
        assert!(!cholesky(&mut [f64::NAN], 1));
    }

    #[test]
    fn both_twins_give_the_same_bits() {
        let n = 37;
        let (mut a, mut b) = (spd(n), spd(n));
        assert!(cholesky(&mut a, n) && cholesky_body(&mut b, n));
        assert_eq!(a, b);
    }
}
