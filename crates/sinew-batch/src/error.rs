//! Errors of a batch.

use core::fmt;

use sinew_engine::TransitionError;
use sinew_gpu::GpuError;

use crate::panic::Panic;

/// Reasons why a batch rejects a call.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BatchError {
    /// The batch has no worlds or no models.
    Empty,
    /// The models of the worlds differ in the shape of a field.
    Shapes {
        /// Name of the field.
        field: String,
        /// The first world whose model differs from that of world 0.
        world: usize,
    },
    /// The field does not exist.
    Unknown {
        /// Name of the requested field.
        field: String,
        /// Owner of the field: a model or a state.
        of: &'static str,
        /// A field with a similar name.
        nearest: Option<&'static str>,
    },
    /// The field is a list whose length differs by world.
    List(String),
    /// The field determines the model's structure and cannot be a parameter.
    Structure(String),
    /// A vector or mask has the wrong length.
    Length {
        /// Name of the argument.
        what: &'static str,
        /// Actual length.
        found: usize,
        /// Expected length.
        wanted: usize,
    },
    /// The world does not exist.
    World {
        /// The requested world.
        found: usize,
        /// Number of worlds.
        worlds: usize,
    },
    /// A world's parameters make no valid model, or its state cannot be read or written.
    Invalid {
        /// Index of the world.
        world: usize,
        /// Reason.
        text: String,
    },
    /// The engine panicked in a world, whose state is unchanged. The other worlds are complete.
    Stopped {
        /// Index of the world.
        world: usize,
        /// Message of the panic.
        text: String,
        /// Payload of the panic.
        panic: Panic,
    },
    /// A number of an input is not finite.
    NotFinite {
        /// Name of the argument.
        what: &'static str,
        /// Index of the world.
        world: usize,
        /// Place among the world's numbers.
        index: usize,
    },
    /// The steps of a world have no derivative, or its state goes bad.
    Transition {
        /// Index of the world.
        world: usize,
        /// Reason.
        error: TransitionError,
    },
    /// Worlds on a device do not have the field.
    NotOnDevice(String),
    /// The field of worlds on a device is a result of steps, which the next step writes.
    Result(String),
    /// The device reports an error.
    Device(GpuError),
    /// The threads cannot be started.
    Threads(String),
    /// The machine cannot run that number of threads.
    TooManyThreads {
        /// Requested number of threads.
        threads: usize,
        /// Cores of the machine.
        cores: usize,
        /// Maximum number of threads.
        most: usize,
    },
    /// The worlds do not fit into memory.
    TooMuchMemory {
        /// Requested number of worlds.
        worlds: usize,
        /// Bytes of their rows.
        bytes: usize,
        /// Bytes that are free.
        free: usize,
    },
}

impl fmt::Display for BatchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BatchError::Empty => write!(f, "a batch has at least one world"),
            BatchError::Shapes { field, world } => {
                write!(f, "'{field}' of world {world} has another shape than that of world 0")
            }
            BatchError::Unknown { field, of, nearest } => {
                write!(f, "a {of} has no field '{field}'")?;
                nearest.map_or(Ok(()), |near| write!(f, "; did you mean '{near}'?"))
            }
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
            BatchError::Stopped { world, text, .. } => {
                write!(f, "world {world}: the engine stopped: {text}")
            }
            BatchError::NotFinite { what, world, index } => {
                write!(f, "{what} of world {world} is not finite at index {index}")
            }
            BatchError::Transition { world, error } => write!(f, "world {world}: {error}"),
            BatchError::NotOnDevice(field) => write!(
                f,
                "{field} is not kept on the device: take the data of a single world, or a batch on \
                 the processor"
            ),
            BatchError::Result(field) => {
                write!(f, "'{field}' is a result of steps: on a device it is only read")
            }
            BatchError::Device(error) => error.fmt(f),
            BatchError::TooManyThreads { threads, cores, most } => {
                write!(
                    f,
                    "{threads} threads: this machine has {cores} cores and starts at most {most}"
                )
            }
            BatchError::TooMuchMemory { worlds, bytes, free } => {
                let gib = |bytes: usize| bytes as f64 / f64::from(1 << 30);
                write!(f, "{worlds} worlds take {:.3} GiB, and ", gib(*bytes))?;
                match *free {
                    usize::MAX => write!(f, "the machine has less"),
                    free => write!(f, "{:.3} GiB are free", gib(free)),
                }
            }
            BatchError::Threads(text) => write!(f, "threads could not be started: {text}"),
        }
    }
}

impl core::error::Error for BatchError {}

impl From<GpuError> for BatchError {
    fn from(error: GpuError) -> BatchError {
        BatchError::Device(error)
    }
}
