//! Loading models.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::model::Model;

/// A model from the bytes of an MJB file.
#[pyfunction]
fn load_binary(py: Python<'_>, bytes: &[u8]) -> PyResult<Model> {
    let model = py.detach(|| sinew_model::Model::from_binary(bytes));
    let model = model.map_err(|e| PyValueError::new_err(format!("mj_loadModel: {e}")))?;
    Ok(Model::own(model, Vec::new()))
}

/// Adds the functions to the module.
pub(crate) fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_function(wrap_pyfunction!(load_binary, m)?)
}
