//! Errors of a GPU.

use core::fmt;

use crate::pack::Unsupported;

/// Why worlds are not stepped on a GPU.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum GpuError {
    /// There is no CUDA driver.
    NoDriver(String),
    /// The driver is older than the kernel's instructions.
    OldDriver {
        /// CUDA version of the driver: 1000 × major + 10 × minor.
        found: i32,
    },
    /// There is no GPU of this number.
    NoDevice {
        /// The requested number.
        ordinal: i32,
        /// How many there are.
        count: i32,
    },
    /// The GPU is older than the kernel's instructions.
    OldDevice {
        /// Name of the GPU.
        name: String,
        /// Compute capability of the GPU.
        capability: (i32, i32),
    },
    /// There is too little memory on the GPU.
    Memory {
        /// Requested bytes.
        wanted: usize,
        /// Bytes free.
        free: usize,
    },
    /// The GPU was opened by the process that this one was forked from.
    Forked,
    /// A fault in the kernel or another program has ended the context of this process.
    Dead(String),
    /// The driver refused a call.
    Call {
        /// The call.
        name: &'static str,
        /// The driver's reason.
        reason: String,
    },
    /// The model has features that the kernel has not.
    Unsupported(Unsupported),
    /// The array or the mask has another size.
    Size {
        /// The array or the mask.
        what: &'static str,
        /// The size found.
        found: usize,
        /// The size wanted.
        wanted: usize,
    },
    /// The parameters of this world change more of the packed model than numbers.
    Structure(usize),
}

impl fmt::Display for GpuError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GpuError::NoDriver(why) => write!(f, "there is no CUDA driver: {why}"),
            GpuError::OldDriver { found } => write!(
                f,
                "the driver supports CUDA {}.{}, wanted 11.0 or later",
                found / 1000,
                found % 1000 / 10
            ),
            GpuError::NoDevice { count: 0, .. } => write!(f, "there is no NVIDIA GPU"),
            GpuError::NoDevice { ordinal, count } => {
                write!(f, "there is no GPU {ordinal}: the last one is {}", count - 1)
            }
            GpuError::OldDevice { name, capability: (major, minor) } => {
                write!(f, "{name} has compute capability {major}.{minor}, wanted 8.0 or later")
            }
            GpuError::Memory { wanted, free } => write!(
                f,
                "the GPU has {:.1} MB free, wanted {:.1} MB: take fewer worlds",
                *free as f64 / 1e6,
                *wanted as f64 / 1e6
            ),
            GpuError::Forked => write!(
                f,
                "this process was forked after the GPU was opened, which CUDA does not allow: make \
                 the batch in the child, or start the child by 'spawn'"
            ),
            GpuError::Dead(why) => write!(
                f,
                "the GPU stopped working for this process ({why}): start the process again"
            ),
            GpuError::Call { name, reason } => write!(f, "{name}: {reason}"),
            GpuError::Unsupported(features) => features.fmt(f),
            GpuError::Size { what, found, wanted } => {
                write!(f, "{what} has {found} items, wanted {wanted}")
            }
            GpuError::Structure(world) => write!(
                f,
                "the parameters of world {world} switch parts of the model on or off, or change \
                 options: worlds of a batch on a device share these"
            ),
        }
    }
}

impl core::error::Error for GpuError {}

impl From<Unsupported> for GpuError {
    fn from(features: Unsupported) -> GpuError {
        GpuError::Unsupported(features)
    }
}
