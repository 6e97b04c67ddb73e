//! Derivatives of the exponential of rotations and of its inverse.
//!
//! Right Jacobian: exp(φ + δ) = exp(φ) exp(J δ) to first order. Solà, Deray and Atchuthan, *A micro
//! Lie theory for state estimation in robotics* (2018), equations 143 and 144.

use sinew_math::{Mat3, Vec3, scalar};
use sinew_model::enums::JointType;

/// Below this angle in radians series replace the quotients, whose numerators cancel. The first
/// term left out is smaller than 1e-15.
const SMALL: f64 = 1e-2;

/// Number of dofs of a joint before those of its orientation, or of all if it has none.
pub(super) fn straight_dofs(kind: JointType) -> usize {
    match kind {
        JointType::Free => 3,
        JointType::Ball => 0,
        _ => 1,
    }
}

/// J(φ) = I - (1 - cos θ)/θ² [φ] + (θ - sin θ)/θ³ [φ]²
pub(super) fn right_jacobian(phi: Vec3) -> Mat3 {
    let angle = phi.norm();
    let square = angle * angle;
    let (first, second) = if angle < SMALL {
        let fourth = square * square;
        (0.5 - square / 24.0 + fourth / 720.0, 1.0 / 6.0 - square / 120.0 + fourth / 5040.0)
    } else {
        let (sin, cos) = (scalar::sin(angle), scalar::cos(angle));
        ((1.0 - cos) / square, (angle - sin) / (square * angle))
    };
    series(phi, -first, second)
}

/// J(φ)⁻¹ = I + ½ [φ] + (1/θ² - (1 + cos θ)/(2 θ sin θ)) [φ]²
pub(super) fn right_jacobian_inverse(phi: Vec3) -> Mat3 {
    let angle = phi.norm();
    let square = angle * angle;
    let second = if angle < SMALL {
        1.0 / 12.0 + square / 720.0 + square * square / 30240.0
    } else {
        // (1 + cos) / sin is the cotangent of half the angle, which is finite at half a turn
        let half = 0.5 * angle;
        1.0 / square - scalar::cos(half) / (2.0 * angle * scalar::sin(half))
    };
    series(phi, 0.5, second)
}

/// I + a [φ] + b [φ]²
fn series(phi: Vec3, a: f64, b: f64) -> Mat3 {
    let image = |x: Vec3| {
        let turned = phi.cross(x);
        x + turned * a + phi.cross(turned) * b
    };
    Mat3::from_cols(image(Vec3::X), image(Vec3::Y), image(Vec3::Z))
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew_math::Quat;

    fn exp(phi: Vec3) -> Quat {
        Quat::new(1.0, 0.0, 0.0, 0.0).integrate(phi, 1.0)
    }

    #[test]
    fn the_right_jacobian_is_the_derivative_of_the_exponential() {
        for scale in [1e-3, 9.9e-3, 1.01e-2, 0.5, 2.0, 3.0] {
            let phi = Vec3::new(0.6, -0.64, 0.48) * scale;
            let jacobian = right_jacobian(phi);
            for axis in [Vec3::X, Vec3::Y, Vec3::Z] {
                let eps = 1e-5;
                let dif = exp(phi + axis * eps).rotvec_from(exp(phi - axis * eps));
                assert!((dif * (0.5 / eps)).dist(jacobian * axis) < 1e-9);
                let back = right_jacobian_inverse(phi) * (jacobian * axis);
                assert!(back.dist(axis) < 1e-12, "{back} at {scale}");
            }
        }
    }
}
