//! `mj_*` functions of the constraint rows, and their Jacobian as MuJoCo shows it.

use numpy::PyArray1;
use pyo3::prelude::*;
use sinew_engine as engine;

use crate::args::{OutVector, Vector, require};
use crate::call::run;
use crate::data::Data;
use crate::model::Model;

/// Constraint rows and dofs.
fn sizes(m: &Bound<'_, Model>, d: &Bound<'_, Data>) -> (usize, usize) {
    let py = m.py();
    (d.get().cell.read(py).nefc, m.get().cell.read(py).nv)
}

/// J vec: from dofs to constraint rows.
#[pyfunction]
fn mj_mulJacVec(
    m: &Bound<'_, Model>,
    d: &Bound<'_, Data>,
    res: OutVector<'_>,
    vec: Vector,
) -> PyResult<()> {
    let (rows, dofs) = sizes(m, d);
    require(res.len() == rows, "res should be of length nefc")?;
    require(vec.0.len() == dofs, "vec should be of length nv")?;
    let mut out = vec![0.0; rows];
    run(m.py(), m, d, |_, d| engine::mul_jac_vec(d, &mut out, &vec.0))?;
    res.set(&out)
}

/// Jᵀ vec: from constraint rows to dofs; `res` stays as it is where there are no rows.
#[pyfunction]
fn mj_mulJacTVec(
    m: &Bound<'_, Model>,
    d: &Bound<'_, Data>,
    res: OutVector<'_>,
    vec: Vector,
) -> PyResult<()> {
    let (rows, dofs) = sizes(m, d);
    require(res.len() == dofs, "res should be of length nv")?;
    require(vec.0.len() == rows, "vec should be of length nefc")?;
    let mut out = res.get();
    run(m.py(), m, d, |_, d| engine::mul_jac_t_vec(d, &mut out, &vec.0))?;
    res.set(&out)
}

/// The list `name` where it is shown otherwise than the engine keeps it: with dense Jacobians, what
/// is dense in MuJoCo. Copies that are sorted by island are brought up to date first.
///
/// The engine's matrices are always sparse. MuJoCo does not fill the pattern of a dense one: it has
/// its size, and is zero here.
pub(crate) fn shown_list<'py>(
    m: &Bound<'py, Model>,
    d: &Data,
    name: &str,
) -> Option<Bound<'py, PyAny>> {
    let py = m.py();
    if ["iM", "iLD", "iacc", "ifrc", "iefc"].iter().any(|copy| name.starts_with(copy)) {
        // a callback that may only look sees the copies of before
        if let Ok(mut d) = d.cell.write(py) {
            engine::island_copies(&m.get().cell.read(py), &mut d);
        }
    }
    let of_jacobian = name.starts_with("efc_J") || name.starts_with("iefc_J_");
    if !of_jacobian && !name.starts_with("efc_AR") {
        return None;
    }
    let (sparse, nv) = {
        let m = m.get().cell.read(py);
        (m.is_sparse(), m.nv)
    };
    let d = d.cell.read(py);
    // without its matrix a primal solver has no rows of it; MuJoCo shows memory of no meaning
    let rows_of_none = d.nA == 0 && ["efc_AR_rownnz", "efc_AR_rowadr"].contains(&name);
    if sparse && !rows_of_none {
        return None;
    }
    let width = match (of_jacobian, d.nA) {
        (true, _) => nv,
        (false, 0) => 0,
        (false, _) => d.nefc,
    };
    Some(match name {
        "efc_J" => dense(py, &d, width, engine::jacobian_row),
        "efc_AR" => dense(py, &d, width, engine::inertia_row),
        _ if name.ends_with("_colind") => {
            PyArray1::<i32>::zeros(py, d.nefc * width, false).into_any()
        }
        _ => PyArray1::<i32>::zeros(py, d.nefc, false).into_any(),
    })
}

/// Finds columns and entries of a row.
type SparseRow = fn(&sinew_model::Data, usize) -> (&[i32], &[f64]);

/// A matrix of `width` columns from its sparse rows.
fn dense<'py>(
    py: Python<'py>,
    d: &sinew_model::Data,
    width: usize,
    row: SparseRow,
) -> Bound<'py, PyAny> {
    let mut out = vec![0.0; d.nefc * width];
    for (r, out) in out.chunks_exact_mut(width.max(1)).enumerate() {
        let (ind, row) = row(d, r);
        for (&i, &x) in ind.iter().zip(row) {
            out[i as usize] = x;
        }
    }
    PyArray1::from_vec(py, out).into_any()
}

/// The size `name` where it is shown otherwise than the engine has it: entries of matrices.
pub(crate) fn shown_size(m: &Bound<'_, Model>, d: &Data, name: &str) -> Option<usize> {
    let py = m.py();
    let m = m.get().cell.read(py);
    let d = d.cell.read(py);
    match name {
        "nJ" if !m.is_sparse() => Some(d.nefc * m.nv),
        "nA" if !m.is_sparse() && d.nA > 0 => Some(d.nefc * d.nefc),
        _ => None,
    }
}

/// Forces and states of the rows at `jar` = J qacc - aref, with the cost and the cone Hessians if they
/// are asked for.
#[pyfunction]
#[pyo3(signature = (m, d, jar, cost, flg_coneHessian))]
fn mj_constraintUpdate(
    m: &Bound<'_, Model>,
    d: &Bound<'_, Data>,
    jar: Vector,
    cost: Option<OutVector<'_>>,
    flg_coneHessian: i32,
) -> PyResult<()> {
    require(jar.0.len() == sizes(m, d).0, "size of jar should equal nefc")?;
    let mut total = 0.0;
    run(m.py(), m, d, |m, d| {
        engine::constraint_update(m, d, &jar.0, Some(&mut total), flg_coneHessian != 0);
    })?;
    cost.map_or(Ok(()), |cost| {
        require(cost.len() == 1, "cost should be of length 1")?;
        cost.set(&[total])
    })
}

/// Adds the functions to the module.
pub(crate) fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_function(wrap_pyfunction!(mj_mulJacVec, m)?)?;
    m.add_function(wrap_pyfunction!(mj_mulJacTVec, m)?)?;
    m.add_function(wrap_pyfunction!(mj_constraintUpdate, m)?)
}
