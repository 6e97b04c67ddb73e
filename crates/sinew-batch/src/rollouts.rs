//! Rollouts of many worlds, and products with their derivatives.
//!
//! Every world is a [`Rollout`] from the initial state of the model. The other worlds and the
//! thread that computes it change no bit.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, MutexGuard, PoisonError};

use sinew_engine::{
    self as engine, Parameter, ParameterGradient, Rollout, RolloutGradient, TransitionError,
};
use sinew_model::enums::{SameFrame, Warning};
use sinew_model::pod::bytes_of;
use sinew_model::{Data, Model};

use crate::error::BatchError;
use crate::field::ModelField;
use crate::panic::Panic;
use crate::pool::Pool;
use crate::worker::text_of;

/// Rollouts of many worlds on a pool of threads, with their derivatives.
///
/// ```
/// use sinew_batch::{RolloutGradients, RolloutInputs, Rollouts};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let xml = "<mujoco><worldbody><body><joint name='hinge' axis='0 1 0'/>
/// #   <geom size='.1' pos='0 0 -.5'/></body></worldbody>
/// #   <actuator><motor joint='hinge'/></actuator></mujoco>";
/// # let model = sinew_mjcf::load_str(xml, &Default::default(), &Default::default())?.model;
/// // 3 worlds, 10 steps; a state is an angle and a speed
/// let mut rollouts = Rollouts::new(0)?;
/// let (start, ctrl) = ([0.1; 6], [0.5; 30]);
/// let inputs = RolloutInputs { worlds: 3, steps: 10, start: &start, ctrl: &ctrl, params: &[] };
/// let mut states = [0.0; 60];
/// rollouts.run(&model, &inputs, &mut states)?;
///
/// // how the angle at the end depends on the controls
/// let mut by_states = [0.0; 60];
/// by_states.chunks_exact_mut(20).for_each(|world| world[18] = 1.0);
/// let (mut by_start, mut by_ctrl) = ([0.0; 6], [0.0; 30]);
/// let out = RolloutGradients { start: &mut by_start, ctrl: &mut by_ctrl, params: &mut [] };
/// rollouts.vjp(&model, &inputs, &by_states, out)?;
/// assert!(by_ctrl[0] > by_ctrl[9]);
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Rollouts {
    pool: Pool,
    workers: Vec<Mutex<Worker>>,
    /// Sizes of the model that the memory of the threads fits.
    sizes: Vec<usize>,
}

/// The inputs of rollouts: for every world a first state, controls and parameters.
#[derive(Clone, Copy, Debug)]
pub struct RolloutInputs<'a> {
    /// Number of worlds.
    pub worlds: usize,
    /// Number of steps.
    pub steps: usize,
    /// `qpos`, `qvel` and `act` before the first step, a row for each world.
    pub start: &'a [f64],
    /// The controls: for each world a row for each step.
    pub ctrl: &'a [f64],
    /// Parameters of the model that worlds have of their own: for each world the numbers of the
    /// field. Constants that the compiler derives from masses stay as they are.
    pub params: &'a [(Parameter, &'a [f64])],
}

/// The gradient of a number that depends on the states of rollouts. [`RolloutInputs`] describes the
/// layouts.
#[derive(Debug, Default)]
pub struct RolloutGradients<'a, 'p> {
    /// By the first states.
    pub start: &'a mut [f64],
    /// By the controls.
    pub ctrl: &'a mut [f64],
    /// By the parameters, in the order of the inputs.
    pub params: &'a mut [&'p mut [f64]],
}

/// Memory of a thread: a state, and a model that takes parameters of worlds.
#[derive(Debug, Default)]
struct Worker {
    data: Option<Box<Data>>,
    model: Option<Box<Model>>,
}

/// A world whose rollout is computed.
struct World<'a> {
    index: usize,
    rollout: Rollout<'a>,
    model: &'a Model,
    data: &'a mut Data,
}

impl Rollouts {
    /// Rollouts on `threads` threads; 0 for the machine's parallelism.
    pub fn new(threads: usize) -> Result<Rollouts, BatchError> {
        let pool = Pool::new(threads)?;
        let workers = (0..pool.threads()).map(|_| Mutex::default()).collect();
        Ok(Rollouts { pool, workers, sizes: Vec::new() })
    }

    /// Number of threads.
    pub fn threads(&self) -> usize {
        self.pool.threads()
    }

    /// Writes the states after every step: for each world a row for each step.
    pub fn run(
        &mut self,
        m: &Model,
        inputs: &RolloutInputs<'_>,
        states: &mut [f64],
    ) -> Result<(), BatchError> {
        let width = inputs.steps * Rollout::state_len(m);
        check_length("states", states.len(), inputs.worlds * width)?;
        let mut states = Rows { rest: states, width };
        self.each(
            m,
            inputs,
            || states.next(),
            |world, states| world.rollout.run(world.model, world.data, states),
        )
    }

    /// The gradient from that by the states after every step.
    ///
    /// A thread keeps twice the square root of the steps in states, and makes every step twice
    /// before its derivative.
    pub fn vjp(
        &mut self,
        m: &Model,
        inputs: &RolloutInputs<'_>,
        by_states: &[f64],
        out: RolloutGradients<'_, '_>,
    ) -> Result<(), BatchError> {
        let (len, worlds) = (Rollout::state_len(m), inputs.worlds);
        let width = inputs.steps * len;
        check_length("by_states", by_states.len(), worlds * width)?;
        check_length("gradient by start", out.start.len(), worlds * len)?;
        check_length("gradient by ctrl", out.ctrl.len(), worlds * inputs.steps * m.nu)?;
        check_length("gradients by params", out.params.len(), inputs.params.len())?;
        for ((parameter, _), out) in inputs.params.iter().zip(&*out.params) {
            check_length(parameter.name(), out.len(), worlds * parameter.len(m))?;
        }
        check_finite("by_states", by_states, width)?;

        let mut starts = Rows { rest: out.start, width: len };
        let mut ctrls = Rows { rest: out.ctrl, width: inputs.steps * m.nu };
        let params = inputs.params.iter().zip(out.params);
        let mut params: Vec<_> = params
            .map(|(&(parameter, _), out)| (parameter, Rows { rest: out, width: parameter.len(m) }))
            .collect();
        let rows = || {
            let params = params.iter_mut().map(|(parameter, rows)| {
                let out = rows.next();
                out.fill(0.0);
                ParameterGradient { parameter: *parameter, out }
            });
            (starts.next(), ctrls.next(), params.collect::<Vec<_>>())
        };
        self.each(m, inputs, rows, |world, (start, ctrl, mut params)| {
            let by_states = &by_states[world.index * width..][..width];
            let out = RolloutGradient { start, ctrl, params: &mut params };
            world.rollout.vjp(world.model, world.data, by_states, out)
        })
    }

    /// The changes of the states after every step, where the first states and the controls change
    /// by `changes`.
    pub fn jvp(
        &mut self,
        m: &Model,
        inputs: &RolloutInputs<'_>,
        changes: [&[f64]; 2],
        out: &mut [f64],
    ) -> Result<(), BatchError> {
        let (len, worlds) = (Rollout::state_len(m), inputs.worlds);
        let widths = [len, inputs.steps * m.nu];
        for ((name, change), width) in
            ["change of start", "change of ctrl"].into_iter().zip(changes).zip(widths)
        {
            check_length(name, change.len(), worlds * width)?;
            check_finite(name, change, width)?;
        }
        check_length("changes of states", out.len(), worlds * inputs.steps * len)?;
        let mut out = Rows { rest: out, width: inputs.steps * len };
        self.each(
            m,
            inputs,
            || out.next(),
            |world, out| {
                let row = |k: usize| &changes[k][world.index * widths[k]..][..widths[k]];
                world.rollout.jvp(world.model, world.data, [row(0), row(1)], out)
            },
        )
    }

    /// Calls `f` for every world with its outputs, which `rows` gives in the order of the worlds.
    /// The error is the error of the world with the lowest index.
    fn each<R: Send>(
        &mut self,
        m: &Model,
        inputs: &RolloutInputs<'_>,
        rows: impl FnMut() -> R + Send,
        f: impl Fn(World<'_>, R) -> Result<(), TransitionError> + Sync,
    ) -> Result<(), BatchError> {
        inputs.check(m)?;
        let fields = inputs.params.iter().map(|(p, _)| ModelField::find(p.name()));
        let fields = fields.collect::<Result<Vec<_>, _>>()?;
        self.keep_memory_of(m);

        // each thread takes the next world until none is left
        let queue = Mutex::new((0, rows));
        let failed: Mutex<Option<(usize, BatchError)>> = Mutex::new(None);
        let workers = &self.workers;
        self.pool.run(inputs.worlds, |thread| {
            let mut worker = lock(&workers[thread]);
            worker.begin(m, inputs);
            loop {
                let (index, rows) = {
                    let mut queue = lock(&queue);
                    if queue.0 == inputs.worlds {
                        break;
                    }
                    queue.0 += 1;
                    (queue.0 - 1, (queue.1)())
                };
                let result = worker.world(m, inputs, &fields, index, |world| f(world, rows));
                if let Err(error) = result {
                    let mut failed = lock(&failed);
                    if failed.as_ref().is_none_or(|(first, _)| index < *first) {
                        *failed = Some((index, error));
                    }
                }
            }
        })?;
        let failed = failed.into_inner().unwrap_or_else(PoisonError::into_inner);
        failed.map_or(Ok(()), |(_, error)| Err(error))
    }

    /// Drops memory of the threads that does not fit the model, or belongs to a parent process.
    fn keep_memory_of(&mut self, m: &Model) {
        let sizes = || Model::SIZES.iter().map(|(name, _)| m.size(name).unwrap_or(0));
        let left = self.pool.leave_parents_threads();
        if left || !self.sizes.iter().copied().eq(sizes()) {
            self.sizes = sizes().collect();
            self.workers.fill_with(Mutex::default);
        }
    }
}

impl RolloutInputs<'_> {
    /// Refuses wrong lengths and numbers that are not finite.
    fn check(&self, m: &Model) -> Result<(), BatchError> {
        let RolloutInputs { worlds, steps, start, ctrl, params } = *self;
        if worlds == 0 {
            return Err(BatchError::Empty);
        }
        // before a state is made, which calls plugins
        if m.nplugin > 0 {
            let error = TransitionError::Unsupported { part: "plugins".to_owned() };
            return Err(BatchError::Transition { world: 0, error });
        }
        let len = Rollout::state_len(m);
        let arrays = [("start", start, len), ("ctrl", ctrl, steps * m.nu)];
        let params = params.iter().map(|(p, values)| (p.name(), *values, p.len(m)));
        for (name, values, width) in arrays.into_iter().chain(params) {
            check_length(name, values.len(), worlds * width)?;
            check_finite(name, values, width)?;
        }
        self.check_centres(m)
    }

    /// Refuses to move the centre of mass of a body whose inertia has no room outside the diagonal.
    fn check_centres(&self, m: &Model) -> Result<(), BatchError> {
        let centres = self.params.iter().filter(|(p, _)| *p == Parameter::BodyIpos);
        for (world, row) in centres.flat_map(|(_, values)| values.chunks(3 * m.nbody).enumerate()) {
            for b in m.bodies().skip(1).filter(|&b| m.body_simple[b] != 0) {
                if row[3 * b.idx()..][..3] != m.body_ipos[b].to_array() {
                    let text = format!(
                        "body_ipos of body {}: the model was compiled with a diagonal inertia of \
                         this body, so its centre of mass cannot move",
                        b.idx()
                    );
                    return Err(BatchError::Invalid { world, text });
                }
            }
        }
        Ok(())
    }
}

impl Worker {
    /// Prepares the model for parameters of worlds.
    fn begin(&mut self, m: &Model, inputs: &RolloutInputs<'_>) {
        if inputs.params.is_empty() {
            return;
        }
        match &mut self.model {
            Some(model) => model.copy_from(m),
            none => *none = Some(Box::new(m.clone())),
        }
        let Some(model) = &mut self.model else { return };
        let has = |parameter| inputs.params.iter().any(|(p, _)| *p == parameter);
        if has(Parameter::BodyIpos) {
            model.body_sameframe.fill(SameFrame::None);
        }
        // simple dofs have their inertia from the compiler
        let inertial = [
            Parameter::BodyMass,
            Parameter::BodyIpos,
            Parameter::BodyInertia,
            Parameter::DofArmature,
        ];
        if inertial.into_iter().any(has) {
            model.dof_simplenum.fill(0);
        }
    }

    /// Computes a world.
    fn world(
        &mut self,
        m: &Model,
        inputs: &RolloutInputs<'_>,
        fields: &[ModelField],
        index: usize,
        f: impl FnOnce(World<'_>) -> Result<(), TransitionError>,
    ) -> Result<(), BatchError> {
        // the model with parameters of the world
        let model = match &mut self.model {
            Some(model) if !inputs.params.is_empty() => {
                for (field, (parameter, values)) in fields.iter().zip(inputs.params) {
                    let width = parameter.len(m);
                    field.load(model, bytes_of(&values[index * width..][..width]));
                }
                &**model
            }
            _ => m,
        };

        // the rollout, from the initial state
        let (len, width) = (Rollout::state_len(m), inputs.steps * m.nu);
        let rollout = Rollout {
            start: &inputs.start[index * len..][..len],
            ctrl: &inputs.ctrl[index * width..][..width],
            steps: inputs.steps,
        };
        let result = catch_unwind(AssertUnwindSafe(|| {
            let data = &mut **self.data.get_or_insert_with(|| Box::new(Data::new(m)));
            engine::reset_data(model, data);
            f(World { index, rollout, model, data: &mut *data })?;
            check_warnings(data)
        }));
        match result {
            Ok(result) => result.map_err(|error| BatchError::Transition { world: index, error }),
            Err(panic) => {
                // scratch memory that a stage left incomplete
                self.data = None;
                let text = text_of(&*panic);
                Err(BatchError::Stopped { world: index, text, panic: Panic::new(panic) })
            }
        }
    }
}

/// An error for a step that was undone, or made without its controls, because of bad numbers.
fn check_warnings(d: &Data) -> Result<(), TransitionError> {
    for (kind, field) in [(Warning::Badqacc, "qacc"), (Warning::Badctrl, "ctrl")] {
        let warning = d.warning[kind.0 as usize];
        if warning.number > 0 {
            let index = usize::try_from(warning.lastinfo).unwrap_or(0);
            return Err(TransitionError::BadState { field, index });
        }
    }
    Ok(())
}

/// Rows of an array that are taken one after the other.
struct Rows<'a> {
    rest: &'a mut [f64],
    width: usize,
}

impl<'a> Rows<'a> {
    fn next(&mut self) -> &'a mut [f64] {
        let (row, rest) = core::mem::take(&mut self.rest).split_at_mut(self.width);
        self.rest = rest;
        row
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn check_length(what: &'static str, found: usize, wanted: usize) -> Result<(), BatchError> {
    if found == wanted { Ok(()) } else { Err(BatchError::Length { what, found, wanted }) }
}

/// Refuses numbers that are not finite, in rows of `width` numbers for each world.
fn check_finite(what: &'static str, values: &[f64], width: usize) -> Result<(), BatchError> {
    match values.iter().position(|x| !x.is_finite()) {
        Some(k) => Err(BatchError::NotFinite { what, world: k / width, index: k % width }),
        None => Ok(()),
    }
}
