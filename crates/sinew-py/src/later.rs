//! Tables of a model that came with later versions of MuJoCo.

use numpy::PyArray1;
use pyo3::exceptions::{PyKeyError, PyValueError};
use pyo3::prelude::*;
use sinew_engine as engine;
use sinew_model::SiteId;
use sinew_model::enums::DisableBit;
use sinew_model::later::Later;

use crate::args::{V3, index};
use crate::call::run;
use crate::data::Data;
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
        "site_dataid" if later.site_dataid.is_empty() => None,
        "site_dataid" => ids(&later.site_dataid),
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

/// Forces of contacts that pull, which are among the passive forces.
#[pyfunction]
fn adhesion_forces<'py>(
    py: Python<'py>,
    m: &Bound<'py, Model>,
    d: &Bound<'py, Data>,
) -> PyResult<Bound<'py, PyArray1<f64>>> {
    let out = run(py, m, d, |m, d| {
        let mut out = vec![0.0; m.nv];
        // springs and dampers that are both off turn all passive forces off
        let off = [DisableBit::Spring, DisableBit::Damper].iter().all(|&bit| m.opt.disabled(bit));
        if !off {
            engine::add_adhesion(m, d, &mut out);
        }
        out
    })?;
    Ok(PyArray1::from_vec(py, out))
}

/// Forces with which the contacts of a state may pull.
#[pyfunction]
fn contact_adhesion<'py>(
    py: Python<'py>,
    m: &Bound<'py, Model>,
    d: &Bound<'py, Data>,
) -> PyResult<Bound<'py, PyArray1<f64>>> {
    let of = |m: &_, d: &mut sinew_model::Data| {
        d.contact.iter().map(|c| engine::contact_adhesion(m, c)).collect()
    };
    Ok(PyArray1::from_vec(py, run(py, m, d, of)?))
}

/// Whether a point is inside a site: for a mesh, inside its convex hull.
#[pyfunction]
fn inside_site(
    py: Python<'_>,
    m: &Bound<'_, Model>,
    d: &Bound<'_, Data>,
    site: i64,
    point: V3,
) -> PyResult<bool> {
    let site = index("mj_insideSite: siteid", site, m.get().cell.peek_ref(|m| m.nsite))?;
    run(py, m, d, |m, d| engine::inside_site(m, d, SiteId::new(site), point.0))
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
    m.add_function(wrap_pyfunction!(adhesion_forces, m)?)?;
    m.add_function(wrap_pyfunction!(contact_adhesion, m)?)?;
    m.add_function(wrap_pyfunction!(inside_site, m)?)?;
    m.add_function(wrap_pyfunction!(set_later_table, m)?)
}
