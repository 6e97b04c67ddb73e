//! Lagrange polynomials of order 1 or 2 on [0, 1]: the shape functions of interpolated flexes.

/// Polynomial of node `i` of `order + 1` evenly spaced nodes: 1 there and 0 at the others.
pub fn value(s: f64, i: usize, order: usize) -> f64 {
    match (order, i) {
        (1, 0) => 1.0 - s,
        (1, _) => s,
        (_, 0) => 2.0 * s * s - 3.0 * s + 1.0,
        (_, 1) => 4.0 * (s - s * s),
        _ => 2.0 * s * s - s,
    }
}

/// Derivative of the polynomial of node `i`.
pub fn slope(s: f64, i: usize, order: usize) -> f64 {
    match (order, i) {
        (1, 0) => -1.0,
        (1, _) => 1.0,
        (_, 0) => 4.0 * s - 3.0,
        (_, 1) => 4.0 * (1.0 - 2.0 * s),
        _ => 4.0 * s - 1.0,
    }
}
