//! Vectors of any length.

use crate::simd::Quad;

/// Scalar product with four running sums, added as (0+2) + (1+3), then the remaining products one
/// by one. The order is the order of MuJoCo's AVX build (`mju_dot`).
#[inline]
pub fn dot(a: &[f64], b: &[f64]) -> f64 {
    let n = a.len().min(b.len());
    let (a, b) = (&a[..n], &b[..n]);
    let mut acc = Quad::all(0.0);
    let (chunks_a, rest_a) = a.as_chunks::<4>();
    let (chunks_b, rest_b) = b.as_chunks::<4>();
    for (x, y) in chunks_a.iter().zip(chunks_b) {
        acc = acc + Quad::new(*x) * Quad::new(*y);
    }
    let acc = acc.to_array();
    let mut sum = (acc[0] + acc[2]) + (acc[1] + acc[3]);
    // up to three remaining products are first summed among themselves
    match (rest_a, rest_b) {
        ([a0, a1, a2], [b0, b1, b2]) => sum += a0 * b0 + a1 * b1 + a2 * b2,
        ([a0, a1], [b0, b1]) => sum += a0 * b0 + a1 * b1,
        ([a0], [b0]) => sum += a0 * b0,
        _ => {}
    }
    sum
}

/// res += scl * v
#[inline]
pub fn add_scaled(res: &mut [f64], v: &[f64], scl: f64) {
    // fixed-size blocks: rows are short, and a loop of unknown length has a large overhead
    let n = res.len().min(v.len());
    let (res4, res_rest) = res[..n].as_chunks_mut::<4>();
    let (v4, v_rest) = v[..n].as_chunks::<4>();
    for (r, x) in res4.iter_mut().zip(v4) {
        *r = (Quad::new(*r) + Quad::new(*x) * Quad::all(scl)).to_array();
    }
    for (r, x) in res_rest.iter_mut().zip(v_rest) {
        *r += x * scl;
    }
}

/// res = f of the corresponding numbers of other vectors.
///
/// # Panics
///
/// If another vector is shorter.
#[inline(always)]
pub fn combine<const N: usize>(res: &mut [f64], of: [&[f64]; N], f: impl Fn([f64; N]) -> f64) {
    // as in `add_scaled`; the vectors are short
    let n = res.len();
    let (res4, rest) = res.as_chunks_mut::<4>();
    let of = of.map(|v| v[..n].as_chunks::<4>());
    for (i, r) in res4.iter_mut().enumerate() {
        *r = core::array::from_fn(|k| f(of.map(|v| v.0[i][k])));
    }
    for (i, r) in rest.iter_mut().enumerate() {
        *r = f(of.map(|v| v.1[i]));
    }
}

/// Length below which a call of the system's routine costs more than a loop.
const FEW: usize = 16;

/// res = 0
#[inline(always)]
pub fn zero(res: &mut [f64]) {
    if res.len() >= FEW {
        res.fill(0.0);
        return;
    }
    // without a loop, which the compiler would replace by a call
    let res = zero_first::<8>(res);
    let res = zero_first::<4>(res);
    let res = zero_first::<2>(res);
    zero_first::<1>(res);
}

/// res = v, which has the same length.
///
/// # Panics
///
/// If the lengths differ.
#[inline(always)]
pub fn copy<T: Copy>(res: &mut [T], v: &[T]) {
    if res.len() >= FEW || res.len() != v.len() {
        res.copy_from_slice(v);
        return;
    }
    let (res, v) = copy_first::<_, 8>(res, v);
    let (res, v) = copy_first::<_, 4>(res, v);
    let (res, v) = copy_first::<_, 2>(res, v);
    copy_first::<_, 1>(res, v);
}

/// Sets the first `N` numbers to zero, if there are that many; returns the others.
#[inline(always)]
fn zero_first<const N: usize>(res: &mut [f64]) -> &mut [f64] {
    if res.len() < N {
        return res;
    }
    let (first, rest) = res.split_at_mut(N);
    first.copy_from_slice(&[0.0; N]);
    rest
}

/// Copies the first `N` numbers, if there are that many; returns the others.
#[inline(always)]
fn copy_first<'a, T: Copy, const N: usize>(res: &'a mut [T], v: &'a [T]) -> (&'a mut [T], &'a [T]) {
    if res.len() < N {
        return (res, v);
    }
    let ((first, rest), (from, others)) = (res.split_at_mut(N), v.split_at(N));
    first.copy_from_slice(from);
    (rest, others)
}

/// Resizes a vector to `n` numbers; new numbers are zero.
#[inline(always)]
pub fn set_len(v: &mut Vec<f64>, n: usize) {
    // an equal length is not written: a caller that then moves the whole `Vec` would read the
    // length in another width, which defeats store forwarding
    if v.len() != n {
        resize(v, n);
    }
}

#[cold]
#[inline(never)]
fn resize(v: &mut Vec<f64>, n: usize) {
    v.resize(n, 0.0);
}

/// Euclidean length.
#[inline]
pub fn norm(a: &[f64]) -> f64 {
    dot(a, a).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vectors_of_any_length_are_combined_place_by_place() {
        for n in 0..12 {
            let a: Vec<f64> = (0..n).map(|i| i as f64).collect();
            let b: Vec<f64> = (0..n + 2).map(|i| 10.0 * i as f64).collect();
            let mut res = vec![-1.0; n];
            combine(&mut res, [&a, &b], |[a, b]| b - a);
            assert_eq!(res, a.iter().map(|a| 9.0 * a).collect::<Vec<f64>>());
        }
    }

    #[test]
    fn short_and_long_vectors_are_zeroed_and_copied_whole() {
        for n in 0..40 {
            let from: Vec<f64> = (0..n).map(|i| i as f64 + 1.0).collect();
            let mut to = vec![-1.0; n];
            copy(&mut to, &from);
            assert_eq!(to, from);
            zero(&mut to);
            assert_eq!(to, vec![0.0; n]);
        }
    }
}
