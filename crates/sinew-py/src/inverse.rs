//! `mj_*` and `mjd_*` functions of inverse dynamics and of derivatives by finite differences.

use numpy::{PyReadwriteArray1, PyUntypedArrayMethods};
use pyo3::prelude::*;
use sinew_engine as engine;
use sinew_engine::{FiniteDifferenceError, InverseError, InverseJacobians, Transition};
use sinew_model::BodyId;
use sinew_model::enums::Stage;

use crate::args::{OutMatrix, OutVector, index, require};
use crate::call::{run, run_with};
use crate::data::Data;
use crate::failure::FatalError;
use crate::model::Model;

pub(crate) fn inverse_error(error: InverseError) -> PyErr {
    FatalError::new_err(format!("mj_discreteAcc: {error}"))
}

/// Inverse dynamics: the force that gives `qacc`.
#[pyfunction]
fn mj_inverse(m: &Bound<'_, Model>, d: &Bound<'_, Data>) -> PyResult<()> {
    run_with(m, d, |m, d, hooks| engine::inverse_with(m, d, hooks))?.map_err(inverse_error)
}

/// Computes `mj_inverse` without the stages up to `skipstage`, and without sensors if `skipsensor`.
#[pyfunction]
fn mj_inverseSkip(
    m: &Bound<'_, Model>,
    d: &Bound<'_, Data>,
    skipstage: i32,
    skipsensor: i32,
) -> PyResult<()> {
    run_with(m, d, |m, d, hooks| {
        engine::inverse_skip_with(m, d, Stage(skipstage), skipsensor != 0, hooks)
    })?
    .map_err(inverse_error)
}

/// Compares forward and inverse dynamics; the result is in `solver_fwdinv`.
#[pyfunction]
fn mj_compareFwdInv(m: &Bound<'_, Model>, d: &Bound<'_, Data>) -> PyResult<()> {
    run(m.py(), m, d, engine::compare_fwd_inv)?.map_err(inverse_error)
}

/// Zeros for a requested matrix; an error if its shape is wrong.
fn zeros_for(
    matrix: &Option<OutMatrix<'_>>,
    shape: (usize, usize),
    text: &'static str,
) -> PyResult<Option<Vec<f64>>> {
    let Some(matrix) = matrix else { return Ok(None) };
    // numpy has vectors for columns, and a matrix without columns has no rows
    let empty = matrix.rows * matrix.cols == 0 && shape.0 * shape.1 == 0;
    require(matrix.shape() == shape || empty, text)?;
    Ok(Some(vec![0.0; shape.0 * shape.1]))
}

fn write<const N: usize>(
    matrices: [Option<OutMatrix<'_>>; N],
    numbers: [Option<Vec<f64>>; N],
) -> PyResult<()> {
    for (matrix, numbers) in matrices.into_iter().zip(numbers) {
        if let (Some(matrix), Some(numbers)) = (matrix, numbers) {
            matrix.set(&numbers)?;
        }
    }
    Ok(())
}

fn difference_error(function: &str, error: FiniteDifferenceError) -> PyErr {
    FatalError::new_err(format!("{function}: {error}"))
}

/// Matrices of the linearised step: dx' = A dx + B du, ds = C dx + D du.
#[pyfunction]
#[pyo3(signature = (m, d, eps, flg_centered, A, B, C, D))]
#[expect(clippy::too_many_arguments, reason = "they are MuJoCo's")]
fn mjd_transitionFD(
    m: &Bound<'_, Model>,
    d: &Bound<'_, Data>,
    eps: f64,
    flg_centered: i32,
    A: Option<OutMatrix<'_>>,
    B: Option<OutMatrix<'_>>,
    C: Option<OutMatrix<'_>>,
    D: Option<OutMatrix<'_>>,
) -> PyResult<()> {
    // requested matrices, if their shapes are right
    let (n, nu, ns) = {
        let m = m.get().cell.read(m.py())?;
        (2 * m.nv + m.na, m.nu, m.nsensordata)
    };
    let mut out = [
        zeros_for(&A, (n, n), "A should be of shape (2*nv+na, 2*nv+na)")?,
        zeros_for(&B, (n, nu), "B should be of shape (2*nv+na, nu)")?,
        zeros_for(&C, (ns, n), "C should be of shape (nsensordata, 2*nv+na)")?,
        zeros_for(&D, (ns, nu), "D should be of shape (nsensordata, nu)")?,
    ];

    // finite differences
    run_with(m, d, |m, d, hooks| {
        let [a, b, c, by_ctrl] = out.each_mut().map(Option::as_deref_mut);
        let out = Transition { a, b, c, d: by_ctrl };
        engine::transition_fd_with(m, d, eps, flg_centered != 0, out, hooks)
    })?
    .map_err(|e| difference_error("mjd_transitionFD", e))?;
    write([A, B, C, D], out)
}

/// Derivatives of inverse dynamics by position, velocity and acceleration, a row per dof.
#[pyfunction]
#[pyo3(signature = (m, d, eps, flg_actuation, DfDq, DfDv, DfDa, DsDq, DsDv, DsDa, DmDq))]
#[expect(clippy::too_many_arguments, reason = "they are MuJoCo's")]
fn mjd_inverseFD(
    m: &Bound<'_, Model>,
    d: &Bound<'_, Data>,
    eps: f64,
    flg_actuation: i32,
    DfDq: Option<OutMatrix<'_>>,
    DfDv: Option<OutMatrix<'_>>,
    DfDa: Option<OutMatrix<'_>>,
    DsDq: Option<OutMatrix<'_>>,
    DsDv: Option<OutMatrix<'_>>,
    DsDa: Option<OutMatrix<'_>>,
    DmDq: Option<OutMatrix<'_>>,
) -> PyResult<()> {
    // requested matrices, if their shapes are right
    let (nv, ns, nM) = {
        let m = m.get().cell.read(m.py())?;
        (m.nv, m.nsensordata, m.nM)
    };
    let mut out = [
        zeros_for(&DfDq, (nv, nv), "DfDq should be of shape (nv, nv)")?,
        zeros_for(&DfDv, (nv, nv), "DfDv should be of shape (nv, nv)")?,
        zeros_for(&DfDa, (nv, nv), "DfDa should be of shape (nv, nv)")?,
        zeros_for(&DsDq, (nv, ns), "DsDq should be of shape (nv, nsensordata)")?,
        zeros_for(&DsDv, (nv, ns), "DsDv should be of shape (nv, nsensordata)")?,
        zeros_for(&DsDa, (nv, ns), "DsDa should be of shape (nv, nsensordata)")?,
        zeros_for(&DmDq, (nv, nM), "DmDq should be of shape (nv, nM)")?,
    ];

    // finite differences
    run_with(m, d, |m, d, hooks| {
        let [force_pos, force_vel, force_acc, sensor_pos, sensor_vel, sensor_acc, inertia_pos] =
            out.each_mut().map(Option::as_deref_mut);
        let out = InverseJacobians {
            force_pos,
            force_vel,
            force_acc,
            sensor_pos,
            sensor_vel,
            sensor_acc,
            inertia_pos,
        };
        engine::inverse_fd_with(m, d, eps, flg_actuation != 0, out, hooks)
    })?
    .map_err(|e| difference_error("mjd_inverseFD", e))?;
    write([DfDq, DfDv, DfDa, DsDq, DsDv, DsDa, DmDq], out)
}

/// The matrix that maps velocities to the angular momentum of a subtree about its centre of mass.
#[pyfunction]
fn mj_angmomMat(
    m: &Bound<'_, Model>,
    d: &Bound<'_, Data>,
    mat: OutMatrix<'_>,
    body: i64,
) -> PyResult<()> {
    let (nv, nbody) = {
        let m = m.get().cell.read(m.py())?;
        (m.nv, m.nbody)
    };
    require(mat.shape() == (3, nv), "mat should be of shape (3, nv)")?;
    let body = index("mj_angmomMat: body", body, nbody)?;
    let mut out = vec![0.0; 3 * nv];
    run(m.py(), m, d, |m, d| engine::angmom_mat(m, d, &mut out, BodyId::new(body)))?;
    mat.set(&out)
}

/// Adds the inertia matrix to a sparse matrix of `nM` entries, whose rows may gain columns.
#[pyfunction]
fn mj_addM(
    m: &Bound<'_, Model>,
    d: &Bound<'_, Data>,
    dst: OutVector<'_>,
    mut rownnz: PyReadwriteArray1<'_, i32>,
    rowadr: PyReadwriteArray1<'_, i32>,
    mut colind: PyReadwriteArray1<'_, i32>,
) -> PyResult<()> {
    let (nv, nM) = {
        let m = m.get().cell.read(m.py())?;
        (m.nv, m.nM)
    };
    require(dst.len() == nM, "dst should be of size nM")?;
    require(rownnz.len() == nv, "rownnz should be of size nv")?;
    require(rowadr.len() == nv, "rowadr should be of size nv")?;
    require(colind.len() == nM, "colind should be of size nM")?;

    // rows of M
    let inertia = run(m.py(), m, d, |m, d| {
        let rows = m.dofs().map(|v| m.M_row(v));
        let entry = |k: usize| (m.M_colind[k].idx() as i32, d.M[k]);
        rows.map(|row| row.map(entry).collect()).collect::<Vec<Vec<(i32, f64)>>>()
    })?;

    // merge into the rows of `dst` by column
    let mut values = dst.get();
    let (nnz, adr, ind) = (rownnz.as_slice_mut()?, rowadr.as_slice()?, colind.as_slice_mut()?);
    for ((nnz, &adr), row) in nnz.iter_mut().zip(adr).zip(&inertia) {
        let outside = "the rows of dst should lie in it";
        let (start, len) = (usize::try_from(adr)?, usize::try_from(*nnz)?);
        require(start.saturating_add(len) <= nM, outside)?;
        let mut sum: Vec<(i32, f64)> = (start..start + len).map(|k| (ind[k], values[k])).collect();
        for &(column, x) in row {
            match sum.binary_search_by_key(&column, |e| e.0) {
                Ok(k) => sum[k].1 += x,
                Err(k) => sum.insert(k, (column, x)),
            }
        }
        require(start + sum.len() <= nM, outside)?;
        *nnz = sum.len() as i32;
        for (k, (column, x)) in sum.into_iter().enumerate() {
            (ind[start + k], values[start + k]) = (column, x);
        }
    }
    dst.set(&values)
}

/// Adds the functions to the module.
pub(crate) fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_function(wrap_pyfunction!(mj_inverse, m)?)?;
    m.add_function(wrap_pyfunction!(mj_inverseSkip, m)?)?;
    m.add_function(wrap_pyfunction!(mj_compareFwdInv, m)?)?;
    m.add_function(wrap_pyfunction!(mjd_transitionFD, m)?)?;
    m.add_function(wrap_pyfunction!(mjd_inverseFD, m)?)?;
    m.add_function(wrap_pyfunction!(mj_angmomMat, m)?)?;
    m.add_function(wrap_pyfunction!(mj_addM, m)?)
}
