//! Functions that initialise states or options: histories, length ranges, defaults.

use pyo3::prelude::*;
use sinew_engine as engine;
use sinew_engine::{HistoryError, LengthRangeOptions};
use sinew_model::enums::LRMode;
use sinew_model::options::{DEFAULT_SOLIMP, DEFAULT_SOLREF};
use sinew_model::{ActuatorId, SensorId};

use crate::args::{Matrix, Out, Vector, require};
use crate::call::{run, run_mut};
use crate::data::Data;
use crate::failure::FatalError;
use crate::functions::reset;
use crate::model::Model;

/// The fields of `MjLROpt`: name, type, width, offset in C's struct, documentation.
pub(crate) const LENGTH_RANGE_FIELDS: [(&str, &str, usize, usize, &str); 10] = [
    ("mode", "int32", 1, 0, "which actuators to process"),
    ("useexisting", "int32", 1, 4, "keep a range that is already there"),
    ("uselimit", "int32", 1, 8, "use the limits of joints and tendons where there are any"),
    ("accel", "float64", 1, 16, "acceleration the pulling force should give"),
    ("maxforce", "float64", 1, 24, "largest force; 0 for no limit"),
    ("timeconst", "float64", 1, 32, "time constant by which velocities decay"),
    ("timestep", "float64", 1, 40, "time step; 0 for the model's"),
    ("inttotal", "float64", 1, 48, "simulated time"),
    ("interval", "float64", 1, 56, "part of that time in which lengths are looked at"),
    ("tolrange", "float64", 1, 64, "how much the length may still move, relative to the range"),
];

/// Size of C's struct in bytes.
pub(crate) const LENGTH_RANGE_SIZE: usize = 72;

/// Sets the default options of `mj_setLengthRange`.
#[pyfunction]
fn mj_defaultLROpt(opt: &Bound<'_, PyAny>) -> PyResult<()> {
    let default = LengthRangeOptions::default();
    opt.setattr("mode", default.mode.0)?;
    opt.setattr("useexisting", i32::from(default.useexisting))?;
    opt.setattr("uselimit", i32::from(default.uselimit))?;
    opt.setattr("accel", default.accel)?;
    opt.setattr("maxforce", default.maxforce)?;
    opt.setattr("timeconst", default.timeconst)?;
    opt.setattr("timestep", default.timestep)?;
    opt.setattr("inttotal", default.inttotal)?;
    opt.setattr("interval", default.interval)?;
    opt.setattr("tolrange", default.tolrange)
}

fn length_range_options(opt: &Bound<'_, PyAny>) -> PyResult<LengthRangeOptions> {
    let int = |name: &str| opt.getattr(name)?.extract::<i32>();
    let real = |name: &str| opt.getattr(name)?.extract::<f64>();
    Ok(LengthRangeOptions {
        mode: LRMode(int("mode")?),
        useexisting: int("useexisting")? != 0,
        uselimit: int("uselimit")? != 0,
        accel: real("accel")?,
        maxforce: real("maxforce")?,
        timeconst: real("timeconst")?,
        timestep: real("timestep")?,
        inttotal: real("inttotal")?,
        interval: real("interval")?,
        tolrange: real("tolrange")?,
    })
}

/// Sets `actuator_lengthrange` of an actuator by pulling and pushing it.
#[pyfunction]
fn mj_setLengthRange(
    m: &Bound<'_, Model>,
    d: &Bound<'_, Data>,
    index: i64,
    opt: &Bound<'_, PyAny>,
) -> PyResult<()> {
    let opt = length_range_options(opt)?;
    run_mut(m, d, |m, d, hooks| {
        let Some(u) = usize::try_from(index).ok().filter(|&u| u < m.nu) else {
            return Err("invalid actuator index".to_owned());
        };
        engine::set_length_range_with(m, d, ActuatorId::new(u), &opt, hooks)
            .map_err(|e| e.to_string())
    })?
    .map_err(|text| FatalError::new_err(format!("mj_setLengthRange: {text}")))
}

fn history_error(error: HistoryError) -> PyErr {
    FatalError::new_err(format!("mju_historyInit: {error}"))
}

/// Number of samples in the history of an actuator or sensor; 0 without one.
fn samples(history: Option<&[i32; 2]>) -> usize {
    history.and_then(|h| usize::try_from(h[0]).ok()).unwrap_or(0)
}

/// Sets the history of an actuator's control; without `times` at its present times.
#[pyfunction]
#[pyo3(signature = (m, d, id, times, values))]
fn mj_initCtrlHistory(
    m: &Bound<'_, Model>,
    d: &Bound<'_, Data>,
    id: i64,
    times: Option<Vector>,
    values: Vector,
) -> PyResult<()> {
    let id = usize::try_from(id).unwrap_or(usize::MAX);
    let n = samples(m.get().cell.read(m.py())?.actuator_history.get(id));
    let timely = n > 0 && times.as_ref().is_none_or(|t| t.0.len() == n);
    require(timely, "times should have length actuator_history[2*id]")?;
    require(values.0.len() == n, "values should have length actuator_history[2*id]")?;
    let times = times.as_ref().map(|t| &t.0[..]);
    run(m.py(), m, d, |m, d| {
        engine::init_ctrl_history(m, d, ActuatorId::new(id), times, &values.0)
    })?
    .map_err(history_error)
}

/// Sets the history of a sensor and the time of its last sample; without `times` at its present
/// times.
#[pyfunction]
#[pyo3(signature = (m, d, id, times, values, phase))]
fn mj_initSensorHistory(
    m: &Bound<'_, Model>,
    d: &Bound<'_, Data>,
    id: i64,
    times: Option<Vector>,
    values: Matrix,
    phase: f64,
) -> PyResult<()> {
    let id = usize::try_from(id).unwrap_or(usize::MAX);
    let (n, dim) = {
        let m = m.get().cell.read(m.py())?;
        let dim = m.sensor_dim.get(id).and_then(|&dim| usize::try_from(dim).ok());
        (samples(m.sensor_history.get(id)), dim.unwrap_or(0))
    };
    let timely = n > 0 && times.as_ref().is_none_or(|t| t.0.len() == n);
    require(timely, "times should have length sensor_history[2*id]")?;
    let text = "values should have shape (sensor_history[2*id], sensor_dim[id])";
    require((values.rows, values.cols) == (n, dim), text)?;
    let times = times.as_ref().map(|t| &t.0[..]);
    run(m.py(), m, d, |m, d| {
        engine::init_sensor_history(m, d, SensorId::new(id), times, &values.data, phase)
    })?
    .map_err(history_error)
}

/// Resets the state, and sets the bytes of computed quantities to `debug_value`.
#[pyfunction]
fn mj_resetDataDebug(m: &Bound<'_, Model>, d: &Bound<'_, Data>, debug_value: u8) -> PyResult<()> {
    reset(m, d, debug_value)
}

/// Sets solver parameters to their defaults. MuJoCo's own binding takes scalars here and writes out
/// of bounds; this function takes arrays, or none.
#[pyfunction]
fn mj_defaultSolRefImp(solref: Option<Out<'_, 2>>, solimp: Option<Out<'_, 5>>) -> PyResult<()> {
    solref.map_or(Ok(()), |out| out.set(DEFAULT_SOLREF))?;
    solimp.map_or(Ok(()), |out| out.set(DEFAULT_SOLIMP))
}

/// Adds the functions to the module.
pub(crate) fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_function(wrap_pyfunction!(mj_defaultLROpt, m)?)?;
    m.add_function(wrap_pyfunction!(mj_setLengthRange, m)?)?;
    m.add_function(wrap_pyfunction!(mj_initCtrlHistory, m)?)?;
    m.add_function(wrap_pyfunction!(mj_initSensorHistory, m)?)?;
    m.add_function(wrap_pyfunction!(mj_resetDataDebug, m)?)?;
    m.add_function(wrap_pyfunction!(mj_defaultSolRefImp, m)?)
}
