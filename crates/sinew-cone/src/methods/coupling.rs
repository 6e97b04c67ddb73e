//! The parts of a linear system: see `system`.

use super::sweep::{Groups, Sweep};
use super::weights::Weights;
use crate::frame::Frame;
use crate::natural_map::NaturalMap;

/// The matrix `P`, which couples the contacts, and the factors of its systems.
pub(super) trait Coupling {
    /// Adds a share of it to the diagonal of the hard `P`.
    fn soften(&mut self, frame: &Frame, share: f64);

    /// `out = P y`.
    fn image(&mut self, frame: &Frame, y: &[f64], out: &mut [f64]);

    /// Writes the diagonal of `P`.
    fn diagonal(&self, frame: &Frame, out: &mut [f64]);

    /// Sweeps over all blocks; `w` follows `y`.
    fn sweep(
        &mut self,
        frame: &Frame,
        groups: &mut Groups,
        sweep: Sweep,
        y: &mut [f64],
        w: &mut [f64],
    );

    /// Factors `Uᵀ P V + Δ`; false if it is singular.
    fn factor(&mut self, frame: &Frame, map: &NaturalMap, weights: &mut Weights) -> bool;

    /// Adds `V x` to a step of which `d₀` is known, for the right-hand side in `rhs`, which is
    /// lost.
    fn solve(
        &mut self,
        frame: &Frame,
        map: &NaturalMap,
        weights: &Weights,
        rhs: &mut [f64],
        step: &mut [f64],
    );

    /// Keeps the last factors, which are the factors of `P` plus a diagonal.
    fn keep_shifted(&mut self, diagonal: &[f64]);

    /// Solves with these, in place.
    fn solve_shifted(&mut self, x: &mut [f64]);
}
