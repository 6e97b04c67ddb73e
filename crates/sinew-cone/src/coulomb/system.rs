//! The linear systems of all methods: Newton's step, interior-point steps, and those of the
//! first-order method.
//!
//! The derivative of `F(y) = y - Π(y - ŵ)`, `ŵ = w + |w_t| e_n`, is `I - D + D G P` with
//! `G = I + e_n uᵀ` and `u = w_t / |w_t|`; by the convex law `G` is the identity. In the
//! eigenvectors of `D` a coordinate with eigenvalue zero moves by `-F` whatever the others do: a
//! part `d₀` of the step is known. The rows of the others, divided by their eigenvalue, are
//!
//! ```text
//! (Uᵀ P V + Δ) x = -Vᵀ F / δ - Uᵀ P d₀,   U = Gᵀ V,   Δ = σ + (1 - δ) / δ
//! ```
//!
//! where `V` has the eigenvectors that take part. Separated contacts vanish, sliding ones lose a
//! row. Along the ray of a sliding contact `U` is the normal: the row says that the contact stays.
//! A contact that sticks has `F = ŵ`; its rows times `G⁻¹` are those of the convex problem. The
//! other methods have systems of the same form. `P` is given by its rows (`velocity`), or itself
//! (`matrix`).

use sinew_math::simd::LANES;

use super::matrix::MatrixSystem;
use super::velocity::VelocitySystem;
use super::weights::{Weights, add_all, right_hand_side};
use crate::frame::Frame;
use crate::natural_map::NaturalMap;
use crate::problem::Problem;
use crate::sparse::SparseProblem;
use crate::tuning::LEAST_WEIGHT;

/// How a step is taken.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Manner {
    /// Proximal weight `σ`.
    pub(crate) proximal: f64,
    /// Whether the law is Coulomb's; the convex one has no correction, `U` is `V`.
    pub(crate) slip: bool,
}

/// What couples the contacts of a frame, factors, and buffers.
#[derive(Clone, Debug, Default)]
pub(crate) struct System {
    by_matrix: bool,
    matrix: MatrixSystem,
    velocity: VelocitySystem,
    weights: Weights,
    rhs: Vec<f64>,
    push: Vec<f64>,
    /// A map in which all rows take part.
    whole: NaturalMap,
}

impl System {
    /// Takes over a problem that is given by its matrix, and makes its frame.
    pub(crate) fn set_matrix(&mut self, problem: &Problem<'_>, frame: &mut Frame) {
        self.by_matrix = true;
        self.matrix.set(problem, frame);
        self.resize(frame);
    }

    /// Takes over a problem that is given by its rows, and makes its frame; false if it has too
    /// many columns.
    pub(crate) fn set_rows(
        &mut self,
        problem: &SparseProblem<'_>,
        frame: &mut Frame,
        most: usize,
    ) -> bool {
        self.by_matrix = false;
        let few = self.velocity.set(problem, frame, most);
        self.resize(frame);
        few
    }

    fn resize(&mut self, frame: &Frame) {
        for v in [&mut self.rhs, &mut self.push] {
            v.clear();
            v.resize(frame.stride(), 0.0);
        }
        self.rhs.resize(frame.stride() + LANES, 0.0);
        self.weights.resize(frame);
    }

    /// Columns of a problem that is given by its rows.
    pub(crate) fn columns(&self) -> usize {
        if self.by_matrix { 0 } else { self.velocity.bricks.width() }
    }

    /// Adds a share of it to the diagonal of the hard `P`.
    pub(crate) fn soften(&mut self, frame: &Frame, share: f64) {
        if self.by_matrix {
            self.matrix.soften(share);
        } else {
            self.velocity.bricks.soften(frame, share);
        }
    }

    /// `out = P y`.
    pub(crate) fn image(&mut self, frame: &Frame, y: &[f64], out: &mut [f64]) {
        if self.by_matrix {
            self.matrix.image(frame, y, out);
        } else {
            self.velocity.bricks.image(y, out);
        }
    }

    /// `w = P y - q`.
    pub(crate) fn gradient(&mut self, frame: &Frame, y: &[f64], w: &mut [f64]) {
        self.image(frame, y, w);
        w.iter_mut().zip(&frame.q).for_each(|(w, q)| *w -= q);
    }

    /// Writes the diagonal of `P`.
    pub(crate) fn diagonal(&self, frame: &Frame, out: &mut [f64]) {
        if self.by_matrix {
            self.matrix.diagonal(frame, out);
        } else {
            self.velocity.bricks.diagonal(frame, out);
        }
    }

    /// Sweeps over all blocks some times, by Coulomb's law or the convex one; `w` follows `y`.
    pub(crate) fn sweep(
        &mut self,
        frame: &Frame,
        times: (usize, bool),
        y: &mut [f64],
        w: &mut [f64],
    ) {
        if self.by_matrix {
            self.matrix.sweep(frame, times, y, w);
        } else {
            self.velocity.bricks.sweep(frame, times, y, w);
            self.gradient(frame, y, w);
        }
    }

    /// Writes the step from a point with gradient `w` to `step`; false if there is none. `map` has
    /// the value and the spectrum of the corrected map there.
    pub(crate) fn step(
        &mut self,
        frame: &Frame,
        map: &NaturalMap,
        w: &[f64],
        manner: Manner,
        step: &mut [f64],
    ) -> bool {
        if manner.slip {
            let least = if self.by_matrix { 0.0 } else { LEAST_WEIGHT };
            self.weights.set_coulomb(frame, map, w, (manner.proximal, least));
        } else {
            self.weights.set_convex(map, manner.proximal);
        }
        self.factor(frame, map) && self.step_again(frame, map, w, step)
    }

    /// The same with the last factors, which belong to the spectrum in `map`, for another value.
    pub(crate) fn step_again(
        &mut self,
        frame: &Frame,
        map: &NaturalMap,
        w: &[f64],
        step: &mut [f64],
    ) -> bool {
        let known = right_hand_side(&self.weights, frame, map, w, step, &mut self.rhs);
        self.solve(frame, map, known, step);
        step.iter().all(|x| x.is_finite())
    }

    /// Factors `Vᵀ P V + Δ`, with `V` and `Δ` in a map that all rows take part in; false if that
    /// fails.
    pub(crate) fn factor_along(&mut self, frame: &Frame, map: &NaturalMap) -> bool {
        self.weights.set(&map.delta[..frame.len()]);
        self.factor(frame, map)
    }

    /// Solves with these factors for a right-hand side along `V`; the solution is `V x`.
    pub(crate) fn solve_along(
        &mut self,
        frame: &Frame,
        map: &NaturalMap,
        rhs: &[f64],
        out: &mut [f64],
    ) {
        out.fill(0.0);
        self.rhs[..rhs.len()].copy_from_slice(rhs);
        self.solve(frame, map, false, out);
    }

    /// Factors `P` plus a diagonal, beside the other factors; false if that fails.
    pub(crate) fn shift(&mut self, frame: &Frame, diagonal: &[f64]) -> bool {
        let mut whole = std::mem::take(&mut self.whole);
        whole.resize(frame);
        whole.set_all(frame);
        whole.delta.copy_from_slice(&diagonal[..frame.len()]);
        let fine = self.factor_along(frame, &whole);
        self.whole = whole;
        if self.by_matrix {
            self.matrix.keep_shifted();
        } else {
            self.velocity.keep_shifted(diagonal);
        }
        fine
    }

    /// Solves with the last of these factors, in place.
    pub(crate) fn solve_shifted(&mut self, x: &mut [f64]) {
        if self.by_matrix {
            self.matrix.solve_shifted(x);
        } else {
            self.velocity.solve_shifted(x, &mut self.push);
        }
    }

    fn factor(&mut self, frame: &Frame, map: &NaturalMap) -> bool {
        let unknowns = self.weights.count(frame, map);
        if self.by_matrix {
            return self.matrix.factor(map, &self.weights, unknowns);
        }
        self.velocity.bricks.add_softness(frame, map, &mut self.weights.delta);
        self.velocity.factor(frame, map, &self.weights)
    }

    /// Adds `V x` to a step, of which a part is `known` or none, for the right-hand side in `rhs`.
    fn solve(&mut self, frame: &Frame, map: &NaturalMap, known: bool, step: &mut [f64]) {
        let System { matrix, velocity, weights, rhs, push, .. } = self;
        if self.by_matrix {
            matrix.solve(frame, map, (weights, known), rhs, step);
            return;
        }
        push.copy_from_slice(step);
        velocity.solve(map, weights, rhs, push);
        add_all(step, weights, map, |at| rhs[at]);
    }
}
