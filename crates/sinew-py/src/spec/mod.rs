//! `MjSpec`: `element` is the object of an element, `read` makes the elements of a file, and
//! `compile` makes a model of elements.

mod compile;
mod element;
mod read;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use sinew_mjcf::SHORTCUTS;
use sinew_mjcf::document::IN_CLASS;
use sinew_mjcf::spec::mjs::records;
use sinew_mjcf::spec::sensor_kinds::{CONTACT_FIELDS, RAY_FIELDS, SENSOR_KINDS};
use sinew_mjcf::spec::{FlagElement, OptionElement, Orientation};

use crate::call::with_model;
use crate::failure::FatalError;
use crate::model::Model;

/// The source of a compiled model, as text in MuJoCo's style; `None` if the model lacks elements
/// that were fused or discarded.
#[pyfunction]
fn spec_xml(m: &Bound<'_, Model>) -> PyResult<Option<String>> {
    let Some(origin) = &m.get().origin else { return Ok(None) };
    let text = with_model(m, |model| origin.spec.to_mujoco_xml(model, &origin.options.plugins))?;
    text.map_err(|words| FatalError::new_err(format!("XML Error: {words}")))
}

/// The quaternion of an orientation of the given kind, or its error.
#[pyfunction]
fn resolve_orientation(
    degree: bool,
    sequence: &str,
    kind: i32,
    values: Vec<f64>,
) -> PyResult<[f64; 4]> {
    let wrong = |_| PyValueError::new_err("wrong number of values");
    let alt = match kind {
        0 => return Ok([1.0, 0.0, 0.0, 0.0]),
        1 => Orientation::AxisAngle(values.try_into().map_err(wrong)?),
        2 => Orientation::XyAxes(values.try_into().map_err(wrong)?),
        3 => Orientation::ZAxis(values.try_into().map_err(wrong)?),
        _ => Orientation::Euler(values.try_into().map_err(wrong)?),
    };
    let sequence = sequence.as_bytes().try_into().unwrap_or(*b"xyz");
    alt.to_quat(degree, sequence).map_err(PyValueError::new_err)
}

/// The tables of attributes, sensors and actuators.
#[pyfunction]
fn spec_tables(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    // attributes of elements: name and type
    let elements = PyDict::new(py);
    for record in records() {
        let rows = record.rows.iter().filter_map(|row| Some((row.name?, row.kind.to_string())));
        elements.set_item(record.name, rows.collect::<Vec<_>>())?;
    }

    // how many numbers sensors give
    let sensors = PyDict::new(py);
    SENSOR_KINDS.iter().try_for_each(|kind| sensors.set_item(kind.type_.0, kind.dim))?;

    // shortcuts of actuators: their effect, parameters and defaults
    let shortcuts = PyDict::new(py);
    for shortcut in SHORTCUTS {
        let parameters: Vec<_> =
            shortcut.parameters.iter().map(|(name, default)| (*name, default.to_vec())).collect();
        shortcuts.set_item(shortcut.kind.name(), (shortcut.doc, parameters))?;
    }

    // everything by its name
    let settings = PyDict::new(py);
    settings.set_item("option", OptionElement::ATTRIBUTES)?;
    settings.set_item("flag", FlagElement::ATTRIBUTES)?;
    let sizes = |fields: &[(&str, usize)]| fields.iter().map(|(_, n)| *n).collect::<Vec<_>>();
    let all = PyDict::new(py);
    all.set_item("records", elements)?;
    all.set_item("sensors", sensors)?;
    all.set_item("shortcuts", shortcuts)?;
    all.set_item("settings", settings)?;
    all.set_item("in_class", IN_CLASS)?;
    all.set_item("ray_sizes", sizes(RAY_FIELDS))?;
    all.set_item("contact_sizes", sizes(CONTACT_FIELDS))?;
    Ok(all)
}

/// Adds the functions to the module.
pub(crate) fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_class::<element::Element>()?;
    m.add_function(wrap_pyfunction!(read::spec_read, m)?)?;
    m.add_function(wrap_pyfunction!(spec_xml, m)?)?;
    m.add_function(wrap_pyfunction!(compile::spec_compile, m)?)?;
    m.add_function(wrap_pyfunction!(spec_tables, m)?)?;
    m.add_function(wrap_pyfunction!(resolve_orientation, m)?)
}
