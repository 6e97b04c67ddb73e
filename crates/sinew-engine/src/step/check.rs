//! Bad states: noticed, counted as warnings, and left by a reset.

use sinew_model::enums::{DisableBit, Warning};
use sinew_model::{Data, Model};

use crate::bad_numbers::first_bad;
use crate::sleep::{awake_dofs, some_asleep};
use crate::step::forward::forward_with;
use crate::step::reset::reset_data;

/// Resets if a position is bad.
///
/// Reads `qpos`. Writes `warning`, and everything on a reset.
#[doc(alias = "mj_checkPos")]
pub fn check_pos(m: &Model, d: &mut Data) {
    if let Some(i) = first_bad(&d.qpos) {
        recover(m, d, Warning::Badqpos, i);
    }
}

/// Resets if a velocity is bad.
///
/// Reads `qvel`. Writes `warning`, and everything on a reset.
#[doc(alias = "mj_checkVel")]
pub fn check_vel(m: &Model, d: &mut Data) {
    if let Some(i) = first_bad_awake(m, d, |d| &d.qvel) {
        recover(m, d, Warning::Badqvel, i);
    }
}

/// Resets and runs `forward` if an acceleration is bad.
///
/// Reads `qacc`. Writes `warning`, and everything on a reset.
#[doc(alias = "mj_checkAcc")]
pub fn check_acc(m: &Model, d: &mut Data) {
    if let Some(i) = first_bad_awake(m, d, |d| &d.qacc) {
        recover(m, d, Warning::Badqacc, i);
        if !m.opt.disabled(DisableBit::Autoreset) {
            forward_with(m, d, &mut ());
        }
    }
}

/// The first dof that is awake and has a bad number.
#[inline(always)]
fn first_bad_awake(m: &Model, d: &Data, of: fn(&Data) -> &[f64]) -> Option<usize> {
    if some_asleep(m, d) { first_bad_in_runs(m, d, of) } else { first_bad(of(d)) }
}

#[cold]
fn first_bad_in_runs(m: &Model, d: &Data, of: fn(&Data) -> &[f64]) -> Option<usize> {
    awake_dofs(m, d).find_map(|run| {
        let start = run.start;
        first_bad(&of(d)[run]).map(|i| start + i)
    })
}

/// Counts the warning, resets unless forbidden, and counts it again: the reset clears the first
/// count, and without one MuJoCo counts twice.
#[cold]
fn recover(m: &Model, d: &mut Data, kind: Warning, index: usize) {
    d.warn(kind, index);
    if !m.opt.disabled(DisableBit::Autoreset) {
        reset_data(m, d);
    }
    d.warn(kind, index);
}
