//! Where worlds are: the memory of a GPU with the programs there, or the memory of the processor.
#![allow(unsafe_code)] // the kernel works on raw memory

use core::ops::Range;
use std::sync::Arc;

use sinew_kernel::tables::{HEADER, Header};

use crate::cuda::{Buffer, Device, Kernel, Limits, Program, Signal, Stream};
use crate::error::GpuError;
use crate::pack::Packed;
use crate::programs::{self, Precision};

/// Warps of a block, at most: with 128 registers for a thread they fill a multiprocessor.
const MOST_WARPS: usize = 16;

/// How a kernel is laid out on a GPU.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// Warps of a block; 0 to choose by the number of worlds.
    pub warps: u32,
    /// Maximum number of blocks of a multiprocessor; 0 for no limit.
    pub blocks: u32,
    /// Options of the translator.
    pub limits: Limits,
    /// A kernel in place of the package's own, for experiments; none for that.
    pub program: Option<Program<'static>>,
}

impl Default for Shape {
    /// The fastest of 36 layouts for a humanoid on an H200, whose blocks share instructions. A
    /// humanoid makes 6.1 million steps per second; 4 warps with an unlimited number of registers
    /// make 4.85.
    fn default() -> Shape {
        let limits = Limits { registers: programs::REGISTERS };
        Shape { warps: 0, blocks: 0, limits, program: None }
    }
}

/// Warps of a block for a number of worlds: large blocks share instructions, and few worlds are
/// spread over all multiprocessors.
fn warps_for(worlds: usize, processors: u32) -> u32 {
    worlds.div_ceil(processors as usize).next_power_of_two().clamp(1, MOST_WARPS) as u32
}

/// Where worlds are.
pub(crate) enum Place {
    /// In the memory of the processor, which runs the same kernel: for tests without a GPU.
    Host,
    Cuda(Box<Programs>),
}

/// Programs on a GPU.
pub(crate) struct Programs {
    pub(crate) device: Arc<Device>,
    pub(crate) step: Kernel,
    pub(crate) copy: Kernel,
    /// Threads of a block of `step`.
    pub(crate) threads: u32,
    /// Blocks of `step` that are resident, at most.
    pub(crate) blocks: u32,
}

impl Programs {
    /// The program for plain models, or for all.
    pub(crate) fn new(
        precision: Precision,
        plain: bool,
        device: Arc<Device>,
        worlds: usize,
        shape: Shape,
    ) -> Result<Programs, GpuError> {
        let registers = shape.limits.registers;
        let (entry, own) = programs::program(precision, plain, device.capability(), registers);
        let step = device.kernel(shape.program.unwrap_or(own), entry, shape.limits)?;
        let copy = step.beside("copy_rows")?;
        let warps = match shape.warps {
            0 => warps_for(worlds, device.processors()),
            warps => warps,
        };
        let threads = 32 * warps;
        let mut blocks = step.resident_blocks(threads)?;
        if shape.blocks > 0 {
            blocks = blocks.min(shape.blocks * device.processors());
        }
        Ok(Programs { device, step, copy, threads, blocks })
    }
}

impl Place {
    /// Gives the program the header of a model.
    pub(crate) fn set_header(&self, packed: &Packed, stream: Stream) -> Result<(), GpuError> {
        match self {
            Place::Host => Ok(()),
            Place::Cuda(programs) => {
                let header = &blob(packed)[..size_of::<Header<f64>>().min(packed.size())];
                programs.step.set_global(HEADER, header, stream)
            }
        }
    }
}

/// Memory of a GPU or of the processor.
pub(crate) enum Memory {
    Host(*mut [u128], usize),
    Cuda(Buffer),
}

// SAFETY: the memory is owned, and reading and writing it needs `&Worlds` or is the caller's
// promise.
unsafe impl Send for Memory {}
// SAFETY: as above: writes go through `&mut Worlds`.
unsafe impl Sync for Memory {}

impl Memory {
    pub(crate) fn new(place: &Place, bytes: usize) -> Result<Memory, GpuError> {
        match place {
            Place::Host => {
                let words = vec![0_u128; bytes.div_ceil(16).max(1)];
                Ok(Memory::Host(Box::into_raw(words.into_boxed_slice()), bytes))
            }
            Place::Cuda(programs) => Ok(Memory::Cuda(programs.device.allocate(bytes)?)),
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        match self {
            Memory::Host(_, bytes) => *bytes,
            Memory::Cuda(buffer) => buffer.bytes(),
        }
    }

    /// Where it is, as the kernel sees it.
    pub(crate) fn address(&self) -> *mut u8 {
        match self {
            Memory::Host(words, _) => words.cast(),
            Memory::Cuda(buffer) => core::ptr::without_provenance_mut(buffer.address() as usize),
        }
    }

    pub(crate) fn write(
        &mut self,
        at: usize,
        bytes: &[u8],
        stream: Stream,
    ) -> Result<(), GpuError> {
        match self {
            Memory::Host(..) => {
                let place = self.host(at..at + bytes.len())?;
                // SAFETY: the range is inside, and `bytes` is not this memory.
                unsafe { core::ptr::copy_nonoverlapping(bytes.as_ptr(), place, bytes.len()) };
                Ok(())
            }
            Memory::Cuda(buffer) => buffer.write(at, bytes, stream),
        }
    }

    pub(crate) fn read(&self, at: usize, bytes: &mut [u8], stream: Stream) -> Result<(), GpuError> {
        match self {
            Memory::Host(..) => {
                let place = self.host(at..at + bytes.len())?;
                // SAFETY: the range is inside, and `bytes` is not this memory.
                unsafe { core::ptr::copy_nonoverlapping(place, bytes.as_mut_ptr(), bytes.len()) };
                Ok(())
            }
            Memory::Cuda(buffer) => buffer.read(at, bytes, stream),
        }
    }

    /// The start of a range that is inside.
    fn host(&self, range: Range<usize>) -> Result<*mut u8, GpuError> {
        if range.end > self.bytes() {
            let (found, wanted) = (self.bytes(), range.end);
            return Err(GpuError::Size { what: "memory of worlds", found, wanted });
        }
        Ok(self.address().wrapping_add(range.start))
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        if let Memory::Host(words, _) = *self {
            // SAFETY: made from a box by `new`.
            drop(unsafe { Box::from_raw(words) });
        }
    }
}

/// A word that the kernel writes and the processor reads.
pub(crate) enum Any {
    Host(Box<core::cell::UnsafeCell<u32>>),
    Cuda(Signal),
}

// SAFETY: the kernel, which writes the word, runs while `Worlds` is borrowed mutably, or is waited
// for.
unsafe impl Sync for Any {}

impl Any {
    pub(crate) fn new(place: &Place) -> Result<Any, GpuError> {
        match place {
            Place::Host => Ok(Any::Host(Box::default())),
            Place::Cuda(programs) => Ok(Any::Cuda(programs.device.signal()?)),
        }
    }

    pub(crate) fn address(&self) -> *mut u32 {
        match self {
            Any::Host(word) => word.get(),
            Any::Cuda(signal) => signal.address(),
        }
    }

    pub(crate) fn clear(&mut self) {
        match self {
            Any::Host(word) => *word.get_mut() = 0,
            Any::Cuda(signal) => signal.set(0),
        }
    }

    pub(crate) fn get(&self) -> bool {
        match self {
            // SAFETY: nobody writes it now.
            Any::Host(word) => unsafe { *word.get() != 0 },
            Any::Cuda(signal) => signal.get() != 0,
        }
    }
}

/// The bytes of a packed model.
pub(crate) fn blob(packed: &Packed) -> &[u8] {
    // SAFETY: the blob is so long and initialized.
    unsafe { core::slice::from_raw_parts(packed.as_ptr(), packed.size()) }
}

#[cfg(test)]
mod tests {
    use super::warps_for;

    #[test]
    fn few_worlds_are_spread_over_the_multiprocessors() {
        let warps = [1, 132, 133, 256, 1024, 4096, 1 << 20].map(|worlds| warps_for(worlds, 132));
        assert_eq!(warps, [1, 1, 2, 2, 8, 16, 16]);
    }
}
