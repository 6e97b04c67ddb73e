//! The linear systems of all methods: Newton's step, interior-point steps, and steps of the
//! first-order method.
//!
//! The derivative of `F(y) = y - Π(y - ŵ)`, `ŵ = w + |w_t| e_n`, is `I - D + D G P` with `G = I +
//! e_n uᵀ` and `u = w_t / |w_t|`; by the convex law `G` is the identity. In the eigenvectors of `D`
//! a coordinate with eigenvalue zero moves by `-F`, independently of the others: a part `d₀` of the
//! step is known. The rows of the others, divided by their eigenvalue, are
//!
//! ```text
//! (Uᵀ P V + Δ) x = -Vᵀ F / δ - Uᵀ P d₀,   U = Gᵀ V,   Δ = σ + (1 - δ) / δ
//! ```
//!
//! where `V` has the eigenvectors that take part. Separated contacts vanish, sliding ones lose a
//! row. Along the ray of a sliding contact `U` is the normal: the row says that the contact stays.
//! A contact that sticks has `F = ŵ`; its rows times `G⁻¹` are the rows of the convex problem. The
//! other methods have systems of the same form. `P` is given by its rows (`velocity`), or itself
//! (`matrix`).

use sinew_math::simd::LANES;

use super::coupling::Coupling;
use super::iterate::Iterate;
use super::matrix::MatrixSystem;
use super::sweep::{Groups, Sweep};
use super::velocity::VelocitySystem;
use super::weights::{Weights, right_hand_side};
use crate::frame::Frame;
use crate::natural_map::NaturalMap;
use crate::problem::Problem;
use crate::sparse::SparseProblem;

/// Which step is taken.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StepKind {
    /// Proximal weight `σ`.
    pub(crate) proximal: f64,
    /// Whether the law is Coulomb's; the convex one has no correction, `U` is `V`.
    pub(crate) slip: bool,
}

/// A problem in its frame, the coupling of its contacts, and buffers.
#[derive(Clone, Debug, Default)]
pub(crate) struct System {
    pub(crate) frame: Frame,
    by_matrix: bool,
    matrix: MatrixSystem,
    velocity: VelocitySystem,
    /// Blocks as sweeps take them, once there was one.
    groups: Groups,
    weights: Weights,
    rhs: Vec<f64>,
    /// A map in which all rows take part.
    whole: NaturalMap,
}

/// The parts of a system that work together.
struct Parts<'a> {
    frame: &'a Frame,
    p: &'a mut dyn Coupling,
    groups: &'a mut Groups,
    weights: &'a mut Weights,
    rhs: &'a mut [f64],
}

impl System {
    /// Takes over a problem that is given by its matrix.
    pub(crate) fn set_matrix(&mut self, problem: &Problem<'_>) {
        self.by_matrix = true;
        self.matrix.set(problem, &mut self.frame);
        self.resize();
    }

    /// Takes over a problem that is given by its rows; false if it has too many columns.
    pub(crate) fn set_rows(&mut self, problem: &SparseProblem<'_>, most: usize) -> bool {
        self.by_matrix = false;
        let few = self.velocity.set(problem, &mut self.frame, most);
        self.resize();
        few
    }

    fn resize(&mut self) {
        self.groups.forget();
        self.rhs.clear();
        self.rhs.resize(self.frame.stride() + LANES, 0.0);
        self.weights.resize(&self.frame);
    }

    fn parts(&mut self) -> Parts<'_> {
        let System { frame, groups, weights, rhs, .. } = self;
        let p: &mut dyn Coupling =
            if self.by_matrix { &mut self.matrix } else { &mut self.velocity };
        Parts { frame, p, groups, weights, rhs }
    }

    /// Whether the problem is given by its matrix.
    pub(crate) fn is_matrix(&self) -> bool {
        self.by_matrix
    }

    /// Columns of a problem that is given by its rows.
    pub(crate) fn columns(&self) -> usize {
        if self.by_matrix { 0 } else { self.velocity.bricks.width() }
    }

    /// Adds a share of it to the diagonal of the hard `P`.
    pub(crate) fn soften(&mut self, share: f64) {
        let Parts { frame, p, groups, .. } = self.parts();
        groups.forget();
        p.soften(frame, share);
    }

    /// `out = P y`.
    pub(crate) fn image(&mut self, y: &[f64], out: &mut [f64]) {
        let Parts { frame, p, .. } = self.parts();
        p.image(frame, y, out);
    }

    /// `w = P y - q`.
    pub(crate) fn gradient(&mut self, y: &[f64], w: &mut [f64]) {
        self.image(y, w);
        w.iter_mut().zip(&self.frame.q).for_each(|(w, q)| *w -= q);
    }

    /// Writes the diagonal of `P`.
    pub(crate) fn diagonal(&mut self, out: &mut [f64]) {
        let Parts { frame, p, .. } = self.parts();
        p.diagonal(frame, out);
    }

    /// Sweeps over all blocks; `w` follows `y`.
    pub(crate) fn sweep(&mut self, sweep: Sweep, y: &mut [f64], w: &mut [f64]) {
        let Parts { frame, p, groups, .. } = self.parts();
        p.sweep(frame, groups, sweep, y, w);
    }

    /// Writes the step from a point to `step`; false if there is none. `map` has the spectrum of
    /// the corrected map there.
    pub(crate) fn step(
        &mut self,
        map: &NaturalMap,
        here: &Iterate,
        kind: StepKind,
        step: &mut [f64],
    ) -> bool {
        if kind.slip {
            self.weights.set_coulomb(&self.frame, map, &here.w, kind.proximal);
        } else {
            self.weights.set_convex(map, kind.proximal);
        }
        self.factor(map) && self.step_again(map, here, step)
    }

    /// The same with the last factors, which belong to the spectrum in `map`, for another point.
    pub(crate) fn step_again(
        &mut self,
        map: &NaturalMap,
        here: &Iterate,
        step: &mut [f64],
    ) -> bool {
        let Parts { frame, p, weights, rhs, .. } = self.parts();
        right_hand_side(weights, frame, map, here, step, rhs);
        p.solve(frame, map, weights, rhs, step);
        step.iter().all(|x| x.is_finite())
    }

    /// Factors `Vᵀ P V + Δ`, with `V` and `Δ` in a map that all rows take part in; false if that
    /// fails.
    pub(crate) fn factor_along(&mut self, map: &NaturalMap) -> bool {
        self.factor_turned(map, None)
    }

    /// The same for `Uᵀ P V + Δ`, `U = Gᵀ V`, with the tangents `u` of `G`.
    pub(crate) fn factor_turned(&mut self, map: &NaturalMap, turn: Option<&[f64]>) -> bool {
        self.weights.set(&map.delta[..self.frame.len()]);
        if let Some(turn) = turn {
            self.weights.turn(&self.frame, map, turn);
        }
        self.factor(map)
    }

    /// Solves with these factors for a right-hand side along `V`; the solution is `V x`.
    pub(crate) fn solve_along(&mut self, map: &NaturalMap, along: &[f64], out: &mut [f64]) {
        let Parts { frame, p, weights, rhs, .. } = self.parts();
        out.fill(0.0);
        rhs[..along.len()].copy_from_slice(along);
        p.solve(frame, map, weights, rhs, out);
    }

    /// Factors `P` plus a diagonal, beside the other factors; false if that fails.
    pub(crate) fn shift(&mut self, diagonal: &[f64]) -> bool {
        let mut whole = std::mem::take(&mut self.whole);
        whole.resize(&self.frame);
        whole.set_all(&self.frame);
        whole.delta.copy_from_slice(&diagonal[..self.frame.len()]);
        let fine = self.factor_along(&whole);
        self.whole = whole;
        self.parts().p.keep_shifted(diagonal);
        fine
    }

    /// Solves with the last of these factors, in place.
    pub(crate) fn solve_shifted(&mut self, x: &mut [f64]) {
        self.parts().p.solve_shifted(x);
    }

    fn factor(&mut self, map: &NaturalMap) -> bool {
        let Parts { frame, p, weights, .. } = self.parts();
        weights.number(frame, map);
        p.factor(frame, map, weights)
    }
}
