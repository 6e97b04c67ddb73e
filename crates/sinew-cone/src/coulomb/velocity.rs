//! Newton's step on the corrected natural map where `P = B Bᵀ` is known by its sparse rows `B`.
//!
//! The system of `system` is `(Uᵀ P V + Δ) x = r - Uᵀ P d₀`. Where contacts are many and bodies
//! few, the change of the bodies' velocity `z = Bᵀ (d₀ + V x)` is the smaller unknown:
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
use super::coupling::{Coupling, Manner, Shift};
use super::lu::Lu;
use super::system::{eigenvector, known_part, sticks, turned};
use crate::dense;
use crate::frame::{Block, Frame, WIDEST};
use crate::natural_map::NaturalMap;
use crate::small::part_along;
use crate::sparse::SparseProblem;
use crate::tuning::LEAST_WEIGHT;

/// The system and its buffers. Unknowns and right-hand sides of a block are at its first rows.
#[derive(Clone, Debug, Default)]
pub(crate) struct VelocitySystem {
    bricks: Bricks,
    /// The factor if nothing slides: upper triangle, inverses of its diagonal, ends of its panels.
    k: Vec<f64>,
    inverse: Vec<f64>,
    panels: Vec<usize>,
    /// The factors otherwise.
    lu: Lu,
    /// Whether something slides.
    slides: bool,
    /// One past the last column that can be nonzero, for each row.
    end: Vec<usize>,
    /// `U`, a row for each row of the frame, and `Δ`.
    left: Vec<[f64; WIDEST]>,
    delta: Vec<f64>,
    rhs: Vec<f64>,
    x: Vec<f64>,
    z: Vec<f64>,
    push: Vec<f64>,
    /// The map of a problem without cones, and what is kept of `P` plus a diagonal.
    whole: NaturalMap,
    shifted: Shifted,
}

/// The factor of the velocities for `P` plus a diagonal, and one over the latter.
#[derive(Clone, Debug, Default)]
struct Shifted {
    k: Vec<f64>,
    inverse: Vec<f64>,
    over: Vec<f64>,
}

impl VelocitySystem {
    /// Takes over a problem, and makes its frame; false if it has too many columns.
    pub(crate) fn set(
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
        for v in [&mut self.rhs, &mut self.x, &mut self.push] {
            v.clear();
            v.resize(frame.stride(), 0.0);
        }
        self.delta.resize(frame.len(), 0.0);
        self.left.resize(frame.len(), [0.0; WIDEST]);
        self.z.clear();
        self.z.resize(size, 0.0);
        self.inverse.resize(size, 0.0);
        true
    }

    /// Adds a share of it to the diagonal of `P`, for gradients and sweeps.
    pub(crate) fn soften(&mut self, frame: &Frame, share: f64) {
        self.bricks.soften(frame, share);
    }

    /// `U` and `Δ`; whether something slides.
    fn weigh(&mut self, frame: &Frame, map: &NaturalMap, w: &[f64], manner: Manner) {
        self.slides = false;
        for (c, block) in frame.blocks.iter().enumerate() {
            for l in 0..map.rank[c] {
                let at = block.start + l;
                let v = eigenvector(map, c, block, l);
                self.left[at] = v;
                if manner.slip && !sticks(map, c, block) {
                    self.slides |= turned(block, w, &mut self.left[at]);
                }
                let ratio = |k: usize| frame.scale[block.start + k] / frame.scale[block.start];
                let weight: f64 =
                    (0..block.dim).map(|k| (v[k] * ratio(k)) * (v[k] * ratio(k))).sum();
                let delta = map.delta[at];
                self.delta[at] = manner.proximal * weight.max(LEAST_WEIGHT) + (1.0 - delta) / delta;
            }
        }
    }

    /// The matrix of the velocities, and its factors; false if it is singular.
    fn factor(&mut self, frame: &Frame, map: &NaturalMap) -> bool {
        let size = self.end.len();
        if self.slides {
            self.lu.reset(&self.end);
            (0..size).for_each(|i| self.lu.row(i)[i] = 1.0);
        } else {
            self.k.resize(size * size, 0.0);
            for (i, row) in self.k.chunks_exact_mut(size.max(1)).enumerate() {
                row[i / LANES * LANES..self.panels[i / LANES]].fill(0.0);
                row[i] = 1.0;
            }
        }
        assemble(self, frame, map);
        if self.slides {
            self.lu.factor()
        } else {
            dense::cholesky(&mut self.k, &self.panels, &mut self.inverse)
        }
    }

    /// Solves for `x` in place of the right-hand side `r`, in `rhs`, with `push` the part of the
    /// step that is known.
    fn solve(&mut self, frame: &Frame, map: &NaturalMap) {
        for (c, block) in frame.blocks.iter().enumerate() {
            for l in 0..map.rank[c] {
                let at = block.start + l;
                add(&mut self.push, block, self.rhs[at] / self.delta[at], map, c, l);
            }
        }
        bricks::transposed(&self.bricks, frame, &self.push, &mut self.z);
        if self.slides {
            self.lu.solve(&mut self.z);
        } else {
            dense::cholesky_solve(&self.k, &self.panels, &self.inverse, &mut self.z);
        }
        self.subtract_image(frame, map);
        for (c, block) in frame.blocks.iter().enumerate() {
            for at in block.start..block.start + map.rank[c] {
                self.rhs[at] /= self.delta[at];
            }
        }
    }

    /// `rhs -= Uᵀ B z`; `push` is lost.
    fn subtract_image(&mut self, frame: &Frame, map: &NaturalMap) {
        bricks::times(&self.bricks, frame, &self.z, &mut self.push);
        for (c, block) in frame.blocks.iter().enumerate() {
            let image = &self.push[block.range()];
            for at in block.start..block.start + map.rank[c] {
                self.rhs[at] -= part_along(&self.left[at], image);
            }
        }
    }

    /// What is left of the right-hand side after `x`, in `rhs`.
    fn refine(&mut self, frame: &Frame, map: &NaturalMap, step: &[f64]) {
        bricks::transposed(&self.bricks, frame, step, &mut self.z);
        for (c, block) in frame.blocks.iter().enumerate() {
            for at in block.start..block.start + map.rank[c] {
                self.rhs[at] -= self.delta[at] * self.x[at];
            }
        }
        self.subtract_image(frame, map);
    }
}

impl Shift for VelocitySystem {
    fn diagonal(&self, frame: &Frame, out: &mut [f64]) {
        self.bricks.diagonal(frame, out);
    }

    fn shift(&mut self, frame: &Frame, diagonal: &[f64]) -> bool {
        // as if all contacts stuck, with another weight
        self.whole.resize(frame);
        self.whole.pretend_free(frame);
        self.delta.copy_from_slice(&diagonal[..frame.len()]);
        for block in &frame.blocks {
            for l in 0..block.dim {
                self.left[block.start + l] = eigenvector(&self.whole, 0, block, l);
            }
        }
        self.slides = false;
        let whole = std::mem::take(&mut self.whole);
        let fine = self.factor(frame, &whole);
        self.whole = whole;

        // Newton's method on the way has factors of its own
        std::mem::swap(&mut self.k, &mut self.shifted.k);
        std::mem::swap(&mut self.inverse, &mut self.shifted.inverse);
        self.inverse.resize(self.end.len(), 0.0);
        self.shifted.over.clear();
        self.shifted.over.extend(diagonal.iter().map(|d| 1.0 / d));
        fine
    }

    fn solve_shifted(&mut self, frame: &Frame, x: &mut [f64]) {
        let VelocitySystem { bricks, shifted, panels, z, push, .. } = self;
        x.iter_mut().zip(&shifted.over).for_each(|(x, over)| *x *= over);
        bricks::transposed(bricks, frame, x, z);
        dense::cholesky_solve(&shifted.k, panels, &shifted.inverse, z);
        push.fill(0.0);
        bricks::times(bricks, frame, z, push);
        for ((x, push), over) in x.iter_mut().zip(&*push).zip(&shifted.over) {
            *x -= push * over;
        }
    }
}

impl Coupling for VelocitySystem {
    fn gradient(&mut self, frame: &Frame, y: &[f64], w: &mut [f64]) {
        self.bricks.gradient(frame, y, w);
    }

    fn sweep(&mut self, frame: &Frame, (times, slip): (usize, bool), y: &mut [f64], w: &mut [f64]) {
        self.bricks.sweep(frame, (times, slip), y, w);
    }

    fn step(
        &mut self,
        frame: &Frame,
        map: &NaturalMap,
        w: &[f64],
        manner: Manner,
        step: &mut [f64],
    ) -> bool {
        self.weigh(frame, map, w, manner);
        if !self.factor(frame, map) {
            return false;
        }
        known_part(frame, map, step);
        for (c, block) in frame.blocks.iter().enumerate() {
            let value = if sticks(map, c, block) { w } else { &map.f };
            for l in 0..map.rank[c] {
                let v = eigenvector(map, c, block, l);
                let along = part_along(&v, &value[block.range()]);
                self.x[block.start + l] = -along / map.delta[block.start + l];
            }
        }

        // x, then what rounding has left of it
        self.rhs.copy_from_slice(&self.x);
        self.push.copy_from_slice(step);
        self.solve(frame, map);
        std::mem::swap(&mut self.x, &mut self.rhs);
        add_all(step, frame, map, &self.x);
        self.refine(frame, map, step);
        self.push.fill(0.0);
        self.solve(frame, map);
        add_all(step, frame, map, &self.rhs);
        step.iter().all(|x| x.is_finite())
    }
}

dispatch! {
    /// Adds `Bᵀ V Δ⁻¹ Uᵀ B` to the matrix.
    pub(crate) fn assemble(system: &mut VelocitySystem, frame: &Frame, map: &NaturalMap)
        = assemble_body::<Fused>;
}

#[inline(always)]
fn assemble_body<L: Lane>(system: &mut VelocitySystem, frame: &Frame, map: &NaturalMap) {
    let VelocitySystem { bricks, k, lu, slides, left, delta, end, .. } = system;
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

/// Adds the eigenvectors of all blocks to a vector, each as often as `x` says.
fn add_all(to: &mut [f64], frame: &Frame, map: &NaturalMap, x: &[f64]) {
    for (c, block) in frame.blocks.iter().enumerate() {
        for l in 0..map.rank[c] {
            add(to, block, x[block.start + l], map, c, l);
        }
    }
}

/// Adds a multiple of an eigenvector of a block to a vector.
fn add(to: &mut [f64], block: &Block, factor: f64, map: &NaturalMap, c: usize, l: usize) {
    if map.plain[c] {
        to[block.start + l] += factor;
        return;
    }
    for (to, v) in to[block.range()].iter_mut().zip(&map.basis[block.start + l]) {
        *to += factor * v;
    }
}
