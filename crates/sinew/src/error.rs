//! One error for everything a user of the façade can get wrong.

use core::fmt;

use sinew_diagnose::BadState;

/// The result of everything in this crate that can fail.
pub type Result<T> = core::result::Result<T, Error>;

/// What went wrong.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// A model could not be read or compiled; says where and what was wanted.
    Load(sinew_mjcf::diag::Error),
    /// There is no object of that name.
    Name(sinew_model::NameError),
    /// A state vector or keyframe does not fit the model.
    State(sinew_model::state::StateError),
    /// The simulation went bad; see [`step_checked`](crate::step_checked).
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
        // the error within speaks for itself, so that chains do not say everything twice
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
