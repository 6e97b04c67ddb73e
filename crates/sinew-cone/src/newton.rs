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

use crate::dense::{self, PANEL};
use crate::frame::{Block, Frame, WIDEST};
use crate::natural_map::NaturalMap;

/// Weight `σ` of the proximal term. It fixes the impulses of statically indeterminate contacts: without
/// it boxes on four corners cycle, and from 1e-2 on the last steps become slow.
pub(crate) const PROXIMAL: f64 = 1e-8;

/// How exactly the system is solved. With dependent rows the condition number reaches 1e11, which the last
/// steps feel and the first ones do not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Care {
    Plain,
    Refined,
}

/// The reduced system and its buffers.
#[derive(Clone, Debug, Default)]
pub(crate) struct NewtonSystem {
    /// Upper triangle of the matrix, then of its factor.
    k: Vec<f64>,
    /// The matrix again, for refinement.
    matrix: Vec<f64>,
    /// One past the last column of each row that can be nonzero.
    end: Vec<usize>,
    rhs: Vec<f64>,
    x: Vec<f64>,
    known: Vec<f64>,
    image: Vec<f64>,
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
        let n = self.count(frame, map);
        self.known_part(frame, map, step);
        self.assemble(frame, map, proximal);
        self.right_hand_side(frame, map, n);
        if care == Care::Refined {
            self.matrix.clear();
            self.matrix.extend_from_slice(&self.k[..n * n]);
        }
        if !dense::cholesky(&mut self.k[..n * n], &self.end) {
            return false;
        }
        self.solve(n, care);

        // d = d₀ + V x
        for (c, block) in frame.blocks.iter().enumerate() {
            let x = &self.x[self.first[c]..][..map.rank[c]];
            let d = &mut step[block.range()];
            if map.plain[c] {
                d[..x.len()].copy_from_slice(x);
            } else {
                for (x, v) in x.iter().zip(&map.basis[block.range()]) {
                    for (d, v) in d.iter_mut().zip(v) {
                        *d += x * v;
                    }
                }
            }
        }
        true
    }

    /// Numbers the unknowns and finds the ends of their rows.
    fn count(&mut self, frame: &Frame, map: &NaturalMap) -> usize {
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
        n
    }

    /// `d₀ = -V₀ V₀ᵀ F` and its image.
    fn known_part(&mut self, frame: &Frame, map: &NaturalMap, step: &mut [f64]) {
        step.fill(0.0);
        for (c, block) in frame.blocks.iter().enumerate() {
            let f = &map.f[block.range()];
            for k in map.rank[c]..block.dim {
                if map.plain[c] {
                    step[block.start + k] = -f[k];
                } else {
                    let v = &map.basis[block.start + k];
                    let along: f64 = v.iter().zip(f).map(|(v, f)| v * f).sum();
                    for (d, v) in step[block.range()].iter_mut().zip(v) {
                        *d -= along * v;
                    }
                }
            }
        }
        self.known.clear();
        self.known.extend_from_slice(step);
        self.image.clear();
        self.image.resize(frame.len(), 0.0);
        frame.add_image(&self.known, &mut self.image);
    }

    /// `K = Vᵀ P V + diag(σ + (1 - δ)/δ)`, the upper triangle.
    fn assemble(&mut self, frame: &Frame, map: &NaturalMap, proximal: f64) {
        let n = self.end.len();
        self.k.resize(self.k.len().max(n * n), 0.0);
        self.strip.resize(frame.len(), 0.0);
        for (c, block) in frame.blocks.iter().enumerate() {
            let (from, to) = (block.start, frame.blocks[block.reach].range().end);
            for l in 0..map.rank[c] {
                let row = self.first[c] + l;

                // a row of Vᵀ P, from this block on
                let source = if map.plain[c] {
                    frame.p_row(block.start + l)
                } else {
                    combine(frame, block, &map.basis[block.start + l], &mut self.strip[from..to]);
                    &self.strip[..]
                };

                // times V
                let line = &mut self.k[row * n..(row + 1) * n];
                for c2 in c..=block.reach {
                    let other = &frame.blocks[c2];
                    let out = &mut line[self.first[c2]..][..map.rank[c2]];
                    let p = &source[other.range()];
                    if map.plain[c2] {
                        out.copy_from_slice(&p[..out.len()]);
                    } else {
                        rotate(&map.basis[other.range()], p, out);
                    }
                }
                let delta = map.delta[block.start + l];
                line[row] += proximal + (1.0 - delta) / delta;

                // the factorisation takes rows in panels and looks as far as the last of each
                let panel = (row / PANEL * PANEL + PANEL - 1).min(n - 1);
                line[self.end[row]..self.end[panel]].fill(0.0);
            }
        }
    }

    fn right_hand_side(&mut self, frame: &Frame, map: &NaturalMap, n: usize) {
        self.rhs.resize(n, 0.0);
        for (c, block) in frame.blocks.iter().enumerate() {
            let (f, image) = (&map.f[block.range()], &self.image[block.range()]);
            for l in 0..map.rank[c] {
                let (along, across) = if map.plain[c] {
                    (f[l], image[l])
                } else {
                    let v = &map.basis[block.start + l];
                    let dot = |x: &[f64]| v.iter().zip(x).map(|(v, x)| v * x).sum::<f64>();
                    (dot(f), dot(image))
                };
                self.rhs[self.first[c] + l] = -along / map.delta[block.start + l] - across;
            }
        }
    }

    /// Solves with the factor, and with care once more for what rounding left over.
    fn solve(&mut self, n: usize, care: Care) {
        self.x.clear();
        self.x.extend_from_slice(&self.rhs);
        dense::cholesky_solve(&self.k[..n * n], &self.end, &mut self.x);
        if care == Care::Plain {
            return;
        }
        dense::subtract_product(&self.matrix, &self.end, &self.x, &mut self.rhs);
        dense::cholesky_solve(&self.k[..n * n], &self.end, &mut self.rhs);
        dense::axpy(1.0, &self.rhs, &mut self.x);
    }
}

/// `out = vᵀ P` for a `v` in a block, from the block on.
fn combine(frame: &Frame, block: &Block, v: &[f64; WIDEST], out: &mut [f64]) {
    let (from, to) = (block.start, block.start + out.len());
    out.fill(0.0);
    if block.dim == 3 {
        let row = |k: usize| &frame.p_row(block.start + k)[from..to];
        dense::axpy3([v[0], v[1], v[2]], [row(0), row(1), row(2)], out);
        return;
    }
    for k in 0..block.dim {
        dense::axpy(v[k], &frame.p_row(block.start + k)[from..to], out);
    }
}

/// `out = V p` for the first eigenvectors of a block.
fn rotate(basis: &[[f64; WIDEST]], p: &[f64], out: &mut [f64]) {
    if let [a, b, c] = *p {
        for (out, v) in out.iter_mut().zip(basis) {
            *out = v[0] * a + v[1] * b + v[2] * c;
        }
        return;
    }
    for (out, v) in out.iter_mut().zip(basis) {
        *out = v.iter().zip(p).map(|(v, p)| v * p).sum();
    }
}
