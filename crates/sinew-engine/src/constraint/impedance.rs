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
}

impl Response {
    /// The response at a violation of `pos - margin`.
    pub(crate) fn new(m: &Model, solref: [f64; 2], solimp: [f64; 5], violation: f64) -> Self {
        let [timeconst, dampratio] = checked_solref(m, solref);
        let [lo, hi] = IMPEDANCE;
        let [dmin, dmax, width, mid, power] = solimp;
        let [dmin, dmax, mid] = [dmin, dmax, mid].map(|x| scalar::clip(x, lo, hi));

        // standard format: time constant and damping ratio; negative: stiffness and damping
        let above = |x: f64| if MINVAL > x { MINVAL } else { x };
        let k = if timeconst > 0.0 {
            1.0 / above(dmax * dmax * timeconst * timeconst * dampratio * dampratio)
        } else {
            -timeconst / above(dmax * dmax)
        };
        let b =
            if dampratio > 0.0 { 2.0 / above(dmax * timeconst) } else { -dampratio / above(dmax) };
        let shape = Sigmoid { dmin, dmax, width: width.max(0.0), mid, power: power.max(1.0) };
        Response { k, b, imp: shape.at(violation) }
    }

    /// Regularisation of a row whose inverse inertia is about `diag`.
    pub(crate) fn regularisation(&self, diag: f64) -> f64 {
        let r = (1.0 - self.imp) * diag / self.imp;
        if MINVAL > r { MINVAL } else { r }
    }

    /// The acceleration a row wants.
    pub(crate) fn aref(&self, violation: f64, vel: f64) -> f64 {
        -self.b * vel - self.k * self.imp * violation
    }
}

/// `solref` as it is used: not of mixed format, and not faster than the integrator can follow.
fn checked_solref(m: &Model, solref: [f64; 2]) -> [f64; 2] {
    let [mut timeconst, mut dampratio] = solref;
    if (timeconst > 0.0) != (dampratio > 0.0) {
        [timeconst, dampratio] = DEFAULT_SOLREF;
    }
    if !m.opt.disabled(DisableBit::Refsafe) && timeconst > 0.0 {
        timeconst = timeconst.max(2.0 * m.opt.timestep);
    }
    [timeconst, dampratio]
}

/// Impedance over violation: from `dmin` at none to `dmax` at `width`, in two power curves that
/// meet at `mid`.
struct Sigmoid {
    dmin: f64,
    dmax: f64,
    width: f64,
    mid: f64,
    power: f64,
}

impl Sigmoid {
    fn at(&self, violation: f64) -> f64 {
        let Sigmoid { dmin, dmax, width, mid, power } = *self;
        if dmin == dmax || width <= MINVAL {
            return 0.5 * (dmin + dmax);
        }
        let x = (violation / width).abs();
        if x >= 1.0 || x <= 0.0 {
            return if x >= 1.0 { dmax } else { dmin };
        }
        let y = if power == 1.0 {
            x
        } else if x <= mid {
            scalar::pow(x, power) / scalar::pow(mid, power - 1.0)
        } else {
            1.0 - scalar::pow(1.0 - x, power) / scalar::pow(1.0 - mid, power - 1.0)
        };
        dmin + y * (dmax - dmin)
    }
}
