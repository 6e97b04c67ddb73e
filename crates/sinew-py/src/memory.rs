//! Shared models and states, and numpy views of their memory: the only unsafe code of this crate.
//!
//! A view is a raw pointer into a table. It stays valid because
//! - its base object is a [`Keeper`], which holds the `Arc` of the memory the pointer is in;
//! - tables of a `Model` and state arrays of a `Data` are allocated once, when the object is made,
//!   and no function bound here replaces them (`call` checks it in debug builds); per-step lists,
//!   which do grow, are only ever handed out as copies.
//!
//! A lock is only ever waited for in a detached thread, so its holder can always go on.
//!
//! A callback runs inside a function that holds the locks of the model and the state it was called
//! with. They are lent to it ([`lend`]): its thread reaches them through the very references that
//! the engine gave to the hook, one user at a time; other threads wait as before.
//!
//! Numpy reads and writes through a view while its thread is attached to the interpreter. Functions
//! that detach hold the lock of their `Data`, so two of them never touch one state at a time; a
//! thread that writes to a view while another steps the same state races, as it does in MuJoCo.
#![allow(unsafe_code)]

use std::cell::RefCell;
use std::ops::{Deref, DerefMut};
use std::ptr::NonNull;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{
    Arc, LockResult, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard, TryLockError,
};
use std::time::{Duration, Instant};

use numpy::ndarray::{ArrayView, IxDyn};
use numpy::{Element, PyArray, PyArrayMethods};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::sync::RwLockExt;
use sinew_model::pod::Scalar;
use sinew_model::record::Record;
use sinew_model::table::Shape;
use sinew_model::{Data, Model};

/// Longest that a thread which calls the engine again and again waits for others to have a look.
const COURTESY: Duration = Duration::from_millis(1);

/// A value shared between Python objects and numpy views, never moved once made.
pub(crate) struct Shared<T> {
    lock: RwLock<T>,
    /// Threads that want the value while another has it.
    waiting: AtomicUsize,
}

impl<T> Shared<T> {
    pub(crate) fn new(value: T) -> Arc<Self> {
        Arc::new(Shared { lock: RwLock::new(value), waiting: AtomicUsize::new(0) })
    }

    /// Waits for the value in a thread that is detached from the interpreter.
    ///
    /// A panic in the engine leaves plain numbers behind, so a poisoned lock is as good as any.
    pub(crate) fn read_detached(&self) -> Reading<'_, T> {
        match self.borrow() {
            Some(lent) => Reading::Lent(lent),
            None => Reading::Locked(self.lock.read().unwrap_or_else(PoisonError::into_inner)),
        }
    }

    /// Like [`Shared::read_detached`], to write; not what a callback has to read only.
    pub(crate) fn write_detached(&self) -> Result<Writing<'_, T>, ReadOnly> {
        match self.borrow() {
            Some(lent) if lent.exclusive => Ok(Writing::Lent(lent)),
            Some(_) => Err(ReadOnly),
            None => {
                let guard = self.lock.write().unwrap_or_else(PoisonError::into_inner);
                Ok(Writing::Locked(guard))
            }
        }
    }

    /// The value; detaches while it waits, since who holds it may need the interpreter to go on.
    pub(crate) fn read(&self, py: Python<'_>) -> Reading<'_, T> {
        if let Some(lent) = self.borrow() {
            return Reading::Lent(lent);
        }
        Reading::Locked(match self.lock.try_read() {
            Ok(guard) => guard,
            Err(TryLockError::Poisoned(guard)) => guard.into_inner(),
            Err(TryLockError::WouldBlock) => self.in_line(|lock| lock.read_py_attached(py)),
        })
    }

    /// Like [`Shared::read`], to write; not what a callback has to read only.
    pub(crate) fn write(&self, py: Python<'_>) -> Result<Writing<'_, T>, ReadOnly> {
        match self.borrow() {
            Some(lent) if lent.exclusive => return Ok(Writing::Lent(lent)),
            Some(_) => return Err(ReadOnly),
            None => {}
        }
        Ok(Writing::Locked(match self.lock.try_write() {
            Ok(guard) => guard,
            Err(TryLockError::Poisoned(guard)) => guard.into_inner(),
            Err(TryLockError::WouldBlock) => self.in_line(|lock| lock.write_py_attached(py)),
        }))
    }

    /// What is lent to the callback that this thread runs, if it is this value.
    fn borrow(&self) -> Option<Borrowed<'_, T>> {
        LOANS.with_borrow_mut(|loans| {
            let owner = NonNull::from(self).cast();
            let index = loans.iter().rposition(|loan| loan.owner == owner)?;
            let loan = &mut loans[index];
            // two users at a time would be two `&mut` to one value
            assert!(!loan.taken, "a value lent to a callback is used twice at a time");
            loan.taken = loan.exclusive;
            let value = loan.value.cast();
            Some(Borrowed { value, index, exclusive: loan.exclusive, _owner: self })
        })
    }

    /// Waits for a guard, and is counted among those who wait.
    fn in_line<'a, G>(&'a self, wait: impl FnOnce(&'a RwLock<T>) -> LockResult<G>) -> G {
        self.waiting.fetch_add(1, Ordering::Relaxed);
        let guard = wait(&self.lock).unwrap_or_else(PoisonError::into_inner);
        self.waiting.fetch_sub(1, Ordering::Relaxed);
        guard
    }

    /// Gives those who wait a moment to take the value: the lock is not fair by itself, and a loop
    /// that takes it again at once would starve them.
    pub(crate) fn let_others_in(&self) {
        if self.waiting.load(Ordering::Relaxed) == 0 {
            return;
        }
        let start = Instant::now();
        while self.waiting.load(Ordering::Relaxed) > 0 && start.elapsed() < COURTESY {
            std::thread::yield_now();
        }
    }
}

/// A value to read: locked, or lent to the callback that asks for it.
pub(crate) enum Reading<'a, T> {
    Locked(RwLockReadGuard<'a, T>),
    Lent(Borrowed<'a, T>),
}

/// A value to write.
pub(crate) enum Writing<'a, T> {
    Locked(RwLockWriteGuard<'a, T>),
    Lent(Borrowed<'a, T>),
}

/// The value cannot be written: a callback that has it to read only is running.
#[derive(Debug)]
pub(crate) struct ReadOnly;

impl From<ReadOnly> for PyErr {
    fn from(_: ReadOnly) -> PyErr {
        PyRuntimeError::new_err("a callback cannot change the model it was called with in this way")
    }
}

impl<T> Deref for Reading<'_, T> {
    type Target = T;
    fn deref(&self) -> &T {
        match self {
            Reading::Locked(guard) => guard,
            Reading::Lent(lent) => lent.get(),
        }
    }
}

impl<T> Deref for Writing<'_, T> {
    type Target = T;
    fn deref(&self) -> &T {
        match self {
            Writing::Locked(guard) => guard,
            Writing::Lent(lent) => lent.get(),
        }
    }
}

impl<T> DerefMut for Writing<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        match self {
            Writing::Locked(guard) => guard,
            Writing::Lent(lent) => lent.get_mut(),
        }
    }
}

/// A value in the hands of a callback.
struct Loan {
    /// The [`Shared`] that it belongs to.
    owner: NonNull<()>,
    value: NonNull<()>,
    /// Whether it was lent as `&mut`.
    exclusive: bool,
    /// Whether somebody uses an exclusive value.
    taken: bool,
}

thread_local! {
    /// What the engine has lent to the callbacks that this thread runs, the innermost last.
    static LOANS: RefCell<Vec<Loan>> = const { RefCell::new(Vec::new()) };
}

/// Use of a lent value; it is free again when this is dropped.
pub(crate) struct Borrowed<'a, T> {
    value: NonNull<T>,
    index: usize,
    exclusive: bool,
    _owner: &'a Shared<T>,
}

impl<T> Borrowed<'_, T> {
    fn get(&self) -> &T {
        // SAFETY: `lend` keeps the reference it was given alive until the callback returns, and a
        // `Borrowed` lives inside a function that the callback calls; an exclusive value has one
        // user at a time (`taken`), others are only read.
        unsafe { self.value.as_ref() }
    }

    fn get_mut(&mut self) -> &mut T {
        assert!(self.exclusive, "the value was lent to be written");
        // SAFETY: as in `get`; the pointer comes from a `&mut`.
        unsafe { self.value.as_mut() }
    }
}

impl<T> Drop for Borrowed<'_, T> {
    fn drop(&mut self) {
        // loans are stacked: those above this one have been returned
        LOANS.with_borrow_mut(|loans| loans[self.index].taken = false);
    }
}

/// Returns the last loans of this thread when dropped.
struct Return(usize);

impl Drop for Return {
    fn drop(&mut self) {
        LOANS.with_borrow_mut(|loans| loans.truncate(self.0));
    }
}

/// Calls `f`, a callback; while it runs, this thread reaches the model and the state of the Python
/// objects through these references.
pub(crate) fn lend<R>(
    model: (&Shared<Model>, &Model),
    data: (&Shared<Data>, &mut Data),
    f: impl FnOnce() -> R,
) -> R {
    let loan = |owner, value, exclusive| Loan { owner, value, exclusive, taken: false };
    let _back = LOANS.with_borrow_mut(|loans| {
        let back = Return(loans.len());
        let owner = NonNull::from(model.0).cast();
        loans.push(loan(owner, NonNull::from(model.1).cast(), false));
        let owner = NonNull::from(data.0).cast();
        loans.push(loan(owner, NonNull::from(data.1).cast(), true));
        back
    });
    f()
}

/// Numbers somewhere in a model or state.
pub(crate) struct Slot<'a> {
    pub(crate) bytes: &'a mut [u8],
    pub(crate) scalar: Scalar,
    pub(crate) shape: Vec<usize>,
}

impl<'a> Slot<'a> {
    /// A table's numbers.
    pub(crate) fn table(bytes: &'a mut [u8], scalar: Scalar, shape: Shape) -> Self {
        Slot { bytes, scalar, shape: dims(shape) }
    }

    /// A row of numbers inside a struct.
    pub(crate) fn flat(bytes: &'a mut [u8], scalar: Scalar) -> Self {
        let n = bytes.len() / scalar.size();
        Slot { bytes, scalar, shape: vec![n] }
    }
}

/// A table's shape as numpy writes it.
pub(crate) fn dims(shape: Shape) -> Vec<usize> {
    core::iter::once(shape.rows).chain(shape.cols).collect()
}

/// Base object of the views: keeps their memory alive.
#[pyclass(frozen, module = "sinew._sinew")]
pub(crate) struct Keeper {
    _memory: Memory,
}

enum Memory {
    Model { _kept: Arc<Shared<Model>> },
    Data { _kept: Arc<Shared<Data>> },
}

/// A writable view of what `pick` finds in the model.
pub(crate) fn model_view<'py>(
    py: Python<'py>,
    model: &Arc<Shared<Model>>,
    pick: impl for<'a> FnOnce(&'a mut Model) -> Option<Slot<'a>>,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    let mut guard = model.write(py)?;
    match pick(&mut guard) {
        None => Ok(None),
        Some(slot) => {
            let keeper = Keeper { _memory: Memory::Model { _kept: model.clone() } };
            view(py, slot, keeper).map(Some)
        }
    }
}

/// A writable view of what `pick` finds in the state; it must not pick a per-step list.
pub(crate) fn data_view<'py>(
    py: Python<'py>,
    data: &Arc<Shared<Data>>,
    pick: impl for<'a> FnOnce(&'a mut Data) -> Option<Slot<'a>>,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    let mut guard = data.write(py)?;
    match pick(&mut guard) {
        None => Ok(None),
        Some(slot) => {
            let keeper = Keeper { _memory: Memory::Data { _kept: data.clone() } };
            view(py, slot, keeper).map(Some)
        }
    }
}

/// An array over the slot's memory, whose base is the keeper of that memory.
fn view<'py>(py: Python<'py>, slot: Slot<'_>, keeper: Keeper) -> PyResult<Bound<'py, PyAny>> {
    let keeper = Bound::new(py, keeper)?.into_any();
    Ok(match slot.scalar {
        Scalar::F64 => typed::<f64>(slot, keeper),
        Scalar::F32 => typed::<f32>(slot, keeper),
        Scalar::I32 => typed::<i32>(slot, keeper),
        Scalar::I64 => typed::<i64>(slot, keeper),
        Scalar::U64 => typed::<u64>(slot, keeper),
        Scalar::U8 => typed::<u8>(slot, keeper),
        Scalar::Char => typed::<i8>(slot, keeper),
    })
}

fn typed<'py, T: Element>(slot: Slot<'_>, keeper: Bound<'py, PyAny>) -> Bound<'py, PyAny> {
    let n: usize = slot.shape.iter().product();
    assert!(n * size_of::<T>() == slot.bytes.len(), "the shape covers the memory");
    let ptr = slot.bytes.as_mut_ptr().cast::<T>();
    assert!(ptr.is_aligned(), "tables are aligned to their numbers");
    // SAFETY: the pointer is aligned and covers `n` initialised numbers, for which every bit
    // pattern is valid; they live and stay in place as long as the keeper (see the module).
    unsafe {
        let array = ArrayView::from_shape_ptr(IxDyn(&slot.shape), ptr.cast_const());
        PyArray::borrow_from_array(&array, keeper).into_any()
    }
}

/// A read-only copy of numbers, in their shape.
pub(crate) fn copy<'py>(
    py: Python<'py>,
    bytes: &[u8],
    scalar: Scalar,
    shape: &[usize],
) -> PyResult<Bound<'py, PyAny>> {
    match scalar {
        Scalar::F64 => copied(py, bytes, shape, f64::from_ne_bytes),
        Scalar::F32 => copied(py, bytes, shape, f32::from_ne_bytes),
        Scalar::I32 => copied(py, bytes, shape, i32::from_ne_bytes),
        Scalar::I64 => copied(py, bytes, shape, i64::from_ne_bytes),
        Scalar::U64 => copied(py, bytes, shape, u64::from_ne_bytes),
        Scalar::U8 => copied(py, bytes, shape, u8::from_ne_bytes),
        Scalar::Char => copied(py, bytes, shape, i8::from_ne_bytes),
    }
}

fn copied<'py, T: Element, const N: usize>(
    py: Python<'py>,
    bytes: &[u8],
    shape: &[usize],
    number: fn([u8; N]) -> T,
) -> PyResult<Bound<'py, PyAny>> {
    let numbers: Vec<T> = bytes.as_chunks::<N>().0.iter().map(|&b| number(b)).collect();
    read_only(PyArray::from_vec(py, numbers).reshape(shape)?.into_any())
}

/// A copy that Python must not take for the state itself: writing to it is an error.
pub(crate) fn read_only(array: Bound<'_, PyAny>) -> PyResult<Bound<'_, PyAny>> {
    array.getattr("flags")?.setattr("writeable", false)?;
    Ok(array)
}

/// Where the state arrays are, to be compared after a call into the engine.
pub(crate) fn data_places(d: &Data) -> Vec<usize> {
    let mut out = Vec::new();
    d.for_each_field(|f| {
        if f.info.fixed {
            out.push(f.bytes.as_ptr().addr());
        }
    });
    out
}

/// The bytes of records, one after the other.
pub(crate) fn records_mut<R: Record>(records: &mut [R]) -> &mut [u8] {
    // SAFETY: a record has no padding and its fields accept any bit pattern.
    unsafe { core::slice::from_raw_parts_mut(records.as_mut_ptr().cast(), size_of_val(records)) }
}

/// A record of zeros.
pub(crate) fn zeroed<R: Record>() -> R {
    // SAFETY: a record is made of plain numbers, for which all zeros is a value.
    unsafe { core::mem::zeroed() }
}
