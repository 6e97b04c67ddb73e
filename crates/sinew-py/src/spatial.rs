//! `mju_*` functions of fixed size: vectors, quaternions, poses, 3×3 matrices.

use pyo3::prelude::*;
use sinew_math::{Mat3, Quat, Vec3, eig3, nearest_rotation, scalar};

use crate::args::{In, M9, Out, Q4, V3};
use crate::failure::FatalError;

/// Declares functions that fill their first argument.
macro_rules! results {
    ($($name:ident($res:ident: $n:literal $(, $arg:ident: $ty:ty)*) => $value:expr;)*) => {
        $(
            #[doc = concat!(stringify!($res), " = ", stringify!($value), ".")]
            #[pyfunction]
            #[allow(non_snake_case)]
            fn $name($res: Out<'_, $n> $(, $arg: $ty)*) -> PyResult<()> {
                $res.set($value)
            }
        )*

        fn register_results(m: &Bound<'_, PyModule>) -> PyResult<()> {
            $(m.add_function(wrap_pyfunction!($name, m)?)?;)*
            Ok(())
        }
    };
}

results! {
    mju_zero3(res: 3) => [0.0; 3];
    mju_copy3(res: 3, data: In<3>) => data.0;
    mju_scl3(res: 3, vec: V3, scl: f64) => vec.0 * scl;
    mju_add3(res: 3, vec1: V3, vec2: V3) => vec1.0 + vec2.0;
    mju_sub3(res: 3, vec1: V3, vec2: V3) => vec1.0 - vec2.0;
    mju_addTo3(res: 3, vec: V3) => Vec3::from(res.get()) + vec.0;
    mju_subFrom3(res: 3, vec: V3) => Vec3::from(res.get()) - vec.0;
    mju_addToScl3(res: 3, vec: V3, scl: f64) => Vec3::from(res.get()) + vec.0 * scl;
    mju_addScl3(res: 3, vec1: V3, vec2: V3, scl: f64) => vec1.0 + vec2.0 * scl;
    mju_cross(res: 3, a: V3, b: V3) => a.0.cross(b.0);
    mju_mulMatVec3(res: 3, mat: M9, vec: V3) => mat.0 * vec.0;
    mju_mulMatTVec3(res: 3, mat: M9, vec: V3) => mat.0.tmul_vec(vec.0);
    mju_zero4(res: 4) => [0.0; 4];
    mju_unit4(res: 4) => Quat::IDENTITY;
    mju_copy4(res: 4, data: In<4>) => data.0;
    mju_rotVecQuat(res: 3, vec: V3, quat: Q4) => quat.0.rotate(vec.0);
    mju_negQuat(res: 4, quat: Q4) => quat.0.conj();
    mju_mulQuat(res: 4, quat1: Q4, quat2: Q4) => quat1.0 * quat2.0;
    mju_mulQuatAxis(res: 4, quat: Q4, axis: V3) => quat.0.mul_axis(axis.0);
    mju_axisAngle2Quat(res: 4, axis: V3, angle: f64) => Quat::from_axis_angle(axis.0, angle);
    mju_quat2Vel(res: 3, quat: Q4, dt: f64) => quat.0.to_vel(dt);
    mju_subQuat(res: 3, qa: Q4, qb: Q4) => qa.0.rotvec_from(qb.0);
    mju_quat2Mat(res: 9, quat: Q4) => quat.0.to_mat().to_array();
    mju_mat2Quat(quat: 4, mat: M9) => mat.0.to_quat();
    mju_derivQuat(res: 4, quat: Q4, vel: V3) => quat.0.deriv(vel.0);
    mju_quatIntegrate(quat: 4, vel: V3, scale: f64) =>
        Quat::from(quat.get()).integrate(vel.0, scale);
    mju_quatZ2Vec(quat: 4, vec: V3) => Quat::z_to(vec.0);
    mju_trnVecPose(res: 3, pos: V3, quat: Q4, vec: V3) => quat.0.rotate(vec.0) + pos.0;
}

/// Dot product of two 3D vectors.
#[pyfunction]
fn mju_dot3(vec1: V3, vec2: V3) -> f64 {
    vec1.0.dot(vec2.0)
}

/// Length of a 3D vector.
#[pyfunction]
fn mju_norm3(vec: V3) -> f64 {
    vec.0.norm()
}

/// Distance between two points.
#[pyfunction]
fn mju_dist3(pos1: V3, pos2: V3) -> f64 {
    pos1.0.dist(pos2.0)
}

/// Normalises a 3D vector in place and returns its former length.
#[pyfunction]
fn mju_normalize3(vec: Out<'_, 3>) -> PyResult<f64> {
    let (unit, norm) = Vec3::from(vec.get()).normalize();
    vec.set(unit).map(|()| norm)
}

/// Normalises a quaternion in place and returns its former length.
#[pyfunction]
fn mju_normalize4(vec: Out<'_, 4>) -> PyResult<f64> {
    let (unit, norm) = Quat::from(vec.get()).normalize();
    vec.set(unit).map(|()| norm)
}

/// Composes two poses.
#[pyfunction]
fn mju_mulPose(
    posres: Out<'_, 3>,
    quatres: Out<'_, 4>,
    pos1: V3,
    quat1: Q4,
    pos2: V3,
    quat2: Q4,
) -> PyResult<()> {
    quatres.set((quat1.0 * quat2.0).normalize().0)?;
    posres.set(quat1.0.rotate(pos2.0) + pos1.0)
}

/// Inverts a pose.
#[pyfunction]
fn mju_negPose(posres: Out<'_, 3>, quatres: Out<'_, 4>, pos: V3, quat: Q4) -> PyResult<()> {
    let inverse = quat.0.conj();
    quatres.set(inverse)?;
    posres.set(inverse.rotate(pos.0) * -1.0)
}

/// Quaternion of Euler angles about the axes of `seq`: lower case means moving axes, upper case
/// fixed axes.
#[pyfunction]
fn mju_euler2Quat(quat: Out<'_, 4>, euler: In<3>, seq: &str) -> PyResult<()> {
    if seq.chars().count() != 3 {
        return Err(FatalError::new_err("mju_euler2Quat: seq must contain exactly 3 characters"));
    }
    let mut total = Quat::IDENTITY;
    for (i, (axis, angle)) in seq.chars().zip(euler.0).enumerate() {
        let (c, s) = (scalar::cos(angle / 2.0), scalar::sin(angle / 2.0));
        let turn = match axis.to_ascii_lowercase() {
            'x' => Quat::new(c, s, 0.0, 0.0),
            'y' => Quat::new(c, 0.0, s, 0.0),
            'z' => Quat::new(c, 0.0, 0.0, s),
            _ => {
                let text = format!(
                    "mju_euler2Quat: seq[{i}] is '{axis}', should be one of x, y, z, X, Y, Z"
                );
                return Err(FatalError::new_err(text));
            }
        };
        total = if axis.is_ascii_lowercase() { total * turn } else { turn * total };
    }
    quat.set(total)
}

/// Finds the rotation nearest to `mat`, starting from `quat`; returns the number of iterations.
#[pyfunction]
fn mju_mat2Rot(quat: Out<'_, 4>, mat: M9) -> PyResult<usize> {
    let (nearest, iterations) = nearest_rotation(mat.0, Quat::from(quat.get()));
    quat.set(nearest).map(|()| iterations)
}

/// Computes eigenvalues, eigenvectors and their quaternion of a symmetric matrix.
#[pyfunction]
fn mju_eig3(eigval: Out<'_, 3>, eigvec: Out<'_, 9>, quat: Out<'_, 4>, mat: M9) -> PyResult<usize> {
    let eig = eig3(mat.0);
    eigval.set(eig.val)?;
    eigvec.set(eig.vec.to_array())?;
    quat.set(eig.quat).map(|()| eig.iterations)
}

/// Transforms a spatial velocity or force to another point and frame.
#[pyfunction]
fn mju_transformSpatial(
    res: Out<'_, 6>,
    vec: In<6>,
    flg_force: i32,
    newpos: V3,
    oldpos: V3,
    rotnew2old: M9,
) -> PyResult<()> {
    let (mut rot, mut lin) = (Vec3::from_slice(&vec.0), Vec3::from_slice(&vec.0[3..]));
    let shift = newpos.0 - oldpos.0;
    match flg_force {
        0 => lin -= shift.cross(rot),
        _ => rot -= shift.cross(lin),
    }
    let (rot, lin) = (rotnew2old.0.tmul_vec(rot), rotnew2old.0.tmul_vec(lin));
    res.set([rot.x, rot.y, rot.z, lin.x, lin.y, lin.z])
}

/// Derivatives of `mju_quatIntegrate`.
#[pyfunction]
#[allow(non_snake_case)]
fn mjd_quatIntegrate(
    vel: V3,
    scale: f64,
    Dquat: Out<'_, 9>,
    Dvel: Out<'_, 9>,
    Dscale: Out<'_, 3>,
) -> PyResult<()> {
    let s = [scale * vel.0.x, scale * vel.0.y, scale * vel.0.z];
    let cross = [0.0, s[2], -s[1], -s[2], 0.0, s[0], s[1], -s[0], 0.0];
    let xx = Vec3::from(s).dot(s.into());
    let x = xx.sqrt();

    // cos(x), sin(x)/x, (1-cos(x))/x², (x-sin(x))/x³, by Taylor series near zero
    let a = scalar::cos(x);
    let (b, c, d);
    if x > 1.0 / 32.0 {
        b = scalar::sin(x) / x;
        c = (1.0 - a) / xx;
        d = (1.0 - b) / xx;
    } else {
        b = 1.0 + xx / 6.0 * (xx / 20.0 * (1.0 - xx / 42.0) - 1.0);
        c = (1.0 + xx / 12.0 * (xx / 30.0 * (1.0 - xx / 56.0) - 1.0)) / 2.0;
        d = (1.0 + xx / 20.0 * (xx / 42.0 * (1.0 - xx / 72.0) - 1.0)) / 6.0;
    }
    let sum = |a: f64, b: f64, c: f64| -> [f64; 9] {
        core::array::from_fn(|i| {
            let eye = if i % 4 == 0 { 1.0 } else { 0.0 };
            a * eye + b * cross[i] + c * (s[i / 3] * s[i % 3])
        })
    };
    let dvel = sum(b, c, d);
    Dquat.set(sum(a, b, c))?;
    Dscale.set(Mat3::from(dvel) * vel.0)?;
    Dvel.set(dvel)
}

/// Adds the functions to the module.
pub(crate) fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    register_results(m)?;
    m.add_function(wrap_pyfunction!(mju_dot3, m)?)?;
    m.add_function(wrap_pyfunction!(mju_norm3, m)?)?;
    m.add_function(wrap_pyfunction!(mju_dist3, m)?)?;
    m.add_function(wrap_pyfunction!(mju_normalize3, m)?)?;
    m.add_function(wrap_pyfunction!(mju_normalize4, m)?)?;
    m.add_function(wrap_pyfunction!(mju_mulPose, m)?)?;
    m.add_function(wrap_pyfunction!(mju_negPose, m)?)?;
    m.add_function(wrap_pyfunction!(mju_euler2Quat, m)?)?;
    m.add_function(wrap_pyfunction!(mju_mat2Rot, m)?)?;
    m.add_function(wrap_pyfunction!(mju_eig3, m)?)?;
    m.add_function(wrap_pyfunction!(mju_transformSpatial, m)?)?;
    m.add_function(wrap_pyfunction!(mjd_quatIntegrate, m)?)
}
