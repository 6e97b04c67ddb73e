//! Dense systems with a matrix that is not symmetric, and may be singular.

/// Share of the diagonal that is added, so that statically indeterminate rows have one solution.
const SOFT: f64 = 1e-8;

/// Steps that remove the effect of `SOFT` on rows that are determined.
const REFINEMENTS: usize = 3;

/// A matrix and its factor.
#[derive(Debug, Default)]
pub(super) struct Dense {
    n: usize,
    matrix: Vec<f64>,
    factor: Vec<f64>,
    pivots: Vec<usize>,
    left: Vec<f64>,
    right: Vec<f64>,
}

impl Dense {
    /// Factors a matrix of n rows, with a share of `soft` added to it.
    pub(super) fn factor(&mut self, n: usize, matrix: &[f64], soft: &[f64]) {
        self.n = n;
        self.matrix.clear();
        self.matrix.extend_from_slice(matrix);
        self.factor.clear();
        self.factor.extend(matrix.iter().zip(soft).map(|(x, soft)| x + SOFT * soft));
        self.pivots.clear();
        let lu = &mut self.factor;
        for k in 0..n {
            let size = |row: &usize| lu[row * n + k].abs();
            let pivot = (k..n).max_by(|a, b| size(a).total_cmp(&size(b))).unwrap_or(k);
            self.pivots.push(pivot);
            for j in 0..n {
                lu.swap(k * n + j, pivot * n + j);
            }
            let inverse = 1.0 / lu[k * n + k];
            for i in k + 1..n {
                let (above, below) = lu.split_at_mut(i * n);
                let share = below[k] * inverse;
                below[k] = share;
                if share != 0.0 {
                    let pivot = &above[k * n + k + 1..k * n + n];
                    below[k + 1..n].iter_mut().zip(pivot).for_each(|(x, p)| *x -= share * p);
                }
            }
        }
    }

    /// In place x = matrix⁻¹ x.
    pub(super) fn solve(&mut self, x: &mut [f64]) {
        let [mut left, mut right] =
            [core::mem::take(&mut self.left), core::mem::take(&mut self.right)];
        right.clear();
        right.extend_from_slice(x);
        self.substitute(x);
        for _ in 0..REFINEMENTS {
            left.clear();
            left.extend(right.iter().enumerate().map(|(i, b)| {
                let row = &self.matrix[i * self.n..(i + 1) * self.n];
                b - row.iter().zip(&*x).map(|(a, x)| a * x).sum::<f64>()
            }));
            self.substitute(&mut left);
            x.iter_mut().zip(&left).for_each(|(x, more)| *x += more);
        }
        (self.left, self.right) = (left, right);
    }

    fn substitute(&self, x: &mut [f64]) {
        let (n, lu) = (self.n, &self.factor);
        for k in 0..n {
            x.swap(k, self.pivots[k]);
        }
        for i in 0..n {
            let sum: f64 = lu[i * n..i * n + i].iter().zip(&x[..i]).map(|(a, x)| a * x).sum();
            x[i] -= sum;
        }
        for i in (0..n).rev() {
            let row = &lu[i * n + i + 1..(i + 1) * n];
            let sum: f64 = row.iter().zip(&x[i + 1..]).map(|(a, x)| a * x).sum();
            x[i] = (x[i] - sum) / lu[i * n + i];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_singular_system_that_agrees_with_itself_is_solved() {
        let matrix = [2.0, 2.0, 1.0, 2.0, 2.0, 1.0, 0.0, 3.0, -1.0];
        let mut dense = Dense::default();
        dense.factor(3, &matrix, &[1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]);
        let mut x = [3.0, 3.0, 5.0];
        dense.solve(&mut x);
        for (row, wanted) in matrix.chunks_exact(3).zip([3.0, 3.0, 5.0]) {
            let found: f64 = row.iter().zip(&x).map(|(a, x)| a * x).sum();
            assert!((found - wanted).abs() < 1e-9, "{found} instead of {wanted}");
        }
    }
}
