//! A reproducible load for benchmarks and surveys.
//!
//! A [`Rollout`] steps a model with pseudo-random controls that depend on the step alone, so that
//! every engine and every repetition does the same work.

mod choices;
mod rollout;
pub mod soak;

pub use choices::with_every_choice;
pub use rollout::{Load, Rollout, RolloutError, StepTotals, process_seconds, thread_seconds};
