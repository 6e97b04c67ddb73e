//! The state as a Python object.

use std::sync::Arc;

use pyo3::exceptions::{PyKeyError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyBytes;
use sinew_model::pod::{Pod, Scalar, bytes_of_mut};
use sinew_model::record::{Record, record_bytes};

use crate::memory::{Shared, Slot, copy, data_places, data_view, dims, records_mut};
use crate::model::Model;

/// Base class of `MjData`: owns the state and hands out views of it.
#[pyclass(frozen, subclass, weakref, module = "sinew._sinew")]
pub(crate) struct Data {
    pub(crate) cell: Arc<Shared<sinew_model::Data>>,
    /// Views made so far, by the index of their field.
    views: Vec<PyOnceLock<Py<PyAny>>>,
    /// Where the state arrays were when the object was made.
    places: Vec<usize>,
}

/// A number of a state that is not an array.
pub(crate) enum Number {
    /// A real number.
    Float(f64),
    /// A count or flag.
    Int(i64),
}

/// Declares the scalars of a state that Python sees.
macro_rules! scalars {
    ($($kind:ident { $($name:ident)* })*) => {
        /// The scalars of a state, and whether each is a real number.
        pub(crate) const SCALARS: &[(&str, bool)] =
            &[$($((stringify!($name), scalars!(@float $kind)),)*)*];

        pub(crate) fn scalar(d: &sinew_model::Data, name: &str) -> Option<Number> {
            Some(match name {
                $($(stringify!($name) => scalars!(@get $kind d.$name),)*)*
                _ => return None,
            })
        }

        /// Writes a scalar; false if there is none of this name and kind.
        pub(crate) fn set_scalar(d: &mut sinew_model::Data, name: &str, value: Number) -> bool {
            match (name, value) {
                $($((stringify!($name), scalars!(@number $kind x)) => d.$name = scalars!(@set $kind x),)*)*
                _ => return false,
            }
            true
        }
    };
    (@float real) => { true };
    (@float count) => { false };
    (@float flag) => { false };
    (@get real $x:expr) => { Number::Float($x) };
    (@get count $x:expr) => { Number::Int($x as i64) };
    (@get flag $x:expr) => { Number::Int($x.into()) };
    (@number real $x:ident) => { Number::Float($x) };
    (@number $other:ident $x:ident) => { Number::Int($x) };
    (@set real $x:ident) => { $x };
    (@set count $x:ident) => { $x.max(0) as usize };
    (@set flag $x:ident) => { $x != 0 };
}

scalars! {
    real { time }
    count {
        maxuse_con maxuse_efc ncon ne nf nl nefc nJ nA nisland nidof ntree_awake nbody_awake
        nparent_awake nv_awake
    }
    flag { flg_energypos flg_energyvel flg_subtreevel flg_rnepost }
}

/// The arrays that lie in the struct itself.
pub(crate) const INLINE: &[(&str, Scalar)] = &[
    ("energy", Scalar::F64),
    ("solver_niter", Scalar::I32),
    ("solver_nnz", Scalar::I32),
    ("solver_fwdinv", Scalar::F64),
];

pub(crate) fn inline<'a>(d: &'a mut sinew_model::Data, name: &str) -> Option<Slot<'a>> {
    fn slot<T: Pod>(numbers: &mut [T]) -> Slot<'_> {
        Slot::flat(bytes_of_mut(numbers), T::SCALAR)
    }
    Some(match name {
        "energy" => slot(&mut d.energy),
        "solver_niter" => slot(&mut d.solver_niter),
        "solver_nnz" => slot(&mut d.solver_nnz),
        "solver_fwdinv" => slot(&mut d.solver_fwdinv),
        _ => return None,
    })
}

impl Data {
    fn own(data: sinew_model::Data) -> Self {
        let places = data_places(&data);
        let n = sinew_model::Data::FIELDS.len() + INLINE.len();
        let views = (0..n).map(|_| PyOnceLock::new()).collect();
        Data { cell: Shared::new(data), views, places }
    }

    /// The array of this index: a view of state, a copy of a per-step list.
    pub(crate) fn array<'py>(&self, py: Python<'py>, index: usize) -> PyResult<Bound<'py, PyAny>> {
        let info = sinew_model::Data::FIELDS.get(index);
        if let Some(info) = info.filter(|i| !i.fixed) {
            let d = self.cell.read(py);
            let f = d.field(info.name).ok_or_else(|| PyKeyError::new_err(info.name))?;
            return copy(py, f.bytes, info.scalar, &dims(f.shape));
        }
        let made = self.views[index].get_or_try_init(py, || {
            let name =
                info.map_or_else(|| INLINE[index - sinew_model::Data::FIELDS.len()].0, |i| i.name);
            let view = data_view(py, &self.cell, |d| match info {
                Some(_) => d.field_mut(name).map(|f| Slot::table(f.bytes, f.info.scalar, f.shape)),
                None => inline(d, name),
            })?;
            view.map(Bound::unbind).ok_or_else(|| PyKeyError::new_err(name))
        })?;
        Ok(made.bind(py).clone())
    }

    /// Stops the process if a state array is no longer where views expect it: a panic freed it, or
    /// the engine replaced it, and numpy would go on to use memory that is not ours.
    pub(crate) fn check_places(&self, d: &sinew_model::Data) {
        if data_places(d) != self.places {
            eprintln!("sinew: arrays under numpy views have moved; stopping");
            std::process::abort();
        }
    }
}

/// The bytes of all rows, one record after the other.
fn rows<R: Record>(records: &[R]) -> Vec<u8> {
    records.iter().flat_map(|r| record_bytes(r).iter().copied()).collect()
}

#[pymethods]
impl Data {
    /// A state for `model` in its initial configuration, or a copy of `source`.
    #[new]
    #[pyo3(signature = (model, source=None))]
    fn new(model: &Bound<'_, Model>, source: Option<&Bound<'_, Data>>) -> PyResult<Self> {
        let py = model.py();
        let m = model.get().cell.read(py);
        match source {
            None => {
                crate::functions::require_resettable(&m)?;
                Ok(Data::own(sinew_model::Data::new(&m)))
            }
            Some(source) => {
                let d = source.get().cell.read(py);
                if !crate::call::fits(&m, &d) {
                    return Err(PyTypeError::new_err("the data was made for another model"));
                }
                Ok(Data::own(d.clone()))
            }
        }
    }

    /// Bytes of the contacts, one row each; of the solver statistics with `part="solver"`.
    fn _list<'py>(&self, py: Python<'py>, part: &str) -> PyResult<Bound<'py, PyBytes>> {
        let d = self.cell.read(py);
        match part {
            "contact" => Ok(PyBytes::new(py, &rows(&d.contact))),
            "solver" => Ok(PyBytes::new(py, &rows(&d.solver))),
            _ => Err(PyKeyError::new_err(part.to_owned())),
        }
    }

    /// Replaces a per-step list, or the contacts, by the rows in `bytes`; for tests that give a
    /// stage the inputs of another engine.
    fn _set_list(&self, py: Python<'_>, part: &str, bytes: &[u8]) -> PyResult<()> {
        let mut d = self.cell.write(py)?;
        crate::pickle::set_list(&mut d, part, bytes)
            .ok_or_else(|| PyValueError::new_err(format!("not the rows of a list '{part}'")))
    }

    /// Bytes of `warning` or `timer`, as a writable view.
    fn _record<'py>(&self, py: Python<'py>, part: &str) -> PyResult<Bound<'py, PyAny>> {
        let view = data_view(py, &self.cell, |d| {
            let bytes = match part {
                "warning" => records_mut(&mut d.warning),
                "timer" => records_mut(&mut d.timer),
                _ => return None,
            };
            Some(Slot::flat(bytes, Scalar::U8))
        })?;
        view.ok_or_else(|| PyKeyError::new_err(part.to_owned()))
    }

    /// Everything in the state as bytes, for pickling.
    fn _state<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let mut d = self.cell.write(py)?;
        Ok(PyBytes::new(py, &crate::pickle::dump(&mut d)))
    }

    /// Takes over the bytes that `_state` gave.
    fn _set_state(&self, py: Python<'_>, bytes: &[u8]) -> PyResult<()> {
        let mut d = self.cell.write(py)?;
        crate::pickle::load(&mut d, bytes)
            .ok_or_else(|| PyValueError::new_err("not the state of such a model"))
    }

    /// Where the state is in memory.
    #[getter]
    fn _address(&self) -> usize {
        Arc::as_ptr(&self.cell).addr()
    }
}
