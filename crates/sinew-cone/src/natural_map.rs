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

/// Eigenvalues below this leave the Newton system: their coordinate moves by `-F` alone. A tenth of it
/// changes no iteration count; the systems become a third larger.
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
        for ((f, y), w) in self.f.iter_mut().zip(y).zip(w) {
            *f = y - w;
        }
        project(frame, &mut self.f);
        for (f, y) in self.f.iter_mut().zip(y) {
            *f = y - *f;
        }
    }

    /// The spectrum of the derivative, smoothed by `m` (zero: not).
    pub(crate) fn differentiate(&mut self, frame: &Frame, y: &[f64], w: &[f64], m: f64) {
        for (c, block) in frame.blocks.iter().enumerate() {
            let range = block.range();
            let mut z = [0.0; WIDEST];
            for (k, at) in range.clone().enumerate() {
                z[k] = y[at] - w[at];
            }
            let delta = &mut self.delta[range.clone()];
            self.plain[c] = spectrum(block, &z, m, delta, &mut self.basis[range]);
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
        project_block(block, z);
        for (k, at) in block.range().enumerate() {
            sum += (y[at] - z[k]) * (y[at] - z[k]);
        }
    }
    sum.sqrt()
}

/// Projects every block of `y`.
pub(crate) fn project(frame: &Frame, y: &mut [f64]) {
    for block in &frame.blocks {
        project_block(block, &mut y[block.range()]);
    }
}

/// `h` and its slope, without cancellation for negative `x`; at the kink of the unsmoothed function
/// the caller decides on the slope.
fn positive_part(x: f64, m: f64, at_zero: f64) -> (f64, f64) {
    if m == 0.0 {
        let slope = if x > 0.0 {
            1.0
        } else if x < 0.0 {
            0.0
        } else {
            at_zero
        };
        return (x.max(0.0), slope);
    }
    let root = (x * x + 4.0 * m * m).sqrt();
    let part = if x > 0.0 { 0.5 * (x + root) } else { 2.0 * m * m / (root - x) };
    (part, part / root)
}

/// The projection of one block.
pub(crate) fn project_block(block: &Block, z: &mut [f64]) {
    match block.shape {
        Shape::Free => {}
        Shape::Ray => z[0] = z[0].max(0.0),
        Shape::Interval(lower, upper) => z[0] = z[0].max(lower).min(upper),
        Shape::Lorentz => {
            let square = match z {
                [_, a, b] => *a * *a + *b * *b,
                _ => z[1..].iter().map(|t| t * t).sum::<f64>(),
            };
            let t = square.sqrt();
            if t <= z[0] {
                return;
            }
            let half = 0.5 * (z[0] + t).max(0.0);
            z[0] = half;
            let factor = if t > 0.0 { half / t } else { 0.0 };
            z[1..].iter_mut().for_each(|t| *t *= factor);
        }
    }
}

/// Writes the spectrum of the derivative at `z`; true if the eigenvectors are unit vectors.
fn spectrum(
    block: &Block,
    z: &[f64; WIDEST],
    m: f64,
    delta: &mut [f64],
    basis: &mut [[f64; WIDEST]],
) -> bool {
    let x = z[0];
    match block.shape {
        Shape::Free => delta[0] = 1.0,
        Shape::Ray => delta[0] = positive_part(x, m, 0.0).1,
        Shape::Interval(lower, upper) => {
            let left = if lower.is_finite() { positive_part(x - lower, m, 0.0).1 } else { 1.0 };
            let right = if upper.is_finite() { positive_part(x - upper, m, 1.0).1 } else { 0.0 };
            delta[0] = (left - right).max(0.0);
        }
        Shape::Lorentz => return lorentz_spectrum(block.dim, z, m, delta, basis),
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
    let (high, high_slope) = positive_part(z[0] + t, m, 0.0);
    let (low, low_slope) = positive_part(z[0] - t, m, 1.0);

    // nearly all or nearly nothing: no direction to speak of
    if high_slope <= NEGLIGIBLE || low_slope >= 1.0 - NEGLIGIBLE && high > 0.0 {
        delta.fill(if high_slope <= NEGLIGIBLE { 0.0 } else { low_slope });
        return true;
    }
    let across = if t > 1e-12 * z[0].abs() { (high - low) / (2.0 * t) } else { low_slope };
    delta[0] = high_slope;
    delta[1..dim - 1].fill(across.max(low_slope).min(high_slope));
    delta[dim - 1] = low_slope;

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
    if dim == 3 {
        basis[1] = [0.0, -unit[2], unit[1], 0.0, 0.0, 0.0];
        return false;
    }

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

#[cfg(test)]
mod tests {
    use super::*;

    fn block(shape: Shape, dim: usize) -> Block {
        Block { shape, start: 0, dim, cone: 0, span: (0, dim), reach: 0 }
    }

    /// Points spread over all cases, at a distance from the kinks.
    fn points(dim: usize) -> impl Iterator<Item = [f64; WIDEST]> {
        let mut state = 1u64;
        let next = move || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 33) as f64 / (1u64 << 30) as f64 - 1.0
        };
        let mut next = next;
        std::iter::repeat_with(move || {
            let mut z = [0.0; WIDEST];
            z[..dim].iter_mut().for_each(|z| *z = next());
            z
        })
        .filter(move |z| {
            let t = z[1..].iter().map(|t| t * t).sum::<f64>().sqrt();
            let kink = [z[0] - t, z[0] + t, z[0] + 0.25, z[0] - 0.375];
            kink.iter().all(|k| k.abs() > 1e-3) && (dim == 1 || t > 1e-2)
        })
        .take(300)
    }

    /// `D` from its spectrum.
    fn derivative(block: &Block, z: &[f64; WIDEST]) -> [[f64; WIDEST]; WIDEST] {
        let mut delta = [0.0; WIDEST];
        let mut basis = [[0.0; WIDEST]; WIDEST];
        let dim = block.dim;
        let plain = spectrum(block, z, 0.0, &mut delta[..dim], &mut basis[..dim]);
        let mut out = [[0.0; WIDEST]; WIDEST];
        for k in 0..dim {
            if plain {
                out[k][k] = delta[k];
                continue;
            }
            for i in 0..dim {
                for j in 0..dim {
                    out[i][j] += delta[k] * basis[k][i] * basis[k][j];
                }
            }
        }
        out
    }

    #[track_caller]
    fn check_derivative(block: &Block) {
        let h = 1e-6;
        for z in points(block.dim) {
            let d = derivative(block, &z);
            for j in 0..block.dim {
                let (mut ahead, mut behind) = (z, z);
                ahead[j] += h;
                behind[j] -= h;
                project_block(block, &mut ahead[..block.dim]);
                project_block(block, &mut behind[..block.dim]);
                for i in 0..block.dim {
                    let slope = (ahead[i] - behind[i]) / (2.0 * h);
                    assert!((slope - d[i][j]).abs() < 1e-6, "{z:?} [{i}, {j}]: {slope} {d:?}");
                }
            }
        }
    }

    #[test]
    fn the_spectrum_is_that_of_the_derivative() {
        for dim in 2..=WIDEST {
            check_derivative(&block(Shape::Lorentz, dim));
        }
        check_derivative(&block(Shape::Ray, 1));
        check_derivative(&block(Shape::Free, 1));
        check_derivative(&block(Shape::Interval(-0.25, 0.375), 1));
    }

    #[test]
    fn smoothing_vanishes_with_its_width() {
        let block = block(Shape::Lorentz, 4);
        for z in points(4) {
            let mut exact = [0.0; 4];
            let mut smooth = [0.0; 4];
            let mut basis = [[0.0; WIDEST]; 4];
            spectrum(&block, &z, 0.0, &mut exact, &mut basis);
            spectrum(&block, &z, 1e-9, &mut smooth, &mut basis);
            for (a, b) in exact.iter().zip(&smooth) {
                assert!((a - b).abs() < 1e-6, "{z:?}: {exact:?} {smooth:?}");
            }
        }
    }
}
