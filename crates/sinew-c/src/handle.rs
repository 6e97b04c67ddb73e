//! Handles: the objects behind C's pointers to models and states.
#![allow(unsafe_code)]

use std::panic::{AssertUnwindSafe, catch_unwind};

use sinew::{Data, Model};

use crate::text::{Failure, remember};

/// Tags at the beginning of the objects behind handles.
const MODEL: u64 = 0x5349_4e45_574d_4f44;
const DATA: u64 = 0x5349_4e45_5744_4154;

/// A model behind a C handle.
#[repr(C)]
#[derive(Debug)]
pub struct SinewModel {
    tag: u64,
    model: Model,
}

/// A state behind a C handle.
#[repr(C)]
#[derive(Debug)]
pub struct SinewData {
    tag: u64,
    data: Data,
}

/// The type of a handle, identified by its tag.
pub(crate) trait Handle {
    const TAG: u64;
    const WORD: &'static str;
}

impl Handle for SinewModel {
    const TAG: u64 = MODEL;
    const WORD: &'static str = "model";
}

impl Handle for SinewData {
    const TAG: u64 = DATA;
    const WORD: &'static str = "data";
}

pub(crate) fn new_model(model: Model) -> *mut SinewModel {
    Box::into_raw(Box::new(SinewModel { tag: MODEL, model }))
}

pub(crate) fn new_data(data: Data) -> *mut SinewData {
    Box::into_raw(Box::new(SinewData { tag: DATA, data }))
}

/// Checks the tag of a handle.
///
/// # Safety
/// `handle` is null or a handle of this library, of either type, and not freed.
unsafe fn checked<T: Handle>(handle: *const T) -> Result<*const T, Failure> {
    if handle.is_null() {
        return Err(Failure(format!("the {} is NULL", T::WORD)));
    }
    // SAFETY: both types of handles begin with a tag
    let tag = unsafe { *handle.cast::<u64>() };
    match tag == T::TAG {
        true => Ok(handle),
        false => Err(Failure(format!("the handle is not that of a {}", T::WORD))),
    }
}

/// The model of a handle.
///
/// # Safety
/// As for [`checked`], and no other thread writes to the model meanwhile.
pub(crate) unsafe fn model<'a>(handle: *const SinewModel) -> Result<&'a Model, Failure> {
    // SAFETY: the caller's promise; the tag identifies a model
    unsafe { checked(handle).map(|handle| &(*handle).model) }
}

/// The model of a handle, writable.
///
/// # Safety
/// As for [`checked`], and no other thread uses the model meanwhile.
pub(crate) unsafe fn model_mut<'a>(handle: *mut SinewModel) -> Result<&'a mut Model, Failure> {
    // SAFETY: the caller's promise; the tag identifies a model
    unsafe { checked(handle).map(|handle| &mut (*handle.cast_mut()).model) }
}

/// The state of a handle.
///
/// # Safety
/// As for [`checked`], and no other thread writes to the state meanwhile.
pub(crate) unsafe fn data<'a>(handle: *const SinewData) -> Result<&'a Data, Failure> {
    // SAFETY: the caller's promise; the tag identifies a state
    unsafe { checked(handle).map(|handle| &(*handle).data) }
}

/// The state of a handle, writable.
///
/// # Safety
/// As for [`checked`], and no other thread uses the state meanwhile.
pub(crate) unsafe fn data_mut<'a>(handle: *mut SinewData) -> Result<&'a mut Data, Failure> {
    // SAFETY: the caller's promise; the tag identifies a state
    unsafe { checked(handle).map(|handle| &mut (*handle.cast_mut()).data) }
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

/// Frees the object behind a handle; a handle of the other type is ignored.
///
/// # Safety
/// As for [`checked`], and the handle is not used again.
pub(crate) unsafe fn release<T: Handle>(handle: *mut T) {
    // SAFETY: the caller's promise. The tag is overwritten, so that a second call for the same
    // handle is detected unless the memory was reused.
    unsafe {
        match checked(handle) {
            Ok(_) => {
                *handle.cast::<u64>() = 0;
                drop(Box::from_raw(handle));
            }
            Err(_) if handle.is_null() => {}
            Err(failure) => remember(&failure.0),
        }
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
        Err(_) => {
            remember("the engine failed unexpectedly");
            otherwise
        }
    }
}
