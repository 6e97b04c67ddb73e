//! The best friction force of one contact: a quadratic function on an ellipsoid.

/// Maximum number of friction directions: two of sliding, one of torsion, two of rolling.
const MAX: usize = 5;

/// Newton steps at most; three or four are common.
const MAX_ITER: usize = 20;

/// Below this, a pivot or determinant counts as singular and a residual as zero.
const TINY: f64 = 1e-10;

/// min ½ xᵀ A x + xᵀ b  with  Σ (xᵢ / μᵢ)² ≤ r²
///
/// Scaled by μ the ellipsoid is a ball. On its surface y = x / μ is -(A + λ)⁻¹ b, and Newton's
/// method finds the λ > 0 for which |y| = r.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Qcqp<'a, const N: usize> {
    /// A, scaled by μ from both sides: see `scale`.
    pub(crate) a: &'a [[f64; N]; N],
    /// Friction of each direction.
    pub(crate) mu: [f64; N],
}

/// A minimum, scaled: y. And whether it lies on the surface.
pub(crate) type Minimum<const N: usize> = ([f64; N], bool);

/// Appends a matrix of `n` rows, scaled; it stays the same while b and r change. The numbers are
/// further up in `numbers`, at `place`.
pub(crate) fn scale(
    numbers: &mut Vec<f64>,
    mu: &[f64; MAX],
    n: usize,
    place: impl Fn(usize, usize) -> usize,
) {
    for i in 0..n {
        for j in 0..n {
            numbers.push(numbers[place(i, j)] * mu[i] * mu[j]);
        }
    }
}

impl<const N: usize> Qcqp<'_, N> {
    /// The minimum within radius `r`, zero if A is singular. The surface is met only to about
    /// 1e-10.
    #[doc(alias = "mju_QCQP")]
    #[inline(always)]
    pub(crate) fn solve(&self, b: &[f64; N], r: f64) -> Minimum<N> {
        match N {
            2 => self.solve2(b, r),
            3 => self.solve3(b, r),
            _ => self.solve_by_factor(b, r),
        }
    }

    #[doc(alias = "mju_QCQP2")]
    #[inline(always)]
    fn solve2(&self, b: &[f64; N], r: f64) -> Minimum<N> {
        let Qcqp { a, mu } = self;
        let (a11, a12, a22) = (a[0][0], a[0][1], a[1][1]);
        let (b1, b2) = (b[0] * mu[0], b[1] * mu[1]);
        let (mut w1, mut w2) = (0.0, 0.0);
        let (mut lambda, mut det) = (0.0, 1.0);
        for _ in 0..MAX_ITER {
            // P = (A + λ)⁻¹ without its determinant
            let (p11, p22, p12) = (a22 + lambda, a11 + lambda, -a12);
            det = p11 * p22 - a12 * a12;
            if det < TINY {
                return ([0.0; N], false);
            }

            // y = -P b, and how far it is outside
            w1 = -p11 * b1 - p12 * b2;
            w2 = -p12 * b1 - p22 * b2;
            let value = w1 * w1 + w2 * w2 - r * r * det * det;
            let slope = || p11 * w1 * w1 + 2.0 * p12 * w1 * w2 + p22 * w2 * w2;
            match newton_step(value, det, slope) {
                Some(step) => lambda += step,
                None => break,
            }
        }
        let inv = 1.0 / det;
        (first([w1 * inv, w2 * inv, 0.0]), lambda != 0.0)
    }

    #[doc(alias = "mju_QCQP3")]
    #[inline(always)]
    fn solve3(&self, b: &[f64; N], r: f64) -> Minimum<N> {
        let Qcqp { a, mu } = self;
        let (a11, a12, a13) = (a[0][0], a[0][1], a[0][2]);
        let (a22, a23, a33) = (a[1][1], a[1][2], a[2][2]);
        let (b1, b2, b3) = (b[0] * mu[0], b[1] * mu[1], b[2] * mu[2]);
        let (mut w1, mut w2, mut w3) = (0.0, 0.0, 0.0);
        let (mut lambda, mut det) = (0.0, 1.0);
        for _ in 0..MAX_ITER {
            // P = (A + λ)⁻¹ without its determinant
            let (d1, d2, d3) = (a11 + lambda, a22 + lambda, a33 + lambda);
            let p11 = d2 * d3 - a23 * a23;
            let p22 = d1 * d3 - a13 * a13;
            let p33 = d1 * d2 - a12 * a12;
            let p12 = a13 * a23 - a12 * d3;
            let p13 = a12 * a23 - a13 * d2;
            let p23 = a12 * a13 - a23 * d1;
            det = d1 * p11 + a12 * p12 + a13 * p13;
            if det < TINY {
                return ([0.0; N], false);
            }

            // y = -P b, and how far it is outside
            w1 = -p11 * b1 - p12 * b2 - p13 * b3;
            w2 = -p12 * b1 - p22 * b2 - p23 * b3;
            w3 = -p13 * b1 - p23 * b2 - p33 * b3;
            let value = w1 * w1 + w2 * w2 + w3 * w3 - r * r * det * det;
            let slope = || {
                (p11 * w1 * w1 + p22 * w2 * w2 + p33 * w3 * w3)
                    + 2.0 * (p12 * w1 * w2 + p13 * w1 * w3 + p23 * w2 * w3)
            };
            match newton_step(value, det, slope) {
                Some(step) => lambda += step,
                None => break,
            }
        }
        let inv = 1.0 / det;
        (first([w1 * inv, w2 * inv, w3 * inv]), lambda != 0.0)
    }

    #[inline(always)]
    fn solve_by_factor(&self, b: &[f64; N], r: f64) -> Minimum<N> {
        let minus_b: [f64; N] = core::array::from_fn(|i| -(b[i] * self.mu[i]));
        let mut y = [0.0; N];
        let mut lambda = 0.0;
        for _ in 0..MAX_ITER {
            let Some(factor) = Ldl::new(self.a, lambda) else {
                return ([0.0; N], false);
            };
            y = factor.solve(&minus_b);
            let value = y.iter().fold(0.0, |sum, y| sum + y * y) - r * r;
            match newton_step(value, 1.0, || factor.inverse_form(&y)) {
                Some(step) => lambda += step,
                None => break,
            }
        }
        (y, lambda != 0.0)
    }
}

/// The first `N` of at most three numbers.
#[inline(always)]
fn first<const N: usize>(y: [f64; 3]) -> [f64; N] {
    core::array::from_fn(|i| y[i % 3])
}

/// A + λ = L D Lᵀ, with L one on the diagonal.
struct Ldl<const N: usize> {
    l: [[f64; N]; N],
    inv_d: [f64; N],
}

impl<const N: usize> Ldl<N> {
    /// None if a pivot is tiny.
    #[inline(always)]
    fn new(a: &[[f64; N]; N], lambda: f64) -> Option<Self> {
        let mut left = *a;
        let mut factor = Ldl { l: [[0.0; N]; N], inv_d: [0.0; N] };
        for j in 0..N {
            let pivot = left[j][j] + lambda;
            if pivot < TINY {
                return None;
            }
            let inv = 1.0 / pivot;
            factor.inv_d[j] = inv;
            for i in j + 1..N {
                factor.l[i][j] = left[i][j] * inv;
                for k in j + 1..=i {
                    left[i][k] -= factor.l[i][j] * left[k][j];
                }
            }
        }
        Some(factor)
    }

    /// L⁻¹ b
    #[inline(always)]
    fn forward(&self, b: &[f64; N]) -> [f64; N] {
        let mut x = *b;
        for j in 0..N {
            for i in j + 1..N {
                x[i] -= self.l[i][j] * x[j];
            }
        }
        x
    }

    /// (A + λ)⁻¹ b
    #[inline(always)]
    fn solve(&self, b: &[f64; N]) -> [f64; N] {
        let mut x = self.forward(b);
        for i in 0..N {
            x[i] *= self.inv_d[i];
        }
        for j in (0..N).rev() {
            for i in 0..j {
                x[i] -= self.l[j][i] * x[j];
            }
        }
        x
    }

    /// b·(A + λ)⁻¹ b
    #[inline(always)]
    fn inverse_form(&self, b: &[f64; N]) -> f64 {
        let x = self.forward(b);
        (0..N).fold(0.0, |sum, i| sum + x[i] * x[i] * self.inv_d[i])
    }
}

/// The step of λ; none if y is inside the ball or the step is too small to matter.
///
/// All is multiplied by powers of the determinant, so that a step needs one division. With y = w /
/// det and P = p / det the value is |y|² - r² times det², the slope y·P y times det³.
#[inline]
fn newton_step(value: f64, det: f64, slope: impl Fn() -> f64) -> Option<f64> {
    if value < TINY * (det * det) {
        return None;
    }
    let step = 0.5 * value * det / slope();
    if step < TINY { None } else { Some(step) }
}

#[cfg(test)]
mod tests {
    use sinew_math::{chol, vector};

    use super::*;

    const MU: [f64; MAX] = [0.8, 0.5, 0.6, 0.7, 0.4];

    /// A problem without pattern, in which the diagonal is heavy.
    struct Problem<const N: usize> {
        a: [[f64; N]; N],
        scaled: [[f64; N]; N],
        mu: [f64; N],
        b: [f64; N],
    }

    impl<const N: usize> Problem<N> {
        fn new(seed: f64) -> Self {
            let mut numbers: Vec<f64> = (0..N * N)
                .map(|k| {
                    let (i, j) = (k / N, k % N);
                    let x = ((i + j) as f64 * 1.3 + (i * j) as f64 + seed).sin();
                    if i == j { x + 4.0 } else { x }
                })
                .collect();
            scale(&mut numbers, &MU, N, |i, j| i * N + j);
            let matrix = |k: usize| {
                core::array::from_fn(|i| core::array::from_fn(|j| numbers[(k + i) * N + j]))
            };
            let b = core::array::from_fn(|k| 5.0 * (k as f64 * 2.1 + seed).cos());
            Problem { a: matrix(0), scaled: matrix(N), mu: core::array::from_fn(|i| MU[i]), b }
        }

        fn qcqp(&self) -> Qcqp<'_, N> {
            Qcqp { a: &self.scaled, mu: self.mu }
        }

        /// Newton's method on λ with Cholesky's factor, as in `mju_QCQP`.
        fn solve_plain(&self, r: f64) -> Minimum<N> {
            let (mut y, mut lambda) = ([0.0; N], 0.0);
            for _ in 0..MAX_ITER {
                let mut factor = self.scaled.as_flattened().to_vec();
                for i in 0..N {
                    factor[i * (N + 1)] += lambda;
                }
                if chol::factor(&mut factor, N, TINY) != N {
                    return ([0.0; N], false);
                }
                y = core::array::from_fn(|i| -self.b[i] * self.mu[i]);
                chol::solve(&factor, &mut y);
                let value = vector::dot(&y, &y) - r * r;
                let mut solved = y;
                chol::solve(&factor, &mut solved);
                match newton_step(value, 1.0, || vector::dot(&y, &solved)) {
                    Some(step) => lambda += step,
                    None => break,
                }
            }
            (y, lambda != 0.0)
        }
    }

    fn minimum_is_stationary<const N: usize>(problem: &Problem<N>, r: f64) {
        let Problem { a, b, mu, .. } = problem;
        let (y, on_surface) = problem.qcqp().solve(b, r);
        let x: [f64; N] = core::array::from_fn(|i| y[i] * mu[i]);
        let radius = (0..N).map(|i| (x[i] / mu[i]).powi(2)).sum::<f64>().sqrt();
        assert!(radius <= r * (1.0 + 1e-4), "{N} {r}: {radius}");

        // A x + b = -λ x / μ², with one λ for all directions
        let slope = |i: usize| b[i] + (0..N).map(|j| a[i][j] * x[j]).sum::<f64>();
        let along = |k: usize| -slope(k) * mu[k] * mu[k] / x[k];
        for i in 0..N {
            if on_surface {
                let (own, first) = (along(i), along(0));
                assert!(first > 0.0 && (own - first).abs() < 1e-4 * first);
            } else {
                assert!(slope(i).abs() < 1e-9, "{N} {r}: {}", slope(i));
            }
        }
    }

    fn agrees_with_the_plain_method<const N: usize>(problem: &Problem<N>, r: f64) {
        let (quick, plain) = (problem.qcqp().solve(&problem.b, r), problem.solve_plain(r));
        assert_eq!(quick.1, plain.1);
        for (q, p) in quick.0.iter().zip(&plain.0) {
            assert!((q - p).abs() < 1e-9 * (1.0 + p.abs()), "{N} {r}: {q} {p}");
        }
    }

    fn check<const N: usize>() {
        for seed in 0..50 {
            let problem = Problem::<N>::new(f64::from(seed));
            for r in [1e3, 0.7, 0.05] {
                minimum_is_stationary(&problem, r);
                agrees_with_the_plain_method(&problem, r);
            }
        }
        if N > 1 {
            let qcqp = Qcqp { a: &[[1.0; N]; N], mu: [1.0; N] };
            assert_eq!(qcqp.solve(&[1.0; N], 1.0), ([0.0; N], false), "a singular matrix");
        }
    }

    #[test]
    fn minima_are_stationary_and_those_of_the_plain_method() {
        check::<1>();
        check::<2>();
        check::<3>();
        check::<4>();
        check::<5>();
    }
}
