//! Calling the engine: locks, detached threads, and panics that become exceptions.

use std::any::Any;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::Ordering;

use pyo3::create_exception;
use pyo3::exceptions::{PyException, PyTypeError};
use pyo3::prelude::*;

use crate::callback::Callbacks;
use crate::data::Data;
use crate::lock::{Busy, Guard};
use crate::memory::overwrite;
use crate::model::Model;
use crate::plugin;
use crate::shown;

create_exception!(mujoco, FatalError, PyException, "The engine could not go on.");
create_exception!(mujoco, UnexpectedError, PyException, "The engine failed in an unexpected way.");

/// Why a call did not return.
pub(crate) enum Failure {
    /// The state was made for a model of other sizes.
    OtherModel,
    /// The state is in use.
    Busy(Busy),
    /// The engine panicked, or a callback raised an exception.
    Panic(Box<dyn Any + Send>),
}

impl From<Busy> for Failure {
    fn from(busy: Busy) -> Failure {
        Failure::Busy(busy)
    }
}

impl From<Box<dyn Any + Send>> for Failure {
    fn from(panic: Box<dyn Any + Send>) -> Failure {
        Failure::Panic(panic)
    }
}

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

/// Steps several times; others may look at the state in between.
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

/// Like [`run`], for functions that also change the model. They work on a copy, whose contents then
/// go where the tables are that numpy looks at.
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

/// Before a call: numbers that Python wrote are checked and taken over.
fn prepare(py: Python<'_>, m: &Model, d: &Data) -> PyResult<()> {
    m.check(py)?;
    if d.full.load(Ordering::Relaxed) {
        return Err(refuse("mj_stackAlloc: out of memory, stack overflow".to_owned()));
    }
    shown::before(py, d)
}

/// After a call: what Python has of the state is brought up to date.
fn finish<R>(py: Python<'_>, d: &Data, result: Result<R, Failure>) -> PyResult<R> {
    d.count_call();
    let result = result.map_err(exception)?;
    shown::after(py, d)?;
    Ok(result)
}

/// Calls `f` on the state, if that fits the model.
fn guarded<R>(
    m: &sinew_model::Model,
    mut data: Guard<'_, sinew_model::Data>,
    f: impl FnOnce(&mut sinew_model::Data) -> R,
) -> Result<R, Failure> {
    if !fits(m, &data) {
        return Err(Failure::OtherModel);
    }
    quiet(|| f(&mut data)).map_err(Failure::Panic)
}

pub(crate) fn exception(failure: Failure) -> PyErr {
    match failure {
        Failure::OtherModel => PyTypeError::new_err("the data was made for another model"),
        Failure::Busy(e) => e.into(),
        Failure::Panic(panic) => panic.downcast().map_or_else(|panic| fatal(&*panic), |e| *e),
    }
}

thread_local! {
    /// Calls of [`quiet`] that this thread is in.
    static QUIET: Cell<usize> = const { Cell::new(0) };
}

/// Calls `f` and catches a panic, of which nothing is printed.
pub(crate) fn quiet<R>(f: impl FnOnce() -> R) -> Result<R, Box<dyn Any + Send>> {
    QUIET.set(QUIET.get() + 1);
    let result = catch_unwind(AssertUnwindSafe(f));
    QUIET.set(QUIET.get() - 1);
    result
}

/// Calls `f`; a panic becomes an exception.
pub(crate) fn caught<R>(f: impl FnOnce() -> R) -> PyResult<R> {
    quiet(f).map_err(|panic| exception(Failure::Panic(panic)))
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

/// Whether the state's arrays have the sizes of the model.
pub(crate) fn fits(m: &sinew_model::Model, d: &sinew_model::Data) -> bool {
    (d.qpos.len(), d.qvel.len(), d.act.len(), d.ctrl.len()) == (m.nq, m.nv, m.na, m.nu)
        && (d.xpos.len(), d.xanchor.len(), d.geom_xpos.len()) == (m.nbody, m.njnt, m.ngeom)
        && (d.site_xpos.len(), d.cam_xpos.len(), d.light_xpos.len()) == (m.nsite, m.ncam, m.nlight)
        && (d.ten_length.len(), d.wrap_xpos.len(), d.eq_active.len()) == (m.ntendon, m.nwrap, m.neq)
        && (d.mocap_pos.len(), d.sensordata.len()) == (m.nmocap, m.nsensordata)
        && (d.M.len(), d.qM.len(), d.qDeriv.len()) == (m.nC, m.nM, m.nD)
        && (d.actuator_moment.len(), d.userdata.len()) == (m.nJmom, m.nuserdata)
        && (d.tree_asleep.len(), d.history.len()) == (m.ntree, m.nhistory)
        && (d.bvh_active.len(), d.bvh_aabb_dyn.len()) == (m.nbvh, m.nbvhdynamic)
        && (d.flexvert_xpos.len(), d.flexedge_length.len()) == (m.nflexvert, m.nflexedge)
}

/// The exception for what MuJoCo stops at.
pub(crate) fn refuse(text: String) -> PyErr {
    FatalError::new_err(text)
}

/// The exception for a panic in the engine.
pub(crate) fn fatal(panic: &(dyn Any + Send)) -> PyErr {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
    FatalError::new_err(text.unwrap_or("the engine stopped").to_owned())
}

/// Keeps caught panics off the standard error stream.
pub(crate) fn register() {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        if QUIET.get() == 0 {
            usual(info);
        }
    }));
}
