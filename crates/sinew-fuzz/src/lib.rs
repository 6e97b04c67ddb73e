//! Hostile input for everything that reads something from outside.
//!
//! A *target* turns the number of a case into an input, gives it to a reader, and lets what was
//! accepted go through the engine. The same number is the same input on every machine, so a failure
//! is named by two words: the target and the number. `cargo xtask fuzz` runs targets in child
//! processes with limits on time and memory; the tests of this crate run a few cases of each, and
//! the inputs that failed once, which are kept in its folder `corpus`.

pub mod corpus;
pub mod coverage;
pub mod exercise;
pub mod guided;
pub mod mutate;
pub mod run;
pub mod target;

pub use target::{TARGETS, Target};

/// What became of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It was accepted, and went through all that follows.
    Accepted,
    /// It was refused with a reason.
    Refused,
}

/// Refused, after a look at the reason.
///
/// # Panics
/// Where the reason has no words.
pub fn refused(reason: &dyn std::fmt::Display) -> Outcome {
    assert!(!reason.to_string().trim().is_empty(), "an error without words");
    Outcome::Refused
}

/// Reads a model file, XML or MJB, and lets it go through the engine.
///
/// # Errors
/// Where it is refused: the first line of the reason.
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
