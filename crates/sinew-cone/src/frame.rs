//! The frame all methods work in: every elliptic cone becomes the Lorentz cone `|t| <= n`, and every
//! diagonal block of the matrix gets a largest eigenvalue of about one.
//!
//! `λ = S y` with `S = s diag(1, mu_1, mu_2, ..)` per contact, `P = S A S`, `q = S b`. The natural map
//! in `y` with step one is then the natural map with a step per contact that fits its inertia, and
//! its projection has a closed form even where the friction differs between axes. Axes without
//! friction have no `y`.
//!
//! Contacts that share no body do not couple. The blocks are reordered so that those that do are near
//! each other (Cuthill and McKee 1969, reversed); everything then works on the stretch of a row that can
//! be nonzero.

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
    /// Index of the cone.
    pub(crate) cone: usize,
    /// First and one past the last row of the frame it couples with.
    pub(crate) span: (usize, usize),
    /// Last block that this one or an earlier one couples with.
    pub(crate) reach: usize,
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
    /// First row of each cone.
    first: Vec<usize>,
    graph: Graph,
}

impl Frame {
    pub(crate) fn len(&self) -> usize {
        self.rows.len()
    }

    /// Takes over a problem; buffers are kept.
    pub(crate) fn set(&mut self, problem: &Problem<'_>, regularization: f64) {
        let (a, n) = (problem.a(), problem.rows());
        self.total = n;
        self.first.clear();
        let mut rows = 0;
        for cone in problem.cones() {
            self.first.push(rows);
            rows += cone.dim();
        }
        self.graph.set(a, n, &self.first);
        self.graph.arrange();
        self.lay_out(problem);
        self.couple();

        // P = S A S, with the optional relative weight on the diagonal
        let m = self.len();
        self.p.resize(m * m, 0.0);
        for i in 0..m {
            let (row, scale) = (&a[self.rows[i] * n..][..n], self.scale[i]);
            for j in 0..i {
                let scaled = row[self.rows[j]] * (scale * self.scale[j]);
                self.p[i * m + j] = scaled;
                self.p[j * m + i] = scaled;
            }
            self.p[i * m + i] = row[self.rows[i]] * (1.0 + regularization) * (scale * scale);
        }
        self.set_rhs(problem.b());
    }

    /// Blocks in the order of the graph, with their rows and scales.
    fn lay_out(&mut self, problem: &Problem<'_>) {
        self.blocks.clear();
        self.rows.clear();
        self.scale.clear();
        for at in 0..self.graph.order.len() {
            let c = self.graph.order[at];
            let (cone, first) = (&problem.cones()[c], self.first[c]);
            let start = self.rows.len();
            self.rows.push(first);
            self.scale.push(1.0);
            for (j, &mu) in cone.friction().iter().enumerate().filter(|(_, mu)| **mu > 0.0) {
                self.rows.push(first + 1 + j);
                self.scale.push(mu);
            }
            let dim = self.rows.len() - start;
            let s = self.block_scale(problem.a(), problem.rows(), start, dim);
            self.scale[start..].iter_mut().for_each(|x| *x *= s);
            let shape = match *cone {
                Cone::Free => Shape::Free,
                Cone::Interval { lower, upper } => Shape::Interval(lower / s, upper / s),
                _ if dim == 1 => Shape::Ray,
                _ => Shape::Lorentz,
            };
            self.blocks.push(Block { shape, start, dim, cone: c, span: (0, 0), reach: 0 });
        }
    }

    /// Spans and reaches of the blocks.
    fn couple(&mut self) {
        let mut reach = 0;
        for at in 0..self.blocks.len() {
            let c = self.blocks[at].cone;
            let coupled = |other: &Block| other.cone == c || self.graph.linked(c, other.cone);
            let first = self.blocks.iter().position(coupled).unwrap_or(at);
            let last = self.blocks.iter().rposition(coupled).unwrap_or(at);
            reach = reach.max(last);
            let span = (self.blocks[first].start, self.blocks[last].range().end);
            self.blocks[at].span = span;
            self.blocks[at].reach = reach;
        }
    }

    /// `q = S b`.
    pub(crate) fn set_rhs(&mut self, b: &[f64]) {
        self.q.clear();
        self.q.extend(self.rows.iter().zip(&self.scale).map(|(&r, s)| b[r] * s));
    }

    /// `1 / sqrt` of (almost) the largest eigenvalue of the block that was just laid out.
    fn block_scale(&self, a: &[f64], n: usize, start: usize, dim: usize) -> f64 {
        match dim {
            1 => self.bound_scale::<1>(a, n, start),
            2 => self.bound_scale::<2>(a, n, start),
            3 => self.bound_scale::<3>(a, n, start),
            4 => self.bound_scale::<4>(a, n, start),
            5 => self.bound_scale::<5>(a, n, start),
            _ => self.bound_scale::<6>(a, n, start),
        }
    }

    fn bound_scale<const N: usize>(&self, a: &[f64], n: usize, start: usize) -> f64 {
        let mut block = [[0.0; N]; N];
        let mut trace = 0.0;
        for i in 0..N {
            for j in 0..N {
                let entry = a[self.rows[start + i] * n + self.rows[start + j]];
                block[i][j] = entry * self.scale[start + i] * self.scale[start + j];
            }
            trace += block[i][i];
        }
        if trace.is_nan() || trace <= 0.0 || trace.is_infinite() {
            return 1.0;
        }
        if N == 1 {
            return 1.0 / trace.sqrt();
        }

        // |B⁸| with the Frobenius norm is at most sqrt(N) above the eighth power of the largest
        // eigenvalue: 7 % too much for three rows, and never too little
        block.iter_mut().flatten().for_each(|x| *x /= trace);
        for _ in 0..3 {
            let mut square = [[0.0; N]; N];
            for i in 0..N {
                for j in 0..N {
                    square[i][j] = (0..N).map(|k| block[i][k] * block[k][j]).sum();
                }
            }
            block = square;
        }
        let norm = block.iter().flatten().map(|x| x * x).sum::<f64>().sqrt();
        1.0 / (trace * norm.sqrt().sqrt().sqrt()).sqrt()
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
        for (w, q) in w.iter_mut().zip(&self.q) {
            *w = -q;
        }
        self.add_image(y, w);
    }

    /// `out += P x`.
    pub(crate) fn add_image(&self, x: &[f64], out: &mut [f64]) {
        for block in &self.blocks {
            self.add_block_image(block, &x[block.range()], out);
        }
    }

    /// `out += P x` for an `x` that is zero outside of a block.
    pub(crate) fn add_block_image(&self, block: &Block, x: &[f64], out: &mut [f64]) {
        let (from, to) = block.span;
        let out = &mut out[from..to];
        if let [a, b, c] = *x {
            if a != 0.0 || b != 0.0 || c != 0.0 {
                let row = |k: usize| &self.p_row(block.start + k)[from..to];
                dense::axpy3([a, b, c], [row(0), row(1), row(2)], out);
            }
            return;
        }
        for (k, x) in x.iter().enumerate().filter(|(_, x)| **x != 0.0) {
            dense::axpy(*x, &self.p_row(block.start + k)[from..to], out);
        }
    }

    /// A row of `P`.
    pub(crate) fn p_row(&self, row: usize) -> &[f64] {
        let m = self.len();
        &self.p[row * m..(row + 1) * m]
    }
}

/// Which cones couple, and an order that keeps those together.
#[derive(Clone, Debug, Default)]
struct Graph {
    n: usize,
    links: Vec<bool>,
    degree: Vec<usize>,
    order: Vec<usize>,
    placed: Vec<bool>,
}

/// Up to this many cones are left in their order: nothing is gained.
const SMALL: usize = 4;

impl Graph {
    fn linked(&self, a: usize, b: usize) -> bool {
        self.links[a * self.n + b]
    }

    /// Reads the coupling off the zeros of the matrix.
    fn set(&mut self, a: &[f64], rows: usize, first: &[usize]) {
        self.n = first.len();
        self.links.clear();
        self.links.resize(self.n * self.n, self.n <= SMALL);
        self.degree.clear();
        self.degree.resize(self.n, 0);
        if self.n <= SMALL {
            return;
        }
        let range = |c: usize| first[c]..first.get(c + 1).copied().unwrap_or(rows);
        for c in 0..self.n {
            for other in 0..c {
                let mut lines = a[range(c).start * rows..range(c).end * rows].chunks_exact(rows);
                if lines.any(|line| line[range(other)].iter().any(|x| *x != 0.0)) {
                    self.links[c * self.n + other] = true;
                    self.links[other * self.n + c] = true;
                    self.degree[c] += 1;
                    self.degree[other] += 1;
                }
            }
        }
    }

    /// Breadth first from a cone of lowest degree, neighbours of low degree first; then backwards.
    fn arrange(&mut self) {
        self.order.clear();
        if self.n <= SMALL {
            self.order.extend(0..self.n);
            return;
        }
        self.placed.clear();
        self.placed.resize(self.n, false);
        let mut at = 0;
        while self.order.len() < self.n {
            if at == self.order.len() {
                let open = (0..self.n).filter(|c| !self.placed[*c]);
                let Some(next) = open.min_by_key(|c| self.degree[*c]) else { break };
                self.placed[next] = true;
                self.order.push(next);
            }
            let from = self.order.len();
            for c in 0..self.n {
                if !self.placed[c] && self.linked(self.order[at], c) {
                    self.placed[c] = true;
                    self.order.push(c);
                }
            }
            let degree = &self.degree;
            self.order[from..].sort_unstable_by_key(|c| (degree[*c], *c));
            at += 1;
        }
        self.order.reverse();
    }
}
