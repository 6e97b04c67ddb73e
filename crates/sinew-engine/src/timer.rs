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
    timed_from(d, hooks, timer, start, stage).0
}

/// Like [`timed`], for a stage that begins at `start`, where another has just begun or ended; with
/// the result the time when it ended. A clock costs as much as a small stage: neighbours share a
/// reading.
#[inline(always)]
pub(crate) fn timed_from<H: Hooks + ?Sized, T>(
    d: &mut Data,
    hooks: &mut H,
    timer: Timer,
    start: f64,
    stage: impl FnOnce(&mut Data, &mut H) -> T,
) -> (T, f64) {
    let result = stage(d, hooks);
    let end = hooks.time();
    d.clock(timer, end - start, 1);
    (result, end)
}

/// Runs the second part of a stage whose first part was counted: adds its duration only.
#[inline(always)]
pub(crate) fn timed_rest<H: Hooks + ?Sized>(
    d: &mut Data,
    hooks: &mut H,
    timer: Timer,
    stage: impl FnOnce(&mut Data, &mut H),
) {
    let start = hooks.time();
    timed_rest_from(d, hooks, timer, start, stage);
}

/// Like [`timed_rest`], from `start`; returns the time when it ended.
#[inline(always)]
pub(crate) fn timed_rest_from<H: Hooks + ?Sized>(
    d: &mut Data,
    hooks: &mut H,
    timer: Timer,
    start: f64,
    stage: impl FnOnce(&mut Data, &mut H),
) -> f64 {
    stage(d, hooks);
    let end = hooks.time();
    d.clock(timer, end - start, 0);
    end
}
