//! All transcendental functions, in one place so that a switch could make them portable. A GPU has
//! no mathematical library of the platform and uses [`crate::elementary`].

/// Below this length a direction is undefined; `normalize` then returns +x (`mjMINVAL`).
pub const MINVAL: f64 = 1e-15;

/// Sine of `x` radians.
#[cfg(not(target_arch = "nvptx64"))]
#[inline]
pub fn sin(x: f64) -> f64 {
    x.sin()
}

/// Cosine of `x` radians.
#[cfg(not(target_arch = "nvptx64"))]
#[inline]
pub fn cos(x: f64) -> f64 {
    x.cos()
}

/// Tangent of `x` radians.
#[cfg(not(target_arch = "nvptx64"))]
#[inline]
pub fn tan(x: f64) -> f64 {
    x.tan()
}

/// Arc sine, in radians.
#[cfg(not(target_arch = "nvptx64"))]
#[inline]
pub fn asin(x: f64) -> f64 {
    x.asin()
}

/// Arc cosine, in radians.
#[cfg(not(target_arch = "nvptx64"))]
#[inline]
pub fn acos(x: f64) -> f64 {
    x.acos()
}

/// Angle of the point (`x`, `y`), in (-π, π].
#[cfg(not(target_arch = "nvptx64"))]
#[inline]
pub fn atan2(y: f64, x: f64) -> f64 {
    y.atan2(x)
}

/// e to the power `x`.
#[cfg(not(target_arch = "nvptx64"))]
#[inline]
pub fn exp(x: f64) -> f64 {
    x.exp()
}

/// Natural logarithm.
#[cfg(not(target_arch = "nvptx64"))]
#[inline]
pub fn log(x: f64) -> f64 {
    x.ln()
}

/// `x` to the power `y`.
#[cfg(not(target_arch = "nvptx64"))]
#[inline]
pub fn pow(x: f64, y: f64) -> f64 {
    x.powf(y)
}

/// Square root (correctly rounded on every platform).
#[cfg(not(target_arch = "nvptx64"))]
#[inline]
pub fn sqrt(x: f64) -> f64 {
    x.sqrt()
}

/// Square root (correctly rounded on every platform).
#[cfg(target_arch = "nvptx64")]
#[inline(always)]
pub fn sqrt(x: f64) -> f64 {
    core::intrinsics::sqrtf64(x)
}

/// Square root (correctly rounded on every platform).
#[cfg(not(target_arch = "nvptx64"))]
#[inline]
pub fn sqrt_f32(x: f32) -> f32 {
    x.sqrt()
}

/// Square root (correctly rounded on every platform).
#[cfg(target_arch = "nvptx64")]
#[inline(always)]
pub fn sqrt_f32(x: f32) -> f32 {
    core::intrinsics::sqrtf32(x)
}

/// The largest whole number that is not above `x`.
#[cfg(not(target_arch = "nvptx64"))]
#[inline]
pub fn floor(x: f64) -> f64 {
    x.floor()
}

/// The largest whole number that is not above `x`.
#[cfg(target_arch = "nvptx64")]
#[inline(always)]
pub fn floor(x: f64) -> f64 {
    core::intrinsics::floorf64(x)
}

/// The smallest whole number that is not below `x`.
#[inline(always)]
pub fn ceil(x: f64) -> f64 {
    -floor(-x)
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
