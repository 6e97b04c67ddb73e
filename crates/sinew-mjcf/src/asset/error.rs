//! Why an asset was rejected.

use core::fmt;

/// Why an asset was rejected, in MuJoCo's words; the caller adds the element's name and place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct AssetError {
    /// The message.
    pub(crate) message: String,
}

impl AssetError {
    /// An error with this message.
    pub(crate) fn new(message: impl Into<String>) -> Self {
        AssetError { message: message.into() }
    }
}

impl fmt::Display for AssetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl core::error::Error for AssetError {}
