//! Running the last part of a simulation again.

use sinew_engine::{forward, reset_data};
use sinew_model::enums::StateBit;
use sinew_model::state::set_state;
use sinew_model::{Data, Model};

use crate::bad_state::BadState;
use crate::change::Change;
use crate::checked::step_checked;

/// What a step costs beside its dofs, in those.
const STEP: usize = 10;

/// Steps of a dof for which remedies are tried: half a second for small models.
const MOST_TRIED: usize = 2_000_000;

/// What trials may still cost.
pub(crate) struct Budget<'a> {
    /// Steps of a dof.
    steps: usize,
    /// Asked before each step of a trial. A step with many contacts takes much longer than its dofs
    /// tell, so that whoever waits must be able to end it.
    go_on: &'a dyn Fn() -> bool,
}

impl Budget<'_> {
    /// For one diagnosis.
    pub(crate) fn new(go_on: &dyn Fn() -> bool) -> Budget<'_> {
        Budget { steps: MOST_TRIED, go_on }
    }
}

/// A state to begin at, and the controls of the steps that followed.
#[derive(Clone, Debug, Default)]
pub(crate) struct Past {
    /// Everything that integration depends on.
    pub(crate) start: Vec<f64>,
    /// Controls, one row for each step; the last one goes on.
    pub(crate) controls: Vec<f64>,
    /// Number of the first step.
    pub(crate) first: u64,
}

/// How a run ended.
pub(crate) struct End {
    /// Steps that were taken.
    pub(crate) steps: usize,
    /// What went bad, if anything did.
    pub(crate) bad: Option<BadState>,
    /// The largest velocity at every step, and whose it is.
    pub(crate) speeds: Vec<(f64, usize)>,
}

impl Past {
    /// The state at the start.
    pub(crate) fn data(&self, m: &Model) -> Data {
        let mut d = Data::new(m);
        reset_data(m, &mut d);
        // a state of another size cannot be set; the run then begins at the reference
        let _ = set_state(m, &mut d, &self.start, StateBit::Integration.0);
        d
    }

    /// Sets the controls of the step at a time after the start, in units of the recorded steps.
    fn control(&self, d: &mut Data, step: usize) {
        let nu = d.ctrl.len();
        let rows = self.controls.len().checked_div(nu).unwrap_or(0);
        if rows > 0 {
            let row = step.min(rows - 1);
            d.ctrl.copy_from_slice(&self.controls[row * nu..(row + 1) * nu]);
        }
    }

    /// Runs for some steps with `m`, which may differ from the model of the past, until a state is
    /// bad.
    pub(crate) fn run(&self, m: &Model, d: &mut Data, steps: usize, stride: f64) -> End {
        self.run_while(m, d, steps, stride, &|| true)
    }

    /// The same as long as `go_on` says so.
    fn run_while(
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
                return End { steps: step, bad: None, speeds };
            }
            self.control(d, (step as f64 / stride) as usize);
            speeds.push(fastest(d));
            if let Err(bad) = step_checked(m, d) {
                // full buffers and singular matrices are no reason to stop
                if is_end(&bad) {
                    return End { steps: step, bad: Some(bad), speeds };
                }
            }
        }
        End { steps, bad: None, speeds }
    }

    /// The state after some steps, with its forces.
    pub(crate) fn at(&self, m: &Model, steps: usize) -> Data {
        let mut d = self.data(m);
        self.run(m, &mut d, steps, 1.0);
        self.control(&mut d, steps);
        forward(m, &mut d);
        d
    }

    /// For how many steps the run holds with a change; none if it does not, or if that would cost
    /// more than is left.
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
        let end = self.run_while(&model, &mut d, steps, stride, left.go_on);
        left.steps = left.steps.saturating_sub(end.steps * each);
        // slower growth is still growth
        let (early, late) = end.speeds.split_at(end.speeds.len() / 2);
        let peak = |speeds: &[(f64, usize)]| speeds.iter().fold(0.0_f64, |max, s| max.max(s.0));
        let settled = peak(late) <= 4.0 * peak(early).max(1.0);
        (end.steps == steps && settled).then_some(steps)
    }
}

/// Whether a complaint means that the state is bad.
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
