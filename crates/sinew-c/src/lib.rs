//! C interface of Sinew: `include/sinew.h` declares and documents these functions.
//!
//! A handle is a number in a table of objects, so that null, a handle of the wrong type and a freed
//! handle are errors. No panic unwinds into C: it becomes an error, too.
#![allow(unsafe_code)]

mod handle;
mod text;

use std::ffi::{c_char, c_int};
use std::path::Path;

use sinew::diagnose::Weight;
use sinew::model::enums::{ENUMS, ObjType};
use sinew::model::options::Options;
use sinew::model::pod::Scalar;
use sinew::model::record::{Record, record_bytes_mut};
use sinew::model::state::{get_state, set_state, state_size};
use sinew::{Data, Model};

pub use handle::{SinewData, SinewModel};
use handle::{
    compute, data, data_mut, guarded, model, model_mut, new_data, new_model, pair, release,
};
use text::{Failure, empty, failure_text, given, last_error, owned};

/// The memory of a field.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct SinewField {
    /// First byte.
    pub data: *mut core::ffi::c_void,
    /// Number of rows.
    pub rows: usize,
    /// Number of values in a row.
    pub cols: usize,
    /// Type of the values.
    pub kind: i32,
}

/// The version of the library.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_version() -> *const c_char {
    const TEXT: &str = concat!(env!("CARGO_PKG_VERSION"), "\0");
    TEXT.as_ptr().cast()
}

/// Message of the last failed call of this thread.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_last_error() -> *const c_char {
    last_error()
}

/// Loads a model file.
///
/// # Safety
/// `path` is null or a C string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_load_file(path: *const c_char) -> *mut SinewModel {
    // SAFETY: the caller's promise
    let path = unsafe { given(path) };
    guarded(core::ptr::null_mut(), || {
        let path = Path::new(path?);
        if path.extension().is_some_and(|e| e.eq_ignore_ascii_case("mjb")) {
            let bytes = std::fs::read(path).map_err(|e| format!("{}: {e}", path.display()))?;
            let plugins = sinew::LoadOptions::default().plugins;
            let loaded = Model::from_binary_with(&bytes, &plugins);
            return Ok(new_model(loaded.map_err(|e| e.to_string())?));
        }
        Ok(new_model(sinew::load(path).map_err(failure_text)?))
    })
}

/// Loads a model from a string.
///
/// # Safety
/// `xml` is null or a C string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_load_string(xml: *const c_char) -> *mut SinewModel {
    // SAFETY: the caller's promise
    let xml = unsafe { given(xml) };
    guarded(core::ptr::null_mut(), || Ok(new_model(sinew::load_str(xml?).map_err(failure_text)?)))
}

/// Writes a binary model file.
///
/// # Safety
/// `handle` is null or from this library and not freed; `path` is null or a C string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_save_binary(
    handle: *const SinewModel,
    path: *const c_char,
) -> c_int {
    // SAFETY: the caller's promise
    let (m, path) = unsafe { (model(handle), given(path)) };
    guarded(-1, || {
        let path = path?;
        std::fs::write(path, m?.to_binary()).map_err(|e| format!("{path}: {e}"))?;
        Ok(0)
    })
}

/// Frees a model.
///
/// # Safety
/// `handle` is null or from this library and not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_model_free(handle: *mut SinewModel) {
    // SAFETY: the caller's promise
    unsafe { release(handle) }
}

/// Creates a state.
///
/// # Safety
/// `handle` is null or from this library and not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_data_new(handle: *const SinewModel) -> *mut SinewData {
    // SAFETY: the caller's promise
    let m = unsafe { model(handle) };
    guarded(core::ptr::null_mut(), || Ok(new_data(Data::new(m?))))
}

/// Copies a state.
///
/// # Safety
/// `handle` is null or from this library and not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_data_copy(handle: *const SinewData) -> *mut SinewData {
    // SAFETY: the caller's promise
    let d = unsafe { data(handle) };
    guarded(core::ptr::null_mut(), || Ok(new_data(d?.clone())))
}

/// Frees a state.
///
/// # Safety
/// `handle` is null or from this library and not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_data_free(handle: *mut SinewData) {
    // SAFETY: the caller's promise
    unsafe { release(handle) }
}

/// Makes some steps.
///
/// # Safety
/// The handles are null or from this library and not freed, and nobody else uses the data.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_step(
    m: *const SinewModel,
    d: *mut SinewData,
    count: c_int,
) -> c_int {
    // SAFETY: the caller's promise
    let both = unsafe { pair(m, d) };
    guarded(-1, || {
        let (m, d) = both?;
        compute(m, d, |m, d| (0..count).for_each(|_| sinew::step(m, d))).map(|()| 0)
    })
}

/// Computes forward dynamics.
///
/// # Safety
/// The handles are null or from this library and not freed, and nobody else uses the data.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_forward(m: *const SinewModel, d: *mut SinewData) -> c_int {
    // SAFETY: the caller's promise
    let both = unsafe { pair(m, d) };
    guarded(-1, || {
        let (m, d) = both?;
        compute(m, d, sinew::forward).map(|()| 0)
    })
}

/// Resets a state to the initial state.
///
/// # Safety
/// The handles are null or from this library and not freed, and nobody else uses the data.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_reset(m: *const SinewModel, d: *mut SinewData) -> c_int {
    // SAFETY: the caller's promise
    let both = unsafe { pair(m, d) };
    guarded(-1, || {
        let (m, d) = both?;
        compute(m, d, sinew::reset_data).map(|()| 0)
    })
}

/// Resets a state to a keyframe.
///
/// # Safety
/// The handles are null or from this library and not freed, and nobody else uses the data.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_reset_keyframe(
    m: *const SinewModel,
    d: *mut SinewData,
    key: c_int,
) -> c_int {
    // SAFETY: the caller's promise
    let both = unsafe { pair(m, d) };
    guarded(-1, || {
        let (m, d) = both?;
        let key = usize::try_from(key).ok().filter(|&key| key < m.nkey);
        let key = key.ok_or_else(|| format!("the model has {} keyframes", m.nkey))?;
        compute(m, d, |m, d| sinew::reset_data_keyframe(m, d, key)).map(|()| 0)
    })
}

/// Returns the simulation time.
///
/// # Safety
/// `handle` is null or from this library and not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_time(handle: *const SinewData) -> f64 {
    // SAFETY: the caller's promise
    let d = unsafe { data(handle) };
    guarded(f64::NAN, || Ok(d?.time))
}

/// Returns a size of the model.
///
/// # Safety
/// `handle` is null or from this library and not freed; `name` is null or a C string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_size(handle: *const SinewModel, name: *const c_char) -> i64 {
    // SAFETY: the caller's promise
    let (m, name) = unsafe { (model(handle), given(name)) };
    guarded(-1, || {
        let name = name?;
        let size = m?.size(name).ok_or_else(|| format!("no size is called '{name}'"))?;
        Ok(size as i64)
    })
}

/// Returns the id of an object.
///
/// # Safety
/// `handle` is null or from this library and not freed; the texts are null or C strings.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_name2id(
    handle: *const SinewModel,
    kind: *const c_char,
    name: *const c_char,
) -> c_int {
    // SAFETY: the caller's promise
    let (m, kind, name) = unsafe { (model(handle), given(kind), given(name)) };
    guarded(-1, || {
        let (kind, name) = (kind?, name?);
        let id = m?.name2id(object(kind)?, name);
        let id = id.ok_or_else(|| format!("no {kind} is called '{name}'"))?;
        Ok(c_int::try_from(id).unwrap_or(-1))
    })
}

/// Returns the name of an object.
///
/// # Safety
/// `handle` is null or from this library and not freed; `kind` is null or a C string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_id2name(
    handle: *const SinewModel,
    kind: *const c_char,
    id: c_int,
) -> *const c_char {
    // SAFETY: the caller's promise
    let (m, kind) = unsafe { (model(handle), given(kind)) };
    guarded(core::ptr::null(), || {
        let kind = kind?;
        let missing = || format!("{kind} {id} has no name");
        let id = usize::try_from(id).map_err(|_| missing())?;
        let name = m?.id2name(object(kind)?, id).filter(|name| !name.is_empty());
        let name = name.ok_or_else(missing)?;
        // names are stored one after the other, each with a terminating zero
        Ok(name.as_ptr().cast())
    })
}

/// The object type with this name in MJCF.
fn object(word: &str) -> Result<ObjType, Failure> {
    let kinds =
        ENUMS.iter().find(|(name, _)| *name == "mjtObj").map_or(&[][..], |(_, kinds)| kinds);
    let found = kinds.iter().find(|(name, _)| {
        name.strip_prefix("mjOBJ_").is_some_and(|kind| kind.eq_ignore_ascii_case(word))
    });
    let number = found.and_then(|(_, number)| i32::try_from(*number).ok());
    Ok(ObjType(number.ok_or_else(|| format!("no kind of object is called '{word}'"))?))
}

/// Returns the number of values of state components.
///
/// # Safety
/// `handle` is null or from this library and not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_state_size(handle: *const SinewModel, signature: c_int) -> i64 {
    // SAFETY: the caller's promise
    let m = unsafe { model(handle) };
    guarded(-1, || Ok(state_size(m?, signature).map_err(|e| e.to_string())? as i64))
}

/// Copies state components to the caller's memory.
///
/// # Safety
/// The handles are null or from this library and not freed; `out` is null or has room for `size`
/// numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_get_state(
    m: *const SinewModel,
    d: *const SinewData,
    out: *mut f64,
    size: usize,
    signature: c_int,
) -> c_int {
    // SAFETY: the caller's promise
    let (both, out) = unsafe {
        let out = (!out.is_null()).then(|| core::slice::from_raw_parts_mut(out, size));
        (pair(m, d.cast_mut()), out)
    };
    guarded(-1, || {
        let (m, d) = both?;
        let out = out.ok_or_else(|| "there is no memory to write to".to_string())?;
        get_state(m, d, out, signature).map_err(|e| e.to_string())?;
        Ok(0)
    })
}

/// Copies state components from the caller's memory.
///
/// # Safety
/// The handles are null or from this library and not freed, and nobody else uses the data; `from`
/// is null or has `size` numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_set_state(
    m: *const SinewModel,
    d: *mut SinewData,
    from: *const f64,
    size: usize,
    signature: c_int,
) -> c_int {
    // SAFETY: the caller's promise
    let (both, from) = unsafe {
        let from = (!from.is_null()).then(|| core::slice::from_raw_parts(from, size));
        (pair(m, d), from)
    };
    guarded(-1, || {
        let (m, d) = both?;
        let from = from.ok_or_else(|| "there is no memory to read from".to_string())?;
        set_state(m, d, from, signature).map_err(|e| e.to_string())?;
        Ok(0)
    })
}

/// Finds a field of the model.
///
/// # Safety
/// `handle` is null or from this library and not freed, and nobody else uses it. `name` is null or
/// a C string, `out` null or a place for a field.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_model_field(
    handle: *mut SinewModel,
    name: *const c_char,
    out: *mut SinewField,
) -> c_int {
    // SAFETY: the caller's promise
    let (m, name, out) = unsafe { (model_mut(handle), given(name), out.as_mut()) };
    guarded(-1, || {
        let (m, name) = (m?, name?);
        let out = out.ok_or_else(|| "there is no field to write to".to_string())?;
        if let Some(option) = name.strip_prefix("opt.") {
            let field = Options::FIELDS.iter().find(|f| f.name == option && option != "pad_");
            let field = field.ok_or_else(|| format!("no option is called '{option}'"))?;
            let bytes = &mut record_bytes_mut(&mut m.opt)[field.offset..];
            *out = memory(bytes, 1, field.width, field.scalar);
            return Ok(0);
        }
        let field = m.field_mut(name).ok_or_else(|| format!("no field is called '{name}'"))?;
        *out =
            memory(field.bytes, field.shape.rows, field.shape.cols.unwrap_or(1), field.info.scalar);
        Ok(0)
    })
}

/// Finds a field of the state.
///
/// # Safety
/// `handle` is null or from this library and not freed, and nobody else uses it. `name` is null or
/// a C string, `out` null or a place for a field.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_data_field(
    handle: *mut SinewData,
    name: *const c_char,
    out: *mut SinewField,
) -> c_int {
    // SAFETY: the caller's promise
    let (d, name, out) = unsafe { (data_mut(handle), given(name), out.as_mut()) };
    guarded(-1, || {
        let (d, name) = (d?, name?);
        let out = out.ok_or_else(|| "there is no field to write to".to_string())?;
        let field = d.field_mut(name).ok_or_else(|| format!("no field is called '{name}'"))?;
        *out =
            memory(field.bytes, field.shape.rows, field.shape.cols.unwrap_or(1), field.info.scalar);
        Ok(0)
    })
}

/// A field in C's representation.
fn memory(bytes: &mut [u8], rows: usize, cols: usize, scalar: Scalar) -> SinewField {
    let kind = match scalar {
        Scalar::F64 => 0,
        Scalar::F32 => 1,
        Scalar::I32 => 2,
        Scalar::I64 => 3,
        Scalar::U64 => 4,
        Scalar::U8 => 5,
        Scalar::Char => 6,
    };
    SinewField { data: bytes.as_mut_ptr().cast(), rows, cols, kind }
}

/// Returns the findings about a model.
///
/// # Safety
/// `handle` is null or from this library and not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_check(handle: *const SinewModel) -> *mut c_char {
    // SAFETY: the caller's promise
    let m = unsafe { model(handle) };
    guarded(core::ptr::null_mut(), || {
        let mut text = String::new();
        for finding in sinew::diagnose::check(m?) {
            let word = if finding.weight == Weight::Warning { "warning" } else { "note" };
            text.push_str(&format!("{word}[{}]: {finding}\n", finding.cause.code()));
        }
        Ok(owned(&text))
    })
}

/// Frees a string.
///
/// # Safety
/// `text` is null or from this library and not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_string_free(text: *mut c_char) {
    // SAFETY: the caller's promise
    unsafe { empty(text) }
}
