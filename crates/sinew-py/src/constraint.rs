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

/// The list `name` with dense Jacobians; none if it is the same as with sparse ones.
///
/// The engine's Jacobian is always sparse. MuJoCo does not fill the pattern of a dense one: it has
/// its size, and is zero here.
pub(crate) fn dense_list<'py>(
    m: &Bound<'py, Model>,
    d: &Data,
    name: &str,
) -> Option<Bound<'py, PyAny>> {
    let py = m.py();
    if !name.starts_with("efc_J") {
        return None;
    }
    let (sparse, nv) = {
        let m = m.get().cell.read(py);
        (m.is_sparse(), m.nv)
    };
    if sparse {
        return None;
    }
    let d = d.cell.read(py);
    Some(match name {
        "efc_J" => {
            let mut dense = vec![0.0; d.nefc * nv];
            for r in 0..d.nefc {
                let (ind, row) = engine::jacobian_row(&d, r);
                for (&i, &x) in ind.iter().zip(row) {
                    dense[r * nv + i as usize] = x;
                }
            }
            PyArray1::from_vec(py, dense).into_any()
        }
        "efc_J_colind" => PyArray1::<i32>::zeros(py, d.nefc * nv, false).into_any(),
        _ => PyArray1::<i32>::zeros(py, d.nefc, false).into_any(),
    })
}

/// Entries of the constraint Jacobian as it is shown.
pub(crate) fn jacobian_size(m: &Bound<'_, Model>, d: &Data) -> usize {
    let py = m.py();
    let m = m.get().cell.read(py);
    let d = d.cell.read(py);
    if m.is_sparse() { d.nJ } else { d.nefc * m.nv }
}

/// Adds the functions to the module.
pub(crate) fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_function(wrap_pyfunction!(mj_mulJacVec, m)?)?;
    m.add_function(wrap_pyfunction!(mj_mulJacTVec, m)?)
}
