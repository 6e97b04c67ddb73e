//! The trace of a step: the case of each cone, for derivatives.

use sinew_cone::State;
use sinew_model::Data;

use super::traced::Traced;
use super::work::Work;
use crate::work::scratch;

/// Makes the next steps of this data leave a trace, or no longer.
pub(crate) fn set_tracing(d: &mut Data, traces: bool) {
    let mut work = scratch(d).coulomb.take::<Work>();
    work.trace = traces.then(|| work.trace.take().unwrap_or_default());
    scratch(d).coulomb.put(work);
}

/// Calls `f` with the trace of the last step.
pub(crate) fn with_trace<T>(d: &mut Data, f: impl FnOnce(&mut Data, &[Traced]) -> T) -> T {
    let mut work = scratch(d).coulomb.take::<Work>();
    let trace = work.trace.take().unwrap_or_default();
    scratch(d).coulomb.put(work);
    let result = f(d, &trace);
    let mut work = scratch(d).coulomb.take::<Work>();
    work.trace = Some(trace);
    scratch(d).coulomb.put(work);
    result
}

/// Adds the cones of the current rows.
pub(super) fn add(d: &Data, work: &mut Work) {
    let Some(mut trace) = work.trace.take() else { return };
    let mut first = 0;
    for (c, &cone) in work.cones.iter().enumerate() {
        let (k, row) = (first, work.rows[first]);
        first += cone.dim();
        let depth = work.depth[c];
        trace.push(Traced {
            row,
            cone,
            state: work.states().get(c).copied().unwrap_or(State::Separate),
            bias: work.bias[k],
            bounce: work.bounce[k],
            share: work.share,
            shallow: depth > 0.0 && depth + d.efc_pos[row] < -SAME,
            push: work.drift.push(k),
        });
    }
    work.trace = Some(trace);
}

/// Depth that counts as none, m.
const SAME: f64 = 1e-12;
