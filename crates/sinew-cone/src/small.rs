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

/// The part of `x` along an axis; only the first `x.len()` entries of the axis count.
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
    project_by(x, |n, t| 0.5 * (n + t));
}

/// The same in another metric: the normal of the nearest point on the surface is `height` of the
/// normal and the length of the tangents.
#[inline(always)]
pub(crate) fn project_by(x: &mut [f64], height: impl Fn(f64, f64) -> f64) {
    let t = tangent(x);
    if t <= x[0] {
        return;
    }
    let n = height(x[0], t).max(0.0);
    let factor = if t > 0.0 { n / t } else { 0.0 };
    x[0] = n;
    x[1..].iter_mut().for_each(|t| *t *= factor);
}

/// The same of three registers for a cone of slope `mu`.
#[inline(always)]
pub(crate) fn project3<L: Lane>(x: &[L; 3], mu: L, height: impl Fn(L, L) -> L) -> [L; 3] {
    let t = (x[1] * x[1] + x[2] * x[2]).sqrt();
    let n = height(x[0], t).larger(L::splat(0.0));
    let factor = mu * n / t.larger(L::splat(f64::MIN_POSITIVE));
    select3(t.at_most(mu * x[0]), x, &[n, factor * x[1], factor * x[2]])
}

/// [`project`] of three registers.
#[inline(always)]
pub(crate) fn project_round<L: Lane>(x: &[L; 3]) -> [L; 3] {
    project3(x, L::splat(1.0), |n, t| L::splat(0.5) * (n + t))
}

/// `a - b` of three registers.
#[inline(always)]
pub(crate) fn sub3<L: Lane>(a: &[L; 3], b: &[L; 3]) -> [L; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

/// `a b` of three registers, one by one.
#[inline(always)]
pub(crate) fn mul3<L: Lane>(a: &[L; 3], b: &[L; 3]) -> [L; 3] {
    [a[0] * b[0], a[1] * b[1], a[2] * b[2]]
}

/// The registers of `a` where the mask is set, of `b` elsewhere.
#[inline(always)]
pub(crate) fn select3<L: Lane>(mask: L, a: &[L; 3], b: &[L; 3]) -> [L; 3] {
    [mask.select(a[0], b[0]), mask.select(a[1], b[1]), mask.select(a[2], b[2])]
}
