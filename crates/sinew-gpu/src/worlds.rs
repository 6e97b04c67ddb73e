//! Worlds of a packed model in the memory of a GPU, or of the processor.
#![allow(unsafe_code)] // the kernel works on raw memory

use core::ops::Range;
use std::sync::Arc;

use sinew_kernel::copy::{Copy, copy};
use sinew_kernel::real::Real;
use sinew_kernel::tables::{HEADER, Header};
use sinew_kernel::team::One;
use sinew_kernel::{Job, run};
use sinew_model::Model;

use crate::cuda::{Buffer, Device, Kernel, Limits, Program, Stream};
use crate::error::GpuError;
use crate::pack::{Packed, pack};
use crate::programs::{self, Precision};

/// Threads of a block that copies rows.
const COPY_THREADS: u32 = 64;

/// Warps of a block, at most: with 128 registers for a thread they fill a multiprocessor.
const MOST_WARPS: usize = 16;

/// How a kernel is laid out on a GPU.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// Warps of a block; 0 to choose by the number of worlds.
    pub warps: u32,
    /// Blocks of a multiprocessor, at most; 0 for as many as fit.
    pub blocks: u32,
    /// What the translator is told.
    pub limits: Limits,
    /// A kernel in place of the package's own, for experiments; none for that.
    pub program: Option<Program<'static>>,
}

impl Default for Shape {
    /// The fastest of 36 layouts for a humanoid on an H200, whose blocks share instructions: 6.1
    /// million steps per second, instead of 4.85 by 4 warps with as many registers as they like.
    fn default() -> Shape {
        let limits = Limits { registers: programs::REGISTERS };
        Shape { warps: 0, blocks: 0, limits, program: None }
    }
}

/// Warps of a block for so many worlds: large blocks share instructions, and few worlds are spread
/// over all multiprocessors.
fn warps_for(worlds: usize, processors: u32) -> u32 {
    worlds.div_ceil(processors as usize).next_power_of_two().clamp(1, MOST_WARPS) as u32
}

/// Where worlds are.
enum Place {
    /// In the memory of the processor, which runs the same kernel: for tests without a GPU.
    Host,
    Cuda(Box<Programs>),
}

/// Programs on a GPU.
struct Programs {
    device: Arc<Device>,
    step: Kernel,
    copy: Kernel,
    /// Threads of a block of `step`.
    threads: u32,
    /// Blocks of `step` that are resident, at most.
    blocks: u32,
}

impl Place {
    /// Gives the program the header of a model.
    fn set_header(&self, packed: &Packed, stream: Stream) -> Result<(), GpuError> {
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
enum Memory {
    Host(*mut [u128], usize),
    Cuda(Buffer),
}

// SAFETY: the memory is owned, and reading and writing it needs `&Worlds` or is the caller's
// promise.
unsafe impl Send for Memory {}
// SAFETY: as above: writes go through `&mut Worlds`.
unsafe impl Sync for Memory {}

impl Memory {
    fn new(place: &Place, bytes: usize) -> Result<Memory, GpuError> {
        match place {
            Place::Host => {
                let words = vec![0_u128; bytes.div_ceil(16).max(1)];
                Ok(Memory::Host(Box::into_raw(words.into_boxed_slice()), bytes))
            }
            Place::Cuda(programs) => Ok(Memory::Cuda(programs.device.allocate(bytes)?)),
        }
    }

    fn bytes(&self) -> usize {
        match self {
            Memory::Host(_, bytes) => *bytes,
            Memory::Cuda(buffer) => buffer.bytes(),
        }
    }

    /// Where it is, as the kernel sees it.
    fn address(&self) -> *mut u8 {
        match self {
            Memory::Host(words, _) => words.cast(),
            Memory::Cuda(buffer) => core::ptr::without_provenance_mut(buffer.address() as usize),
        }
    }

    fn write(&mut self, at: usize, bytes: &[u8], stream: Stream) -> Result<(), GpuError> {
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

    fn read(&self, at: usize, bytes: &mut [u8], stream: Stream) -> Result<(), GpuError> {
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

/// Worlds of one model: a row of numbers for each, as [`Packed`] says.
pub struct Worlds {
    packed: Packed,
    precision: Precision,
    worlds: usize,
    place: Place,
    model: Memory,
    state: Memory,
    work: Memory,
    flags: Memory,
    /// A byte for each world, and rows that wait for a step of others.
    mask: Memory,
    spare: Option<Memory>,
    row: Memory,
    /// A byte for each world that callers may set and read.
    marks: Memory,
    teams: usize,
}

impl Worlds {
    /// Worlds on a GPU; all their numbers are zero.
    pub fn on_device(
        m: &Model,
        worlds: usize,
        precision: Precision,
        device: Arc<Device>,
        shape: Shape,
    ) -> Result<Worlds, GpuError> {
        let packed = packed(m, precision)?;
        let name = programs::entry(precision, packed.plain);
        let own = programs::with_entry(name, device.capability(), shape.limits.registers);
        let program = shape.program.or(own).expect("every entry has a program: tested");
        let step = device.kernel(program, name, shape.limits)?;
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
        let programs = Programs { device, step, copy, threads, blocks };
        Worlds::new(packed, worlds, precision, Place::Cuda(Box::new(programs)))
    }

    /// Worlds that the processor steps by the same kernel, one after the other.
    pub fn on_host(m: &Model, worlds: usize, precision: Precision) -> Result<Worlds, GpuError> {
        Worlds::new(packed(m, precision)?, worlds, precision, Place::Host)
    }

    fn new(
        packed: Packed,
        worlds: usize,
        precision: Precision,
        place: Place,
    ) -> Result<Worlds, GpuError> {
        let count = u32::try_from(worlds).map_err(|_| GpuError::Size {
            what: "the batch",
            found: worlds,
            wanted: u32::MAX as usize,
        })?;
        let teams = match &place {
            Place::Host => 1,
            Place::Cuda(programs) => {
                let warps = programs.threads / 32;
                (programs.blocks.min(count.div_ceil(warps)).max(1) * warps) as usize
            }
        };
        let row = packed.state_stride as usize * precision.size();
        let new = |bytes| Memory::new(&place, bytes);
        let mut model = new(packed.size())?;
        model.write(0, blob(&packed), Stream::default())?;
        place.set_header(&packed, Stream::default())?;
        Ok(Worlds {
            state: new(row * worlds)?,
            work: new(packed.work_stride as usize * teams)?,
            flags: new(4 * worlds)?,
            mask: new(worlds)?,
            marks: new(worlds)?,
            row: new(row)?,
            spare: None,
            packed,
            precision,
            worlds,
            model,
            place,
            teams,
        })
    }

    /// How many worlds there are.
    pub fn worlds(&self) -> usize {
        self.worlds
    }

    /// What is in a row.
    pub fn packed(&self) -> &Packed {
        &self.packed
    }

    /// Their numbers.
    pub fn precision(&self) -> Precision {
        self.precision
    }

    /// The GPU they are on, if any.
    pub fn device(&self) -> Option<&Arc<Device>> {
        match &self.place {
            Place::Host => None,
            Place::Cuda(programs) => Some(&programs.device),
        }
    }

    /// The kernel on the GPU, if any.
    pub fn kernel(&self) -> Option<&Kernel> {
        match &self.place {
            Place::Host => None,
            Place::Cuda(programs) => Some(&programs.step),
        }
    }

    /// How many worlds are stepped at the same time.
    pub fn teams(&self) -> usize {
        self.teams
    }

    /// Bytes that worlds and teams have.
    pub fn bytes(&self) -> usize {
        let spare = self.spare.as_ref().map_or(0, Memory::bytes);
        let owned = [&self.model, &self.state, &self.work, &self.flags, &self.mask, &self.row];
        spare + owned.into_iter().map(Memory::bytes).sum::<usize>()
    }

    /// Where the first row is, as the kernel sees it. It stays there.
    pub fn address(&self) -> *mut u8 {
        self.state.address()
    }

    /// Bytes of a row.
    pub fn row_bytes(&self) -> usize {
        self.packed.state_stride as usize * self.precision.size()
    }

    /// Reads the rows of consecutive worlds.
    pub fn read(&self, first: usize, rows: &mut [u8], stream: Stream) -> Result<(), GpuError> {
        self.state.read(first * self.row_bytes(), rows, stream)
    }

    /// Writes the rows of consecutive worlds.
    pub fn write(&mut self, first: usize, rows: &[u8], stream: Stream) -> Result<(), GpuError> {
        self.state.write(first * self.row_bytes(), rows, stream)
    }

    /// Where a byte for each world is, as the kernel sees it. It stays there.
    pub fn marks_address(&self) -> *mut u8 {
        self.marks.address()
    }

    /// Sets the byte of each world.
    pub fn set_marks(&mut self, marks: &[u8], stream: Stream) -> Result<(), GpuError> {
        self.check("marks", marks.len())?;
        self.marks.write(0, marks, stream)
    }

    /// Takes over another model, whose packed sizes are the same.
    pub fn set_model(&mut self, m: &Model, stream: Stream) -> Result<(), GpuError> {
        let packed = packed(m, self.precision)?;
        let (found, wanted) = (packed.size(), self.packed.size());
        let same = packed.state_stride == self.packed.state_stride
            && packed.work_stride <= self.packed.work_stride
            && (packed.plain || !self.packed.plain);
        if found != wanted || !same {
            return Err(GpuError::Size { what: "the packed model", found, wanted });
        }
        self.model.write(0, blob(&packed), stream)?;
        self.place.set_header(&packed, stream)
    }

    /// Writes one row into worlds, all or those of a mask.
    pub fn fill(
        &mut self,
        row: &[u8],
        mask: Option<&[bool]>,
        stream: Stream,
    ) -> Result<(), GpuError> {
        let wanted = self.row_bytes();
        if row.len() != wanted {
            return Err(GpuError::Size { what: "a row", found: row.len(), wanted });
        }
        self.row.write(0, row, stream)?;
        let masked = self.set_mask(mask, stream)?;
        let words = (wanted / 4) as u32;
        self.copy(stream, |w| Copy {
            from: w.row.address().cast_const().cast(),
            from_stride: 0,
            width: words,
            to: w.state.address().cast(),
            to_stride: words,
            rows: w.worlds as u32,
            mask: masked,
            unmasked: 0,
        })?;
        self.wait(stream)
    }

    /// Steps worlds, all or those of a mask, and says what became of them: by
    /// `sinew_kernel::outcome`. The flag of a world that was not stepped is that of all steps.
    pub fn step(
        &mut self,
        steps: u32,
        mask: Option<&[bool]>,
        flags: &mut [u32],
        stream: Stream,
    ) -> Result<(), GpuError> {
        self.check("flags", flags.len())?;
        let Some(mask) = mask else {
            self.launch(steps, stream)?;
            return self.read_flags(flags, stream);
        };

        // rows of other worlds wait in a copy
        let masked = self.set_mask(Some(mask), stream)?;
        let words = (self.row_bytes() / 4) as u32;
        if self.spare.is_none() {
            self.spare = Some(Memory::new(&self.place, self.row_bytes() * self.worlds)?);
        }
        let between = |from: *mut u8, to: *mut u8, rows: usize| Copy {
            from: from.cast_const().cast(),
            from_stride: words,
            width: words,
            to: to.cast(),
            to_stride: words,
            rows: rows as u32,
            mask: masked,
            unmasked: 1,
        };
        let spare = self.spare.as_ref().map_or(core::ptr::null_mut(), Memory::address);
        self.copy(stream, |w| between(w.state.address(), spare, w.worlds))?;
        self.launch(steps, stream)?;
        self.copy(stream, |w| between(spare, w.state.address(), w.worlds))?;
        self.read_flags(flags, stream)?;
        for (flag, _) in flags.iter_mut().zip(mask).filter(|(_, chosen)| !**chosen) {
            *flag = steps << sinew_kernel::outcome::SHIFT;
        }
        Ok(())
    }

    /// Starts steps of all worlds.
    pub fn launch(&mut self, steps: u32, stream: Stream) -> Result<(), GpuError> {
        match self.precision {
            Precision::Double => self.launch_of::<f64>(steps, stream),
            Precision::Single => self.launch_of::<f32>(steps, stream),
        }
    }

    fn launch_of<R: Real>(&mut self, steps: u32, stream: Stream) -> Result<(), GpuError> {
        let job = Job::<R> {
            model: self.model.address(),
            state: self.state.address().cast(),
            state_stride: self.packed.state_stride,
            work: self.work.address(),
            work_stride: self.packed.work_stride,
            worlds: self.worlds as u32,
            steps,
            flags: self.flags.address().cast(),
        };
        match &self.place {
            // SAFETY: the memory is of these sizes, the model was packed for these numbers, and
            // nobody else may use it while this is borrowed.
            Place::Host => unsafe { run(job, One) },
            Place::Cuda(programs) => {
                let blocks = (self.teams as u32).div_ceil(programs.threads / 32);
                // SAFETY: as above; there is a workspace for every warp, and every use of the
                // memory goes through the same stream or waits for it.
                unsafe { programs.step.launch(blocks, programs.threads, stream, job)? }
            }
        }
        Ok(())
    }

    /// The outcomes of the last step, after waiting for it.
    pub fn read_flags(&self, flags: &mut [u32], stream: Stream) -> Result<(), GpuError> {
        self.check("flags", flags.len())?;
        // SAFETY: the bytes of numbers, any of which is a number.
        let bytes = unsafe {
            core::slice::from_raw_parts_mut(flags.as_mut_ptr().cast(), size_of_val(flags))
        };
        self.flags.read(0, bytes, stream)
    }

    /// Waits for what a stream was given.
    pub fn wait(&self, stream: Stream) -> Result<(), GpuError> {
        match &self.place {
            Place::Host => Ok(()),
            Place::Cuda(programs) => programs.device.wait(stream),
        }
    }

    /// Uploads a mask; where it is, or null for all worlds.
    fn set_mask(&mut self, mask: Option<&[bool]>, stream: Stream) -> Result<*const u8, GpuError> {
        let Some(mask) = mask else { return Ok(core::ptr::null()) };
        self.check("mask", mask.len())?;
        let bytes: Vec<u8> = mask.iter().map(|&chosen| u8::from(chosen)).collect();
        self.mask.write(0, &bytes, stream)?;
        Ok(self.mask.address())
    }

    fn copy(&mut self, stream: Stream, of: impl FnOnce(&Worlds) -> Copy) -> Result<(), GpuError> {
        let job = of(self);
        match &self.place {
            // SAFETY: rows of this memory, with room for all, which nobody else uses meanwhile.
            Place::Host => unsafe { copy(job) },
            Place::Cuda(programs) => {
                let most = 32 * programs.device.processors();
                // SAFETY: as above, in the order of the stream.
                unsafe {
                    let blocks = job.rows.clamp(1, most);
                    programs.copy.launch(blocks, COPY_THREADS, stream, job)?;
                }
            }
        }
        Ok(())
    }

    fn check(&self, what: &'static str, found: usize) -> Result<(), GpuError> {
        let wanted = self.worlds;
        if found == wanted { Ok(()) } else { Err(GpuError::Size { what, found, wanted }) }
    }
}

/// The bytes of a packed model.
fn blob(packed: &Packed) -> &[u8] {
    // SAFETY: the blob is so long and initialized.
    unsafe { core::slice::from_raw_parts(packed.as_ptr(), packed.size()) }
}

/// A model for a kind of number.
fn packed(m: &Model, precision: Precision) -> Result<Packed, GpuError> {
    match precision {
        Precision::Double => Ok(pack::<f64>(m)?),
        Precision::Single => Ok(pack::<f32>(m)?),
    }
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
