//! CUDA through the driver alone, which is looked for at run time: no toolkit, and machines without
//! a GPU run the same program.

mod device;
mod driver;

pub use device::{Buffer, Device, Event, Kernel, Limits, Program, Signal, Stream};
pub use driver::{Driver, LIBRARY};
