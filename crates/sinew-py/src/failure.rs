//! Failures of calls into the engine, and their exceptions.

use std::any::Any;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};

use pyo3::create_exception;
use pyo3::exceptions::{
    PyException, PyNotImplementedError, PyRecursionError, PyTypeError, PyValueError,
};
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use sinew_engine::TransitionError;
use sinew_model::nesting::UserCall;
use sinew_model::validate::InvalidData;

use crate::lock::Busy;

create_exception!(mujoco, FatalError, PyException, "The engine cannot continue.");
create_exception!(mujoco, UnexpectedError, PyException, "The engine failed unexpectedly.");

/// Reason why a call did not complete.
pub(crate) enum Failure {
    /// The state belongs to a model of other sizes.
    OtherModel,
    /// The state is in use.
    Busy(Busy),
    /// A value of the state refers to nothing.
    Invalid(InvalidData),
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

pub(crate) fn exception(failure: Failure) -> PyErr {
    match failure {
        Failure::OtherModel => PyTypeError::new_err("the data was made for another model"),
        Failure::Busy(e) => e.into(),
        Failure::Invalid(invalid) => PyValueError::new_err(invalid.to_string()),
        Failure::Panic(panic) => panic.downcast().map_or_else(|panic| fatal(&*panic), |e| *e),
    }
}

/// Calls user code in Python: plugins, callbacks, handlers of warnings. A RecursionError ends
/// nested calls.
pub(crate) fn user_code<R>(
    what: impl FnOnce() -> String,
    f: impl FnOnce() -> PyResult<R>,
) -> PyResult<R> {
    let call = UserCall::enter(what).map_err(|e| PyRecursionError::new_err(e.to_string()));
    call.and_then(|_call| f())
}

/// Calls a function of the user, with a name for the error of nested calls.
#[pyfunction]
#[pyo3(signature = (name, function, *args))]
fn call_user<'py>(
    name: &str,
    function: &Bound<'py, PyAny>,
    args: &Bound<'py, PyTuple>,
) -> PyResult<Bound<'py, PyAny>> {
    user_code(|| name.to_owned(), || function.call1(args))
}

thread_local! {
    /// Depth of nested calls of [`quiet`] in this thread.
    static QUIET: Cell<usize> = const { Cell::new(0) };
}

/// Calls `f` and catches a panic without printing it.
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

/// The exception for MuJoCo's fatal errors.
pub(crate) fn refuse(text: String) -> PyErr {
    FatalError::new_err(text)
}

/// The exception for a panic in the engine.
pub(crate) fn fatal(panic: &(dyn Any + Send)) -> PyErr {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
    FatalError::new_err(text.unwrap_or("the engine stopped").to_owned())
}

/// The exception for steps without derivative or with a bad state.
pub(crate) fn transition_error(error: &TransitionError, text: String) -> PyErr {
    match error {
        TransitionError::Unsupported { .. } => PyNotImplementedError::new_err(text),
        _ => PyValueError::new_err(text),
    }
}

/// Suppresses the output of caught panics, and adds the functions to the module.
pub(crate) fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        if QUIET.get() == 0 {
            usual(info);
        }
    }));
    m.add_function(wrap_pyfunction!(call_user, m)?)
}
