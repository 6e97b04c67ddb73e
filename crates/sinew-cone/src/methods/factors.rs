//! A matrix with a symmetric profile, and its factors: Cholesky's factors, or where contacts slide,
//! factors of elimination with row exchanges.

use sinew_math::chol::skyline::Cholesky;
use sinew_math::lu::skyline::Lu;

/// The matrix, or its factors.
#[derive(Clone, Debug, Default)]
pub(super) struct Factors {
    /// Rows, and whether the matrix is not symmetric.
    n: usize,
    slides: bool,
    lu: Lu,
    pub(super) cholesky: Cholesky,
}

impl Factors {
    /// A matrix with one row per end; ends must not fall. If it `slides` it is zero, else its upper
    /// triangle is to be filled in.
    pub(super) fn reset(&mut self, ends: &[usize], slides: bool) {
        (self.n, self.slides) = (ends.len(), slides);
        if slides {
            self.lu.reset(ends);
        } else {
            self.cholesky.reset(ends);
        }
    }

    /// Writes a row from its first column to its end.
    pub(super) fn set_row(&mut self, i: usize, from: usize, line: &[f64]) {
        if self.slides {
            self.lu.row(i)[from..from + line.len()].copy_from_slice(line);
        } else {
            self.cholesky.set_row(i, from, line);
        }
    }

    /// Makes a matrix whose size is padded the identity, and gives its rows, one after the other.
    pub(super) fn set_identity(&mut self) -> &mut [f64] {
        if self.slides {
            (0..self.n).for_each(|i| self.lu.k[i * (self.n + 1)] = 1.0);
            return &mut self.lu.k;
        }
        self.cholesky.set_identity(0);
        &mut self.cholesky.k
    }

    /// False if the matrix is singular.
    pub(super) fn factor(&mut self) -> bool {
        if self.slides { self.lu.factor() } else { self.cholesky.factor() }
    }

    /// Solves in place; `x` has numbers beyond the rows that fill a register, or more.
    pub(super) fn solve(&self, x: &mut [f64]) {
        if self.slides {
            self.lu.solve(&mut x[..self.n]);
        } else {
            x[self.n..].fill(0.0);
            self.cholesky.solve(x);
        }
    }
}
