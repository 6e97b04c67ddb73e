//! The best friction force of one contact: a quadratic function on an ellipsoid.

use sinew_math::{chol, vector};

/// Most directions that friction has: two of sliding, one of torsion, two of rolling.
const MAX: usize = 5;

/// Newton steps at most; three or four are common.
const MAX_ITER: usize = 20;

/// Below this, a pivot or determinant counts as singular and a residual as zero.
const TINY: f64 = 1e-10;

/// min ½ xᵀ A x + xᵀ b  with  Σ (xᵢ / μᵢ)² ≤ r²
///
/// Scaled by μ the ellipsoid is a ball; on its surface y = x / μ is -(A + λ)⁻¹ b, and Newton's
/// method finds the λ > 0 for which |y| = r.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Qcqp<'a> {
    /// Number of directions.
    pub(crate) n: usize,
    /// A, scaled by μ from both sides, in rows of `n`: see `scale`.
    pub(crate) a: &'a [f64],
    /// Friction of each direction.
    pub(crate) mu: &'a [f64; MAX],
}

/// A minimum, scaled: y. And whether it lies on the surface.
pub(crate) type Minimum = ([f64; MAX], bool);

/// Appends a matrix of `n` rows, scaled; it stays the same while b and r change. Its numbers are
/// further up in `numbers`, where `place` says.
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

impl Qcqp<'_> {
    /// The minimum within radius `r`, zero if A is singular. The surface is met only to about
    /// 1e-10.
    #[doc(alias = "mju_QCQP")]
    pub(crate) fn solve(&self, b: &[f64; MAX], r: f64) -> Minimum {
        match *self.a {
            [a11, a12, _, a22] => self.solve2([a11, a12, a22], b, r),
            [a11, a12, a13, _, a22, a23, _, _, a33] => {
                self.solve3([a11, a12, a13, a22, a23, a33], b, r)
            }
            _ => self.solve_any(b, r),
        }
    }

    #[doc(alias = "mju_QCQP2")]
    #[inline]
    fn solve2(&self, [a11, a12, a22]: [f64; 3], b: &[f64; MAX], r: f64) -> Minimum {
        let mu = &self.mu;
        let (b1, b2) = (b[0] * mu[0], b[1] * mu[1]);
        let (mut w1, mut w2) = (0.0, 0.0);
        let (mut lambda, mut det) = (0.0, 1.0);
        for _ in 0..MAX_ITER {
            // P = (A + λ)⁻¹ without its determinant
            let (p11, p22, p12) = (a22 + lambda, a11 + lambda, -a12);
            det = p11 * p22 - a12 * a12;
            if det < TINY {
                return ([0.0; MAX], false);
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
        ([w1 * inv, w2 * inv, 0.0, 0.0, 0.0], lambda != 0.0)
    }

    #[doc(alias = "mju_QCQP3")]
    fn solve3(&self, [a11, a12, a13, a22, a23, a33]: [f64; 6], b: &[f64; MAX], r: f64) -> Minimum {
        let mu = &self.mu;
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
                return ([0.0; MAX], false);
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
        ([w1 * inv, w2 * inv, w3 * inv, 0.0, 0.0], lambda != 0.0)
    }

    fn solve_any(&self, b: &[f64; MAX], r: f64) -> Minimum {
        let n = self.n.min(MAX);
        let scaled: [f64; MAX] = core::array::from_fn(|i| b[i] * self.mu[i]);
        let mut x = [0.0; MAX];
        let mut lambda = 0.0;
        for _ in 0..MAX_ITER {
            // A + λ = L Lᵀ
            let mut factor = [0.0; MAX * MAX];
            factor[..n * n].copy_from_slice(&self.a[..n * n]);
            for i in 0..n {
                factor[i * (n + 1)] += lambda;
            }
            if chol::factor(&mut factor[..n * n], n, TINY) != n {
                return ([0.0; MAX], false);
            }

            // x = -(A + λ)⁻¹ b
            x = scaled;
            chol::solve(&factor, &mut x[..n]);
            x = x.map(|x| -x);
            let value = vector::dot(&x[..n], &x[..n]) - r * r;
            let slope = || {
                let mut solved = x;
                chol::solve(&factor, &mut solved[..n]);
                vector::dot(&x[..n], &solved[..n])
            };
            match newton_step(value, 1.0, slope) {
                Some(step) => lambda += step,
                None => break,
            }
        }
        (x, lambda != 0.0)
    }
}

/// The step of λ; none if y is inside the ball or the step is too small to matter.
///
/// All is multiplied by powers of the determinant, so that a step needs one division: with
/// y = w / det and P = p / det the value is that of |y|² - r² times det², the slope y·P y times
/// det³.
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
    use super::*;

    const MU: [f64; MAX] = [0.8, 0.5, 0.6, 0.7, 0.4];

    /// A matrix with a heavy diagonal, scaled, and a vector; both without pattern.
    fn problem(n: usize, seed: f64) -> (Vec<f64>, [f64; MAX]) {
        let mut numbers: Vec<f64> = (0..n * n)
            .map(|k| {
                let (i, j) = (k / n, k % n);
                let x = ((i + j) as f64 * 1.3 + (i * j) as f64 + seed).sin();
                if i == j { x + 4.0 } else { x }
            })
            .collect();
        scale(&mut numbers, &MU, n, |i, j| i * n + j);
        let b = core::array::from_fn(|k| 5.0 * (k as f64 * 2.1 + seed).cos());
        (numbers, b)
    }

    #[test]
    fn minima_are_stationary_inside_and_on_the_surface() {
        for n in [2, 3, 5] {
            for seed in 0..20 {
                let (numbers, b) = problem(n, f64::from(seed));
                let (a, scaled) = numbers.split_at(n * n);
                for r in [1e3, 0.7, 0.05] {
                    let (y, on_surface) = Qcqp { n, a: scaled, mu: &MU }.solve(&b, r);
                    let x: [f64; MAX] = core::array::from_fn(|i| y[i] * MU[i]);
                    let radius = (0..n).map(|i| (x[i] / MU[i]).powi(2)).sum::<f64>().sqrt();
                    assert!(radius <= r * (1.0 + 1e-4), "{n} {seed} {r}: {radius}");

                    // A x + b = -λ x / μ², with one λ for all directions
                    for i in 0..n {
                        let slope = b[i] + (0..n).map(|j| a[i * n + j] * x[j]).sum::<f64>();
                        let along = |k: usize| {
                            let slope = b[k] + (0..n).map(|j| a[k * n + j] * x[j]).sum::<f64>();
                            -slope * MU[k] * MU[k] / x[k]
                        };
                        if on_surface {
                            let (own, first) = (along(i), along(0));
                            assert!(first > 0.0 && (own - first).abs() < 1e-4 * first);
                        } else {
                            assert!(slope.abs() < 1e-9, "{n} {seed} {r}: {slope}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn formulas_for_two_and_three_agree_with_the_factor() {
        for n in [2, 3] {
            for seed in 0..20 {
                let (numbers, b) = problem(n, f64::from(seed));
                let qcqp = Qcqp { n, a: &numbers[n * n..], mu: &MU };
                for r in [1e3, 0.7, 0.05] {
                    let (quick, slow) = (qcqp.solve(&b, r), qcqp.solve_any(&b, r));
                    assert_eq!(quick.1, slow.1);
                    for (q, s) in quick.0.iter().zip(&slow.0[..n]) {
                        assert!((q - s).abs() < 1e-9 * (1.0 + s.abs()), "{q} {s}");
                    }
                }
            }
        }
    }

    #[test]
    fn a_singular_matrix_gives_no_force() {
        let qcqp = Qcqp { n: 2, a: &[1.0, 1.0, 1.0, 1.0], mu: &MU };
        assert_eq!(qcqp.solve(&[1.0; MAX], 1.0), ([0.0; MAX], false));
    }
}
