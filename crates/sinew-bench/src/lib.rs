//! Sinew under a reproducible load, for timing and for racing other engines.
//!
//! [`Rollout`] steps a model under pseudo-random controls that are a function of the step alone, so
//! that every engine and every repetition does the same work. `race` exports it as six C functions;
//! a program loads the same six from a library of each engine and lets them take turns.

mod choices;
pub mod race;
mod rollout;
pub mod soak;

pub use choices::with_every_choice;
pub use rollout::{Load, Rollout, RolloutError, Work, process_seconds, thread_seconds};
