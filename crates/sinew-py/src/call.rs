//! Calls into the engine: locks, detached threads, and changes made or seen by Python.

use std::any::Any;
use std::sync::atomic::Ordering;

use pyo3::prelude::*;
use sinew_model::state::clear_rows;

use crate::callback::Callbacks;
use crate::data::{Data, fits};
use crate::failure::{Failure, caught, exception, quiet, refuse};
use crate::lists;
use crate::lock::Guard;
use crate::memory::overwrite;
use crate::model::Model;
use crate::plugin;

/// Calls `f` on the model and the state, detached from the interpreter.
pub(crate) fn run<R: Send>(
    py: Python<'_>,
    m: &Bound<'_, Model>,
    d: &Bound<'_, Data>,
    f: impl FnOnce(&sinew_model::Model, &mut sinew_model::Data) -> R + Send,
) -> PyResult<R> {
    let _plugins = plugin::enter(m.as_unbound(), d.as_unbound());
    let (m, d) = (m.get(), d.get());
    prepare(py, m, d)?;
    let result = py.detach(|| {
        let model = m.cell.read_detached()?;
        guarded(&model, d.cell.write_detached()?, |data| f(&model, data))
    });
    finish(py, d, result)
}

/// Like [`run`], with the user's callbacks as hooks.
pub(crate) fn run_with<R: Send>(
    m: &Bound<'_, Model>,
    d: &Bound<'_, Data>,
    f: impl FnOnce(&sinew_model::Model, &mut sinew_model::Data, &mut Callbacks<'_>) -> R + Send,
) -> PyResult<R> {
    let py = m.py();
    prepare(py, m.get(), d.get())?;
    let (m, d) = (m.as_unbound(), d.as_unbound());
    let _plugins = plugin::enter(m, d);
    let result = py.detach(|| {
        let model = m.get().cell.read_detached()?;
        let mut hooks = Callbacks::new(m, d);
        let data = d.get().cell.write_detached()?;
        guarded(&model, data, |data| f(&model, data, &mut hooks))
    });
    finish(py, d.get(), result)
}

/// Makes several steps; other threads may read the state in between.
pub(crate) fn repeat(
    m: &Bound<'_, Model>,
    d: &Bound<'_, Data>,
    times: i64,
    f: impl Fn(&sinew_model::Model, &mut sinew_model::Data, &mut Callbacks<'_>) + Sync,
) -> PyResult<()> {
    let py = m.py();
    prepare(py, m.get(), d.get())?;
    let (m, d) = (m.as_unbound(), d.as_unbound());
    let _plugins = plugin::enter(m, d);
    let result = py.detach(|| {
        (0..times).try_for_each(|_| {
            let model = m.get().cell.read_detached()?;
            let mut hooks = Callbacks::new(m, d);
            let data = d.get().cell.step_detached()?;
            let result = guarded(&model, data, |data| f(&model, data, &mut hooks));
            d.get().cell.let_others_in();
            result
        })
    });
    finish(py, d.get(), result)
}

/// Like [`run`], for functions that also change the model. Such functions work on a copy, whose
/// contents are then copied to the tables that numpy views.
pub(crate) fn run_mut<R: Send>(
    m: &Bound<'_, Model>,
    d: &Bound<'_, Data>,
    f: impl FnOnce(&mut sinew_model::Model, &mut sinew_model::Data, &mut Callbacks<'_>) -> R + Send,
) -> PyResult<R> {
    let py = m.py();
    prepare(py, m.get(), d.get())?;
    let (m, d) = (m.as_unbound(), d.as_unbound());
    let _plugins = plugin::enter(m, d);
    let result = py.detach(|| {
        let model = m.get().cell.read_detached()?;
        let mut copy = model.clone();
        let mut hooks = Callbacks::new(m, d);
        let data = d.get().cell.write_detached()?;
        let result = guarded(&model, data, |data| f(&mut copy, data, &mut hooks));
        if result.is_ok() {
            overwrite(&m.get().cell, &copy);
        }
        result
    });
    finish(py, d.get(), result)
}

/// Before a call: validates the values that Python wrote.
fn prepare(py: Python<'_>, m: &Model, d: &Data) -> PyResult<()> {
    m.check(py)?;
    if d.full.load(Ordering::Relaxed) {
        return Err(refuse("mj_stackAlloc: out of memory, stack overflow".to_owned()));
    }
    lists::before(py, d)
}

/// After a call: updates Python's copies of state arrays.
fn finish<R>(py: Python<'_>, d: &Data, result: Result<R, Failure>) -> PyResult<R> {
    d.count_call();
    let result = result.map_err(exception)?;
    lists::after(py, d)?;
    Ok(result)
}

/// Calls `f` on the state if it fits the model.
fn guarded<R>(
    m: &sinew_model::Model,
    mut data: Guard<'_, sinew_model::Data>,
    f: impl FnOnce(&mut sinew_model::Data) -> R,
) -> Result<R, Failure> {
    if !fits(m, &data) {
        return Err(Failure::OtherModel);
    }
    quiet(|| f(&mut data)).map_err(|panic| stumble(m, &mut data, panic))
}

/// The error for a panic of the engine, mostly caused by a value written to the state.
///
/// The interrupted stage may have lost some lists, so all are cleared: the state has no constraint
/// rows.
fn stumble(
    m: &sinew_model::Model,
    d: &mut sinew_model::Data,
    panic: Box<dyn Any + Send>,
) -> Failure {
    if panic.is::<PyErr>() {
        return Failure::Panic(panic);
    }
    let found = quiet(|| d.validate(m));
    clear_rows(d);
    (d.ncon, d.ne, d.nf, d.nl) = (d.contact.len(), 0, 0, 0);
    (d.nJ, d.nA, d.nidof) = (0, 0, 0);
    match found {
        Ok(Err(invalid)) => Failure::Invalid(invalid),
        _ => Failure::Panic(panic),
    }
}

/// Calls `f` on the model; a panic becomes an exception.
pub(crate) fn with_model<R>(
    m: &Bound<'_, Model>,
    f: impl FnOnce(&sinew_model::Model) -> R,
) -> PyResult<R> {
    m.get().check(m.py())?;
    let model = m.get().cell.read(m.py())?;
    caught(|| f(&model))
}
