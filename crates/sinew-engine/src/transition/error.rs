//! Why a step has no derivative here.

use sinew_model::Model;
use sinew_model::enums::ObjType;

/// Why the derivatives of a step could not be computed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TransitionError {
    /// A part of the model has no derivative.
    Unsupported {
        /// The part, and its name where it has one.
        part: String,
    },
    /// An output has the wrong length.
    Length {
        /// Name of the output.
        name: &'static str,
        /// The length found.
        found: usize,
        /// The length that the model needs.
        wanted: usize,
    },
    /// The state, or the acceleration that follows from it, is not finite or too large.
    BadState {
        /// The field of the data.
        field: &'static str,
        /// The place in it.
        index: usize,
    },
}

impl core::fmt::Display for TransitionError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Unsupported { part } => write!(f, "{part}: no analytic derivative"),
            Self::Length { name, found, wanted } => {
                write!(f, "{name} has {found} numbers, the model asks for {wanted}")
            }
            Self::BadState { field, index } => {
                write!(f, "{field}[{index}] is not finite or too large")
            }
        }
    }
}

impl core::error::Error for TransitionError {}

/// An error that names a property of the model.
pub(super) fn unsupported<T>(part: &str) -> Result<T, TransitionError> {
    Err(TransitionError::Unsupported { part: part.to_owned() })
}

/// An error that names an object of the model and says which property of it.
pub(super) fn unsupported_object<T>(
    m: &Model,
    kind: ObjType,
    id: usize,
    property: &str,
) -> Result<T, TransitionError> {
    let element = match kind {
        ObjType::Joint => "joint",
        ObjType::Tendon => "tendon",
        ObjType::Actuator => "actuator",
        ObjType::Equality => "equality",
        ObjType::Flex => "flex",
        ObjType::Sensor => "sensor",
        ObjType::Body => "body",
        _ => "plugin",
    };
    let object = match m.id2name(kind, id) {
        Some(name) if !name.is_empty() => format!("{element} '{name}'"),
        _ => format!("{element} {id}"),
    };
    Err(TransitionError::Unsupported { part: format!("{object} ({property})") })
}
