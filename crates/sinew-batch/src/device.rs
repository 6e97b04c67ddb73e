//! A batch whose worlds live in the memory of a GPU and are stepped there.

use std::sync::{Arc, Mutex, PoisonError};

use sinew_engine as engine;
use sinew_gpu::cuda::{Device, Stream};
use sinew_gpu::{GpuError, Precision, Shape, Worlds, row};
use sinew_kernel::outcome;
use sinew_model::enums::StateBit;
use sinew_model::{Data, Model};

use crate::error::BatchError;
use crate::limits::check_memory;
use crate::pool::Pool;
use crate::worker::{count_bad, take_bad};

/// Who steps the worlds of a [`DeviceBatch`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// A GPU, by its number.
    Cuda(i32),
    /// The kernel of a GPU, run by the processor on one thread: for tests without a GPU.
    Kernel,
}

/// How a [`DeviceBatch`] is set up.
#[derive(Clone, Copy, Debug)]
pub struct DeviceOptions {
    /// Who steps the worlds.
    pub place: Place,
    /// Their numbers.
    pub precision: Precision,
    /// How the kernel is laid out on the GPU.
    pub shape: Shape,
    /// Threads for worlds that the kernel leaves to the processor; 0 for as many as the machine
    /// runs at once.
    pub threads: usize,
}

impl DeviceOptions {
    /// Double precision at a place.
    pub fn at(place: Place) -> DeviceOptions {
        let (precision, shape) = (Precision::default(), Shape::default());
        DeviceOptions { place, precision, shape, threads: 0 }
    }
}

/// Steps of one launch, at most: results of a launch are looked at before the next.
const STEPS: usize = 1024;

/// A field of all worlds in the memory of the device: `width` numbers in every row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeviceField {
    /// Where the first number of world 0 is.
    pub address: usize,
    /// Bytes from one world to the next.
    pub stride: usize,
    /// The numbers.
    pub precision: Precision,
    /// Shape of the field in one world; empty for a single number.
    pub shape: Vec<usize>,
}

/// Worlds of one model in the memory of a GPU.
///
/// A step does in every world what [`Batch`](crate::Batch) does. A world with a bad state, and one
/// that needs more than the kernel's workspace, is stepped on by the engine of the processor.
pub struct DeviceBatch {
    model: Arc<Model>,
    options: DeviceOptions,
    worlds: Worlds,
    flags: Vec<u32>,
    diverged: Vec<u8>,
    stream: Stream,
    pool: Pool,
}

impl DeviceBatch {
    /// `worlds` worlds of a model, in its initial state.
    pub fn new(
        model: Arc<Model>,
        worlds: usize,
        options: DeviceOptions,
    ) -> Result<DeviceBatch, BatchError> {
        if worlds == 0 {
            return Err(BatchError::Empty);
        }
        check_memory(worlds, row_here(&model, &options)?, 0)?;
        let made = make(&model, worlds, &options)?;
        let mut batch = DeviceBatch {
            model,
            options,
            worlds: made,
            flags: vec![0; worlds],
            diverged: vec![0; worlds],
            stream: Stream::default(),
            pool: Pool::new(options.threads)?,
        };
        batch.reset(None, None)?;
        Ok(batch)
    }

    /// How many worlds there are.
    pub fn worlds(&self) -> usize {
        self.worlds.worlds()
    }

    /// Their model.
    pub fn model(&self) -> &Arc<Model> {
        &self.model
    }

    /// The memory and the kernel.
    pub fn device(&self) -> &Worlds {
        &self.worlds
    }

    /// Bytes that a world takes; models and workspaces come to it.
    pub fn bytes_per_world(&self) -> usize {
        self.worlds.row_bytes() + size_of::<u32>() + 2
    }

    /// The stream that all work is given to; the callers' own work on it comes before or after as
    /// they gave it.
    pub fn stream(&self) -> Stream {
        self.stream
    }

    /// Chooses the stream.
    pub fn set_stream(&mut self, stream: Stream) -> Result<(), BatchError> {
        self.worlds.wait(self.stream)?;
        self.stream = stream;
        Ok(())
    }

    /// The place of a field of the state in the memory of the device.
    pub fn bind(&self, name: &str) -> Result<DeviceField, BatchError> {
        let field = self.worlds.packed().field(name);
        let field = field.ok_or_else(|| self.absent(name))?;
        let size = self.options.precision.size();
        let shape = match name {
            "time" => vec![],
            _ => match Data::new(&self.model).field(name).map(|view| view.shape) {
                Some(shape) => core::iter::once(shape.rows).chain(shape.cols).collect(),
                None => vec![field.width],
            },
        };
        Ok(DeviceField {
            address: self.worlds.address().addr() + field.offset * size,
            stride: self.worlds.row_bytes(),
            precision: self.options.precision,
            shape,
        })
    }

    /// Why a field is not there.
    fn absent(&self, name: &str) -> BatchError {
        let known = name == "warning" || Data::FIELDS.iter().any(|field| field.name == name);
        if known {
            BatchError::NotOnDevice(format!("'{name}'"))
        } else {
            BatchError::Unknown { field: name.to_owned(), of: "state", nearest: None }
        }
    }

    /// Which worlds met a bad state in the last call: 1 for each.
    pub fn diverged(&self) -> &[u8] {
        &self.diverged
    }

    /// Where the flags of [`DeviceBatch::diverged`] are in the memory of the device.
    pub fn diverged_address(&self) -> usize {
        self.worlds.marks_address().addr()
    }

    /// Steps worlds, all or those of a mask, `nsteps` times with the controls they have.
    pub fn step(&mut self, nsteps: usize, mask: Option<&[bool]>) -> Result<(), BatchError> {
        let any_before = self.diverged.contains(&1);
        self.diverged.fill(0);
        let mut left = nsteps;
        while left > 0 {
            let steps = left.min(STEPS);
            self.worlds.step(steps as u32, mask, &mut self.flags, self.stream)?;
            self.finish(steps)?;
            left -= steps;
        }
        if any_before || self.diverged.contains(&1) {
            self.worlds.set_marks(&self.diverged, self.stream)?;
        }
        Ok(())
    }

    /// Steps worlds on that the kernel has left, by the engine of the processor.
    fn finish(&mut self, steps: usize) -> Result<(), BatchError> {
        let ok = |flag: u32| flag & outcome::MASK == outcome::OK;
        if self.flags.iter().all(|&flag| ok(flag)) {
            return Ok(());
        }

        // their rows, and how many steps they have taken
        let size = self.worlds.row_bytes();
        let mut left = Vec::new();
        for (world, &flag) in self.flags.iter().enumerate().filter(|(_, flag)| !ok(**flag)) {
            let mut row = vec![0; size];
            self.worlds.read(world, &mut row, self.stream)?;
            let taken = (flag >> outcome::SHIFT) as usize;
            left.push(Mutex::new((world, steps.saturating_sub(taken), row, 0)));
        }

        // the rest of their steps
        let (model, packed) = (&*self.model, self.worlds.packed());
        let (precision, shares) = (self.options.precision, self.pool.threads().min(left.len()));
        self.pool.run(shares, |share| {
            let mut data = Data::new(model);
            for slot in left.iter().skip(share).step_by(shares) {
                let mut slot = slot.lock().unwrap_or_else(PoisonError::into_inner);
                let (_, steps, row, bad) = &mut *slot;
                engine::reset_data(model, &mut data);
                row::to_data(packed, precision, row, &mut data);
                let before = take_bad(&mut data);
                (0..*steps).for_each(|_| engine::step(model, &mut data));
                *bad = count_bad(&mut data, before);
                *row = row::of_data(packed, precision, &data);
            }
        })?;
        for slot in left {
            let (world, _, row, bad) = slot.into_inner().unwrap_or_else(PoisonError::into_inner);
            self.diverged[world] |= bad;
            self.worlds.write(world, &row, self.stream)?;
        }
        Ok(())
    }

    /// Sets worlds, all or those of a mask, to the initial state or to a keyframe.
    pub fn reset(&mut self, mask: Option<&[bool]>, key: Option<usize>) -> Result<(), BatchError> {
        let m = &*self.model;
        let mut data = Data::new(m);
        if let Some(key) = key {
            if key >= m.nkey {
                return Err(BatchError::Length { what: "key", found: m.nkey, wanted: key + 1 });
            }
            engine::reset_data_keyframe(m, &mut data, key);
        }
        let row = row::of_data(self.worlds.packed(), self.options.precision, &data);
        Ok(self.worlds.fill(&row, mask, self.stream)?)
    }

    /// Takes over another version of the model, with the same sizes.
    pub fn set_model(&mut self, model: &Model) -> Result<(), BatchError> {
        for (name, _) in Model::SIZES {
            if self.model.size(name) != model.size(name) {
                return Err(BatchError::Shapes { field: (*name).to_owned(), world: 0 });
            }
        }
        self.worlds.set_model(model, self.stream)?;
        self.model = Arc::new(model.clone());
        Ok(())
    }

    /// The state of one world, with everything that `forward` computes in it.
    pub fn data(&self, world: usize) -> Result<Data, BatchError> {
        let worlds = self.worlds();
        if world >= worlds {
            return Err(BatchError::World { found: world, worlds });
        }
        let mut row = vec![0; self.worlds.row_bytes()];
        self.worlds.read(world, &mut row, self.stream)?;
        let mut data = Data::new(&self.model);
        row::to_data(self.worlds.packed(), self.options.precision, &row, &mut data);
        engine::forward(&self.model, &mut data);
        // the start of the solver stays as it was
        row::to_data(self.worlds.packed(), self.options.precision, &row, &mut data);
        Ok(data)
    }

    /// Numbers of the state parts that `sig` names, for one world.
    pub fn state_size(&self, sig: i32) -> Result<usize, BatchError> {
        for (bit, name) in [
            (StateBit::History, "history"),
            (StateBit::EqActive, "eq_active"),
            (StateBit::Userdata, "userdata"),
            (StateBit::Plugin, "plugin_state"),
        ] {
            let size = engine::state_size(&self.model, bit.0).unwrap_or(0);
            if sig & bit.0 != 0 && size > 0 && self.worlds.packed().field(name).is_none() {
                return Err(self.absent(name));
            }
        }
        engine::state_size(&self.model, sig).map_err(invalid)
    }

    /// The state parts that `sig` names, world after world.
    pub fn state(&self, sig: i32, out: &mut [f64]) -> Result<(), BatchError> {
        let width = self.check_state(sig, out.len())?;
        let rows = self.rows()?;
        let mut data = Data::new(&self.model);
        for (row, out) in rows.chunks(self.worlds.row_bytes()).zip(out.chunks_mut(width.max(1))) {
            row::to_data(self.worlds.packed(), self.options.precision, row, &mut data);
            engine::get_state(&self.model, &data, out, sig).map_err(invalid)?;
        }
        Ok(())
    }

    /// Sets the state parts that `sig` names of worlds, all or those of a mask; `state` has a row
    /// for every world.
    pub fn set_state(
        &mut self,
        state: &[f64],
        sig: i32,
        mask: Option<&[bool]>,
    ) -> Result<(), BatchError> {
        let width = self.check_state(sig, state.len())?;
        let (found, wanted) = (mask.map_or(self.worlds(), <[bool]>::len), self.worlds());
        if found != wanted {
            return Err(BatchError::Length { what: "mask", found, wanted });
        }
        let mut rows = self.rows()?;
        let mut data = Data::new(&self.model);
        let (packed, precision) = (self.worlds.packed(), self.options.precision);
        let each = rows.chunks_mut(self.worlds.row_bytes()).zip(state.chunks(width.max(1)));
        for (world, (row, state)) in each.enumerate() {
            if mask.is_none_or(|mask| mask[world]) {
                row::to_data(packed, precision, row, &mut data);
                engine::set_state(&self.model, &mut data, state, sig).map_err(invalid)?;
                row.copy_from_slice(&row::of_data(packed, precision, &data));
            }
        }
        Ok(self.worlds.write(0, &rows, self.stream)?)
    }

    fn check_state(&self, sig: i32, found: usize) -> Result<usize, BatchError> {
        let width = self.state_size(sig)?;
        let wanted = width * self.worlds();
        if found == wanted {
            return Ok(width);
        }
        Err(BatchError::Length { what: "state", found, wanted })
    }

    /// The rows of all worlds.
    fn rows(&self) -> Result<Vec<u8>, BatchError> {
        let mut rows = vec![0; self.worlds.row_bytes() * self.worlds()];
        self.worlds.read(0, &mut rows, self.stream)?;
        Ok(rows)
    }

    /// Reads bytes of a field of all worlds, world after world.
    pub fn read(&self, field: &DeviceField) -> Result<Vec<u8>, BatchError> {
        let (start, width) = self.span(field);
        let mut out = Vec::with_capacity(width * self.worlds());
        for row in self.rows()?.chunks(self.worlds.row_bytes()) {
            out.extend_from_slice(&row[start..start + width]);
        }
        Ok(out)
    }

    /// Writes bytes of a field of all worlds, world after world.
    pub fn write(&mut self, field: &DeviceField, bytes: &[u8]) -> Result<(), BatchError> {
        let (start, width) = self.span(field);
        let (found, wanted) = (bytes.len(), width * self.worlds());
        if found != wanted {
            return Err(BatchError::Length { what: "an array, in bytes,", found, wanted });
        }
        let mut rows = self.rows()?;
        let each = rows.chunks_mut(self.worlds.row_bytes()).zip(bytes.chunks(width.max(1)));
        for (row, bytes) in each {
            row[start..start + width].copy_from_slice(bytes);
        }
        Ok(self.worlds.write(0, &rows, self.stream)?)
    }

    /// The first byte and the bytes of a field in a row.
    fn span(&self, field: &DeviceField) -> (usize, usize) {
        let count: usize = field.shape.iter().product();
        let start = field.address - self.worlds.address().addr();
        (start, count * field.precision.size())
    }
}

/// Bytes of a world in the memory of the processor.
fn row_here(m: &Model, options: &DeviceOptions) -> Result<usize, GpuError> {
    let outcome = size_of::<u32>() + 2;
    match options.place {
        Place::Kernel => Ok(2 * outcome + Worlds::on_host(m, 1, options.precision)?.row_bytes()),
        Place::Cuda(_) => Ok(outcome),
    }
}

fn make(m: &Model, worlds: usize, options: &DeviceOptions) -> Result<Worlds, GpuError> {
    match options.place {
        Place::Kernel => Worlds::on_host(m, worlds, options.precision),
        Place::Cuda(ordinal) => {
            let device = Device::open(ordinal)?;
            Worlds::on_device(m, worlds, options.precision, device, options.shape)
        }
    }
}

fn invalid(error: engine::StateError) -> BatchError {
    BatchError::Invalid { world: 0, text: error.to_string() }
}
