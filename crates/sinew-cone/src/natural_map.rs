//! The natural map `F(y) = y - Π(y - (P y - q))`, zero exactly at the optimum, and the spectrum of
//! its projection's derivative.
//!
//! With `z = y - w`, a Lorentz block has the spectral values `z± = z_n ± |z_t|` on the vectors
//! `(1, ±t)/√2`, `t = z_t/|z_t|`. The projection keeps their positive parts. Its derivative `D` has the
//! eigenvalues `h'(z+)` and `h'(z-)` on those vectors and `(h(z+) - h(z-)) / (z+ - z-)` across, where
//! `h(x) = max(x, 0)`, or for a smoothing width `m` the function `(x + sqrt(x² + 4m²)) / 2`
//! (Chen and Harker 1993, Kanzow 1996, Smale 1987). Eigenvalues are stored falling, so
//! the ones that matter are always the first `rank` of a block.

use crate::frame::{Block, Frame, Shape, WIDEST};

/// Eigenvalues below this leave the Newton system: their coordinate moves by `-F` alone.
const NEGLIGIBLE: f64 = 1e-2;

/// `F` and the spectrum of `D` at a point.
#[derive(Clone, Debug, Default)]
pub(crate) struct NaturalMap {
    /// `F(y)`.
    pub(crate) f: Vec<f64>,
    /// Eigenvalues of `D`, per block falling.
    pub(crate) delta: Vec<f64>,
    /// Eigenvectors, a row of `WIDEST` numbers for each row of the frame.
    pub(crate) basis: Vec<[f64; WIDEST]>,
    /// Eigenvalues per block that are not negligible.
    pub(crate) rank: Vec<usize>,
    /// Blocks whose eigenvectors are the unit vectors.
    pub(crate) plain: Vec<bool>,
}

impl NaturalMap {
    pub(crate) fn resize(&mut self, frame: &Frame) {
        self.f.resize(frame.len(), 0.0);
        self.delta.resize(frame.len(), 0.0);
        self.basis.resize(frame.len(), [0.0; WIDEST]);
        self.rank.resize(frame.blocks.len(), 0);
        self.plain.resize(frame.blocks.len(), true);
    }

    /// Evaluates the map at `y` with gradient `w`.
    pub(crate) fn evaluate(&mut self, frame: &Frame, y: &[f64], w: &[f64]) {
        for (c, block) in frame.blocks.iter().enumerate() {
            let range = block.range();
            let mut z = [0.0; WIDEST];
            for (z, (y, w)) in z.iter_mut().zip(y[range.clone()].iter().zip(&w[range.clone()])) {
                *z = y - w;
            }
            let delta = &mut self.delta[range.clone()];
            let basis = &mut self.basis[range.clone()];
            self.plain[c] = spectrum(block, &mut z, 0.0, delta, basis);
            self.rank[c] = delta.iter().take_while(|d| **d > NEGLIGIBLE).count();
            for (k, at) in range.enumerate() {
                self.f[at] = y[at] - z[k];
            }
        }
    }

    /// Replaces the spectrum by that of the smoothed map; `F` stays.
    pub(crate) fn smooth_derivative(&mut self, frame: &Frame, y: &[f64], w: &[f64], m: f64) {
        for (c, block) in frame.blocks.iter().enumerate() {
            let range = block.range();
            let mut z = [0.0; WIDEST];
            for (z, at) in z.iter_mut().zip(range.clone()) {
                *z = y[at] - w[at];
            }
            let delta = &mut self.delta[range.clone()];
            self.plain[c] = spectrum(block, &mut z, m, delta, &mut self.basis[range]);
            self.rank[c] = delta.iter().take_while(|d| **d > NEGLIGIBLE).count();
        }
    }

    /// The map of the problem without cones, at zero.
    pub(crate) fn pretend_free(&mut self, frame: &Frame) {
        for (f, q) in self.f.iter_mut().zip(&frame.q) {
            *f = -q;
        }
        self.delta.fill(1.0);
        self.plain.fill(true);
        for (rank, block) in self.rank.iter_mut().zip(&frame.blocks) {
            *rank = block.dim;
        }
    }

    /// Euclidean norm of `F`.
    pub(crate) fn norm(&self) -> f64 {
        self.f.iter().map(|f| f * f).sum::<f64>().sqrt()
    }
}

/// Norm of the map alone, without its spectrum.
pub(crate) fn norm(frame: &Frame, y: &[f64], w: &[f64]) -> f64 {
    let mut sum = 0.0;
    for block in &frame.blocks {
        let mut z = [0.0; WIDEST];
        let z = &mut z[..block.dim];
        for (k, at) in block.range().enumerate() {
            z[k] = y[at] - w[at];
        }
        smooth_project(block, z, 0.0);
        for (k, at) in block.range().enumerate() {
            sum += (y[at] - z[k]) * (y[at] - z[k]);
        }
    }
    sum.sqrt()
}

/// Projects every block of `y`.
pub(crate) fn project(frame: &Frame, y: &mut [f64]) {
    for block in &frame.blocks {
        smooth_project(block, &mut y[block.range()], 0.0);
    }
}

/// `h`, without cancellation for negative `x`.
fn positive_part(x: f64, m: f64) -> f64 {
    if m == 0.0 {
        return x.max(0.0);
    }
    let root = (x * x + 4.0 * m * m).sqrt();
    if x > 0.0 { 0.5 * (x + root) } else { 2.0 * m * m / (root - x) }
}

/// `h'`; at the kink of the unsmoothed function the caller decides.
fn positive_slope(x: f64, m: f64, at_zero: f64) -> f64 {
    if m == 0.0 {
        return if x > 0.0 {
            1.0
        } else if x < 0.0 {
            0.0
        } else {
            at_zero
        };
    }
    positive_part(x, m) / (x * x + 4.0 * m * m).sqrt()
}

/// The (smoothed) projection of one block.
pub(crate) fn smooth_project(block: &Block, z: &mut [f64], m: f64) {
    match block.shape {
        Shape::Free => {}
        Shape::Ray => z[0] = positive_part(z[0], m),
        Shape::Interval(lower, upper) => z[0] = clamp(z[0], lower, upper, m),
        Shape::Lorentz => {
            let t = z[1..].iter().map(|t| t * t).sum::<f64>().sqrt();
            if m == 0.0 && t <= z[0] {
                return;
            }
            let high = positive_part(z[0] + t, m);
            let low = positive_part(z[0] - t, m);
            z[0] = 0.5 * (high + low);
            let factor = if t > 0.0 { 0.5 * (high - low) / t } else { 0.0 };
            z[1..].iter_mut().for_each(|t| *t *= factor);
        }
    }
}

fn clamp(x: f64, lower: f64, upper: f64, m: f64) -> f64 {
    if m == 0.0 {
        return x.max(lower).min(upper);
    }
    // lower + h(x - lower) - h(x - upper), written so that infinite ends drop out
    let above = if lower.is_finite() { lower + positive_part(x - lower, m) } else { x };
    let beyond = if upper.is_finite() { positive_part(x - upper, m) } else { 0.0 };
    above - beyond
}

/// Projects `z` and writes the spectrum of the derivative; true if the eigenvectors are unit vectors.
fn spectrum(
    block: &Block,
    z: &mut [f64; WIDEST],
    m: f64,
    delta: &mut [f64],
    basis: &mut [[f64; WIDEST]],
) -> bool {
    let point = *z;
    smooth_project(block, &mut z[..block.dim], m);
    let x = point[0];
    match block.shape {
        Shape::Free => delta[0] = 1.0,
        Shape::Ray => delta[0] = positive_slope(x, m, 0.0),
        Shape::Interval(lower, upper) => {
            let left = if lower.is_finite() { positive_slope(x - lower, m, 0.0) } else { 1.0 };
            let right = if upper.is_finite() { positive_slope(x - upper, m, 1.0) } else { 0.0 };
            delta[0] = (left - right).max(0.0);
        }
        Shape::Lorentz => return lorentz_spectrum(block.dim, &point, m, delta, basis),
    }
    true
}

fn lorentz_spectrum(
    dim: usize,
    z: &[f64; WIDEST],
    m: f64,
    delta: &mut [f64],
    basis: &mut [[f64; WIDEST]],
) -> bool {
    let t = z[1..dim].iter().map(|t| t * t).sum::<f64>().sqrt();
    let (high, low) = (z[0] + t, z[0] - t);
    let slopes = (positive_slope(high, m, 0.0), positive_slope(low, m, 1.0));
    if m == 0.0 && (low >= 0.0 && high > 0.0 || high <= 0.0) {
        delta[..dim].fill(slopes.0);
        return true;
    }
    let across = if t > 1e-12 * z[0].abs() {
        (positive_part(high, m) - positive_part(low, m)) / (2.0 * t)
    } else {
        slopes.1
    };
    delta[0] = slopes.0;
    delta[1..dim - 1].fill(across.max(slopes.1).min(slopes.0));
    delta[dim - 1] = slopes.1;

    // (1, t)/√2, then the directions across, then (1, -t)/√2
    let mut unit = [0.0; WIDEST];
    if t > 0.0 {
        for k in 1..dim {
            unit[k] = z[k] / t;
        }
    } else {
        unit[1] = 1.0;
    }
    const HALF: f64 = std::f64::consts::FRAC_1_SQRT_2;
    basis[0] = unit.map(|u| u * HALF);
    basis[0][0] = HALF;
    basis[dim - 1] = unit.map(|u| -u * HALF);
    basis[dim - 1][0] = HALF;

    // Householder: reflecting the first axis onto ±t takes the others to a basis across it
    let sign = if unit[1] < 0.0 { -1.0 } else { 1.0 };
    let scale = 1.0 / (1.0 + unit[1].abs());
    for k in 2..dim {
        let row = &mut basis[k - 1];
        *row = [0.0; WIDEST];
        row[k] = 1.0;
        for j in 1..dim {
            let mirror = if j == 1 { unit[1] + sign } else { unit[j] };
            row[j] -= unit[k] * mirror * scale;
        }
    }
    false
}
