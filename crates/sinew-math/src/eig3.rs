//! Eigenvalues of symmetric 3×3 matrices.

use crate::mat3::Mat3;
use crate::quat::Quat;
use crate::vec3::Vec3;

/// Tolerance of off-diagonal entries and rotations (`eigEPS`).
const EPS: f64 = 1e-12;

/// Eigenvalues in decreasing order, eigenvectors as columns, and their rotation as a quaternion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Eig3 {
    /// Eigenvalues, largest first.
    pub val: Vec3,
    /// Eigenvectors, as columns.
    pub vec: Mat3,
    /// The rotation `vec`.
    pub quat: Quat,
    /// Number of rotations.
    pub iterations: usize,
}

/// Eigenvalues and right-handed eigenvectors of a symmetric matrix by Jacobi rotations kept as a
/// quaternion. The pivot order decides the frame of degenerate inertias.
#[doc(alias = "mju_eig3")]
pub fn eig3(mat: Mat3) -> Eig3 {
    eig3_by(mat, |q| q.normalize().0)
}

/// [`eig3`] with a user-defined normalisation of quaternions. The last bits decide the frame of
/// degenerate inertias, and MuJoCo's compiler has its own function.
pub fn eig3_by(mat: Mat3, unit: impl Fn(Quat) -> Quat) -> Eig3 {
    let mut quat = Quat::IDENTITY;
    let mut val = Vec3::ZERO;

    let mut iterations = 0;
    while iterations < 500 {
        // D = Vᵀ A V
        let vec = quat.to_mat();
        let d = vec.tmul(mat) * vec;
        val = Vec3::new(d[(0, 0)], d[(1, 1)], d[(2, 2)]);

        // pivot: the largest off-diagonal entry, later ones winning ties
        let (d01, d02, d12) = (d[(0, 1)].abs(), d[(0, 2)].abs(), d[(1, 2)].abs());
        let (row, col, axis) = if d01 > d02 && d01 > d12 {
            (0, 1, 2)
        } else if d02 > d12 {
            (0, 2, 1)
        } else {
            (1, 2, 0)
        };
        let off = d[(row, col)];
        if off.abs() < EPS {
            break;
        }

        // symmetric Schur rotation (Golub & Van Loan, Matrix Computations, §8.5)
        let tau = (d[(col, col)] - d[(row, row)]) / (2.0 * off);
        let t = if tau >= 0.0 {
            1.0 / (tau + (1.0 + tau * tau).sqrt())
        } else {
            -1.0 / (-tau + (1.0 + tau * tau).sqrt())
        };
        let c = 1.0 / (1.0 + t * t).sqrt();
        if c > 1.0 - EPS {
            break;
        }

        // the same rotation as a quaternion about the remaining axis
        let half = (0.5 - 0.5 * c).sqrt();
        let mut s = if tau >= 0.0 { -half } else { half };
        if axis == 1 {
            s = -s;
        }
        let mut turn = Quat::new((1.0 - s * s).sqrt(), 0.0, 0.0, 0.0);
        turn[axis + 1] = s;
        quat = unit(quat * unit(turn));
        iterations += 1;
    }

    // bubble sort, largest first; each swap is a quarter turn
    for j in [0, 1, 0] {
        if val[j] + EPS < val[j + 1] {
            (val[j], val[j + 1]) = (val[j + 1], val[j]);
            let mut turn = Quat::new(QUARTER, 0.0, 0.0, 0.0);
            turn[(j + 2) % 3 + 1] = QUARTER;
            quat = unit(quat * turn);
        }
    }
    Eig3 { val, vec: quat.to_mat(), quat, iterations }
}

/// cos(45°) = sin(45°), as MuJoCo writes it.
#[allow(clippy::approx_constant)] // the last digits decide the frame of degenerate inertias
const QUARTER: f64 = 0.707106781186548;
