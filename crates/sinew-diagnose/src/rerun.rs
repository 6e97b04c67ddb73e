//! Repeating the recorded steps of a simulation.

use sinew_engine::{forward, reset_data};
use sinew_model::enums::StateBit;
use sinew_model::state::set_state;
use sinew_model::{Data, Model};

use crate::bad_state::BadState;
use crate::change::Change;
use crate::checked::step_checked;

/// Fixed cost of a step, in dofs.
const STEP: usize = 10;

/// Budget of trials in dof steps, about 0.5 s for small models.
const MOST_TRIED: usize = 2_000_000;

/// Remaining budget of trials.
pub(crate) struct Budget<'a> {
    /// Remaining dof steps.
    steps: usize,
    /// Called before each step; `false` ends the search. A step with many contacts takes much
    /// longer than its number of dofs suggests.
    pub(crate) go_on: &'a dyn Fn() -> bool,
}

impl Budget<'_> {
    /// The budget of one diagnosis.
    pub(crate) fn new(go_on: &dyn Fn() -> bool) -> Budget<'_> {
        Budget { steps: MOST_TRIED, go_on }
    }
}

/// A start state and the controls of the following steps.
#[derive(Clone, Debug, Default)]
pub(crate) struct Past {
    /// The components of `mjSTATE_INTEGRATION`.
    pub(crate) start: Vec<f64>,
    /// Controls, one row per step; the last row repeats.
    pub(crate) controls: Vec<f64>,
    /// Index of the first step.
    pub(crate) first: u64,
}

/// Result of a run.
pub(crate) struct End {
    /// Number of steps.
    pub(crate) steps: usize,
    /// The bad state, if there was one.
    pub(crate) bad: Option<BadState>,
    /// The largest velocity at every step, and its dof.
    pub(crate) speeds: Vec<(f64, usize)>,
    /// Whether the search ended before the run.
    pub(crate) stopped: bool,
}

impl Past {
    /// The start state.
    pub(crate) fn data(&self, m: &Model) -> Data {
        let mut d = Data::new(m);
        reset_data(m, &mut d);
        // a state of another size cannot be set; the run then begins at `qpos0`
        let _ = set_state(m, &mut d, &self.start, StateBit::Integration.0);
        d
    }

    /// Sets the controls of a recorded step.
    fn control(&self, d: &mut Data, step: usize) {
        let nu = d.ctrl.len();
        let rows = self.controls.len().checked_div(nu).unwrap_or(0);
        if rows > 0 {
            let row = step.min(rows - 1);
            d.ctrl.copy_from_slice(&self.controls[row * nu..(row + 1) * nu]);
        }
    }

    /// Makes up to `steps` steps with `m`, which may differ from the recorded model, until a state
    /// is bad, while `go_on` returns true.
    pub(crate) fn run(
        &self,
        m: &Model,
        d: &mut Data,
        steps: usize,
        stride: f64,
        go_on: &dyn Fn() -> bool,
    ) -> End {
        let mut speeds = Vec::with_capacity(steps.min(1 << 16));
        for step in 0..steps {
            if !go_on() {
                return End { steps: step, bad: None, speeds, stopped: true };
            }
            self.control(d, (step as f64 / stride) as usize);
            speeds.push(fastest(d));
            if let Err(bad) = step_checked(m, d) {
                // full buffers and singular matrices do not end a run
                if is_end(&bad) {
                    return End { steps: step, bad: Some(bad), speeds, stopped: false };
                }
            }
        }
        End { steps, bad: None, speeds, stopped: false }
    }

    /// The state after some steps, or the last that `go_on` permits, with its forces.
    pub(crate) fn at(&self, m: &Model, steps: usize, go_on: &dyn Fn() -> bool) -> Data {
        let mut d = self.data(m);
        self.run(m, &mut d, steps, 1.0, go_on);
        self.control(&mut d, steps);
        forward(m, &mut d);
        d
    }

    /// The number of steps that the run stays finite with a change; `None` if it does not, or if
    /// the budget is spent.
    pub(crate) fn held(
        &self,
        m: &Model,
        change: &Change,
        steps: usize,
        left: &mut Budget<'_>,
    ) -> Option<usize> {
        let mut model = m.clone();
        let mut d = self.data(m);
        if !change.apply(&mut model, &mut d) {
            return None;
        }
        let stride = (m.opt.timestep / model.opt.timestep).max(1.0);
        let steps = (steps as f64 * stride).min(1e6) as usize;
        let each = m.nv + STEP;
        if steps > left.steps / each {
            return None;
        }
        let end = self.run(&model, &mut d, steps, stride, left.go_on);
        left.steps = left.steps.saturating_sub(end.steps * each);
        // slower growth is still growth
        let (early, late) = end.speeds.split_at(end.speeds.len() / 2);
        let peak = |speeds: &[(f64, usize)]| speeds.iter().fold(0.0_f64, |max, s| max.max(s.0));
        let settled = peak(late) <= 4.0 * peak(early).max(1.0);
        (end.steps == steps && settled).then_some(steps)
    }
}

/// Whether an error means that the state is bad.
pub(crate) fn is_end(bad: &BadState) -> bool {
    use sinew_model::enums::Warning;
    matches!(bad.warning, Warning::Badqpos | Warning::Badqvel | Warning::Badqacc)
}

/// The largest velocity and its dof.
fn fastest(d: &Data) -> (f64, usize) {
    d.qvel.iter().enumerate().fold((0.0, 0), |best, (v, x)| match x.abs() {
        x if x > best.0 || x.is_nan() => (x, v),
        _ => best,
    })
}
