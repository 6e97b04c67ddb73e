//! Worlds of a packed model in the memory of a GPU, or of the processor.
#![allow(unsafe_code)] // the kernel works on raw memory

use std::sync::Arc;

use sinew_kernel::copy::{Copy, copy};
use sinew_kernel::real::Real;
use sinew_kernel::team::One;
use sinew_kernel::{Job, run};
use sinew_model::Model;

use crate::cuda::{Device, Event, Kernel, Stream};
use crate::error::GpuError;
use crate::pack::{Kept, Packed, pack};
use crate::place::{Any, Memory, Place, Programs, Shape, blob};
use crate::programs::Precision;

/// Threads of a block that copies rows.
const COPY_THREADS: u32 = 64;

/// A result that worlds keep: its numbers of all worlds, one after the other.
struct KeptHere {
    result: Kept,
    memory: Memory,
}

/// Steps that were started.
#[derive(Debug)]
pub struct Started(Option<Event>);

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
    /// Whether any world has another outcome than that its steps are done.
    any: Any,
    /// A byte for each world.
    mask: Memory,
    row: Memory,
    /// Tables of numbers of every world, if they have their own.
    own: Option<Memory>,
    /// Results that are kept, and their list for the kernel.
    kept: Vec<KeptHere>,
    kept_list: Option<Memory>,
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
        let programs = Programs::new(precision, packed.plain, device, worlds, shape)?;
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
            any: Any::new(&place)?,
            own: None,
            kept: Vec::new(),
            kept_list: None,
            packed,
            precision,
            worlds,
            model,
            place,
            teams,
        })
    }

    /// Number of worlds.
    pub fn worlds(&self) -> usize {
        self.worlds
    }

    /// Fields of a row.
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

    /// Number of worlds that are stepped at the same time.
    pub fn teams(&self) -> usize {
        self.teams
    }

    /// Bytes that worlds and teams have.
    pub fn bytes(&self) -> usize {
        let owned = [&self.model, &self.state, &self.work, &self.flags, &self.mask, &self.row];
        let kept = self.kept.iter().map(|kept| &kept.memory);
        owned.into_iter().chain(&self.own).chain(kept).map(Memory::bytes).sum::<usize>()
    }

    /// Where the first row is, as the kernel sees it. The memory stays in place.
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

    /// Where a byte for each world is, as the kernel sees it. The memory stays in place.
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
        let mut packed = packed(m, self.precision)?;
        let (found, wanted) = (packed.size(), self.packed.size());
        let same = packed.state_stride == self.packed.state_stride
            && packed.work_stride <= self.packed.work_stride
            && (packed.plain || !self.packed.plain);
        if found != wanted || !same {
            return Err(GpuError::Size { what: "the packed model", found, wanted });
        }
        self.model.write(0, blob(&packed), stream)?;
        self.place.set_header(&packed, stream)?;

        // memory made for the first model stays
        (packed.work_stride, packed.plain) = (self.packed.work_stride, self.packed.plain);
        self.packed = packed;
        Ok(())
    }

    /// Keeps a result of the last step of every launch; where its first number is, as the kernel
    /// sees it. The worlds follow one after the other, and it stays there.
    pub fn keep(&mut self, name: &str, stream: Stream) -> Result<Option<*mut u8>, GpuError> {
        if let Some(address) = self.kept_address(name) {
            return Ok(Some(address));
        }
        let Some(result) = self.packed.result(name) else { return Ok(None) };
        self.wait(stream)?;
        if name == "sensordata" && self.packed.rare_sensors {
            self.use_full_program(stream)?;
        }
        let bytes = result.len * self.precision.size() * self.worlds;
        let memory = Memory::new(&self.place, bytes)?;
        let address = memory.address();
        self.kept.push(KeptHere { result, memory });
        let mut list = Vec::new();
        for kept in &self.kept {
            list.extend((kept.result.from as u32).to_ne_bytes());
            list.extend((kept.result.len as u32).to_ne_bytes());
            list.extend((kept.memory.address().addr() as u64).to_ne_bytes());
        }
        let mut memory = Memory::new(&self.place, list.len())?;
        memory.write(0, &list, stream)?;
        self.kept_list = Some(memory);
        Ok(Some(address))
    }

    /// Where a kept result is, as the kernel sees it.
    pub fn kept_address(&self, name: &str) -> Option<*mut u8> {
        let kept = self.kept.iter().find(|kept| kept.result.name == name)?;
        Some(kept.memory.address())
    }

    /// The results that are kept.
    pub fn kept(&self) -> impl Iterator<Item = Kept> {
        self.kept.iter().map(|kept| kept.result)
    }

    /// Reads a kept result of all worlds.
    pub fn read_kept(&self, name: &str, stream: Stream) -> Result<Vec<u8>, GpuError> {
        let Some(kept) = self.kept.iter().find(|kept| kept.result.name == name) else {
            return Ok(Vec::new());
        };
        let mut bytes = vec![0; kept.memory.bytes()];
        kept.memory.read(0, &mut bytes, stream)?;
        Ok(bytes)
    }

    /// Writes a kept result of one world.
    pub fn write_kept(
        &mut self,
        name: &str,
        world: usize,
        bytes: &[u8],
        stream: Stream,
    ) -> Result<(), GpuError> {
        match self.kept.iter_mut().find(|kept| kept.result.name == name) {
            Some(kept) => kept.memory.write(world * bytes.len(), bytes, stream),
            None => Ok(()),
        }
    }

    /// Gives worlds tables of numbers of their own, each by the packed model of the world. The
    /// others keep the tables of the worlds' model, or the tables given before.
    ///
    /// An error names a world whose model differs in more than numbers of tables.
    pub fn set_numbers(&mut self, own: &[(usize, Packed)], stream: Stream) -> Result<(), GpuError> {
        let numbers = self.packed.numbers.clone();
        let shared = blob(&self.packed);
        for (world, packed) in own {
            let bytes = blob(packed);
            let same = packed.numbers == numbers
                && bytes[..numbers.start] == shared[..numbers.start]
                && bytes[numbers.end..] == shared[numbers.end..];
            if *world >= self.worlds || !same {
                return Err(GpuError::Structure(*world));
            }
        }
        self.use_full_program(stream)?;
        if self.own.is_none() {
            let mut memory = Memory::new(&self.place, numbers.len() * self.worlds)?;
            let all = blob(&self.packed)[numbers.clone()].repeat(self.worlds);
            memory.write(0, &all, stream)?;
            self.own = Some(memory);
        }
        let Some(memory) = &mut self.own else { return Ok(()) };
        // neighbours in one copy
        for run in own.chunk_by(|a, b| a.0 + 1 == b.0) {
            let each = run.iter().map(|(_, packed)| &blob(packed)[numbers.clone()]);
            let bytes: Vec<u8> = each.flatten().copied().collect();
            memory.write(run[0].0 * numbers.len(), &bytes, stream)?;
        }
        Ok(())
    }

    /// Packs another model for these worlds.
    pub fn pack(&self, m: &Model) -> Result<Packed, GpuError> {
        packed(m, self.precision)
    }

    /// Loads the program for all models, which alone reads worlds' own numbers and rare sensors.
    fn use_full_program(&mut self, stream: Stream) -> Result<(), GpuError> {
        self.wait(stream)?;
        let Place::Cuda(programs) = &mut self.place else { return Ok(()) };
        if !core::mem::replace(&mut self.packed.plain, false) {
            return Ok(());
        }
        let shape = Shape { warps: programs.threads / 32, ..Shape::default() };
        let device = Arc::clone(&programs.device);
        **programs = Programs::new(self.precision, false, device, self.worlds, shape)?;
        self.place.set_header(&self.packed, stream)?;

        // the workspaces are those of the teams that are resident at once
        let Place::Cuda(programs) = &self.place else { return Ok(()) };
        let warps = programs.threads / 32;
        let blocks = programs.blocks.min((self.worlds as u32).div_ceil(warps)).max(1);
        self.teams = self.teams.min((blocks * warps) as usize);
        Ok(())
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
        })?;
        self.wait(stream)
    }

    /// Starts steps of all worlds, or those of a mask; with 0, only their results are found. The
    /// caller has waited for earlier work.
    pub fn start(
        &mut self,
        steps: u32,
        mask: Option<&[bool]>,
        stream: Stream,
    ) -> Result<Started, GpuError> {
        let mask = self.set_mask(mask, stream)?;
        self.any.clear();
        self.launch_masked(steps, mask, stream)?;
        Ok(Started(match &self.place {
            Place::Host => None,
            Place::Cuda(programs) => Some(Event::record(&programs.device, stream)?),
        }))
    }

    /// Waits for steps, not for later work on the stream. Returns whether any world has another
    /// outcome than success.
    pub fn finish(&self, started: &Started) -> Result<bool, GpuError> {
        started.0.as_ref().map_or(Ok(()), Event::wait)?;
        Ok(self.any.get())
    }

    /// Starts steps of all worlds.
    pub fn launch(&mut self, steps: u32, stream: Stream) -> Result<(), GpuError> {
        self.launch_masked(steps, core::ptr::null(), stream)
    }

    fn launch_masked(
        &mut self,
        steps: u32,
        mask: *const u8,
        stream: Stream,
    ) -> Result<(), GpuError> {
        match self.precision {
            Precision::Double => self.launch_of::<f64>(steps, mask, stream),
            Precision::Single => self.launch_of::<f32>(steps, mask, stream),
        }
    }

    fn launch_of<R: Real>(
        &mut self,
        steps: u32,
        mask: *const u8,
        stream: Stream,
    ) -> Result<(), GpuError> {
        let numbers = self.packed.numbers.clone();
        let (own, own_stride) = match &self.own {
            // tables are counted from the start of the model
            Some(own) => (own.address().wrapping_sub(numbers.start), numbers.len()),
            None => (self.model.address(), 0),
        };
        let job = Job::<R> {
            model: self.model.address(),
            state: self.state.address().cast(),
            state_stride: self.packed.state_stride,
            work: self.work.address(),
            work_stride: self.packed.work_stride,
            worlds: self.worlds as u32,
            steps,
            flags: self.flags.address().cast(),
            any: self.any.address(),
            mask,
            own,
            own_stride: own_stride as u32,
            wanted: self.kept.iter().fold(0, |bits, kept| bits | kept.result.wanted),
            kept: self.kept_list.as_ref().map_or(core::ptr::null(), |list| list.address().cast()),
            nkept: self.kept.len() as u32,
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

    /// Waits for the work of a stream.
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

/// A model for a kind of number.
fn packed(m: &Model, precision: Precision) -> Result<Packed, GpuError> {
    match precision {
        Precision::Double => Ok(pack::<f64>(m)?),
        Precision::Single => Ok(pack::<f32>(m)?),
    }
}
