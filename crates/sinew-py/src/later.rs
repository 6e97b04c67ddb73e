//! Tables of a model that came with later versions of MuJoCo.

use pyo3::exceptions::{PyKeyError, PyValueError};
use pyo3::prelude::*;
use sinew_model::later::Later;

use crate::model::Model;

/// The numbers of a table, row after row; `None` if all are zero, or -1 where they are ids.
#[pyfunction]
fn later_table(m: &Bound<'_, Model>, name: &str) -> PyResult<Option<Vec<f64>>> {
    let m = m.get().cell.read(m.py())?;
    let Some(later) = &m.later else { return Ok(None) };
    let ids = |ids: &[i32]| Some(ids.iter().copied().map(f64::from).collect());
    Ok(match name {
        "jnt_actuatorid" => ids(&later.jnt_actuatorid),
        "jnt_plasticadr" if later.jnt_plasticadr.is_empty() => None,
        "jnt_plasticadr" => ids(&later.jnt_plasticadr),
        "tendon_plasticadr" if later.tendon_plasticadr.is_empty() => None,
        "tendon_plasticadr" => ids(&later.tendon_plasticadr),
        "tendon_actuatorid" => ids(&later.tendon_actuatorid),
        "actuator_owner" if later.actuator_owner.is_empty() => None,
        "actuator_owner" => ids(&later.actuator_owner),
        "actuator_ctrlspec" if later.actuator_ctrlspec.is_empty() => None,
        "actuator_ctrlspec" => ids(&later.actuator_ctrlspec),
        _ => match later.table(name) {
            Some(table) if !table.is_empty() => Some(table.to_vec()),
            Some(_) => None,
            None => return Err(PyKeyError::new_err(name.to_owned())),
        },
    })
}

/// Replaces the numbers of a table.
#[pyfunction]
fn set_later_table(m: &Bound<'_, Model>, name: &str, numbers: Vec<f64>) -> PyResult<()> {
    let mut m = m.get().cell.write(m.py())?;
    let Some(wanted) = Later::length(name, &m) else {
        return Err(PyKeyError::new_err(name.to_owned()));
    };
    if numbers.len() != wanted {
        let text = format!("{name}: {} numbers, wanted {wanted}", numbers.len());
        return Err(PyValueError::new_err(text));
    }
    m.later.get_or_insert_default().set_table(name, &numbers);
    m.link_later();
    Ok(())
}

/// Length of the plastic state.
#[pyfunction]
fn plastic_size(m: &Bound<'_, Model>) -> PyResult<usize> {
    Ok(m.get().cell.read(m.py())?.nplastic())
}

/// Adds the functions to the module.
pub(crate) fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_function(wrap_pyfunction!(later_table, m)?)?;
    m.add_function(wrap_pyfunction!(plastic_size, m)?)?;
    m.add_function(wrap_pyfunction!(set_later_table, m)?)
}
