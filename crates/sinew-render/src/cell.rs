//! Interpolation of light between the grid points of a plane.

use crate::linear::{V3, add, sub};
use crate::wide::{Wide, Wide3};

/// Colours in a cell as linear forms of the position in the cell. The diagonal from the second
/// corner to the last divides the cell; the forms differ in the halves of the first and the third
/// corner.
#[derive(Clone, Copy, Default)]
pub(crate) struct CellForms([[V3; 3]; 2]);

impl CellForms {
    pub(crate) fn new([a, b, c, d]: [V3; 4]) -> CellForms {
        let opposite = sub(add(b, d), c);
        CellForms([[a, sub(b, a), sub(d, a)], [opposite, sub(c, d), sub(c, b)]])
    }

    #[inline(always)]
    pub(crate) fn colors<W: Wide>(&self, u: W, v: W) -> Wide3<W> {
        let half = |[from, x, y]: [V3; 3]| {
            [0, 1, 2].map(|k| (u.times(x[k]) + v.times(y[k])).plus(from[k]))
        };
        let first = (u + v).at_most(W::splat(1.0));
        if W::all(first) {
            return half(self.0[0]);
        }
        let far = half(self.0[1]);
        if !W::any(first) {
            return far;
        }
        let near = half(self.0[0]);
        [0, 1, 2].map(|k| W::choose(first, near[k], far[k]))
    }
}
