//! Arithmetic of a single contact in the scaled frame, where its cone is circular with friction
//! one.

use sinew_math::simd::Lane;

use crate::frame::WIDEST;

/// Gaussian elimination with row exchanges.
pub(crate) fn eliminate<const N: usize>(a: &mut [[f64; N]; N], x: &mut [f64; N]) {
    for k in 0..N {
        let mut pivot = k;
        for i in k + 1..N {
            if a[i][k].abs() > a[pivot][k].abs() {
                pivot = i;
            }
        }
        a.swap(k, pivot);
        x.swap(k, pivot);
        let inverse = 1.0 / a[k][k];
        for i in k + 1..N {
            let factor = a[i][k] * inverse;
            for j in k + 1..N {
                a[i][j] -= factor * a[k][j];
            }
            x[i] -= factor * x[k];
        }
    }
    for k in (0..N).rev() {
        for j in k + 1..N {
            x[k] -= a[k][j] * x[j];
        }
        x[k] /= a[k][k];
    }
}

/// Solves for the first `n` unknowns of a symmetric positive definite matrix; false if it is not.
pub(crate) fn solve_spd<const N: usize>(a: &mut [[f64; N]; N], x: &mut [f64; N], n: usize) -> bool {
    for k in 0..n {
        if a[k][k].is_nan() || a[k][k] <= 0.0 {
            return false;
        }
        for i in k + 1..n {
            let factor = a[i][k] / a[k][k];
            for j in k..n {
                a[i][j] -= factor * a[k][j];
            }
            x[i] -= factor * x[k];
        }
    }
    for k in (0..n).rev() {
        for j in k + 1..n {
            x[k] -= a[k][j] * x[j];
        }
        x[k] /= a[k][k];
    }
    x[..n].iter().all(|x| x.is_finite())
}

/// The part of `x` along an axis, of which as many numbers count as `x` has.
#[inline(always)]
pub(crate) fn part_along(axis: &[f64; WIDEST], x: &[f64]) -> f64 {
    if let [a, b, c] = *x {
        return axis[0] * a + axis[1] * b + axis[2] * c;
    }
    axis.iter().zip(x).map(|(a, x)| a * x).sum()
}

/// `|x_t|`.
#[inline(always)]
pub(crate) fn tangent(x: &[f64]) -> f64 {
    x[1..].iter().map(|t| t * t).sum::<f64>().sqrt()
}

/// Moves a point to the nearest one in the cone.
#[inline(always)]
pub(crate) fn project(x: &mut [f64]) {
    let t = tangent(x);
    if t <= x[0] {
        return;
    }
    let half = 0.5 * (x[0] + t).max(0.0);
    x[0] = half;
    let factor = if t > 0.0 { half / t } else { 0.0 };
    x[1..].iter_mut().for_each(|t| *t *= factor);
}

/// `a - b` of three registers.
#[inline(always)]
pub(crate) fn sub3<L: Lane>(a: &[L; 3], b: &[L; 3]) -> [L; 3] {
    [a[0].sub(b[0]), a[1].sub(b[1]), a[2].sub(b[2])]
}

/// The registers of `a` where the mask is set, those of `b` elsewhere.
#[inline(always)]
pub(crate) fn select3<L: Lane>(mask: L, a: &[L; 3], b: &[L; 3]) -> [L; 3] {
    [mask.select(a[0], b[0]), mask.select(a[1], b[1]), mask.select(a[2], b[2])]
}
