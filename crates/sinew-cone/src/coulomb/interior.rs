//! Primal-dual interior-point steps with Nesterov-Todd scaling and Mehrotra's corrector.
//!
//! Slow to finish and impossible to warm start, but it walks through statically indeterminate and
//! badly scaled problems where the active set cannot be guessed. The solver lets it walk until
//! Newton's method, tried from its projected iterates, takes over.
//!
//! With `s = P y - q` in the dual cone and a scaling `W` with `W⁻¹ y = W s = l`, each step solves
//! `(P + W⁻²) dy = W⁻¹ (l \ r) - (P y - q - s)`, in the axes of `W` (Nesterov and Todd 1997;
//! Vandenberghe, *The CVXOPT linear and quadratic cone program solvers*, 2010, §5). An interval is
//! two rays, one from either end, that share a diagonal entry. Free rows have next to no `W⁻²`.

use super::system::System;
use crate::dense;
use crate::frame::{Block, Frame, Shape, WIDEST};
use crate::natural_map::{NaturalMap, lorentz_axes};
use crate::small::{part_along, tangent};
use crate::tuning::{INTERIOR_START, INTERIOR_STEP, LEAST_BARRIER, PROXIMAL};

/// Iterate and buffers.
#[derive(Clone, Debug, Default)]
pub(crate) struct InteriorPoint {
    /// Unit of the iterate: `q` is divided by it.
    unit: f64,
    /// Number of barrier terms.
    degree: f64,
    y: Vec<f64>,
    /// Multiplier of the cone, or of an interval's lower end.
    s: Vec<f64>,
    /// Multiplier of an interval's upper end.
    upper: Vec<f64>,
    /// Eigenvectors of the blocks of `W`, and their eigenvalues.
    axes: NaturalMap,
    stretch: Vec<f64>,
    /// `l = W⁻¹ y`.
    scaled: Vec<f64>,
    dual: Vec<f64>,
    /// Right-hand side in the axes of `W`, then `W⁻¹ dy`.
    x: Vec<f64>,
    dy: Vec<f64>,
    ds: Vec<f64>,
    dupper: Vec<f64>,
    corrector: Vec<f64>,
    corrector_upper: Vec<f64>,
}

impl InteriorPoint {
    /// Starts on the axes of the cones, as far out as `guess` is, and on the central path: `y ∘ s`
    /// is the root of the largest impulse. With 1 the first steps under heavy bodies are short,
    /// with much more all others have a longer way.
    pub(crate) fn start(&mut self, frame: &Frame, guess: &[f64]) {
        let m = frame.stride();
        for v in [
            &mut self.y,
            &mut self.s,
            &mut self.upper,
            &mut self.stretch,
            &mut self.scaled,
            &mut self.dual,
            &mut self.x,
            &mut self.dy,
            &mut self.ds,
            &mut self.dupper,
            &mut self.corrector,
            &mut self.corrector_upper,
        ] {
            v.clear();
            v.resize(m, 0.0);
        }
        self.axes.resize(frame);
        self.axes.set_all(frame);
        let square: f64 = frame.q.iter().map(|q| q * q).sum();
        self.unit = (square / frame.blocks.len().max(1) as f64).sqrt().max(1e-300);
        self.degree = 0.0;
        let largest = guess.iter().fold(1.0, |a: f64, y| a.max((y / self.unit).abs()));
        let gap = if largest.is_finite() { largest.sqrt() } else { 1.0 };
        for block in &frame.blocks {
            let at = block.start;
            let length = guess[block.range()].iter().map(|y| y * y).sum::<f64>().sqrt() / self.unit;
            let far = if length.is_finite() { length.max(INTERIOR_START) } else { INTERIOR_START };
            match block.shape {
                Shape::Free => {}
                Shape::Ray | Shape::Lorentz => {
                    self.y[at] = far;
                    self.s[at] = gap / far;
                    self.degree += 1.0;
                }
                Shape::Interval(lower, upper) => {
                    let (low, high) = ends(lower, upper, self.unit);
                    let room = (0.5 * (high - low)).min(1.0);
                    self.y[at] = (guess[at] / self.unit).max(low + room).min(high - room);
                    if low.is_finite() {
                        self.s[at] = gap / (self.y[at] - low);
                        self.degree += 1.0;
                    }
                    if high.is_finite() {
                        self.upper[at] = gap / (high - self.y[at]);
                        self.degree += 1.0;
                    }
                }
            }
        }
    }

    /// The iterate in the frame's units.
    pub(crate) fn point(&self, out: &mut [f64]) {
        for (out, y) in out.iter_mut().zip(&self.y) {
            *out = y * self.unit;
        }
    }

    /// The parameter `m` of the central path, `y ∘ s = m²` on average, in the frame's units.
    pub(crate) fn path(&self, frame: &Frame) -> f64 {
        self.gap(frame, 0.0).sqrt() * self.unit
    }

    /// One predictor-corrector step; false if it failed.
    pub(crate) fn step(&mut self, frame: &Frame, p: &mut System) -> bool {
        self.set_scaling(frame);
        for (block, plain) in frame.blocks.iter().zip(&mut self.axes.plain) {
            *plain = block.shape != Shape::Lorentz;
        }
        let weight = self.stretch.iter().map(|s| (1.0 / (s * s)).max(LEAST_BARRIER));
        self.axes.delta.clear();
        self.axes.delta.extend(weight.take(frame.len()));
        for block in frame.blocks.iter().filter(|b| b.is_free()) {
            self.axes.delta[block.start] = PROXIMAL;
        }
        if !p.factor_along(frame, &self.axes) {
            return false;
        }

        // rd = P y - q - s
        p.image(frame, &self.y, &mut self.dual);
        for k in 0..frame.len() {
            self.dual[k] -= frame.q[k] / self.unit + self.s[k] - self.upper[k];
        }

        // predictor: straight for the boundary;  corrector: back to the central path
        let gap = self.gap(frame, 0.0);
        self.corrector.fill(0.0);
        self.corrector_upper.fill(0.0);
        self.solve(frame, p, 0.0);
        let far = self.longest(frame).min(1.0);
        let centering = (self.gap(frame, far) / gap).clamp(1e-8, 1.0).powi(3);
        self.set_corrector(frame);
        self.solve(frame, p, centering * gap);
        let far = (INTERIOR_STEP * self.longest(frame)).min(1.0);
        // a step of no length comes of rounding, and so would all others
        if !far.is_finite() || far < LEAST_BARRIER || self.dy.iter().any(|d| !d.is_finite()) {
            return false;
        }
        dense::axpy(far, &self.dy, &mut self.y);
        dense::axpy(far, &self.ds, &mut self.s);
        dense::axpy(far, &self.dupper, &mut self.upper);
        true
    }

    /// `W` and `l` of every block.
    fn set_scaling(&mut self, frame: &Frame) {
        for block in &frame.blocks {
            let at = block.start;
            match block.shape {
                Shape::Free => self.stretch[at] = 1.0,
                Shape::Ray => {
                    self.stretch[at] = (self.y[at] / self.s[at]).sqrt();
                    self.scaled[at] = (self.y[at] * self.s[at]).sqrt();
                }
                Shape::Interval(lower, upper) => {
                    let (low, high) = ends(lower, upper, self.unit);
                    let stiffness =
                        self.s[at] / (self.y[at] - low) + self.upper[at] / (high - self.y[at]);
                    self.stretch[at] = if stiffness > 0.0 { 1.0 / stiffness.sqrt() } else { 1.0 };
                }
                Shape::Lorentz => self.scale_cone(block),
            }
        }
    }

    fn scale_cone(&mut self, block: &Block) {
        let (at, dim) = (block.start, block.dim);
        let (y, s) = (&self.y[block.range()], &self.s[block.range()]);
        let (yn, sn) = (hyperbolic(y).sqrt(), hyperbolic(s).sqrt());
        let inner = dense::dot(y, s) / (yn * sn);
        let gamma = (0.5 * (1.0 + inner)).sqrt();
        let eta = (yn / sn).sqrt();

        // the hyperbolic bisector of y and the mirrored s:  (sqrt(1 + t²), t u)
        let mut u = [0.0; WIDEST];
        for k in 1..dim {
            u[k] = (y[k] / yn - s[k] / sn) / (2.0 * gamma);
        }
        let t = tangent(&u);
        if t > 0.0 {
            u.iter_mut().for_each(|u| *u /= t);
        } else {
            u[1] = 1.0;
        }
        let ratio = t + (1.0 + t * t).sqrt();
        lorentz_axes(dim, &u, &mut self.axes.basis[block.range()]);
        self.stretch[at..at + dim].fill(eta);
        self.stretch[at] *= ratio;
        self.stretch[at + dim - 1] /= ratio;
        let l = self.stretched(block, &self.s);
        self.scaled[block.range()].copy_from_slice(&l[..dim]);
    }

    /// `W x` of one block.
    fn stretched(&self, block: &Block, x: &[f64]) -> [f64; WIDEST] {
        let mut out = [0.0; WIDEST];
        for (axis, stretch) in
            self.axes.basis[block.range()].iter().zip(&self.stretch[block.range()])
        {
            let along = stretch * part_along(axis, &x[block.range()]);
            out.iter_mut().zip(axis).for_each(|(out, a)| *out += along * a);
        }
        out
    }

    /// Direction for a complementarity of `target` on the central path, less the corrector.
    fn solve(&mut self, frame: &Frame, p: &mut System, target: f64) {
        for block in &frame.blocks {
            let at = block.start;
            let mut t = [0.0; WIDEST];
            match block.shape {
                Shape::Free => {}
                Shape::Ray => {
                    let l = self.scaled[at];
                    t[0] = (target - l * l - self.corrector[at]) / l;
                }
                Shape::Interval(lower, upper) => {
                    let (low, high) = ends(lower, upper, self.unit);
                    let (left, right) = (self.y[at] - low, high - self.y[at]);
                    let below = (target - self.corrector[at]) / left - self.s[at];
                    let above = (target - self.corrector_upper[at]) / right - self.upper[at];
                    let below = if low.is_finite() { below } else { 0.0 };
                    let above = if high.is_finite() { above } else { 0.0 };
                    t[0] = self.stretch[at] * (below - above);
                }
                Shape::Lorentz => {
                    let l = &self.scaled[block.range()];
                    let mut r = circle(l, l);
                    for (r, c) in r.iter_mut().zip(&self.corrector[block.range()]) {
                        *r = -*r - c;
                    }
                    r[0] += target;
                    t = divide(l, &r);
                }
            }
            // in the axes of W; of a block with one row that is itself
            let dual = &self.dual[block.range()];
            for i in block.range() {
                let along = |x: &[f64]| match block.shape {
                    Shape::Lorentz => part_along(&self.axes.basis[i], x),
                    _ => x[0],
                };
                self.ds[i] = along(&t[..block.dim]) / self.stretch[i];
                self.x[i] = self.ds[i] - along(dual);
            }
        }
        p.solve_along(frame, &self.axes, &self.x, &mut self.dy);

        // W⁻¹ dy,  ds = W⁻¹ (l \ r) - W⁻² dy
        for block in &frame.blocks {
            if block.shape != Shape::Lorentz {
                self.ds[block.start] -= self.dy[block.start] * self.stretch[block.start].powi(-2);
                continue;
            }
            let (mut x, mut ds) = ([0.0; WIDEST], [0.0; WIDEST]);
            for i in block.range() {
                let (axis, stretch) = (&self.axes.basis[i], self.stretch[i]);
                let along = part_along(axis, &self.dy[block.range()]) / stretch;
                let rest = self.ds[i] - along / stretch;
                for ((x, ds), a) in x.iter_mut().zip(&mut ds).zip(axis) {
                    *x += along * a;
                    *ds += rest * a;
                }
            }
            self.x[block.range()].copy_from_slice(&x[..block.dim]);
            self.ds[block.range()].copy_from_slice(&ds[..block.dim]);
        }
        self.split_intervals(frame, target);
    }

    /// Replaces `ds` of intervals and free rows by the changes of their own multipliers.
    fn split_intervals(&mut self, frame: &Frame, target: f64) {
        for block in &frame.blocks {
            let at = block.start;
            match block.shape {
                Shape::Free => self.ds[at] = 0.0,
                Shape::Interval(lower, upper) => {
                    let (low, high) = ends(lower, upper, self.unit);
                    let (left, right, dy) = (self.y[at] - low, high - self.y[at], self.dy[at]);
                    self.ds[at] = 0.0;
                    self.dupper[at] = 0.0;
                    if low.is_finite() {
                        let r = target - self.corrector[at] - left * self.s[at];
                        self.ds[at] = (r - self.s[at] * dy) / left;
                    }
                    if high.is_finite() {
                        let r = target - self.corrector_upper[at] - right * self.upper[at];
                        self.dupper[at] = (r + self.upper[at] * dy) / right;
                    }
                }
                Shape::Ray | Shape::Lorentz => {}
            }
        }
    }

    /// Second-order terms of the predictor: `(W⁻¹ dy) ∘ (W ds)`.
    fn set_corrector(&mut self, frame: &Frame) {
        for block in &frame.blocks {
            let at = block.start;
            match block.shape {
                Shape::Free => {}
                Shape::Ray => self.corrector[at] = self.dy[at] * self.ds[at],
                Shape::Interval(..) => {
                    self.corrector[at] = self.dy[at] * self.ds[at];
                    self.corrector_upper[at] = -self.dy[at] * self.dupper[at];
                }
                Shape::Lorentz => {
                    let image = self.stretched(block, &self.ds);
                    let product = circle(&self.x[block.range()], &image[..block.dim]);
                    self.corrector[block.range()].copy_from_slice(&product[..block.dim]);
                }
            }
        }
    }

    /// Mean complementarity after a step of length `far` along the current direction.
    fn gap(&self, frame: &Frame, far: f64) -> f64 {
        let mut sum = 0.0;
        for block in &frame.blocks {
            let at = block.start;
            match block.shape {
                Shape::Free => {}
                Shape::Ray | Shape::Lorentz => {
                    for i in block.range() {
                        sum += (self.y[i] + far * self.dy[i]) * (self.s[i] + far * self.ds[i]);
                    }
                }
                Shape::Interval(lower, upper) => {
                    let (low, high) = ends(lower, upper, self.unit);
                    let y = self.y[at] + far * self.dy[at];
                    if low.is_finite() {
                        sum += (y - low) * (self.s[at] + far * self.ds[at]);
                    }
                    if high.is_finite() {
                        sum += (high - y) * (self.upper[at] + far * self.dupper[at]);
                    }
                }
            }
        }
        sum / self.degree.max(1.0)
    }

    /// Longest step along the current direction that stays in all cones.
    fn longest(&self, frame: &Frame) -> f64 {
        let mut inverse = 0.0_f64;
        for block in &frame.blocks {
            let (at, range) = (block.start, block.range());
            let needed = match block.shape {
                Shape::Free => 0.0,
                Shape::Ray => (-self.dy[at] / self.y[at]).max(-self.ds[at] / self.s[at]),
                Shape::Interval(lower, upper) => {
                    let (low, high) = ends(lower, upper, self.unit);
                    let mut needed =
                        (-self.dy[at] / (self.y[at] - low)).max(self.dy[at] / (high - self.y[at]));
                    for (s, ds) in [(self.s[at], self.ds[at]), (self.upper[at], self.dupper[at])] {
                        if s > 0.0 {
                            needed = needed.max(-ds / s);
                        }
                    }
                    needed
                }
                Shape::Lorentz => inverse_reach(&self.y[range.clone()], &self.dy[range.clone()])
                    .max(inverse_reach(&self.s[range.clone()], &self.ds[range])),
            };
            inverse = inverse.max(needed);
        }
        if inverse > 0.0 { 1.0 / inverse } else { f64::INFINITY }
    }
}

/// Ends of an interval in units of the iterate, with a whisker of room where there is none.
fn ends(lower: f64, upper: f64, unit: f64) -> (f64, f64) {
    let (low, high) = (lower / unit, upper / unit);
    let narrow = 1e-6;
    if high - low < narrow {
        let middle = 0.5 * (low + high);
        return (middle - 0.5 * narrow, middle + 0.5 * narrow);
    }
    (low, high)
}

/// `n² - |t|²`, by factors.
fn hyperbolic(x: &[f64]) -> f64 {
    let t = x[1..].iter().map(|t| t * t).sum::<f64>().sqrt();
    ((x[0] - t) * (x[0] + t)).max(1e-300)
}

/// Product of the cone's algebra: `(aᵀ b, a₀ b + b₀ a)`.
fn circle(a: &[f64], b: &[f64]) -> [f64; WIDEST] {
    let mut out = [0.0; WIDEST];
    out[0] = dense::dot(a, b);
    for k in 1..a.len() {
        out[k] = a[0] * b[k] + b[0] * a[k];
    }
    out
}

/// `x` with `a ∘ x = b`.
fn divide(a: &[f64], b: &[f64; WIDEST]) -> [f64; WIDEST] {
    let mut out = [0.0; WIDEST];
    let cross: f64 = a[1..].iter().zip(&b[1..]).map(|(a, b)| a * b).sum();
    out[0] = (a[0] * b[0] - cross) / hyperbolic(a);
    for k in 1..a.len() {
        out[k] = (b[k] - out[0] * a[k]) / a[0];
    }
    out
}

/// One over the longest step from `x` along `d` within the Lorentz cone; zero or less if unbounded.
fn inverse_reach(x: &[f64], d: &[f64]) -> f64 {
    let length = hyperbolic(x).sqrt();
    let inner = x[0] * d[0] - x[1..].iter().zip(&d[1..]).map(|(x, d)| x * d).sum::<f64>();
    let along = inner / (length * length);
    let factor = (d[0] / length + along) / (x[0] / length + 1.0);
    let mut square = 0.0;
    for k in 1..x.len() {
        let v = d[k] / length - factor * x[k] / length;
        square += v * v;
    }
    square.sqrt() - along
}
