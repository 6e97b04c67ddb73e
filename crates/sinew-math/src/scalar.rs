//! The only door to transcendental functions, so that one switch could make them portable.

/// Sine of `x` radians.
pub fn sin(x: f64) -> f64 {
    x.sin()
}

/// Cosine of `x` radians.
pub fn cos(x: f64) -> f64 {
    x.cos()
}

/// Tangent of `x` radians.
pub fn tan(x: f64) -> f64 {
    x.tan()
}

/// Arc sine, in radians.
pub fn asin(x: f64) -> f64 {
    x.asin()
}

/// Arc cosine, in radians.
pub fn acos(x: f64) -> f64 {
    x.acos()
}

/// Angle of the point (`x`, `y`), in (-π, π].
pub fn atan2(y: f64, x: f64) -> f64 {
    y.atan2(x)
}

/// e to the power `x`.
pub fn exp(x: f64) -> f64 {
    x.exp()
}

/// Natural logarithm.
pub fn log(x: f64) -> f64 {
    x.ln()
}

/// `x` to the power `y`.
pub fn pow(x: f64, y: f64) -> f64 {
    x.powf(y)
}

/// Square root (correctly rounded on every platform).
pub fn sqrt(x: f64) -> f64 {
    x.sqrt()
}

/// `x` limited to [`lo`, `hi`]; unlike `f64::clamp` it never panics (`mju_clip`).
pub fn clip(x: f64, lo: f64, hi: f64) -> f64 {
    if x < lo {
        lo
    } else if x > hi {
        hi
    } else {
        x
    }
}
