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
//! weight, and the step loses as many digits, which the next step brings back. Where nothing slides
//! `U` is `V`, and Cholesky will do.

use std::ops::Range;

use sinew_math::chol::skyline;
use sinew_math::lu::skyline::Lu;
use sinew_math::simd::{LANES, Lane, dispatch, lanes, padded};

use super::bricks::{self, Bricks, View, put};
use super::weights::{Weights, add_all};
use crate::frame::{Block, Frame, WIDEST};
use crate::natural_map::NaturalMap;
use crate::small::part_along;
use crate::sparse::SparseProblem;

/// The rows, and factors of the matrix of the velocities.
#[derive(Clone, Debug, Default)]
pub(super) struct VelocitySystem {
    pub(super) bricks: Bricks,
    /// The factor if nothing slides: upper triangle, inverses of its diagonal, ends of its panels.
    k: Vec<f64>,
    inverse: Vec<f64>,
    panels: Vec<usize>,
    /// The factors otherwise.
    lu: Lu,
    /// One past the last column that can be nonzero, for each row.
    end: Vec<usize>,
    z: Vec<f64>,
    /// The factor of `P` plus a diagonal, and one over the latter.
    shifted: Vec<f64>,
    shifted_inverse: Vec<f64>,
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
        self.panels.clear();
        self.panels.extend(self.end.iter().skip(LANES - 1).step_by(LANES).map(|end| padded(*end)));
        self.z.clear();
        self.z.resize(size, 0.0);
        self.inverse.resize(size, 0.0);
        true
    }

    /// The matrix of the velocities, and its factors; false if it is singular.
    pub(super) fn factor(&mut self, frame: &Frame, map: &NaturalMap, weights: &Weights) -> bool {
        let size = self.end.len();
        if weights.slides {
            self.lu.reset(&self.end);
            (0..size).for_each(|i| self.lu.row(i)[i] = 1.0);
        } else {
            self.k.resize(size * size, 0.0);
            for (i, row) in self.k.chunks_exact_mut(size.max(1)).enumerate() {
                row[i / LANES * LANES..self.panels[i / LANES]].fill(0.0);
                row[i] = 1.0;
            }
        }
        assemble(self, frame, map, weights);
        if weights.slides {
            self.lu.factor()
        } else {
            skyline::factor(&mut self.k, &self.panels, &mut self.inverse)
        }
    }

    /// Solves for `x` in place of the right-hand side `r`, with `push` the part of the step that is
    /// known, which is lost.
    pub(super) fn solve(
        &mut self,
        map: &NaturalMap,
        weights: &Weights,
        rhs: &mut [f64],
        push: &mut [f64],
    ) {
        add_all(push, weights, map, |at| rhs[at] / weights.delta[at]);
        bricks::transposed(&self.bricks, push, &mut self.z);
        if weights.slides {
            self.lu.solve(&mut self.z);
        } else {
            skyline::solve(&self.k, &self.panels, &self.inverse, &mut self.z);
        }
        bricks::times(&self.bricks, &self.z, push);
        let left = weights.left(map);
        for block in &weights.active {
            let image = &push[block.range()];
            for at in block.start..block.start + block.rank {
                rhs[at] = (rhs[at] - part_along(&left[at], image)) / weights.delta[at];
            }
        }
    }

    /// Keeps the factor, which is that of `P` plus a diagonal.
    pub(super) fn keep_shifted(&mut self, diagonal: &[f64]) {
        std::mem::swap(&mut self.k, &mut self.shifted);
        std::mem::swap(&mut self.inverse, &mut self.shifted_inverse);
        self.inverse.resize(self.end.len(), 0.0);
        self.over.clear();
        self.over.extend(diagonal.iter().map(|d| 1.0 / d));
    }

    /// Solves with it, in place.
    pub(super) fn solve_shifted(&mut self, x: &mut [f64], push: &mut [f64]) {
        let VelocitySystem { bricks, shifted, shifted_inverse, over, panels, z, .. } = self;
        x.iter_mut().zip(&*over).for_each(|(x, over)| *x *= over);
        bricks::transposed(bricks, x, z);
        skyline::solve(shifted, panels, shifted_inverse, z);
        push.fill(0.0);
        bricks::times(bricks, z, push);
        for ((x, push), over) in x.iter_mut().zip(&*push).zip(&*over) {
            *x -= push * over;
        }
    }
}

dispatch! {
    /// Adds `Bᵀ V Δ⁻¹ Uᵀ B` to the matrix.
    pub(crate) fn assemble(system: &mut VelocitySystem, frame: &Frame, map: &NaturalMap, weights: &Weights)
        = assemble_body::<Fused>;
}

#[inline(always)]
fn assemble_body<L: Lane>(
    system: &mut VelocitySystem,
    frame: &Frame,
    map: &NaturalMap,
    weights: &Weights,
) {
    let VelocitySystem { bricks, k, lu, end, .. } = system;
    let slides = weights.slides;
    let (matrix, stride) = (if slides { &mut lu.k } else { k }, end.len());
    for run in &bricks.runs {
        let first = run.blocks.start;
        let registers = bricks.view(first, &frame.blocks[first]).columns.len() / LANES;
        for c in run.blocks.clone().step_by(MOST_ALIKE) {
            let list = c..run.blocks.end.min(c + MOST_ALIKE);
            let at = (frame, map, weights);
            match registers {
                1 if run.threes => add_alike::<L, 1>(bricks, at, list, matrix, stride),
                2 if run.threes => add_alike::<L, 2>(bricks, at, list, matrix, stride),
                3 if run.threes => add_alike::<L, 3>(bricks, at, list, matrix, stride),
                _ => list.filter(|c| map.rank[*c] > 0).for_each(|c| {
                    let (view, middle) = (
                        bricks.view(c, &frame.blocks[c]),
                        middle(map, weights, c, &frame.blocks[c]),
                    );
                    add_rows::<L>(view, &middle, slides, matrix, stride);
                }),
            }
        }
    }
}

/// `V Δ⁻¹ Uᵀ` of a block.
#[inline(always)]
fn middle(map: &NaturalMap, weights: &Weights, c: usize, block: &Block) -> [[f64; WIDEST]; WIDEST] {
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

/// Most contacts whose matrices are summed in registers.
const MOST_ALIKE: usize = 8;

/// Adds `Bᵀ C B` for contacts with three rows and the same `N` registers of columns: all of it, or
/// what is above the diagonal and some more in places that nobody reads.
#[inline(always)]
fn add_alike<L: Lane, const N: usize>(
    bricks: &Bricks,
    (frame, map, weights): (&Frame, &NaturalMap, &Weights),
    blocks: Range<usize>,
    matrix: &mut [f64],
    stride: usize,
) {
    // rows of B, and of C B
    let columns = bricks.view(blocks.start, &frame.blocks[blocks.start]).columns;
    let mut rows = [[].as_slice(); MOST_ALIKE];
    let mut parts = [[[L::splat(0.0); N]; 3]; MOST_ALIKE];
    let mut count = 0;
    for c in blocks.filter(|c| map.rank[*c] > 0) {
        let block = &frame.blocks[c];
        let (view, middle) = (bricks.view(c, block), middle(map, weights, c, block));
        let b = view.three();
        for (part, m) in parts[count].iter_mut().zip(&middle) {
            for (j, part) in part.iter_mut().enumerate() {
                let two = L::splat(m[0]).mul(L::load(&b[0][j]));
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
        let from = if weights.slides { 0 } else { p / LANES };
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
                put(L::splat(left).mul(L::load(x)), line, at);
            }
        }
    }
}
