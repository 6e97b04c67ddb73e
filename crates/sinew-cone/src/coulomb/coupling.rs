//! What couples contacts, as the methods see it.

use crate::frame::Frame;
use crate::natural_map::NaturalMap;

/// How a step is taken.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Manner {
    /// Proximal weight `σ`.
    pub(crate) proximal: f64,
    /// Whether the law is Coulomb's; the convex one has no correction, `U` is `V`.
    pub(crate) slip: bool,
}

/// What couples the contacts of a frame: products with `P`, and linear systems with it.
pub(crate) trait Coupling {
    /// `w = P y - q`.
    fn gradient(&mut self, frame: &Frame, y: &[f64], w: &mut [f64]);

    /// Sweeps over all blocks some times, by Coulomb's law or the convex one; `w` is that of `y` at
    /// the end.
    fn sweep(&mut self, frame: &Frame, times: (usize, bool), y: &mut [f64], w: &mut [f64]);

    /// Writes the step from a point with gradient `w` to `step`; false if there is none. `map` has
    /// the value and the spectrum of the corrected map there.
    fn step(
        &mut self,
        frame: &Frame,
        map: &NaturalMap,
        w: &[f64],
        manner: Manner,
        step: &mut [f64],
    ) -> bool;

    /// The same with the last factors, for a value of the map that has changed since; false if that
    /// does not pay.
    fn step_again(&mut self, _: &Frame, _: &NaturalMap, _: &mut [f64]) -> bool {
        false
    }
}

/// Linear systems with `P` plus a diagonal.
pub(crate) trait Shift: Coupling {
    /// Writes the diagonal of `P`.
    fn diagonal(&self, frame: &Frame, out: &mut [f64]);

    /// Factors `P` plus a diagonal; false if that fails.
    fn shift(&mut self, frame: &Frame, diagonal: &[f64]) -> bool;

    /// Solves with the last of these factors, in place.
    fn solve_shifted(&mut self, frame: &Frame, x: &mut [f64]);
}
