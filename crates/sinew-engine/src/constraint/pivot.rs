//! A small linear complementarity problem, solved by block pivoting.

/// Find f with A f + b = w, where w = 0 for free rows, and f ≥ 0, w ≥ 0, f w = 0 for one-sided rows.
///
/// A is symmetric and positive definite, so the solution is unique and pivoting ends.
#[derive(Debug, Default)]
pub(crate) struct Problem {
    n: usize,
    /// Lower triangle of A, by rows of `n`.
    a: Vec<f64>,
    b: Vec<f64>,
    one_sided: Vec<bool>,
    /// Rows whose force is not zero.
    active: Vec<bool>,
    force: Vec<f64>,
    /// Active rows, the factor of their part of A, and their forces.
    index: Vec<usize>,
    factor: Vec<f64>,
    part: Vec<f64>,
}

impl Problem {
    /// Starts a problem of `n` rows.
    pub(crate) fn reset(&mut self, n: usize) {
        self.n = n;
        for (v, len) in [(&mut self.a, n * n), (&mut self.b, n), (&mut self.force, n)] {
            v.clear();
            v.resize(len, 0.0);
        }
        for v in [&mut self.one_sided, &mut self.active] {
            v.clear();
            v.resize(n, false);
        }
    }

    /// Sets A(i,j) for j ≤ i.
    pub(crate) fn set(&mut self, i: usize, j: usize, x: f64) {
        self.a[i * self.n + j] = x;
    }

    /// Adds to A(i,i).
    pub(crate) fn add_diagonal(&mut self, i: usize, x: f64) {
        self.a[i * self.n + i] += x;
    }

    /// Sets the kind of row `i` and b(i).
    pub(crate) fn set_side(&mut self, i: usize, one_sided: bool, b: f64) {
        self.one_sided[i] = one_sided;
        self.b[i] = b;
        // without other rows, a force is needed where b < 0
        self.active[i] = !one_sided || b < 0.0;
    }

    /// The forces.
    pub(crate) fn solve(&mut self) -> &[f64] {
        // Júdice and Pires (1994): flip all wrong rows while that helps, else the last one alone,
        // which cannot cycle (Murty)
        const PATIENCE: usize = 10;
        let mut fewest = usize::MAX;
        let mut patience = PATIENCE;
        // far above what pivoting needs; a bound for numbers that are not finite
        for _ in 0..100 + 20 * self.n {
            self.solve_active();
            let wrong = (0..self.n).filter(|&i| self.is_wrong(i)).count();
            if wrong == 0 {
                break;
            }
            if wrong < fewest {
                (fewest, patience) = (wrong, PATIENCE);
            } else {
                patience = patience.saturating_sub(1);
            }
            let all = patience > 0;
            for i in (0..self.n).rev() {
                if self.is_wrong(i) {
                    self.active[i] = !self.active[i];
                    if !all {
                        break;
                    }
                }
            }
        }
        &self.force
    }

    /// Whether a one-sided row pulls, or is slack while it should push.
    fn is_wrong(&self, i: usize) -> bool {
        self.one_sided[i]
            && if self.active[i] { self.force[i] < 0.0 } else { self.residual(i) < 0.0 }
    }

    fn at(&self, i: usize, j: usize) -> f64 {
        self.a[i.max(j) * self.n + i.min(j)]
    }

    /// w(i) = (A f + b)(i)
    fn residual(&self, i: usize) -> f64 {
        self.index.iter().fold(self.b[i], |sum, &j| sum + self.at(i, j) * self.force[j])
    }

    /// Forces of the active rows from A f = -b, by Cholesky factor; zero elsewhere.
    fn solve_active(&mut self) {
        self.index.clear();
        self.index.extend((0..self.n).filter(|&i| self.active[i]));
        let k = self.index.len();

        // L Lᵀ = A
        self.factor.clear();
        self.factor.resize(k * k, 0.0);
        for i in 0..k {
            for j in 0..=i {
                let (row_i, row_j) =
                    (&self.factor[i * k..i * k + j], &self.factor[j * k..j * k + j]);
                let dot: f64 = row_i.iter().zip(row_j).map(|(x, y)| x * y).sum();
                let rest = self.at(self.index[i], self.index[j]) - dot;
                self.factor[i * k + j] =
                    if i == j { rest.sqrt() } else { rest / self.factor[j * k + j] };
            }
        }

        // L y = -b,  Lᵀ f = y
        self.part.clear();
        for i in 0..k {
            let dot: f64 = self.part.iter().zip(&self.factor[i * k..]).map(|(x, y)| x * y).sum();
            self.part.push((-self.b[self.index[i]] - dot) / self.factor[i * k + i]);
        }
        for i in (0..k).rev() {
            let dot: f64 = (i + 1..k).map(|j| self.factor[j * k + i] * self.part[j]).sum();
            self.part[i] = (self.part[i] - dot) / self.factor[i * k + i];
        }
        self.force.fill(0.0);
        for (&i, &f) in self.index.iter().zip(&self.part) {
            self.force[i] = f;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn random_problems_are_solved() {
        let mut state = 1u64;
        let mut random = move || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 11) as f64 / (1u64 << 53) as f64 - 0.5
        };
        let mut p = Problem::default();
        for n in 1..12 {
            // A = B Bᵀ + ε
            let b: Vec<f64> = (0..n * n).map(|_| random()).collect();
            p.reset(n);
            for i in 0..n {
                for j in 0..=i {
                    p.set(i, j, (0..n).map(|k| b[i * n + k] * b[j * n + k]).sum());
                }
                p.add_diagonal(i, 1e-3);
                p.set_side(i, i % 3 != 0, random());
            }
            p.solve();
            for i in 0..n {
                let (f, w) = (p.force[i], p.residual(i));
                if p.one_sided[i] {
                    assert!(f >= 0.0 && w > -1e-9 && (f * w).abs() < 1e-9, "{n}: {f}, {w}");
                } else {
                    assert!(w.abs() < 1e-9, "{n}: {w}");
                }
            }
        }
    }
}
