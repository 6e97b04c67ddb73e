//! Batches on a GPU as Python objects, and their arrays, which other libraries share without a
//! copy.
#![allow(unsafe_code)] // DLPack: a C structure in a capsule

use core::ffi::c_void;
use std::sync::Arc;

use numpy::{PyArray2, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::exceptions::{PyAttributeError, PyBufferError, PyIndexError, PyKeyError, PyRuntimeError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyTuple};
use sinew_batch::{
    Backend, BatchError, DeviceField, DeviceOptions, Limits, Precision, Shape, Stream,
};

use sinew_model::pod::Scalar;

use crate::batch::{put, raise, rows_of};
use crate::callback::any_set;
use crate::data::Data;
use crate::failure::{exception, quiet};
use crate::lock::Shared;
use crate::model::Model;

type Worlds = Arc<Shared<sinew_batch::DeviceBatch>>;

/// Base class of `sinew.DeviceBatch`: owns worlds in the memory of a GPU.
#[pyclass(frozen, subclass, weakref, module = "sinew._sinew")]
pub(crate) struct DeviceBatch {
    cell: Worlds,
    /// The number of the GPU; none if the processor runs the kernel.
    ordinal: Option<i32>,
}

impl DeviceBatch {
    /// Calls `f` on the batch, detached from the interpreter.
    fn run<R: Send>(
        &self,
        py: Python<'_>,
        f: impl FnOnce(&mut sinew_batch::DeviceBatch) -> Result<R, BatchError> + Send,
    ) -> PyResult<R> {
        if let Some(name) = any_set() {
            return Err(PyRuntimeError::new_err(format!(
                "{name} is set: worlds of a batch are stepped without Python"
            )));
        }
        let result = py.detach(|| {
            let mut batch = self.cell.step_detached()?;
            Ok(quiet(|| f(&mut batch))?)
        });
        result.map_err(exception)?.map_err(raise)
    }

    fn array(&self, field: DeviceField, kind: &'static str, worlds: usize) -> DeviceArray {
        let mut shape = vec![worlds];
        shape.extend(&field.shape);
        let item = if kind == "|b1" { 1 } else { field.precision.size() };
        let mut strides = vec![item; shape.len()];
        for k in (1..shape.len().saturating_sub(1)).rev() {
            strides[k] = strides[k + 1] * shape[k + 1];
        }
        strides[0] = field.stride;
        let (cell, ordinal) = (self.cell.clone(), self.ordinal);
        DeviceArray { cell, ordinal, field, shape, strides, kind }
    }
}

#[pymethods]
impl DeviceBatch {
    /// `worlds` worlds on a GPU; without its number, by the same kernel on the processor.
    #[new]
    fn new(
        py: Python<'_>,
        model: Py<Model>,
        worlds: usize,
        ordinal: Option<i32>,
        single: bool,
        threads: usize,
        launch: (u32, u32, u32),
    ) -> PyResult<DeviceBatch> {
        model.get().check(py)?;
        let copy = {
            let m = model.get().cell.read(py)?;
            crate::data::require_resettable(&m)?;
            Arc::new(m.clone())
        };
        let (warps, blocks, registers) = launch;
        let options = DeviceOptions {
            backend: ordinal.map_or(Backend::Kernel, Backend::Cuda),
            precision: if single { Precision::Single } else { Precision::Double },
            shape: match warps {
                0 => Shape::default(),
                _ => Shape { warps, blocks, limits: Limits { registers }, program: None },
            },
            threads,
        };
        let batch = py
            .detach(|| quiet(|| sinew_batch::DeviceBatch::new(copy, worlds, options)))
            .map_err(|panic| exception(panic.into()))?;
        Ok(DeviceBatch { cell: Shared::new(batch.map_err(raise)?), ordinal })
    }

    /// Worlds, bytes per world, and how many worlds are stepped at once.
    fn _sizes(&self, py: Python<'_>) -> PyResult<(usize, usize, usize)> {
        let b = self.cell.read(py)?;
        Ok((b.worlds(), b.bytes_per_world(), b.device().teams()))
    }

    /// The GPU's name, and registers and bytes of local memory of a thread.
    fn _kernel(&self, py: Python<'_>) -> PyResult<Option<(String, u32, u32)>> {
        let b = self.cell.read(py)?;
        let device = b.device().device().zip(b.device().kernel());
        Ok(device.map(|(d, k)| (d.name().to_owned(), k.registers(), k.local_bytes())))
    }

    /// Names of the fields that worlds have or can keep.
    fn _fields(&self, py: Python<'_>) -> PyResult<Vec<&'static str>> {
        Ok(self.cell.read(py)?.fields())
    }

    fn _bind(&self, py: Python<'_>, name: &str) -> PyResult<DeviceArray> {
        let (field, worlds) = self.run(py, |b| Ok((b.bind(name)?, b.worlds())))?;
        let kind = if field.precision == Precision::Double { "<f8" } else { "<f4" };
        Ok(self.array(field, kind, worlds))
    }

    /// The numbers of a sensor of all worlds: a part of `sensordata`.
    fn _sensor(&self, py: Python<'_>, first: usize, len: usize) -> PyResult<DeviceArray> {
        let all = self._bind(py, "sensordata")?;
        let count = all.shape.get(1).copied().unwrap_or(0);
        if first + len > count {
            return Err(PyIndexError::new_err(format!("{first} + {len} of {count} numbers")));
        }
        let address = all.field.address + first * all.item();
        let field = DeviceField { address, shape: vec![len], ..all.field.clone() };
        Ok(self.array(field, all.kind, all.shape[0]))
    }

    /// Makes a field of the model a parameter of every world; its values: (worlds, ...).
    fn _expand<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        self.run(py, |b| b.expand(name).map(|_| ()))?;
        self._parameter(py, name)
    }

    /// A copy of the values of a parameter.
    fn _parameter<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        let b = self.cell.read(py)?;
        let found = b.parameters().find(|(known, _)| *known == name);
        let (_, array) = found.ok_or_else(|| PyKeyError::new_err(name.to_owned()))?;
        let mut shape = vec![b.worlds()];
        shape.extend(array.shape());
        copied(py, array.bytes(), kind_of(array.scalar()), &PyTuple::new(py, shape)?)
    }

    /// Names of the parameters.
    fn _parameters(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        let b = self.cell.read(py)?;
        Ok(b.parameters().map(|(name, _)| name.to_owned()).collect())
    }

    fn _set_parameter(&self, py: Python<'_>, name: &str, bytes: &[u8]) -> PyResult<()> {
        self.run(py, |b| b.set_parameter(name, bytes))
    }

    fn _set_const(&self, py: Python<'_>) -> PyResult<()> {
        self.run(py, |b| b.set_const())
    }

    fn _world_model(&self, py: Python<'_>, world: usize) -> PyResult<Model> {
        Ok(Model::own(self.run(py, |b| Ok(b.world_model(world)))?))
    }

    fn _wait(&self, py: Python<'_>) -> PyResult<()> {
        self.run(py, |b| b.wait())
    }

    fn _forward(&self, py: Python<'_>, mask: Option<PyReadonlyArray1<'_, bool>>) -> PyResult<()> {
        let mask = taken(mask);
        self.run(py, |b| b.forward(mask.as_deref()))
    }

    fn _diverged(&self, py: Python<'_>) -> PyResult<DeviceArray> {
        let b = self.cell.read(py)?;
        let field = DeviceField {
            address: b.diverged_address(),
            stride: 1,
            precision: Precision::Double,
            shape: vec![],
            result: None,
        };
        Ok(self.array(field, "|b1", b.worlds()))
    }

    fn _set_stream(&self, py: Python<'_>, stream: usize) -> PyResult<()> {
        self.run(py, |b| b.set_stream(Stream(stream)))
    }

    fn _stream(&self, py: Python<'_>) -> PyResult<usize> {
        Ok(self.cell.read(py)?.stream().0)
    }

    fn _step(
        &self,
        py: Python<'_>,
        nsteps: usize,
        mask: Option<PyReadonlyArray1<'_, bool>>,
        wait: bool,
    ) -> PyResult<()> {
        let mask = taken(mask);
        self.run(py, |b| match wait {
            true => b.step(nsteps, mask.as_deref()),
            false => b.start(nsteps, mask.as_deref()),
        })
    }

    fn _reset(
        &self,
        py: Python<'_>,
        mask: Option<PyReadonlyArray1<'_, bool>>,
        key: Option<usize>,
    ) -> PyResult<()> {
        let mask = taken(mask);
        self.run(py, |b| b.reset(mask.as_deref(), key))
    }

    fn _set_model(&self, py: Python<'_>, model: &Bound<'_, Model>) -> PyResult<()> {
        model.get().check(py)?;
        let copy = model.get().cell.read(py)?.clone();
        self.run(py, move |b| b.set_model(&copy))
    }

    /// The state parts that `sig` names: (worlds, size).
    fn _state<'py>(&self, py: Python<'py>, sig: i32) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let (state, worlds, size) = self.run(py, |b| {
            let size = b.state_size(sig)?;
            let mut state = vec![0.0; b.worlds() * size];
            b.state(sig, &mut state)?;
            Ok((state, b.worlds(), size))
        })?;
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
        let mask = taken(mask);
        self.run(py, |b| b.set_state(&state, sig, mask.as_deref()))
    }

    /// Copies the state of a world into `data`, which was made for its model.
    fn _copy_data(&self, py: Python<'_>, world: usize, data: &Bound<'_, Data>) -> PyResult<()> {
        put(py, data, &self.run(py, |b| b.data(world))?)
    }
}

/// The kind of number, as numpy writes it.
fn kind_of(scalar: Scalar) -> &'static str {
    match scalar {
        Scalar::F64 => "<f8",
        Scalar::F32 => "<f4",
        Scalar::I32 => "<i4",
        Scalar::I64 => "<i8",
        Scalar::U64 => "<u8",
        Scalar::U8 | Scalar::Char => "|u1",
    }
}

/// A numpy array of its own with these bytes.
fn copied<'py>(
    py: Python<'py>,
    bytes: &[u8],
    kind: &str,
    shape: &Bound<'py, PyTuple>,
) -> PyResult<Bound<'py, PyAny>> {
    let flat = py.import("numpy")?.call_method1("frombuffer", (PyBytes::new(py, bytes), kind))?;
    flat.call_method1("reshape", (shape,))?.call_method0("copy")
}

/// A mask as a list that no Python object owns.
fn taken(mask: Option<PyReadonlyArray1<'_, bool>>) -> Option<Vec<bool>> {
    mask.map(|mask| mask.as_array().to_vec())
}

/// An array over the worlds of a batch in the memory of a GPU, with shape (n, ...). Other libraries
/// make their own arrays of it without a copy, by `__dlpack__` or `__cuda_array_interface__`.
///
/// The memory never moves, and stays valid when the batch is gone.
#[pyclass(frozen, weakref, module = "sinew")]
pub(crate) struct DeviceArray {
    cell: Worlds,
    ordinal: Option<i32>,
    field: DeviceField,
    shape: Vec<usize>,
    strides: Vec<usize>,
    kind: &'static str,
}

impl DeviceArray {
    /// The array interface of numpy and its relatives.
    fn interface<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let interface = PyDict::new(py);
        interface.set_item("shape", self.shape(py)?)?;
        interface.set_item("typestr", self.kind)?;
        interface.set_item("data", (self.field.address, false))?;
        interface.set_item("strides", PyTuple::new(py, &self.strides)?)?;
        interface.set_item("version", 3)?;
        Ok(interface)
    }

    fn item(&self) -> usize {
        if self.kind == "|b1" { 1 } else { self.field.precision.size() }
    }
}

#[pymethods]
impl DeviceArray {
    /// (n, ...).
    #[getter]
    fn shape<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, &self.shape)
    }

    /// Bytes from one item to the next.
    #[getter]
    fn strides<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, &self.strides)
    }

    /// The kind of number, as numpy writes it.
    #[getter]
    fn typestr(&self) -> &'static str {
        self.kind
    }

    fn __len__(&self) -> usize {
        self.shape[0]
    }

    fn __repr__(&self) -> String {
        let place = self.ordinal.map_or("kernel".to_owned(), |number| format!("cuda:{number}"));
        format!("<sinew.DeviceArray {:?} '{}' on {place}>", self.shape, self.kind)
    }

    #[getter]
    fn __cuda_array_interface__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        if self.ordinal.is_none() {
            return Err(PyAttributeError::new_err("the array is in the processor's memory"));
        }
        // the batch waits for its work
        self.cell.write(py)?.wait().map_err(raise)?;
        let interface = self.interface(py)?;
        interface.set_item("stream", py.None())?;
        Ok(interface)
    }

    #[getter]
    fn __array_interface__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        if self.ordinal.is_some() {
            return Err(PyAttributeError::new_err(
                "the array is in the memory of a GPU; numpy() copies it",
            ));
        }
        self.interface(py)
    }

    fn __dlpack_device__(&self) -> (i32, i32) {
        self.ordinal.map_or((dlpack::CPU, 0), |ordinal| (dlpack::CUDA, ordinal))
    }

    #[pyo3(signature = (*, stream=None, max_version=None, dl_device=None, copy=None))]
    fn __dlpack__<'py>(
        &self,
        py: Python<'py>,
        stream: Option<Bound<'py, PyAny>>,
        max_version: Option<Bound<'py, PyAny>>,
        dl_device: Option<(i32, i32)>,
        copy: Option<bool>,
    ) -> PyResult<Bound<'py, PyAny>> {
        // the batch waits for its work, so that any stream may read
        let _ = (stream, max_version);
        self.cell.write(py)?.wait().map_err(raise)?;
        if copy == Some(true) || dl_device.is_some_and(|d| d != self.__dlpack_device__()) {
            return Err(PyBufferError::new_err("the array is shared, not copied: numpy() copies"));
        }
        let item = self.item();
        let count = |list: &[usize], by: usize| list.iter().map(|&x| (x / by) as i64).collect();
        if self.strides.iter().any(|stride| stride % item != 0) {
            return Err(PyBufferError::new_err("rows do not begin at a multiple of an item"));
        }
        dlpack::capsule(
            py,
            self.cell.clone(),
            dlpack::Layout {
                address: self.field.address,
                device: self.__dlpack_device__(),
                kind: self.kind,
                shape: count(&self.shape, 1),
                strides: count(&self.strides, item),
            },
        )
    }

    /// A copy in the memory of the processor.
    fn numpy<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let bytes = {
            let mut b = self.cell.write(py)?;
            b.wait().map_err(raise)?;
            match self.kind {
                "|b1" => b.diverged().to_vec(),
                _ => b.read(&self.field).map_err(raise)?,
            }
        };
        copied(py, &bytes, self.kind, &self.shape(py)?)
    }

    fn _write(&self, py: Python<'_>, bytes: &[u8]) -> PyResult<()> {
        if self.kind == "|b1" {
            return Err(PyIndexError::new_err("the flags are only read"));
        }
        self.cell.write(py)?.write(&self.field, bytes).map_err(raise)
    }
}

/// The C structure that libraries pass arrays in, version 0.
mod dlpack {
    use super::*;

    pub(super) const CPU: i32 = 1;
    pub(super) const CUDA: i32 = 2;
    const FLOAT: u8 = 2;
    const BOOL: u8 = 6;
    const NAME: &core::ffi::CStr = c"dltensor";

    /// Where an array is; lengths are in items.
    pub(super) struct Layout {
        pub(super) address: usize,
        pub(super) device: (i32, i32),
        pub(super) kind: &'static str,
        pub(super) shape: Vec<i64>,
        pub(super) strides: Vec<i64>,
    }

    #[repr(C)]
    struct Managed {
        data: *mut c_void,
        device: (i32, i32),
        ndim: i32,
        code: u8,
        bits: u8,
        lanes: u16,
        shape: *mut i64,
        strides: *mut i64,
        byte_offset: u64,
        owner: *mut c_void,
        // SAFETY: the consumer of the structure calls the function once, with it.
        deleter: Option<unsafe extern "C" fn(*mut Managed)>,
    }

    /// A structure with its arrays.
    struct Owned {
        managed: Managed,
        layout: Layout,
        _batch: Worlds,
    }

    /// The capsule of an array, which keeps the batch.
    pub(super) fn capsule(
        py: Python<'_>,
        batch: Worlds,
        layout: Layout,
    ) -> PyResult<Bound<'_, PyAny>> {
        let (code, bits) = match layout.kind {
            "|b1" => (BOOL, 8),
            "<f4" => (FLOAT, 32),
            _ => (FLOAT, 64),
        };
        let managed = Managed {
            data: core::ptr::with_exposed_provenance_mut(layout.address),
            device: layout.device,
            ndim: layout.shape.len() as i32,
            code,
            bits,
            lanes: 1,
            shape: core::ptr::null_mut(),
            strides: core::ptr::null_mut(),
            byte_offset: 0,
            owner: core::ptr::null_mut(),
            deleter: Some(delete),
        };
        let owned = Box::into_raw(Box::new(Owned { managed, layout, _batch: batch }));
        // SAFETY: nobody else has the structure yet; its vectors do not move.
        let managed = unsafe {
            (*owned).managed.owner = owned.cast();
            (*owned).managed.shape = (*owned).layout.shape.as_mut_ptr();
            (*owned).managed.strides = (*owned).layout.strides.as_mut_ptr();
            &raw mut (*owned).managed
        };
        // SAFETY: the name is a constant, and the destructor is for such capsules.
        let capsule = unsafe { ffi::PyCapsule_New(managed.cast(), NAME.as_ptr(), Some(destroy)) };
        // SAFETY: a new reference, or none with an exception set.
        unsafe { Bound::from_owned_ptr_or_err(py, capsule) }
    }

    /// Frees a structure, for its consumer.
    // SAFETY: called once, with a structure of `capsule`.
    unsafe extern "C" fn delete(managed: *mut Managed) {
        // SAFETY: the owner is the box that `capsule` made, and each is freed once.
        drop(unsafe { Box::from_raw((*managed).owner.cast::<Owned>()) });
    }

    /// Frees the structure of a capsule that nobody took, which is then still called so.
    // SAFETY: called by Python, with a capsule of `capsule`.
    unsafe extern "C" fn destroy(capsule: *mut ffi::PyObject) {
        // SAFETY: Python calls it with a capsule of `capsule`.
        unsafe {
            if ffi::PyCapsule_IsValid(capsule, NAME.as_ptr()) == 1 {
                delete(ffi::PyCapsule_GetPointer(capsule, NAME.as_ptr()).cast());
            }
        }
    }
}

/// Adds the classes to the module.
pub(crate) fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_class::<DeviceBatch>()?;
    m.add_class::<DeviceArray>()
}
