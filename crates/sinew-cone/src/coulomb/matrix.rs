//! Linear systems where `P` itself is given.

use sinew_math::chol::skyline;
use sinew_math::lu::skyline::Lu;
use sinew_math::simd::{LANES, Lane, dispatch, lanes_mut, padded};

use super::contact;
use super::graph::Graph;
use super::group::{Coupled, Groups, Three};
use super::weights::{Active, Weights, add, by_entries};
use crate::dense::{self, combine};
use crate::frame::{Block, Frame, WIDEST};
use crate::natural_map::NaturalMap;
use crate::problem::Problem;
use crate::small::part_along;
use crate::tuning::{FEW_CONES, MOST_WHOLE, contact_steps};

/// The matrix and its factors. Unknowns are numbered block by block, as far as they take part.
#[derive(Clone, Debug, Default)]
pub(super) struct MatrixSystem {
    /// `P`, its rows padded with zeros, and its diagonal before it was softened.
    p: Vec<f64>,
    stride: usize,
    hard: Vec<f64>,
    graph: Graph,
    /// For each block, first and one past the last row that it couples with, both padded.
    span: Vec<(usize, usize)>,
    /// One past the last block that a block or an earlier one couples with.
    reach: Vec<usize>,
    /// Blocks as sweeps take them, if they were asked for.
    groups: Groups,
    /// For each block that takes part, the first that reaches it, and one past the last that it or an
    /// earlier one couples with.
    others: Vec<(usize, usize)>,
    /// One past the last column of each row that can be nonzero.
    end: Vec<usize>,
    lu: Lu,
    /// Cholesky's factor if nothing slides; the same of `P` plus a diagonal.
    symmetric: Symmetric,
    shifted: Symmetric,
    x: Vec<f64>,
    image: Vec<f64>,
    /// Rows of `Uᵀ P` for one block, and of `Uᵀ P V`.
    strip: Vec<f64>,
    line: Vec<f64>,
}

/// Cholesky's factor of a matrix whose size is padded.
#[derive(Clone, Debug, Default)]
struct Symmetric {
    k: Vec<f64>,
    inverse: Vec<f64>,
    panels: Vec<usize>,
}

impl MatrixSystem {
    /// Takes over a problem, and makes its frame.
    pub(super) fn set(&mut self, problem: &Problem<'_>, frame: &mut Frame) {
        let (a, n) = (problem.a(), problem.rows());
        self.graph.arrange(a, problem.cones());
        let order = self.graph.order.iter().copied();
        frame.set(problem.cones(), order, problem.b(), &|_, i, j| a[i * n + j]);
        let stride = frame.stride();
        self.stride = stride;
        self.p.resize(stride * stride, 0.0);
        scale_matrix(&mut self.p, a, n, frame);
        self.hard.clear();
        self.hard.extend((0..frame.len()).map(|k| self.p[k * stride + k]));
        self.groups.forget();

        // how far each block reaches
        self.reach.clear();
        self.span.clear();
        let (few, mut reach) = (frame.blocks.len(), 0);
        if few <= FEW_CONES {
            self.reach.resize(few, few);
            self.span.resize(few, (0, stride));
            return;
        }
        for (c, block) in frame.blocks.iter().enumerate() {
            let coupled = |other: &Block| self.graph.linked(block.cone, other.cone);
            let first = frame.blocks[..c].iter().position(coupled).unwrap_or(c);
            let last = frame.blocks.iter().rposition(coupled).unwrap_or(c).max(c);
            let (from, to) = (frame.blocks[first].start, frame.blocks[last].range().end);
            self.span.push((from / LANES * LANES, padded(to)));
            reach = reach.max(last + 1);
            self.reach.push(reach);
        }
    }

    fn row(&self, k: usize) -> &[f64] {
        &self.p[k * self.stride..(k + 1) * self.stride]
    }

    /// Adds a share of it to the diagonal of the hard `P`.
    pub(super) fn soften(&mut self, share: f64) {
        for (k, hard) in self.hard.iter().enumerate() {
            self.p[k * self.stride + k] = hard * (1.0 + share);
        }
        self.groups.forget();
    }

    /// `out = P y`.
    pub(super) fn image(&self, frame: &Frame, y: &[f64], out: &mut [f64]) {
        multiply(self, frame, y, out);
    }

    /// Rows of `P` of a block that has three, from a column to another.
    #[inline(always)]
    fn three(&self, start: usize, (from, to): (usize, usize)) -> [&[f64]; 3] {
        let n = self.stride;
        let rows = &self.p[start * n..(start + 3) * n];
        [&rows[from..to], &rows[n + from..n + to], &rows[2 * n + from..2 * n + to]]
    }

    /// Writes the diagonal of `P`.
    pub(super) fn diagonal(&self, frame: &Frame, out: &mut [f64]) {
        for (k, out) in out.iter_mut().enumerate().take(frame.len()) {
            *out = self.row(k)[k];
        }
    }

    /// Sweeps over all blocks some times; `w` follows `y`. Contacts that do not couple are taken
    /// together.
    pub(super) fn sweep(
        &mut self,
        frame: &Frame,
        (times, slip): (usize, bool),
        y: &mut [f64],
        w: &mut [f64],
    ) {
        if frame.blocks.len() == 1 {
            (0..times).for_each(|_| self.sweep_block(frame, (0, slip), y, w));
            return;
        }
        if self.groups.is_empty() {
            let mut groups = std::mem::take(&mut self.groups);
            groups.gather(frame, &Blocks { system: self, frame });
            self.groups = groups;
        }
        sweep_groups(self, frame, (times, slip), y, w);
    }

    #[inline(always)]
    fn sweep_block(&self, frame: &Frame, (c, slip): (usize, bool), y: &mut [f64], w: &mut [f64]) {
        let (block, steps) = (&frame.blocks[c], contact_steps(frame.blocks.len()));
        let mut own = [0.0; WIDEST * WIDEST];
        let own = &mut own[..block.dim * block.dim];
        for (k, row) in own.chunks_exact_mut(block.dim).enumerate() {
            row.copy_from_slice(&self.row(block.start + k)[block.range()]);
        }
        let change = contact::settle_block(block, own, (steps, slip), y, w);
        let (from, to) = self.span[c];
        for (k, x) in change[..block.dim].iter().enumerate().filter(|(_, x)| **x != 0.0) {
            dense::axpy(*x, &self.row(block.start + k)[from..to], &mut w[from..to]);
        }
    }

    /// `Uᵀ P V + Δ`, and its factors; false if it is singular.
    pub(super) fn factor(&mut self, map: &NaturalMap, weights: &Weights, unknowns: usize) -> bool {
        self.find_ends(&weights.active, unknowns);
        if weights.slides {
            self.lu.reset(&self.end);
        } else {
            self.symmetric.reset(&self.end);
        }
        fill(self, map, weights);
        if weights.slides { self.lu.factor() } else { self.symmetric.factor() }
    }

    /// Ends of the rows.
    fn find_ends(&mut self, active: &[Active], unknowns: usize) {
        self.others.clear();
        self.end.clear();
        let (mut back, mut reach) = (0, 0);
        for (at, block) in active.iter().enumerate() {
            let to = self.reach[block.block];
            while active.get(reach).is_some_and(|other| other.block < to) {
                reach += 1;
            }
            while self.others.get(back).is_some_and(|other| other.1 <= at) {
                back += 1;
            }
            self.others.push((back, reach));
            let end = active.get(reach).map_or(unknowns, |other| other.first);
            self.end.extend(std::iter::repeat_n(end, block.rank));
        }
        self.line.resize(unknowns + LANES, 0.0);
        self.strip.resize(WIDEST * self.stride, 0.0);
    }

    /// Adds `V x` to a step for the right-hand side `r`, of which a part is `known` or none.
    pub(super) fn solve(
        &mut self,
        frame: &Frame,
        map: &NaturalMap,
        (weights, known): (&Weights, bool),
        rhs: &[f64],
        step: &mut [f64],
    ) {
        let mut x = std::mem::take(&mut self.x);
        x.resize(self.end.len() + LANES, 0.0);
        for block in &weights.active {
            let from = &rhs[block.start..block.start + block.rank];
            x[block.first..block.first + block.rank].copy_from_slice(from);
        }
        if known {
            let mut image = std::mem::take(&mut self.image);
            image.resize(self.stride, 0.0);
            self.image(frame, step, &mut image);
            let left = weights.left(map);
            for block in &weights.active {
                let out = &mut x[block.first..block.first + block.rank];
                for (out, u) in out.iter_mut().zip(&left[block.start..]) {
                    *out -= part_along(u, &image[block.range()]);
                }
            }
            self.image = image;
        }
        if weights.slides {
            self.lu.solve(&mut x[..self.end.len()]);
        } else {
            x[self.end.len()..].fill(0.0);
            self.symmetric.solve(&mut x);
        }
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
        self.x = x;
    }

    /// Keeps the factor, which is that of `P` plus a diagonal.
    pub(super) fn keep_shifted(&mut self) {
        std::mem::swap(&mut self.symmetric, &mut self.shifted);
    }

    /// Solves with it, in place.
    pub(super) fn solve_shifted(&mut self, x: &mut [f64]) {
        let n = self.hard.len();
        self.x.clear();
        self.x.extend_from_slice(&x[..n]);
        self.x.resize(padded(n), 0.0);
        self.shifted.solve(&mut self.x);
        x[..n].copy_from_slice(&self.x[..n]);
    }
}

/// The blocks of the matrix: they couple if it has anything between them.
struct Blocks<'a> {
    system: &'a MatrixSystem,
    frame: &'a Frame,
}

impl Coupled for Blocks<'_> {
    fn places(&self) -> usize {
        self.frame.blocks.len()
    }

    fn look(&self, c: usize, marks: &[u64]) -> u64 {
        let from = self.frame.blocks[c].start;
        let before = self.frame.blocks[..c].iter().zip(marks).filter(|(_, mark)| **mark != 0);
        before.fold(0, |all, (other, mark)| {
            let rows = self.system.three(from, (other.start, other.start + 3));
            let couples = rows.iter().any(|row| row.iter().any(|x| *x != 0.0));
            if couples { all | mark } else { all }
        })
    }

    fn mark(&self, c: usize, mark: u64, marks: &mut [u64]) {
        marks[c] = mark;
    }

    fn own(&self, c: usize) -> Three {
        let at = self.frame.blocks[c].start;
        let [x, y, z] = self.system.three(at, (at, at + 3));
        [x[0], x[1], x[2], y[1], y[2], z[2]]
    }
}

dispatch! {
    /// `P = S A S`.
    pub(crate) fn scale_matrix(p: &mut [f64], a: &[f64], n: usize, frame: &Frame)
        = scale_matrix_body::<Fused>;

    /// `Uᵀ P V + Δ`.
    pub(crate) fn fill(system: &mut MatrixSystem, map: &NaturalMap, weights: &Weights)
        = fill_body::<Fused>;

    /// `out = P y`.
    pub(crate) fn multiply(system: &MatrixSystem, frame: &Frame, y: &[f64], out: &mut [f64])
        = multiply_body::<Fused>;

    /// Sweeps.
    pub(crate) fn sweep_groups(system: &MatrixSystem, frame: &Frame, times: (usize, bool), y: &mut [f64], w: &mut [f64])
        = sweep_groups_body::<Fused>;
}

#[inline(always)]
fn scale_matrix_body<L: Lane>(p: &mut [f64], a: &[f64], n: usize, frame: &Frame) {
    let (m, stride) = (frame.len(), frame.stride());
    p[m * stride..].fill(0.0);
    let in_order = m == n && frame.blocks.iter().enumerate().all(|(c, b)| b.cone == c);
    for (i, line) in p.chunks_exact_mut(stride.max(1)).take(m).enumerate() {
        let (row, scale) = (&a[frame.rows[i] * n..][..n], frame.scale[i]);
        if in_order {
            scale_row::<L>(row, &frame.scale, scale, line);
            continue;
        }
        gather_row(frame, row, line);
        for (out, s) in line[..m].iter_mut().zip(&frame.scale) {
            *out *= scale * s;
        }
        line[m..].fill(0.0);
    }
}

/// The columns of a row in the order of the frame.
#[inline(always)]
fn gather_row(frame: &Frame, row: &[f64], out: &mut [f64]) {
    let Frame { blocks, rows, .. } = frame;
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

#[inline(always)]
fn fill_body<L: Lane>(system: &mut MatrixSystem, map: &NaturalMap, weights: &Weights) {
    let stride = system.stride;
    let (mut strip, mut line) =
        (std::mem::take(&mut system.strip), std::mem::take(&mut system.line));
    for (at, block) in weights.active.iter().enumerate() {
        let (back, reach) = system.others[at];
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
            dense::combine_three::<L>(&u, system.three(block.start, (from, to)), out);
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
            let line = if weights.slides { &mut line[..] } else { system.symmetric.row(row) };
            for other in others {
                if other.dim != 3 {
                    project_strip(map, other, strip, line);
                    continue;
                }
                // what is too much is overwritten by the next block, or by the next row
                let p = &strip[other.start..other.start + 3];
                let out = &mut lanes_mut(&mut line[other.first..other.first + LANES])[0];
                combine::<L>(&other.v, [p[0], p[1], p[2]]).store(out);
            }
            line[row] += weights.delta[block.start + l];
            if weights.slides {
                system.lu.row(row)[ends.clone()].copy_from_slice(&line[ends.clone()]);
            } else {
                let to = system.symmetric.panels[row / LANES];
                system.symmetric.row(row)[ends.end..to.max(ends.end)].fill(0.0);
            }
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
    if system.stride <= MOST_WHOLE {
        dense::add_product::<L>(&system.p, system.stride, y, out);
        return;
    }
    for (c, block) in frame.blocks.iter().enumerate() {
        let x = &y[block.range()];
        if let [a, b, d] = *x {
            add_image::<L>(system, frame, c, [a, b, d], out);
            continue;
        }
        let (from, to) = system.span[c];
        for (k, x) in x.iter().enumerate().filter(|(_, x)| **x != 0.0) {
            dense::axpy(*x, &system.row(block.start + k)[from..to], &mut out[from..to]);
        }
    }
}

/// `out += P x` for an `x` that is zero outside of a block of three rows.
#[inline(always)]
fn add_image<L: Lane>(
    system: &MatrixSystem,
    frame: &Frame,
    c: usize,
    x: [f64; 3],
    out: &mut [f64],
) {
    let (from, to) = system.span[c];
    if x != [0.0; 3] {
        let rows = system.three(frame.blocks[c].start, (from, to));
        dense::axpy3::<L>(x, rows, &mut out[from..to]);
    }
}

#[inline(always)]
fn sweep_groups_body<L: Lane>(
    system: &MatrixSystem,
    frame: &Frame,
    (times, slip): (usize, bool),
    y: &mut [f64],
    w: &mut [f64],
) {
    for group in system.groups.repeat(times) {
        if group.count == 0 {
            system.sweep_block(frame, (group.blocks[0], slip), y, w);
            continue;
        }
        let change = group.settle::<L>(slip, group.pick(w), y);
        for (&c, change) in group.blocks.iter().zip(change).take(group.count) {
            add_image::<L>(system, frame, c, change, w);
        }
    }
}

impl Symmetric {
    /// A matrix with one row per end that are to be filled in, padded with ones on the diagonal; ends
    /// must not fall.
    fn reset(&mut self, ends: &[usize]) {
        let (n, size) = (ends.len(), padded(ends.len()));
        self.panels.clear();
        self.panels.extend(ends.chunks(LANES).map(|ends| padded(ends[ends.len() - 1])));
        self.inverse.resize(size, 0.0);
        self.k.resize(size * size + LANES, 0.0);
        for i in n..size {
            let row = &mut self.k[i * size..(i + 1) * size];
            row[i..].fill(0.0);
            row[i] = 1.0;
        }
    }

    /// A row, with room for what the next one overwrites.
    fn row(&mut self, i: usize) -> &mut [f64] {
        let size = self.inverse.len();
        &mut self.k[i * size..(i + 1) * size + LANES]
    }

    fn factor(&mut self) -> bool {
        let size = self.inverse.len();
        skyline::factor(&mut self.k[..size * size], &self.panels, &mut self.inverse)
    }

    /// Solves in place; `x` is padded, with zeros.
    fn solve(&self, x: &mut [f64]) {
        let x = &mut x[..self.inverse.len()];
        skyline::solve(&self.k, &self.panels, &self.inverse, x);
    }
}
