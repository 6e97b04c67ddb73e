//! Fuzzing of every reader of external input.
//!
//! A *target* generates an input from a seed, passes it to a reader, and exercises the engine with
//! an accepted model. The same seed gives the same input on every machine, so a target and a seed
//! identify a failure. The command `cargo xtask fuzz` runs targets in child processes with limits
//! on time and memory. The tests of this crate run a few cases of each target, and the former
//! failures in its folder `corpus`.

pub mod corpus;
pub mod coverage;
pub mod exercise;
pub mod guided;
pub mod mutate;
pub mod run;
pub mod target;

pub use target::{TARGETS, Target};

/// Result of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The input was accepted, and the engine handled it.
    Accepted,
    /// The input was rejected with a message.
    Refused,
}

/// Returns `Refused` for an error with a message.
///
/// # Panics
/// If the message is empty.
pub fn refused(reason: &dyn std::fmt::Display) -> Outcome {
    assert!(!reason.to_string().trim().is_empty(), "an error without words");
    Outcome::Refused
}

/// Reads a model file, XML or MJB, and exercises the engine with it.
///
/// # Errors
/// If the file is rejected: the first line of the message.
pub fn read_model(path: &std::path::Path) -> Result<(), String> {
    let first_line = |text: String| text.lines().next().unwrap_or("no reason").to_owned();
    let mut model = if path.extension().is_some_and(|e| e == "mjb") {
        let bytes = std::fs::read(path).map_err(|e| e.to_string())?;
        let plugins = sinew::LoadOptions::default().plugins;
        sinew::Model::from_binary_with(&bytes, &plugins).map_err(|e| first_line(e.to_string()))?
    } else {
        sinew::load(path).map_err(|e| first_line(e.to_string()))?
    };
    exercise::exercise_all(&mut sinew_testkit::Random::new(1), &mut model);
    Ok(())
}
