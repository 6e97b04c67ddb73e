//! The natural map `F(y) = y - Π(y - (P y - q))`, zero exactly at the optimum, and the spectrum of
//! its projection's derivative.
//!
//! With `z = y - w`, a Lorentz block has the spectral values `z± = z_n ± |z_t|` on the vectors `(1,
//! ±t)/√2`, `t = z_t/|z_t|`. The projection keeps their positive parts. The derivative `D` has the
//! eigenvalues `h'(z+)` and `h'(z-)` on those vectors and `(h(z+) - h(z-)) / (z+ - z-)` across.
//! Here `h(x) = max(x, 0)`, or for a smoothing width `m` the function `(x + sqrt(x² + 4m²)) / 2`.
//! (Chen and Harker 1993, Kanzow 1996, Smale 1987.) Eigenvalues are stored falling, so the ones
//! that matter are always the first `rank` of a block.

use sinew_math::simd::{Lane, dispatch, load3, store3};

use crate::frame::{Block, Frame, Shape, WIDEST};
use crate::small::{self, mul3, project_round, project3, sub3, tangent};
use crate::tuning::NEGLIGIBLE;

/// The spectrum of `D` at a point.
#[derive(Clone, Debug, Default)]
pub(crate) struct NaturalMap {
    /// Eigenvalues of `D`, per block falling.
    pub(crate) delta: Vec<f64>,
    /// Eigenvectors, a row of `WIDEST` numbers for each row of the frame; zeros beyond its block.
    pub(crate) basis: Vec<[f64; WIDEST]>,
    /// Eigenvalues per block that are not negligible.
    pub(crate) rank: Vec<usize>,
    /// Blocks whose eigenvectors are the unit vectors.
    pub(crate) plain: Vec<bool>,
}

impl NaturalMap {
    pub(crate) fn resize(&mut self, frame: &Frame) {
        self.delta.resize(frame.len(), 0.0);
        self.basis.resize(frame.len(), [0.0; WIDEST]);
        self.rank.resize(frame.blocks.len(), 0);
        self.plain.resize(frame.blocks.len(), true);
    }

    /// Makes all rows take part, along unit vectors.
    pub(crate) fn set_all(&mut self, frame: &Frame) {
        self.delta.fill(1.0);
        self.plain.fill(true);
        for (rank, block) in self.rank.iter_mut().zip(&frame.blocks) {
            *rank = block.dim;
            unit_vectors(&mut self.basis[block.range()]);
        }
    }
}

/// The natural map at a point.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Merit {
    /// `|F|`.
    pub(crate) norm: f64,
    /// `|λ - Π(λ - τ (A λ - b))|`, in the units of the problem.
    pub(crate) residual: f64,
    /// The largest `|F|` of a contact, as a velocity of that contact.
    pub(crate) velocity: f64,
    /// Largest impulse, in the units of the problem.
    pub(crate) largest: f64,
}

dispatch! {
    /// Writes `F` at `y` with gradient `w`.
    pub(crate) fn evaluate(frame: &Frame, y: &[f64], w: &[f64], f: &mut [f64]) -> Merit
        = evaluate_body::<Fused>;

    /// Writes the spectrum of the derivative, smoothed by `m`.
    pub(crate) fn differentiate(map: &mut NaturalMap, frame: &Frame, y: &[f64], w: &[f64], m: f64)
        = differentiate_body::<Fused>;
}

#[inline(always)]
fn evaluate_body<L: Lane>(frame: &Frame, y: &[f64], w: &[f64], f: &mut [f64]) -> Merit {
    // squares of F and of the residual, the largest impulse, the square of the largest velocity
    let (mut one, mut four) = ([0.0; 4], [L::splat(0.0); 4]);
    for (_, block) in frame.heads() {
        if block.group > 0 {
            evaluate_group::<L>(frame, block, &Point { y, w }, f, &mut four);
        } else {
            evaluate_block(frame, block, &Point { y, w }, &mut f[block.range()], &mut one);
        }
    }
    let [largest, velocity] =
        [2, 3].map(|k| four[k].to_array().iter().fold(one[k], |a, b| larger(a, *b)));
    Merit {
        norm: (one[0] + four[0].sum()).sqrt(),
        residual: (one[1] + four[1].sum()).sqrt(),
        velocity: velocity.sqrt(),
        largest,
    }
}

/// A point and its gradient.
struct Point<'a> {
    y: &'a [f64],
    w: &'a [f64],
}

fn evaluate_block(
    frame: &Frame,
    block: &Block,
    at: &Point<'_>,
    f: &mut [f64],
    sums: &mut [f64; 4],
) {
    let (y, w) = (&at.y[block.range()], &at.w[block.range()]);
    for ((f, y), w) in f.iter_mut().zip(y).zip(w) {
        *f = y - w;
    }
    project_block(block, f);
    f.iter_mut().zip(y).for_each(|(f, y)| *f = y - *f);
    sums[0] = f.iter().fold(sums[0], |sum, f| sum + f * f);
    let inverse = &frame.inverse_scale[block.range()];
    let velocity = f.iter().zip(inverse).map(|(f, inverse)| (f * inverse) * (f * inverse)).sum();
    let (square, impulse) = block_residual(frame, block, y, w);
    sums[1] += square;
    sums[2] = larger(sums[2], impulse);
    sums[3] = larger(sums[3], velocity);
}

/// The same for a group of contacts.
#[inline(always)]
fn evaluate_group<L: Lane>(
    frame: &Frame,
    block: &Block,
    at: &Point<'_>,
    f: &mut [f64],
    sums: &mut [L; 4],
) {
    let (start, group) = (block.start, block.group);
    let of = |x: &[f64]| load3::<L>(&x[start..], group);
    let (y, w, scale, inverse) = (of(at.y), of(at.w), of(&frame.scale), of(&frame.inverse_scale));
    let d = sub3(&y, &project_round(&sub3(&y, &w)));
    store3(d, &mut f[start..], group);
    sums[0] = sums[0] + square3(&d);
    sums[3] = sums[3].larger(square3(&mul3(&d, &inverse)));

    // the same in the units of the problem
    let (one, mu) = (L::splat(1.0), scale[1] * inverse[0]);
    let x = mul3(&scale, &y);
    let g = mul3(&inverse, &w).map(|g| g * L::splat(frame.step));
    let share = one / (one + mu * mu);
    let d = sub3(&x, &project3(&sub3(&x, &g), mu, |n, t| share * (n + mu * t)));
    sums[1] = sums[1] + square3(&d);
    sums[2] = sums[2].larger(x[0].abs()).larger(x[1].abs()).larger(x[2].abs());
}

#[inline(always)]
fn square3<L: Lane>(x: &[L; 3]) -> L {
    x[0] * x[0] + (x[1] * x[1] + x[2] * x[2])
}

/// The larger of two numbers that are not NaN.
#[inline(always)]
fn larger(a: f64, b: f64) -> f64 {
    if b > a { b } else { a }
}

/// Square of one block's part of the residual in the units of the problem, and its largest impulse.
fn block_residual(frame: &Frame, block: &Block, y: &[f64], w: &[f64]) -> (f64, f64) {
    let (first, cone) = (frame.rows[block.start], &frame.cones[block.cone]);
    let (mut impulse, mut moved) = ([0.0; WIDEST], [0.0; WIDEST]);
    let mut largest = 0.0_f64;
    for (k, (y, w)) in block.range().zip(y.iter().zip(w)) {
        let (row, scale) = (frame.rows[k] - first, frame.scale[k]);
        impulse[row] = y * scale;
        moved[row] = impulse[row] - frame.step * w / scale;
        largest = largest.max(impulse[row].abs());
    }
    let dim = cone.dim();
    cone.project(&mut moved[..dim]);
    let square = impulse[..dim].iter().zip(&moved).map(|(a, b)| (a - b) * (a - b)).sum();
    (square, largest)
}

#[inline(always)]
fn differentiate_body<L: Lane>(map: &mut NaturalMap, frame: &Frame, y: &[f64], w: &[f64], m: f64) {
    for (c, block) in frame.heads() {
        if block.group > 0 {
            differentiate_group::<L>(map, c, block, &Point { y, w }, m);
            continue;
        }
        let range = block.range();
        let mut z = [0.0; WIDEST];
        for (k, at) in range.clone().enumerate() {
            z[k] = y[at] - w[at];
        }
        let delta = &mut map.delta[range.clone()];
        map.plain[c] = spectrum(block, &z, m, delta, &mut map.basis[range.clone()]);
        if map.plain[c] {
            unit_vectors(&mut map.basis[range]);
        }
        map.rank[c] = delta.iter().take_while(|d| **d > NEGLIGIBLE).count();
    }
}

/// [`lorentz_spectrum`] of a group of contacts, from block `first` on.
#[inline(always)]
fn differentiate_group<L: Lane>(
    map: &mut NaturalMap,
    first: usize,
    block: &Block,
    at: &Point<'_>,
    m: f64,
) {
    let (start, group) = (block.start, block.group);
    let z = sub3(&load3::<L>(&at.y[start..], group), &load3::<L>(&at.w[start..], group));
    let t = (z[1] * z[1]).add_mul(z[2], z[2]).sqrt();
    let (high, low) = (smooth_part(z[0] + t, m), smooth_part(z[0] - t, m));
    let inverse = L::splat(1.0) / t.larger(L::splat(f64::MIN_POSITIVE));
    let across = L::splat(0.5) * (high[0] - low[0]) * inverse;
    let spread = (L::splat(1e-12) * z[0].abs()).at_most(t);
    let across = low[1].larger(spread.select(across, low[1])).smaller(high[1]);
    let lanes = [high[1], across, low[1], z[1] * inverse, z[2] * inverse];
    let lanes = lanes.map(L::to_array);
    for l in 0..group {
        let [high, across, low, u, v] = lanes.map(|lane| lane[l]);
        let rows = start + 3 * l..start + 3 * (l + 1);
        let plain = high <= NEGLIGIBLE || low >= 1.0 - NEGLIGIBLE;
        let delta = if plain {
            [if high <= NEGLIGIBLE { 0.0 } else { low }; 3]
        } else {
            [high, across, low]
        };
        map.plain[first + l] = plain;
        map.rank[first + l] = delta.iter().map(|d| usize::from(*d > NEGLIGIBLE)).sum();
        map.delta[rows.clone()].copy_from_slice(&delta);
        if plain {
            unit_vectors(&mut map.basis[rows]);
        } else {
            let (u, v) = if u == 0.0 && v == 0.0 { (1.0, 0.0) } else { (u, v) };
            lorentz_axes(3, &[0.0, u, v, 0.0, 0.0, 0.0], &mut map.basis[rows]);
        }
    }
}

/// [`positive_part`] in lanes, with a cancellation that loses digits of negligible values only.
#[inline(always)]
fn smooth_part<L: Lane>(x: L, m: f64) -> [L; 2] {
    let root = L::splat(4.0 * m * m).add_mul(x, x).sqrt();
    let part = L::splat(0.5) * (x + root);
    [part, part / root]
}

dispatch! {
    /// Projects every block of `y`.
    pub(crate) fn project(frame: &Frame, y: &mut [f64])
        = project_body::<Fused>;
}

#[inline(always)]
fn project_body<L: Lane>(frame: &Frame, y: &mut [f64]) {
    for (_, block) in frame.heads() {
        if block.group > 0 {
            let (y, group) = (&mut y[block.start..], block.group);
            store3(project_round(&load3::<L>(y, group)), y, group);
        } else {
            project_block(block, &mut y[block.range()]);
        }
    }
}

/// `h` and its slope for a width that is not zero, without cancellation for negative `x`.
#[inline(always)]
fn positive_part(x: f64, m: f64) -> (f64, f64) {
    let root = (x * x + 4.0 * m * m).sqrt();
    let part = if x > 0.0 { 0.5 * (x + root) } else { 2.0 * m * m / (root - x) };
    (part, part / root)
}

/// The projection of one block.
pub(crate) fn project_block(block: &Block, z: &mut [f64]) {
    match block.shape {
        Shape::Interval(lower, upper) => z[0] = z[0].max(lower).min(upper),
        Shape::Lorentz => small::project(z),
    }
}

/// Writes the spectrum of the derivative at `z`; true if the eigenvectors are unit vectors.
#[inline(always)]
fn spectrum(
    block: &Block,
    z: &[f64; WIDEST],
    m: f64,
    delta: &mut [f64],
    basis: &mut [[f64; WIDEST]],
) -> bool {
    let Shape::Interval(lower, upper) = block.shape else {
        return lorentz_spectrum(block.dim, z, m, delta, basis);
    };
    let left = if lower.is_finite() { positive_part(z[0] - lower, m).1 } else { 1.0 };
    let right = if upper.is_finite() { positive_part(z[0] - upper, m).1 } else { 0.0 };
    delta[0] = (left - right).max(0.0);
    true
}

#[inline(always)]
fn lorentz_spectrum(
    dim: usize,
    z: &[f64; WIDEST],
    m: f64,
    delta: &mut [f64],
    basis: &mut [[f64; WIDEST]],
) -> bool {
    let t = tangent(&z[..dim]);
    let (high, high_slope) = positive_part(z[0] + t, m);
    let (low, low_slope) = positive_part(z[0] - t, m);

    // nearly all or nearly nothing: no direction to speak of
    if high_slope <= NEGLIGIBLE || low_slope >= 1.0 - NEGLIGIBLE && high > 0.0 {
        delta.fill(if high_slope <= NEGLIGIBLE { 0.0 } else { low_slope });
        return true;
    }
    let across = if t > 1e-12 * z[0].abs() { (high - low) / (2.0 * t) } else { low_slope };
    delta[0] = high_slope;
    delta[1..dim - 1].fill(across.max(low_slope).min(high_slope));
    delta[dim - 1] = low_slope;

    let mut unit = [0.0; WIDEST];
    match t > 0.0 {
        true => (1..dim).for_each(|k| unit[k] = z[k] / t),
        false => unit[1] = 1.0,
    }
    lorentz_axes(dim, &unit, basis);
    false
}

#[inline(always)]
fn unit_vectors(rows: &mut [[f64; WIDEST]]) {
    for (k, row) in rows.iter_mut().enumerate() {
        *row = [0.0; WIDEST];
        row[k] = 1.0;
    }
}

/// Writes the orthonormal rows `(1, t)/√2`, then the directions across, then `(1, -t)/√2`, of a
/// unit vector `t`.
#[inline(always)]
pub(crate) fn lorentz_axes(dim: usize, unit: &[f64; WIDEST], rows: &mut [[f64; WIDEST]]) {
    const HALF: f64 = std::f64::consts::FRAC_1_SQRT_2;
    rows[0] = unit.map(|u| u * HALF);
    rows[0][0] = HALF;
    rows[dim - 1] = unit.map(|u| -u * HALF);
    rows[dim - 1][0] = HALF;
    if dim == 3 {
        rows[1] = [0.0, -unit[2], unit[1], 0.0, 0.0, 0.0];
        return;
    }

    // Householder: reflecting the first axis onto ±t takes the others to a basis across it
    let sign = if unit[1] < 0.0 { -1.0 } else { 1.0 };
    let scale = 1.0 / (1.0 + unit[1].abs());
    for k in 2..dim {
        let row = &mut rows[k - 1];
        *row = [0.0; WIDEST];
        row[k] = 1.0;
        for j in 1..dim {
            let mirror = if j == 1 { unit[1] + sign } else { unit[j] };
            row[j] -= unit[k] * mirror * scale;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A width that changes no digit.
    const EXACT: f64 = 1e-150;

    fn block(shape: Shape, dim: usize) -> Block {
        Block { shape, start: 0, dim, cone: 0, round: false, group: 0 }
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
        let plain = spectrum(block, z, EXACT, &mut delta[..dim], &mut basis[..dim]);
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
        check_derivative(&block(Shape::Interval(0.0, f64::INFINITY), 1));
        check_derivative(&block(Shape::Interval(f64::NEG_INFINITY, f64::INFINITY), 1));
        check_derivative(&block(Shape::Interval(-0.25, 0.375), 1));
    }

    #[test]
    fn smoothing_vanishes_with_its_width() {
        let block = block(Shape::Lorentz, 4);
        for z in points(4) {
            let mut exact = [0.0; 4];
            let mut smooth = [0.0; 4];
            let mut basis = [[0.0; WIDEST]; 4];
            spectrum(&block, &z, EXACT, &mut exact, &mut basis);
            spectrum(&block, &z, 1e-9, &mut smooth, &mut basis);
            for (a, b) in exact.iter().zip(&smooth) {
                assert!((a - b).abs() < 1e-6, "{z:?}: {exact:?} {smooth:?}");
            }
        }
    }
}
