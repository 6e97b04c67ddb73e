//! Rotational part of a deformation.

use crate::mat3::Mat3;
use crate::quat::Quat;
use crate::scalar::MINVAL;

/// Tolerance in radians per iteration.
const TOLERANCE: f64 = 1e-9;
const MAX_ITERATIONS: usize = 500;

/// Finds the rotation nearest to a matrix, starting from `start`; also returns the number of
/// iterations.
///
/// Müller, Bender, Chentanez and Macklin, "A robust method to extract the rotational part of
/// deformations" (2016).
#[doc(alias = "mju_mat2Rot")]
pub fn nearest_rotation(mat: Mat3, start: Quat) -> (Quat, usize) {
    let mut quat = start;
    for iterations in 0..MAX_ITERATIONS {
        // the torque that rotates the frame's axes towards the columns of the matrix
        let rot = quat.to_mat();
        let turn = |i: usize| rot.col(i).cross(mat.col(i));
        let along = |i: usize| rot.col(i).dot(mat.col(i));
        let scale = (along(0) + along(1) + along(2)).abs() + MINVAL;
        let omega = (turn(0) + turn(1) + turn(2)) * (1.0 / scale);
        let (axis, angle) = omega.normalize();
        if angle < TOLERANCE {
            return (quat, iterations);
        }
        quat = (Quat::from_axis_angle(axis, angle) * quat).normalize().0;
    }
    (quat, MAX_ITERATIONS)
}
