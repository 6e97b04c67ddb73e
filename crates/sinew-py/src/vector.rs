//! `mju_*` functions of vectors and matrices of any size, and of scalars.

use pyo3::prelude::*;
use sinew_math::vector::{add_scaled, dot, norm};
use sinew_math::{MINVAL, chol, scalar};

use crate::args::{Matrix, OutMatrix, OutVector, Vector, require};
use crate::failure::FatalError;

/// Declares elementwise functions with a result in the first argument.
macro_rules! elementwise {
    ($(
        $name:ident($($vec:ident: $text:literal),*; $($scl:ident),*) => |$r:ident| $value:expr;
    )*) => {
        $(
            #[doc = concat!("res = ", stringify!($value), ", element by element.")]
            #[pyfunction]
            fn $name(res: OutVector<'_> $(, $vec: Vector)* $(, $scl: f64)*) -> PyResult<()> {
                $(require(res.len() == $vec.0.len(), $text)?;)*
                let mut out = res.get();
                for (i, $r) in out.iter_mut().enumerate() {
                    $(let $vec = $vec.0[i];)*
                    *$r = $value;
                    let _ = i;
                }
                res.set(&out)
            }
        )*

        fn register_elementwise(m: &Bound<'_, PyModule>) -> PyResult<()> {
            $(m.add_function(wrap_pyfunction!($name, m)?)?;)*
            Ok(())
        }
    };
}

elementwise! {
    mju_zero(;) => |_r| 0.0;
    mju_fill(; val) => |_r| val;
    mju_copy(vec: "res and data should have the same size";) => |_r| vec;
    mju_n2d(vec: "res and vec should have the same size";) => |_r| vec;
    mju_d2n(vec: "res and vec should have the same size";) => |_r| vec;
    mju_scl(vec: "res and vec should have the same size"; scl) => |_r| vec * scl;
    mju_add(
        vec1: "res and vec1 should have the same size",
        vec2: "res and vec2 should have the same size";
    ) => |_r| vec1 + vec2;
    mju_sub(
        vec1: "res and vec1 should have the same size",
        vec2: "res and vec2 should have the same size";
    ) => |_r| vec1 - vec2;
    mju_addScl(
        vec1: "res and vec1 should have the same size",
        vec2: "res and vec2 should have the same size";
        scl
    ) => |_r| vec1 + vec2 * scl;
    mju_addTo(vec: "res and vec should have the same size";) => |r| *r + vec;
    mju_subFrom(vec: "res and vec should have the same size";) => |r| *r - vec;
    mju_addToScl(vec: "res and vec should have the same size"; scl) => |r| *r + vec * scl;
}

/// Sum of all values.
#[pyfunction]
fn mju_sum(vec: Vector) -> f64 {
    vec.0.iter().fold(0.0, |sum, x| sum + x)
}

/// Sum of all absolute values.
#[pyfunction]
fn mju_L1(vec: Vector) -> f64 {
    vec.0.iter().fold(0.0, |sum, x| sum + x.abs())
}

/// Euclidean length of a vector.
#[pyfunction]
fn mju_norm(res: Vector) -> f64 {
    norm(&res.0)
}

/// Whether all values are zero.
#[pyfunction]
fn mju_isZero(vec: Vector) -> i32 {
    vec.0.iter().all(|&x| x == 0.0).into()
}

/// Dot product of two vectors.
#[pyfunction]
fn mju_dot(vec1: Vector, vec2: Vector) -> PyResult<f64> {
    require(vec1.0.len() == vec2.0.len(), "vec1 and vec2 should have the same size")?;
    Ok(dot(&vec1.0, &vec2.0))
}

/// Normalises a vector in place and returns its former length.
#[pyfunction]
fn mju_normalize(res: OutVector<'_>) -> PyResult<f64> {
    let mut v = res.get();
    let length = norm(&v);
    if length < MINVAL {
        v.fill(0.0);
        v.iter_mut().take(1).for_each(|x| *x = 1.0);
    } else {
        let inverse = 1.0 / length;
        v.iter_mut().for_each(|x| *x *= inverse);
    }
    res.set(&v).map(|()| length)
}

/// Sorts in ascending order; NaN stays in place.
#[pyfunction]
fn mju_insertionSort(list: OutVector<'_>) -> PyResult<()> {
    let mut v = list.get();
    for i in 1..v.len() {
        let mut j = i;
        while j > 0 && v[j - 1] > v[j] {
            v.swap(j - 1, j);
            j -= 1;
        }
    }
    list.set(&v)
}

/// res = mat vec.
#[pyfunction]
fn mju_mulMatVec(res: OutVector<'_>, mat: Matrix, vec: Vector) -> PyResult<()> {
    require(mat.cols == vec.0.len(), "size of vec should equal the number of columns in mat")?;
    require(mat.rows == res.len(), "size of res should equal the number of rows in mat")?;
    let out: Vec<f64> = (0..mat.rows).map(|r| dot(mat.row(r), &vec.0)).collect();
    res.set(&out)
}

/// res = mat' vec.
#[pyfunction]
fn mju_mulMatTVec(res: OutVector<'_>, mat: Matrix, vec: Vector) -> PyResult<()> {
    require(mat.cols == res.len(), "size of res should equal the number of columns in mat")?;
    require(mat.rows == vec.0.len(), "size of vec should equal the number of rows in mat")?;
    let mut out = vec![0.0; mat.cols];
    for (r, &x) in vec.0.iter().enumerate() {
        if x != 0.0 {
            add_scaled(&mut out, mat.row(r), x);
        }
    }
    res.set(&out)
}

/// vec1' mat vec2.
#[pyfunction]
fn mju_mulVecMatVec(vec1: Vector, mat: Matrix, vec2: Vector) -> PyResult<f64> {
    let n = vec1.0.len();
    require(n == vec2.0.len(), "size of vec1 should equal the size of vec2")?;
    require(n == mat.cols, "size of vectors should equal the number of columns in mat")?;
    require(n == mat.rows, "size of vectors should equal the number of rows in mat")?;
    Ok((0..n).fold(0.0, |sum, i| sum + vec1.0[i] * dot(mat.row(i), &vec2.0)))
}

/// res = mat'.
#[pyfunction]
fn mju_transpose(res: OutMatrix<'_>, mat: Matrix) -> PyResult<()> {
    require(res.rows == mat.cols, "#rows in res should equal #columns in mat")?;
    require(res.cols == mat.rows, "#columns in res should equal #rows in mat")?;
    let entry = |i: usize| mat.data[i % mat.rows * mat.cols + i / mat.rows];
    res.set(&(0..mat.data.len()).map(entry).collect::<Vec<_>>())
}

/// res = (mat + mat') / 2.
#[pyfunction]
fn mju_symmetrize(res: OutMatrix<'_>, mat: Matrix) -> PyResult<()> {
    let n = mat.rows;
    require(mat.cols == n, "mat should be square")?;
    require(res.shape() == (n, n), "res and mat should have the same shape")?;
    let mut out = mat.data.clone();
    for i in 0..n {
        for j in 0..i {
            let mean = 0.5 * (mat.data[i * n + j] + mat.data[j * n + i]);
            (out[i * n + j], out[j * n + i]) = (mean, mean);
        }
    }
    res.set(&out)
}

/// Sets a matrix to the identity.
#[pyfunction]
fn mju_eye(mat: OutMatrix<'_>) -> PyResult<()> {
    let n = mat.rows;
    require(mat.cols == n, "mat should be square")?;
    let mut out = vec![0.0; n * n];
    (0..n).for_each(|i| out[i * (n + 1)] = 1.0);
    mat.set(&out)
}

/// res = mat1 mat2.
#[pyfunction]
fn mju_mulMatMat(res: OutMatrix<'_>, mat1: Matrix, mat2: Matrix) -> PyResult<()> {
    require(mat1.cols == mat2.rows, "#columns in mat1 should equal #rows in mat2")?;
    require(res.rows == mat1.rows, "#rows in res should equal #rows in mat1")?;
    require(res.cols == mat2.cols, "#columns in res should equal #columns in mat2")?;
    let mut out = vec![0.0; res.rows * res.cols];
    for i in 0..mat1.rows {
        for k in 0..mat1.cols {
            let x = mat1.row(i)[k];
            if x != 0.0 {
                add_scaled(&mut out[i * mat2.cols..][..mat2.cols], mat2.row(k), x);
            }
        }
    }
    res.set(&out)
}

/// res = mat1 mat2'.
#[pyfunction]
fn mju_mulMatMatT(res: OutMatrix<'_>, mat1: Matrix, mat2: Matrix) -> PyResult<()> {
    require(mat1.cols == mat2.cols, "#columns in mat1 should equal #columns in mat2")?;
    require(res.rows == mat1.rows, "#rows in res should equal #rows in mat1")?;
    require(res.cols == mat2.rows, "#columns in res should equal #rows in mat2")?;
    let rows = (0..mat1.rows).flat_map(|i| (0..mat2.rows).map(move |j| (i, j)));
    let out: Vec<f64> = rows.map(|(i, j)| dot(mat1.row(i), mat2.row(j))).collect();
    res.set(&out)
}

/// res = mat1' mat2.
#[pyfunction]
fn mju_mulMatTMat(res: OutMatrix<'_>, mat1: Matrix, mat2: Matrix) -> PyResult<()> {
    require(mat1.rows == mat2.rows, "#rows in mat1 should equal #rows in mat2")?;
    require(res.rows == mat1.cols, "#rows in res should equal #columns in mat1")?;
    require(res.cols == mat2.cols, "#columns in res should equal #columns in mat2")?;
    let mut out = vec![0.0; res.rows * res.cols];
    for i in 0..mat1.rows {
        for j in 0..mat1.cols {
            let x = mat1.row(i)[j];
            if x != 0.0 {
                add_scaled(&mut out[j * mat2.cols..][..mat2.cols], mat2.row(i), x);
            }
        }
    }
    res.set(&out)
}

/// Cholesky factorisation in place, in the lower triangle; returns the rank.
#[pyfunction]
fn mju_cholFactor(mat: OutMatrix<'_>, mindiag: f64) -> PyResult<usize> {
    let n = mat.rows;
    require(mat.cols == n, "mat should be a square matrix")?;
    let mut a = mat.get();
    let rank = chol::factor(&mut a, n, mindiag);
    mat.set(&a).map(|()| rank)
}

/// Solves with a Cholesky factor.
#[pyfunction]
fn mju_cholSolve(res: OutVector<'_>, mat: Matrix, vec: Vector) -> PyResult<()> {
    let n = mat.rows;
    require(mat.cols == n, "mat should be a square matrix")?;
    require(res.len() == n, "size of res should equal the number of rows in mat")?;
    require(vec.0.len() == n, "size of vec should equal the number of rows in mat")?;
    let mut x = vec.0;
    chol::solve(&mat.data, &mut x);
    res.set(&x)
}

/// Limits a number to a range.
#[pyfunction]
fn mju_clip(x: f64, min: f64, max: f64) -> f64 {
    scalar::clip(x, min, max)
}

/// The smaller of two numbers.
#[pyfunction]
fn mju_min(a: f64, b: f64) -> f64 {
    if a <= b { a } else { b }
}

/// The larger of two numbers.
#[pyfunction]
fn mju_max(a: f64, b: f64) -> f64 {
    if a >= b { a } else { b }
}

/// Sign of a number: 1, 0 or -1.
#[pyfunction]
fn mju_sign(x: f64) -> f64 {
    if x < 0.0 {
        -1.0
    } else if x > 0.0 {
        1.0
    } else {
        0.0
    }
}

/// Rounds to the nearest integer; halves round up.
#[pyfunction]
fn mju_round(x: f64) -> i32 {
    let (lower, upper) = (x.floor(), x.ceil());
    (if x - lower < upper - x { lower } else { upper }) as i32
}

/// Whether a number is NaN or huge.
#[pyfunction]
fn mju_isBad(x: f64) -> i32 {
    (x.is_nan() || !(-1e10..=1e10).contains(&x)).into()
}

/// Quintic sigmoid from 0 to 1.
#[pyfunction]
fn mju_sigmoid(x: f64) -> f64 {
    sinew_math::scalar::sigmoid(x)
}

/// A number of the Halton sequence.
#[pyfunction]
fn mju_Halton(index: i32, base: i32) -> PyResult<f64> {
    let Some(base) = usize::try_from(base).ok().filter(|base| *base >= 2) else {
        return Err(FatalError::new_err("mju_Halton: base must be at least 2"));
    };
    Ok(sinew_scene::halton(usize::try_from(index).unwrap_or(0), base))
}

/// Adds the functions to the module.
pub(crate) fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    register_elementwise(m)?;
    m.add_function(wrap_pyfunction!(mju_sum, m)?)?;
    m.add_function(wrap_pyfunction!(mju_L1, m)?)?;
    m.add_function(wrap_pyfunction!(mju_norm, m)?)?;
    m.add_function(wrap_pyfunction!(mju_isZero, m)?)?;
    m.add_function(wrap_pyfunction!(mju_dot, m)?)?;
    m.add_function(wrap_pyfunction!(mju_normalize, m)?)?;
    m.add_function(wrap_pyfunction!(mju_insertionSort, m)?)?;
    m.add_function(wrap_pyfunction!(mju_mulMatVec, m)?)?;
    m.add_function(wrap_pyfunction!(mju_mulMatTVec, m)?)?;
    m.add_function(wrap_pyfunction!(mju_mulVecMatVec, m)?)?;
    m.add_function(wrap_pyfunction!(mju_transpose, m)?)?;
    m.add_function(wrap_pyfunction!(mju_symmetrize, m)?)?;
    m.add_function(wrap_pyfunction!(mju_eye, m)?)?;
    m.add_function(wrap_pyfunction!(mju_mulMatMat, m)?)?;
    m.add_function(wrap_pyfunction!(mju_mulMatMatT, m)?)?;
    m.add_function(wrap_pyfunction!(mju_mulMatTMat, m)?)?;
    m.add_function(wrap_pyfunction!(mju_cholFactor, m)?)?;
    m.add_function(wrap_pyfunction!(mju_cholSolve, m)?)?;
    m.add_function(wrap_pyfunction!(mju_clip, m)?)?;
    m.add_function(wrap_pyfunction!(mju_min, m)?)?;
    m.add_function(wrap_pyfunction!(mju_max, m)?)?;
    m.add_function(wrap_pyfunction!(mju_sign, m)?)?;
    m.add_function(wrap_pyfunction!(mju_round, m)?)?;
    m.add_function(wrap_pyfunction!(mju_isBad, m)?)?;
    m.add_function(wrap_pyfunction!(mju_sigmoid, m)?)?;
    m.add_function(wrap_pyfunction!(mju_Halton, m)?)
}
