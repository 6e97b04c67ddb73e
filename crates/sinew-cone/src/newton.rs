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
use crate::frame::Frame;
use crate::natural_map::NaturalMap;

/// Weight `σ` of the proximal term. It fixes the impulses of statically indeterminate contacts: without
/// it boxes on four corners cycle, and from 1e-2 on the last steps become slow.
pub(crate) const PROXIMAL: f64 = 1e-8;

/// The reduced system and its buffers.
#[derive(Clone, Debug, Default)]
pub(crate) struct NewtonSystem {
    /// Upper triangle: the factor. Strict lower triangle: the matrix.
    k: Vec<f64>,
    diagonal: Vec<f64>,
    proximal: f64,
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
        step: &mut [f64],
    ) -> bool {
        self.proximal = proximal;
        let m = frame.len();
        let mut n = 0;
        self.first.clear();
        for rank in &map.rank {
            self.first.push(n);
            n += rank;
        }

        // d₀ = -V₀ V₀ᵀ F and its image
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
        self.image.resize(m, 0.0);
        dense::product(&frame.p, &self.known, &mut self.image);

        self.assemble(frame, map, n);
        self.right_hand_side(frame, map, n);
        if !dense::cholesky(&mut self.k[..n * n], n) {
            return false;
        }
        self.solve_refined(n);

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

    /// `K = Vᵀ P V + diag(σ + (1 - δ)/δ)`, both triangles.
    fn assemble(&mut self, frame: &Frame, map: &NaturalMap, n: usize) {
        let m = frame.len();
        self.k.resize(self.k.len().max(n * n), 0.0);
        self.diagonal.resize(n, 0.0);
        self.strip.resize(m, 0.0);
        for (c, block) in frame.blocks.iter().enumerate() {
            for l in 0..map.rank[c] {
                let row = self.first[c] + l;

                // a row of Vᵀ P
                let source = if map.plain[c] {
                    frame.p_row(block.start + l)
                } else {
                    let v = &map.basis[block.start + l];
                    self.strip[block.start..].fill(0.0);
                    for k in 0..block.dim {
                        let p = &frame.p_row(block.start + k)[block.start..];
                        dense::axpy(v[k], p, &mut self.strip[block.start..]);
                    }
                    &self.strip[..]
                };

                // times V, from this block on
                for (c2, block2) in frame.blocks.iter().enumerate().skip(c) {
                    let (rank, p) = (map.rank[c2], &source[block2.range()]);
                    let out = &mut self.k[row * n + self.first[c2]..][..rank];
                    if map.plain[c2] {
                        out.copy_from_slice(&p[..rank]);
                    } else {
                        for (out, v) in out.iter_mut().zip(&map.basis[block2.range()]) {
                            *out = v.iter().zip(p).map(|(v, p)| v * p).sum();
                        }
                    }
                }
                let delta = map.delta[block.start + l];
                self.k[row * n + row] += self.proximal + (1.0 - delta) / delta;
            }
        }
        for i in 0..n {
            self.diagonal[i] = self.k[i * n + i];
            for j in 0..i {
                self.k[i * n + j] = self.k[j * n + i];
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

    /// Solves with the factor, and once more for what rounding left over: with dependent rows
    /// the condition number reaches 1e11.
    fn solve_refined(&mut self, n: usize) {
        self.x.clear();
        self.x.extend_from_slice(&self.rhs);
        dense::cholesky_solve(&self.k[..n * n], &mut self.x);
        for i in 0..n {
            let (row, xi) = (&self.k[i * n..i * n + i], self.x[i]);
            self.rhs[i] -= dense::dot(row, &self.x[..i]) + self.diagonal[i] * xi;
            dense::axpy(-xi, row, &mut self.rhs[..i]);
        }
        dense::cholesky_solve(&self.k[..n * n], &mut self.rhs);
        dense::axpy(1.0, &self.rhs, &mut self.x);
    }
}
