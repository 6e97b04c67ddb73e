//! Plugins in Python: classes that the engine finds by name and calls.
//!
//! An instance is called with the `MjModel` and the `MjData` of the computation. Calls into the
//! engine register these objects ([`enter`]). Where the engine uses a state of its own, as in the
//! compiler, the plugin gets a copy.

use std::cell::RefCell;
use std::panic::resume_unwind;
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use numpy::{PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use sinew_engine::plugin::first_party;
use sinew_math::Vec3;
use sinew_model::enums::{PluginCapabilityBit, Stage};
use sinew_model::plugin::{DistanceField, Instance, Plugin, Registry};
use sinew_model::{PluginId, SensorId};

use crate::data::Data;
use crate::failure::user_code;
use crate::model::Model;

/// The plugins of this process: MuJoCo's, then the user's.
static REGISTRY: LazyLock<Mutex<Registry>> = LazyLock::new(|| Mutex::new(first_party()));

/// Whether the user has registered a plugin.
static ANY: AtomicBool = AtomicBool::new(false);

/// The current registry of plugins.
pub(crate) fn registry() -> Registry {
    REGISTRY.lock().unwrap_or_else(PoisonError::into_inner).clone()
}

/// Registers a class and returns its slot; a class of the same name is replaced.
#[pyfunction]
fn register_plugin(
    class: Py<PyAny>,
    name: String,
    attributes: Vec<String>,
    capabilities: i32,
    needstage: i32,
) -> PyResult<usize> {
    let built_in = first_party();
    if built_in.find(&name).is_some() {
        let words = format!("plugin '{name}' is one of MuJoCo's, which are built in");
        return Err(PyValueError::new_err(words));
    }
    let class = Class { class, name, attributes, capabilities, needstage: Stage(needstage) };
    let mut registry = REGISTRY.lock().unwrap_or_else(PoisonError::into_inner);
    let slot = registry.replace(Arc::new(class));
    ANY.store(true, Ordering::Relaxed);
    slot.map_err(|e| PyValueError::new_err(e.to_string()))
}

/// The names of all plugins, in the order of their slots.
#[pyfunction]
fn plugin_names() -> Vec<String> {
    registry().names().map(str::to_owned).collect()
}

/// A plugin class.
struct Class {
    class: Py<PyAny>,
    name: String,
    attributes: Vec<String>,
    capabilities: i32,
    needstage: Stage,
}

impl Class {
    /// The given attributes, by key.
    fn config<'py, 'v>(
        &self,
        py: Python<'py>,
        values: impl Iterator<Item = &'v str>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let config = PyDict::new(py);
        for (key, value) in self.attributes.iter().zip(values).filter(|(_, v)| !v.is_empty()) {
            config.set_item(key, value)?;
        }
        Ok(config)
    }

    /// A number that the class returns for some attributes, or zero without the method.
    fn count(&self, what: &str, m: &sinew_model::Model, id: PluginId) -> Result<usize, String> {
        let count = Python::attach(|py| -> PyResult<usize> {
            let Some(count) = self.class.bind(py).getattr_opt(what)? else { return Ok(0) };
            if !count.is_callable() {
                return count.extract();
            }
            count.call1((self.config(py, m.plugin_values(id))?,))?.extract()
        });
        count.map_err(|e| format!("{what} of plugin '{}': {e}", self.name))
    }

    fn make<'v>(
        &self,
        values: impl Iterator<Item = &'v str>,
        instance: i32,
    ) -> Result<Py<PyAny>, String> {
        let made = Python::attach(|py| -> PyResult<Py<PyAny>> {
            let config = self.config(py, values)?;
            Ok(self.class.bind(py).call1((config, instance))?.unbind())
        });
        made.map_err(|e| e.to_string())
    }
}

impl Plugin for Class {
    fn name(&self) -> &str {
        &self.name
    }

    fn attributes(&self) -> Vec<&str> {
        self.attributes.iter().map(String::as_str).collect()
    }

    fn capabilities(&self) -> i32 {
        self.capabilities
    }

    fn needstage(&self) -> Stage {
        self.needstage
    }

    fn nstate(&self, m: &sinew_model::Model, id: PluginId) -> Result<usize, String> {
        self.count("nstate", m, id)
    }

    fn nsensordata(
        &self,
        m: &sinew_model::Model,
        id: PluginId,
        _sensor: SensorId,
    ) -> Result<usize, String> {
        self.count("nsensordata", m, id)
    }

    fn init(&self, m: &sinew_model::Model, id: PluginId) -> Result<Arc<dyn Instance>, String> {
        let object = self.make(m.plugin_values(id), id.idx() as i32)?;
        let field = match self.capabilities & PluginCapabilityBit::Sdf.0 != 0 {
            true => Some(PyField::new(&object)?),
            false => None,
        };
        Ok(Arc::new(Object::new(object, field)))
    }

    fn distance_field(&self, values: &[&str]) -> Option<Result<Box<dyn DistanceField>, String>> {
        if self.capabilities & PluginCapabilityBit::Sdf.0 == 0 {
            return None;
        }
        let field = self.make(values.iter().copied(), -1).and_then(|object| PyField::new(&object));
        Some(field.map(|field| Box::new(field) as Box<dyn DistanceField>))
    }
}

/// An instance: an object of the class, and the methods it has.
struct Object {
    object: Py<PyAny>,
    resets: bool,
    rates: bool,
    computes: bool,
    advances: bool,
    field: Option<PyField>,
}

impl Object {
    fn new(object: Py<PyAny>, field: Option<PyField>) -> Object {
        let has = |name: &str| Python::attach(|py| object.bind(py).hasattr(name).unwrap_or(false));
        let [resets, rates, computes, advances] =
            ["reset", "act_dot", "compute", "advance"].map(has);
        Object { object, resets, rates, computes, advances, field }
    }

    /// Calls a method with the model, the state and optional arguments.
    fn call(
        &self,
        method: &str,
        m: &sinew_model::Model,
        d: &mut sinew_model::Data,
        number: Option<i32>,
    ) {
        let result = with_objects(m, d, |model, data| {
            let method = self.object.bind(model.py()).getattr(method)?;
            match number {
                Some(number) => method.call1((model, data, number)),
                None => method.call1((model, data)),
            }
            .map(drop)
        });
        or_unwind(result);
    }
}

/// An exception unwinds through the engine, as in callbacks.
fn or_unwind<R>(result: PyResult<R>) -> R {
    result.unwrap_or_else(|e| resume_unwind(Box::new(e)))
}

impl Instance for Object {
    fn duplicate(&self) -> Option<Arc<dyn Instance>> {
        let copy = Python::attach(|py| -> PyResult<Object> {
            let copy =
                py.import("copy")?.call_method1("deepcopy", (self.object.bind(py),))?.unbind();
            let field = self.field.as_ref().map(|field| field.of(copy.clone_ref(py)));
            Ok(Object::new(copy, field))
        });
        Some(Arc::new(or_unwind(copy)))
    }

    fn reset(&self, _m: &sinew_model::Model, _id: PluginId, state: &mut [f64]) {
        if !self.resets {
            return;
        }
        or_unwind(Python::attach(|py| {
            let numbers = PyArray1::from_slice(py, state);
            self.object.bind(py).call_method1("reset", (&numbers,))?;
            state.copy_from_slice(numbers.readonly().as_slice()?);
            Ok(())
        }));
    }

    fn act_dot(&self, m: &sinew_model::Model, d: &mut sinew_model::Data, _id: PluginId) {
        if self.rates {
            self.call("act_dot", m, d, None);
        }
    }

    fn compute(
        &self,
        m: &sinew_model::Model,
        d: &mut sinew_model::Data,
        _id: PluginId,
        capability: PluginCapabilityBit,
    ) {
        if self.computes {
            self.call("compute", m, d, Some(capability.0));
        }
    }

    fn advance(&self, m: &sinew_model::Model, d: &mut sinew_model::Data, _id: PluginId) {
        if self.advances {
            self.call("advance", m, d, None);
        }
    }

    fn distance_field(&self) -> Option<&dyn DistanceField> {
        self.field.as_ref().map(|field| field as &dyn DistanceField)
    }
}

/// An object with a distance function.
struct PyField {
    object: Py<PyAny>,
    aabb: [f64; 6],
}

impl PyField {
    fn new(object: &Py<PyAny>) -> Result<PyField, String> {
        Python::attach(|py| -> PyResult<PyField> {
            let aabb = object.bind(py).call_method0("aabb")?.extract()?;
            Ok(PyField { object: object.clone_ref(py), aabb })
        })
        .map_err(|e| format!("aabb: {e}"))
    }

    /// The same distance function with another object.
    fn of(&self, object: Py<PyAny>) -> PyField {
        PyField { object, aabb: self.aabb }
    }
}

impl DistanceField for PyField {
    fn distance(&self, point: Vec3) -> f64 {
        let mut dist = [0.0];
        self.distances(&[point], &mut dist);
        dist[0]
    }

    fn distances(&self, points: &[Vec3], out: &mut [f64]) {
        let name = || "the distance field of a plugin".to_owned();
        let mut distances = |py: Python<'_>| {
            let rows: Vec<Vec<f64>> = points.iter().map(|p| p.to_array().to_vec()).collect();
            let points = PyArray2::from_vec2(py, &rows)?;
            let got = self.object.bind(py).call_method1("distance", (points,))?;
            let numpy = py.import("numpy")?;
            let flat = numpy.call_method1("ravel", (got,))?;
            let flat = flat.call_method1("astype", ("float64",))?;
            let flat: PyReadonlyArray1<'_, f64> = flat.extract()?;
            let numbers = flat.as_slice()?;
            if numbers.len() != out.len() {
                let (found, wanted) = (numbers.len(), out.len());
                let words = format!("distance: {found} numbers for {wanted} points");
                return Err(PyValueError::new_err(words));
            }
            out.copy_from_slice(numbers);
            Ok(())
        };
        or_unwind(Python::attach(|py| user_code(name, || distances(py))));
    }

    fn gradient(&self, point: Vec3) -> Vec3 {
        const EPS: f64 = 1e-8;
        let at = |v: Vec3| point + v * EPS;
        let mut dist = [0.0; 4];
        self.distances(&[point, at(Vec3::X), at(Vec3::Y), at(Vec3::Z)], &mut dist);
        let slope = |k: usize| (dist[k] - dist[0]) / EPS;
        Vec3::new(slope(1), slope(2), slope(3))
    }

    fn aabb(&self) -> [f64; 6] {
        self.aabb
    }
}

/// The model and the state of a call into the engine.
type Objects = (Py<Model>, Py<Data>);

thread_local! {
    /// The nested calls of this thread.
    static CURRENT: RefCell<Vec<Rc<Objects>>> = const { RefCell::new(Vec::new()) };
}

/// Registers the objects of a computation until it is dropped.
pub(crate) struct Entered(());

/// Registers the objects of a call into the engine; `None` without Python plugins.
pub(crate) fn enter(m: &Py<Model>, d: &Py<Data>) -> Option<Entered> {
    if !ANY.load(Ordering::Relaxed) || m.get().cell.peek_ref(|m| m.nplugin == 0) {
        return None;
    }
    let objects = Python::attach(|py| Rc::new((m.clone_ref(py), d.clone_ref(py))));
    CURRENT.with_borrow_mut(|calls| calls.push(objects));
    Some(Entered(()))
}

impl Drop for Entered {
    fn drop(&mut self) {
        let last = CURRENT.with_borrow_mut(Vec::pop);
        Python::attach(|_| drop(last));
    }
}

/// Calls `f` with the Python objects of a model and a state.
fn with_objects<R>(
    m: &sinew_model::Model,
    d: &mut sinew_model::Data,
    f: impl FnOnce(&Bound<'_, PyAny>, &Bound<'_, PyAny>) -> PyResult<R>,
) -> PyResult<R> {
    let current = CURRENT.with_borrow(|calls| calls.last().cloned());
    let own = current.filter(|current| {
        current.1.get().cell.peek(|state| core::ptr::eq(state, core::ptr::from_mut(d)))
    });
    let Some(objects) = own else { return with_copies(m, d, f) };
    let data = objects.1.get();
    let result = data.cell.lend(d, || {
        Python::attach(|py| f(objects.0.bind(py).as_any(), objects.1.bind(py).as_any()))
    });
    data.count_call();
    result
}

/// Calls `f` with copies, and copies the state back.
fn with_copies<R>(
    m: &sinew_model::Model,
    d: &mut sinew_model::Data,
    f: impl FnOnce(&Bound<'_, PyAny>, &Bound<'_, PyAny>) -> PyResult<R>,
) -> PyResult<R> {
    Python::attach(|py| {
        let sinew = py.import("sinew")?;
        let handle = Bound::new(py, Model::own(m.clone()))?;
        let model = sinew.getattr("MjModel")?.call1((handle,))?;
        let data = sinew.getattr("MjData")?.call1((&model,))?;
        let wrong = |_| PyTypeError::new_err("MjData is not sinew's");
        let own = data.cast::<Data>().map_err(wrong)?.get();
        own.cell.write(py)?.copy_from(d);
        own.count_call();
        let result = f(&model, &data)?;
        d.copy_from(&*own.cell.read(py)?);
        Ok(result)
    })
}

/// Adds the functions to the module.
pub(crate) fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_function(wrap_pyfunction!(register_plugin, m)?)?;
    m.add_function(wrap_pyfunction!(plugin_names, m)?)
}
