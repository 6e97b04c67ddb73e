//! Finds the cause of a bad state in a simulation, and remedies.
//!
//! [`check`] examines a model before its first step. [`Watch`] records the recent past of a
//! simulation at negligible cost. After a bad state [`Watch::diagnose`] repeats the recorded steps
//! and finds the step, joint, body and contact. Rules list suspects, and each remedy is tried on a
//! copy of the model. The cause is the first suspect whose remedy keeps the same run finite.
//!
//! The rules compare motions with the time step h. A force of stiffness k on an inertia I
//! oscillates at ω = √(k/I), and semi-implicit Euler is stable while hω < 2. An explicit damper b
//! is stable while h b/I < 2. [`modes`] finds the fastest such motion of a whole model, so that
//! coupled joints and flexible bodies are examined together.

mod bad_state;
mod change;
mod check;
mod checked;
mod diagnosis;
mod element;
mod explicit;
mod finding;
pub mod modes;
mod rerun;
mod rows;
mod scaling;
mod shapes;
mod shares;
mod signs;
mod soft;
mod start;
mod suspects;
mod values;
mod watch;

pub use bad_state::BadState;
pub use change::{Change, Edit};
pub use check::check;
pub use checked::step_checked;
pub use diagnosis::{Diagnosis, NoDiagnosis};
pub use element::Element;
pub use explicit::flex_instability;
pub use finding::{Cause, Finding, Remedy, Weight};
pub use signs::Signs;
pub use watch::{Watch, bad_states};
