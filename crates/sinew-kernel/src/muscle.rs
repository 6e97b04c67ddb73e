//! Muscles: force-length, force-velocity and activation curves.
//!
//! The formulas are those of `sinew-engine`'s `actuator::muscle`, for any number.

use crate::real::Real;
use crate::tables::Model;

/// A divisor that is neither zero nor negative.
#[inline(always)]
fn divisor<R: Real>(x: R) -> R {
    x.max(R::of(sinew_math::MINVAL))
}

/// Parameters of a muscle's gain or bias, with the scale of its force and its optimal length.
struct Curve<R> {
    force: R,
    /// Length over optimal length.
    length: R,
    optimum: R,
    lmin: R,
    lmax: R,
    vmax: R,
    fpmax: R,
    fvmax: R,
}

impl<R: Real> Curve<R> {
    #[inline(always)]
    fn of(from: crate::memory::Slice<'_, R>, nu: usize, u: usize, len: R) -> Self {
        let x = |k: usize| from.at(k * nu + u);
        let optimum = x(3);
        Curve {
            force: x(0),
            length: x(1) + (len - x(2)) / divisor(optimum),
            optimum,
            lmin: x(4),
            lmax: x(5),
            vmax: x(6),
            fpmax: x(7),
            fvmax: x(8),
        }
    }

    /// Length gain: quadratic pieces from zero at `lmin` to one at 1 and back to zero at `lmax`.
    #[inline(always)]
    fn by_length(&self) -> R {
        let Curve { length, lmin, lmax, .. } = *self;
        let (half, one) = (R::of(0.5), R::ONE);
        if !(lmin <= length && length <= lmax) {
            return R::ZERO;
        }
        let (a, b) = (half * (lmin + one), half * (one + lmax));
        if length <= a {
            let x = (length - lmin) / divisor(a - lmin);
            half * x * x
        } else if length <= one {
            let x = (one - length) / divisor(one - a);
            one - half * x * x
        } else if length <= b {
            let x = (length - one) / divisor(b - one);
            one - half * x * x
        } else {
            let x = (lmax - length) / divisor(lmax - b);
            half * x * x
        }
    }
}

/// Active force per unit of activation, and its derivative by velocity.
#[inline(always)]
pub(crate) fn gain<R: Real>(m: Model<'_, R>, u: usize, len: R, vel: R) -> [R; 2] {
    let curve = Curve::of(m.muscle_gain(), m.nu() as usize, u, len);
    let (one, two) = (R::ONE, R::of(2.0));
    let (fvmax, scale) = (curve.fvmax, divisor(curve.optimum * curve.vmax));
    let (v, y) = (vel / scale, fvmax - one);

    // velocity gain: zero at full shortening, one at rest, fvmax at fast lengthening
    let value = if v <= -one {
        R::ZERO
    } else if v <= R::ZERO {
        (v + one) * (v + one)
    } else if v <= y {
        fvmax - (y - v) * (y - v) / divisor(y)
    } else {
        fvmax
    };
    let slope = if v <= -one || v > y.max(R::ZERO) {
        R::ZERO
    } else if v <= R::ZERO {
        two * v + two
    } else {
        (two * y - two * v) / divisor(y)
    };
    let force = -curve.force * curve.by_length();
    [force * value, force * slope / scale]
}

/// Passive force: none below the optimal length, half a parabola, then a line.
#[inline(always)]
pub(crate) fn bias<R: Real>(m: Model<'_, R>, u: usize, len: R) -> R {
    let Curve { force, length, lmax, fpmax, .. } =
        Curve::of(m.muscle_bias(), m.nu() as usize, u, len);
    let (half, one) = (R::of(0.5), R::ONE);
    let b = half * (one + lmax);
    if length <= one {
        R::ZERO
    } else if length <= b {
        let x = (length - one) / divisor(b - one);
        -force * fpmax * half * x * x
    } else {
        let x = (length - b) / divisor(b - one);
        -force * fpmax * (half + x)
    }
}

/// Rate of activation. Millard et al. (2013), doi 10.1115/1.4023390.
#[inline(always)]
pub(crate) fn rate<R: Real>(m: Model<'_, R>, u: usize, ctrl: R, act: R) -> R {
    let prm = |k: usize| m.muscle_rate().at(k * m.nu() as usize + u);
    let (zero, one, half) = (R::ZERO, R::ONE, R::of(0.5));
    let clamped = act.clip(zero, one);
    let excess = ctrl.clip(zero, one) - act;
    let up = prm(0) * (half + R::of(1.5) * clamped);
    let down = prm(1) / (half + R::of(1.5) * clamped);
    let width = prm(2);
    let tau = if width < R::of(sinew_math::MINVAL) {
        if excess > zero { up } else { down }
    } else {
        down + (up - down) * sigmoid(excess / width + half)
    };
    excess / divisor(tau)
}

/// A quintic from 0 at 0 to 1 at 1 (`mju_sigmoid`).
#[inline(always)]
fn sigmoid<R: Real>(x: R) -> R {
    let x = x.clip(R::ZERO, R::ONE);
    x * x * x * (R::of(3.0) * x * (R::of(2.0) * x - R::of(5.0)) + R::of(10.0))
}
