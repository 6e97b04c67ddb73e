//! Going along with a simulation, to be able to run its last part again.

use sinew_model::enums::{StateBit, Warning};
use sinew_model::state::{get_state, state_size};
use sinew_model::{Data, Model};

use crate::diagnosis::{Diagnosis, diagnose};
use crate::rerun::Past;

/// Keeps a state of some steps ago and the controls since, and notices when a state went bad.
///
/// Call [`Watch::before`] before each step and [`Watch::diverged`] after it. The one copies the
/// controls, and a state every few hundred steps; the other compares three numbers.
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
    /// Steps between states that are kept.
    period: usize,
    /// Steps since the later of the two pasts began.
    since: usize,
    /// Steps in all.
    steps: u64,
    /// The past to run again, and the one that will take its place.
    older: Past,
    newer: Past,
    /// How often states were bad before the step.
    counts: [i32; 3],
}

impl Watch {
    /// A watch of a simulation that is about to begin.
    pub fn new(m: &Model) -> Watch {
        // what is run again costs about the same for small and large models
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

    /// Takes note of a state that is about to be advanced.
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

    /// Whether the state went bad in the last step.
    #[inline]
    pub fn diverged(&self, d: &Data) -> bool {
        bad_states(d) != self.counts
    }

    /// Runs the last part again and finds why it went bad. None if it does not go bad again, as
    /// when other things than controls were changed between the steps.
    pub fn diagnose(&self, m: &Model) -> Option<Diagnosis> {
        self.diagnose_while(m, || true)
    }

    /// The same, but remedies are tried only while `go_on` says so, such as for half a second:
    /// trials of a model with many contacts may take minutes.
    pub fn diagnose_while(&self, m: &Model, go_on: impl Fn() -> bool) -> Option<Diagnosis> {
        let past = self.past();
        diagnose(m, past, (self.steps - past.first) as usize + 2, &go_on)
    }

    /// The state that a diagnosis begins at, as `StateBit::Integration` has it.
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

/// Keeps a state in the memory that is there.
fn keep(m: &Model, d: &Data, past: &mut Past, step: u64) {
    let size = state_size(m, StateBit::Integration.0).unwrap_or(0);
    past.start.resize(size, 0.0);
    if get_state(m, d, &mut past.start, StateBit::Integration.0).is_err() {
        past.start.clear();
    }
    past.controls.clear();
    past.first = step;
}

/// How often states were bad so far: positions, velocities, accelerations.
#[inline]
pub fn bad_states(d: &Data) -> [i32; 3] {
    [Warning::Badqpos, Warning::Badqvel, Warning::Badqacc].map(|w| d.warning[w.0 as usize].number)
}
