//! All transcendental functions, in one place so that a switch could make them portable.

/// Below this length a direction is undefined; `normalize` then returns +x (`mjMINVAL`).
pub const MINVAL: f64 = 1e-15;

/// Sine of `x` radians.
#[inline]
pub fn sin(x: f64) -> f64 {
    x.sin()
}

/// Cosine of `x` radians.
#[inline]
pub fn cos(x: f64) -> f64 {
    x.cos()
}

/// Tangent of `x` radians.
#[inline]
pub fn tan(x: f64) -> f64 {
    x.tan()
}

/// Arc sine, in radians.
#[inline]
pub fn asin(x: f64) -> f64 {
    x.asin()
}

/// Arc cosine, in radians.
#[inline]
pub fn acos(x: f64) -> f64 {
    x.acos()
}

/// Angle of the point (`x`, `y`), in (-π, π].
#[inline]
pub fn atan2(y: f64, x: f64) -> f64 {
    y.atan2(x)
}

/// e to the power `x`.
#[inline]
pub fn exp(x: f64) -> f64 {
    x.exp()
}

/// Natural logarithm.
#[inline]
pub fn log(x: f64) -> f64 {
    x.ln()
}

/// `x` to the power `y`.
#[inline]
pub fn pow(x: f64, y: f64) -> f64 {
    x.powf(y)
}

/// Square root (correctly rounded on every platform).
#[inline]
pub fn sqrt(x: f64) -> f64 {
    x.sqrt()
}

/// `x` limited to [`lo`, `hi`]; unlike `f64::clamp` it never panics (`mju_clip`).
#[inline]
pub fn clip(x: f64, lo: f64, hi: f64) -> f64 {
    if x < lo {
        lo
    } else if x > hi {
        hi
    } else {
        x
    }
}

/// Twice differentiable step function from 0 at 0 to 1 at 1.
#[doc(alias = "mju_sigmoid")]
pub fn sigmoid(x: f64) -> f64 {
    if x <= 0.0 {
        0.0
    } else if x >= 1.0 {
        1.0
    } else {
        x * x * x * (3.0 * x * (2.0 * x - 5.0) + 10.0)
    }
}
