//! What the kernel does not do.

use core::fmt;

use sinew_model::Model;

/// Features of a model that the kernel does not have, each once, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsupported {
    /// The features.
    pub features: Vec<String>,
}

impl fmt::Display for Unsupported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "not on a GPU yet: {}", self.features.join(", "))
    }
}

impl core::error::Error for Unsupported {}

pub(super) fn check(_m: &Model) -> Result<(), Unsupported> {
    Ok(())
}
