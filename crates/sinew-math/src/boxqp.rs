//! Box-constrained quadratic programs by projected Newton steps.
//!
//! Tassa, Mansard and Todorov, *Control-limited differential dynamic programming* (2014), §III;
//! MuJoCo `mju_boxQP`.

use crate::chol;
use crate::scalar::MINVAL;
use crate::vector::{add_scaled, dot};

/// Maximum number of Newton steps.
const MAX_ITER: usize = 100;

/// Squared norm of the free gradient below which the search ends.
const MIN_GRADIENT_SQUARED: f64 = 1e-16;

/// Factor by which the backtracking line search shortens a step.
const BACKTRACK: f64 = 0.5;

/// Step length below which the line search fails.
const MIN_STEP: f64 = 1e-22;

/// Fraction of the predicted decrease that a step must reach (Armijo's rule).
const ARMIJO: f64 = 0.1;

/// The problem: minimise ½ xᵀ H x + xᵀ g within bounds.
#[derive(Clone, Copy, Debug)]
pub struct BoxQp<'a> {
    /// H, symmetric, in rows.
    pub h: &'a [f64],
    /// g
    pub g: &'a [f64],
    /// Lower bounds, if any.
    pub lower: Option<&'a [f64]>,
    /// Upper bounds, if any.
    pub upper: Option<&'a [f64]>,
}

/// Vectors of the method, in the memory behind the factor.
struct Scratch<'a> {
    gradient: &'a mut [f64],
    /// The step to the minimum over the free dimensions.
    search: &'a mut [f64],
    /// A point of the line search.
    candidate: &'a mut [f64],
    /// A vector over the free dimensions.
    newton: &'a mut [f64],
    /// 1 for each dimension that is held at a bound, else 0.
    held: &'a mut [f64],
    /// The same for the previous step.
    held_before: &'a mut [f64],
}

impl BoxQp<'_> {
    /// Length of the factor's memory with its scratch memory, for `n` dimensions.
    pub const fn scratch_len(n: usize) -> usize {
        n * (n + 7)
    }

    /// Finds the minimum, starting from `x`. Marks in `free` the dimensions that are not at a
    /// bound. The memory `factor`, of at least [`BoxQp::scratch_len`] numbers, receives the
    /// Cholesky factor of their part of H. Returns the number of free dimensions, or `None` if
    /// their part of H is not positive definite.
    #[doc(alias = "mju_boxQP")]
    pub fn solve(&self, x: &mut [f64], factor: &mut [f64], free: &mut [i32]) -> Option<usize> {
        let n = self.g.len();
        let (factor, rest) = factor.split_at_mut(n * n);
        if self.lower.is_none() && self.upper.is_none() {
            return self.solve_unbounded(x, factor, free);
        }
        let mut scratch = Scratch::new(rest, n);
        for i in 0..n {
            x[i] = self.clamped(i, x[i]);
        }
        let mut nfree = n;
        for iter in 0..MAX_ITER {
            // the gradient, and the dimensions that it does not push against a bound
            self.gradient(x, scratch.gradient);
            core::mem::swap(&mut scratch.held, &mut scratch.held_before);
            nfree = 0;
            for i in 0..n {
                let held = self.is_held(i, x[i], scratch.gradient[i]);
                scratch.held[i] = f64::from(u8::from(held));
                if !held {
                    free[nfree] = i as i32;
                    nfree += 1;
                }
            }
            if nfree == 0 {
                return Some(0);
            }

            // Newton step over the free dimensions
            let refactor = iter == 0 || scratch.held != scratch.held_before;
            self.newton_step(x, &free[..nfree], factor, refactor, &mut scratch)?;
            let square = |&i: &i32| scratch.gradient[i as usize] * scratch.gradient[i as usize];
            let norm2 = free[..nfree].iter().map(square).fold(0.0, |sum, x| sum + x);
            if norm2 < MIN_GRADIENT_SQUARED {
                return Some(nfree);
            }
            let slope = dot(scratch.search, scratch.gradient);
            if slope >= 0.0 {
                return None;
            }
            if !self.line_search(x, slope, &mut scratch) {
                return Some(nfree);
            }
        }
        Some(nfree)
    }

    /// x = -H⁻¹ g
    fn solve_unbounded(&self, x: &mut [f64], l: &mut [f64], free: &mut [i32]) -> Option<usize> {
        let n = self.g.len();
        for (i, free) in free.iter_mut().enumerate() {
            *free = i as i32;
        }
        l.copy_from_slice(self.h);
        if chol::factor(l, n, MINVAL) != n {
            return None;
        }
        x.copy_from_slice(self.g);
        chol::solve(l, x);
        x.iter_mut().for_each(|x| *x *= -1.0);
        Some(n)
    }

    /// `x` within the bounds of dimension `i`.
    fn clamped(&self, i: usize, mut x: f64) -> f64 {
        if let Some(lower) = self.lower {
            x = if x > lower[i] { x } else { lower[i] };
        }
        if let Some(upper) = self.upper {
            x = if x < upper[i] { x } else { upper[i] };
        }
        x
    }

    /// Whether dimension `i` is at a bound that the gradient pushes against.
    fn is_held(&self, i: usize, x: f64, grad: f64) -> bool {
        self.lower.is_some_and(|lower| x == lower[i] && grad > 0.0)
            || self.upper.is_some_and(|upper| x == upper[i] && grad < 0.0)
    }

    /// out = H x + g
    fn gradient(&self, x: &[f64], out: &mut [f64]) {
        for (out, row) in out.iter_mut().zip(self.h.chunks_exact(x.len())) {
            *out = dot(row, x);
        }
        add_scaled(out, self.g, 1.0);
    }

    /// ½ xᵀ H x + xᵀ g from the lower triangle of H.
    fn value(&self, x: &[f64]) -> f64 {
        let mut square = 0.0;
        for (i, row) in self.h.chunks_exact(x.len()).enumerate() {
            square += x[i] * row[i] * x[i];
            square += 2.0 * x[i] * dot(&row[..i], &x[..i]);
        }
        0.5 * square + dot(x, self.g)
    }

    /// The step to the minimum over the free dimensions, the others fixed; `None` if there is no
    /// minimum.
    fn newton_step(
        &self,
        x: &[f64],
        free: &[i32],
        factor: &mut [f64],
        refactor: bool,
        scratch: &mut Scratch<'_>,
    ) -> Option<()> {
        let (n, nfree) = (x.len(), free.len());
        let index = |i: usize| free[i] as usize;
        let part = &mut factor[..nfree * nfree];
        if refactor {
            for i in 0..nfree {
                for j in 0..=i {
                    part[i * nfree + j] = self.h[index(i) * n + index(j)];
                }
            }
            if chol::factor(part, nfree, MINVAL) != nfree {
                return None;
            }
        }

        // minus the minimum: H_free⁻¹ (H x_held + g), then the step
        for i in 0..n {
            scratch.candidate[i] = if scratch.held[i] != 0.0 { x[i] } else { 0.0 };
        }
        self.gradient(scratch.candidate, scratch.search);
        let newton = &mut scratch.newton[..nfree];
        for i in 0..nfree {
            newton[i] = scratch.search[index(i)];
        }
        chol::solve(part, newton);
        scratch.search.fill(0.0);
        for i in 0..nfree {
            scratch.search[index(i)] = -newton[i] - x[index(i)];
        }
        Some(())
    }

    /// Shortens the step until the value decreases enough; returns `false` if the step becomes too
    /// short.
    fn line_search(&self, x: &mut [f64], slope: f64, scratch: &mut Scratch<'_>) -> bool {
        let old = self.value(x);
        let mut step = 1.0;
        loop {
            for i in 0..x.len() {
                let to = scratch.search[i] * step + x[i];
                scratch.candidate[i] = match (self.lower, self.upper) {
                    (Some(lower), _) if to < lower[i] => lower[i],
                    (_, Some(upper)) if to > upper[i] => upper[i],
                    _ => to,
                };
            }
            let value = self.value(scratch.candidate);
            step *= BACKTRACK;
            let short = step < MIN_STEP;
            let again = (value - old) / (step * slope) < ARMIJO;
            if short || !again {
                x.copy_from_slice(scratch.candidate);
                return !short;
            }
        }
    }
}

impl<'a> Scratch<'a> {
    fn new(space: &'a mut [f64], n: usize) -> Scratch<'a> {
        let (gradient, space) = space.split_at_mut(n);
        let (search, space) = space.split_at_mut(n);
        let (candidate, space) = space.split_at_mut(n);
        let (newton, space) = space.split_at_mut(n);
        let (held, space) = space.split_at_mut(n);
        let held_before = &mut space[..n];
        Scratch { gradient, search, candidate, newton, held, held_before }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const H: [f64; 4] = [2.0, 0.5, 0.5, 1.0];

    #[test]
    fn without_bounds_the_gradient_vanishes() {
        let program = BoxQp { h: &H, g: &[1.0, -3.0], lower: None, upper: None };
        let (mut x, mut factor, mut free) = ([0.0; 2], [0.0; BoxQp::scratch_len(2)], [0; 2]);
        assert_eq!(program.solve(&mut x, &mut factor, &mut free), Some(2));
        let mut gradient = [0.0; 2];
        program.gradient(&x, &mut gradient);
        assert!(gradient.iter().all(|g| g.abs() < 1e-14));
    }

    #[test]
    fn at_a_bound_the_gradient_points_outwards() {
        let (lower, upper) = ([-0.1, -0.2], [0.1, 0.2]);
        let program = BoxQp { h: &H, g: &[0.1, -3.0], lower: Some(&lower), upper: Some(&upper) };
        let (mut x, mut factor, mut free) = ([0.0; 2], [0.0; BoxQp::scratch_len(2)], [0; 2]);
        assert_eq!(program.solve(&mut x, &mut factor, &mut free), Some(1));
        assert_eq!((x[1], free[0]), (0.2, 0));
        let mut gradient = [0.0; 2];
        program.gradient(&x, &mut gradient);
        assert!(gradient[0].abs() < 1e-8 && gradient[1] < 0.0);
    }

    #[test]
    fn an_indefinite_program_has_no_minimum() {
        let h = H.map(|x| -x);
        let program = BoxQp { h: &h, g: &[1.0, 1.0], lower: Some(&[-1.0; 2]), upper: None };
        let (mut x, mut factor, mut free) = ([0.0; 2], [0.0; BoxQp::scratch_len(2)], [0; 2]);
        assert_eq!(program.solve(&mut x, &mut factor, &mut free), None);
    }
}
