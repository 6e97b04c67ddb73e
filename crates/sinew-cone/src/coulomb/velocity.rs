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
//! weight, and the step loses as many digits: one step of refinement brings them back. Where
//! nothing slides `U` is `V`, and Cholesky will do.

use sinew_math::simd::{LANES, Lane, dispatch, lanes, padded};

use super::bricks::{self, Bricks, View, put};
use super::lu::Lu;
use super::weights::{Weights, add_all};
use crate::dense;
use crate::frame::{Frame, WIDEST};
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
            dense::cholesky(&mut self.k, &self.panels, &mut self.inverse)
        }
    }

    /// Solves for `x` in place of the right-hand side `r`, with `push` the part of the step that is
    /// known, which is lost.
    pub(super) fn solve(
        &mut self,
        frame: &Frame,
        map: &NaturalMap,
        weights: &Weights,
        rhs: &mut [f64],
        push: &mut [f64],
    ) {
        add_all(push, weights, map, |at| rhs[at] / weights.delta[at]);
        bricks::transposed(&self.bricks, frame, push, &mut self.z);
        if weights.slides {
            self.lu.solve(&mut self.z);
        } else {
            dense::cholesky_solve(&self.k, &self.panels, &self.inverse, &mut self.z);
        }
        bricks::times(&self.bricks, frame, &self.z, push);
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
    pub(super) fn solve_shifted(&mut self, frame: &Frame, x: &mut [f64], push: &mut [f64]) {
        let VelocitySystem { bricks, shifted, shifted_inverse, over, panels, z, .. } = self;
        x.iter_mut().zip(&*over).for_each(|(x, over)| *x *= over);
        bricks::transposed(bricks, frame, x, z);
        dense::cholesky_solve(shifted, panels, shifted_inverse, z);
        push.fill(0.0);
        bricks::times(bricks, frame, z, push);
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
    let Weights { slides, delta, .. } = weights;
    let left = weights.left(map);
    let (matrix, stride) = (if *slides { &mut lu.k } else { k }, end.len());
    for (c, block) in frame.blocks.iter().enumerate() {
        if map.rank[c] == 0 {
            continue;
        }

        // V Δ⁻¹ Uᵀ
        let mut middle = [[0.0; WIDEST]; WIDEST];
        for l in 0..map.rank[c] {
            let (u, over) = (&left[block.start + l], 1.0 / delta[block.start + l]);
            if map.plain[c] {
                middle[l] = u.map(|u| u * over);
                continue;
            }
            let v = &map.basis[block.start + l];
            for i in 0..block.dim {
                for j in 0..block.dim {
                    middle[i][j] += v[i] * u[j] * over;
                }
            }
        }
        if block.dim == 3 {
            add_three::<L>(bricks.view(c, block), &middle, *slides, matrix, stride);
        } else {
            add_rows::<L>(bricks.view(c, block), &middle, *slides, matrix, stride);
        }
    }
}

/// Adds `Bᵀ C B` for a contact with three rows: all of it, or what is above the diagonal and some
/// more in places that nobody reads.
#[inline(always)]
fn add_three<L: Lane>(
    brick: View<'_>,
    middle: &[[f64; WIDEST]; WIDEST],
    all: bool,
    matrix: &mut [f64],
    stride: usize,
) {
    let (count, columns) = (brick.columns.len(), brick.columns.as_chunks::<LANES>().0);
    let [a, b, c] = brick.three();
    let values = &brick.values[..3 * count];
    for (p, &row) in brick.columns.iter().enumerate() {
        let (x, y, z) = (values[p], values[count + p], values[2 * count + p]);
        let t = |j: usize| L::splat(x * middle[0][j] + y * middle[1][j] + z * middle[2][j]);
        let (x, y, z) = (t(0), t(1), t(2));
        let line = &mut matrix[row as usize * stride..(row as usize + 1) * stride];
        let from = if all { 0 } else { p / LANES };
        for j in from..columns.len() {
            let two = x.mul(L::load(&a[j])).add(y.mul(L::load(&b[j])));
            put(two.add(z.mul(L::load(&c[j]))), line, &columns[j]);
        }
    }
}

/// The same for a block with any number of rows.
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
