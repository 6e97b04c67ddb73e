//! A bar with the remaining time, for what takes longer than a second; a line with the time so far
//! where nobody can know what remains.

use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

/// Nothing is drawn before this time is over: most commands end sooner.
const PATIENCE: Duration = Duration::from_secs(1);

/// How often the bar is redrawn.
const REDRAW: Duration = Duration::from_millis(100);

/// Progress through a number of steps, drawn on a terminal only.
pub(crate) struct Progress {
    bar: ProgressBar,
    start: Instant,
    drawn: Option<Instant>,
    done: u64,
    /// Whether there are so many that most need no look at the clock.
    many: bool,
}

impl Progress {
    pub(crate) fn new(steps: u64) -> Progress {
        Progress::of(steps, "steps")
    }

    /// Progress through a number of things that are not steps.
    pub(crate) fn of(steps: u64, word: &'static str) -> Progress {
        let bar = ProgressBar::with_draw_target(Some(steps), ProgressDrawTarget::hidden());
        let template = "{bar:40} {percent:>3}%  {rate}  {eta} left";
        if let Ok(style) = ProgressStyle::with_template(template) {
            let rate = move |state: &ProgressState, out: &mut dyn std::fmt::Write| {
                let _ = out.write_str(&rate(state.per_sec(), word));
            };
            bar.set_style(style.with_key("rate", rate));
        }
        Progress { bar, start: Instant::now(), drawn: None, done: 0, many: word == "steps" }
    }

    /// Counts steps that were taken.
    pub(crate) fn add(&mut self, steps: u64) {
        self.done += steps;
        // asking for the time costs less than drawing, yet not nothing
        if steps == 1 && self.many && !self.done.is_multiple_of(16) {
            return;
        }
        match self.drawn {
            None if self.start.elapsed() > PATIENCE => {
                self.bar.set_draw_target(ProgressDrawTarget::stderr());
            }
            Some(last) if last.elapsed() > REDRAW => {}
            _ => return,
        }
        self.bar.set_position(self.done);
        self.drawn = Some(Instant::now());
    }

    /// Writes something else to the terminal, with the bar out of the way.
    pub(crate) fn beside<R>(&self, write: impl FnOnce() -> R) -> R {
        self.bar.suspend(write)
    }

    /// Removes the bar.
    pub(crate) fn finish(self) {
        self.bar.finish_and_clear();
    }
}

/// What is being done and for how long, drawn on a terminal only, until it is dropped.
pub(crate) struct Waiting {
    end: Option<Sender<()>>,
    drawing: Option<JoinHandle<()>>,
}

impl Waiting {
    /// Says `what` as soon as it takes longer than a second.
    pub(crate) fn new(what: String) -> Waiting {
        let (end, ended) = channel();
        let drawing = std::thread::spawn(move || {
            let goes_on = |time| ended.recv_timeout(time) == Err(RecvTimeoutError::Timeout);
            if !goes_on(PATIENCE) {
                return;
            }
            let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
            if let Ok(style) = ProgressStyle::with_template("{msg}, {elapsed}") {
                bar.set_style(style);
            }
            let bar = bar.with_elapsed(PATIENCE).with_message(what);
            while goes_on(REDRAW) {
                bar.tick();
            }
            bar.finish_and_clear();
        });
        Waiting { end: Some(end), drawing: Some(drawing) }
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        drop(self.end.take());
        if let Some(drawing) = self.drawing.take() {
            let _ = drawing.join();
        }
    }
}

/// A rate in whole numbers, with commas between thousands.
fn rate(per_second: f64, word: &str) -> String {
    let digits = format!("{:.0}", per_second.max(0.0));
    let mut text = String::new();
    for (k, digit) in digits.chars().enumerate() {
        if k > 0 && (digits.len() - k).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    format!("{text} {word}/s")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_are_whole_numbers_with_commas() {
        assert_eq!(rate(20_699.121_2, "steps"), "20,699 steps/s");
        assert_eq!(rate(7.4, "frames"), "7 frames/s");
        assert_eq!(rate(1_234_567.0, "steps"), "1,234,567 steps/s");
    }
}
