//! Recording the recent past of a simulation, to repeat it.

use sinew_model::enums::{StateBit, Warning};
use sinew_model::state::{get_state, state_size};
use sinew_model::{Data, Model};

use crate::diagnosis::{Diagnosis, NoDiagnosis, diagnose};
use crate::rerun::Past;

/// Records a recent state and the controls since then, and detects bad states.
///
/// Call [`Watch::before`] before each step and [`Watch::diverged`] after it. The first copies the
/// controls, and the state every few hundred steps. The second compares three counters.
///
/// ```no_run
/// # use sinew_model::{Data, Model};
/// # let (model, mut data) = (Model::default(), Data::new(&Model::default()));
/// let mut watch = sinew_diagnose::Watch::new(&model);
/// for _ in 0..100 {
///     watch.before(&model, &data);
///     sinew_engine::step(&model, &mut data);
///     if watch.diverged(&data) {
///         let why = watch.diagnose(&model).expect("the run goes bad again");
///         panic!("{why}");
///     }
/// }
/// ```
#[derive(Clone, Debug)]
pub struct Watch {
    /// Number of steps between recorded states.
    period: usize,
    /// Steps since the newer of the two records began.
    since: usize,
    /// Total number of steps.
    steps: u64,
    /// The record to repeat, and the newer record that will replace it.
    older: Past,
    newer: Past,
    /// Counts of bad states before the step.
    counts: [i32; 3],
}

impl Watch {
    /// Starts to watch a simulation.
    pub fn new(m: &Model) -> Watch {
        // repeating costs about the same for small and large models
        let period = (20_000 / (m.nv + 40)).clamp(16, 500);
        Watch {
            period,
            since: 0,
            steps: 0,
            older: Past::default(),
            newer: Past::default(),
            counts: [0; 3],
        }
    }

    /// Records a state before its step.
    pub fn before(&mut self, m: &Model, d: &Data) {
        if self.steps == 0 || self.since == self.period {
            core::mem::swap(&mut self.older, &mut self.newer);
            keep(m, d, &mut self.newer, self.steps);
            self.since = 0;
        }
        for past in [&mut self.older, &mut self.newer] {
            past.controls.extend_from_slice(&d.ctrl);
        }
        self.counts = bad_states(d);
        self.since += 1;
        self.steps += 1;
    }

    /// Whether the last step met a bad state.
    #[inline]
    pub fn diverged(&self, d: &Data) -> bool {
        bad_states(d) != self.counts
    }

    /// Repeats the recorded steps and finds the cause of the bad state. Returns `None` if the
    /// repeated run has no bad state, as after changes of other inputs than controls.
    pub fn diagnose(&self, m: &Model) -> Option<Diagnosis> {
        self.diagnose_while(m, || true).ok()
    }

    /// The same, while `go_on` returns true, which is called before each step of the search. The
    /// search of a model with many contacts may take minutes. A search that is ended lists
    /// remedies that were not tried, or has no diagnosis.
    pub fn diagnose_while(
        &self,
        m: &Model,
        go_on: impl Fn() -> bool,
    ) -> Result<Diagnosis, NoDiagnosis> {
        let past = self.past();
        diagnose(m, past, (self.steps - past.first) as usize + 2, &go_on)
    }

    /// The recorded start state, in the layout of `StateBit::Integration`.
    pub fn start(&self) -> &[f64] {
        &self.past().start
    }

    /// The number of steps before that state.
    pub fn first(&self) -> u64 {
        self.past().first
    }

    fn past(&self) -> &Past {
        if self.older.start.is_empty() { &self.newer } else { &self.older }
    }
}

/// Copies a state into an existing record.
fn keep(m: &Model, d: &Data, past: &mut Past, step: u64) {
    let size = state_size(m, StateBit::Integration.0).unwrap_or(0);
    past.start.resize(size, 0.0);
    if get_state(m, d, &mut past.start, StateBit::Integration.0).is_err() {
        past.start.clear();
    }
    past.controls.clear();
    past.first = step;
}

/// Counts of bad states so far: positions, velocities, accelerations.
#[inline]
pub fn bad_states(d: &Data) -> [i32; 3] {
    [Warning::Badqpos, Warning::Badqvel, Warning::Badqacc].map(|w| d.warning[w.0 as usize].number)
}
