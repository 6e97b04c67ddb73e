//! One Newton step on the natural map, as a symmetric positive definite system.
//!
//! The derivative of `F` is `I - D + D (P + σ)`. In the eigenvectors of `D`, a coordinate with
//! eigenvalue zero moves by `-F` whatever the others do; the rows of the others, divided by their
//! eigenvalue, are
//!
//! ```text
//! (Vᵀ P V + diag(σ + (1 - δ) / δ)) d = -Vᵀ F / δ - Vᵀ P d₀
//! ```
//!
//! where `V` has the eigenvectors that take part and `d₀` is the part already known. Separated
//! contacts vanish, sliding ones lose a row, and Cholesky does what would need LU in the original
//! unknowns.

use crate::dense;
use crate::frame::{Block, Frame, WIDEST};
use crate::lane::{LANES, Lane, padded, twin};
use crate::natural_map::NaturalMap;

/// Weight `σ` of the proximal term. It fixes the impulses of statically indeterminate contacts: without
/// it boxes on four corners cycle, and from 1e-2 on the last steps become slow.
pub(crate) const PROXIMAL: f64 = 1e-8;

/// How exactly the system is solved. With dependent rows the condition number reaches 1e11.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Care {
    Plain,
    Refined,
}

/// The reduced system and its buffers. Its size is padded; the unknowns of the padding are zero.
#[derive(Clone, Debug, Default)]
pub(crate) struct NewtonSystem {
    /// Upper triangle of the matrix, then of its factor.
    k: Vec<f64>,
    /// Inverses of the factor's diagonal.
    inverse: Vec<f64>,
    /// The matrix again, for refinement.
    matrix: Vec<f64>,
    /// One past the last column that can be nonzero, for each panel of rows; padded.
    end: Vec<usize>,
    rhs: Vec<f64>,
    x: Vec<f64>,
    image: Vec<f64>,
    /// Rows of `Vᵀ P` for one block.
    strip: Vec<f64>,
    /// First unknown of each block.
    first: Vec<usize>,
}

impl NewtonSystem {
    /// Writes the step at the point of `map` to `step`; false if the matrix could not be factored.
    pub(crate) fn step(
        &mut self,
        frame: &Frame,
        map: &NaturalMap,
        proximal: f64,
        care: Care,
        step: &mut [f64],
    ) -> bool {
        self.count(frame, map);
        assemble(self, frame, map, proximal);
        if care == Care::Refined {
            self.matrix.clear();
            self.matrix.extend_from_slice(&self.k);
        }
        if !dense::cholesky(&mut self.k, &self.end, &mut self.inverse) {
            return false;
        }
        self.solve(frame, map, care, step);
        true
    }

    /// Writes the step for another `F` with the factor at hand, which belongs to the spectrum in `map`.
    pub(crate) fn step_again(&mut self, frame: &Frame, map: &NaturalMap, step: &mut [f64]) {
        self.solve(frame, map, Care::Plain, step);
    }

    /// Numbers the unknowns and finds the ends of their rows.
    fn count(&mut self, frame: &Frame, map: &NaturalMap) {
        let mut n = 0;
        self.first.clear();
        for rank in &map.rank {
            self.first.push(n);
            n += rank;
        }
        let size = padded(n);
        self.end.clear();
        self.end.resize(size / LANES, 0);
        for (c, block) in frame.blocks.iter().enumerate().filter(|(c, _)| map.rank[*c] > 0) {
            // ends do not fall, so the last block of a panel decides
            let to = padded(self.first[block.reach] + map.rank[block.reach]);
            let last = self.first[c] + map.rank[c] - 1;
            self.end[self.first[c] / LANES..=last / LANES].fill(to);
        }
        self.k.resize(size * size, 0.0);
        for v in [&mut self.inverse, &mut self.rhs, &mut self.x] {
            v.resize(size, 0.0);
        }
        self.strip.resize(WIDEST * frame.stride(), 0.0);
        for i in n..size {
            let row = &mut self.k[i * size..(i + 1) * size];
            row[i..].fill(0.0);
            row[i] = 1.0;
            self.rhs[i] = 0.0;
        }
    }

    fn solve(&mut self, frame: &Frame, map: &NaturalMap, care: Care, step: &mut [f64]) {
        known_part(frame, map, step);
        self.image.clear();
        self.image.resize(frame.stride(), 0.0);
        frame.add_image(step, &mut self.image);
        self.right_hand_side(frame, map);
        self.x.copy_from_slice(&self.rhs);
        dense::cholesky_solve(&self.k, &self.end, &self.inverse, &mut self.x);
        if care == Care::Refined {
            dense::subtract_product(&self.matrix, &self.end, &self.x, &mut self.rhs);
            dense::cholesky_solve(&self.k, &self.end, &self.inverse, &mut self.rhs);
            dense::axpy(1.0, &self.rhs, &mut self.x);
        }

        // d = d₀ + V x
        for (c, block) in frame.blocks.iter().enumerate() {
            let x = &self.x[self.first[c]..][..map.rank[c]];
            let d = &mut step[block.range()];
            if map.plain[c] {
                d[..x.len()].copy_from_slice(x);
            } else if let [a, b, c] = d {
                for (x, v) in x.iter().zip(&map.basis[block.range()]) {
                    *a += x * v[0];
                    *b += x * v[1];
                    *c += x * v[2];
                }
            } else {
                for (x, v) in x.iter().zip(&map.basis[block.range()]) {
                    for (d, v) in d.iter_mut().zip(v) {
                        *d += x * v;
                    }
                }
            }
        }
    }

    fn right_hand_side(&mut self, frame: &Frame, map: &NaturalMap) {
        for (c, block) in frame.blocks.iter().enumerate() {
            let (f, image) = (&map.f[block.range()], &self.image[block.range()]);
            for l in 0..map.rank[c] {
                let (along, across) = if map.plain[c] {
                    (f[l], image[l])
                } else {
                    let v = &map.basis[block.start + l];
                    (dot(v, f), dot(v, image))
                };
                self.rhs[self.first[c] + l] = -along / map.delta[block.start + l] - across;
            }
        }
    }
}

/// `d₀ = -V₀ V₀ᵀ F`.
fn known_part(frame: &Frame, map: &NaturalMap, step: &mut [f64]) {
    step.fill(0.0);
    for (c, block) in frame.blocks.iter().enumerate() {
        let f = &map.f[block.range()];
        for k in map.rank[c]..block.dim {
            if map.plain[c] {
                step[block.start + k] = -f[k];
            } else {
                let v = &map.basis[block.start + k];
                let along = dot(v, f);
                for (d, v) in step[block.range()].iter_mut().zip(v) {
                    *d -= along * v;
                }
            }
        }
    }
}

#[inline(always)]
fn dot(v: &[f64; WIDEST], x: &[f64]) -> f64 {
    if let [a, b, c] = *x {
        return v[0] * a + v[1] * b + v[2] * c;
    }
    v.iter().zip(x).map(|(v, x)| v * x).sum()
}

twin! {
    /// `K = Vᵀ P V + diag(σ + (1 - δ)/δ)`, the upper triangle.
    assemble, assemble_avx, assemble_body,
    (system: &mut NewtonSystem, frame: &Frame, map: &NaturalMap, proximal: f64)
}

#[inline(always)]
fn assemble_body<L: Lane>(
    system: &mut NewtonSystem,
    frame: &Frame,
    map: &NaturalMap,
    proximal: f64,
) {
    let size = system.rhs.len();
    let stride = frame.stride();
    for (c, block) in frame.blocks.iter().enumerate() {
        let (first, rank) = (system.first[c], map.rank[c]);
        if rank == 0 {
            continue;
        }

        // rows of Vᵀ P, from this block on
        let from = block.start / LANES * LANES;
        let to = padded(frame.blocks[block.reach].range().end);
        for (l, strip) in system.strip.chunks_exact_mut(stride).take(rank).enumerate() {
            if map.plain[c] {
                strip[from..to].copy_from_slice(&frame.p_row(block.start + l)[from..to]);
            } else {
                combine::<L>(frame, block, &map.basis[block.start + l], &mut strip[from..to], from);
            }
        }

        // times V
        let rows = &mut system.k[first * size..(first + rank) * size];
        for c2 in c..=block.reach {
            let (other, at, width) = (&frame.blocks[c2], system.first[c2], map.rank[c2]);
            if width == 0 {
                continue;
            }
            let basis = &map.basis[other.range()];
            let strips = system.strip.chunks_exact(stride);
            for (line, strip) in rows.chunks_exact_mut(size).zip(strips) {
                let (out, p) = (&mut line[at..at + width], &strip[other.range()]);
                if map.plain[c2] {
                    out.iter_mut().zip(p).for_each(|(out, p)| *out = *p);
                } else {
                    rotate(basis, p, out);
                }
            }
        }

        // the diagonal, and zeros up to the end of the panel, which may be that of a later block
        let own = system.first[block.reach] + map.rank[block.reach];
        for (l, line) in rows.chunks_exact_mut(size).enumerate() {
            let delta = map.delta[block.start + l];
            line[first + l] += proximal + (1.0 - delta) / delta;
            line[own..system.end[(first + l) / LANES]].fill(0.0);
        }
    }
}

/// `out = vᵀ P` for a `v` in a block, from column `from` on.
#[inline(always)]
fn combine<L: Lane>(frame: &Frame, block: &Block, v: &[f64; WIDEST], out: &mut [f64], from: usize) {
    let to = from + out.len();
    out.fill(0.0);
    if block.dim == 3 {
        dense::axpy3::<L>([v[0], v[1], v[2]], frame.three_rows(block.start, from, to), out);
        return;
    }
    for k in 0..block.dim {
        dense::axpy(v[k], &frame.p_row(block.start + k)[from..to], out);
    }
}

/// `out = V p` for the first eigenvectors of a block.
#[inline(always)]
fn rotate(basis: &[[f64; WIDEST]], p: &[f64], out: &mut [f64]) {
    for (out, v) in out.iter_mut().zip(basis) {
        *out = dot(v, p);
    }
}
