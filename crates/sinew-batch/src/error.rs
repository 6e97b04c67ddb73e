//! What can go wrong with a batch.

use core::fmt;

/// Why a batch does not do what it was asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BatchError {
    /// There are no worlds, or no models for them.
    Empty,
    /// The models of the worlds differ in the shape of a field.
    Shapes {
        /// The field.
        field: String,
        /// The first world whose model differs from that of world 0.
        world: usize,
    },
    /// There is no such field.
    Unknown {
        /// What was asked for.
        field: String,
        /// Of what: a model or a state.
        of: &'static str,
    },
    /// The field has a different number of rows in every world.
    List(String),
    /// The field is not a parameter: it says how the model is built.
    Structure(String),
    /// A vector or mask has the wrong length.
    Length {
        /// What it is.
        what: &'static str,
        /// The length found.
        found: usize,
        /// The length wanted.
        wanted: usize,
    },
    /// There is no such world.
    World {
        /// The world asked for.
        found: usize,
        /// How many there are.
        worlds: usize,
    },
    /// A world's own parameters make no model, or a state cannot be read or written.
    Invalid {
        /// The world.
        world: usize,
        /// Why.
        text: String,
    },
    /// The engine stopped in a world, whose state is as before; the others have gone on.
    Stopped {
        /// The world.
        world: usize,
        /// What it said.
        text: String,
    },
    /// Threads could not be started.
    Threads(String),
}

impl fmt::Display for BatchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BatchError::Empty => write!(f, "a batch has at least one world"),
            BatchError::Shapes { field, world } => {
                write!(f, "'{field}' of world {world} has another shape than that of world 0")
            }
            BatchError::Unknown { field, of } => write!(f, "a {of} has no field '{field}'"),
            BatchError::List(field) => write!(
                f,
                "'{field}' has a length of its own in every world, so there is no array of it: take \
                 the data of a single world"
            ),
            BatchError::Structure(field) => {
                write!(f, "'{field}' says how the model is built and cannot differ by world")
            }
            BatchError::Length { what, found, wanted } => {
                write!(f, "{what} has {found} numbers, wanted {wanted}")
            }
            BatchError::World { found, worlds } => {
                write!(f, "world {found} does not exist, there are {worlds}")
            }
            BatchError::Invalid { world, text } => write!(f, "world {world}: {text}"),
            BatchError::Stopped { world, text } => {
                write!(f, "world {world}: the engine stopped: {text}")
            }
            BatchError::Threads(text) => write!(f, "threads could not be started: {text}"),
        }
    }
}

impl core::error::Error for BatchError {}
