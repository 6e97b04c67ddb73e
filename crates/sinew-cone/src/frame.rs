//! The frame all methods work in: every elliptic cone becomes the Lorentz cone `|t| <= n`, and
//! every diagonal block of the matrix gets a largest eigenvalue of about one.
//!
//! `λ = S y` with `S = s diag(1, mu_1, mu_2, ..)` per contact, `P = S A S`, `q = S b`. The natural
//! map in `y` with step one is then the natural map with a step per contact that fits its inertia,
//! and its projection has a closed form even where the friction differs between axes. Axes without
//! friction have no `y`.
//!
//! Contacts that share no body do not couple. The blocks are reordered so that those that do are
//! near each other (Cuthill and McKee 1969, reversed); everything then works on the stretch of a
//! row that can be nonzero.

use sinew_math::simd::{LANES, Lane, dispatch, lanes_mut, padded};

use crate::cone::Cone;
use crate::dense;
use crate::problem::Problem;
use crate::tuning::{FEW_CONES, MOST_WHOLE};

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
    /// Friction where it is the same on all axes, else zero.
    pub(crate) round: f64,
    /// Of how many round contacts with three rows this is the first, to be taken together.
    pub(crate) group: usize,
    /// First and one past the last row of the frame it couples with, both padded.
    pub(crate) span: (usize, usize),
    /// Last block that this one or an earlier one couples with.
    pub(crate) reach: usize,
}

impl Block {
    pub(crate) fn range(&self) -> std::ops::Range<usize> {
        self.start..self.start + self.dim
    }

    /// Whether a block that begins with `y` is away from the apex and from the ends of an interval.
    pub(crate) fn moves(&self, y: f64) -> bool {
        match self.shape {
            Shape::Free => true,
            Shape::Ray | Shape::Lorentz => y > 0.0,
            Shape::Interval(lower, upper) => lower < y && y < upper,
        }
    }

    /// Three rows that are neighbours in the problem too.
    fn whole(&self) -> bool {
        self.round > 0.0 && self.dim == 3
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
    /// `S⁻¹`.
    pub(crate) inverse_scale: Vec<f64>,
    /// `P`, its rows padded with zeros.
    p: Vec<f64>,
    /// Its diagonal, while `P` has another.
    hard: Vec<f64>,
    /// Step of the residual: one over the mean of the diagonal of `A`.
    pub(crate) step: f64,
    /// `S b`, padded.
    pub(crate) q: Vec<f64>,
    /// Length of vectors, and of a row of `P`.
    ld: usize,
    /// Rows of the problem.
    total: usize,
    /// First row of each cone.
    first: Vec<usize>,
    /// Diagonal blocks of three rows, scaled by friction alone: 00, 01, 02, 11, 12, 22.
    three: Vec<[f64; 6]>,
    graph: Graph,
}

impl Frame {
    pub(crate) fn len(&self) -> usize {
        self.rows.len()
    }

    /// Length of vectors, and of a row of `P`.
    pub(crate) fn stride(&self) -> usize {
        self.ld
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
        self.lay_out(problem.cones(), &|_, i, j| a[i * n + j]);
        self.couple();

        scale_matrix(self, a, regularization);
        self.set_rhs(problem.b());
    }

    /// Adds a share of it to the diagonal of `P`, until `harden`.
    pub(crate) fn soften(&mut self, share: f64) {
        self.hard.clear();
        for k in 0..self.len() {
            let entry = &mut self.p[k * self.ld + k];
            self.hard.push(*entry);
            *entry *= 1.0 + share;
        }
    }

    /// Takes that away again.
    pub(crate) fn harden(&mut self) {
        for (k, entry) in self.hard.iter().enumerate() {
            self.p[k * self.ld + k] = *entry;
        }
    }

    /// Takes over cones and right-hand side alone: there is no `P`. `entry` has what is needed of
    /// `A`, the blocks on its diagonal: of a cone, at a row and a column.
    pub(crate) fn set_without_matrix(
        &mut self,
        cones: &[Cone],
        b: &[f64],
        entry: &impl Fn(usize, usize, usize) -> f64,
    ) {
        self.total = b.len();
        self.first.clear();
        let mut rows = 0;
        for cone in cones {
            self.first.push(rows);
            rows += cone.dim();
        }
        self.graph.order.clear();
        self.graph.order.extend(0..cones.len());
        self.lay_out(cones, entry);
        self.set_rhs(b);
    }

    /// Blocks in the order of the graph, with their rows, scales and groups.
    fn lay_out(&mut self, cones: &[Cone], entry: &impl Fn(usize, usize, usize) -> f64) {
        self.blocks.clear();
        self.rows.clear();
        self.scale.clear();
        self.three.clear();
        for at in 0..self.graph.order.len() {
            let c = self.graph.order[at];
            let (cone, first) = (&cones[c], self.first[c]);
            let start = self.rows.len();
            self.rows.push(first);
            self.scale.push(1.0);
            for (j, &mu) in cone.friction().iter().enumerate().filter(|(_, mu)| **mu > 0.0) {
                self.rows.push(first + 1 + j);
                self.scale.push(mu);
            }
            let dim = self.rows.len() - start;
            let mu = cone.friction();
            let round = if dim == cone.dim() && mu.iter().all(|m| *m == mu[0]) {
                mu.first().copied().unwrap_or(0.0)
            } else {
                0.0
            };
            let (mut s, mut three) = (1.0, [0.0; 6]);
            if round > 0.0 && dim == 3 {
                let at = |i: usize, j: usize| entry(c, first + i, first + j);
                let square = round * round;
                three = [
                    at(0, 0),
                    at(0, 1) * round,
                    at(0, 2) * round,
                    at(1, 1) * square,
                    at(1, 2) * square,
                    at(2, 2) * square,
                ];
            } else {
                s = self.block_scale(&|i, j| entry(c, i, j), start, dim);
                self.scale[start..].iter_mut().for_each(|x| *x *= s);
            }
            self.three.push(three);
            let shape = match *cone {
                Cone::Free => Shape::Free,
                Cone::Interval { lower, upper } => Shape::Interval(lower / s, upper / s),
                _ if dim == 1 => Shape::Ray,
                _ => Shape::Lorentz,
            };
            self.blocks.push(Block {
                shape,
                start,
                dim,
                cone: c,
                round,
                group: 0,
                span: (0, 0),
                reach: 0,
            });
        }
        let mut at = 0;
        while at < self.blocks.len() {
            let group = self.blocks[at..].iter().take(LANES).take_while(|b| b.whole()).count();
            self.blocks[at].group = group;
            at += group.max(1);
        }
        scale_groups(self);
        self.ld = padded(self.len());
        self.inverse_scale.clear();
        self.inverse_scale.extend(self.scale.iter().map(|s| 1.0 / s));
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
            let (from, to) = (self.blocks[first].start, self.blocks[last].range().end);
            self.blocks[at].span = (from / LANES * LANES, padded(to));
            self.blocks[at].reach = reach;
        }
    }

    /// `q = S b`.
    pub(crate) fn set_rhs(&mut self, b: &[f64]) {
        self.q.clear();
        self.q.extend(self.rows.iter().zip(&self.scale).map(|(&r, s)| b[r] * s));
        self.q.resize(self.stride(), 0.0);
    }

    /// `1 / sqrt` of (almost) the largest eigenvalue of the block that was just laid out.
    fn block_scale(&self, entry: &impl Fn(usize, usize) -> f64, start: usize, dim: usize) -> f64 {
        match dim {
            1 => self.bound_scale::<1>(entry, start),
            2 => self.bound_scale::<2>(entry, start),
            3 => self.bound_scale::<3>(entry, start),
            4 => self.bound_scale::<4>(entry, start),
            5 => self.bound_scale::<5>(entry, start),
            _ => self.bound_scale::<6>(entry, start),
        }
    }

    fn bound_scale<const N: usize>(
        &self,
        entry: &impl Fn(usize, usize) -> f64,
        start: usize,
    ) -> f64 {
        let mut block = [[0.0; N]; N];
        let mut trace = 0.0;
        for i in 0..N {
            for j in 0..N {
                let entry = entry(self.rows[start + i], self.rows[start + j]);
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
        let over = 1.0 / trace;
        block.iter_mut().flatten().for_each(|x| *x *= over);
        for _ in 0..3 {
            let mut square = [[0.0; N]; N];
            for i in 0..N {
                for j in 0..=i {
                    square[i][j] = (0..N).map(|k| block[i][k] * block[j][k]).sum();
                    square[j][i] = square[i][j];
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
        if y.iter().any(|y| *y != 0.0) {
            add_image(self, y, w);
        }
    }

    /// `out += P x`.
    pub(crate) fn add_image(&self, x: &[f64], out: &mut [f64]) {
        add_image(self, x, out);
    }

    /// `out += P x` for an `x` that is zero outside of a block.
    #[inline(always)]
    pub(crate) fn add_block_image<L: Lane>(&self, block: &Block, x: &[f64], out: &mut [f64]) {
        let (from, to) = block.span;
        let out = &mut out[from..to];
        if let [a, b, c] = *x {
            if a != 0.0 || b != 0.0 || c != 0.0 {
                let (ld, width) = (self.ld, to - from);
                let rows = &self.p[block.start * ld + from..(block.start + 2) * ld + to];
                let rows = [&rows[..width], &rows[ld..ld + width], &rows[2 * ld..2 * ld + width]];
                dense::axpy3::<L>([a, b, c], rows, out);
            }
            return;
        }
        for (k, x) in x.iter().enumerate().filter(|(_, x)| **x != 0.0) {
            dense::axpy(*x, &self.p_row(block.start + k)[from..to], out);
        }
    }

    /// `out += P x` for an `x` that is zero outside of two blocks of three rows.
    #[inline(always)]
    pub(crate) fn add_two_images<L: Lane>(
        &self,
        [a, b]: [&Block; 2],
        x: [[f64; 3]; 2],
        out: &mut [f64],
    ) {
        let (from, to) = (a.span.0.min(b.span.0), a.span.1.max(b.span.1));
        let rows = [self.three_rows(a.start, from, to), self.three_rows(b.start, from, to)];
        dense::axpy6::<L>(x, rows, &mut out[from..to]);
    }

    /// Whether two blocks of three rows couple.
    pub(crate) fn couples(&self, a: &Block, b: &Block) -> bool {
        let rows = self.three_rows(a.start, b.start, b.start + 3);
        rows.iter().any(|row| row.iter().any(|x| *x != 0.0))
    }

    /// A row of `P`.
    #[inline(always)]
    pub(crate) fn p_row(&self, row: usize) -> &[f64] {
        let ld = self.stride();
        &self.p[row * ld..(row + 1) * ld]
    }

    /// Three rows of `P`, from a column to another.
    #[inline(always)]
    pub(crate) fn three_rows(&self, row: usize, from: usize, to: usize) -> [&[f64]; 3] {
        let ld = self.stride();
        let rows = &self.p[row * ld..(row + 3) * ld];
        [&rows[from..to], &rows[ld + from..ld + to], &rows[2 * ld + from..2 * ld + to]]
    }
}

dispatch! {
    /// The scales of the blocks that are taken together.
    pub(crate) fn scale_groups(frame: &mut Frame)
        = scale_groups_body::<Fused>;

    /// `P = S A S`, with the optional relative weight on the diagonal.
    pub(crate) fn scale_matrix(frame: &mut Frame, a: &[f64], regularization: f64)
        = scale_matrix_body::<Fused>;
}

#[inline(always)]
fn scale_groups_body<L: Lane>(frame: &mut Frame) {
    let mut at = 0;
    while let Some(&Block { start, group, .. }) = frame.blocks.get(at) {
        let mut b = [[0.0; LANES]; 6];
        for (l, three) in frame.three[at..at + group].iter().enumerate() {
            for k in 0..6 {
                b[k][l] = three[k];
            }
        }
        let mut scale = [1.0; LANES];
        if group > 0 {
            bound_scales::<L>(&b).store(&mut scale);
        }
        for (l, s) in scale.iter().enumerate().take(group) {
            frame.scale[start + 3 * l..][..3].iter_mut().for_each(|x| *x *= s);
        }
        at += group.max(1);
    }
}

/// [`Frame::bound_scale`] of four blocks of three rows.
#[inline(always)]
fn bound_scales<L: Lane>(b: &[[f64; LANES]; 6]) -> L {
    let one = L::splat(1.0);
    let trace = L::load(&b[0]).add(L::load(&b[3])).add(L::load(&b[5]));
    let over = one.div(trace);
    let mut power = [one; 6];
    for k in 0..6 {
        power[k] = L::load(&b[k]).mul(over);
    }
    for _ in 0..3 {
        let [p, q, r, s, t, u] = power;
        power = [
            p.mul(p).add_mul(q, q).add_mul(r, r),
            p.mul(q).add_mul(q, s).add_mul(r, t),
            p.mul(r).add_mul(q, t).add_mul(r, u),
            q.mul(q).add_mul(s, s).add_mul(t, t),
            q.mul(r).add_mul(s, t).add_mul(t, u),
            r.mul(r).add_mul(t, t).add_mul(u, u),
        ];
    }
    let [p, q, r, s, t, u] = power;
    let off = q.mul(q).add_mul(r, r).add_mul(t, t);
    let norm = p.mul(p).add_mul(s, s).add_mul(u, u).add(off.add(off)).sqrt();
    let scale = one.div(trace.mul(norm.sqrt().sqrt().sqrt()).sqrt());
    scale.at_most(L::splat(f64::MAX)).select(scale, one)
}

#[inline(always)]
fn scale_matrix_body<L: Lane>(frame: &mut Frame, a: &[f64], regularization: f64) {
    let (n, m, ld) = (frame.total, frame.len(), frame.ld);
    frame.p.resize(ld * ld, 0.0);
    frame.p[m * ld..].fill(0.0);
    let in_order = m == n && frame.blocks.iter().enumerate().all(|(c, b)| b.cone == c);
    for (i, line) in frame.p.chunks_exact_mut(ld.max(1)).take(m).enumerate() {
        let (row, scale) = (&a[frame.rows[i] * n..][..n], frame.scale[i]);
        if in_order {
            scale_row::<L>(row, &frame.scale, scale, line);
        } else {
            gather_row(&frame.blocks, &frame.rows, row, line);
            for (out, s) in line[..m].iter_mut().zip(&frame.scale) {
                *out *= scale * s;
            }
            line[m..].fill(0.0);
        }
        line[i] *= 1.0 + regularization;
    }
}

/// `out = row s scale`, padded with zeros.
#[inline(always)]
fn scale_row<L: Lane>(row: &[f64], scale: &[f64], s: f64, out: &mut [f64]) {
    let ((whole, rest), (scales, last)) = (row.as_chunks(), scale.as_chunks());
    let s = L::splat(s);
    let (front, tail) = lanes_mut(out).split_at_mut(whole.len());
    for ((out, x), scale) in front.iter_mut().zip(whole).zip(scales) {
        L::load(x).mul(s.mul(L::load(scale))).store(out);
    }
    if let [tail] = tail {
        let x = L::load_some(rest, rest.len());
        x.mul(s.mul(L::load_some(last, last.len()))).store(tail);
    }
}

/// The columns of a row in the order of the frame.
fn gather_row(blocks: &[Block], rows: &[usize], row: &[f64], out: &mut [f64]) {
    for block in blocks {
        let (at, from) = (block.range(), rows[block.start]);
        if let ([x, y, z], true) = (&mut out[at.clone()], block.whole()) {
            let row = &row[from..from + 3];
            (*x, *y, *z) = (row[0], row[1], row[2]);
            continue;
        }
        for j in at {
            out[j] = row[rows[j]];
        }
    }
}

dispatch! {
    /// `out += P x`.
    pub(crate) fn add_image(frame: &Frame, x: &[f64], out: &mut [f64])
        = add_image_body::<Fused>;
}

#[inline(always)]
fn add_image_body<L: Lane>(frame: &Frame, x: &[f64], out: &mut [f64]) {
    if frame.ld <= MOST_WHOLE {
        dense::add_product::<L>(&frame.p, frame.ld, x, out);
        return;
    }
    for block in &frame.blocks {
        frame.add_block_image::<L>(block, &x[block.range()], out);
    }
}

/// Which cones couple, and an order that keeps those together.
#[derive(Clone, Debug, Default)]
struct Graph {
    n: usize,
    links: Vec<bool>,
    weight: Vec<f64>,
    degree: Vec<usize>,
    order: Vec<usize>,
    placed: Vec<bool>,
}

impl Graph {
    fn linked(&self, a: usize, b: usize) -> bool {
        self.links[a * self.n + b]
    }

    /// Reads the coupling off the zeros of the matrix.
    fn set(&mut self, a: &[f64], rows: usize, first: &[usize]) {
        self.n = first.len();
        self.links.clear();
        self.links.resize(self.n * self.n, self.n <= FEW_CONES);
        self.degree.clear();
        self.degree.resize(self.n, 0);
        if self.n <= FEW_CONES {
            return;
        }
        let range = |c: usize| first[c]..first.get(c + 1).copied().unwrap_or(rows);
        self.weight.resize(rows, 0.0);
        for c in 0..self.n {
            // sums of columns, over the rows of this cone
            let weight = &mut self.weight[..first[c]];
            weight.fill(0.0);
            for line in a[range(c).start * rows..range(c).end * rows].chunks_exact(rows) {
                weight.iter_mut().zip(line).for_each(|(sum, x)| *sum += x.abs());
            }
            for other in 0..c {
                if weight[range(other)].iter().any(|w| *w != 0.0) {
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
        if self.n <= FEW_CONES {
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
