//! Primal-dual interior-point steps with Nesterov-Todd scaling and Mehrotra's corrector.
//!
//! By Coulomb's law `s = P y - q + |s_t| e_n`, whose Newton step has `G = I + e_n uᵀ` with `u = s_t
//! / |s_t|` on the left: `(G P + W⁻²) dy = W⁻¹ (l \ r) - G rd`. The corner of `|s_t|` is rounded
//! over a width `ε` that shrinks with the parameter of the path. So the path leads from the convex
//! law to Coulomb's. The equations are not monotone, and a path may end before the law.
//!
//! Slow to finish and impossible to warm start, but it walks through statically indeterminate and
//! badly scaled problems where the active set cannot be guessed. The solver lets it walk until
//! Newton's method, tried from its projected iterates, takes over.
//!
//! `s = P y - q` is in the dual cone, and the scaling `W` has `W⁻¹ y = W s = l`. Each step solves
//! `(P + W⁻²) dy = W⁻¹ (l \ r) - (P y - q - s)` in the axes of `W`. (Nesterov and Todd 1997;
//! Vandenberghe, *The CVXOPT linear and quadratic cone program solvers*, 2010, §5.) A row between
//! two ends has a multiplier and a barrier for each, which share a diagonal entry. An infinite end
//! has none, and a row without ends has next to no `W⁻²`.

use super::system::System;
use super::weights::add;
use crate::dense::{self, zero};
use crate::frame::{Block, Frame, Shape, WIDEST};
use crate::natural_map::{NaturalMap, lorentz_axes};
use crate::small::{part_along, tangent};
use crate::tuning::{INTERIOR_STEP, PROXIMAL, ROUNDING};

/// Iterate and buffers.
#[derive(Clone, Debug, Default)]
pub(crate) struct InteriorPoint {
    /// Unit of the iterate: `q` is divided by it.
    unit: f64,
    /// Number of barrier terms.
    degree: f64,
    y: Vec<f64>,
    /// Multipliers of a cone, or of the lower end of an interval; and of its upper end.
    s: [Vec<f64>; 2],
    /// Eigenvectors of the blocks of `W`, and their eigenvalues.
    axes: NaturalMap,
    stretch: Vec<f64>,
    /// `l = W⁻¹ y`.
    scaled: Vec<f64>,
    dual: Vec<f64>,
    /// Right-hand side in the axes of `W`, then `W⁻¹ dy`.
    x: Vec<f64>,
    dy: Vec<f64>,
    ds: [Vec<f64>; 2],
    corrector: [Vec<f64>; 2],
    /// By Coulomb's law, the width `ε` over the parameter of the path, and `u` at tangents.
    width: Option<f64>,
    turn: Vec<f64>,
}

/// Signs of the slacks `y - lower` and `upper - y`.
const SIDES: [f64; 2] = [1.0, -1.0];

impl InteriorPoint {
    /// Starts on the axes of the cones, at the size of `guess`, and on the central path: `y ∘ s` is
    /// the root of the largest impulse. With 1 the first steps under heavy bodies are short, with
    /// much more all others have a longer way.
    pub(crate) fn start(&mut self, frame: &Frame, guess: &[f64], width: Option<f64>) {
        let n = frame.stride();
        self.width = width;
        zero([&mut self.turn], n);
        for pair in [&mut self.s, &mut self.ds, &mut self.corrector] {
            zero(pair.each_mut(), n);
        }
        zero([&mut self.y, &mut self.dy, &mut self.stretch, &mut self.scaled], n);
        zero([&mut self.dual, &mut self.x], n);
        self.axes.resize(frame);
        self.axes.set_all(frame);
        let square: f64 = frame.q.iter().map(|q| q * q).sum();
        self.unit = (square / frame.blocks.len().max(1) as f64).sqrt().max(1e-300);
        self.degree = 0.0;
        let largest = guess.iter().fold(1.0, |a: f64, y| a.max((y / self.unit).abs()));
        let gap = if largest.is_finite() { largest.sqrt() } else { 1.0 };
        for (c, block) in frame.blocks.iter().enumerate() {
            let at = block.start;
            let length = guess[block.range()].iter().map(|y| y * y).sum::<f64>().sqrt() / self.unit;
            let far = if length.is_finite() { length.max(1.0) } else { 1.0 };
            let Shape::Interval(low, high) = self.shape(block) else {
                self.axes.plain[c] = false;
                self.y[at] = far;
                self.s[0][at] = gap / far;
                self.degree += 1.0;
                continue;
            };
            let guess = if length.is_finite() { guess[at] / self.unit } else { 0.0 };
            let inset = (0.5 * (high - low)).min(far);
            self.y[at] = guess.max(low + inset).min(high - inset);
            for (s, slack) in self.s.iter_mut().zip([self.y[at] - low, high - self.y[at]]) {
                if slack.is_finite() {
                    s[at] = gap / slack;
                    self.degree += 1.0;
                }
            }
        }
    }

    /// The shape of a block in units of the iterate; ends that are no distance from each other are
    /// given a little.
    fn shape(&self, block: &Block) -> Shape {
        let Shape::Interval(lower, upper) = block.shape else { return Shape::Lorentz };
        let (low, high) = (lower / self.unit, upper / self.unit);
        let narrow = 1e-6;
        if high - low < narrow {
            let middle = 0.5 * (low + high);
            return Shape::Interval(middle - 0.5 * narrow, middle + 0.5 * narrow);
        }
        Shape::Interval(low, high)
    }

    /// Distances of a block of one row from its two ends; none of a cone.
    fn slacks(&self, block: &Block) -> Option<[f64; 2]> {
        let y = self.y[block.start];
        match self.shape(block) {
            Shape::Interval(low, high) => Some([y - low, high - y]),
            Shape::Lorentz => None,
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
    pub(crate) fn step(&mut self, p: &mut System) -> bool {
        self.set_scaling(&p.frame);
        let weight = self.stretch.iter().map(|s| (1.0 / (s * s)).max(ROUNDING));
        self.axes.delta.clear();
        self.axes.delta.extend(weight.take(p.frame.len()));

        // rd = P y - q - s
        p.image(&self.y, &mut self.dual);
        for k in 0..p.frame.len() {
            self.dual[k] -= p.frame.q[k] / self.unit + self.s[0][k] - self.s[1][k];
        }
        if let Some(width) = self.width {
            self.turn_dual(&p.frame, width);
        }
        if !p.factor_turned(&self.axes, self.width.map(|_| &self.turn[..])) {
            return false;
        }

        // predictor: straight for the boundary;  corrector: back to the central path
        let gap = self.gap(&p.frame, 0.0);
        self.corrector.iter_mut().for_each(|c| c.fill(0.0));
        self.solve(p, 0.0);
        let far = self.longest(&p.frame).min(1.0);
        let centering = (self.gap(&p.frame, far) / gap).clamp(1e-8, 1.0).powi(3);
        self.set_corrector(&p.frame);
        self.solve(p, centering * gap);
        let far = (INTERIOR_STEP * self.longest(&p.frame)).min(1.0);
        // a step of no length comes of rounding, and so would all others
        if !far.is_finite() || far < ROUNDING || self.dy.iter().any(|d| !d.is_finite()) {
            return false;
        }
        dense::axpy(far, &self.dy, &mut self.y);
        self.s.iter_mut().zip(&self.ds).for_each(|(s, ds)| dense::axpy(far, ds, s));
        true
    }

    /// Turns the dual residual into `G (rd + slip e_n)`, with the smoothed speed
    /// `slip = √(|s_t|² + ε²) - ε` and its slopes `u` in `G = I + e_n uᵀ`.
    fn turn_dual(&mut self, frame: &Frame, width: f64) {
        let corner = width * self.gap(frame, 0.0).max(0.0).sqrt();
        for block in frame.blocks.iter().filter(|b| b.shape == Shape::Lorentz) {
            let length = tangent(&self.s[0][block.range()]).hypot(corner);
            let mut rise = length - corner;
            for k in block.range().skip(1) {
                self.turn[k] = self.s[0][k] / length;
                rise += self.turn[k] * self.dual[k];
            }
            self.dual[block.start] += rise;
        }
    }

    /// `W` and `l` of every block.
    fn set_scaling(&mut self, frame: &Frame) {
        for block in &frame.blocks {
            let Some(slacks) = self.slacks(block) else {
                self.scale_cone(block);
                continue;
            };
            let stiffness: f64 = (0..2).map(|k| self.s[k][block.start] / slacks[k]).sum();
            let stiffness = if stiffness > 0.0 { stiffness } else { PROXIMAL };
            self.stretch[block.start] = 1.0 / stiffness.sqrt();
        }
    }

    fn scale_cone(&mut self, block: &Block) {
        let (at, dim) = (block.start, block.dim);
        let (y, s) = (&self.y[block.range()], &self.s[0][block.range()]);
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
        let l = self.stretched(block, &self.s[0]);
        self.scaled[block.range()].copy_from_slice(&l[..dim]);
    }

    /// `W x` of one block.
    fn stretched(&self, block: &Block, x: &[f64]) -> [f64; WIDEST] {
        let mut out = [0.0; WIDEST];
        for i in block.range() {
            let axis = &self.axes.basis[i];
            add(&mut out, self.stretch[i] * part_along(axis, &x[block.range()]), axis);
        }
        out
    }

    /// Direction for a complementarity of `target` on the central path, less the corrector.
    fn solve(&mut self, p: &mut System, target: f64) {
        // W⁻¹ (l \ r) in the axes of W, of a block with one row in itself
        for block in &p.frame.blocks {
            let (at, dual) = (block.start, &self.dual[block.range()]);
            if let Some(slacks) = self.slacks(block) {
                let side = |k: usize| (target - self.corrector[k][at]) / slacks[k] - self.s[k][at];
                self.ds[0][at] = side(0) - side(1);
                self.x[at] = self.ds[0][at] - dual[0];
                continue;
            }
            let l = &self.scaled[block.range()];
            let mut r = circle(l, l);
            for (r, c) in r.iter_mut().zip(&self.corrector[0][block.range()]) {
                *r = -*r - c;
            }
            r[0] += target;
            let t = divide(l, &r);
            for i in block.range() {
                let axis = &self.axes.basis[i];
                self.ds[0][i] = part_along(axis, &t[..block.dim]) / self.stretch[i];
                self.x[i] = self.ds[0][i] - part_along(axis, dual);
            }
        }
        p.solve_along(&self.axes, &self.x, &mut self.dy);

        // W⁻¹ dy,  ds = W⁻¹ (l \ r) - W⁻² dy
        for block in &p.frame.blocks {
            let (at, dy) = (block.start, &self.dy[block.range()]);
            if let Some(slacks) = self.slacks(block) {
                for k in 0..2 {
                    let s = self.s[k][at];
                    let change = target - self.corrector[k][at] - SIDES[k] * s * dy[0];
                    self.ds[k][at] = change / slacks[k] - s;
                }
                continue;
            }
            let (mut x, mut ds) = ([0.0; WIDEST], [0.0; WIDEST]);
            for i in block.range() {
                let (axis, stretch) = (&self.axes.basis[i], self.stretch[i]);
                let along = part_along(axis, dy) / stretch;
                add(&mut x, along, axis);
                add(&mut ds, self.ds[0][i] - along / stretch, axis);
            }
            self.x[block.range()].copy_from_slice(&x[..block.dim]);
            self.ds[0][block.range()].copy_from_slice(&ds[..block.dim]);
        }
    }

    /// Second-order terms of the predictor: `(W⁻¹ dy) ∘ (W ds)`.
    fn set_corrector(&mut self, frame: &Frame) {
        for block in &frame.blocks {
            let at = block.start;
            if block.shape == Shape::Lorentz {
                let image = self.stretched(block, &self.ds[0]);
                let product = circle(&self.x[block.range()], &image[..block.dim]);
                self.corrector[0][block.range()].copy_from_slice(&product[..block.dim]);
                continue;
            }
            for k in 0..2 {
                self.corrector[k][at] = SIDES[k] * self.dy[at] * self.ds[k][at];
            }
        }
    }

    /// Mean complementarity after a step of length `far` along the current direction.
    fn gap(&self, frame: &Frame, far: f64) -> f64 {
        let after = |k: usize, i: usize| self.s[k][i] + far * self.ds[k][i];
        let mut sum = 0.0;
        for block in &frame.blocks {
            let at = block.start;
            match self.slacks(block) {
                Some(slacks) => {
                    for k in (0..2).filter(|k| slacks[*k].is_finite()) {
                        sum += (slacks[k] + far * SIDES[k] * self.dy[at]) * after(k, at);
                    }
                }
                None => {
                    block.range().for_each(|i| sum += (self.y[i] + far * self.dy[i]) * after(0, i))
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
            let Some(slacks) = self.slacks(block) else {
                let of_y = inverse_reach(&self.y[range.clone()], &self.dy[range.clone()]);
                let of_s = inverse_reach(&self.s[0][range.clone()], &self.ds[0][range]);
                inverse = inverse.max(of_y).max(of_s);
                continue;
            };
            for k in (0..2).filter(|k| slacks[*k].is_finite()) {
                inverse = inverse.max(-SIDES[k] * self.dy[at] / slacks[k]);
                inverse = inverse.max(-self.ds[k][at] / self.s[k][at]);
            }
        }
        if inverse > 0.0 { 1.0 / inverse } else { f64::INFINITY }
    }
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
