//! Handles: the objects behind C's pointers to models and states.
#![allow(unsafe_code)]

use core::ffi::c_void;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError, RwLock};

use sinew::model::enums::{Integrator, SolverType};
use sinew::model::state::clear_rows;
use sinew::{Data, Model};

use crate::text::{Failure, remember};

/// Kinds of objects behind handles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum HandleKind {
    Model,
    Data,
}

/// A model behind a C handle.
#[derive(Debug)]
pub struct SinewModel {
    model: Model,
    /// Integers at their last validation, once C has the memory of a field.
    checked: Mutex<Option<Vec<u8>>>,
}

/// A state behind a C handle.
#[derive(Debug)]
pub struct SinewData {
    data: Data,
}

/// The type of a handle.
pub(crate) trait Handle {
    const KIND: HandleKind;
    const WORD: &'static str;
}

impl Handle for SinewModel {
    const KIND: HandleKind = HandleKind::Model;
    const WORD: &'static str = "model";
}

impl Handle for SinewData {
    const KIND: HandleKind = HandleKind::Data;
    const WORD: &'static str = "data";
}

/// Address of an object that belongs to the table of handles.
struct Entry(HandleKind, *mut c_void);

// SAFETY: the table only stores addresses; a user of an object promises to use it alone, or to
// read.
unsafe impl Send for Entry {}
// SAFETY: as above.
unsafe impl Sync for Entry {}

/// The objects of all handles that are not freed.
///
/// A handle is a number that is used once, and never an address. Freed and foreign handles are
/// therefore found out without a look at their memory.
static LIVE: RwLock<BTreeMap<usize, Entry>> = RwLock::new(BTreeMap::new());
static NEXT: AtomicUsize = AtomicUsize::new(1);

fn insert<T: Handle>(object: T) -> *mut T {
    let handle = 16 * NEXT.fetch_add(1, Ordering::Relaxed);
    let entry = Entry(T::KIND, Box::into_raw(Box::new(object)).cast());
    LIVE.write().unwrap_or_else(PoisonError::into_inner).insert(handle, entry);
    core::ptr::without_provenance_mut(handle)
}

pub(crate) fn new_model(model: Model) -> *mut SinewModel {
    insert(SinewModel { model, checked: Mutex::new(None) })
}

pub(crate) fn new_data(data: Data) -> *mut SinewData {
    insert(SinewData { data })
}

/// The error for a handle of no object of this type.
fn no_handle<T: Handle>(entry: Option<&Entry>) -> Failure {
    Failure(match entry {
        Some(_) => format!("the handle is not that of a {}", T::WORD),
        None => format!("the {} has been freed, or is no handle of this library", T::WORD),
    })
}

/// The object of a handle.
fn checked<T: Handle>(handle: *const T) -> Result<*mut T, Failure> {
    if handle.is_null() {
        return Err(Failure(format!("the {} is NULL", T::WORD)));
    }
    let live = LIVE.read().unwrap_or_else(PoisonError::into_inner);
    match live.get(&handle.addr()) {
        Some(Entry(kind, object)) if *kind == T::KIND => Ok(object.cast()),
        entry => Err(no_handle::<T>(entry)),
    }
}

/// The model of a handle.
///
/// # Safety
/// No other thread writes to the model or frees it meanwhile.
pub(crate) unsafe fn model<'a>(handle: *const SinewModel) -> Result<&'a Model, Failure> {
    let object = checked(handle)?;
    // SAFETY: the table has objects that are not freed, and the caller's promise
    let object = unsafe { &*object };
    object.check().map(|()| &object.model)
}

/// The model of a handle, writable.
///
/// From now on its integers are validated by each call that uses the model.
///
/// # Safety
/// No other thread uses the model meanwhile.
pub(crate) unsafe fn model_mut<'a>(handle: *mut SinewModel) -> Result<&'a mut Model, Failure> {
    let object = checked(handle)?;
    // SAFETY: the table has objects that are not freed, and the caller's promise
    let object = unsafe { &mut *object };
    let integers = integers(&object.model);
    object.checked.get_mut().unwrap_or_else(PoisonError::into_inner).get_or_insert(integers);
    Ok(&mut object.model)
}

impl SinewModel {
    /// Validates the integers that C may have written since the last call.
    fn check(&self) -> Result<(), Failure> {
        let mut checked = self.checked.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(last) = checked.as_mut() else { return Ok(()) };
        let now = integers(&self.model);
        if *last != now {
            self.model.validate().map_err(|e| Failure(e.to_string()))?;
            *last = now;
        }

        // options that select code
        let opt = &self.model.opt;
        let solvers = SolverType::Pgs.0..=SolverType::Newton.0;
        let integrators = Integrator::Euler.0..=Integrator::Implicitfast.0;
        for (name, value, range) in [
            ("opt.solver", opt.solver.0, solvers),
            ("opt.integrator", opt.integrator.0, integrators),
        ] {
            if !range.contains(&value) {
                let (first, last) = (range.start(), range.end());
                let text =
                    format!("invalid model: {name} is {value}, must be from {first} to {last}");
                return Err(Failure(text));
            }
        }
        Ok(())
    }
}

/// The bytes of all integers of a model that refer to something.
fn integers(m: &Model) -> Vec<u8> {
    let mut bytes = Vec::new();
    m.for_each_field(|field| {
        if field.info.refers() {
            bytes.extend_from_slice(field.bytes);
        }
    });
    bytes
}

/// The state of a handle.
///
/// # Safety
/// No other thread writes to the state or frees it meanwhile.
pub(crate) unsafe fn data<'a>(handle: *const SinewData) -> Result<&'a Data, Failure> {
    // SAFETY: the table has objects that are not freed, and the caller's promise
    unsafe { checked(handle).map(|object| &(*object).data) }
}

/// The state of a handle, writable.
///
/// # Safety
/// No other thread uses the state meanwhile.
pub(crate) unsafe fn data_mut<'a>(handle: *mut SinewData) -> Result<&'a mut Data, Failure> {
    // SAFETY: the table has objects that are not freed, and the caller's promise
    unsafe { checked(handle).map(|object| &mut (*object).data) }
}

/// A model and a state of the same sizes.
///
/// # Safety
/// As for [`model`] and [`data_mut`].
pub(crate) unsafe fn pair<'a>(
    m: *const SinewModel,
    d: *mut SinewData,
) -> Result<(&'a Model, &'a mut Data), Failure> {
    // SAFETY: the caller's promise
    let (m, d) = unsafe { (model(m)?, data_mut(d)?) };
    match fits(m, d) {
        true => Ok((m, d)),
        false => Err(Failure("the data was made for another model".to_string())),
    }
}

/// Whether the arrays of a state have the sizes of the model.
fn fits(m: &Model, d: &Data) -> bool {
    (d.qpos.len(), d.qvel.len(), d.act.len(), d.ctrl.len()) == (m.nq, m.nv, m.na, m.nu)
        && (d.xpos.len(), d.geom_xpos.len(), d.site_xpos.len()) == (m.nbody, m.ngeom, m.nsite)
        && (d.ten_length.len(), d.eq_active.len(), d.sensordata.len())
            == (m.ntendon, m.neq, m.nsensordata)
        && (d.flexvert_xpos.len(), d.history.len(), d.plugin_state.len())
            == (m.nflexvert, m.nhistory, m.npluginstate)
}

/// Frees the object behind a handle. A handle of the other type, or freed before, is an error.
///
/// # Safety
/// No other thread uses the object.
pub(crate) unsafe fn release<T: Handle>(handle: *mut T) {
    if handle.is_null() {
        return;
    }
    let mut live = LIVE.write().unwrap_or_else(PoisonError::into_inner);
    match live.get(&handle.addr()) {
        Some(Entry(kind, object)) if *kind == T::KIND => {
            let object = object.cast::<T>();
            live.remove(&handle.addr());
            drop(live);
            // SAFETY: the object was made as a box of this type, and its only entry is removed
            drop(unsafe { Box::from_raw(object) });
        }
        entry => remember(&no_handle::<T>(entry).0),
    }
}

/// Calls a computation of the engine. The usual cause of a panic is an integer that C has written
/// to the state. Then the error names it, and the state has no constraint rows.
pub(crate) fn compute(
    m: &Model,
    d: &mut Data,
    f: impl FnOnce(&Model, &mut Data),
) -> Result<(), Failure> {
    let done = catch_unwind(AssertUnwindSafe(|| f(m, d)));
    let Err(panic) = done else { return Ok(()) };
    let found = catch_unwind(AssertUnwindSafe(|| d.validate(m)));
    clear_rows(d);
    (d.ncon, d.ne, d.nf, d.nl) = (d.contact.len(), 0, 0, 0);
    (d.nJ, d.nA, d.nidof) = (0, 0, 0);
    match found {
        Ok(Err(invalid)) => Err(Failure(invalid.to_string())),
        _ => resume_unwind(panic),
    }
}

/// Calls `f`. After an error or a panic the message is stored, and `otherwise` is returned.
pub(crate) fn guarded<R>(otherwise: R, f: impl FnOnce() -> Result<R, Failure>) -> R {
    match catch_unwind(AssertUnwindSafe(f)) {
        Ok(Ok(result)) => result,
        Ok(Err(failure)) => {
            remember(&failure.0);
            otherwise
        }
        Err(panic) => {
            let text = panic.downcast_ref::<String>().map(String::as_str);
            let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
            let text = text.unwrap_or("no reason given");
            remember(&format!("the engine failed unexpectedly: {text}"));
            otherwise
        }
    }
}
