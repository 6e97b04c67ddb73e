//! Sinew: a physics engine in Rust that reads MJCF and computes the numbers of MuJoCo 3.5.0.
//!
//! ```
//! use sinew::Data;
//!
//! fn main() -> sinew::Result<()> {
//!     # std::env::set_current_dir("../../models").expect("the models are there");
//!     let model = sinew::load("arm.xml")?;
//!     let mut data = Data::new(&model);
//!     let hand = model.body("hand")?;
//!     while data.time < 0.1 {
//!         data.ctrl[0] = 0.3;
//!         sinew::step(&model, &mut data);
//!     }
//!     println!("{:?}", data.xpos[hand]);
//!     Ok(())
//! }
//! ```
//!
//! A [`Model`] is constant during a simulation and shared by many [`Data`]. `Data` owns the state
//! and all computed quantities; `clone` branches a simulation. Both have MuJoCo's fields under
//! MuJoCo's names. Functions take the model, the data and then other arguments: [`step`](fn@step),
//! [`forward`], and every stage of the pipeline in [`engine`].
//!
//! Bad input gives an [`Error`] with a place and a suggestion. A bad state is counted in
//! `data.warning`, as in MuJoCo. Alternatively, [`step_checked`] returns it as an error, and
//! [`diagnose`] finds its cause and a remedy.
//!
//! Sinew is independent of MuJoCo and of its makers.

mod checked;
pub mod diff;
mod error;
mod hash;
mod load;
pub mod softness;
pub mod summary;

pub use checked::step_checked;
pub use error::{Error, Result};
pub use hash::{model_hash, state_hash};
pub use load::{load, load_str, load_str_with, load_with};

pub use sinew_batch as batch;
pub use sinew_diagnose as diagnose;
pub use sinew_engine as engine;
pub use sinew_geom as geom;
pub use sinew_math as math;
pub use sinew_mjcf as mjcf;
pub use sinew_model as model;

pub use sinew_diagnose::BadState;
pub use sinew_engine::{Distance, Hooks};
pub use sinew_math::{Mat3, Quat, Vec3};
pub use sinew_mjcf::{AssetCache, Assets, LoadOptions, Loaded, spec::Spec};
pub use sinew_model::{
    ActuatorId, BodyId, CamId, Contact, Data, DofId, EqId, GeomId, JointId, KeyId, LightId, Model,
    NameError, SensorId, SiteId, TendonId,
};

/// Computes all quantities that follow from a state, up to the acceleration.
///
/// ```
/// let model = sinew::load_str(
///     "<mujoco><worldbody>
///        <body pos='0 0 2'><freejoint/><geom size='.1'/></body>
///      </worldbody></mujoco>",
/// )?;
/// let mut data = sinew::Data::new(&model);
/// sinew::forward(&model, &mut data);
/// assert!((data.qacc[2] + 9.81).abs() < 1e-12);
/// assert_eq!(data.xpos[1].z, 2.0);
/// # Ok::<(), sinew::Error>(())
/// ```
#[doc(inline)]
pub use sinew_engine::forward;

/// Computes [`forward`] with user-defined functions ([`Hooks`]).
///
/// ```
/// use sinew::{Data, Hooks, Model};
///
/// /// Pushes against the velocity.
/// struct Brake;
/// impl Hooks for Brake {
///     fn control(&mut self, _: &Model, d: &mut Data) {
///         d.ctrl[0] = -d.qvel[0];
///     }
/// }
///
/// let model = sinew::load_str(
///     "<mujoco><worldbody><body><joint name='x' type='slide'/><geom size='.1'/></body></worldbody>
///      <actuator><motor joint='x'/></actuator></mujoco>",
/// )?;
/// let mut data = Data::new(&model);
/// data.qvel[0] = 2.0;
/// sinew::forward_with(&model, &mut data, &mut Brake);
/// assert_eq!(data.actuator_force[0], -2.0);
/// # Ok::<(), sinew::Error>(())
/// ```
#[doc(inline)]
pub use sinew_engine::forward_with;

/// Advances the simulation by one time step.
///
/// ```
/// let model = sinew::load_str(
///     "<mujoco><worldbody><body><freejoint/><geom size='.1'/></body></worldbody></mujoco>",
/// )?;
/// let mut data = sinew::Data::new(&model);
/// for _ in 0..100 {
///     sinew::step(&model, &mut data);
/// }
/// assert!((data.time - 100.0 * model.opt.timestep).abs() < 1e-12);
/// assert!((data.qvel[2] + 9.81 * data.time).abs() < 1e-9);
/// # Ok::<(), sinew::Error>(())
/// ```
#[doc(inline)]
pub use sinew_engine::step;

/// Advances the simulation as [`step`](fn@step) does, with user-defined functions ([`Hooks`]).
///
/// ```
/// use sinew::{Data, Hooks, Model};
///
/// /// Holds a joint with a spring of its own.
/// struct Spring;
/// impl Hooks for Spring {
///     fn passive(&mut self, _: &Model, d: &mut Data) {
///         d.qfrc_passive[0] -= 50.0 * d.qpos[0];
///     }
/// }
///
/// let model = sinew::load_str(
///     "<mujoco><worldbody>
///        <body><joint type='slide'/><geom size='.1'/></body>
///      </worldbody></mujoco>",
/// )?;
/// let mut data = Data::new(&model);
/// data.qpos[0] = 0.1;
/// sinew::step_with(&model, &mut data, &mut Spring);
/// assert!(data.qvel[0] < 0.0);
/// # Ok::<(), sinew::Error>(())
/// ```
#[doc(inline)]
pub use sinew_engine::step_with;

/// Derivatives of a step by state and controls, in closed form.
///
/// The book's page on derivatives says which models have them.
///
/// ```
/// let model = sinew::load_str(
///     "<mujoco><worldbody>
///        <body><joint name='slide' type='slide'/><geom size='.1' mass='2'/></body>
///      </worldbody><actuator><motor joint='slide'/></actuator></mujoco>",
/// )?;
/// let mut data = sinew::Data::new(&model);
/// let (mut a, mut b) = ([0.0; 4], [0.0; 2]);
/// let out = sinew::Transition { a: Some(&mut a), b: Some(&mut b), ..Default::default() };
/// sinew::transition(&model, &mut data, out).expect("all parts have derivatives");
///
/// // half the time step: the mass is 2 kg
/// let h = model.opt.timestep;
/// assert_eq!(a, [1.0, h, 0.0, 1.0]);
/// assert!((b[1] - h / 2.0).abs() < 1e-15);
/// # Ok::<(), sinew::Error>(())
/// ```
#[doc(inline)]
pub use sinew_engine::transition;

/// Products with the derivatives of a step, without the matrices.
///
/// ```
/// let model = sinew::load_str(
///     "<mujoco><worldbody>
///        <body><joint name='slide' type='slide'/><geom size='.1' mass='2'/></body>
///      </worldbody><actuator><motor joint='slide'/></actuator></mujoco>",
/// )?;
/// let mut data = sinew::Data::new(&model);
///
/// // how the velocity after the step depends on what goes into the step
/// let (mut state, mut ctrl) = ([0.0; 2], [0.0]);
/// let out = sinew::StepGradient { state: &mut state, ctrl: &mut ctrl };
/// sinew::step_vjp(&model, &mut data, &[0.0, 1.0], out).expect("all parts have derivatives");
/// assert_eq!(state, [0.0, 1.0]);
/// assert!((ctrl[0] - model.opt.timestep / 2.0).abs() < 1e-15);
/// # Ok::<(), sinew::Error>(())
/// ```
#[doc(inline)]
pub use sinew_engine::{step_jvp, step_vjp};

#[doc(inline)]
pub use sinew_engine::{StepGradient, Switches, Transition, TransitionError};

/// Resets a state to the initial state.
///
/// ```
/// let model = sinew::load_str(
///     "<mujoco><worldbody><body><freejoint/><geom size='.1'/></body></worldbody></mujoco>",
/// )?;
/// let mut data = sinew::Data::new(&model);
/// sinew::step(&model, &mut data);
/// sinew::reset_data(&model, &mut data);
/// assert_eq!((data.time, data.qvel[2]), (0.0, 0.0));
/// # Ok::<(), sinew::Error>(())
/// ```
#[doc(inline)]
pub use sinew_engine::reset_data;

/// Resets a state to a keyframe of the model.
///
/// ```
/// let model = sinew::load_str(
///     "<mujoco><worldbody><body><joint/><geom size='.1' pos='1 0 0'/></body></worldbody>
///      <keyframe><key name='bent' qpos='0.5'/></keyframe></mujoco>",
/// )?;
/// let mut data = sinew::Data::new(&model);
/// sinew::reset_data_keyframe(&model, &mut data, model.key("bent")?.idx());
/// assert_eq!(data.qpos[0], 0.5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[doc(inline)]
pub use sinew_engine::reset_data_keyframe;

/// Distance between two geoms, with the nearest points.
///
/// ```
/// let model = sinew::load_str(
///     "<mujoco><worldbody><geom name='a' size='1'/><geom name='b' size='1' pos='3 0 0'/>
///      </worldbody></mujoco>",
/// )?;
/// let mut data = sinew::Data::new(&model);
/// sinew::forward(&model, &mut data);
/// let [a, b] = [model.geom("a")?, model.geom("b")?];
/// let found = sinew::geom_distance(&model, &mut data, a, b, 10.0);
/// assert!((found.dist - 1.0).abs() < 1e-12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[doc(inline)]
pub use sinew_engine::geom_distance;

/// Common names, for `use sinew::prelude::*`.
pub mod prelude {
    pub use crate::{Data, Model, Quat, Vec3, forward, load, load_str, step, step_checked};
}

/// Code blocks of the README and the book, as tests.
#[cfg(doctest)]
mod book {
    #[doc = include_str!("../../../README.md")]
    struct Readme;
    #[doc = include_str!("../../../docs/first-robot.md")]
    struct FirstRobot;
    #[doc = include_str!("../../../docs/modelling.md")]
    struct Modelling;
    #[doc = include_str!("../../../docs/coulomb.md")]
    struct Coulomb;
    #[doc = include_str!("../../../docs/derivatives.md")]
    struct Derivatives;
    #[doc = include_str!("../../../docs/divergence.md")]
    struct Divergence;
    #[doc = include_str!("../../../docs/inside/step.md")]
    struct Step;
}
