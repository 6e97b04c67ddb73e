//! Tables for the classes of the Python side: fields, records, enumerations.

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList, PyTuple};
use sinew_model::contact::Contact;
use sinew_model::enums::ENUMS;
use sinew_model::options::*;
use sinew_model::record::{Record, record_bytes};
use sinew_scene::{Camera, GlCamera, Light, Perturb, SceneGeom, VisOption};

use crate::fields::{data_fields, dtype, model_fields};
use crate::memory::zeroed;
use crate::scene::SceneHead;
use crate::setup::{LENGTH_RANGE_FIELDS, LENGTH_RANGE_SIZE};

/// Adds `MODEL_FIELDS`, `DATA_FIELDS`, `RECORDS` and `ENUMS` to the module.
pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    module.add("MODEL_FIELDS", PyTuple::new(py, model_fields())?)?;
    module.add("DATA_FIELDS", PyTuple::new(py, data_fields())?)?;
    module.add("RECORDS", records(py)?)?;
    let enums = PyDict::new(py);
    for (name, values) in ENUMS {
        enums.set_item(name, PyList::new(py, values.iter())?)?;
    }
    module.add("ENUMS", enums)
}

/// Default bytes and fields (name, type, width, offset, documentation) of every record.
fn records(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let out = PyDict::new(py);
    let visual = Visual::default();

    // records of the model
    add(&out, "MjOption", &Options::default())?;
    add(&out, "MjStatistic", &zeroed::<Statistic>())?;
    add(&out, "MjVisual.Global", &visual.global)?;
    add(&out, "MjVisual.Quality", &visual.quality)?;
    add(&out, "MjVisual.Headlight", &visual.headlight)?;
    add(&out, "MjVisual.Map", &visual.map)?;
    add(&out, "MjVisual.Scale", &visual.scale)?;
    add(&out, "MjVisual.Rgba", &visual.rgba)?;

    // records of the state
    add(&out, "MjContact", &zeroed::<Contact>())?;
    add(&out, "MjWarningStat", &zeroed::<WarningStat>())?;
    add(&out, "MjTimerStat", &zeroed::<TimerStat>())?;
    add(&out, "MjSolverStat", &zeroed::<SolverStat>())?;

    // records of a scene
    add(&out, "MjvCamera", &Camera::default())?;
    add(&out, "MjvGLCamera", &GlCamera::default())?;
    add(&out, "MjvGeom", &zeroed::<SceneGeom>())?;
    add(&out, "MjvLight", &Light::default())?;
    add(&out, "MjvOption", &VisOption::default())?;
    add(&out, "MjvPerturb", &Perturb::default())?;
    add(&out, "MjvScene", &SceneHead::default())?;

    // options of the search for length ranges, which are arguments in the engine
    let zeros = PyBytes::new(py, &[0; LENGTH_RANGE_SIZE]);
    out.set_item("MjLROpt", (zeros, LENGTH_RANGE_FIELDS.to_vec()))?;
    Ok(out)
}

fn add<R: Record>(out: &Bound<'_, PyDict>, name: &str, default: &R) -> PyResult<()> {
    let py = out.py();
    let fields: Vec<_> = R::FIELDS
        .iter()
        .filter(|f| f.name != "pad_")
        .map(|f| (f.name.trim_start_matches("r#"), dtype(f.scalar), f.width, f.offset, f.doc))
        .collect();
    out.set_item(name, (PyBytes::new(py, record_bytes(default)), fields))
}
