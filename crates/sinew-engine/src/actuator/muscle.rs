//! Muscle: force-length, force-velocity and activation curves.
//!
//! Parameters are in the order of `actuator_gainprm` and `actuator_biasprm`: operating range (two
//! numbers), peak force, scale, lmin, lmax, vmax, fpmax, fvmax.

use sinew_math::{MINVAL, scalar};

/// Active force per unit of activation: minus peak force times length gain times velocity gain.
#[doc(alias = "mju_muscleGain")]
pub fn muscle_gain(len: f64, vel: f64, lengthrange: [f64; 2], acc0: f64, prm: &[f64; 10]) -> f64 {
    Scaled::new(len, lengthrange, acc0, prm).gain(vel, prm)
}

/// Derivative of [`muscle_gain`] with respect to velocity.
#[doc(alias = "mjd_muscleGain_vel")]
pub(crate) fn muscle_gain_vel(
    len: f64,
    vel: f64,
    lengthrange: [f64; 2],
    acc0: f64,
    prm: &[f64; 10],
) -> f64 {
    let Scaled { force, length, optimum } = Scaled::new(len, lengthrange, acc0, prm);
    let [_, _, _, _, lmin, lmax, vmax, _, fvmax, _] = *prm;
    let vel_scale = at_least_minval(optimum * vmax);
    let v = vel / vel_scale;
    let y = fvmax - 1.0;
    let slope = if v <= -1.0 || v > y.max(0.0) {
        0.0
    } else if v <= 0.0 {
        2.0 * v + 2.0
    } else {
        (-2.0 * v + 2.0 * y) / at_least_minval(y)
    };
    -force * muscle_gain_length(length, lmin, lmax) * slope / vel_scale
}

/// Length gain: quadratic pieces from zero at `lmin` to one at 1 and back to zero at `lmax`.
#[doc(alias = "mju_muscleGainLength")]
pub fn muscle_gain_length(length: f64, lmin: f64, lmax: f64) -> f64 {
    if !(lmin <= length && length <= lmax) {
        return 0.0;
    }
    let a = 0.5 * (lmin + 1.0);
    let b = 0.5 * (1.0 + lmax);
    if length <= a {
        let x = (length - lmin) / at_least_minval(a - lmin);
        0.5 * x * x
    } else if length <= 1.0 {
        let x = (1.0 - length) / at_least_minval(1.0 - a);
        1.0 - 0.5 * x * x
    } else if length <= b {
        let x = (length - 1.0) / at_least_minval(b - 1.0);
        1.0 - 0.5 * x * x
    } else {
        let x = (lmax - length) / at_least_minval(lmax - b);
        0.5 * x * x
    }
}

/// Passive force: none below the optimal length, half a parabola, then a line.
#[doc(alias = "mju_muscleBias")]
pub fn muscle_bias(len: f64, lengthrange: [f64; 2], acc0: f64, prm: &[f64; 10]) -> f64 {
    Scaled::new(len, lengthrange, acc0, prm).bias(prm)
}

/// [`muscle_gain`] and [`muscle_bias`] of one muscle, whose parameters are most often the same.
pub(crate) fn muscle_gain_bias(
    len: f64,
    vel: f64,
    lengthrange: [f64; 2],
    acc0: f64,
    [gain, bias]: [&[f64; 10]; 2],
) -> [f64; 2] {
    let scaled = Scaled::new(len, lengthrange, acc0, gain);
    let same = (0..4).all(|k| gain[k].to_bits() == bias[k].to_bits());
    let passive = match same {
        true => scaled.bias(bias),
        false => muscle_bias(len, lengthrange, acc0, bias),
    };
    [scaled.gain(vel, gain), passive]
}

/// Rate of activation; `prm` are the time constants of activation and deactivation, and the width
/// over which they blend.
#[doc(alias = "mju_muscleDynamics")]
pub fn muscle_dynamics(ctrl: f64, act: f64, prm: [f64; 3]) -> f64 {
    let clamped = scalar::clip(act, 0.0, 1.0);
    let excess = scalar::clip(ctrl, 0.0, 1.0) - act;
    // time constants as in Millard et al. (2013), doi 10.1115/1.4023390
    let activate = prm[0] * (0.5 + 1.5 * clamped);
    let deactivate = prm[1] / (0.5 + 1.5 * clamped);
    excess / at_least_minval(muscle_timescale(excess, activate, deactivate, prm[2]))
}

/// Time constant for a change of activation towards `excess`, switched at zero or blended.
#[doc(alias = "mju_muscleDynamicsTimescale")]
fn muscle_timescale(excess: f64, activate: f64, deactivate: f64, width: f64) -> f64 {
    if width < MINVAL {
        return if excess > 0.0 { activate } else { deactivate };
    }
    deactivate + (activate - deactivate) * scalar::sigmoid(excess / width + 0.5)
}

/// Force and length in the units of a muscle.
struct Scaled {
    force: f64,
    /// Length over optimal length.
    length: f64,
    /// Optimal length.
    optimum: f64,
}

impl Scaled {
    fn new(len: f64, lengthrange: [f64; 2], acc0: f64, prm: &[f64; 10]) -> Self {
        let [lo, hi, force, scale, ..] = *prm;
        let force = if force < 0.0 { scale / at_least_minval(acc0) } else { force };
        let optimum = (lengthrange[1] - lengthrange[0]) / at_least_minval(hi - lo);
        let length = lo + (len - lengthrange[0]) / at_least_minval(optimum);
        Scaled { force, length, optimum }
    }

    #[inline(always)]
    fn gain(&self, vel: f64, prm: &[f64; 10]) -> f64 {
        let [_, _, _, _, lmin, lmax, vmax, _, fvmax, _] = *prm;
        let v = vel / at_least_minval(self.optimum * vmax);

        // velocity gain: zero at full shortening, one at rest, fvmax at fast lengthening
        let y = fvmax - 1.0;
        let velocity_gain = if v <= -1.0 {
            0.0
        } else if v <= 0.0 {
            (v + 1.0) * (v + 1.0)
        } else if v <= y {
            fvmax - (y - v) * (y - v) / at_least_minval(y)
        } else {
            fvmax
        };
        -self.force * muscle_gain_length(self.length, lmin, lmax) * velocity_gain
    }

    #[inline(always)]
    fn bias(&self, prm: &[f64; 10]) -> f64 {
        let (lmax, fpmax) = (prm[5], prm[7]);
        let b = 0.5 * (1.0 + lmax);
        if self.length <= 1.0 {
            0.0
        } else if self.length <= b {
            let x = (self.length - 1.0) / at_least_minval(b - 1.0);
            -self.force * fpmax * 0.5 * x * x
        } else {
            let x = (self.length - b) / at_least_minval(b - 1.0);
            -self.force * fpmax * (0.5 + x)
        }
    }
}

/// A divisor that cannot be zero or negative.
fn at_least_minval(x: f64) -> f64 {
    if MINVAL > x { MINVAL } else { x }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PRM: [f64; 10] = [0.75, 1.05, -1.0, 200.0, 0.5, 1.6, 1.5, 1.3, 1.2, 0.0];
    const RANGE: [f64; 2] = [0.2, 0.5];

    // expected values were measured with MuJoCo 3.5.0
    #[test]
    fn gain_and_bias_are_mujocos_curves() {
        for (len, vel, gain, bias) in [
            (0.25, -0.3, -34.816, 0.0),
            (0.3, 0.0, -65.6, 0.0),
            (0.4, 0.1, -87.11111111111111, 0.0),
            (0.46, 0.5, -95.94666666666667, -0.05777777777777787),
            (0.6, -0.9, -11.199999999999987, -13.000000000000018),
            (0.33, 0.01, -71.7120568888889, 0.0),
        ] {
            assert_eq!(muscle_gain(len, vel, RANGE, 2.5, &PRM), gain, "gain at {len}, {vel}");
            assert_eq!(muscle_bias(len, RANGE, 2.5, &PRM), bias, "bias at {len}");
        }
    }

    #[test]
    fn activation_follows_its_time_constants() {
        for (ctrl, act, width, want) in [
            (0.7, 0.2, 0.0, 62.49999999999999),
            (0.1, 0.6, 0.0, -17.5),
            (0.5, 0.4, 0.3, 8.403183023872662),
            (2.0, 0.9, 0.0, 5.4054054054054035),
            (-1.0, 1.2, 0.2, -60.0),
        ] {
            assert_eq!(muscle_dynamics(ctrl, act, [0.01, 0.04, width]), want, "{ctrl}, {act}");
        }
    }
}
