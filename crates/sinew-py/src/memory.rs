//! Numpy views of the memory of models and states.
//!
//! A view is a raw pointer into a table. The pointer stays valid because
//! - its base object is a [`Keeper`], which holds the `Arc` of the memory the pointer is in;
//! - tables of a `Model` and state arrays of a `Data` are allocated once, when the object is made.
//!   No function bound here replaces them (`call` checks it in debug builds);
//! - the memory of a per-step list, which may grow and leave it, is pinned ([`Pin`]).
//!
//! Numpy reads and writes through a view while its thread is attached to the interpreter. Functions
//! that detach hold the lock of their `Data`, so two of them never use one state at a time. A
//! thread that writes to a view while another steps the same state races, as in MuJoCo.
#![allow(unsafe_code)]

use std::sync::Arc;

use numpy::ndarray::{ArrayView, IxDyn, ShapeBuilder};
use numpy::{Element, PyArray, PyArray1, PyArrayMethods};
use pyo3::prelude::*;
use sinew_batch::{Array, Batch};
use sinew_mjcf::document::Row;
use sinew_model::pod::Scalar;
use sinew_model::record::Record;
use sinew_model::table::Shape;
use sinew_model::{Data, Model};

use crate::lock::Shared;
use crate::pin::Pin;

/// Memory of some numbers of a model or state.
pub(crate) struct Slot<'a> {
    pub(crate) bytes: &'a mut [u8],
    pub(crate) scalar: Scalar,
    pub(crate) shape: Vec<usize>,
}

impl<'a> Slot<'a> {
    /// The numbers of a table.
    pub(crate) fn table(bytes: &'a mut [u8], scalar: Scalar, shape: Shape) -> Self {
        Slot { bytes, scalar, shape: dims(shape) }
    }

    /// One row of numbers inside a struct.
    pub(crate) fn flat(bytes: &'a mut [u8], scalar: Scalar) -> Self {
        let n = bytes.len() / scalar.size();
        Slot { bytes, scalar, shape: vec![n] }
    }
}

/// A table's shape as a numpy shape.
pub(crate) fn dims(shape: Shape) -> Vec<usize> {
    core::iter::once(shape.rows).chain(shape.cols).collect()
}

/// Base object of views, which keeps their memory alive.
#[pyclass(frozen, module = "sinew._sinew")]
pub(crate) struct Keeper {
    _memory: Memory,
    _pin: Option<Pin>,
}

enum Memory {
    Model { _kept: Arc<Shared<Model>> },
    Data { _kept: Arc<Shared<Data>> },
    Batch { _kept: Arc<Shared<Batch>> },
    Own { _kept: Box<[u64]> },
    Array { _kept: Py<PyAny> },
    Row { _kept: Row },
}

/// The keeper of a model's memory, shared by all its views.
pub(crate) fn model_keeper(py: Python<'_>, model: &Arc<Shared<Model>>) -> PyResult<Py<Keeper>> {
    Py::new(py, Keeper { _memory: Memory::Model { _kept: model.clone() }, _pin: None })
}

/// The keeper of a state's memory, shared by all views of arrays that do not move.
pub(crate) fn data_keeper(py: Python<'_>, data: &Arc<Shared<Data>>) -> PyResult<Py<Keeper>> {
    Py::new(py, Keeper { _memory: Memory::Data { _kept: data.clone() }, _pin: None })
}

/// A writable view of the model's memory selected by `pick`.
pub(crate) fn model_view<'py>(
    py: Python<'py>,
    model: &Arc<Shared<Model>>,
    keeper: &Py<Keeper>,
    pick: impl for<'a> FnOnce(&'a mut Model) -> Option<Slot<'a>>,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    // SAFETY: tables and records of a model do not move, so their addresses may be read while
    // others read the model; nothing is written here.
    let raw = model.peek(|m| pick(unsafe { &mut *m }).map(Raw::new));
    raw.map(|raw| raw.view_of(keeper.clone_ref(py).into_bound(py).into_any())).transpose()
}

/// A writable view of the state's memory selected by `pick`, which is not a per-step list.
pub(crate) fn data_view<'py>(
    py: Python<'py>,
    data: &Arc<Shared<Data>>,
    keeper: &Py<Keeper>,
    pick: impl for<'a> FnOnce(&'a mut Data) -> Option<Slot<'a>>,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    // SAFETY: as in `model_view`, for the arrays that a state has as long as it lives.
    let raw = data.peek(|d| pick(unsafe { &mut *d }).map(Raw::new));
    raw.map(|raw| raw.view_of(keeper.clone_ref(py).into_bound(py).into_any())).transpose()
}

/// A writable view of the numbers of an element of an `MjSpec`, which have their place for good.
pub(crate) fn row_view<'py>(py: Python<'py>, row: &Row) -> PyResult<Bound<'py, PyAny>> {
    let (ptr, scalar) = match row {
        Row::Reals(list) => (list.as_ptr().cast::<u8>(), Scalar::F64),
        Row::Singles(list) => (list.as_ptr().cast(), Scalar::F32),
        Row::Integers(list) => (list.as_ptr().cast(), Scalar::I32),
    };
    let raw = Raw { ptr: ptr.cast_mut(), scalar, shape: vec![row.count()], stride: None };
    raw.view(py, Keeper { _memory: Memory::Row { _kept: row.clone() }, _pin: None })
}

/// A writable view of an array over the worlds of a batch.
pub(crate) fn batch_view<'py>(
    py: Python<'py>,
    batch: &Arc<Shared<Batch>>,
    pick: impl for<'a> FnOnce(&'a mut Batch) -> PyResult<&'a mut Array>,
) -> PyResult<Bound<'py, PyAny>> {
    let raw = {
        let mut b = batch.write(py)?;
        let worlds = b.worlds();
        let array = pick(&mut b)?;
        let shape = core::iter::once(worlds).chain(array.shape().iter().copied()).collect();
        // an array over worlds never moves, and lives as long as its batch
        Raw::new(Slot { scalar: array.scalar(), shape, bytes: array.bytes_mut() })
    };
    if raw.shape.contains(&0) {
        return Ok(raw.empty(py));
    }
    let keeper = Keeper { _memory: Memory::Batch { _kept: batch.clone() }, _pin: None };
    raw.view(py, keeper)
}

/// A view of a per-step list, and the address of the list.
pub(crate) struct ListView {
    place: usize,
    shape: Vec<usize>,
    pub(crate) array: Py<PyAny>,
}

/// A writable view of the per-step list selected by `pick`; the view in `last` if the list has not
/// moved.
pub(crate) fn list_view<'py>(
    py: Python<'py>,
    data: &Arc<Shared<Data>>,
    last: Option<&ListView>,
    pick: impl for<'a> FnOnce(&'a mut Data) -> Option<Slot<'a>>,
) -> PyResult<Option<ListView>> {
    let (raw, pin) = {
        let mut d = data.write(py)?;
        let Some(slot) = pick(&mut d) else { return Ok(None) };
        let same = |last: &&ListView| last.place == slot.bytes.as_ptr().addr();
        if let Some(last) = last.filter(same).filter(|last| last.shape == slot.shape) {
            let (place, shape) = (last.place, last.shape.clone());
            return Ok(Some(ListView { place, shape, array: last.array.clone_ref(py) }));
        }
        // SAFETY: a list that is not empty is a vector's memory, and the lock keeps its owner from
        // freeing it.
        let pin = match slot.bytes.is_empty() {
            true => None,
            false => unsafe { Pin::new(slot.bytes.as_ptr()) },
        };
        (Raw::new(slot), pin)
    };
    let (place, shape) = (raw.ptr.addr(), raw.shape.clone());
    let array = match pin {
        // an empty list: an array of its own, as in MuJoCo
        None => raw.empty(py),
        Some(_) => {
            let keeper = Keeper { _memory: Memory::Data { _kept: data.clone() }, _pin: pin };
            raw.view(py, keeper)?
        }
    };
    let array = array.unbind();
    Ok(Some(ListView { place, shape, array }))
}

/// Bytes of one or several structs, kept alive by a [`Keeper`].
pub(crate) struct Block {
    ptr: *mut u8,
    len: usize,
    keeper: Py<Keeper>,
}

// SAFETY: only attached threads touch the memory, one at a time.
unsafe impl Send for Block {}
// SAFETY: as above.
unsafe impl Sync for Block {}

impl Block {
    /// The bytes of a part of a model.
    pub(crate) fn model(
        py: Python<'_>,
        model: &Arc<Shared<Model>>,
        pick: impl for<'a> FnOnce(&'a mut Model) -> Option<&'a mut [u8]>,
    ) -> PyResult<Option<Block>> {
        // SAFETY: as in `model_view`.
        let place = model.peek(|m| pick(unsafe { &mut *m }).map(|b| (b.as_mut_ptr(), b.len())));
        let keeper = Keeper { _memory: Memory::Model { _kept: model.clone() }, _pin: None };
        place.map(|(ptr, len)| Ok(Block { ptr, len, keeper: Py::new(py, keeper)? })).transpose()
    }

    /// The bytes of a part of a state that does not move.
    pub(crate) fn data(
        py: Python<'_>,
        data: &Arc<Shared<Data>>,
        pick: impl for<'a> FnOnce(&'a mut Data) -> Option<&'a mut [u8]>,
    ) -> PyResult<Option<Block>> {
        // SAFETY: as in `data_view`.
        let place = data.peek(|d| pick(unsafe { &mut *d }).map(|b| (b.as_mut_ptr(), b.len())));
        let keeper = Keeper { _memory: Memory::Data { _kept: data.clone() }, _pin: None };
        place.map(|(ptr, len)| Ok(Block { ptr, len, keeper: Py::new(py, keeper)? })).transpose()
    }

    /// The bytes of a per-step list; `last` again if the list has not moved.
    pub(crate) fn list(
        py: Python<'_>,
        data: &Arc<Shared<Data>>,
        last: Option<&Block>,
        pick: impl for<'a> FnOnce(&'a mut Data) -> &'a mut [u8],
    ) -> PyResult<Block> {
        let (ptr, len, pin) = {
            let mut d = data.write(py)?;
            let bytes = pick(&mut d);
            let (ptr, len) = (bytes.as_mut_ptr(), bytes.len());
            if let Some(last) = last.filter(|last| last.ptr == ptr && last.len > 0 && len > 0) {
                return Ok(Block { ptr, len, keeper: last.keeper.clone_ref(py) });
            }
            // SAFETY: as in `list_view`.
            (ptr, len, if len == 0 { None } else { unsafe { Pin::new(ptr) } })
        };
        let keeper = Keeper { _memory: Memory::Data { _kept: data.clone() }, _pin: pin };
        Ok(Block { ptr, len, keeper: Py::new(py, keeper)? })
    }

    /// The memory of an array.
    pub(crate) fn array(py: Python<'_>, array: &Bound<'_, PyArray1<u8>>) -> PyResult<Block> {
        let mut bytes = array.try_readwrite()?;
        let bytes = bytes.as_slice_mut()?;
        let (ptr, len) = (bytes.as_mut_ptr(), bytes.len());
        let kept = array.clone().into_any().unbind();
        let keeper = Keeper { _memory: Memory::Array { _kept: kept }, _pin: None };
        Ok(Block { ptr, len, keeper: Py::new(py, keeper)? })
    }

    /// A copy of the bytes.
    pub(crate) fn own(py: Python<'_>, bytes: &[u8]) -> PyResult<Block> {
        let mut words = vec![0u64; bytes.len().div_ceil(8)].into_boxed_slice();
        let ptr = words.as_mut_ptr().cast::<u8>();
        // SAFETY: the words hold at least this number of bytes.
        unsafe { ptr.copy_from_nonoverlapping(bytes.as_ptr(), bytes.len()) };
        let keeper = Keeper { _memory: Memory::Own { _kept: words }, _pin: None };
        Ok(Block { ptr, len: bytes.len(), keeper: Py::new(py, keeper)? })
    }

    pub(crate) fn clone_ref(&self, py: Python<'_>) -> Block {
        Block { ptr: self.ptr, len: self.len, keeper: self.keeper.clone_ref(py) }
    }

    /// `len` bytes from `start` on.
    pub(crate) fn part(&self, py: Python<'_>, start: usize, len: usize) -> Block {
        assert!(start + len <= self.len, "a part lies inside");
        Block { ptr: self.ptr.wrapping_add(start), len, keeper: self.keeper.clone_ref(py) }
    }

    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Whether the other block has the same address.
    pub(crate) fn starts_with(&self, other: &Block) -> bool {
        self.ptr == other.ptr
    }

    /// All bytes.
    pub(crate) fn get(&self) -> Vec<u8> {
        // SAFETY: the keeper keeps the bytes, which are initialised.
        unsafe { core::slice::from_raw_parts(self.ptr, self.len).to_vec() }
    }

    /// Eight bytes from `offset` on, or fewer at the end.
    pub(crate) fn number(&self, offset: usize) -> [u8; 8] {
        let mut out = [0; 8];
        let n = self.len.saturating_sub(offset).min(8);
        // SAFETY: `n` bytes exist and are initialised.
        unsafe { out.as_mut_ptr().copy_from_nonoverlapping(self.ptr.add(offset), n) };
        out
    }

    /// Writes bytes from `offset` on.
    pub(crate) fn set(&self, offset: usize, bytes: &[u8]) {
        assert!(offset + bytes.len() <= self.len, "a number lies inside its struct");
        // SAFETY: the bytes are within the block; the caller is attached, as are all users.
        unsafe { self.ptr.add(offset).copy_from_nonoverlapping(bytes.as_ptr(), bytes.len()) };
    }

    /// A view of numbers from `offset` on; rows are `stride` bytes apart.
    pub(crate) fn view<'py>(
        &self,
        py: Python<'py>,
        scalar: Scalar,
        offset: usize,
        shape: &[usize],
        stride: Option<usize>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let last = stride.map_or(0, |s| s * shape[0].saturating_sub(1));
        let row: usize = if stride.is_some() { &shape[1..] } else { shape }.iter().product();
        let inside = shape[0] == 0 || offset + last + row * scalar.size() <= self.len;
        assert!(inside, "a view lies inside its memory");
        let ptr = match shape[0] {
            0 => self.ptr,
            _ => self.ptr.wrapping_add(offset),
        };
        let raw = Raw { ptr, scalar, shape: shape.to_vec(), stride };
        raw.view_of(self.keeper.clone_ref(py).into_bound(py).into_any())
    }
}

/// A slot whose memory is kept alive by other means than a borrow.
struct Raw {
    ptr: *mut u8,
    scalar: Scalar,
    shape: Vec<usize>,
    /// Distance in bytes between rows, if other data lie between.
    stride: Option<usize>,
}

impl Raw {
    fn new(slot: Slot<'_>) -> Self {
        let (ptr, len) = (slot.bytes.as_mut_ptr(), slot.bytes.len());
        let n: usize = slot.shape.iter().product();
        assert!(n * slot.scalar.size() == len, "the shape covers the memory");
        Raw { ptr, scalar: slot.scalar, shape: slot.shape, stride: None }
    }

    /// An empty array of the same scalar type.
    fn empty<'py>(&self, py: Python<'py>) -> Bound<'py, PyAny> {
        fn zeros<'py, T: Element>(py: Python<'py>, shape: &[usize]) -> Bound<'py, PyAny> {
            PyArray::<T, IxDyn>::zeros(py, IxDyn(shape), false).into_any()
        }
        match self.scalar {
            Scalar::F64 => zeros::<f64>(py, &self.shape),
            Scalar::F32 => zeros::<f32>(py, &self.shape),
            Scalar::I32 => zeros::<i32>(py, &self.shape),
            Scalar::I64 => zeros::<i64>(py, &self.shape),
            Scalar::U64 => zeros::<u64>(py, &self.shape),
            Scalar::U8 => zeros::<u8>(py, &self.shape),
            Scalar::Char => zeros::<i8>(py, &self.shape),
        }
    }

    /// An array over the memory, whose base object is the keeper.
    fn view(self, py: Python<'_>, keeper: Keeper) -> PyResult<Bound<'_, PyAny>> {
        self.view_of(Bound::new(py, keeper)?.into_any())
    }

    fn view_of<'py>(&self, keeper: Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        Ok(match self.scalar {
            Scalar::F64 => self.typed::<f64>(keeper),
            Scalar::F32 => self.typed::<f32>(keeper),
            Scalar::I32 => self.typed::<i32>(keeper),
            Scalar::I64 => self.typed::<i64>(keeper),
            Scalar::U64 => self.typed::<u64>(keeper),
            Scalar::U8 => self.typed::<u8>(keeper),
            Scalar::Char => self.typed::<i8>(keeper),
        })
    }

    fn typed<'py, T: Element>(&self, keeper: Bound<'py, PyAny>) -> Bound<'py, PyAny> {
        let ptr = self.ptr.cast::<T>();
        assert!(ptr.is_aligned(), "tables are aligned to their numbers");
        // SAFETY: the pointer is aligned and covers this many initialised numbers, for which every
        // bit pattern is valid. The arrays live and stay in place as long as the keeper (see the
        // module).
        unsafe {
            let array = match self.stride {
                None => ArrayView::from_shape_ptr(IxDyn(&self.shape), ptr.cast_const()),
                Some(bytes) => {
                    let mut strides = vec![1; self.shape.len()];
                    strides[0] = bytes / size_of::<T>();
                    let shape = IxDyn(&self.shape).strides(IxDyn(&strides));
                    ArrayView::from_shape_ptr(shape, ptr.cast_const())
                }
            };
            PyArray::borrow_from_array(&array, keeper).into_any()
        }
    }
}

/// Copies the values of `new` to the model's memory, as numpy does through a view. Concurrent
/// readers see old or new values.
pub(crate) fn overwrite(model: &Shared<Model>, new: &Model) {
    // SAFETY: the two have the same sizes, so no table moves.
    model.peek(|m| unsafe { (*m).copy_from(new) });
}

/// Whether the object has other references.
pub(crate) fn is_shared<T>(_py: Python<'_>, object: &Py<T>) -> bool {
    // SAFETY: the object is alive, and the thread is attached to the interpreter.
    unsafe { pyo3::ffi::Py_REFCNT(object.as_ptr()) > 1 }
}

/// The bytes of records, one after the other.
pub(crate) fn records_mut<R: Record>(records: &mut [R]) -> &mut [u8] {
    // SAFETY: a record has no padding and its fields accept any bit pattern.
    unsafe { core::slice::from_raw_parts_mut(records.as_mut_ptr().cast(), size_of_val(records)) }
}

/// A zeroed record.
pub(crate) fn zeroed<R: Record>() -> R {
    // SAFETY: a record is made of plain numbers, for which all zeros is a value.
    unsafe { core::mem::zeroed() }
}
