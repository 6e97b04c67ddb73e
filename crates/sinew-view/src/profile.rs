//! The time that stages of a step take.

use std::time::Instant;

use sinew_engine::Hooks;
use sinew_model::Data;
use sinew_model::enums::Timer;
use sinew_model::options::TimerStat;

/// Number of timers.
const TIMERS: usize = Timer::Count.0 as usize;
/// Least wall time over which durations are averaged, seconds.
const WINDOW: f64 = 0.4;

/// Hooks that have a clock and do nothing else.
pub(crate) struct Clock(Instant);

impl Clock {
    pub(crate) fn new() -> Clock {
        Clock(Instant::now())
    }
}

impl Hooks for Clock {
    fn time(&mut self) -> f64 {
        self.0.elapsed().as_secs_f64()
    }

    fn reads_views(&self) -> bool {
        false
    }
}

/// Durations per step, averaged over a short time.
#[derive(Debug, Default)]
pub(crate) struct Profile {
    since: Option<(Instant, [TimerStat; TIMERS])>,
    shown: Vec<f64>,
}

impl Profile {
    /// Microseconds per step of every timer, by the numbers of `mjtTimer`; empty before the first
    /// steps, and for programs whose timers have no clock.
    pub(crate) fn measure(&mut self, now: Instant, d: &Data) -> &[f64] {
        let step = Timer::Step.0 as usize;
        let Some((then, before)) = &self.since else {
            self.since = Some((now, d.timer));
            return &self.shown;
        };
        let steps = d.timer[step].number - before[step].number;
        // a reset also resets the timers
        if steps < 0 {
            self.since = Some((now, d.timer));
        } else if (now - *then).as_secs_f64() >= WINDOW {
            if steps > 0 {
                let spent = |k: usize| (d.timer[k].duration - before[k].duration).max(0.0);
                self.shown = (0..TIMERS).map(|k| 1e6 * spent(k) / steps as f64).collect();
            }
            self.since = Some((now, d.timer));
        }
        &self.shown
    }
}
