//! The error type of the façade.

use core::fmt;

use sinew_diagnose::BadState;

/// Result of the fallible functions of this crate.
pub type Result<T> = core::result::Result<T, Error>;

/// An error of the façade.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// A model cannot be read or compiled; the message has the place and the expected input.
    Load(sinew_mjcf::diag::Error),
    /// No object has this name.
    Name(sinew_model::NameError),
    /// A state vector or keyframe does not fit the model.
    State(sinew_model::state::StateError),
    /// The simulation has a bad state; see [`step_checked`](crate::step_checked).
    BadState(BadState),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Load(e) => e.fmt(f),
            Error::Name(e) => e.fmt(f),
            Error::State(e) => e.fmt(f),
            Error::BadState(e) => e.fmt(f),
        }
    }
}

impl core::error::Error for Error {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        // the display of this error is the inner error's, so that chains do not repeat it
        match self {
            Error::Load(e) => e.source(),
            Error::Name(e) => e.source(),
            Error::State(e) => e.source(),
            Error::BadState(e) => e.source(),
        }
    }
}

impl From<sinew_mjcf::diag::Error> for Error {
    fn from(e: sinew_mjcf::diag::Error) -> Self {
        Error::Load(e)
    }
}

impl From<sinew_model::NameError> for Error {
    fn from(e: sinew_model::NameError) -> Self {
        Error::Name(e)
    }
}

impl From<sinew_model::state::StateError> for Error {
    fn from(e: sinew_model::state::StateError) -> Self {
        Error::State(e)
    }
}

impl From<BadState> for Error {
    fn from(e: BadState) -> Self {
        Error::BadState(e)
    }
}
