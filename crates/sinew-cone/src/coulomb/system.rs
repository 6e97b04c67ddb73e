//! Newton's step on the corrected natural map.
//!
//! The derivative of `F(y) = y - Π(y - ŵ)`, `ŵ = w + |w_t| e_n`, is `I - D + D G P` with
//! `G = I + e_n uᵀ` and `u = w_t / |w_t|`. In the eigenvectors of `D` the same coordinates drop out
//! as in the convex problem, and the rest is
//!
//! ```text
//! (Uᵀ P V + diag(σ + (1 - δ) / δ)) d = -Vᵀ F / δ - Uᵀ P d₀,   U = Gᵀ V
//! ```
//!
//! Along the ray of a sliding contact `U` is the normal: the row says that the contact stays. A
//! contact that sticks has `F = ŵ`; its rows times `G⁻¹` are those of the convex problem.

use sinew_math::simd::{LANES, padded};

use super::contact;
use super::coupling::{Coupling, Manner, Shift};
use super::lu::Lu;
use crate::dense;
use crate::frame::{Block, Frame, Shape, WIDEST};
use crate::natural_map::NaturalMap;
use crate::small::{part_along, tangent};

/// The system and its buffers.
#[derive(Clone, Debug, Default)]
pub(crate) struct SlipSystem {
    lu: Lu,
    /// The right-hand side, then the solution.
    rhs: Vec<f64>,
    image: Vec<f64>,
    strip: Vec<f64>,
    /// First unknown of each block, and the ends of the rows.
    first: Vec<usize>,
    end: Vec<usize>,
    /// `U`, a row for each row of the frame.
    left: Vec<[f64; WIDEST]>,
    /// The factor of `P` plus a diagonal, one over its diagonal, ends of its panels.
    shifted: Vec<f64>,
    over: Vec<f64>,
    panels: Vec<usize>,
}

impl Shift for SlipSystem {
    fn diagonal(&self, frame: &Frame, out: &mut [f64]) {
        for (k, out) in out.iter_mut().enumerate().take(frame.len()) {
            *out = frame.p_row(k)[k];
        }
    }

    fn shift(&mut self, frame: &Frame, diagonal: &[f64]) -> bool {
        let n = frame.stride();
        self.panels.clear();
        self.panels.resize(n / LANES, n);
        for block in frame.blocks.iter().rev() {
            let end = padded(frame.blocks[block.reach].range().end);
            self.panels[block.start / LANES..=(block.range().end - 1) / LANES].fill(end);
        }
        // a panel with rows of two blocks reaches as far as the last of them
        for block in &frame.blocks {
            let end = padded(frame.blocks[block.reach].range().end);
            let last = (block.range().end - 1) / LANES;
            self.panels[last] = self.panels[last].max(end);
            self.panels[block.start / LANES] = self.panels[block.start / LANES].max(end);
        }
        self.shifted.resize(n * n, 0.0);
        self.over.resize(n, 0.0);
        for (i, row) in self.shifted.chunks_exact_mut(n.max(1)).enumerate() {
            let range = i / LANES * LANES..self.panels[i / LANES];
            row[range.clone()].copy_from_slice(&frame.p_row(i)[range]);
            row[i] += if i < frame.len() { diagonal[i] } else { 1.0 };
        }
        dense::cholesky(&mut self.shifted, &self.panels, &mut self.over)
    }

    fn solve_shifted(&mut self, _: &Frame, x: &mut [f64]) {
        dense::cholesky_solve(&self.shifted, &self.panels, &self.over, x);
    }
}

impl Coupling for SlipSystem {
    fn gradient(&mut self, frame: &Frame, y: &[f64], w: &mut [f64]) {
        frame.gradient(y, w);
    }

    fn sweep(&mut self, frame: &Frame, (times, slip): (usize, bool), y: &mut [f64], w: &mut [f64]) {
        for block in std::iter::repeat_n(&frame.blocks, times).flatten() {
            contact::sweep_block(frame, block, slip, y, w);
        }

        // sweeps update the gradient in place; it is renewed before rounding adds up
        frame.gradient(y, w);
    }

    fn step(
        &mut self,
        frame: &Frame,
        map: &NaturalMap,
        w: &[f64],
        manner: Manner,
        step: &mut [f64],
    ) -> bool {
        self.count(frame, map);
        self.turn(frame, map, w, manner.slip);
        self.assemble(frame, map, manner.proximal);
        self.lu.factor() && self.solve(frame, map, w, step)
    }
}

impl SlipSystem {
    /// Right-hand side, solution, and the step from it; false if it is not finite.
    fn solve(&mut self, frame: &Frame, map: &NaturalMap, w: &[f64], step: &mut [f64]) -> bool {
        known_part(frame, map, step);
        self.image.clear();
        self.image.resize(frame.stride(), 0.0);
        frame.add_image(step, &mut self.image);
        self.right_hand_side(frame, map, w);
        self.lu.solve(&mut self.rhs);

        // d = d₀ + V x
        for (c, block) in frame.blocks.iter().enumerate() {
            for l in 0..map.rank[c] {
                let (x, v) = (self.rhs[self.first[c] + l], eigenvector(map, c, block, l));
                for (d, v) in step[block.range()].iter_mut().zip(v) {
                    *d += x * v;
                }
            }
        }
        step.iter().all(|x| x.is_finite())
    }

    /// Numbers the unknowns and finds the ends of their rows.
    fn count(&mut self, frame: &Frame, map: &NaturalMap) {
        let mut n = 0;
        self.first.clear();
        for rank in &map.rank {
            self.first.push(n);
            n += rank;
        }
        self.end.clear();
        for (c, block) in frame.blocks.iter().enumerate() {
            let end = self.first[block.reach] + map.rank[block.reach];
            self.end.extend(std::iter::repeat_n(end, map.rank[c]));
        }
    }

    /// `U = Gᵀ V`, or `V` where a contact sticks.
    fn turn(&mut self, frame: &Frame, map: &NaturalMap, w: &[f64], slip: bool) {
        self.left.resize(frame.len(), [0.0; WIDEST]);
        for (c, block) in frame.blocks.iter().enumerate() {
            for l in 0..map.rank[c] {
                let mut u = eigenvector(map, c, block, l);
                if slip && !sticks(map, c, block) {
                    turned(block, w, &mut u);
                }
                self.left[block.start + l] = u;
            }
        }
    }

    /// The matrix.
    fn assemble(&mut self, frame: &Frame, map: &NaturalMap, proximal: f64) {
        self.lu.reset(&self.end);
        self.strip.resize(frame.stride(), 0.0);
        for (c, block) in frame.blocks.iter().enumerate() {
            for l in 0..map.rank[c] {
                let row = self.first[c] + l;
                let u = self.left[block.start + l];
                self.fill_row(frame, map, block, row, &u);

                // impulses that change no velocity stay where they are, in the units of the problem
                let v = eigenvector(map, c, block, l);
                let ratio = |k: usize| frame.scale[block.start + k] / frame.scale[block.start];
                let weight: f64 =
                    (0..block.dim).map(|k| (v[k] * ratio(k)) * (v[k] * ratio(k))).sum();
                let delta = map.delta[block.start + l];
                self.lu.row(row)[row] += proximal * weight + (1.0 - delta) / delta;
            }
        }
    }

    fn right_hand_side(&mut self, frame: &Frame, map: &NaturalMap, w: &[f64]) {
        self.rhs.resize(self.end.len(), 0.0);
        for (c, block) in frame.blocks.iter().enumerate() {
            let value = if sticks(map, c, block) { w } else { &map.f };
            for l in 0..map.rank[c] {
                let (u, v) = (self.left[block.start + l], eigenvector(map, c, block, l));
                let miss = part_along(&v, &value[block.range()]) / map.delta[block.start + l];
                self.rhs[self.first[c] + l] = -miss - part_along(&u, &self.image[block.range()]);
            }
        }
    }

    /// A row of `Uᵀ P V`.
    fn fill_row(
        &mut self,
        frame: &Frame,
        map: &NaturalMap,
        block: &Block,
        row: usize,
        u: &[f64; WIDEST],
    ) {
        let (from, to) = block.span;
        let strip = &mut self.strip[from..to];
        strip.fill(0.0);
        for k in 0..block.dim {
            dense::axpy(u[k], &frame.p_row(block.start + k)[from..to], strip);
        }
        let line = self.lu.row(row);
        let first = frame.blocks.partition_point(|other| other.start < from);
        for (c, other) in frame.blocks.iter().enumerate().skip(first) {
            if other.range().end > to {
                break;
            }
            let p = &self.strip[other.range()];
            let out = &mut line[self.first[c]..][..map.rank[c]];
            if map.plain[c] {
                out.copy_from_slice(&p[..out.len()]);
            } else {
                for (out, v) in out.iter_mut().zip(&map.basis[other.range()]) {
                    *out = part_along(v, p);
                }
            }
        }
    }
}

/// Turns `v` into `Gᵀ v` for a contact with gradient `w`; false if that is the same.
pub(super) fn turned(block: &Block, w: &[f64], v: &mut [f64; WIDEST]) -> bool {
    let w = &w[block.range()];
    let speed = if block.shape == Shape::Lorentz { tangent(w) } else { 0.0 };
    if speed == 0.0 || v[0] == 0.0 {
        return false;
    }
    for k in 1..block.dim {
        v[k] += v[0] * w[k] / speed;
    }
    true
}

/// Whether a contact is inside its cone: nothing of its rows is known in advance.
pub(super) fn sticks(map: &NaturalMap, c: usize, block: &Block) -> bool {
    block.shape == Shape::Lorentz && map.plain[c] && map.rank[c] == block.dim
}

/// Eigenvector `l` of a block.
pub(super) fn eigenvector(map: &NaturalMap, c: usize, block: &Block, l: usize) -> [f64; WIDEST] {
    if map.plain[c] {
        let mut v = [0.0; WIDEST];
        v[l] = 1.0;
        return v;
    }
    map.basis[block.start + l]
}

/// `d₀ = -V₀ V₀ᵀ F`.
pub(super) fn known_part(frame: &Frame, map: &NaturalMap, step: &mut [f64]) {
    step.fill(0.0);
    for (c, block) in frame.blocks.iter().enumerate() {
        for l in map.rank[c]..block.dim {
            let v = eigenvector(map, c, block, l);
            let along = part_along(&v, &map.f[block.range()]);
            for (d, v) in step[block.range()].iter_mut().zip(v) {
                *d -= along * v;
            }
        }
    }
}
