//! The model as a Python object.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use pyo3::exceptions::{PyKeyError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyBytes;
use sinew_mjcf::spec::Spec;
use sinew_mjcf::{Assets, LoadOptions};
use sinew_model::enums::{Integrator, ObjType, SolverType};
use sinew_model::record::record_bytes_mut;

use crate::failure::{caught, refuse};
use crate::lock::Shared;
use crate::memory::{Block, Keeper, Slot, is_shared, model_keeper, model_view};
use crate::records::BlockHandle;

/// Base class of `MjModel`: owns the model and returns views of it.
#[pyclass(frozen, subclass, weakref, module = "sinew._sinew")]
pub(crate) struct Model {
    pub(crate) cell: Arc<Shared<sinew_model::Model>>,
    views: Arc<Views>,
    /// Warnings of loading.
    #[pyo3(get)]
    load_warnings: Vec<String>,
    /// Source of the model; `None` if it was not compiled.
    pub(crate) origin: Option<Arc<Origin>>,
}

/// Source of a compiled model.
pub(crate) struct Origin {
    pub(crate) spec: Spec,
    pub(crate) assets: Assets,
    pub(crate) options: LoadOptions,
    /// Whether it was read from XML instead of compiled from an editable model.
    pub(crate) read: bool,
}

/// Views of a model, shared by all Python objects of it.
struct Views {
    /// Owner of the memory of all views.
    keeper: PyOnceLock<Py<Keeper>>,
    /// Existing views, by field index.
    made: Vec<PyOnceLock<Py<PyAny>>>,
    /// Arrays that Python may have written.
    watch: Watch,
}

impl Model {
    /// A model that was not compiled.
    pub(crate) fn own(model: sinew_model::Model) -> Self {
        Model::share(Shared::new(model), Vec::new(), None)
    }

    /// A compiled model.
    pub(crate) fn compiled(
        model: sinew_model::Model,
        warnings: Vec<String>,
        origin: Origin,
    ) -> Self {
        Model::share(Shared::new(model), warnings, Some(Arc::new(origin)))
    }

    fn share(
        cell: Arc<Shared<sinew_model::Model>>,
        load_warnings: Vec<String>,
        origin: Option<Arc<Origin>>,
    ) -> Self {
        let made = sinew_model::Model::FIELDS.iter().map(|_| PyOnceLock::new()).collect();
        let views = Arc::new(Views { keeper: PyOnceLock::new(), made, watch: Watch::new() });
        Model { cell, views, load_warnings, origin }
    }

    /// The array field with this index: text as bytes, other fields as views.
    pub(crate) fn array<'py>(&self, py: Python<'py>, index: usize) -> PyResult<Bound<'py, PyAny>> {
        let made = self.views.made[index].get_or_try_init(py, || {
            let info = &sinew_model::Model::FIELDS[index];
            if is_text(info.name) {
                let m = self.cell.read(py)?;
                let bytes = m.field(info.name).map_or(&[][..], |f| f.bytes);
                return Ok(PyBytes::new(py, bytes).into_any().unbind());
            }
            let keeper = self.views.keeper.get_or_try_init(py, || model_keeper(py, &self.cell))?;
            let view = model_view(py, &self.cell, keeper, |m| {
                let (shape, bytes) = sinew_model::Model::ACCESS[index](m);
                Some(Slot::table(bytes, info.scalar, shape))
            })?;
            view.map(Bound::unbind).ok_or_else(|| PyKeyError::new_err(info.name))
        })?;
        self.views.watch.mark(&self.cell, index);
        Ok(made.bind(py).clone())
    }
}

/// Integer arrays that Python may have written since their last validation.
///
/// An array is watched from the first access until its view has no other references. The next call
/// into the engine compares it with a copy, which costs as much as reading it. The model is
/// validated only if an array has changed.
pub(crate) struct Watch {
    /// Whether any array is watched.
    any: AtomicBool,
    marks: Vec<AtomicBool>,
    watched: Mutex<Vec<usize>>,
    /// Contents of the arrays at their last validation.
    copies: Vec<OnceLock<Mutex<Vec<u8>>>>,
}

impl Watch {
    fn new() -> Self {
        let n = sinew_model::Model::FIELDS.len();
        Watch {
            any: AtomicBool::new(false),
            marks: (0..n).map(|_| AtomicBool::new(false)).collect(),
            watched: Mutex::default(),
            copies: (0..n).map(|_| OnceLock::new()).collect(),
        }
    }

    /// Starts to watch an array that Python accesses.
    fn mark(&self, cell: &Shared<sinew_model::Model>, index: usize) {
        let info = &sinew_model::Model::FIELDS[index];
        if !info.refers() || self.marks[index].swap(true, Ordering::Relaxed) {
            return;
        }
        self.copies[index].get_or_init(|| Mutex::new(cell.peek_ref(|m| bytes(m, index))));
        self.watched.lock().unwrap_or_else(PoisonError::into_inner).push(index);
        self.any.store(true, Ordering::Relaxed);
    }

    /// Whether an array has changed.
    fn changed(&self, m: &sinew_model::Model, index: usize) -> bool {
        let copy =
            self.copies[index].get().map(|c| c.lock().unwrap_or_else(PoisonError::into_inner));
        let now = m.field(sinew_model::Model::FIELDS[index].name).map(|f| f.bytes);
        copy.as_deref().map(Vec::as_slice) != now
    }

    /// Stores copies of the validated arrays.
    fn accept(&self, m: &sinew_model::Model, watched: &[usize]) {
        for &index in watched {
            if let Some(copy) = self.copies[index].get() {
                *copy.lock().unwrap_or_else(PoisonError::into_inner) = bytes(m, index);
            }
        }
    }
}

/// The bytes of an array.
fn bytes(m: &sinew_model::Model, index: usize) -> Vec<u8> {
    m.field(sinew_model::Model::FIELDS[index].name).map_or_else(Vec::new, |f| f.bytes.to_vec())
}

impl Model {
    /// Validates values that Python may have written: solver types, and changed integer arrays.
    pub(crate) fn check(&self, py: Python<'_>) -> PyResult<()> {
        let (solver, integrator) = self.cell.peek_ref(|m| (m.opt.solver, m.opt.integrator));
        if !(SolverType::Pgs.0..=SolverType::Newton.0).contains(&solver.0) {
            return Err(refuse(format!("mj_fwdConstraint: unknown solver type {}", solver.0)));
        }
        if !(Integrator::Euler.0..=Integrator::Implicitfast.0).contains(&integrator.0) {
            return Err(refuse(format!("mj_step: invalid integrator {}", integrator.0)));
        }
        match self.views.watch.any.load(Ordering::Relaxed) {
            true => self.check_watched(py),
            false => Ok(()),
        }
    }

    fn check_watched(&self, py: Python<'_>) -> PyResult<()> {
        let watch = &self.views.watch;
        let mut watched = watch.watched.lock().unwrap_or_else(PoisonError::into_inner);
        self.cell.peek_ref(|m| {
            if watched.iter().any(|&index| watch.changed(m, index)) {
                if let Err(bad) = caught(|| m.validate())? {
                    return Err(PyValueError::new_err(bad.to_string()));
                }
                watch.accept(m, &watched);
            }
            Ok::<_, PyErr>(())
        })?;
        // an array whose view has no other references cannot change until its next access
        watched.retain(|&index| {
            let shared = self.views.made[index].get(py).is_some_and(|view| is_shared(py, view));
            watch.marks[index].store(shared, Ordering::Relaxed);
            shared
        });
        watch.any.store(!watched.is_empty(), Ordering::Relaxed);
        Ok(())
    }
}

/// Whether a field is text, which is `bytes` in Python.
pub(crate) fn is_text(name: &str) -> bool {
    matches!(name, "names" | "paths" | "text_data")
}

#[pymethods]
impl Model {
    /// Creates another object for the same model.
    #[new]
    fn new(model: &Bound<'_, Model>) -> Self {
        let Model { cell, views, load_warnings, origin } = model.get();
        let (cell, views) = (cell.clone(), views.clone());
        Model { cell, views, load_warnings: load_warnings.clone(), origin: origin.clone() }
    }

    /// The memory of a part of the model (`opt`, `stat`, `vis.map`, ...).
    fn _record(&self, py: Python<'_>, part: &str) -> PyResult<BlockHandle> {
        let block = Block::model(py, &self.cell, |m| {
            Some(match part {
                "opt" => record_bytes_mut(&mut m.opt),
                "stat" => record_bytes_mut(&mut m.stat),
                "vis.global" => record_bytes_mut(&mut m.vis.global),
                "vis.quality" => record_bytes_mut(&mut m.vis.quality),
                "vis.headlight" => record_bytes_mut(&mut m.vis.headlight),
                "vis.map" => record_bytes_mut(&mut m.vis.map),
                "vis.scale" => record_bytes_mut(&mut m.vis.scale),
                "vis.rgba" => record_bytes_mut(&mut m.vis.rgba),
                _ => return None,
            })
        })?;
        block.map(BlockHandle).ok_or_else(|| PyKeyError::new_err(part.to_owned()))
    }

    /// The names of all objects of a type, in order of their ids.
    fn _names(&self, py: Python<'_>, kind: i32) -> PyResult<Vec<String>> {
        let m = self.cell.read(py)?;
        let name = |i| m.id2name(ObjType(kind), i).map(str::to_owned);
        Ok((0..).map_while(name).collect())
    }

    /// A copy of the model.
    fn _copy(&self, py: Python<'_>) -> PyResult<Model> {
        let cell = Shared::new(self.cell.read(py)?.clone());
        Ok(Model::share(cell, self.load_warnings.clone(), self.origin.clone()))
    }

    /// The model as the bytes of an MJB file.
    fn _binary<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = self.cell.read(py)?.to_binary();
        Ok(PyBytes::new(py, &bytes))
    }

    /// The address of the model.
    #[getter]
    fn _address(&self) -> usize {
        Arc::as_ptr(&self.cell).addr()
    }
}
