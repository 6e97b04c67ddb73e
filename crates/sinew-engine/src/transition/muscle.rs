//! Slopes of muscles: of the gain by length and velocity, of the passive force, of the activation.

use sinew_math::{MINVAL, scalar};

/// The gain of an actuator with its slopes.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Gain {
    pub(super) value: f64,
    pub(super) by_length: f64,
    pub(super) by_velocity: f64,
    /// Of the slope by velocity, by length and by velocity.
    pub(super) curve: [f64; 2],
}

/// Force and length in the units of a muscle.
struct Scaled {
    force: f64,
    length: f64,
    optimum: f64,
}

impl Scaled {
    fn new(len: f64, range: [f64; 2], acc0: f64, prm: &[f64; 10]) -> Self {
        let [lo, hi, force, scale, ..] = *prm;
        let force = if force < 0.0 { scale / acc0.max(MINVAL) } else { force };
        let optimum = (range[1] - range[0]) / (hi - lo).max(MINVAL);
        let length = lo + (len - range[0]) / optimum.max(MINVAL);
        Scaled { force, length, optimum }
    }

    /// Change of the scaled length by the length.
    fn length_slope(&self) -> f64 {
        1.0 / self.optimum.max(MINVAL)
    }
}

/// The gain: minus force times a function of length times a function of velocity.
pub(super) fn muscle_gain_slopes(
    [len, vel]: [f64; 2],
    range: [f64; 2],
    acc0: f64,
    prm: &[f64; 10],
) -> Gain {
    let scaled = Scaled::new(len, range, acc0, prm);
    let [_, _, _, _, lmin, lmax, vmax, _, fvmax, _] = *prm;
    let [own, slope] = by_length(scaled.length, lmin, lmax);
    let unit = (scaled.optimum * vmax).max(MINVAL);
    let [gain, rise, bend] = by_velocity(vel / unit, fvmax);
    let (force, slope) = (-scaled.force, slope * scaled.length_slope());
    Gain {
        value: force * own * gain,
        by_length: force * slope * gain,
        by_velocity: force * own * rise / unit,
        curve: [force * slope * rise / unit, force * own * bend / (unit * unit)],
    }
}

/// The function of length and its slope: four parabolas.
fn by_length(length: f64, lmin: f64, lmax: f64) -> [f64; 2] {
    if !(lmin <= length && length <= lmax) {
        return [0.0; 2];
    }
    let (a, b) = (0.5 * (lmin + 1.0), 0.5 * (1.0 + lmax));
    let rise = |from: f64, span: f64| {
        let span = span.max(MINVAL);
        let x = from / span;
        [0.5 * x * x, x / span]
    };
    if length <= a {
        rise(length - lmin, a - lmin)
    } else if length <= 1.0 {
        let [x, slope] = rise(1.0 - length, 1.0 - a);
        [1.0 - x, slope]
    } else if length <= b {
        let [x, slope] = rise(length - 1.0, b - 1.0);
        [1.0 - x, -slope]
    } else {
        let [x, slope] = rise(lmax - length, lmax - b);
        [x, -slope]
    }
}

/// The function of velocity, its slope and its curvature.
fn by_velocity(v: f64, fvmax: f64) -> [f64; 3] {
    let y = fvmax - 1.0;
    if v <= -1.0 {
        [0.0; 3]
    } else if v <= 0.0 {
        [(v + 1.0) * (v + 1.0), 2.0 * (v + 1.0), 2.0]
    } else if v <= y {
        let span = y.max(MINVAL);
        [fvmax - (y - v) * (y - v) / span, 2.0 * (y - v) / span, -2.0 / span]
    } else {
        [fvmax, 0.0, 0.0]
    }
}

/// Slope of the passive force by length.
pub(super) fn muscle_bias_slope(len: f64, range: [f64; 2], acc0: f64, prm: &[f64; 10]) -> f64 {
    let scaled = Scaled::new(len, range, acc0, prm);
    let (lmax, fpmax) = (prm[5], prm[7]);
    let b = 0.5 * (1.0 + lmax);
    let span = (b - 1.0).max(MINVAL);
    let slope = if scaled.length <= 1.0 {
        0.0
    } else if scaled.length <= b {
        (scaled.length - 1.0) / (span * span)
    } else {
        1.0 / span
    };
    -scaled.force * fpmax * slope * scaled.length_slope()
}

/// The rate of activation, by activation and by control.
pub(super) fn muscle_rate_slopes(ctrl: f64, act: f64, [p0, p1, width]: [f64; 3]) -> [f64; 2] {
    let within = |x: f64| if (0.0..=1.0).contains(&x) { 1.0 } else { 0.0 };
    let (excess, by_ctrl) = (scalar::clip(ctrl, 0.0, 1.0) - act, within(ctrl));
    let share = 0.5 + 1.5 * scalar::clip(act, 0.0, 1.0);
    let by_act = 1.5 * within(act);
    let (up, down) = (p0 * share, p1 / share);
    let (up_slope, down_slope) = (p0 * by_act, -p1 / (share * share) * by_act);

    // the time constant, by activation and by the excess
    let [tau, tau_act, tau_excess] = if width < MINVAL {
        if excess > 0.0 { [up, up_slope, 0.0] } else { [down, down_slope, 0.0] }
    } else {
        let x = excess / width + 0.5;
        let blend = scalar::sigmoid(x);
        let y = scalar::clip(x, 0.0, 1.0);
        let slope = 30.0 * y * y * (1.0 - y) * (1.0 - y) / width;
        let mean = down_slope + (up_slope - down_slope) * blend;
        [down + (up - down) * blend, mean, (up - down) * slope]
    };
    if tau < MINVAL {
        return [-1.0 / MINVAL, by_ctrl / MINVAL];
    }
    let by_excess = (1.0 - excess * tau_excess / tau) / tau;
    [-by_excess - excess * tau_act / (tau * tau), by_excess * by_ctrl]
}
