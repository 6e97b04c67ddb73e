//! A matrix with a symmetric profile, and its factors: Cholesky's, or where contacts slide those of
//! elimination with row exchanges.

use std::ops::Range;

use sinew_math::chol::skyline;
use sinew_math::lu::skyline::Lu;
use sinew_math::simd::{LANES, padded};

/// The matrix, or its factors.
#[derive(Clone, Debug, Default)]
pub(super) struct Factors {
    /// Rows, and whether the matrix is not symmetric.
    n: usize,
    slides: bool,
    lu: Lu,
    cholesky: Cholesky,
}

/// Cholesky's factor of a matrix whose size is padded.
#[derive(Clone, Debug, Default)]
pub(super) struct Cholesky {
    k: Vec<f64>,
    inverse: Vec<f64>,
    panels: Vec<usize>,
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

    /// Writes a row from its first column to its end; what `line` has beyond is lost.
    pub(super) fn set_row(&mut self, i: usize, columns: Range<usize>, line: &mut [f64]) {
        let (mut to, size) = (columns.end, padded(self.n));
        let row = if self.slides {
            self.lu.row(i)
        } else {
            to = self.cholesky.panels[i / LANES];
            line[columns.end..to].fill(0.0);
            &mut self.cholesky.k[i * size..(i + 1) * size]
        };
        row[columns.start..to].copy_from_slice(&line[columns.start..to]);
    }

    /// Makes a matrix whose size is padded the identity, and gives its rows, one after the other.
    pub(super) fn set_identity(&mut self) -> &mut [f64] {
        let Cholesky { k, panels, .. } = &mut self.cholesky;
        let k = if self.slides { &mut self.lu.k } else { k };
        for (i, row) in k.chunks_exact_mut(self.n.max(1)).enumerate() {
            if !self.slides {
                row[i / LANES * LANES..panels[i / LANES]].fill(0.0);
            }
            row[i] = 1.0;
        }
        k
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

    /// Exchanges Cholesky's factor with another one.
    pub(super) fn swap(&mut self, other: &mut Cholesky) {
        std::mem::swap(&mut self.cholesky, other);
    }
}

impl Cholesky {
    fn reset(&mut self, ends: &[usize]) {
        let (n, size) = (ends.len(), padded(ends.len()));
        self.panels.clear();
        self.panels.extend(ends.chunks(LANES).map(|ends| padded(ends[ends.len() - 1])));
        self.inverse.resize(size, 0.0);
        self.k.resize(size * size, 0.0);

        // the rest of the last panel is that of the identity
        for i in n..size {
            let row = &mut self.k[i * size..(i + 1) * size];
            row[i..].fill(0.0);
            row[i] = 1.0;
        }
    }

    fn factor(&mut self) -> bool {
        skyline::factor(&mut self.k, &self.panels, &mut self.inverse)
    }

    /// Solves in place; `x` is padded, with zeros.
    pub(super) fn solve(&self, x: &mut [f64]) {
        let x = &mut x[..self.inverse.len()];
        skyline::solve(&self.k, &self.panels, &self.inverse, x);
    }
}
