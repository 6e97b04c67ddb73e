//! Derivatives of steps in closed form: matrices of one step, and rollouts of many worlds.

use std::sync::Arc;

use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::exceptions::{PyNotImplementedError, PyValueError};
use pyo3::prelude::*;
use sinew_batch::{BatchError, RolloutGradients, RolloutInputs};
use sinew_engine::{self as engine, Parameter};

use crate::args::Vector;
use crate::batch::raise;
use crate::call::run;
use crate::callback::any_set;
use crate::data::Data;
use crate::failure::{exception, quiet, transition_error};
use crate::lock::Shared;
use crate::model::Model;

/// A matrix of a step, or nothing.
type Matrix<'py> = Option<Bound<'py, PyArray2<f64>>>;

/// A vector of numbers.
type Numbers<'py> = Bound<'py, PyArray1<f64>>;

/// Refuses callbacks, whose derivatives are unknown.
fn refuse_callbacks() -> PyResult<()> {
    any_set().map_or(Ok(()), |name| {
        Err(PyNotImplementedError::new_err(format!("{name}: no analytic derivative")))
    })
}

/// A, B, C and D of a step, and the distances of the nearest switches. Without `sensors` C and D
/// are `None`.
#[pyfunction]
fn _transition<'py>(
    m: &Bound<'py, Model>,
    d: &Bound<'py, Data>,
    sensors: bool,
) -> PyResult<([Matrix<'py>; 4], f64, f64)> {
    let py = m.py();
    refuse_callbacks()?;
    let (n, nu, ns) = {
        let m = m.get().cell.read(py)?;
        (2 * m.nv + m.na, m.nu, m.nsensordata)
    };
    let matrix = |rows: usize, cols: usize, wanted: bool| {
        wanted.then(|| PyArray2::<f64>::zeros(py, [rows, cols], false))
    };
    let matrices =
        [matrix(n, n, true), matrix(n, nu, true), matrix(ns, n, sensors), matrix(ns, nu, sensors)];
    let mut views = matrices.each_ref().map(|matrix| matrix.as_ref().map(|x| x.readwrite()));
    let mut out: [Option<&mut [f64]>; 4] = Default::default();
    for (out, view) in out.iter_mut().zip(&mut views) {
        *out = view.as_mut().map(|view| view.as_slice_mut()).transpose()?;
    }
    let [a, b, c, by_ctrl] = out;
    let switches =
        run(py, m, d, |m, d| engine::transition(m, d, engine::Transition { a, b, c, d: by_ctrl }))?
            .map_err(|error| transition_error(&error, error.to_string()))?;
    drop(views);
    Ok((matrices, switches.gap, switches.acceleration))
}

/// Rollouts on a pool of threads. Arrays are flat.
#[pyclass(frozen, weakref, module = "sinew._sinew")]
struct Rollouts {
    cell: Arc<Shared<sinew_batch::Rollouts>>,
}

/// Inputs of rollouts, as Python gives them.
#[derive(FromPyObject)]
struct Inputs {
    worlds: usize,
    steps: usize,
    start: Vector,
    ctrl: Vector,
    params: Vec<(String, Vector)>,
}

impl Rollouts {
    /// Calls `f` on the model and the inputs, detached from the interpreter.
    fn call(
        &self,
        m: &Bound<'_, Model>,
        inputs: &Inputs,
        f: impl FnOnce(
            &mut sinew_batch::Rollouts,
            &sinew_model::Model,
            &RolloutInputs<'_>,
        ) -> Result<(), BatchError>
        + Send,
    ) -> PyResult<()> {
        refuse_callbacks()?;
        m.get().check(m.py())?;
        let Inputs { worlds, steps, start, ctrl, params } = inputs;
        let params = params.iter().map(|(name, values)| Ok((parameter(name)?, &*values.0)));
        let params = params.collect::<PyResult<Vec<_>>>()?;
        let (model, cell) = (&m.get().cell, &self.cell);
        let result = m.py().detach(|| {
            let mut rollouts = cell.step_detached()?;
            let model = model.read_detached()?;
            let inputs = RolloutInputs {
                worlds: *worlds,
                steps: *steps,
                start: &start.0,
                ctrl: &ctrl.0,
                params: &params,
            };
            Ok(quiet(|| f(&mut rollouts, &model, &inputs))?)
        });
        result.map_err(exception)?.map_err(raise)
    }
}

#[pymethods]
impl Rollouts {
    #[new]
    fn new(threads: usize) -> PyResult<Rollouts> {
        let rollouts = sinew_batch::Rollouts::new(threads).map_err(raise)?;
        Ok(Rollouts { cell: Shared::new(rollouts) })
    }

    /// Number of threads.
    #[getter]
    fn nthread(&self, py: Python<'_>) -> PyResult<usize> {
        Ok(self.cell.read(py)?.threads())
    }

    /// The states after every step of every world.
    fn run<'py>(&self, m: &Bound<'py, Model>, inputs: Inputs) -> PyResult<Numbers<'py>> {
        let len = m.get().cell.peek_ref(engine::Rollout::state_len);
        let mut states = vec![0.0; inputs.worlds * inputs.steps * len];
        self.call(m, &inputs, |rollouts, m, inputs| rollouts.run(m, inputs, &mut states))?;
        Ok(PyArray1::from_vec(m.py(), states))
    }

    /// The gradients by first states, controls and parameters.
    fn vjp<'py>(
        &self,
        m: &Bound<'py, Model>,
        inputs: Inputs,
        by_states: Vector,
    ) -> PyResult<(Numbers<'py>, Numbers<'py>, Vec<Numbers<'py>>)> {
        let py = m.py();
        let mut start = vec![0.0; inputs.start.0.len()];
        let mut ctrl = vec![0.0; inputs.ctrl.0.len()];
        let mut params: Vec<_> =
            inputs.params.iter().map(|(_, values)| vec![0.0; values.0.len()]).collect();
        let mut rows: Vec<_> = params.iter_mut().map(|out| &mut **out).collect();
        let out = RolloutGradients { start: &mut start, ctrl: &mut ctrl, params: &mut rows };
        self.call(m, &inputs, |rollouts, m, inputs| rollouts.vjp(m, inputs, &by_states.0, out))?;
        let params = params.into_iter().map(|out| PyArray1::from_vec(py, out)).collect();
        Ok((PyArray1::from_vec(py, start), PyArray1::from_vec(py, ctrl), params))
    }

    /// The changes of the states after every step.
    fn jvp<'py>(
        &self,
        m: &Bound<'py, Model>,
        inputs: Inputs,
        start: Vector,
        ctrl: Vector,
    ) -> PyResult<Numbers<'py>> {
        let len = m.get().cell.peek_ref(engine::Rollout::state_len);
        let mut out = vec![0.0; inputs.worlds * inputs.steps * len];
        self.call(m, &inputs, |rollouts, m, inputs| {
            rollouts.jvp(m, inputs, [&start.0, &ctrl.0], &mut out)
        })?;
        Ok(PyArray1::from_vec(m.py(), out))
    }
}

fn parameter(name: &str) -> PyResult<Parameter> {
    Parameter::from_name(name).ok_or_else(|| {
        let known: Vec<_> = Parameter::ALL.iter().map(|p| p.name()).collect();
        let known = known.join(", ");
        PyValueError::new_err(format!("params: no gradients by '{name}'; there are {known}"))
    })
}

/// Adds the class and the function to the module.
pub(crate) fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_class::<Rollouts>()?;
    m.add("PARAMETERS", Parameter::ALL.map(Parameter::name).to_vec())?;
    m.add_function(wrap_pyfunction!(_transition, m)?)
}
