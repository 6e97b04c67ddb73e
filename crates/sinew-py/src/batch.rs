//! Batches of worlds as Python objects.

use std::sync::Arc;

use numpy::{PyArray2, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::exceptions::{PyIndexError, PyKeyError, PyMemoryError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use sinew_batch::{BatchError, BatchOptions};

use crate::callback::any_set;
use crate::data::{Data, fits};
use crate::failure::{exception, quiet, transition_error};
use crate::lock::Shared;
use crate::memory::batch_view;
use crate::model::Model;

/// Threads that sleep between calls.
#[pyclass(frozen, module = "sinew._sinew")]
pub(crate) struct Pool {
    pub(crate) cell: Arc<Shared<sinew_batch::Pool>>,
}

#[pymethods]
impl Pool {
    #[new]
    fn new(threads: usize) -> PyResult<Pool> {
        Ok(Pool { cell: Shared::new(sinew_batch::Pool::new(threads).map_err(raise)?) })
    }
}

/// Base class of `sinew.Batch`: owns the arrays over worlds and returns views of them.
#[pyclass(frozen, subclass, weakref, module = "sinew._sinew")]
pub(crate) struct Batch {
    cell: Arc<Shared<sinew_batch::Batch>>,
}

/// The exception for an error of a batch.
pub(crate) fn raise(error: BatchError) -> PyErr {
    let text = error.to_string();
    match error {
        BatchError::Stopped { world, ref panic, .. } => stopped(world, panic, text),
        BatchError::TooMuchMemory { .. } => PyMemoryError::new_err(text),
        BatchError::Unknown { .. } | BatchError::NotOnDevice(_) => PyKeyError::new_err(text),
        BatchError::Transition { ref error, .. } => transition_error(error, text),
        BatchError::World { .. } => PyIndexError::new_err(text),
        BatchError::Threads(_) | BatchError::Device(_) => PyRuntimeError::new_err(text),
        _ => PyValueError::new_err(text),
    }
}

/// The exception for a world whose step failed. An exception of a plugin is its cause.
fn stopped(world: usize, panic: &sinew_batch::Panic, text: String) -> PyErr {
    match panic.take().map(|panic| panic.downcast::<PyErr>()) {
        Some(Ok(cause)) => Python::attach(|py| {
            let error = PyRuntimeError::new_err(format!("world {world}: {cause}"));
            error.set_cause(py, Some(*cause));
            error
        }),
        _ => PyRuntimeError::new_err(text),
    }
}

impl Batch {
    /// Calls `f` on the batch, detached from the interpreter.
    fn run(
        &self,
        py: Python<'_>,
        mask: Option<PyReadonlyArray1<'_, bool>>,
        f: impl FnOnce(&mut sinew_batch::Batch, Option<&[bool]>) -> Result<(), BatchError> + Send,
    ) -> PyResult<()> {
        if let Some(name) = any_set() {
            return Err(PyRuntimeError::new_err(format!(
                "{name} is set: worlds of a batch are stepped without Python, use rollout or a \
                 single MjData"
            )));
        }
        let mask = mask.map(|mask| mask.as_array().to_vec());
        let result = py.detach(|| {
            let mut batch = self.cell.step_detached()?;
            Ok(quiet(|| f(&mut batch, mask.as_deref()))?)
        });
        result.map_err(exception)?.map_err(raise)
    }
}

#[pymethods]
impl Batch {
    /// Creates a world for each entry of `model_of`, the index of its model; `worlds` worlds of
    /// one model without it.
    #[new]
    fn new(
        py: Python<'_>,
        models: Vec<Py<Model>>,
        model_of: Option<Vec<usize>>,
        worlds: usize,
        threads: usize,
        chunk: usize,
        keep_data: bool,
    ) -> PyResult<Batch> {
        let mut copies = Vec::with_capacity(models.len());
        for model in &models {
            model.get().check(py)?;
            let m = model.get().cell.read(py)?;
            crate::data::require_resettable(&m)?;
            copies.push(Arc::new(m.clone()));
        }
        let options = BatchOptions { threads, chunk, keep_data };
        let make = || match (model_of, copies.first()) {
            (None, Some(model)) => sinew_batch::Batch::new(model.clone(), worlds, options),
            (model_of, _) => sinew_batch::Batch::of(copies, model_of.unwrap_or_default(), options),
        };
        let batch = py.detach(|| quiet(make)).map_err(|panic| exception(panic.into()))?;
        Ok(Batch { cell: Shared::new(batch.map_err(raise)?) })
    }

    /// Number of worlds, number of threads, and bytes per world.
    fn _sizes(&self, py: Python<'_>) -> PyResult<(usize, usize, usize)> {
        let b = self.cell.read(py)?;
        Ok((b.worlds(), b.threads(), b.bytes_per_world()))
    }

    /// A view of the array of a state's field.
    fn _bind<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        if self.cell.read(py)?.array(name).is_none() {
            self.run(py, None, |b, _| b.bind(name).map(|_| ()))?;
        }
        batch_view(py, &self.cell, |b| b.bind(name).map_err(raise))
    }

    /// A view of the array of a parameter.
    fn _expand<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        batch_view(py, &self.cell, |b| b.expand(name).map_err(raise))
    }

    /// A view of the flags of worlds with a bad state in the last call.
    fn _diverged<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        batch_view(py, &self.cell, |b| Ok(b.diverged_mut()))
    }

    fn _step(
        &self,
        py: Python<'_>,
        nsteps: usize,
        mask: Option<PyReadonlyArray1<'_, bool>>,
        forces: bool,
    ) -> PyResult<()> {
        self.run(py, mask, |b, mask| match forces {
            true => b.step_with_forces(nsteps, mask),
            false => b.step(nsteps, mask),
        })
    }

    fn _forward(
        &self,
        py: Python<'_>,
        mask: Option<PyReadonlyArray1<'_, bool>>,
        forces: bool,
    ) -> PyResult<()> {
        self.run(py, mask, |b, mask| match forces {
            true => b.forward_with_forces(mask),
            false => b.forward(mask),
        })
    }

    fn _reset(
        &self,
        py: Python<'_>,
        mask: Option<PyReadonlyArray1<'_, bool>>,
        key: Option<usize>,
    ) -> PyResult<()> {
        self.run(py, mask, |b, mask| b.reset(mask, key))
    }

    fn _set_const(&self, py: Python<'_>) -> PyResult<()> {
        self.run(py, None, |b, _| b.set_const())
    }

    fn _set_model(&self, py: Python<'_>, model: &Bound<'_, Model>) -> PyResult<()> {
        model.get().check(py)?;
        let copy = model.get().cell.read(py)?.clone();
        self.run(py, None, move |b, _| b.set_model(&copy))
    }

    /// The state components `sig` of all worlds: an array of (worlds, size).
    fn _state<'py>(&self, py: Python<'py>, sig: i32) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let (worlds, size) = {
            let b = self.cell.read(py)?;
            (b.worlds(), b.state_size(sig).map_err(raise)?)
        };
        let mut state = vec![0.0; worlds * size];
        self.run(py, None, |b, _| b.state(sig, &mut state))?;
        rows_of(py, &state, [worlds, size])
    }

    fn _set_state(
        &self,
        py: Python<'_>,
        state: PyReadonlyArray2<'_, f64>,
        sig: i32,
        mask: Option<PyReadonlyArray1<'_, bool>>,
    ) -> PyResult<()> {
        let state: Vec<f64> = state.as_array().iter().copied().collect();
        self.run(py, mask, |b, mask| b.set_state(&state, sig, mask))
    }

    /// Copies the state of a world into `data`, which belongs to the same model.
    fn _copy_data(&self, py: Python<'_>, world: usize, data: &Bound<'_, Data>) -> PyResult<()> {
        let mut copy = None;
        self.run(py, None, |b, _| b.data(world).map(|d| copy = Some(d)))?;
        put(py, data, &copy.ok_or_else(|| PyIndexError::new_err(world))?)
    }

    /// A copy of the model of a world, with its own parameters.
    fn _world_model(&self, py: Python<'_>, world: usize) -> PyResult<Model> {
        let b = self.cell.read(py)?;
        if world >= b.worlds() {
            return Err(raise(BatchError::World { found: world, worlds: b.worlds() }));
        }
        Ok(Model::own(b.world_model(world)))
    }
}

/// The rows of all worlds as an array of numpy's own.
pub(crate) fn rows_of<'py>(
    py: Python<'py>,
    rows: &[f64],
    shape: [usize; 2],
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let array = PyArray2::zeros(py, shape, false);
    array.readwrite().as_slice_mut()?.copy_from_slice(rows);
    Ok(array)
}

/// Copies the state of a world into `data`, which was made for its model.
pub(crate) fn put(
    py: Python<'_>,
    data: &Bound<'_, Data>,
    state: &sinew_model::Data,
) -> PyResult<()> {
    let model = data.get().model.get().cell.read(py)?;
    if !fits(&model, state) {
        return Err(PyValueError::new_err("the data was made for another model"));
    }
    data.get().cell.write(py)?.copy_from(state);
    data.get().count_call();
    Ok(())
}

/// Adds the classes to the module.
pub(crate) fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_class::<Pool>()?;
    m.add_class::<Batch>()
}
