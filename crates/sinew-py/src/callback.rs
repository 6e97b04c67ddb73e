//! MuJoCo's callbacks: Python functions that the engine calls as hooks.

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use pyo3::IntoPyObjectExt;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use sinew_engine::Hooks;
use sinew_model::enums::Stage;
use sinew_model::{ActuatorId, GeomId};

use crate::data::Data;
use crate::failure::user_code;
use crate::model::Model;

/// Kind of a callback.
#[derive(Clone, Copy)]
enum CallbackKind {
    Control,
    Passive,
    ActDyn,
    ActGain,
    ActBias,
    Sensor,
    Time,
    ContactFilter,
}

impl CallbackKind {
    /// MuJoCo's name of a callback that returns a number.
    const fn name(self) -> &'static str {
        match self {
            CallbackKind::ActDyn => "mjcb_act_dyn",
            CallbackKind::ActGain => "mjcb_act_gain",
            CallbackKind::ActBias => "mjcb_act_bias",
            CallbackKind::Time => "mjcb_time",
            _ => "mjcb_contactfilter",
        }
    }
}

/// Number of kinds.
const COUNT: usize = 8;

/// The callbacks that the user has set: global for all models and threads, as in MuJoCo.
static FUNCTIONS: Mutex<[Option<Py<PyAny>>; COUNT]> = Mutex::new([const { None }; COUNT]);

/// One bit for each callback that is set; bit 8 means that the clock is the module's own. The
/// engine reads these bits before it attaches to the interpreter.
static SET: AtomicU32 = AtomicU32::new(OWN_CLOCK);
const OWN_CLOCK: u32 = 1 << 8;

/// Start of the default clock of timers.
static START: LazyLock<Instant> = LazyLock::new(Instant::now);

fn functions() -> MutexGuard<'static, [Option<Py<PyAny>>; COUNT]> {
    FUNCTIONS.lock().unwrap_or_else(PoisonError::into_inner)
}

fn is_set(kind: CallbackKind) -> bool {
    SET.load(Ordering::Relaxed) & (1 << kind as u32) != 0
}

/// Whether the user has set neither a callback nor a clock.
pub(crate) fn none_set() -> bool {
    SET.load(Ordering::Relaxed) == OWN_CLOCK
}

/// Replaces a callback and returns the old one, which is dropped outside the lock.
fn replace(kind: usize, function: Option<Py<PyAny>>) -> Option<Py<PyAny>> {
    let mut functions = functions();
    let bit = 1 << kind;
    if function.is_some() {
        SET.fetch_or(bit, Ordering::Relaxed);
    } else {
        SET.fetch_and(!bit, Ordering::Relaxed);
    }
    if kind == CallbackKind::Time as usize {
        match function.is_some() {
            true => SET.fetch_and(!OWN_CLOCK, Ordering::Relaxed),
            false => SET.fetch_or(OWN_CLOCK, Ordering::Relaxed),
        };
    }
    core::mem::replace(&mut functions[kind], function)
}

/// The hooks of a call into the engine, which look up the callbacks when they are needed.
pub(crate) struct Callbacks<'a> {
    m: &'a Py<Model>,
    d: &'a Py<Data>,
}

impl<'a> Callbacks<'a> {
    pub(crate) fn new(m: &'a Py<Model>, d: &'a Py<Data>) -> Self {
        Callbacks { m, d }
    }

    /// Calls a callback with model, state and optional numbers.
    ///
    /// An exception unwinds through the engine, as a panic does, to `call`, which raises it. The
    /// state stays as the completed stages left it, as in MuJoCo.
    fn call<R>(
        &self,
        kind: CallbackKind,
        d: &mut sinew_model::Data,
        numbers: &[i32],
        result: impl FnOnce(&Bound<'_, PyAny>) -> PyResult<R>,
    ) -> Option<R> {
        if !is_set(kind) {
            return None;
        }
        // the state is taken back after detaching from the interpreter, because its user may need
        // the interpreter
        let got = self.d.get().cell.lend(d, || {
            Python::attach(|py| {
                let Some(function) = functions()[kind as usize].as_ref().map(|f| f.clone_ref(py))
                else {
                    return Ok(None);
                };
                let objects = [self.m.as_any().clone_ref(py), self.d.as_any().clone_ref(py)];
                let numbers = numbers.iter().map(|n| n.into_py_any(py));
                let args: Vec<_> =
                    objects.into_iter().map(Ok).chain(numbers).collect::<PyResult<_>>()?;
                let got = function.bind(py).call1(PyTuple::new(py, args)?)?;
                result(&got).map(Some)
            })
        });
        self.d.get().count_call();
        got.unwrap_or_else(|e| resume_unwind(Box::new(e)))
    }

    fn actuator(
        &self,
        kind: CallbackKind,
        d: &mut sinew_model::Data,
        u: ActuatorId,
    ) -> Option<f64> {
        self.call(kind, d, &[u.idx() as i32], |x| number(kind, x))
    }
}

/// The return value of a callback as a number.
fn number(kind: CallbackKind, x: &Bound<'_, PyAny>) -> PyResult<f64> {
    x.extract().map_err(|_| {
        let name = kind.name();
        PyTypeError::new_err(format!("{name} callback did not return a number"))
    })
}

fn nothing(_: &Bound<'_, PyAny>) -> PyResult<()> {
    Ok(())
}

impl Hooks for Callbacks<'_> {
    fn control(&mut self, _m: &sinew_model::Model, d: &mut sinew_model::Data) {
        self.call(CallbackKind::Control, d, &[], nothing);
    }

    fn passive(&mut self, _m: &sinew_model::Model, d: &mut sinew_model::Data) {
        self.call(CallbackKind::Passive, d, &[], nothing);
    }

    fn act_dyn(
        &mut self,
        _m: &sinew_model::Model,
        d: &mut sinew_model::Data,
        u: ActuatorId,
    ) -> f64 {
        self.actuator(CallbackKind::ActDyn, d, u).unwrap_or(0.0)
    }

    fn act_gain(
        &mut self,
        _m: &sinew_model::Model,
        d: &mut sinew_model::Data,
        u: ActuatorId,
    ) -> f64 {
        self.actuator(CallbackKind::ActGain, d, u).unwrap_or(1.0)
    }

    fn act_bias(
        &mut self,
        _m: &sinew_model::Model,
        d: &mut sinew_model::Data,
        u: ActuatorId,
    ) -> f64 {
        self.actuator(CallbackKind::ActBias, d, u).unwrap_or(0.0)
    }

    fn sensor(&mut self, _m: &sinew_model::Model, d: &mut sinew_model::Data, stage: Stage) {
        self.call(CallbackKind::Sensor, d, &[stage.0], nothing);
    }

    fn filters_contacts(&self) -> bool {
        is_set(CallbackKind::ContactFilter)
    }

    fn contact_filter(
        &mut self,
        _m: &sinew_model::Model,
        d: &mut sinew_model::Data,
        pair: [GeomId; 2],
    ) -> bool {
        let pair = pair.map(|g| g.idx() as i32);
        let filter = |x: &Bound<'_, PyAny>| Ok(number(CallbackKind::ContactFilter, x)? != 0.0);
        self.call(CallbackKind::ContactFilter, d, &pair, filter).unwrap_or(false)
    }

    fn time(&mut self) -> f64 {
        if SET.load(Ordering::Relaxed) & OWN_CLOCK != 0 {
            return START.elapsed().as_secs_f64();
        }
        let got = Python::attach(|py| {
            let function =
                functions()[CallbackKind::Time as usize].as_ref().map(|f| f.clone_ref(py));
            let read = |f: Py<PyAny>| number(CallbackKind::Time, &f.bind(py).call0()?);
            let name = || CallbackKind::Time.name().to_owned();
            function.map_or(Ok(0.0), |f| user_code(name, || read(f)))
        });
        got.unwrap_or_else(|e: PyErr| resume_unwind(Box::new(e)))
    }
}

/// The name of a callback that changes the results of a step, if one is set.
pub(crate) fn any_set() -> Option<&'static str> {
    let kinds = [
        (CallbackKind::Control, "mjcb_control"),
        (CallbackKind::Passive, "mjcb_passive"),
        (CallbackKind::ActDyn, "mjcb_act_dyn"),
        (CallbackKind::ActGain, "mjcb_act_gain"),
        (CallbackKind::ActBias, "mjcb_act_bias"),
        (CallbackKind::Sensor, "mjcb_sensor"),
        (CallbackKind::ContactFilter, "mjcb_contactfilter"),
    ];
    kinds.into_iter().find(|(kind, _)| is_set(*kind)).map(|(_, name)| name)
}

/// Sets a callback; `None` removes it.
fn set(kind: usize, function: &Bound<'_, PyAny>) -> PyResult<()> {
    if function.is_none() {
        drop(replace(kind, None));
        return Ok(());
    }
    if !function.is_callable() {
        return Err(PyTypeError::new_err("callback is not an Optional[Callable]"));
    }
    let pointer = function.py().import("ctypes")?.getattr("_CFuncPtr")?;
    if function.is_instance(&pointer)? {
        let text = "a C function expects MuJoCo's own structs, which there are none of here; \
                    pass a Python function";
        return Err(PyTypeError::new_err(text));
    }
    drop(replace(kind, Some(function.clone().unbind())));
    Ok(())
}

/// Removes all callbacks.
#[pyfunction]
fn mj_resetCallbacks() {
    for kind in 0..COUNT {
        drop(replace(kind, None));
    }
}

/// Declares the functions that set and get a callback.
macro_rules! callbacks {
    ($($set:ident $get:ident $kind:ident;)*) => {
        $(
            #[doc = concat!("Sets the callback of ", stringify!($kind), "; None removes it.")]
            #[pyfunction]
            fn $set(callback: &Bound<'_, PyAny>) -> PyResult<()> {
                set(CallbackKind::$kind as usize, callback)
            }

            #[doc = concat!("The callback of ", stringify!($kind), ", or None.")]
            #[pyfunction]
            fn $get(py: Python<'_>) -> Option<Py<PyAny>> {
                functions()[CallbackKind::$kind as usize].as_ref().map(|f| f.clone_ref(py))
            }
        )*

        /// Adds the functions to the module.
        pub(crate) fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
            LazyLock::force(&START);
            $(
                m.add_function(wrap_pyfunction!($set, m)?)?;
                m.add_function(wrap_pyfunction!($get, m)?)?;
            )*
            m.add_function(wrap_pyfunction!(mj_resetCallbacks, m)?)
        }
    };
}

callbacks! {
    set_mjcb_control get_mjcb_control Control;
    set_mjcb_passive get_mjcb_passive Passive;
    set_mjcb_act_dyn get_mjcb_act_dyn ActDyn;
    set_mjcb_act_gain get_mjcb_act_gain ActGain;
    set_mjcb_act_bias get_mjcb_act_bias ActBias;
    set_mjcb_sensor get_mjcb_sensor Sensor;
    set_mjcb_time get_mjcb_time Time;
    set_mjcb_contactfilter get_mjcb_contactfilter ContactFilter;
}
