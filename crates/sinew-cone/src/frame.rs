//! The frame all methods work in: every elliptic cone becomes the Lorentz cone `|t| <= n`, and every
//! diagonal block of the matrix gets a largest eigenvalue of about one.
//!
//! `λ = S y` with `S = s diag(1, mu_1, mu_2, ..)` per contact, `P = S A S`, `q = S b`. The natural map
//! in `y` with step one is then the natural map with a step per contact that fits its inertia, and
//! its projection has a closed form even where the friction differs between axes. Axes without
//! friction have no `y`.

use crate::{Cone, Problem, dense};

/// What a block of `y` is confined to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Shape {
    Free,
    Ray,
    Interval(f64, f64),
    Lorentz,
}

/// Rows `start..start + dim` of the frame.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Block {
    pub(crate) shape: Shape,
    pub(crate) start: usize,
    pub(crate) dim: usize,
}

impl Block {
    pub(crate) fn range(&self) -> std::ops::Range<usize> {
        self.start..self.start + self.dim
    }
}

/// Most rows of a block.
pub(crate) const WIDEST: usize = 6;

/// The scaled problem.
#[derive(Clone, Debug, Default)]
pub(crate) struct Frame {
    pub(crate) blocks: Vec<Block>,
    /// Row of the problem behind each row of the frame.
    pub(crate) rows: Vec<usize>,
    /// `S`.
    pub(crate) scale: Vec<f64>,
    pub(crate) p: Vec<f64>,
    pub(crate) q: Vec<f64>,
    /// Rows of the problem.
    total: usize,
}

impl Frame {
    pub(crate) fn len(&self) -> usize {
        self.rows.len()
    }

    /// Takes over a problem; buffers are kept.
    pub(crate) fn set(&mut self, problem: &Problem<'_>, regularization: f64) {
        let (a, n) = (problem.a(), problem.rows());
        self.total = n;
        self.blocks.clear();
        self.rows.clear();
        self.scale.clear();
        let mut first = 0;
        for cone in problem.cones() {
            let start = self.rows.len();
            self.rows.push(first);
            self.scale.push(1.0);
            for (j, &mu) in cone.friction().iter().enumerate().filter(|(_, mu)| **mu > 0.0) {
                self.rows.push(first + 1 + j);
                self.scale.push(mu);
            }
            let dim = self.rows.len() - start;
            let s = self.block_scale(a, n, start, dim);
            self.scale[start..].iter_mut().for_each(|x| *x *= s);
            let shape = match *cone {
                Cone::Free => Shape::Free,
                Cone::Interval { lower, upper } => Shape::Interval(lower / s, upper / s),
                _ if dim == 1 => Shape::Ray,
                _ => Shape::Lorentz,
            };
            self.blocks.push(Block { shape, start, dim });
            first += cone.dim();
        }

        // P = S (A + Aᵀ)/2 S, with the optional relative weight on the diagonal
        let m = self.len();
        self.p.resize(m * m, 0.0);
        for i in 0..m {
            let row = &a[self.rows[i] * n..][..n];
            for j in 0..i {
                let mean = 0.5 * (row[self.rows[j]] + a[self.rows[j] * n + self.rows[i]]);
                let scaled = mean * (self.scale[i] * self.scale[j]);
                self.p[i * m + j] = scaled;
                self.p[j * m + i] = scaled;
            }
            self.p[i * m + i] =
                row[self.rows[i]] * (1.0 + regularization) * (self.scale[i] * self.scale[i]);
        }
        self.set_rhs(problem.b());
    }

    /// `q = S b`.
    pub(crate) fn set_rhs(&mut self, b: &[f64]) {
        self.q.clear();
        self.q.extend(self.rows.iter().zip(&self.scale).map(|(&r, s)| b[r] * s));
    }

    /// `1 / sqrt` of (almost) the largest eigenvalue of the block that was just laid out.
    fn block_scale(&self, a: &[f64], n: usize, start: usize, dim: usize) -> f64 {
        let mut block = [[0.0; WIDEST]; WIDEST];
        let mut trace = 0.0;
        for i in 0..dim {
            for j in 0..dim {
                let entry = a[self.rows[start + i] * n + self.rows[start + j]];
                block[i][j] = entry * self.scale[start + i] * self.scale[start + j];
            }
            trace += block[i][i];
        }
        if trace.is_nan() || trace <= 0.0 || trace.is_infinite() {
            return 1.0;
        }
        if dim == 1 {
            return 1.0 / trace.sqrt();
        }

        // |B⁸| with the Frobenius norm is at most sqrt(dim) above the eighth power of the largest
        // eigenvalue: 7 % too much for three rows, and never too little
        block.iter_mut().flatten().for_each(|x| *x /= trace);
        for _ in 0..3 {
            let mut square = [[0.0; WIDEST]; WIDEST];
            for i in 0..dim {
                for j in 0..dim {
                    square[i][j] = (0..dim).map(|k| block[i][k] * block[k][j]).sum();
                }
            }
            block = square;
        }
        let norm = block.iter().flatten().map(|x| x * x).sum::<f64>().sqrt();
        1.0 / (trace * norm.powf(0.125)).sqrt()
    }

    /// `y` of an impulse.
    pub(crate) fn enter(&self, impulses: &[f64], y: &mut [f64]) {
        for ((y, &r), s) in y.iter_mut().zip(&self.rows).zip(&self.scale) {
            *y = impulses[r] / s;
        }
    }

    /// The impulse of `y`; rows without friction are zero.
    pub(crate) fn leave(&self, y: &[f64], impulses: &mut [f64]) {
        debug_assert_eq!(impulses.len(), self.total);
        impulses.fill(0.0);
        for ((y, &r), s) in y.iter().zip(&self.rows).zip(&self.scale) {
            impulses[r] = y * s;
        }
    }

    /// `w = P y - q`.
    pub(crate) fn gradient(&self, y: &[f64], w: &mut [f64]) {
        dense::gradient(&self.p, y, &self.q, w);
    }

    /// A row of `P`.
    pub(crate) fn p_row(&self, row: usize) -> &[f64] {
        let m = self.len();
        &self.p[row * m..(row + 1) * m]
    }
}
