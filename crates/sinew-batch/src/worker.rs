//! The work of one thread: worlds are loaded, visited and stored one after the other.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use sinew_engine as engine;
use sinew_model::enums::{EnableBit, Warning};
use sinew_model::{Data, Model};

use crate::error::BatchError;
use crate::field::{DataField, ModelField};
use crate::panic::Panic;

/// An operation on every world.
pub(crate) enum Visit<'f> {
    /// Steps, and then the forces between bodies if requested.
    Steps { count: usize, forces: bool },
    /// A function of the state.
    State(&'f (dyn Fn(usize, &Model, &mut Data) + Sync)),
    /// A function of the state and the world's own parameters.
    Parameters(&'f (dyn Fn(&mut Model, &mut Data) -> Result<(), String> + Sync)),
}

/// Data that all threads read during a visit.
pub(crate) struct Plan<'a> {
    pub(crate) visit: Visit<'a>,
    pub(crate) models: &'a [Arc<Model>],
    /// Index of each world's model.
    pub(crate) model_of: &'a [usize],
    /// Mask of the worlds to visit; `None` for all.
    pub(crate) mask: Option<&'a [bool]>,
    pub(crate) fields: &'a [DataField],
    /// Length of each field's row in bytes.
    pub(crate) widths: &'a [usize],
    pub(crate) params: &'a [ModelField],
    pub(crate) param_widths: &'a [usize],
    /// Whether worlds are stepped in groups of four where possible.
    pub(crate) fours: bool,
    /// Whether any bound field is computed for readers only.
    pub(crate) seen: bool,
}

/// Consecutive worlds, with their rows of every array.
pub(crate) struct Chunk<'a> {
    pub(crate) first: usize,
    pub(crate) worlds: usize,
    pub(crate) fields: Vec<&'a mut [u8]>,
    pub(crate) params: Vec<&'a mut [u8]>,
    pub(crate) diverged: &'a mut [u8],
    /// The worlds' own states, or empty if they share the thread's.
    pub(crate) datas: &'a mut [Data],
}

/// Scratch memory of a thread. For each model it has a copy that takes worlds' parameters, a state,
/// and the states of four worlds that are stepped together.
#[derive(Default)]
pub(crate) struct Worker {
    overlays: Vec<Option<Box<Model>>>,
    datas: Vec<Option<Box<Data>>>,
    fours: Vec<Option<Box<[Data; 4]>>>,
}

impl Worker {
    /// Drops the copies of models, which have changed.
    pub(crate) fn forget_models(&mut self) {
        self.overlays.clear();
    }

    /// Visits the worlds of a chunk. The first error is returned after all worlds are visited.
    pub(crate) fn run(&mut self, plan: &Plan<'_>, chunk: &mut Chunk<'_>) -> Result<(), BatchError> {
        self.overlays.resize_with(plan.models.len(), || None);
        self.datas.resize_with(plan.models.len(), || None);
        self.fours.resize_with(plan.models.len(), || None);
        let mut result = Ok(());
        let (mut waiting, mut len) = ([0; 4], 0);
        for i in 0..chunk.worlds {
            let world = chunk.first + i;
            if !plan.mask.is_none_or(|mask| mask[world]) {
                continue;
            }
            // the four worlds of a group have the same model
            let kind = |i: usize| plan.model_of[chunk.first + i];
            if len > 0 && (!plan.fours || kind(waiting[0]) != kind(i)) {
                for &i in &waiting[..len] {
                    result = result.and(self.world(plan, chunk, i));
                }
                len = 0;
            }
            waiting[len] = i;
            len += 1;
            if len == 4 {
                result = result.and(self.four(plan, chunk, waiting));
                len = 0;
            }
        }
        for &i in &waiting[..len] {
            result = result.and(self.world(plan, chunk, i));
        }
        result
    }

    /// Steps four worlds of a chunk together.
    fn four(
        &mut self,
        plan: &Plan<'_>,
        chunk: &mut Chunk<'_>,
        worlds: [usize; 4],
    ) -> Result<(), BatchError> {
        let kind = plan.model_of[chunk.first + worlds[0]];
        let base = &plan.models[kind];
        let fresh_four = || Box::new(core::array::from_fn(|_| fresh(base)));
        let four = self.fours[kind].get_or_insert_with(fresh_four);
        let mut before = [[0; 3]; 4];
        for ((data, &i), before) in four.iter_mut().zip(&worlds).zip(&mut before) {
            load(plan, &chunk.fields, i, data);
            *before = take_bad(data);
        }
        let stepped = catch_unwind(AssertUnwindSafe(|| {
            let [a, b, c, d] = &mut **four;
            steps(&plan.visit, base, &mut [a, b, c, d], plan.seen);
        }));
        if stepped.is_err() {
            // no row has changed yet: repeat one world at a time, so that only the faulty world
            // fails
            self.fours[kind] = None;
            let each = worlds.map(|i| self.world(plan, chunk, i));
            return each.into_iter().collect();
        }
        for ((data, &i), before) in four.iter_mut().zip(&worlds).zip(before) {
            chunk.diverged[i] = count_bad(data, before);
            store(plan, &mut chunk.fields, i, data);
        }
        Ok(())
    }

    /// Visits the `i`-th world of a chunk.
    fn world(
        &mut self,
        plan: &Plan<'_>,
        chunk: &mut Chunk<'_>,
        i: usize,
    ) -> Result<(), BatchError> {
        let world = chunk.first + i;
        let kind = plan.model_of[world];
        let base = &plan.models[kind];

        // the model with the world's own parameters
        let mut own = None;
        if !plan.params.is_empty() {
            let model = self.overlays[kind].get_or_insert_with(|| Box::new((**base).clone()));
            for ((field, width), rows) in each(plan.params, plan.param_widths, &mut chunk.params) {
                field.load(model, &rows[i * width..][..width]);
            }
            own = Some(&mut **model);
        }

        // the state
        let data = match chunk.datas.get_mut(i) {
            Some(data) => data,
            None => &mut **self.datas[kind].get_or_insert_with(|| Box::new(fresh(base))),
        };
        load(plan, &chunk.fields, i, data);

        // the visit, counting bad states from zero
        let before = take_bad(data);
        let result = catch_unwind(AssertUnwindSafe(|| {
            visit(&plan.visit, world, base, own.as_deref_mut(), data)
        }));
        chunk.diverged[i] = count_bad(data, before);
        match result {
            Ok(Ok(())) => {}
            Ok(Err(text)) => return Err(BatchError::Invalid { world, text }),
            Err(panic) => {
                // scratch memory that a stage left incomplete
                *data = fresh(base);
                let text = text_of(&*panic);
                return Err(BatchError::Stopped { world, text, panic: Panic::new(panic) });
            }
        }

        // copy back into the rows
        store(plan, &mut chunk.fields, i, data);
        if let (Visit::Parameters(_), Some(model)) = (&plan.visit, own) {
            for ((field, width), rows) in each(plan.params, plan.param_widths, &mut chunk.params) {
                field.store(model, &mut rows[i * width..][..width]);
            }
        }
        Ok(())
    }
}

/// Performs a visit of one world.
fn visit(
    visit: &Visit<'_>,
    world: usize,
    base: &Model,
    own: Option<&mut Model>,
    data: &mut Data,
) -> Result<(), String> {
    match *visit {
        Visit::Steps { count, forces } => {
            let m = own.as_deref().unwrap_or(base);
            (0..count).for_each(|_| engine::step(m, data));
            if forces {
                engine::rne_post_constraint(m, data);
            }
        }
        Visit::State(f) => f(world, own.as_deref().unwrap_or(base), data),
        Visit::Parameters(f) => return own.map_or(Ok(()), |model| f(model, data)),
    }
    Ok(())
}

/// Makes steps of four worlds of a model together. If `seen`, all fields are complete after the
/// last step.
fn steps(visit: &Visit<'_>, m: &Model, four: &mut [&mut Data; 4], seen: bool) {
    let Visit::Steps { count, forces } = *visit else { return };
    for k in 0..count {
        engine::step_four(m, four, seen && k + 1 == count);
    }
    if forces {
        four.iter_mut().for_each(|data| engine::rne_post_constraint(m, data));
    }
}

/// Loads the rows of the `i`-th world of a chunk into a state.
fn load(plan: &Plan<'_>, rows: &[&mut [u8]], i: usize, data: &mut Data) {
    for ((field, &width), rows) in plan.fields.iter().zip(plan.widths).zip(rows) {
        field.load(data, &rows[i * width..][..width]);
    }
}

/// Stores a state in the rows of the `i`-th world of a chunk.
fn store(plan: &Plan<'_>, rows: &mut [&mut [u8]], i: usize, data: &mut Data) {
    for ((field, width), rows) in each(plan.fields, plan.widths, rows) {
        field.store(data, &mut rows[i * width..][..width]);
    }
}

/// Sets the counts of bad states to zero and returns the old counts.
pub(crate) fn take_bad(data: &mut Data) -> [i32; 3] {
    BAD.map(|kind| core::mem::take(&mut data.warning[kind].number))
}

/// Restores the counts by adding `before`; returns 1 if there were bad states since.
pub(crate) fn count_bad(data: &mut Data, before: [i32; 3]) -> u8 {
    let any = BAD.iter().any(|&kind| data.warning[kind].number > 0);
    for (kind, before) in BAD.into_iter().zip(before) {
        let number = &mut data.warning[kind].number;
        *number = number.saturating_add(before);
    }
    u8::from(any)
}

/// A new state for a model. If trees may sleep, the stages have run on it.
pub(crate) fn fresh(m: &Model) -> Data {
    let mut d = Data::new(m);
    if m.opt.enabled(EnableBit::Sleep) {
        engine::reset_data(m, &mut d);
    }
    d
}

/// Warnings that make a state bad.
const BAD: [usize; 3] =
    [Warning::Badqpos.0 as usize, Warning::Badqvel.0 as usize, Warning::Badqacc.0 as usize];

/// Fields with the widths of their rows and the rows.
fn each<'a, 'r, F>(
    fields: &'a [F],
    widths: &'a [usize],
    rows: &'a mut [&'r mut [u8]],
) -> impl Iterator<Item = ((&'a F, usize), &'a mut &'r mut [u8])> {
    fields.iter().zip(widths.iter().copied()).zip(rows)
}

/// The message of a panic.
pub(crate) fn text_of(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no reason given").to_owned()
}
