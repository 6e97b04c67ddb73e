//! Linear systems where `P = B Bᵀ` is known by its sparse rows `B`.
//!
//! Where contacts are many and bodies few, the change of the bodies' velocity `z = Bᵀ (d₀ + V x)`
//! is the smaller unknown of `(Uᵀ P V + Δ) x = r - Uᵀ P d₀`:
//!
//! ```text
//! (I + Bᵀ V Δ⁻¹ Uᵀ B) z = Bᵀ (d₀ + V Δ⁻¹ r),   x = Δ⁻¹ (r - Uᵀ B z)
//! ```
//!
//! Every contact adds a small dense matrix; `P` is never made. `Δ` is as small as the proximal
//! weight, and the step loses the corresponding digits, which the next step restores. Where nothing
//! slides `U` is `V`, and Cholesky will do.

use std::ops::Range;

use sinew_math::chol::skyline::Cholesky;
use sinew_math::simd::{LANES, Lane, dispatch, lanes};

use super::bricks::{self, Bricks, View, put};
use super::coupling::Coupling;
use super::factors::Factors;
use super::sweep::{Groups, Sweep};
use super::weights::{Weights, add_all};
use crate::dense::zero;
use crate::frame::{Block, Frame, WIDEST};
use crate::natural_map::NaturalMap;
use crate::small::part_along;
use crate::sparse::SparseProblem;

/// The rows, and factors of the matrix of the velocities.
#[derive(Clone, Debug, Default)]
pub(super) struct VelocitySystem {
    pub(super) bricks: Bricks,
    factors: Factors,
    /// One past the last column that can be nonzero, for each row.
    end: Vec<usize>,
    z: Vec<f64>,
    push: Vec<f64>,
    /// The factor of `P` plus a diagonal, and one over the latter.
    shifted: Cholesky,
    over: Vec<f64>,
}

impl VelocitySystem {
    /// Takes over a problem, and makes its frame; false if it has too many columns.
    pub(super) fn set(
        &mut self,
        problem: &SparseProblem<'_>,
        frame: &mut Frame,
        most: usize,
    ) -> bool {
        if !self.bricks.set(problem, frame, most) {
            return false;
        }
        let (n, size) = (self.bricks.width(), self.bricks.size());

        // ends do not fall
        self.end.clear();
        self.end.resize(size, 0);
        for (c, block) in frame.blocks.iter().enumerate() {
            let columns = self.bricks.view(c, block).columns;
            let columns = &columns[..columns.partition_point(|c| (*c as usize) < n)];
            let last = columns.last().map_or(0, |c| *c as usize + 1);
            for &c in columns {
                self.end[c as usize] = self.end[c as usize].max(last);
            }
        }
        let mut reach = 0;
        for (i, end) in self.end.iter_mut().enumerate() {
            reach = reach.max(*end).max(i + 1);
            *end = reach;
        }
        zero([&mut self.z], size);
        zero([&mut self.push], frame.stride());
        true
    }
}

impl Coupling for VelocitySystem {
    fn soften(&mut self, frame: &Frame, share: f64) {
        self.bricks.soften(frame, share);
    }

    fn image(&mut self, _: &Frame, y: &[f64], out: &mut [f64]) {
        bricks::transposed(&self.bricks, y, &mut self.z);
        bricks::times(&self.bricks, &self.z, out);
        self.bricks.add_soft(y, out);
    }

    fn diagonal(&self, frame: &Frame, out: &mut [f64]) {
        self.bricks.diagonal(frame, out);
    }

    fn sweep(
        &mut self,
        frame: &Frame,
        groups: &mut Groups,
        sweep: Sweep,
        y: &mut [f64],
        w: &mut [f64],
    ) {
        bricks::transposed(&self.bricks, y, &mut self.z);
        groups.gather(frame, &self.bricks);
        bricks::sweep_groups(&self.bricks, groups, frame, sweep, y, &mut self.z);
        self.image(frame, y, w);
        w.iter_mut().zip(&frame.q).for_each(|(w, q)| *w -= q);
    }

    /// The matrix of the velocities, and its factors.
    fn factor(&mut self, frame: &Frame, map: &NaturalMap, weights: &mut Weights) -> bool {
        self.bricks.add_softness(frame, map, &mut weights.delta);
        self.factors.reset(&self.end, weights.slides);
        assemble(&self.bricks, frame, Step { map, weights }, self.factors.set_identity());
        self.factors.factor()
    }

    fn solve(
        &mut self,
        _: &Frame,
        map: &NaturalMap,
        weights: &Weights,
        rhs: &mut [f64],
        step: &mut [f64],
    ) {
        let VelocitySystem { bricks, factors, z, push, .. } = self;
        push.copy_from_slice(step);
        add_all(push, weights, map, |at| rhs[at] / weights.delta[at]);
        bricks::transposed(bricks, push, z);
        factors.solve(z);
        bricks::times(bricks, z, push);
        let left = weights.left(map);
        for block in &weights.active {
            let image = &push[block.range()];
            for at in block.start..block.start + block.rank {
                rhs[at] = (rhs[at] - part_along(&left[at], image)) / weights.delta[at];
            }
        }
        add_all(step, weights, map, |at| rhs[at]);
    }

    fn keep_shifted(&mut self, diagonal: &[f64]) {
        std::mem::swap(&mut self.factors.cholesky, &mut self.shifted);
        self.over.clear();
        self.over.extend(diagonal.iter().map(|d| 1.0 / d));
    }

    fn solve_shifted(&mut self, x: &mut [f64]) {
        let VelocitySystem { bricks, shifted, over, z, push, .. } = self;
        x.iter_mut().zip(&*over).for_each(|(x, over)| *x *= over);
        bricks::transposed(bricks, x, z);
        shifted.solve(z);
        bricks::times(bricks, z, push);
        for ((x, push), over) in x.iter_mut().zip(&*push).zip(&*over) {
            *x -= push * over;
        }
    }
}

/// `U`, `V` and `Δ`.
#[derive(Clone, Copy)]
pub(crate) struct Step<'a> {
    map: &'a NaturalMap,
    weights: &'a Weights,
}

dispatch! {
    /// Adds `Bᵀ V Δ⁻¹ Uᵀ B` to a matrix.
    pub(crate) fn assemble(bricks: &Bricks, frame: &Frame, step: Step<'_>, matrix: &mut [f64])
        = assemble_body::<Fused>;
}

#[inline(always)]
fn assemble_body<L: Lane>(bricks: &Bricks, frame: &Frame, step: Step<'_>, matrix: &mut [f64]) {
    for run in &bricks.runs {
        let first = run.blocks.start;
        let registers = bricks.view(first, &frame.blocks[first]).columns.len() / LANES;
        for c in run.blocks.clone().step_by(MOST_ALIKE) {
            let list = c..run.blocks.end.min(c + MOST_ALIKE);
            match registers {
                1 if run.threes => add_alike::<L, 1>(bricks, frame, step, list, matrix),
                2 if run.threes => add_alike::<L, 2>(bricks, frame, step, list, matrix),
                3 if run.threes => add_alike::<L, 3>(bricks, frame, step, list, matrix),
                _ => list.filter(|c| step.map.rank[*c] > 0).for_each(|c| {
                    let block = &frame.blocks[c];
                    let (view, middle) = (bricks.view(c, block), step.middle(c, block));
                    let slides = step.weights.slides;
                    add_rows::<L>(view, &middle, slides, matrix, bricks.size());
                }),
            }
        }
    }
}

impl Step<'_> {
    /// `V Δ⁻¹ Uᵀ` of a block.
    #[inline(always)]
    fn middle(&self, c: usize, block: &Block) -> [[f64; WIDEST]; WIDEST] {
        let Step { map, weights } = self;
        let left = weights.left(map);
        let mut middle = [[0.0; WIDEST]; WIDEST];
        for at in block.start..block.start + map.rank[c] {
            let (u, over) = (&left[at], 1.0 / weights.delta[at]);
            if map.plain[c] {
                middle[at - block.start] = u.map(|u| u * over);
                continue;
            }
            let v = &map.basis[at];
            for i in 0..block.dim {
                for j in 0..block.dim {
                    middle[i][j] += v[i] * u[j] * over;
                }
            }
        }
        middle
    }
}

/// Maximum number of contacts whose matrices are summed in registers.
const MOST_ALIKE: usize = 8;

/// Adds `Bᵀ C B` for contacts with three rows and the same `N` registers of columns. The result is
/// all of it, or the part above the diagonal and some unread entries.
#[inline(always)]
fn add_alike<L: Lane, const N: usize>(
    bricks: &Bricks,
    frame: &Frame,
    step: Step<'_>,
    blocks: Range<usize>,
    matrix: &mut [f64],
) {
    // rows of B, and of C B
    let columns = bricks.view(blocks.start, &frame.blocks[blocks.start]).columns;
    let mut rows = [[].as_slice(); MOST_ALIKE];
    let mut parts = [[[L::splat(0.0); N]; 3]; MOST_ALIKE];
    let mut count = 0;
    for c in blocks.filter(|c| step.map.rank[*c] > 0) {
        let block = &frame.blocks[c];
        let (view, middle) = (bricks.view(c, block), step.middle(c, block));
        let b = view.three();
        for (part, m) in parts[count].iter_mut().zip(&middle) {
            for (j, part) in part.iter_mut().enumerate() {
                let two = L::splat(m[0]) * L::load(&b[0][j]);
                let two = two.add_mul(L::splat(m[1]), L::load(&b[1][j]));
                *part = two.add_mul(L::splat(m[2]), L::load(&b[2][j]));
            }
        }
        rows[count] = view.values;
        count += 1;
    }
    if count == 0 {
        return;
    }
    let stride = bricks.size();
    for (p, &row) in columns.iter().enumerate() {
        let mut sum = [L::splat(0.0); N];
        for (row, part) in rows.iter().zip(&parts).take(count) {
            for (k, part) in part.iter().enumerate() {
                let x = L::splat(row[k * N * LANES + p]);
                for (sum, part) in sum.iter_mut().zip(part) {
                    *sum = sum.add_mul(x, *part);
                }
            }
        }
        let line = &mut matrix[row as usize * stride..(row as usize + 1) * stride];
        let from = if step.weights.slides { 0 } else { p / LANES };
        for (sum, at) in sum.into_iter().zip(columns.as_chunks().0).skip(from) {
            put(sum, line, at);
        }
    }
}

/// The same for any block.
#[inline(always)]
fn add_rows<L: Lane>(
    brick: View<'_>,
    middle: &[[f64; WIDEST]; WIDEST],
    all: bool,
    matrix: &mut [f64],
    stride: usize,
) {
    let (count, columns) = (brick.columns.len(), brick.columns.as_chunks::<LANES>().0);
    for (p, &row) in brick.columns.iter().enumerate() {
        let line = &mut matrix[row as usize * stride..(row as usize + 1) * stride];
        let from = if all { 0 } else { p / LANES };
        for (j, values) in brick.values.chunks_exact(count).enumerate() {
            let left: f64 =
                brick.values.chunks_exact(count).zip(middle).map(|(b, m)| b[p] * m[j]).sum();
            for (at, x) in columns.iter().zip(lanes(values)).skip(from) {
                put(L::splat(left) * L::load(x), line, at);
            }
        }
    }
}
