//! Why a simulation goes bad, and what value would hold.
//!
//! [`check`] looks at a model before its first step. [`Watch`] goes along with a simulation at next
//! to no cost, and after a step that went bad [`Watch::diagnose`] runs the last states again: it
//! finds the step, joint, body and contact, lists what is suspicious, and then tries each remedy on
//! a copy of the model. The cause is the first suspect whose remedy makes the same run hold.
//!
//! The rules are about time steps. A force that grows with a displacement, of stiffness k on an
//! inertia I, oscillates at ω = √(k/I), and semi-implicit Euler follows it while hω < 2; a damper b
//! that is not treated implicitly holds while h b/I < 2. [`modes`] finds the fastest such motion of
//! a whole model, so that coupled joints and flexible bodies are judged by what they do together.

mod bad_state;
mod change;
mod check;
mod checked;
mod diagnosis;
mod explicit;
mod finding;
pub mod modes;
mod part;
mod rerun;
mod rows;
mod scaling;
mod shapes;
mod shares;
mod start;
mod suspects;
mod watch;

pub use bad_state::BadState;
pub use change::{Change, Edit};
pub use check::check;
pub use checked::step_checked;
pub use diagnosis::Diagnosis;
pub use explicit::flex_instability;
pub use finding::{Cause, Finding, Remedy, Weight};
pub use part::Part;
pub use watch::{Watch, bad_states};
