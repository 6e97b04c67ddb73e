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
//! [`Model`] is constant while a simulation runs and is shared by many [`Data`]; `Data` owns the
//! state and everything computed from it, and `clone` branches a simulation. Both have MuJoCo's
//! fields under MuJoCo's names. Behaviour is free functions that take the model, the data and then
//! the rest: [`step`](fn@step), [`forward`], and every stage of the pipeline in [`engine`].
//!
//! Bad input is an [`Error`] with a place and a suggestion. A state that goes bad is counted in
//! `data.warning`, as in MuJoCo; [`step_checked`] returns it as an error instead, and [`diagnose`]
//! finds the cause, and what value would hold.
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
pub use sinew_engine::{Distance, Hooks, geom_distance, reset_data, reset_data_keyframe};
pub use sinew_engine::{forward, forward_with, step, step_with};
pub use sinew_math::{Mat3, Quat, Vec3};
pub use sinew_mjcf::{Assets, LoadOptions, Loaded, spec::Spec};
pub use sinew_model::{
    ActuatorId, BodyId, CamId, Contact, Data, DofId, EqId, GeomId, JointId, KeyId, LightId, Model,
    NameError, SensorId, SiteId, TendonId,
};

/// What most programs use, for `use sinew::prelude::*`.
pub mod prelude {
    pub use crate::{Data, Model, Quat, Vec3, forward, load, load_str, step, step_checked};
}

/// The Rust of the book and of the README, as tests.
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
    #[doc = include_str!("../../../docs/divergence.md")]
    struct Divergence;
    #[doc = include_str!("../../../docs/inside/step.md")]
    struct Step;
}
