//! Vectors of any length.

/// Scalar product over four running sums, which are then added as (0+2) + (1+3), and the rest one
/// by one: the order of MuJoCo's AVX build (`mju_dot`).
#[inline]
pub fn dot(a: &[f64], b: &[f64]) -> f64 {
    let n = a.len().min(b.len());
    let (a, b) = (&a[..n], &b[..n]);
    let mut acc = [0.0; 4];
    let (chunks_a, rest_a) = a.as_chunks::<4>();
    let (chunks_b, rest_b) = b.as_chunks::<4>();
    for (x, y) in chunks_a.iter().zip(chunks_b) {
        for k in 0..4 {
            acc[k] += x[k] * y[k];
        }
    }
    let mut sum = (acc[0] + acc[2]) + (acc[1] + acc[3]);
    // up to three left over are summed among themselves first
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
    // fixed-size pieces: rows are short, and a loop of unknown length costs more than its work
    let n = res.len().min(v.len());
    let (res4, res_rest) = res[..n].as_chunks_mut::<4>();
    let (v4, v_rest) = v[..n].as_chunks::<4>();
    for (r, x) in res4.iter_mut().zip(v4) {
        *r = core::array::from_fn(|k| r[k] + x[k] * scl);
    }
    for (r, x) in res_rest.iter_mut().zip(v_rest) {
        *r += x * scl;
    }
}

/// Euclidean length.
#[inline]
pub fn norm(a: &[f64]) -> f64 {
    dot(a, a).sqrt()
}
