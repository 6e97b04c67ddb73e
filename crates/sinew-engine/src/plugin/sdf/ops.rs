//! Shapes from shapes: operations on signed distances.

/// The smaller number, with MuJoCo's result for NaN.
pub(super) fn min(a: f64, b: f64) -> f64 {
    if a <= b { a } else { b }
}

/// The larger number, with MuJoCo's result for NaN.
pub(super) fn max(a: f64, b: f64) -> f64 {
    if a >= b { a } else { b }
}

/// Inside of either.
pub(super) fn union(a: f64, b: f64) -> f64 {
    min(a, b)
}

/// Inside of both.
pub(super) fn intersection(a: f64, b: f64) -> f64 {
    max(a, b)
}

/// Inside of the first and outside of the second.
pub(super) fn subtraction(a: f64, b: f64) -> f64 {
    max(a, -b)
}

/// Fractional part of a number.
pub(super) fn fract(x: f64) -> f64 {
    x - x.floor()
}
