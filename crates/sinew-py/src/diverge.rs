//! Diagnosis of bad states: a warning with the diagnosis, once per state; and `check`, for models
//! before the first step.

use std::ffi::CString;
use std::time::{Duration, Instant};

use pyo3::create_exception;
use pyo3::exceptions::PyRuntimeWarning;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use sinew_diagnose::{Edit, Finding, NoDiagnosis, Weight};

use crate::call::with_model;
use crate::data::Data;
use crate::failure::{quiet, user_code};
use crate::model::Model;

create_exception!(
    sinew,
    DivergenceWarning,
    PyRuntimeWarning,
    "A state went bad; the text has the place, the cause and a remedy."
);

/// Time limit for trying remedies, since the caller of the step waits.
const LONGEST: Duration = Duration::from_millis(500);

/// Text if the repeated steps have no bad state.
const CHANGED: &str = "the state went bad and was reset; its last steps do not go bad again by \
    themselves, without what was changed between them";
/// Text if there is no time to repeat the steps.
const UNFINISHED: &str = "the state went bad and was reset; the cause is unknown, because running \
    its last steps again takes too long (`sinew run` takes more time to find the cause)";

/// Warns of the first bad state in the last steps.
pub(crate) fn tell(m: &Bound<'_, Model>, d: &Bound<'_, Data>) -> PyResult<()> {
    let Some(watch) = d.get().watch.take() else { return Ok(()) };
    let py = m.py();
    if is_ignored(py)? {
        return Ok(());
    }
    let model = m.get().cell.peek_ref(sinew_model::Model::clone);
    let until = Instant::now() + LONGEST;
    let found = py
        .detach(|| quiet(|| watch.diagnose_while(&model, || Instant::now() < until)))
        .unwrap_or(Err(NoDiagnosis::Finite));
    let text = match found {
        Ok(found) => found.to_string(),
        Err(NoDiagnosis::Unfinished) => UNFINISHED.to_string(),
        Err(_) => CHANGED.to_string(),
    };
    let text = CString::new(text.replace('\0', " ")).unwrap_or_default();
    let category = py.get_type::<DivergenceWarning>();
    let name = || "the handler of warnings".to_owned();
    match user_code(name, || PyErr::warn(py, &category, &text, 1)) {
        // MuJoCo has no such warning: where warnings are errors, a step must not fail
        Err(error) if error.is_instance_of::<DivergenceWarning>(py) => Ok(()),
        result => result,
    }
}

/// Whether Python would ignore the warning, so that the diagnosis can be skipped.
fn is_ignored(py: Python<'_>) -> PyResult<bool> {
    let warning = py.get_type::<DivergenceWarning>();
    for filter in py.import("warnings")?.getattr("filters")?.try_iter()? {
        let filter = filter?;
        let category = filter.get_item(2)?;
        let everywhere = filter.get_item(1)?.is_none() && filter.get_item(3)?.is_none();
        if everywhere && warning.is_subclass(&category)? {
            return filter.get_item(0)?.eq("ignore");
        }
    }
    Ok(false)
}

/// check(model: MjModel) -> list
///
/// Finds probable faults of a model, and remarks, before its first step. Returns a list of dicts
/// with `cause`, `weight` ("warning" or "note"), `text`, and `remedies`. Each remedy has a `text`
/// and its `edits` of fields.
#[pyfunction]
fn check(m: &Bound<'_, Model>) -> PyResult<Py<PyList>> {
    let py = m.py();
    let found = with_model(m, sinew_diagnose::check)?;
    let list = PyList::empty(py);
    for finding in &found {
        list.append(as_dict(py, finding)?)?;
    }
    Ok(list.unbind())
}

fn as_dict<'py>(py: Python<'py>, finding: &Finding) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("cause", finding.cause.code())?;
    let weight = if finding.weight == Weight::Warning { "warning" } else { "note" };
    dict.set_item("weight", weight)?;
    dict.set_item("text", &finding.text)?;
    let remedies = PyList::empty(py);
    for remedy in &finding.remedies {
        let one = PyDict::new(py);
        one.set_item("text", &remedy.text)?;
        let edits: Vec<String> = remedy.change.0.iter().map(Edit::to_string).collect();
        one.set_item("edits", edits)?;
        remedies.append(one)?;
    }
    dict.set_item("remedies", remedies)?;
    Ok(dict)
}

pub(crate) fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add("DivergenceWarning", m.py().get_type::<DivergenceWarning>())?;
    m.add_function(wrap_pyfunction!(check, m)?)
}
