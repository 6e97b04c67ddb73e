//! Small structs (options, statistics, contacts, ...) as Python objects over their memory.
//!
//! Python defines the public classes from the tables of fields; this module has their base classes
//! and the descriptors of their attributes.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use numpy::PyArray1;
use pyo3::exceptions::{PyIndexError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBytes, PyDict, PyEllipsis, PySlice, PyString, PyTuple, PyType};
use pyo3::{IntoPyObjectExt, intern};
use sinew_model::pod::Scalar;
use sinew_model::record::{Record, record_bytes_mut};

use crate::lock::Shared;
use crate::memory::{Block, records_mut};

/// Capacity of `mjData` for rows of statistics: islands times iterations.
const SOLVER_ROWS: usize = 20 * 200;

/// A struct of numbers.
#[pyclass(frozen, subclass, weakref, module = "sinew._sinew")]
pub(crate) struct Struct {
    block: Block,
    /// Views of its arrays, by field index.
    arrays: OnceLock<Vec<PyOnceLock<Py<PyAny>>>>,
}

#[pymethods]
impl Struct {
    /// Creates a struct over a block of memory, or with own memory and the class's default values.
    /// A class with a constructor receives the other arguments.
    #[new]
    #[classmethod]
    #[pyo3(signature = (*args, **kwargs))]
    fn new(
        cls: &Bound<'_, PyType>,
        args: &Bound<'_, PyTuple>,
        kwargs: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let py = cls.py();

        // default bytes of the class
        let default = cls.getattr(intern!(py, "_default"))?;
        let default = default.cast::<PyBytes>()?.as_bytes();
        let given = args.get_item(0).ok();

        // given memory, or own memory
        let block = match given.map(|given| memory(&given)).transpose()?.flatten() {
            Some(block) => block,
            None => {
                let object = py.get_type::<PyAny>().getattr(intern!(py, "__init__"))?;
                let plain = cls.getattr(intern!(py, "__init__"))?.is(&object);
                if plain && (!args.is_empty() || kwargs.is_some_and(|k| !k.is_empty())) {
                    let text = "incompatible constructor arguments";
                    return Err(PyTypeError::new_err(format!("{}(): {text}", cls.name()?)));
                }
                Block::own(py, default)?
            }
        };
        if block.len() != default.len() {
            return Err(PyValueError::new_err("not the bytes of such a struct"));
        }
        Ok(Struct { block, arrays: OnceLock::new() })
    }

    /// The memory of the struct, as a view.
    #[getter]
    fn _mem<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.block.view(py, Scalar::U8, 0, &[self.block.len()], None)
    }

    /// The bytes of the struct.
    fn _bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.block.get())
    }

    /// Writes all bytes of the struct.
    fn _set_bytes(&self, bytes: &[u8]) -> PyResult<()> {
        if bytes.len() != self.block.len() {
            return Err(PyValueError::new_err("not the bytes of such a struct"));
        }
        self.block.set(0, bytes);
        Ok(())
    }
}

/// The values of a struct as a record of its kind.
pub(crate) fn record_of<R: Record>(object: &Bound<'_, PyAny>, mut record: R) -> PyResult<R> {
    let bytes = object.cast::<Struct>()?.get().block.get();
    let to = record_bytes_mut(&mut record);
    if to.len() != bytes.len() {
        return Err(PyTypeError::new_err("not a struct of this kind"));
    }
    to.copy_from_slice(&bytes);
    Ok(record)
}

/// The memory given for a struct.
fn memory(given: &Bound<'_, PyAny>) -> PyResult<Option<Block>> {
    let py = given.py();
    if let Ok(handle) = given.cast::<BlockHandle>() {
        return Ok(Some(handle.get().0.clone_ref(py)));
    }
    if let Ok(array) = given.cast::<PyArray1<u8>>() {
        return Block::array(py, array).map(Some);
    }
    given.cast::<PyBytes>().ok().map(|bytes| Block::own(py, bytes.as_bytes())).transpose()
}

/// A place in memory, from which a struct or a list of structs is made.
#[pyclass(frozen, module = "sinew._sinew")]
pub(crate) struct BlockHandle(pub(crate) Block);

/// An attribute of a struct: a number, or a view of several.
#[pyclass(frozen, module = "sinew._sinew")]
pub(crate) struct StructField {
    /// The attribute's name.
    #[pyo3(get)]
    name: String,
    /// Documentation of the attribute.
    #[pyo3(get)]
    doc: String,
    scalar: Scalar,
    width: usize,
    offset: usize,
    index: usize,
}

/// The scalar type with this numpy name.
fn scalar_of(name: &str) -> PyResult<Scalar> {
    Ok(match name {
        "float64" => Scalar::F64,
        "float32" => Scalar::F32,
        "int32" => Scalar::I32,
        "int64" => Scalar::I64,
        "uint64" => Scalar::U64,
        "uint8" => Scalar::U8,
        "int8" => Scalar::Char,
        _ => return Err(PyValueError::new_err(format!("no kind of number '{name}'"))),
    })
}

#[pymethods]
impl StructField {
    #[new]
    fn new(
        name: String,
        dtype: &str,
        width: usize,
        offset: usize,
        doc: String,
        index: usize,
    ) -> PyResult<Self> {
        Ok(StructField { name, doc, scalar: scalar_of(dtype)?, width, offset, index })
    }

    fn __get__<'py>(
        slf: Bound<'py, Self>,
        obj: Option<Bound<'py, PyAny>>,
        _class: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = slf.py();
        let Some(obj) = obj.filter(|o| !o.is_none()) else {
            return Ok(slf.into_any());
        };
        let owner = obj.cast::<Struct>()?.get();
        let field = slf.get();
        if field.width == 1 {
            return number(py, field.scalar, &owner.block.number(field.offset));
        }
        let arrays = owner.arrays.get_or_init(|| (0..FIELDS).map(|_| PyOnceLock::new()).collect());
        let array = arrays[field.index].get_or_try_init(py, || {
            let shape = [field.width];
            owner.block.view(py, field.scalar, field.offset, &shape, None).map(Bound::unbind)
        })?;
        Ok(array.bind(py).clone())
    }

    fn __set__(
        slf: &Bound<'_, Self>,
        obj: &Bound<'_, PyAny>,
        value: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        let py = obj.py();
        let field = slf.get();

        // an array
        if field.width > 1 {
            let view = StructField::__get__(slf.clone(), Some(obj.clone()), None)?;
            return view.set_item(PyEllipsis::get(py), value);
        }

        // a number
        let block = &obj.cast::<Struct>()?.get().block;
        if value.is_instance_of::<PyString>() {
            let text = format!("{}: incompatible function arguments: it is a number", field.name);
            return Err(PyTypeError::new_err(text));
        }
        field.write(block, value).map_err(|e| {
            PyErr::from_type(e.get_type(py), format!("{}: {}", field.name, e.value(py)))
        })
    }

    #[getter]
    fn __doc__(&self) -> &str {
        &self.doc
    }
}

impl StructField {
    /// Writes a number to a record.
    fn write(&self, block: &Block, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let offset = self.offset;
        match self.scalar {
            Scalar::F64 => block.set(offset, &value.extract::<f64>()?.to_ne_bytes()),
            Scalar::F32 => block.set(offset, &(value.extract::<f64>()? as f32).to_ne_bytes()),
            Scalar::I32 => block.set(offset, &value.extract::<i32>()?.to_ne_bytes()),
            Scalar::I64 => block.set(offset, &value.extract::<i64>()?.to_ne_bytes()),
            Scalar::U64 => block.set(offset, &value.extract::<u64>()?.to_ne_bytes()),
            Scalar::U8 | Scalar::Char => block.set(offset, &[value.extract::<u8>()?]),
        }
        Ok(())
    }
}

/// Maximum number of fields of a struct.
const FIELDS: usize = 40;

/// A number from the first of eight bytes.
fn number<'py>(py: Python<'py>, scalar: Scalar, bytes: &[u8; 8]) -> PyResult<Bound<'py, PyAny>> {
    let four = [bytes[0], bytes[1], bytes[2], bytes[3]];
    match scalar {
        Scalar::F64 => f64::from_ne_bytes(*bytes).into_bound_py_any(py),
        Scalar::F32 => f64::from(f32::from_ne_bytes(four)).into_bound_py_any(py),
        Scalar::I32 => i32::from_ne_bytes(four).into_bound_py_any(py),
        Scalar::I64 => i64::from_ne_bytes(*bytes).into_bound_py_any(py),
        Scalar::U64 => u64::from_ne_bytes(*bytes).into_bound_py_any(py),
        Scalar::U8 | Scalar::Char => bytes[0].into_bound_py_any(py),
    }
}

/// Consecutive structs: an index selects one, an attribute all of them.
#[pyclass(frozen, subclass, weakref, module = "sinew._sinew")]
pub(crate) struct StructList {
    source: Source,
    /// The class of the structs, and the size of one in bytes.
    item: Py<PyType>,
    size: usize,
    /// Existing struct objects, by index.
    made: Mutex<Made>,
}

enum Source {
    Fixed(Block),
    Contacts(Arc<Shared<sinew_model::Data>>),
    SolverStats(Arc<Shared<sinew_model::Data>>),
}

#[derive(Default)]
struct Made {
    block: Option<Block>,
    items: Vec<Option<Py<PyAny>>>,
}

/// A per-step list of structs, from which a [`StructList`] is made.
#[pyclass(frozen, module = "sinew._sinew")]
pub(crate) struct ListHandle {
    pub(crate) cell: Arc<Shared<sinew_model::Data>>,
    pub(crate) contacts: bool,
}

impl StructList {
    /// The present memory of the structs.
    fn block(&self, py: Python<'_>) -> PyResult<Block> {
        let (cell, contacts) = match &self.source {
            Source::Fixed(block) => return Ok(block.clone_ref(py)),
            Source::Contacts(cell) => (cell, true),
            Source::SolverStats(cell) => (cell, false),
        };

        // lists of the state may have moved since the last call
        let last = self.made().block.take();
        let block = Block::list(py, cell, last.as_ref(), |d| match contacts {
            true => {
                let n = d.ncon.min(d.contact.len());
                records_mut(&mut d.contact[..n])
            }
            false => {
                if d.solver.len() < SOLVER_ROWS {
                    d.solver.resize(SOLVER_ROWS, crate::memory::zeroed());
                }
                records_mut(&mut d.solver[..SOLVER_ROWS])
            }
        })?;

        // drop structs of the old memory, outside the lock
        let same = last.is_some_and(|last| last.starts_with(&block));
        let mut made = self.made();
        let old = if same { Vec::new() } else { core::mem::take(&mut made.items) };
        made.block = Some(block.clone_ref(py));
        drop(made);
        drop(old);
        Ok(block)
    }

    fn made(&self) -> std::sync::MutexGuard<'_, Made> {
        self.made.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[pymethods]
impl StructList {
    #[new]
    #[classmethod]
    fn new(cls: &Bound<'_, PyType>, source: &Bound<'_, PyAny>) -> PyResult<Self> {
        let py = cls.py();
        let item = cls.getattr(intern!(py, "_item"))?.cast_into::<PyType>()?;
        let default = item.getattr(intern!(py, "_default"))?;
        let size = default.cast::<PyBytes>()?.as_bytes().len();
        let source = match source.cast::<ListHandle>() {
            Ok(list) if list.get().contacts => Source::Contacts(list.get().cell.clone()),
            Ok(list) => Source::SolverStats(list.get().cell.clone()),
            Err(_) => Source::Fixed(source.cast::<BlockHandle>()?.get().0.clone_ref(py)),
        };
        Ok(StructList { source, item: item.unbind(), size, made: Mutex::default() })
    }

    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        Ok(self.block(py)?.len() / self.size)
    }

    fn __getitem__<'py>(
        slf: &Bound<'py, Self>,
        key: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (py, list) = (slf.py(), slf.get());
        let block = list.block(py)?;
        let n = block.len() / list.size;

        // a slice: a view if contiguous, else a copy
        if let Ok(slice) = key.cast::<PySlice>() {
            let range = slice.indices(n as isize)?;
            let starts = (0..range.slicelength as isize).map(|i| range.start + i * range.step);
            let part = match range.step {
                1 => {
                    block.part(py, range.start as usize * list.size, range.slicelength * list.size)
                }
                _ => {
                    let all = block.get();
                    let rows = starts.flat_map(|i| &all[i as usize * list.size..][..list.size]);
                    Block::own(py, &rows.copied().collect::<Vec<u8>>())?
                }
            };
            return slf.get_type().call1((BlockHandle(part),));
        }

        // an index: the same object every time
        let index: i64 = key.extract()?;
        let Some(index) = usize::try_from(index).ok().filter(|&i| i < n) else {
            return Err(PyIndexError::new_err(format!("index {index} of {n}")));
        };
        if let Some(Some(item)) = list.made().items.get(index) {
            return Ok(item.bind(py).clone());
        }
        let row = block.part(py, index * list.size, list.size);
        let item = list.item.bind(py).call1((BlockHandle(row),))?;
        let mut made = list.made();
        if made.items.len() < n {
            made.items.resize_with(n, || None);
        }
        made.items[index] = Some(item.clone().unbind());
        Ok(item)
    }
}

/// An attribute of all structs of a list.
#[pyclass(frozen, module = "sinew._sinew")]
pub(crate) struct StructColumn {
    doc: String,
    scalar: Scalar,
    width: usize,
    offset: usize,
}

#[pymethods]
impl StructColumn {
    #[new]
    fn new(dtype: &str, width: usize, offset: usize, doc: String) -> PyResult<Self> {
        Ok(StructColumn { doc, scalar: scalar_of(dtype)?, width, offset })
    }

    fn __get__<'py>(
        slf: Bound<'py, Self>,
        obj: Option<Bound<'py, PyAny>>,
        _class: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = slf.py();
        let Some(obj) = obj.filter(|o| !o.is_none()) else {
            return Ok(slf.into_any());
        };
        let list = obj.cast::<StructList>()?.get();
        let column = slf.get();
        let block = list.block(py)?;
        let rows = block.len() / list.size;
        let shape = [rows, column.width];
        let shape = if column.width > 1 { &shape[..] } else { &shape[..1] };
        block.view(py, column.scalar, column.offset, shape, Some(list.size))
    }

    fn __set__(
        slf: &Bound<'_, Self>,
        obj: &Bound<'_, PyAny>,
        value: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        let view = StructColumn::__get__(slf.clone(), Some(obj.clone()), None)?;
        view.set_item(PyEllipsis::get(obj.py()), value)
    }

    #[getter]
    fn __doc__(&self) -> &str {
        &self.doc
    }
}

/// Adds the classes to the module.
pub(crate) fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_class::<Struct>()?;
    m.add_class::<StructField>()?;
    m.add_class::<StructList>()?;
    m.add_class::<StructColumn>()?;
    m.add_class::<BlockHandle>()
}
