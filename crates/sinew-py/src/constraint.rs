//! `mj_*` functions of the constraint rows.

use pyo3::prelude::*;
use sinew_engine as engine;

use crate::args::{OutVector, Vector, require};
use crate::call::run;
use crate::data::Data;
use crate::model::Model;

/// Numbers of constraint rows and dofs.
fn sizes(m: &Bound<'_, Model>, d: &Bound<'_, Data>) -> (usize, usize) {
    (d.get().cell.peek_ref(|d| d.nefc), m.get().cell.peek_ref(|m| m.nv))
}

/// J vec: maps dofs to constraint rows.
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

/// Jᵀ vec: maps constraint rows to dofs; without rows `res` is unchanged.
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

/// Forces and states of the rows at `jar` = J qacc - aref, with optional cost and cone Hessians.
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
