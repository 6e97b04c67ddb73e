//! Steps that return an error for a bad state instead of resetting it.

use sinew_model::{Data, Model};

use crate::error;

/// Advances the simulation by one step, or returns the reason why it cannot be advanced.
///
/// The function [`step`] resets a bad state and counts it in `d.warning`, as MuJoCo does. This
/// function returns the first such warning before any reset, so `d` still holds the bad state.
///
/// [`step`]: fn@crate::step
///
/// ```
/// let model = sinew::load_str(
///     "<mujoco><worldbody><body><freejoint/><geom size='1'/></body></worldbody></mujoco>",
/// )?;
/// let mut data = sinew::Data::new(&model);
/// data.qvel[2] = f64::NAN;
/// let error = sinew::step_checked(&model, &mut data).unwrap_err();
/// assert_eq!(error.to_string(), "qvel is not finite or huge (dof 2, time 0)");
/// # Ok::<(), sinew::Error>(())
/// ```
pub fn step_checked(m: &Model, d: &mut Data) -> error::Result<()> {
    Ok(sinew_diagnose::step_checked(m, d)?)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    const MODEL: &str = "<mujoco><worldbody><body><joint name='hip' type='ball'/><geom size='1'/>\
        <body><joint name='knee'/><geom size='1'/></body></body></worldbody>\
        <actuator><motor name='thrust' joint='knee'/></actuator></mujoco>";

    /// The error of a step after `spoil` has changed the state.
    fn complaint(spoil: impl Fn(&mut Data)) -> String {
        let m = crate::load_str(MODEL).unwrap();
        let mut d = Data::new(&m);
        spoil(&mut d);
        step_checked(&m, &mut d).unwrap_err().to_string()
    }

    #[test]
    fn the_joint_or_actuator_is_named() {
        let said = complaint(|d| d.qpos[4] = f64::NAN);
        assert_eq!(said, "qpos is not finite or huge (coordinate 4, 'knee', time 0)");
        let said = complaint(|d| d.qvel[1] = 1e11);
        assert_eq!(said, "qvel is not finite or huge (dof 1, 'hip', time 0)");
        let said = complaint(|d| d.ctrl[0] = f64::INFINITY);
        assert_eq!(said, "ctrl is not finite or huge (actuator 0, 'thrust', time 0)");
        let said = complaint(|d| d.qfrc_applied[3] = 1e30);
        assert!(said.starts_with("qacc is not finite or huge"), "{said}");
    }

    #[test]
    fn a_bad_state_is_not_reset() {
        let m = crate::load_str(MODEL).unwrap();
        let mut d = Data::new(&m);
        d.time = 3.0;
        d.qvel[1] = f64::NAN;
        assert!(step_checked(&m, &mut d).is_err());
        assert!(d.time == 3.0 && d.qvel[1].is_nan());
    }

    #[test]
    fn a_good_state_is_stepped() {
        let m = crate::load_str(MODEL).unwrap();
        let (mut a, mut b) = (Data::new(&m), Data::new(&m));
        for _ in 0..20 {
            crate::step(&m, &mut a);
            step_checked(&m, &mut b).unwrap();
        }
        assert_eq!(a.qpos, b.qpos);
        assert_eq!(a.time, b.time);
    }
}
