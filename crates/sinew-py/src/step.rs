//! `mj_step`, with detection of bad states.

use pyo3::prelude::*;
use sinew_engine as engine;

use crate::call::{repeat, run_with};
use crate::data::Data;
use crate::diverge;
use crate::functions::{compares_in_vain, refuse_rows, refuse_sleep};
use crate::model::Model;

/// Steps the state. Optionally, repeat nstep times.
#[pyfunction]
#[pyo3(signature = (m, d, nstep=1))]
fn mj_step(m: &Bound<'_, Model>, d: &Bound<'_, Data>, nstep: i64) -> PyResult<()> {
    refuse_sleep(m, d)?;
    if !compares_in_vain(m) {
        let watch = &d.get().watch;
        repeat(m, d, nstep, |m, d, hooks| {
            let before = watch.before(m, d);
            engine::step_with(m, d, hooks);
            watch.after(d, before);
        })?;
        return diverge::tell(m, d);
    }
    for _ in 0..nstep {
        run_with(m, d, |m, d, hooks| {
            engine::fwd_position_with(m, d, hooks);
            if d.nefc > 0 {
                engine::forward_with(m, d, hooks);
            }
        })?;
        refuse_rows(d)?;
        repeat(m, d, 1, |m, d, hooks| engine::step_with(m, d, hooks))?;
    }
    Ok(())
}

pub(crate) fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_function(wrap_pyfunction!(mj_step, m)?)
}
