//! The batch: arrays over worlds, and the operations on all worlds.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use sinew_engine as engine;
use sinew_model::enums::EnableBit;
use sinew_model::fields::Mark;
use sinew_model::pod::Scalar;
use sinew_model::{Data, Model};

use crate::array::Array;
use crate::error::BatchError;
use crate::field::{DataField, ModelField};
use crate::limits::check_memory;
use crate::pool::Pool;
use crate::worker::{Chunk, Plan, Visit, Worker, fresh};

/// Options of a batch.
#[derive(Clone, Copy, Debug, Default)]
pub struct BatchOptions {
    /// Number of threads; 0 for the machine's parallelism.
    pub threads: usize,
    /// Number of worlds per task of a thread; 0 for automatic.
    pub chunk: usize,
    /// Whether every world keeps a whole [`Data`] instead of the bound fields and the state that a
    /// step carries over. Models with sleep, plugins, hard contacts or springs that yield always
    /// do, because their steps depend on more of the previous step.
    pub keep_data: bool,
}

/// Worlds of one model, or of several models with states of the same shape.
///
/// A world has a row in every array. Arrays of the state always exist. [`Batch::bind`] adds any
/// other field of the state, and [`Batch::expand`] gives worlds parameters of their own. All other
/// fields are scratch memory that the worlds of a thread share.
///
/// Every world computes the same bits as a separate [`Data`] would, for any number of threads, any
/// chunk size and any other worlds.
pub struct Batch {
    models: Vec<Arc<Model>>,
    /// Index of each world's model.
    model_of: Vec<usize>,
    fields: Vec<DataField>,
    widths: Vec<usize>,
    arrays: Vec<Array>,
    params: Vec<ModelField>,
    param_widths: Vec<usize>,
    param_names: Vec<String>,
    param_arrays: Vec<Array>,
    /// Integer parameters at the last successful check of the models.
    checked: Vec<Option<Vec<u8>>>,
    diverged: Array,
    datas: Vec<Data>,
    pool: Pool,
    workers: Vec<Worker>,
    chunk: usize,
}

/// Bytes of a state with its lists.
fn data_bytes(d: &Data) -> usize {
    let mut bytes = size_of::<Data>();
    d.for_each_field(|f| bytes += f.bytes.len());
    bytes
}

impl Batch {
    /// Creates `worlds` worlds of a model, in its initial state.
    pub fn new(
        model: Arc<Model>,
        worlds: usize,
        options: BatchOptions,
    ) -> Result<Batch, BatchError> {
        check_memory(worlds, size_of::<usize>(), 0)?;
        Batch::of(vec![model], vec![0; worlds], options)
    }

    /// Creates a world for each entry of `model_of`, the index of its model.
    pub fn of(
        models: Vec<Arc<Model>>,
        model_of: Vec<usize>,
        options: BatchOptions,
    ) -> Result<Batch, BatchError> {
        if models.is_empty() || model_of.is_empty() {
            return Err(BatchError::Empty);
        }
        if let Some(&found) = model_of.iter().find(|&&kind| kind >= models.len()) {
            return Err(BatchError::Length {
                what: "models",
                found: models.len(),
                wanted: found + 1,
            });
        }

        // without fields at first
        let n = model_of.len();
        let pool = Pool::new(options.threads)?;
        let workers = (0..pool.threads()).map(|_| Worker::default()).collect();
        let auto = chunk_size(n, pool.threads());
        let mut batch = Batch {
            models,
            model_of,
            fields: Vec::new(),
            widths: Vec::new(),
            arrays: Vec::new(),
            params: Vec::new(),
            param_widths: Vec::new(),
            param_names: Vec::new(),
            param_arrays: Vec::new(),
            checked: Vec::new(),
            diverged: Array::new(n, Scalar::U8, vec![]),
            datas: Vec::new(),
            pool,
            workers,
            chunk: if options.chunk == 0 { auto } else { options.chunk },
        };

        // every model must have an initial state
        for (kind, m) in batch.models.iter().enumerate() {
            let world = batch.model_of.iter().position(|&k| k == kind).unwrap_or(0);
            check_start(m).map_err(|text| BatchError::Invalid { world, text })?;
        }

        // the state that a step carries over to the next
        let mut starts: Vec<Data> = batch.models.iter().map(|m| fresh(m)).collect();
        let mut row = 0;
        for field in DataField::marked(Mark::Carried) {
            let (scalar, shape) = field.layout(&mut starts[0]);
            row += scalar.size() * shape.iter().product::<usize>();
        }
        check_memory(n, row, 0)?;
        for field in DataField::marked(Mark::Carried) {
            batch.add_field(field, &mut starts)?;
        }
        if options.keep_data || batch.models.iter().any(|m| needs_data(m)) {
            batch.keep_data()?;
        }
        Ok(batch)
    }

    /// Number of worlds.
    pub fn worlds(&self) -> usize {
        self.model_of.len()
    }

    /// Number of threads.
    pub fn threads(&self) -> usize {
        self.pool.threads()
    }

    /// The model of a world, without its own parameters.
    pub fn model(&self, world: usize) -> &Arc<Model> {
        &self.models[self.model_of[world]]
    }

    /// Memory per world in bytes, without the shared models and the threads' scratch memory.
    pub fn bytes_per_world(&self) -> usize {
        let arrays = self.arrays.iter().chain(&self.param_arrays).chain([&self.diverged]);
        let rows: usize = arrays.map(Array::row_bytes).sum();
        rows + self.datas.first().map_or(0, data_bytes)
    }

    /// Refuses another array with rows of `row` bytes if it does not fit into memory.
    fn check_memory(&self, row: usize) -> Result<(), BatchError> {
        check_memory(self.worlds(), row, self.bytes_per_world().saturating_mul(self.worlds()))
    }

    /// Gives every world a [`Data`] of its own.
    fn keep_data(&mut self) -> Result<(), BatchError> {
        self.check_memory(data_bytes(&fresh(&self.models[0])))?;
        let kinds = self.model_of.iter();
        self.datas = kinds.map(|&kind| fresh(&self.models[kind])).collect();
        Ok(())
    }

    /// Adds a field, with its contents in the models' states.
    fn add_field(&mut self, field: DataField, starts: &mut [Data]) -> Result<usize, BatchError> {
        let layouts: Vec<_> = starts.iter_mut().map(|d| field.layout(d)).collect();
        if let Some(world) = self.model_of.iter().position(|&kind| layouts[kind] != layouts[0]) {
            return Err(BatchError::Shapes { field: field.name.to_owned(), world });
        }
        let (scalar, shape) = layouts[0].clone();
        self.check_memory(scalar.size() * shape.iter().product::<usize>())?;
        let mut array = Array::new(self.worlds(), scalar, shape);
        for (world, &kind) in self.model_of.iter().enumerate() {
            field.store(&mut starts[kind], array.row_mut(world));
        }
        self.widths.push(array.row_bytes());
        self.arrays.push(array);
        self.fields.push(field);
        Ok(self.fields.len() - 1)
    }

    /// The array of a state's field, added if necessary. From now on every call updates it. A new
    /// array holds the values that `forward` computes in the present state.
    pub fn bind(&mut self, name: &str) -> Result<&mut Array, BatchError> {
        let index = match self.fields.iter().position(|f| f.name == name) {
            Some(index) => index,
            None => {
                let field = DataField::find(name)?;
                let mut starts: Vec<Data> = self.models.iter().map(|m| fresh(m)).collect();
                let index = self.add_field(field, &mut starts)?;
                self.fill(index)?;
                index
            }
        };
        Ok(&mut self.arrays[index])
    }

    /// The array of a state's field, if it is bound.
    pub fn array(&self, name: &str) -> Option<&Array> {
        self.fields.iter().position(|f| f.name == name).map(|index| &self.arrays[index])
    }

    /// Computes a newly bound field and leaves all others unchanged.
    fn fill(&mut self, index: usize) -> Result<(), BatchError> {
        self.check_memory(self.bytes_per_world())?; // of the copies
        let keep: Vec<Array> = self.arrays[..index].to_vec();
        let datas = self.datas.clone();
        let result = self.forward(None);
        for (array, kept) in self.arrays.iter_mut().zip(&keep) {
            array.bytes_mut().copy_from_slice(kept.bytes());
        }
        self.datas.clone_from_slice(&datas);
        result
    }

    /// The array of a parameter, added if necessary: a field of the model, or a member of the
    /// options or statistics (`opt.gravity`, `stat.meaninertia`). Worlds start with their model's
    /// values.
    ///
    /// Constants that the compiler computes from masses, inertias and lengths are updated by
    /// [`Batch::set_const`] alone. The bounds `geom_rbound` and `geom_aabb` do not follow
    /// `geom_size`.
    pub fn expand(&mut self, name: &str) -> Result<&mut Array, BatchError> {
        let index = match self.param_names.iter().position(|n| n == name) {
            Some(index) => index,
            None => self.add_param(name)?,
        };
        Ok(&mut self.param_arrays[index])
    }

    fn add_param(&mut self, name: &str) -> Result<usize, BatchError> {
        let field = ModelField::find(name)?;
        let mut copies: Vec<Model> = self.models.iter().map(|m| (**m).clone()).collect();
        let layouts: Vec<_> = copies.iter_mut().map(|m| field.layout(m)).collect();
        if let Some(world) = self.model_of.iter().position(|&kind| layouts[kind] != layouts[0]) {
            return Err(BatchError::Shapes { field: name.to_owned(), world });
        }
        let (scalar, shape) = layouts[0].clone();
        self.check_memory(scalar.size() * shape.iter().product::<usize>())?;
        let mut array = Array::new(self.worlds(), scalar, shape);
        for (world, &kind) in self.model_of.iter().enumerate() {
            field.store(&mut copies[kind], array.row_mut(world));
        }
        // sleep needs more of the previous step than the carried state
        if field.name == "enableflags" && self.datas.is_empty() {
            self.keep_data()?;
        }
        self.checked.push((scalar == Scalar::I32).then(|| array.bytes().to_vec()));
        self.param_widths.push(array.row_bytes());
        self.param_arrays.push(array);
        self.param_names.push(name.to_owned());
        self.params.push(field);
        Ok(self.params.len() - 1)
    }

    /// The array of a parameter, or `None` if the field was not expanded.
    pub fn parameter(&self, name: &str) -> Option<&Array> {
        self.param_names.iter().position(|n| n == name).map(|index| &self.param_arrays[index])
    }

    /// Flags of the worlds that met a bad state in the last call: positions, velocities or
    /// accelerations that are not finite or exceed 1e10. The engine has reset these worlds unless
    /// the model disables it.
    pub fn diverged(&self) -> &Array {
        &self.diverged
    }

    /// The flags of [`Batch::diverged`], writable.
    pub fn diverged_mut(&mut self) -> &mut Array {
        &mut self.diverged
    }

    /// Makes `nsteps` steps of the worlds that `mask` selects (all without a mask), with constant
    /// controls.
    pub fn step(&mut self, nsteps: usize, mask: Option<&[bool]>) -> Result<(), BatchError> {
        self.visit(mask, Visit::Steps { count: nsteps, forces: false })
    }

    /// Makes steps as [`Batch::step`] does, and then computes the forces between bodies (`cacc`,
    /// `cfrc_int`, `cfrc_ext`). A step computes these forces only if sensors need them.
    pub fn step_with_forces(
        &mut self,
        nsteps: usize,
        mask: Option<&[bool]>,
    ) -> Result<(), BatchError> {
        self.visit(mask, Visit::Steps { count: nsteps, forces: true })
    }

    /// Computes all quantities that follow from the states, without a step.
    pub fn forward(&mut self, mask: Option<&[bool]>) -> Result<(), BatchError> {
        self.for_each(mask, |_, m, d| engine::forward(m, d))
    }

    /// Computes [`Batch::forward`] and then the forces between bodies.
    pub fn forward_with_forces(&mut self, mask: Option<&[bool]>) -> Result<(), BatchError> {
        self.for_each(mask, |_, m, d| {
            engine::forward(m, d);
            engine::rne_post_constraint(m, d);
        })
    }

    /// Resets the worlds that `mask` selects (all without a mask) to the initial state or to a
    /// keyframe. Computed quantities are zero until the next step or [`Batch::forward`].
    pub fn reset(&mut self, mask: Option<&[bool]>, key: Option<usize>) -> Result<(), BatchError> {
        if let Some(key) = key {
            let short = self.models.iter().find(|m| key >= m.nkey);
            if let Some(m) = short {
                return Err(BatchError::Length { what: "key", found: m.nkey, wanted: key + 1 });
            }
        }
        self.for_each(mask, |_, m, d| match key {
            Some(key) => engine::reset_data_keyframe(m, d, key),
            None => engine::reset_data(m, d),
        })
    }

    /// Computes, for each world, the constants that follow from its own parameters, such as
    /// `body_invweight0` from `body_mass`. These constants become parameters of every world.
    pub fn set_const(&mut self) -> Result<(), BatchError> {
        if self.params.is_empty() {
            return Ok(());
        }
        for name in ModelField::derived() {
            self.expand(&name)?;
        }
        let most = self.set_gravcomp();
        self.visit(
            None,
            Visit::Parameters(&|m, d| {
                let made = engine::set_const(m, &mut d.clone());
                m.ngravcomp = most;
                made.map_err(|e| e.to_string())
            }),
        )
    }

    /// Counts the bodies with gravity compensation in any world, as a model does.
    fn set_gravcomp(&mut self) -> usize {
        let expanded = self.parameter("body_gravcomp").and_then(Array::f64);
        let any = expanded.map(|x| usize::from(x.iter().any(|&x| x > 0.0)));
        let most = self.models.iter().map(|m| m.ngravcomp).max().unwrap_or(0);
        let most = any.unwrap_or(0).max(most);
        if let Some(true) = any.map(|any| any > 0) {
            for m in &mut self.models {
                Arc::make_mut(m).ngravcomp = most;
            }
            self.forget_models();
        }
        most
    }

    /// Drops scratch memory that the threads of a parent process may have left incomplete.
    fn forget_scratch(&mut self) {
        self.workers.fill_with(Worker::default);
        self.datas.iter_mut().for_each(|d| d.work = Default::default());
    }

    fn forget_models(&mut self) {
        for worker in &mut self.workers {
            worker.forget_models();
        }
    }

    /// Replaces the model of all worlds by another version with the same sizes. The worlds keep
    /// their own parameters.
    pub fn set_model(&mut self, model: &Model) -> Result<(), BatchError> {
        for (name, _) in Model::SIZES {
            let same = |m: &Arc<Model>| m.size(name) == model.size(name);
            if let Some(kind) = self.models.iter().position(|m| !same(m)) {
                let world = self.model_of.iter().position(|&k| k == kind).unwrap_or(0);
                return Err(BatchError::Shapes { field: (*name).to_owned(), world });
            }
        }
        let model = Arc::new(model.clone());
        self.models.fill(model);
        self.forget_models();
        if self.datas.is_empty() && needs_data(&self.models[0]) {
            self.keep_data()?;
        }
        Ok(())
    }

    /// A copy of the state of one world; `forward` computes the fields that are not stored.
    pub fn data(&mut self, world: usize) -> Result<Data, BatchError> {
        let worlds = self.worlds();
        if world >= worlds {
            return Err(BatchError::World { found: world, worlds });
        }
        let kept = self.datas.get(world).cloned();
        let is_kept = kept.is_some();
        let mut data = kept.unwrap_or_else(|| fresh(self.model(world)));
        let model = self.world_model(world);
        if !is_kept {
            self.load(world, &mut data);
            engine::forward(&model, &mut data);
        }
        self.load(world, &mut data);
        Ok(data)
    }

    /// A copy of the model of a world, with its own parameters.
    pub fn world_model(&self, world: usize) -> Model {
        let mut model = (**self.model(world)).clone();
        for (field, array) in self.params.iter().zip(&self.param_arrays) {
            field.load(&mut model, array.row(world));
        }
        model
    }

    fn load(&self, world: usize, data: &mut Data) {
        for (field, array) in self.fields.iter().zip(&self.arrays) {
            field.load(data, array.row(world));
        }
    }

    /// Number of values in the state components `sig` (bits of `mjtState`), for one world.
    pub fn state_size(&self, sig: i32) -> Result<usize, BatchError> {
        let invalid = |e: engine::StateError| BatchError::Invalid { world: 0, text: e.to_string() };
        engine::state_size(&self.models[0], sig).map_err(invalid)
    }

    /// Reads the state components `sig` of all worlds, one world after the other.
    pub fn state(&self, sig: i32, out: &mut [f64]) -> Result<(), BatchError> {
        let width = self.state_size(sig)?;
        self.check("state", out.len(), width * self.worlds())?;
        let mut datas: Vec<Data> = self.models.iter().map(|m| fresh(m)).collect();
        for world in 0..self.worlds() {
            let kind = self.model_of[world];
            self.load(world, &mut datas[kind]);
            let row = &mut out[world * width..][..width];
            engine::get_state(&self.models[kind], &datas[kind], row, sig)
                .map_err(|e| BatchError::Invalid { world, text: e.to_string() })?;
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
        let width = self.state_size(sig)?;
        self.check("state", state.len(), width * self.worlds())?;
        self.for_each(mask, |world, m, d| {
            // the sizes and the signature were checked above
            let _ = engine::set_state(m, d, &state[world * width..][..width], sig);
        })
    }

    /// Calls `f` on all threads with the index, model and state of every world that `mask` selects
    /// (all without a mask). Changes of bound fields and of the state persist.
    pub fn for_each(
        &mut self,
        mask: Option<&[bool]>,
        f: impl Fn(usize, &Model, &mut Data) + Sync,
    ) -> Result<(), BatchError> {
        self.visit(mask, Visit::State(&f))
    }

    fn check(&self, what: &'static str, found: usize, wanted: usize) -> Result<(), BatchError> {
        if found == wanted { Ok(()) } else { Err(BatchError::Length { what, found, wanted }) }
    }

    fn visit(&mut self, mask: Option<&[bool]>, visit: Visit<'_>) -> Result<(), BatchError> {
        if let Some(mask) = mask {
            self.check("mask", mask.len(), self.worlds())?;
        }
        self.check_parameters()?;
        if self.pool.leave_parents_threads() {
            self.forget_scratch();
        }
        // worlds with own parameters or states are stepped one at a time
        let alone = !matches!(visit, Visit::Steps { .. })
            || !self.params.is_empty()
            || !self.datas.is_empty();
        let seen = matches!(visit, Visit::Steps { forces: true, .. })
            || self.fields.iter().any(|f| f.has(Mark::Result));
        let plan = Plan {
            visit,
            seen,
            fours: !alone && self.models.iter().all(|m| engine::four_at_once(m)),
            models: &self.models,
            model_of: &self.model_of,
            mask,
            fields: &self.fields,
            widths: &self.widths,
            params: &self.params,
            param_widths: &self.param_widths,
        };
        self.diverged.bytes_mut().fill(0);

        // chunks with worlds to visit, each with its rows of all arrays
        let (worlds, size) = (plan.model_of.len(), self.chunk);
        let count = worlds.div_ceil(size);
        let mut fields: Vec<_> = self.arrays.iter_mut().map(|a| a.pieces(size, count)).collect();
        let mut params: Vec<_> =
            self.param_arrays.iter_mut().map(|a| a.pieces(size, count)).collect();
        let mut diverged = self.diverged.pieces(size, count);
        let mut datas = self.datas.chunks_mut(size);
        let chunks = (0..count).filter_map(|c| {
            let (first, worlds) = (c * size, size.min(worlds - c * size));
            let fields = fields.iter_mut().map(|f| f.next().unwrap_or_default());
            let params = params.iter_mut().map(|f| f.next().unwrap_or_default());
            let diverged = diverged.next().unwrap_or_default();
            let datas = datas.next().unwrap_or_default();
            if mask.is_some_and(|mask| !mask[first..first + worlds].contains(&true)) {
                fields.chain(params).for_each(drop);
                return None;
            }
            let (fields, params) = (fields.collect(), params.collect());
            Some(Mutex::new(Some(Chunk { first, worlds, fields, params, diverged, datas })))
        });
        let chunks: Vec<_> = chunks.collect();

        // each thread takes the next chunk until none is left
        let next = AtomicUsize::new(0);
        let failed: Mutex<Option<(usize, BatchError)>> = Mutex::new(None);
        let workers: Vec<_> = self.workers.iter_mut().map(Mutex::new).collect();
        self.pool.run(chunks.len(), |thread| {
            let mut worker = workers[thread].lock().unwrap_or_else(PoisonError::into_inner);
            while let Some(slot) = chunks.get(next.fetch_add(1, Ordering::Relaxed)) {
                let chunk = slot.lock().unwrap_or_else(PoisonError::into_inner).take();
                let Some(mut chunk) = chunk else { continue };
                if let Err(error) = worker.run(&plan, &mut chunk) {
                    // the error of the lowest world, independent of the threads' speed
                    let mut failed = failed.lock().unwrap_or_else(PoisonError::into_inner);
                    if failed.as_ref().is_none_or(|(first, _)| chunk.first < *first) {
                        *failed = Some((chunk.first, error));
                    }
                }
            }
        })?;
        let failed = failed.into_inner().unwrap_or_else(PoisonError::into_inner);
        failed.map_or(Ok(()), |(_, error)| Err(error))
    }

    /// Validates the integer parameters written since the last call, because stages use them as
    /// indices without checks.
    fn check_parameters(&mut self) -> Result<(), BatchError> {
        let changed = |array: &Array, old: &Option<Vec<u8>>| {
            old.as_ref().is_some_and(|old| old.as_slice() != array.bytes())
        };
        if !self.param_arrays.iter().zip(&self.checked).any(|(a, old)| changed(a, old)) {
            return Ok(());
        }

        // the model of each world
        let mut models: Vec<Model> = self.models.iter().map(|m| (**m).clone()).collect();
        for (world, &kind) in self.model_of.iter().enumerate() {
            let fields = self.params.iter().zip(&self.param_arrays).zip(&self.checked);
            for ((field, array), _) in fields.filter(|(_, old)| old.is_some()) {
                field.load(&mut models[kind], array.row(world));
            }
            let bad = models[kind].validate().err();
            if let Some(bad) = bad {
                let text = bad.to_string();
                return Err(BatchError::Invalid { world, text });
            }
        }

        // keep the valid integers for the next comparison
        for (array, old) in self.param_arrays.iter().zip(&mut self.checked) {
            if let Some(old) = old {
                old.copy_from_slice(array.bytes());
            }
        }
        Ok(())
    }
}

/// Worlds per task: few enough to balance the load, and a multiple of four if every thread has
/// four.
fn chunk_size(worlds: usize, threads: usize) -> usize {
    let even = (worlds / (8 * threads)).clamp(1, 32);
    if worlds < 4 * threads { even } else { even.next_multiple_of(4) }
}

/// The reason why a model has no initial state, if its sleeping trees cannot sleep.
fn check_start(m: &Model) -> Result<(), String> {
    if !m.opt.enabled(EnableBit::Sleep) {
        return Ok(());
    }
    engine::reset_data_with(m, &mut Data::new(m), 0, &mut ()).map_err(|e| e.to_string())
}

/// Whether a step uses more of the previous step than the carried state.
fn needs_data(m: &Model) -> bool {
    m.coulomb.enabled || m.nplugin > 0 || m.nplastic() > 0 || m.opt.enabled(EnableBit::Sleep)
}
