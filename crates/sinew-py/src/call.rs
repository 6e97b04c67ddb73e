//! Calling the engine: locks, detached threads, and panics that become exceptions.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use pyo3::create_exception;
use pyo3::exceptions::{PyException, PyTypeError};
use pyo3::prelude::*;

use crate::callback::Callbacks;
use crate::data::Data;
use crate::memory::ReadOnly;
use crate::model::Model;

create_exception!(sinew, FatalError, PyException, "The engine could not go on.");
create_exception!(sinew, UnexpectedError, PyException, "The engine failed in an unexpected way.");

/// Why a call did not return.
enum Failure {
    /// The state was made for a model of other sizes.
    OtherModel,
    /// A callback wants to change the model it was called with.
    ReadOnly(ReadOnly),
    /// The engine panicked, or a callback raised an exception.
    Panic(Box<dyn Any + Send>),
}

/// Calls `f` on the model and the state, detached from the interpreter.
///
/// The model is always locked before the state, and both locks are released before the thread
/// attaches again, so threads cannot wait for each other in a circle.
pub(crate) fn run<R: Send>(
    py: Python<'_>,
    m: &Bound<'_, Model>,
    d: &Bound<'_, Data>,
    f: impl FnOnce(&sinew_model::Model, &mut sinew_model::Data) -> R + Send,
) -> PyResult<R> {
    let (m, d) = (m.get(), d.get());
    let result = py.detach(|| {
        let model = m.cell.read_detached();
        guarded(&model, d, |data| f(&model, data))
    });
    result.map_err(exception)
}

/// Like [`run`], with the user's callbacks as hooks.
pub(crate) fn run_with<R: Send>(
    m: &Bound<'_, Model>,
    d: &Bound<'_, Data>,
    f: impl FnOnce(&sinew_model::Model, &mut sinew_model::Data, &mut Callbacks<'_>) -> R + Send,
) -> PyResult<R> {
    let py = m.py();
    Callbacks::prepare(m)?;
    let (m, d) = (m.as_unbound(), d.as_unbound());
    let result = py.detach(|| {
        let model = m.get().cell.read_detached();
        let mut hooks = Callbacks::new(m, &model, d);
        guarded(&model, d.get(), |data| f(&model, data, &mut hooks))
    });
    result.map_err(exception)
}

/// Calls `f` several times; others may look at the state in between.
pub(crate) fn repeat(
    m: &Bound<'_, Model>,
    d: &Bound<'_, Data>,
    times: i64,
    f: impl Fn(&sinew_model::Model, &mut sinew_model::Data, &mut Callbacks<'_>) + Sync,
) -> PyResult<()> {
    let py = m.py();
    Callbacks::prepare(m)?;
    let (m, d) = (m.as_unbound(), d.as_unbound());
    let result = py.detach(|| {
        (0..times).try_for_each(|_| {
            let model = m.get().cell.read_detached();
            let mut hooks = Callbacks::new(m, &model, d);
            let result = guarded(&model, d.get(), |data| f(&model, data, &mut hooks));
            d.get().cell.let_others_in();
            result
        })
    });
    result.map_err(exception)
}

/// Like [`run`], for functions that also change the model. They work on a copy, whose contents then
/// go where the tables are that numpy looks at.
pub(crate) fn run_mut<R: Send>(
    m: &Bound<'_, Model>,
    d: &Bound<'_, Data>,
    f: impl FnOnce(&mut sinew_model::Model, &mut sinew_model::Data, &mut Callbacks<'_>) -> R + Send,
) -> PyResult<R> {
    let py = m.py();
    Callbacks::prepare(m)?;
    let (m, d) = (m.as_unbound(), d.as_unbound());
    let result = py.detach(|| {
        let mut model = m.get().cell.write_detached().map_err(Failure::ReadOnly)?;
        let mut copy = model.clone();
        let mut hooks = Callbacks::new(m, &model, d);
        let result = guarded(&model, d.get(), |data| f(&mut copy, data, &mut hooks));
        if result.is_ok() {
            model.copy_from(&copy);
        }
        result
    });
    result.map_err(exception)
}

/// Locks the state and calls `f` on it; state arrays are where they were when it returns.
fn guarded<R>(
    m: &sinew_model::Model,
    d: &Data,
    f: impl FnOnce(&mut sinew_model::Data) -> R,
) -> Result<R, Failure> {
    let mut data = d.cell.write_detached().map_err(Failure::ReadOnly)?;
    if !fits(m, &data) {
        return Err(Failure::OtherModel);
    }
    let result = catch_unwind(AssertUnwindSafe(|| f(&mut data))).map_err(Failure::Panic);
    if cfg!(debug_assertions) || result.is_err() {
        d.check_places(&data);
    }
    result
}

fn exception(failure: Failure) -> PyErr {
    match failure {
        Failure::OtherModel => PyTypeError::new_err("the data was made for another model"),
        Failure::ReadOnly(e) => e.into(),
        Failure::Panic(panic) => panic.downcast().map_or_else(|panic| fatal(&*panic), |e| *e),
    }
}

/// Calls `f` on the model; a panic becomes an exception.
pub(crate) fn with_model<R>(
    m: &Bound<'_, Model>,
    f: impl FnOnce(&sinew_model::Model) -> R,
) -> PyResult<R> {
    let model = m.get().cell.read(m.py());
    catch_unwind(AssertUnwindSafe(|| f(&model))).map_err(|panic| fatal(&*panic))
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

/// The exception for a panic in the engine.
pub(crate) fn fatal(panic: &(dyn Any + Send)) -> PyErr {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
    FatalError::new_err(text.unwrap_or("the engine stopped").to_owned())
}
