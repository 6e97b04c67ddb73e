//! A batch whose worlds live in the memory of a GPU and are stepped there.

mod parameters;

use std::sync::{Arc, Mutex, PoisonError};

use sinew_engine as engine;
use sinew_gpu::cuda::{Device, Stream};
use sinew_gpu::{GpuError, Precision, Shape, Started, Worlds, row};
use sinew_kernel::outcome;
use sinew_model::enums::StateBit;
use sinew_model::{Data, Model};

use crate::error::BatchError;
use crate::field::{Parameter, load};
use crate::limits::check_memory;
use crate::pool::Pool;
use crate::worker::{count_bad, take_bad};

/// The processor or GPU that steps the worlds of a [`DeviceBatch`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Backend {
    /// A GPU, by its number.
    Cuda(i32),
    /// The kernel of a GPU, run by the processor on one thread: for tests without a GPU.
    Kernel,
}

/// Settings of a [`DeviceBatch`].
#[derive(Clone, Copy, Debug)]
pub struct DeviceOptions {
    /// The processor or GPU that steps the worlds.
    pub backend: Backend,
    /// Precision of the numbers.
    pub precision: Precision,
    /// Layout of the kernel on the GPU.
    pub shape: Shape,
    /// Threads for worlds that the kernel leaves to the processor; 0 stands for all cores of the
    /// machine.
    pub threads: usize,
}

impl DeviceOptions {
    /// Double precision on a processor or GPU.
    pub fn at(backend: Backend) -> DeviceOptions {
        let (precision, shape) = (Precision::default(), Shape::default());
        DeviceOptions { backend, precision, shape, threads: 0 }
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
    /// The name of a result of steps that is no part of the state.
    pub result: Option<&'static str>,
}

/// Worlds of one model in the memory of a GPU.
///
/// Every world steps as in [`Batch`](crate::Batch). A world with a bad state, and one that needs
/// more than the kernel's workspace, is stepped on by the engine of the processor.
pub struct DeviceBatch {
    model: Arc<Model>,
    options: DeviceOptions,
    worlds: Worlds,
    flags: Vec<u32>,
    diverged: Vec<u8>,
    stream: Stream,
    pool: Pool,
    /// Steps that were not waited for, and how many.
    started: Option<(Started, usize)>,
    /// Fields of the model that worlds have for themselves, and the worlds whose values changed.
    parameters: Vec<Parameter>,
    changed: Vec<bool>,
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
            started: None,
            parameters: Vec::new(),
            changed: vec![false; worlds],
        };
        batch.reset(None, None)?;
        Ok(batch)
    }

    /// Number of worlds.
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
        self.wait()?;
        self.worlds.wait(self.stream)?;
        self.stream = stream;
        Ok(())
    }

    /// The place of a field in the memory of the device: a part of the state, or a result of the
    /// last step. A result is kept from this call on. The first values follow from the present
    /// state.
    pub fn bind(&mut self, name: &str) -> Result<DeviceField, BatchError> {
        let size = self.options.precision.size();
        let shape = match name {
            "time" => vec![],
            _ => match Data::new(&self.model).field(name).map(|view| view.shape) {
                Some(shape) => core::iter::once(shape.rows).chain(shape.cols).collect(),
                None => return Err(self.absent(name)),
            },
        };
        if let Some(field) = self.worlds.packed().field(name) {
            return Ok(DeviceField {
                address: self.worlds.address().addr() + field.offset * size,
                stride: self.worlds.row_bytes(),
                precision: self.options.precision,
                shape,
                result: None,
            });
        }
        self.wait()?;
        let is_new = !self.worlds.kept().any(|kept| kept.name == name);
        let address = self.worlds.keep(name, self.stream)?.ok_or_else(|| self.absent(name))?;
        if is_new {
            self.forward(None)?;
        }
        let kept = self.worlds.kept().find(|kept| kept.name == name);
        let kept = kept.ok_or_else(|| self.absent(name))?;
        Ok(DeviceField {
            address: address.addr(),
            stride: kept.len * size,
            precision: self.options.precision,
            shape,
            result: Some(kept.name),
        })
    }

    /// Names of the fields that `bind` knows.
    pub fn fields(&self) -> Vec<&'static str> {
        let packed = self.worlds.packed();
        let results = sinew_gpu::RESULTS.into_iter().filter(|name| packed.result(name).is_some());
        packed.fields.iter().map(|field| field.name).chain(results).collect()
    }

    /// Why a field is not there.
    fn absent(&self, name: &str) -> BatchError {
        let unread = &self.worlds.packed().unread;
        if name == "sensordata" && !unread.is_empty() {
            return BatchError::NotOnDevice(format!("'sensordata' with {}", unread.join(", ")));
        }
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

    /// Steps the worlds that `mask` selects (all without a mask) `nsteps` times with their present
    /// controls.
    pub fn step(&mut self, nsteps: usize, mask: Option<&[bool]>) -> Result<(), BatchError> {
        self.start(nsteps, mask)?;
        self.wait()
    }

    /// The same without waiting for the last steps: later work on the stream runs after them. A
    /// world that the kernel leaves to the processor is behind until [`DeviceBatch::wait`], which
    /// every other call begins with.
    pub fn start(&mut self, nsteps: usize, mask: Option<&[bool]>) -> Result<(), BatchError> {
        self.wait()?;
        self.apply()?;
        if self.diverged.contains(&1) {
            self.diverged.fill(0);
            self.worlds.set_marks(&self.diverged, self.stream)?;
        }
        let mut left = nsteps;
        while left > 0 {
            self.wait()?;
            let steps = left.min(STEPS);
            let started = self.worlds.start(steps as u32, mask, self.stream)?;
            self.started = Some((started, steps));
            left -= steps;
        }
        Ok(())
    }

    /// Waits for steps that were started.
    pub fn wait(&mut self) -> Result<(), BatchError> {
        let Some((started, steps)) = self.started.take() else { return Ok(()) };
        if !self.worlds.finish(&started)? {
            return Ok(());
        }
        self.worlds.read_flags(&mut self.flags, self.stream)?;
        self.finish(steps)?;
        if self.diverged.contains(&1) {
            self.worlds.set_marks(&self.diverged, self.stream)?;
        }
        Ok(())
    }

    /// Computes the kept results of the worlds that `mask` selects (all without a mask), without a
    /// step.
    pub fn forward(&mut self, mask: Option<&[bool]>) -> Result<(), BatchError> {
        self.wait()?;
        self.apply()?;
        if self.worlds.kept().next().is_none() {
            return Ok(());
        }
        let started = self.worlds.start(0, mask, self.stream)?;
        self.started = Some((started, 0));
        self.wait()
    }

    /// Steps worlds on that the kernel has left, by the engine of the processor.
    fn finish(&mut self, steps: usize) -> Result<(), BatchError> {
        // their rows, and how many steps they have taken
        let ok = |flag: u32| flag & outcome::MASK == outcome::OK;
        let size = self.worlds.row_bytes();
        let mut left = Vec::new();
        for (world, &flag) in self.flags.iter().enumerate().filter(|(_, flag)| !ok(**flag)) {
            let mut row = vec![0; size];
            self.worlds.read(world, &mut row, self.stream)?;
            let taken = (flag >> outcome::SHIFT) as usize;
            let taken = steps.saturating_sub(taken);
            left.push(Mutex::new(Left { world, steps: taken, row, bad: 0, kept: Vec::new() }));
        }

        // the rest of their steps
        let (packed, kept) = (self.worlds.packed(), self.worlds.kept().collect::<Vec<_>>());
        let (precision, shares) = (self.options.precision, self.pool.threads().min(left.len()));
        let (model, parameters) = (&*self.model, &self.parameters);
        self.pool.run(shares, |share| {
            let mut own = model.clone();
            let mut data = Data::new(&own);
            for slot in left.iter().skip(share).step_by(shares) {
                let mut slot = slot.lock().unwrap_or_else(PoisonError::into_inner);
                load(parameters, &mut own, slot.world);
                engine::reset_data(&own, &mut data);
                row::to_data(packed, precision, &slot.row, &mut data);
                let before = take_bad(&mut data);
                (0..slot.steps).for_each(|_| engine::step(&own, &mut data));
                if steps == 0 {
                    engine::forward(&own, &mut data);
                }
                slot.bad = count_bad(&mut data, before);
                slot.row = row::of_data(packed, precision, &data);
                slot.kept = kept.iter().map(|kept| row::of_field(precision, &data, kept)).collect();
            }
        })?;
        for slot in left {
            let slot = slot.into_inner().unwrap_or_else(PoisonError::into_inner);
            for (kept, bytes) in kept.iter().zip(&slot.kept) {
                self.worlds.write_kept(kept.name, slot.world, bytes, self.stream)?;
            }
            if steps > 0 {
                self.diverged[slot.world] |= slot.bad;
                self.worlds.write(slot.world, &slot.row, self.stream)?;
            }
        }
        Ok(())
    }

    /// Sets the worlds that `mask` selects (all without a mask) to the initial state or to a
    /// keyframe.
    pub fn reset(&mut self, mask: Option<&[bool]>, key: Option<usize>) -> Result<(), BatchError> {
        self.wait()?;
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
        self.wait()?;
        self.worlds.set_model(model, self.stream)?;
        self.model = Arc::new(model.clone());
        if !self.parameters.is_empty() {
            self.changed.fill(true);
        }
        Ok(())
    }

    /// The state of one world, with everything that `forward` computes in it.
    pub fn data(&mut self, world: usize) -> Result<Data, BatchError> {
        self.wait()?;
        let worlds = self.worlds();
        if world >= worlds {
            return Err(BatchError::World { found: world, worlds });
        }
        let mut row = vec![0; self.worlds.row_bytes()];
        self.worlds.read(world, &mut row, self.stream)?;
        let model = self.world_model(world);
        let mut data = Data::new(&model);
        row::to_data(self.worlds.packed(), self.options.precision, &row, &mut data);
        engine::forward(&model, &mut data);
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
    pub fn state(&mut self, sig: i32, out: &mut [f64]) -> Result<(), BatchError> {
        self.wait()?;
        let width = self.check_state(sig, out.len())?;
        let rows = self.rows()?;
        let mut data = Data::new(&self.model);
        for (row, out) in rows.chunks(self.worlds.row_bytes()).zip(out.chunks_mut(width.max(1))) {
            row::to_data(self.worlds.packed(), self.options.precision, row, &mut data);
            engine::get_state(&self.model, &data, out, sig).map_err(invalid)?;
        }
        Ok(())
    }

    /// Sets the state components `sig` of the worlds that `mask` selects (all without a mask);
    /// `state` has a row for every world.
    pub fn set_state(
        &mut self,
        state: &[f64],
        sig: i32,
        mask: Option<&[bool]>,
    ) -> Result<(), BatchError> {
        self.wait()?;
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
    pub fn read(&mut self, field: &DeviceField) -> Result<Vec<u8>, BatchError> {
        self.wait()?;
        let (start, width) = self.span(field);
        let mut out = Vec::with_capacity(width * self.worlds());
        let rows = match field.result {
            Some(name) => self.worlds.read_kept(name, self.stream)?,
            None => self.rows()?,
        };
        for row in rows.chunks(field.stride.max(1)) {
            out.extend_from_slice(&row[start..start + width]);
        }
        Ok(out)
    }

    /// Writes bytes of a field of all worlds, world after world.
    pub fn write(&mut self, field: &DeviceField, bytes: &[u8]) -> Result<(), BatchError> {
        if let Some(name) = field.result {
            return Err(BatchError::Result(name.to_owned()));
        }
        self.wait()?;
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
        let rows = field.result.and_then(|name| self.worlds.kept_address(name));
        let start = field.address - rows.unwrap_or(self.worlds.address()).addr();
        (start, count * field.precision.size())
    }
}

/// A world that the kernel has left to the processor.
struct Left {
    world: usize,
    /// Steps that it has not taken.
    steps: usize,
    row: Vec<u8>,
    bad: u8,
    /// Kept results.
    kept: Vec<Vec<u8>>,
}

/// Bytes of a world in the memory of the processor.
fn row_here(m: &Model, options: &DeviceOptions) -> Result<usize, GpuError> {
    let outcome = size_of::<u32>() + 2;
    match options.backend {
        Backend::Kernel => Ok(2 * outcome + Worlds::on_host(m, 1, options.precision)?.row_bytes()),
        Backend::Cuda(_) => Ok(outcome),
    }
}

fn make(m: &Model, worlds: usize, options: &DeviceOptions) -> Result<Worlds, GpuError> {
    match options.backend {
        Backend::Kernel => Worlds::on_host(m, worlds, options.precision),
        Backend::Cuda(ordinal) => {
            let device = Device::open(ordinal)?;
            Worlds::on_device(m, worlds, options.precision, device, options.shape)
        }
    }
}

fn invalid(error: engine::StateError) -> BatchError {
    BatchError::Invalid { world: 0, text: error.to_string() }
}
