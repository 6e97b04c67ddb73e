//! Sinew under a reproducible load, for timing and for surveys.
//!
//! [`Rollout`] steps a model under pseudo-random controls that are a function of the step alone, so
//! that every engine and every repetition does the same work.

mod choices;
mod rollout;
pub mod soak;

pub use choices::with_every_choice;
pub use rollout::{Load, Rollout, RolloutError, Work, process_seconds, thread_seconds};
