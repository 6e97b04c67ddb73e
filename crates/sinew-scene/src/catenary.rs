//! The shape of a rope that hangs between two points (catenary).

use sinew_math::{MINVAL, Vec3, scalar};

/// Residual at which Newton's method for the catenary stops.
const TOLERANCE: f64 = 1e-9;

/// Points along a rope of the given length that hangs from `x0` to `x1`. A taut rope has two
/// points, a nearly vertical one three, any other `n`.
#[doc(alias = "mjv_catenary")]
pub fn catenary(x0: Vec3, x1: Vec3, gravity: Vec3, length: f64, n: usize) -> Vec<Vec3> {
    if x0.dist(x1) > length {
        return vec![x0, x1];
    }

    // across and up span the plane of the rope
    let up = (gravity * -1.0).normalize().0;
    let x01 = x1 - x0;
    let (across, reach) = (x01 - up * up.dot(x01)).normalize();
    let across = if reach < MINVAL { Vec3::ZERO } else { across };
    let (h, v) = (x01.dot(across), x01.dot(up));

    // nearly vertical: two segments that meet at the lowest point
    if length > 100.0 * h {
        let down = -0.5 * (scalar::sqrt(length * length - h * h) - v);
        let aside = h * down / (2.0 * down - v);
        return vec![x0, x0 + up * down + across * aside, x1];
    }

    // y = bh cosh((x - h0) / bh) + v0
    let bh = flatness(v, h, length) * h;
    let h0 = -0.5 * (scalar::log((length + v) / (length - v)) * bh - h);
    let v0 = -hyperbolic(h0 / bh).0 * bh;
    let mut points = vec![x0];
    for i in 1..n.saturating_sub(1) {
        let x = i as f64 * h / n as f64;
        let y = bh * hyperbolic((x - h0) / bh).0 + v0;
        points.push(x0 + across * x + up * y);
    }
    points.push(x1);
    points
}

/// Hyperbolic cosine and sine.
fn hyperbolic(x: f64) -> (f64, f64) {
    let e = scalar::exp(x);
    (0.5 * (e + 1.0 / e), 0.5 * (e - 1.0 / e))
}

/// Residual of the equation for the flatness `b`, and its derivative: 1/√(2b sinh(1/2b) - 1) =
/// 1/√(√(l² - v²)/h - 1).
fn residual(b: f64, wanted: f64) -> (f64, f64) {
    let a = 0.5 / b;
    let (cosh, sinh) = hyperbolic(a);
    let slope = (a * cosh - sinh) * scalar::pow(2.0 * b * sinh - 1.0, -1.5);
    (1.0 / scalar::sqrt(2.0 * b * sinh - 1.0) - wanted, slope)
}

/// The flatness of the catenary, by Newton's method from a linear approximation.
fn flatness(v: f64, h: f64, length: f64) -> f64 {
    let wanted = 1.0 / scalar::sqrt(scalar::sqrt(length * length - v * v) / h - 1.0);
    let mut b = wanted / scalar::sqrt(24.0);
    for _ in 0..50 {
        let (value, slope) = residual(b, wanted);
        if value.abs() < TOLERANCE {
            break;
        }
        let mut step = -value / slope;
        for _ in 0..10 {
            if residual(b + step, wanted).0.abs() < value.abs() {
                break;
            }
            step *= 0.5;
        }
        b += step;
    }
    b
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hanging_rope_has_its_length() {
        let down = Vec3::new(0.0, 0.0, -9.81);
        let points = catenary(Vec3::ZERO, Vec3::new(1.0, 0.0, 0.3), down, 1.5, 100);
        let length: f64 = points.windows(2).map(|p| p[0].dist(p[1])).sum();
        assert!((length - 1.5).abs() < 0.02, "{length}");
        assert!(points[50].z < 0.0);
    }

    #[test]
    fn a_stretched_rope_is_straight() {
        let down = Vec3::new(0.0, 0.0, -9.81);
        assert_eq!(catenary(Vec3::ZERO, Vec3::X, down, 0.5, 29), [Vec3::ZERO, Vec3::X]);
    }
}
