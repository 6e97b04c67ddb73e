//! Linear systems where `P` itself is given.

use std::ops::Range;

use sinew_math::chol::skyline::Cholesky;
use sinew_math::order::Order;
use sinew_math::simd::{LANES, Lane, dispatch, lanes_mut, padded};

use super::coupling::Coupling;
use super::factors::Factors;
use super::group::Group;
use super::sweep::{Coupled, Groups, Sweep, sweep_body};
use super::weights::{Active, Weights, add, by_entries};
use crate::cone::{Cone, with_rows};
use crate::dense::{self, combine};
use crate::frame::{Block, Frame, WIDEST};
use crate::natural_map::NaturalMap;
use crate::problem::Problem;
use crate::small::part_along;

/// The matrix and its factors. Unknowns are numbered block by block, as far as they take part.
#[derive(Clone, Debug, Default)]
pub(super) struct MatrixSystem {
    /// `P`, its rows padded with zeros, and its diagonal before it was softened.
    p: Vec<f64>,
    stride: usize,
    hard: Vec<f64>,
    /// Which cones couple, and an order that keeps these near each other.
    links: Vec<bool>,
    order: Order,
    /// For each block, the rows that it couples with, padded.
    span: Vec<Range<usize>>,
    /// One past the last block that a block or an earlier one couples with.
    reach: Vec<usize>,
    /// For each block that takes part, the first that reaches it, and one past the last that it or
    /// an earlier one couples with.
    others: Vec<Range<usize>>,
    /// One past the last column of each row that can be nonzero.
    end: Vec<usize>,
    factors: Factors,
    /// The factor of `P` plus a diagonal.
    shifted: Cholesky,
    x: Vec<f64>,
    image: Vec<f64>,
    /// Rows of `Uᵀ P` for one block, and of `Uᵀ P V`.
    strip: Vec<f64>,
    line: Vec<f64>,
}

impl MatrixSystem {
    /// Takes over a problem, and makes its frame.
    pub(super) fn set(&mut self, problem: &Problem<'_>, frame: &mut Frame) {
        let (a, n) = (problem.a(), problem.rows());
        let cones = problem.cones();
        self.link(a, cones);
        let order = self.order.arrange(cones.len()).iter().map(|c| *c as usize);
        frame.set(cones, order, problem.b(), &|i, j| a[i * n + j]);
        let stride = frame.stride();
        self.stride = stride;
        self.p.resize(stride * stride, 0.0);
        scale_matrix(&mut self.p, a, n, frame);
        self.hard.clear();
        self.hard.extend((0..frame.len()).map(|k| self.p[k * stride + k]));

        // how far each block reaches
        self.reach.clear();
        self.span.clear();
        let mut reach = 0;
        for (c, block) in frame.blocks.iter().enumerate() {
            let links = &self.links[block.cone * cones.len()..][..cones.len()];
            let coupled = |other: &Block| links[other.cone];
            let first = frame.blocks[..c].iter().position(coupled).unwrap_or(c);
            let last = frame.blocks.iter().rposition(coupled).unwrap_or(c).max(c);
            let (from, to) = (frame.blocks[first].start, frame.blocks[last].range().end);
            self.span.push(from / LANES * LANES..padded(to));
            reach = reach.max(last + 1);
            self.reach.push(reach);
        }
    }

    /// Reads the coupling of cones off the zeros of the matrix.
    fn link(&mut self, a: &[f64], cones: &[Cone]) {
        let MatrixSystem { links, order, image: sums, .. } = self;
        let (n, width) = (cones.len(), a.len().isqrt());
        links.clear();
        links.resize(n * n, false);
        order.clear();
        sums.resize(width, 0.0);
        for (c, (_, rows)) in with_rows(cones).enumerate() {
            // sums of columns, over the rows of this cone
            let sums = &mut sums[..rows.start];
            sums.fill(0.0);
            for line in a[rows.start * width..rows.end * width].chunks_exact(width) {
                sums.iter_mut().zip(line).for_each(|(sum, x)| *sum += x.abs());
            }
            for (other, (_, columns)) in with_rows(cones).enumerate().take(c) {
                if sums[columns].iter().any(|sum| *sum != 0.0) {
                    links[c * n + other] = true;
                    links[other * n + c] = true;
                    order.couple([c as u32, other as u32]);
                }
            }
        }
    }

    fn row(&self, k: usize) -> &[f64] {
        &self.p[k * self.stride..(k + 1) * self.stride]
    }

    /// Some columns of the rows of a block that has three.
    #[inline(always)]
    fn three(&self, start: usize, columns: Range<usize>) -> [&[f64]; 3] {
        let (n, Range { start: from, end: to }) = (self.stride, columns);
        let rows = &self.p[start * n..(start + 3) * n];
        [&rows[from..to], &rows[n + from..n + to], &rows[2 * n + from..2 * n + to]]
    }

    /// Ends of the rows.
    fn find_ends(&mut self, weights: &Weights) {
        let active = &weights.active;
        self.others.clear();
        self.end.clear();
        let (mut back, mut reach) = (0, 0);
        for (at, block) in active.iter().enumerate() {
            let to = self.reach[block.block];
            while active.get(reach).is_some_and(|other| other.block < to) {
                reach += 1;
            }
            while self.others.get(back).is_some_and(|other| other.end <= at) {
                back += 1;
            }
            self.others.push(back..reach);
            let end = active.get(reach).map_or(weights.unknowns, |other| other.first);
            self.end.extend(std::iter::repeat_n(end, block.rank));
        }
        self.line.resize(weights.unknowns + LANES, 0.0);
        self.strip.resize(WIDEST * self.stride, 0.0);
    }

    /// `out += P x` for an `x` that is zero outside of a block.
    #[inline(always)]
    fn add_image<L: Lane>(&self, frame: &Frame, c: usize, x: &[f64], out: &mut [f64]) {
        let (span, start) = (self.span[c].clone(), frame.blocks[c].start);
        if let [a, b, c] = *x {
            if *x != [0.0; 3] {
                dense::axpy3::<L>([a, b, c], self.three(start, span.clone()), &mut out[span]);
            }
            return;
        }
        for (k, x) in x.iter().enumerate().filter(|(_, x)| **x != 0.0) {
            dense::axpy(*x, &self.row(start + k)[span.clone()], &mut out[span.clone()]);
        }
    }
}

impl Coupling for MatrixSystem {
    fn soften(&mut self, _: &Frame, share: f64) {
        for (k, hard) in self.hard.iter().enumerate() {
            self.p[k * self.stride + k] = hard * (1.0 + share);
        }
    }

    fn image(&mut self, frame: &Frame, y: &[f64], out: &mut [f64]) {
        multiply(self, frame, y, out);
    }

    fn diagonal(&self, frame: &Frame, out: &mut [f64]) {
        for (k, out) in out.iter_mut().enumerate().take(frame.len()) {
            *out = self.row(k)[k];
        }
    }

    fn sweep(
        &mut self,
        frame: &Frame,
        groups: &mut Groups,
        sweep: Sweep,
        y: &mut [f64],
        w: &mut [f64],
    ) {
        groups.gather(frame, self);
        sweep_groups(self, groups, frame, sweep, y, w);
    }

    fn factor(&mut self, _: &Frame, map: &NaturalMap, weights: &mut Weights) -> bool {
        self.find_ends(weights);
        self.factors.reset(&self.end, weights.slides);
        fill(self, map, weights);
        self.factors.factor()
    }

    fn solve(
        &mut self,
        frame: &Frame,
        map: &NaturalMap,
        weights: &Weights,
        rhs: &mut [f64],
        step: &mut [f64],
    ) {
        // r - Uᵀ P d₀
        let mut image = std::mem::take(&mut self.image);
        image.resize(self.stride, 0.0);
        multiply(self, frame, step, &mut image);
        let (mut x, left) = (std::mem::take(&mut self.x), weights.left(map));
        x.resize(self.end.len() + LANES, 0.0);
        for block in &weights.active {
            let out = &mut x[block.first..block.first + block.rank];
            for ((out, r), u) in out.iter_mut().zip(&rhs[block.start..]).zip(&left[block.start..]) {
                *out = r - part_along(u, &image[block.range()]);
            }
        }
        self.factors.solve(&mut x);

        // d₀ + V x
        for block in &weights.active {
            let d = &mut step[block.range()];
            if let ([a, b, c], [x, y, z, ..], v) = (&mut *d, &x[block.first..], &block.v) {
                *a += x * v[0][0] + y * v[0][1] + z * v[0][2];
                *b += x * v[1][0] + y * v[1][1] + z * v[1][2];
                *c += x * v[2][0] + y * v[2][1] + z * v[2][2];
                continue;
            }
            for (l, v) in map.basis[block.range()].iter().enumerate().take(block.rank) {
                add(d, x[block.first + l], v);
            }
        }
        (self.x, self.image) = (x, image);
    }

    fn keep_shifted(&mut self, _: &[f64]) {
        std::mem::swap(&mut self.factors.cholesky, &mut self.shifted);
    }

    fn solve_shifted(&mut self, x: &mut [f64]) {
        // rows have the padding of the factor
        self.shifted.solve(x);
    }
}

impl Coupled for MatrixSystem {
    fn places(&self, frame: &Frame) -> usize {
        frame.blocks.len()
    }

    /// Blocks couple if the matrix has anything between them.
    fn look(&self, frame: &Frame, c: usize, marks: &[u64]) -> u64 {
        let from = frame.blocks[c].start;
        let before = frame.blocks[..c].iter().zip(marks).filter(|(_, mark)| **mark != 0);
        before.fold(0, |all, (other, mark)| {
            let rows = self.three(from, other.start..other.start + 3);
            let couples = rows.iter().any(|row| row.iter().any(|x| *x != 0.0));
            if couples { all | mark } else { all }
        })
    }

    fn mark(&self, c: usize, mark: u64, marks: &mut [u64]) {
        marks[c] = mark;
    }

    fn own(&self, frame: &Frame, c: usize, out: &mut [f64]) {
        let block = &frame.blocks[c];
        for (k, out) in out.chunks_exact_mut(block.dim).enumerate() {
            out.copy_from_slice(&self.row(block.start + k)[block.range()]);
        }
    }

    #[inline(always)]
    fn gradients<L: Lane>(&self, _: &Frame, group: &Group, _: &[f64], w: &[f64]) -> [L; 3] {
        group.pick(w)
    }

    fn gradient<L: Lane>(&self, frame: &Frame, c: usize, _: &[f64], w: &[f64], out: &mut [f64]) {
        out.copy_from_slice(&w[frame.blocks[c].range()]);
    }

    #[inline(always)]
    fn update<L: Lane>(&self, frame: &Frame, c: usize, change: &[f64], w: &mut [f64]) {
        self.add_image::<L>(frame, c, change, w);
    }
}

dispatch! {
    /// `Uᵀ P V + Δ`.
    pub(crate) fn fill(system: &mut MatrixSystem, map: &NaturalMap, weights: &Weights)
        = fill_body::<Fused>;

    /// `out = P y`.
    pub(crate) fn multiply(system: &MatrixSystem, frame: &Frame, y: &[f64], out: &mut [f64])
        = multiply_body::<Fused>;

    /// Sweeps; `w` follows `y`.
    pub(crate) fn sweep_groups(
        system: &MatrixSystem,
        groups: &Groups,
        frame: &Frame,
        sweep: Sweep,
        y: &mut [f64],
        w: &mut [f64],
    ) = sweep_body::<Fused>;
}

/// `P = S A S`.
fn scale_matrix(p: &mut [f64], a: &[f64], n: usize, frame: &Frame) {
    let (m, stride) = (frame.len(), frame.stride());
    p[m * stride..].fill(0.0);
    for (i, line) in p.chunks_exact_mut(stride.max(1)).take(m).enumerate() {
        let (row, scale) = (&a[frame.rows[i] * n..][..n], frame.scale[i]);
        for ((out, &r), s) in line.iter_mut().zip(&frame.rows).zip(&frame.scale) {
            *out = row[r] * (scale * s);
        }
        line[m..].fill(0.0);
    }
}

#[inline(always)]
fn fill_body<L: Lane>(system: &mut MatrixSystem, map: &NaturalMap, weights: &Weights) {
    let stride = system.stride;
    let (mut strip, mut line) =
        (std::mem::take(&mut system.strip), std::mem::take(&mut system.line));
    for (at, block) in weights.active.iter().enumerate() {
        let Range { start: back, end: reach } = system.others[at];
        let others = &weights.active[if weights.slides { back } else { at }..reach];
        let (head, last) = (&others[0], &others[others.len() - 1]);

        // rows of Uᵀ P
        let (from, to) = (head.start / LANES * LANES, padded(last.start + last.dim));
        let left = &weights.left(map)[block.start..block.start + block.dim];
        if block.dim == 3 {
            let (a, rest) = strip.split_at_mut(stride);
            let (b, rest) = rest.split_at_mut(stride);
            let out = [&mut a[from..to], &mut b[from..to], &mut rest[from..to]];
            let u = if weights.slides { by_entries(left, block.rank) } else { block.v };
            dense::combine_three::<L>(&u, system.three(block.start, from..to), out);
        } else {
            for (u, strip) in left.iter().zip(strip.chunks_exact_mut(stride)).take(block.rank) {
                strip[from..to].fill(0.0);
                for k in 0..block.dim {
                    let row = &system.row(block.start + k)[from..to];
                    dense::axpy(u[k], row, &mut strip[from..to]);
                }
            }
        }

        // times V
        let ends = head.first..last.first + last.rank;
        for (l, strip) in strip.chunks_exact(stride).enumerate().take(block.rank) {
            let row = block.first + l;
            for other in others {
                if other.dim != 3 {
                    project_strip(map, other, strip, &mut line);
                    continue;
                }
                // entries past the block are overwritten by the next block
                let p = &strip[other.start..other.start + 3];
                let out = &mut lanes_mut(&mut line[other.first..other.first + LANES])[0];
                combine::<L>(&other.v, [p[0], p[1], p[2]]).store(out);
            }
            line[row] += weights.delta[block.start + l];
            system.factors.set_row(row, ends.start, &line[ends.clone()]);
        }
    }
    (system.strip, system.line) = (strip, line);
}

/// A part of a row of `Uᵀ P V`, for a block that does not have three rows.
#[inline(always)]
fn project_strip(map: &NaturalMap, block: &Active, strip: &[f64], line: &mut [f64]) {
    let p = &strip[block.start..block.start + block.dim];
    let out = &mut line[block.first..block.first + block.rank];
    let basis = &map.basis[block.start..];
    out.iter_mut().zip(basis).for_each(|(out, v)| *out = part_along(v, p));
}

#[inline(always)]
fn multiply_body<L: Lane>(system: &MatrixSystem, frame: &Frame, y: &[f64], out: &mut [f64]) {
    out.fill(0.0);
    if y.iter().all(|y| *y == 0.0) {
        return;
    }
    for (c, block) in frame.blocks.iter().enumerate() {
        system.add_image::<L>(frame, c, &y[block.range()], out);
    }
}
