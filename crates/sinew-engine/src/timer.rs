//! Timing of stages, by the clock of the user's hooks. No stage reads a clock itself.

use sinew_model::Data;
use sinew_model::enums::Timer;

use crate::hooks::Hooks;

/// Runs a stage, and adds its duration and one evaluation to `timer`.
#[inline(always)]
pub(crate) fn timed<H: Hooks + ?Sized, T>(
    d: &mut Data,
    hooks: &mut H,
    timer: Timer,
    stage: impl FnOnce(&mut Data, &mut H) -> T,
) -> T {
    let start = hooks.time();
    let result = stage(d, hooks);
    d.clock(timer, hooks.time() - start, 1);
    result
}

/// Runs the second part of a stage whose first part was counted: adds its duration only.
#[inline(always)]
pub(crate) fn timed_rest<H: Hooks + ?Sized, T>(
    d: &mut Data,
    hooks: &mut H,
    timer: Timer,
    stage: impl FnOnce(&mut Data, &mut H) -> T,
) -> T {
    let start = hooks.time();
    let result = stage(d, hooks);
    d.clock(timer, hooks.time() - start, 0);
    result
}
