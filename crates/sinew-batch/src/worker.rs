//! One thread's share of the work: worlds are loaded, visited and stored one after the other.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use sinew_engine as engine;
use sinew_model::enums::{EnableBit, Warning};
use sinew_model::{Data, Model};

use crate::error::BatchError;
use crate::field::{DataField, ModelField};

/// What is done in every world.
pub(crate) enum Visit<'f> {
    /// To the state.
    State(&'f (dyn Fn(usize, &Model, &mut Data) + Sync)),
    /// To the state and to the world's own parameters.
    Parameters(&'f (dyn Fn(&mut Model, &mut Data) -> Result<(), String> + Sync)),
}

/// What all threads read during a visit.
pub(crate) struct Plan<'a> {
    pub(crate) visit: Visit<'a>,
    pub(crate) models: &'a [Arc<Model>],
    /// The model of each world.
    pub(crate) model_of: &'a [usize],
    /// The worlds to visit; none for all.
    pub(crate) mask: Option<&'a [bool]>,
    pub(crate) fields: &'a [DataField],
    /// Bytes of a row of each field.
    pub(crate) widths: &'a [usize],
    pub(crate) params: &'a [ModelField],
    pub(crate) param_widths: &'a [usize],
}

/// Consecutive worlds, with their rows of every array.
pub(crate) struct Chunk<'a> {
    pub(crate) first: usize,
    pub(crate) worlds: usize,
    pub(crate) fields: Vec<&'a mut [u8]>,
    pub(crate) params: Vec<&'a mut [u8]>,
    pub(crate) diverged: &'a mut [u8],
    /// The states of worlds that keep everything; empty if they share the thread's.
    pub(crate) datas: &'a mut [Data],
}

/// The memory of a thread: for each model a copy that takes worlds' own parameters, and a state.
#[derive(Default)]
pub(crate) struct Worker {
    overlays: Vec<Option<Box<Model>>>,
    datas: Vec<Option<Box<Data>>>,
}

impl Worker {
    /// Forgets copies of models, which have changed.
    pub(crate) fn forget_models(&mut self) {
        self.overlays.clear();
    }

    /// Visits the worlds of a chunk. The first error is returned after all worlds are done.
    pub(crate) fn run(&mut self, plan: &Plan<'_>, chunk: &mut Chunk<'_>) -> Result<(), BatchError> {
        self.overlays.resize_with(plan.models.len(), || None);
        self.datas.resize_with(plan.models.len(), || None);
        let mut result = Ok(());
        for i in 0..chunk.worlds {
            if plan.mask.is_none_or(|mask| mask[chunk.first + i]) {
                let visited = self.world(plan, chunk, i);
                result = result.and(visited);
            }
        }
        result
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
            own = Some(model);
        }

        // the state
        let data = match chunk.datas.get_mut(i) {
            Some(data) => data,
            None => &mut **self.datas[kind].get_or_insert_with(|| Box::new(fresh(base))),
        };
        for ((field, width), rows) in each(plan.fields, plan.widths, &mut chunk.fields) {
            field.load(data, &rows[i * width..][..width]);
        }

        // the visit, with bad states counted anew
        let before = BAD.map(|kind| core::mem::take(&mut data.warning[kind].number));
        let result = catch_unwind(AssertUnwindSafe(|| match plan.visit {
            Visit::State(f) => {
                f(world, own.as_deref().map_or(base, |m| m), data);
                Ok(())
            }
            Visit::Parameters(f) => match own.as_deref_mut() {
                Some(model) => f(model, data),
                None => Ok(()),
            },
        }));
        chunk.diverged[i] = u8::from(BAD.iter().any(|&kind| data.warning[kind].number > 0));
        for (kind, before) in BAD.into_iter().zip(before) {
            let number = &mut data.warning[kind].number;
            *number = number.saturating_add(before);
        }
        match result {
            Ok(Ok(())) => {}
            Ok(Err(text)) => return Err(BatchError::Invalid { world, text }),
            Err(panic) => {
                // scratch memory that a stage left half done is of no use
                *data = fresh(base);
                return Err(BatchError::Stopped { world, text: text_of(&*panic) });
            }
        }

        // back into the rows
        for ((field, width), rows) in each(plan.fields, plan.widths, &mut chunk.fields) {
            field.store(data, &mut rows[i * width..][..width]);
        }
        if let (Visit::Parameters(_), Some(model)) = (&plan.visit, own) {
            for ((field, width), rows) in each(plan.params, plan.param_widths, &mut chunk.params) {
                field.store(model, &mut rows[i * width..][..width]);
            }
        }
        Ok(())
    }
}

/// A state for a model. Where trees may sleep, stages have run on it.
pub(crate) fn fresh(m: &Model) -> Data {
    let mut d = Data::new(m);
    if m.opt.enabled(EnableBit::Sleep) {
        engine::reset_data(m, &mut d);
    }
    d
}

/// Warnings of states that are unfit for simulation.
const BAD: [usize; 3] =
    [Warning::Badqpos.0 as usize, Warning::Badqvel.0 as usize, Warning::Badqacc.0 as usize];

/// Fields with their widths and their rows.
fn each<'a, 'r, F>(
    fields: &'a [F],
    widths: &'a [usize],
    rows: &'a mut [&'r mut [u8]],
) -> impl Iterator<Item = ((&'a F, usize), &'a mut &'r mut [u8])> {
    fields.iter().zip(widths.iter().copied()).zip(rows)
}

/// What a panic says.
fn text_of(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no reason given").to_owned()
}
