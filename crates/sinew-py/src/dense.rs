//! Further `mju_*` functions: matrix updates and squares, sparse layouts, friction pyramids.

use numpy::{PyReadwriteArray1, PyUntypedArrayMethods};
use pyo3::prelude::*;
use sinew_math::vector::add_scaled;
use sinew_math::{MINVAL, Mat3, Quat, Vec3, chol, scalar};

use crate::args::{Matrix, OutMatrix, OutVector, Vector, require};

/// Cholesky factor of L Lᵀ ± x xᵀ, in place; returns the rank.
#[pyfunction]
fn mju_cholUpdate(mat: OutMatrix<'_>, x: OutVector<'_>, flg_plus: i32) -> PyResult<usize> {
    let n = mat.rows;
    require(mat.cols == n, "mat should be a square matrix")?;
    require(x.len() == n, "size of x should equal the number of rows in mat")?;
    let (mut a, mut v) = (mat.get(), x.get());
    let sign = if flg_plus != 0 { 1.0 } else { -1.0 };
    let rank = chol::update(&mut a, &mut v, sign);
    mat.set(&a)?;
    x.set(&v).map(|()| rank)
}

/// Matᵀ diag Mat.
#[pyfunction]
#[pyo3(signature = (res, mat, diag))]
fn mju_sqrMatTD(res: OutMatrix<'_>, mat: Matrix, diag: Option<Vector>) -> PyResult<()> {
    let n = mat.cols;
    require(res.rows == n, "#rows in res should equal #columns in mat")?;
    require(res.cols == n, "#columns in res should equal #columns in mat")?;
    let fits = diag.as_ref().is_none_or(|d| d.0.len() == mat.rows);
    require(fits, "size of diag should equal the number of rows in mat")?;

    // lower triangle, row of mat by row
    let mut out = vec![0.0; n * n];
    for j in 0..mat.rows {
        let row = mat.row(j);
        for i in 0..n {
            let x = match &diag {
                Some(d) if d.0[j] == 0.0 => 0.0,
                Some(d) => row[i] * d.0[j],
                None => row[i],
            };
            if row[i] != 0.0 && x != 0.0 {
                add_scaled(&mut out[i * n..][..i + 1], row, x);
            }
        }
    }

    // mirrored
    for i in 0..n {
        for j in i + 1..n {
            out[i * n + j] = out[j * n + i];
        }
    }
    res.set(&out)
}

/// Converts a dense matrix to sparse rows; returns 1 if the capacity is too small.
#[pyfunction]
fn mju_dense2sparse(
    res: OutVector<'_>,
    mat: Matrix,
    mut rownnz: PyReadwriteArray1<'_, i32>,
    mut rowadr: PyReadwriteArray1<'_, i32>,
    mut colind: PyReadwriteArray1<'_, i32>,
) -> PyResult<i32> {
    require(rownnz.len() == mat.rows, "size of rownnz should equal #rows in mat")?;
    require(rowadr.len() == mat.rows, "size of rowadr should equal #rows in mat")?;
    require(res.len() == colind.len(), "#size of res should equal size of colind")?;

    // rows, until the capacity is used up
    let (nnz, adr, ind) = (rownnz.as_slice_mut()?, rowadr.as_slice_mut()?, colind.as_slice_mut()?);
    let mut out = res.get();
    let mut used = 0;
    for r in 0..mat.rows {
        (nnz[r], adr[r]) = (0, used as i32);
        for (c, &x) in mat.row(r).iter().enumerate().filter(|(_, x)| **x != 0.0) {
            if used >= out.len() {
                return res.set(&out).map(|()| 1);
            }
            (ind[used], out[used]) = (c as i32, x);
            nnz[r] += 1;
            used += 1;
        }
    }
    res.set(&out).map(|()| i32::from(out.is_empty()))
}

/// Converts sparse rows to a dense matrix.
#[pyfunction]
fn mju_sparse2dense(
    res: OutMatrix<'_>,
    mat: Vector,
    rownnz: Vec<usize>,
    rowadr: Vec<usize>,
    colind: Vec<usize>,
) -> PyResult<()> {
    require(res.rows == rownnz.len(), "#rows in res should equal size of rownnz")?;
    require(res.rows == rowadr.len(), "#rows in res should equal size of rowadr")?;
    require(mat.0.len() == colind.len(), "size of mat should equal size of colind")?;
    let mut out = vec![0.0; res.rows * res.cols];
    for (r, (&adr, &nnz)) in rowadr.iter().zip(&rownnz).enumerate() {
        for k in adr..adr.saturating_add(nnz) {
            let inside = k < colind.len() && colind[k] < res.cols;
            require(inside, "colind should hold columns of res")?;
            out[r * res.cols + colind[k]] = mat.0[k];
        }
    }
    res.set(&out)
}

/// Converts a contact force to forces along the edges of its friction pyramid.
///
/// As in MuJoCo's binding, the number of friction coefficients is taken as the contact's dimension.
/// The last coefficient and the edges beyond are therefore unused.
#[pyfunction]
fn mju_encodePyramid(pyramid: OutVector<'_>, force: Vector, mu: Vector) -> PyResult<()> {
    let n = mu.0.len();
    require(pyramid.len() == 2 * n, "size of pyramid should be twice as large as size of mu")?;
    require(force.0.len() == n + 1, "size of force should be exactly one larger than size of mu")?;
    let mut edges = pyramid.get();
    let a = force.0[0] / (n as f64 - 1.0);
    for i in 0..n.saturating_sub(1) {
        let slope = force.0[i + 1] / mu.0[i];
        let b = if a <= slope { a } else { slope };
        (edges[2 * i], edges[2 * i + 1]) = (0.5 * (a + b), 0.5 * (a - b));
    }
    pyramid.set(&edges)
}

/// Converts forces along the edges of a friction pyramid to a contact force; dimensions as above.
#[pyfunction]
fn mju_decodePyramid(force: OutVector<'_>, pyramid: Vector, mu: Vector) -> PyResult<()> {
    let n = mu.0.len();
    let edges = &pyramid.0;
    require(edges.len() == 2 * n, "size of pyramid should be twice as large as size of mu")?;
    require(force.len() == n + 1, "size of force should be exactly one larger than size of mu")?;
    let mut out = force.get();
    if n == 1 {
        out[0] = edges[0];
    } else {
        let used = n.saturating_sub(1);
        out[0] = edges[..2 * used].iter().fold(0.0, |sum, x| sum + x);
        for i in 0..used {
            out[i + 1] = (edges[2 * i] - edges[2 * i + 1]) * mu.0[i];
        }
    }
    force.set(&out)
}

/// Position of a damped spring after the time `dt`, in closed form.
#[pyfunction]
fn mju_springDamper(pos0: f64, vel0: f64, Kp: f64, Kv: f64, dt: f64) -> f64 {
    let det = Kv * Kv - 4.0 * Kp;
    if det > MINVAL {
        // overdamped: two real roots
        let w = det.sqrt() / 2.0;
        let (r1, r2) = (-Kv / 2.0 + w, -Kv / 2.0 - w);
        let c1 = (pos0 * r2 - vel0) / (r2 - r1);
        let c2 = (pos0 * r1 - vel0) / (r1 - r2);
        c1 * scalar::exp(r1 * dt) + c2 * scalar::exp(r2 * dt)
    } else if det >= -MINVAL {
        // critically damped
        scalar::exp(-Kv * dt / 2.0) * (pos0 + (vel0 + Kv * pos0 / 2.0) * dt)
    } else {
        let w = det.abs().sqrt() / 2.0;
        let c2 = (vel0 + Kv * pos0 / 2.0) / w;
        scalar::exp(-Kv * dt / 2.0) * (pos0 * scalar::cos(w * dt) + c2 * scalar::sin(w * dt))
    }
}

/// Derivatives of `mju_subQuat`.
#[pyfunction]
#[pyo3(signature = (qa, qb, Da, Db))]
fn mjd_subQuat(
    qa: Vector,
    qb: Vector,
    Da: Option<OutMatrix<'_>>,
    Db: Option<OutMatrix<'_>>,
) -> PyResult<()> {
    require(qa.0.len() == 4, "qa must have size 4")?;
    require(qb.0.len() == 4, "qb must have size 4")?;
    let nine = |m: &Option<OutMatrix<'_>>| m.as_ref().is_none_or(|m| m.rows * m.cols == 9);
    require(nine(&Da), "Da must have size 9")?;
    require(nine(&Db), "Db must have size 9")?;

    // I + half K + (1 - half / tan(half)) K², where K is the cross product with the axis
    let rotvec = Quat::from_slice(&qa.0).rotvec_from(Quat::from_slice(&qb.0));
    let (axis, angle) = rotvec.normalize();
    let half = 0.5 * angle;
    let k = cross_matrix(axis);
    let coef = 1.0 - if half < 6e-8 { 1.0 } else { half / scalar::tan(half) };
    let mut da = Mat3::IDENTITY.to_array();
    add_scaled(&mut da, &k.to_array(), half);
    add_scaled(&mut da, &(k * k).to_array(), coef);
    if let Some(out) = Da {
        out.set(&da)?;
    }
    if let Some(out) = Db {
        out.set(&Mat3::from(da).transpose().to_array().map(|x| -x))?;
    }
    Ok(())
}

fn cross_matrix(v: Vec3) -> Mat3 {
    Mat3([[0.0, -v.z, v.y], [v.z, 0.0, -v.x], [-v.y, v.x, 0.0]])
}

/// Adds the functions to the module.
pub(crate) fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_function(wrap_pyfunction!(mju_cholUpdate, m)?)?;
    m.add_function(wrap_pyfunction!(mju_sqrMatTD, m)?)?;
    m.add_function(wrap_pyfunction!(mju_dense2sparse, m)?)?;
    m.add_function(wrap_pyfunction!(mju_sparse2dense, m)?)?;
    m.add_function(wrap_pyfunction!(mju_encodePyramid, m)?)?;
    m.add_function(wrap_pyfunction!(mju_decodePyramid, m)?)?;
    m.add_function(wrap_pyfunction!(mju_springDamper, m)?)?;
    m.add_function(wrap_pyfunction!(mjd_subQuat, m)?)
}
