//! User-defined parts of the pipeline: controls, passive forces, filters, actuators and sensors.
//!
//! MuJoCo has global callbacks for these; here they are a value passed to
//! [`step_with`](crate::step_with) or [`forward_with`](crate::forward_with). The pipeline is
//! compiled once for each type of hooks, and that for `()`, which adds nothing, has no trace of
//! them.

use sinew_model::enums::Stage;
use sinew_model::nesting::user_code;
use sinew_model::{ActuatorId, Data, GeomId, Model};

/// Code of the user that the pipeline calls. Every method has a default that adds nothing.
pub trait Hooks {
    /// Sets controls or applied forces from positions and velocities, which are known.
    ///
    /// Not called by `forward` and `step` where actuation is disabled. Runge-Kutta calls it at each
    /// of its four evaluations.
    #[doc(alias = "mjcb_control")]
    fn control(&mut self, _m: &Model, _d: &mut Data) {}

    /// Adds to `qfrc_passive`. Not called where springs and dampers are both disabled.
    #[doc(alias = "mjcb_passive")]
    fn passive(&mut self, _m: &Model, _d: &mut Data) {}

    /// The rate of the activation of an actuator with `dyntype="user"`. If it has several
    /// activations, they are at rest until this writes `act_dot`, and the result is ignored.
    #[doc(alias = "mjcb_act_dyn")]
    fn act_dyn(&mut self, _m: &Model, _d: &mut Data, _actuator: ActuatorId) -> f64 {
        0.0
    }

    /// The gain of an actuator with `gaintype="user"`.
    #[doc(alias = "mjcb_act_gain")]
    fn act_gain(&mut self, _m: &Model, _d: &mut Data, _actuator: ActuatorId) -> f64 {
        1.0
    }

    /// The bias of an actuator with `biastype="user"`.
    #[doc(alias = "mjcb_act_bias")]
    fn act_bias(&mut self, _m: &Model, _d: &mut Data, _actuator: ActuatorId) -> f64 {
        0.0
    }

    /// Whether `contact_filter` decides which geoms may collide.
    fn filters_contacts(&self) -> bool {
        false
    }

    /// Whether two geoms, ordered by type, are not to collide. If `filters_contacts`, this replaces
    /// the test of their `contype` and `conaffinity`. The test of their bodies, which have the bits
    /// of all their geoms, remains. Not called for explicit pairs, nor for geoms whose bounds do
    /// not overlap. Contacts are not listed in the state before all are found.
    #[doc(alias = "mjcb_contactfilter")]
    fn contact_filter(&mut self, _m: &Model, _d: &mut Data, _pair: [GeomId; 2]) -> bool {
        false
    }

    /// The time, in a unit of the user's choice, by which stages are timed in `timer`. The engine
    /// itself never looks at a clock.
    #[doc(alias = "mjcb_time")]
    fn time(&mut self) -> f64 {
        0.0
    }

    /// Whether any of these reads frames of cameras and lights, or the energy. Where none does,
    /// Runge-Kutta computes them only at evaluations after which they can be seen.
    fn reads_views(&self) -> bool {
        true
    }

    /// Whether no method does anything. Other hooks are counted while they run. User code that
    /// calls itself through the engine without end panics with its name, before the stack overflows
    /// ([`MAX_NESTED`](sinew_model::nesting::MAX_NESTED)).
    fn adds_nothing(&self) -> bool {
        false
    }

    /// Writes the user sensors of a stage into `sensordata`, where they are zero; cutoffs are
    /// applied afterwards. Called once in each stage that has user sensors.
    #[doc(alias = "mjcb_sensor")]
    fn sensor(&mut self, _m: &Model, _d: &mut Data, _stage: Stage) {}
}

/// Adds nothing.
impl Hooks for () {
    fn reads_views(&self) -> bool {
        false
    }

    fn adds_nothing(&self) -> bool {
        true
    }
}

/// Adds nothing either. Steps of four worlds have a separate type, so that the stages of single
/// worlds keep one caller, into which they are inlined. Otherwise small models take up to 7 %
/// longer.
pub(crate) struct Quiet;

impl Hooks for Quiet {
    fn reads_views(&self) -> bool {
        false
    }

    fn adds_nothing(&self) -> bool {
        true
    }
}

/// Calls a hook, with a bound on nested calls of user code.
#[inline(always)]
pub(crate) fn call<H: Hooks + ?Sized, R>(
    hooks: &mut H,
    name: &'static str,
    f: impl FnOnce(&mut H) -> R,
) -> R {
    if hooks.adds_nothing() {
        return f(hooks);
    }
    user_code(|| format!("the hook {name}"), || f(hooks))
}
