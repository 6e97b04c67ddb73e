//! Progress on a terminal: a bar with the remaining time, or the elapsed time if the end is
//! unknown.

use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

/// Delay before anything is drawn, because most commands end sooner.
const PATIENCE: Duration = Duration::from_secs(1);

/// Interval between redraws.
const REDRAW: Duration = Duration::from_millis(100);

/// A bar for a known number of steps.
pub(crate) struct Progress {
    bar: ProgressBar,
    start: Instant,
    drawn: Option<Instant>,
    done: u64,
    /// Whether the clock is read every 16 steps instead of every step.
    many: bool,
}

impl Progress {
    pub(crate) fn new(steps: u64) -> Progress {
        Progress::of(steps, "steps")
    }

    /// A bar for a number of other items.
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

    /// Counts completed steps.
    pub(crate) fn add(&mut self, steps: u64) {
        self.done += steps;
        // reading the clock has a cost, too
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

    /// Writes to the terminal while the bar is hidden.
    pub(crate) fn beside<R>(&self, write: impl FnOnce() -> R) -> R {
        self.bar.suspend(write)
    }

    /// Removes the bar.
    pub(crate) fn finish(self) {
        self.bar.finish_and_clear();
    }
}

/// A message with the elapsed time, until it is dropped.
pub(crate) struct Waiting {
    end: Option<Sender<()>>,
    drawing: Option<JoinHandle<()>>,
}

impl Waiting {
    /// Shows `what` after one second.
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

/// A rate as an integer with thousands separators.
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
