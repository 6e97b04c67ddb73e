//! C functions for races of engines in one process. The racing program loads these functions
//! from a library of each engine and alternates between the engines.
//!
//! A handle from `sh_open` belongs to one thread at a time. Handles are never freed, because the
//! racing program opens each engine once.
#![allow(unsafe_code)]

use std::ffi::{CStr, OsStr, c_char, c_double, c_int};
use std::path::Path;
use std::ptr;

use sinew_workload::{Load, Rollout, StepTotals};

/// Number of values that `sh_run` writes: times, sums, and from index 8 the stage timers.
const RUN_NUMBERS: usize = 8 + 15;
/// Number of values that `sh_info` writes.
const INFO_NUMBERS: usize = 12;

/// The name and version of the engine.
#[unsafe(no_mangle)]
pub extern "C" fn sh_version() -> *const c_char {
    const NAME: &CStr = match CStr::from_bytes_with_nul(
        concat!("sinew-", env!("CARGO_PKG_VERSION"), "\0").as_bytes(),
    ) {
        Ok(name) => name,
        Err(_) => c"sinew",
    };
    NAME.as_ptr()
}

/// Loads a model. On failure returns null and writes the reason to `err`. A negative `key` means no
/// keyframe.
///
/// # Safety
///
/// `path` is a C string, `err` has room for `nerr` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sh_open(
    path: *const c_char,
    key: c_int,
    seed: u64,
    scale: c_double,
    err: *mut c_char,
    nerr: c_int,
) -> *mut Rollout {
    // SAFETY: the caller's promise
    let path = unsafe { CStr::from_ptr(path) };
    let load = Load { key: usize::try_from(key).ok(), seed, scale };
    let opened = match path.to_str() {
        Ok(path) => Rollout::open(Path::new(OsStr::new(path)), load).map_err(|e| e.to_string()),
        Err(_) => Err("the path is not UTF-8".to_string()),
    };
    match opened {
        Ok(rollout) => Box::into_raw(Box::new(rollout)),
        Err(text) => {
            let size = usize::try_from(nerr).unwrap_or(0);
            let n = text.len().min(size.saturating_sub(1));
            if size > 0 && !err.is_null() {
                // SAFETY: n + 1 bytes fit into `size`, by the caller's promise on `err`
                unsafe {
                    ptr::copy_nonoverlapping(text.as_ptr().cast(), err, n);
                    *err.add(n) = 0;
                }
            }
            ptr::null_mut()
        }
    }
}

/// Resets the state.
///
/// # Safety
///
/// `handle` is from `sh_open`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sh_reset(handle: *mut Rollout) {
    // SAFETY: the caller's promise
    unsafe { &mut *handle }.reset();
}

/// Makes `nstep` steps and writes their times (microseconds) and sums. If `stages` is not zero,
/// each stage is timed.
///
/// # Safety
///
/// `handle` is from `sh_open`; `out` has room for 32 numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sh_run(
    handle: *mut Rollout,
    nstep: c_int,
    stages: c_int,
    out: *mut c_double,
) {
    // SAFETY: the caller's promise
    let (rollout, out) =
        unsafe { (&mut *handle, core::slice::from_raw_parts_mut(out, RUN_NUMBERS)) };
    let work: StepTotals = rollout.run(usize::try_from(nstep).unwrap_or(0), stages != 0);
    out.fill(0.0);
    out[..7].copy_from_slice(&[
        work.cpu * 1e6,
        work.wall * 1e6,
        work.contacts,
        work.rows,
        work.iterations,
        work.islands,
        work.warnings,
    ]);
    for (out, seconds) in out[8..].iter_mut().zip(&work.stages) {
        *out = seconds * 1e6;
    }
}

/// Writes sizes and options of the model.
///
/// # Safety
///
/// `handle` is from `sh_open`; `out` has room for 16 numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sh_info(handle: *const Rollout, out: *mut c_double) {
    // SAFETY: the caller's promise
    let (m, out) =
        unsafe { (&(*handle).model, core::slice::from_raw_parts_mut(out, INFO_NUMBERS)) };
    out.copy_from_slice(&[
        m.nq as f64,
        m.nv as f64,
        m.nu as f64,
        m.nbody as f64,
        m.ngeom as f64,
        m.opt.timestep,
        f64::from(m.opt.solver.0),
        f64::from(m.opt.cone.0),
        f64::from(m.opt.integrator.0),
        f64::from(m.opt.jacobian.0),
        f64::from(m.opt.disableflags),
        f64::from(m.opt.enableflags),
    ]);
}

/// A checksum of the positions.
///
/// # Safety
///
/// `handle` is from `sh_open`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sh_checksum(handle: *const Rollout) -> c_double {
    // SAFETY: the caller's promise
    unsafe { &*handle }.checksum()
}

/// Sets the state and the controls.
///
/// # Safety
///
/// `handle` is from `sh_open`. The arrays have the model's `nq`, `nv`, `na` and `nu` numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sh_set(
    handle: *mut Rollout,
    qpos: *const c_double,
    qvel: *const c_double,
    act: *const c_double,
    ctrl: *const c_double,
) {
    // SAFETY: the caller's promise
    let data = unsafe { &mut (*handle).data };
    let fields: [&mut [f64]; 4] = [&mut data.qpos, &mut data.qvel, &mut data.act, &mut data.ctrl];
    for (field, from) in fields.into_iter().zip([qpos, qvel, act, ctrl]) {
        if !field.is_empty() {
            // SAFETY: the caller's promise
            field.copy_from_slice(unsafe { core::slice::from_raw_parts(from, field.len()) });
        }
    }
}

/// Fills A and B of a step some times, and returns the mean CPU time in microseconds. The result is
/// negative if the model has a part without derivative.
///
/// # Safety
///
/// `handle` is from `sh_open`. `a` and `b` have room for the matrices of `transition`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sh_transition(
    handle: *mut Rollout,
    times: c_int,
    a: *mut c_double,
    b: *mut c_double,
) -> c_double {
    // SAFETY: the caller's promise
    let rollout = unsafe { &mut *handle };
    let [a_len, b_len] = rollout.transition_len();
    // SAFETY: the caller's promise
    let (a, b) = unsafe {
        (core::slice::from_raw_parts_mut(a, a_len), core::slice::from_raw_parts_mut(b, b_len))
    };
    rollout.transition(usize::try_from(times).unwrap_or(0), a, b).map_or(-1.0, |cpu| cpu * 1e6)
}
