//! From `solref` and `solimp` to the stiffness, damping and regularisation of a row.

use sinew_math::{MINVAL, scalar};
use sinew_model::Model;
use sinew_model::enums::DisableBit;
use sinew_model::options::DEFAULT_SOLREF;

/// Bounds of the impedance.
const IMPEDANCE: [f64; 2] = [0.0001, 0.9999];

/// How a row answers to its violation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Response {
    /// Stiffness.
    pub(crate) k: f64,
    /// Damping.
    pub(crate) b: f64,
    /// Impedance: the share of the violation that the row corrects.
    pub(crate) imp: f64,
    /// Derivative of the impedance by the violation.
    pub(crate) slope: f64,
    /// The impedance at full violation, by which stiffness and damping are scaled.
    dmax: f64,
}

impl Response {
    /// The response at a violation of `pos - margin`.
    #[inline(always)]
    pub(crate) fn new(m: &Model, solref: [f64; 2], solimp: [f64; 5], violation: f64) -> Self {
        let solref = checked(m, solref, DEFAULT_SOLREF);
        let [lo, hi] = IMPEDANCE;
        let [dmin, dmax, width, mid, power] = solimp;
        let [dmin, dmax, mid] = [dmin, dmax, mid].map(|x| scalar::clip(x, lo, hi));
        let curve =
            Curve { dmin, dmax, width: at_least(0.0, width), mid, power: at_least(1.0, power) };
        let (imp, slope) = curve.at(violation);
        Response { k: stiffness(solref, dmax), b: damping(solref, dmax), imp, slope, dmax }
    }

    /// The response of dry friction: it resists velocity only.
    pub(crate) fn without_stiffness(self) -> Self {
        Response { k: 0.0, ..self }
    }

    /// The response of the friction directions of an elliptic contact, with its own reference
    /// parameters unless they are zero.
    pub(crate) fn in_friction(self, m: &Model, solreffriction: [f64; 2]) -> Self {
        let solref = checked(m, solreffriction, [0.0; 2]);
        let own = solref[0] != 0.0 || solref[1] != 0.0;
        let b = if own { damping(solref, self.dmax) } else { self.b };
        Response { k: 0.0, b, ..self }
    }

    /// The numbers as `efc_KBIP` has them.
    pub(crate) fn kbip(&self) -> [f64; 4] {
        [self.k, self.b, self.imp, self.slope]
    }

    /// Regularisation of a row whose inverse inertia is about `diag`.
    pub(crate) fn regularisation(&self, diag: f64) -> f64 {
        at_least(MINVAL, (1.0 - self.imp) * diag / self.imp)
    }
}

/// Stiffness, damping, impedance and its slope of a constraint row, as `efc_KBIP` has them, with
/// these parameters at a violation of `pos - margin`.
#[doc(alias = "getimpedance")]
pub fn row_response(m: &Model, solref: [f64; 2], solimp: [f64; 5], violation: f64) -> [f64; 4] {
    Response::new(m, solref, solimp, violation).kbip()
}

/// `x`, or `low` if that is larger; NaN stays NaN.
fn at_least(low: f64, x: f64) -> f64 {
    if low > x { low } else { x }
}

/// Reference parameters as they are used: not of mixed format, and not faster than the integrator
/// can follow.
fn checked(m: &Model, solref: [f64; 2], default: [f64; 2]) -> [f64; 2] {
    let [mut timeconst, mut dampratio] = solref;
    if (timeconst > 0.0) != (dampratio > 0.0) {
        [timeconst, dampratio] = default;
    }
    if timeconst > 0.0 && !m.opt.disabled(DisableBit::Refsafe) {
        timeconst = at_least(timeconst, 2.0 * m.opt.timestep);
    }
    [timeconst, dampratio]
}

/// K = 1 / (dmax timeconst dampratio)², or stiffness / dmax² where it is given (as a negative).
fn stiffness([timeconst, dampratio]: [f64; 2], dmax: f64) -> f64 {
    if timeconst > 0.0 {
        1.0 / at_least(MINVAL, dmax * dmax * timeconst * timeconst * dampratio * dampratio)
    } else {
        -timeconst / at_least(MINVAL, dmax * dmax)
    }
}

/// B = 2 / (dmax timeconst), or damping / dmax where it is given (as a negative).
fn damping([timeconst, dampratio]: [f64; 2], dmax: f64) -> f64 {
    if dampratio > 0.0 {
        2.0 / at_least(MINVAL, dmax * timeconst)
    } else {
        -dampratio / at_least(MINVAL, dmax)
    }
}

/// Impedance over violation: from `dmin` at none to `dmax` at `width`, in two power curves that
/// meet at `mid`.
struct Curve {
    dmin: f64,
    dmax: f64,
    width: f64,
    mid: f64,
    power: f64,
}

impl Curve {
    /// Impedance and its derivative.
    #[inline(always)]
    fn at(&self, violation: f64) -> (f64, f64) {
        let Curve { dmin, dmax, width, mid, power } = *self;
        if dmin == dmax || width <= MINVAL {
            return (0.5 * (dmin + dmax), 0.0);
        }
        let (x, sign) = match violation / width {
            x if x < 0.0 => (-x, -1.0),
            x => (x, 1.0),
        };
        if x >= 1.0 || x <= 0.0 {
            return (if x >= 1.0 { dmax } else { dmin }, 0.0);
        }
        let (y, slope) = if power == 1.0 {
            (x, 1.0)
        } else if x <= mid {
            let a = 1.0 / pow(mid, power - 1.0);
            (a * pow(x, power), power * a * pow(x, power - 1.0))
        } else {
            let b = 1.0 / pow(1.0 - mid, power - 1.0);
            (1.0 - b * pow(1.0 - x, power), power * b * pow(1.0 - x, power - 1.0))
        };
        (dmin + y * (dmax - dmin), slope * sign * (dmax - dmin) / width)
    }
}

/// x to the power of p; the default powers 1 and 2 are exact products.
fn pow(x: f64, p: f64) -> f64 {
    if p == 1.0 {
        x
    } else if p == 2.0 {
        x * x
    } else {
        scalar::pow(x, p)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn response(solref: [f64; 2], solimp: [f64; 5], violation: f64) -> Response {
        Response::new(&Model::default(), solref, solimp, violation)
    }

    #[test]
    fn impedance_rises_from_dmin_to_dmax_over_the_width() {
        let solimp = [0.5, 0.9, 0.1, 0.25, 3.0];
        let at = |x: f64| response([0.02, 1.0], solimp, x);
        assert_eq!(at(0.0).imp, 0.5);
        assert_eq!(at(-0.1).imp, 0.9);
        // both curves meet at the midpoint, with the same slope
        let (below, above) = (at(-0.025 + 1e-9), at(-0.025 - 1e-9));
        assert!((below.imp - above.imp).abs() < 1e-7);
        let slope = (above.imp - below.imp) / -2e-9;
        assert!((slope - below.slope).abs() < 1e-5 * slope.abs());
    }

    #[test]
    fn mixed_reference_falls_back_to_the_default() {
        let solimp = [0.9, 0.95, 0.001, 0.5, 2.0];
        let (mixed, default) =
            (response([-1.0, 1.0], solimp, 0.0), response([0.02, 1.0], solimp, 0.0));
        assert_eq!(mixed.kbip(), default.kbip());
        // in friction the default is the reference of the normal
        assert_eq!(default.in_friction(&Model::default(), [-1.0, 1.0]).b, default.b);
    }

    #[test]
    fn direct_reference_is_scaled_by_dmax_only() {
        let r = response([-2500.0, -100.0], [0.9, 0.95, 0.001, 0.5, 2.0], 0.0);
        assert_eq!(r.k, 2500.0 / (0.95 * 0.95));
        assert_eq!(r.b, 100.0 / 0.95);
    }
}
