//! Steps that return bad states instead of resetting them.

use core::fmt;

use sinew_engine::{advance, forward, is_bad};
use sinew_model::enums::Warning;
use sinew_model::{Data, Model};

/// A number of the state is not finite or too large, or a buffer was full.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BadState {
    /// What is bad.
    pub warning: Warning,
    /// Which coordinate, degree of freedom or actuator it is about.
    pub index: usize,
    /// Simulation time.
    pub time: f64,
}

impl fmt::Display for BadState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (what, index) = match self.warning {
            Warning::Inertia => ("the inertia matrix is close to singular", "dof"),
            Warning::Contactfull => ("there are too many contacts", "at"),
            Warning::Cnstrfull => ("there are too many constraints", "at"),
            Warning::Badqpos => ("qpos is not finite or huge", "coordinate"),
            Warning::Badqvel => ("qvel is not finite or huge", "dof"),
            Warning::Badqacc => ("qacc is not finite or huge", "dof"),
            Warning::Badctrl => ("ctrl is not finite or huge", "actuator"),
            _ => ("the state is bad", "at"),
        };
        write!(f, "{what} ({index} {}, time {})", self.index, self.time)
    }
}

impl core::error::Error for BadState {}

/// Advances the simulation by one step, or says why it must not be advanced.
///
/// [`step`] resets a state that has gone bad, as MuJoCo does, and counts it in `d.warning`. This
/// returns the first such warning before anything is reset: `d` still holds the bad state.
///
/// [`step`]: crate::step
///
/// ```
/// # let model = sinew::load_str("<mujoco><worldbody><body><freejoint/><geom size='1'/></body></worldbody></mujoco>")?;
/// let mut data = sinew::Data::new(&model);
/// data.qvel[2] = f64::NAN;
/// let error = sinew::step_checked(&model, &mut data).unwrap_err();
/// assert_eq!(error.to_string(), "qvel is not finite or huge (dof 2, time 0)");
/// # Ok::<(), sinew::Error>(())
/// ```
pub fn step_checked(m: &Model, d: &mut Data) -> crate::Result<()> {
    first_bad(d, Warning::Badqpos, &d.qpos)?;
    first_bad(d, Warning::Badqvel, &d.qvel)?;
    first_bad(d, Warning::Badctrl, &d.ctrl)?;

    let before = d.warning;
    forward(m, d);
    first_bad(d, Warning::Badqacc, &d.qacc)?;

    // what remains are full buffers and singular matrices, which the stages count
    advance(m, d);
    for (k, (old, new)) in before.iter().zip(&d.warning).enumerate() {
        if new.number > old.number {
            let warning = Warning(i32::try_from(k).unwrap_or(i32::MAX));
            let index = usize::try_from(new.lastinfo).unwrap_or(0);
            return Err(BadState { warning, index, time: d.time }.into());
        }
    }
    Ok(())
}

fn first_bad(d: &Data, warning: Warning, values: &[f64]) -> Result<(), BadState> {
    match values.iter().position(|&x| is_bad(x)) {
        Some(index) => Err(BadState { warning, index, time: d.time }),
        None => Ok(()),
    }
}
