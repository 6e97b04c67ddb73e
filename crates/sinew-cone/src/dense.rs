//! Dense kernels: the gradient, and sums of rows.
//!
//! Matrices are row-major. Rows and vectors that the kernels see are padded to whole registers of
//! [`LANES`] numbers, so that no kernel has a tail.

use sinew_math::simd::{self, LANES, Lane, Portable, dispatch, lanes, lanes_mut};

dispatch! {
    /// `out = A x - b`, nothing padded.
    pub(crate) fn gradient(a: &[f64], x: &[f64], b: &[f64], out: &mut [f64])
        = gradient_body::<Fused>;
}

/// Makes vectors zeros of a length; their memory is kept.
pub(crate) fn zero<const N: usize>(vectors: [&mut Vec<f64>; N], n: usize) {
    for v in vectors {
        v.clear();
        v.resize(n, 0.0);
    }
}

/// Dot product.
#[inline(always)]
pub(crate) fn dot(a: &[f64], b: &[f64]) -> f64 {
    simd::dot::<Portable>(a, b)
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
    let (u, v, w) = (&lanes(x[0])[..n], &lanes(x[1])[..n], &lanes(x[2])[..n]);
    let (a, b, c) = (L::splat(a[0]), L::splat(a[1]), L::splat(a[2]));
    for j in 0..n {
        let two = (b * L::load(&v[j])).add_mul(c, L::load(&w[j]));
        (L::load(&y[j]).add_mul(a, L::load(&u[j])) + two).store(&mut y[j]);
    }
}

/// `Σ v x`.
#[inline(always)]
pub(crate) fn combine<L: Lane>(v: &[[f64; LANES]; 3], x: [f64; 3]) -> L {
    let two = (L::load(&v[0]) * L::splat(x[0])).add_mul(L::load(&v[1]), L::splat(x[1]));
    two.add_mul(L::load(&v[2]), L::splat(x[2]))
}

/// `y = Vᵀ x` for three padded rows.
#[inline(always)]
pub(crate) fn combine_three<L: Lane>(v: &[[f64; LANES]; 3], x: [&[f64]; 3], y: [&mut [f64]; 3]) {
    let n = x[0].len() / LANES;
    let (a, b, c) = (&lanes(x[0])[..n], &lanes(x[1])[..n], &lanes(x[2])[..n]);
    for (l, y) in y.into_iter().enumerate() {
        let y = &mut lanes_mut(y)[..n];
        let (p, q, r) = (L::splat(v[0][l]), L::splat(v[1][l]), L::splat(v[2][l]));
        for j in 0..n {
            let two = (p * L::load(&a[j])).add_mul(q, L::load(&b[j]));
            two.add_mul(r, L::load(&c[j])).store(&mut y[j]);
        }
    }
}

#[inline(always)]
fn gradient_body<L: Lane>(a: &[f64], x: &[f64], b: &[f64], out: &mut [f64]) {
    for ((out, row), b) in out.iter_mut().zip(a.chunks_exact(x.len().max(1))).zip(b) {
        *out = simd::dot::<L>(row, x) - b;
    }
}
