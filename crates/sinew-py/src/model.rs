//! The model as a Python object.

use std::sync::Arc;

use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyBytes;
use sinew_mjcf::spec::Spec;
use sinew_model::enums::ObjType;
use sinew_model::pod::Scalar;
use sinew_model::record::record_bytes_mut;

use crate::memory::{Shared, Slot, model_view};

/// Base class of `MjModel`: owns the model and hands out views of it.
#[pyclass(frozen, subclass, weakref, module = "sinew._sinew")]
pub(crate) struct Model {
    pub(crate) cell: Arc<Shared<sinew_model::Model>>,
    /// Views made so far, by the index of their field.
    views: Vec<PyOnceLock<Py<PyAny>>>,
    /// Set once all views are made.
    viewed: PyOnceLock<()>,
    /// Diagnostics of loading that did not stop it.
    #[pyo3(get)]
    load_warnings: Vec<String>,
    /// What the model was compiled from; none if it was loaded as it is.
    pub(crate) spec: Option<Arc<Spec>>,
}

impl Model {
    /// A model that was loaded as it is.
    pub(crate) fn own(model: sinew_model::Model) -> Self {
        Model::share(Shared::new(model), Vec::new(), None)
    }

    /// A model that was compiled.
    pub(crate) fn compiled(model: sinew_model::Model, warnings: Vec<String>, spec: Spec) -> Self {
        Model::share(Shared::new(model), warnings, Some(Arc::new(spec)))
    }

    fn share(
        cell: Arc<Shared<sinew_model::Model>>,
        load_warnings: Vec<String>,
        spec: Option<Arc<Spec>>,
    ) -> Self {
        let views = sinew_model::Model::FIELDS.iter().map(|_| PyOnceLock::new()).collect();
        Model { cell, views, viewed: PyOnceLock::new(), load_warnings, spec }
    }

    /// Makes all views: a callback, which has the model to read only, can make none.
    pub(crate) fn make_views(&self, py: Python<'_>) -> PyResult<()> {
        if self.viewed.get(py).is_none() {
            (0..self.views.len()).try_for_each(|index| self.array(py, index).map(drop))?;
            self.viewed.get_or_init(py, || ());
        }
        Ok(())
    }

    /// The array field of this index: text as bytes, everything else as a view.
    pub(crate) fn array<'py>(&self, py: Python<'py>, index: usize) -> PyResult<Bound<'py, PyAny>> {
        let made = self.views[index].get_or_try_init(py, || {
            let info = &sinew_model::Model::FIELDS[index];
            if is_text(info.name) {
                let m = self.cell.read(py);
                let bytes = m.field(info.name).map_or(&[][..], |f| f.bytes);
                return Ok(PyBytes::new(py, bytes).into_any().unbind());
            }
            let view = model_view(py, &self.cell, |m| {
                m.field_mut(info.name).map(|f| Slot::table(f.bytes, f.info.scalar, f.shape))
            })?;
            view.map(Bound::unbind).ok_or_else(|| PyKeyError::new_err(info.name))
        })?;
        Ok(made.bind(py).clone())
    }
}

/// Whether a field is text, which Python sees as bytes.
pub(crate) fn is_text(name: &str) -> bool {
    matches!(name, "names" | "paths" | "text_data")
}

#[pymethods]
impl Model {
    /// Another object for the same model.
    #[new]
    fn new(model: &Bound<'_, Model>) -> Self {
        let model = model.get();
        Model::share(model.cell.clone(), model.load_warnings.clone(), model.spec.clone())
    }

    /// The bytes of a part of the model (`opt`, `stat`, `vis.map`, ...), as a writable view.
    fn _record<'py>(&self, py: Python<'py>, part: &str) -> PyResult<Bound<'py, PyAny>> {
        let view = model_view(py, &self.cell, |m| {
            let bytes = match part {
                "opt" => record_bytes_mut(&mut m.opt),
                "stat" => record_bytes_mut(&mut m.stat),
                "vis.global" => record_bytes_mut(&mut m.vis.global),
                "vis.quality" => record_bytes_mut(&mut m.vis.quality),
                "vis.headlight" => record_bytes_mut(&mut m.vis.headlight),
                "vis.map" => record_bytes_mut(&mut m.vis.map),
                "vis.scale" => record_bytes_mut(&mut m.vis.scale),
                "vis.rgba" => record_bytes_mut(&mut m.vis.rgba),
                _ => return None,
            };
            Some(Slot::flat(bytes, Scalar::U8))
        })?;
        view.ok_or_else(|| PyKeyError::new_err(part.to_owned()))
    }

    /// The names of all objects of a kind, in order of their ids.
    fn _names(&self, py: Python<'_>, kind: i32) -> Vec<String> {
        let m = self.cell.read(py);
        let name = |i| m.id2name(ObjType(kind), i).map(str::to_owned);
        (0..).map_while(name).collect()
    }

    /// A model of its own with the same contents.
    fn _copy(&self, py: Python<'_>) -> Model {
        let cell = Shared::new(self.cell.read(py).clone());
        Model::share(cell, self.load_warnings.clone(), self.spec.clone())
    }

    /// The model as the bytes of an MJB file.
    fn _binary<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.cell.read(py).to_binary())
    }

    /// Where the model is in memory.
    #[getter]
    fn _address(&self) -> usize {
        Arc::as_ptr(&self.cell).addr()
    }
}
