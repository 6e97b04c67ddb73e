//! A simulation that users steer: its clock, its history and its requests.

use std::time::{Duration, Instant};

use serde_json::Value;
use sinew_engine::{forward, reset_data, step_with};
use sinew_model::{Data, Model};
use sinew_scene::SceneGeom;

use crate::board::Slot;
use crate::event::Event;
use crate::history::History;
use crate::policy::Driver;
use crate::poses::Poses;
use crate::profile::{Clock, Profile};
use crate::server::Server;
use crate::session::{Session, Status};
use crate::wire;

/// Minimum time between two frames.
const FRAME_TIME: Duration = Duration::from_micros(16_600);
/// Wall time for steps before events and frames are handled.
const STEP_BUDGET: Duration = Duration::from_millis(12);
/// Lag behind the clock, seconds, above which the simulation restarts the clock instead of catching
/// up.
const MAX_LAG: f64 = 0.1;
/// Bounds of the speed, simulated seconds per second.
const SPEEDS: [f64; 2] = [1e-4, 100.0];
/// Maximum number of steps per request.
const MAX_STEPS: i32 = 1000;

/// A simulation that users steer.
#[derive(Debug)]
pub struct Player {
    /// The state that all pages share.
    pub session: Session,
    /// Whether the simulation runs.
    pub running: bool,
    speed: f64,
    history: History,
    poses: Poses,
    profile: Profile,
    /// The policy that sets the controls.
    driver: Option<Driver>,
    /// Wall time when the clock was last set, and simulated time then.
    set: Option<(Instant, f64)>,
    posted: Option<Instant>,
    pace: Pace,
    /// Whether a change is not shown yet.
    stale: bool,
}

impl Player {
    /// Creates a simulation at its first step, running or paused.
    pub fn new(m: &Model, running: bool) -> Player {
        Player {
            session: Session::new(m),
            running,
            speed: 1.0,
            history: History::new(m),
            poses: Poses::new(m),
            profile: Profile::default(),
            driver: None,
            set: None,
            posted: None,
            pace: Pace::default(),
            stale: true,
        }
    }

    /// Continues with another model.
    pub fn change_model(&mut self, m: &Model) {
        self.session.change_model(m);
        self.history = History::new(m);
        self.poses = Poses::new(m);
        self.profile = Profile::default();
        self.set = None;
        self.stale = true;
    }

    /// Handles a request of a page; returns requests about files and the viewer itself.
    pub fn apply(&mut self, m: &Model, d: &mut Data, event: Event) -> Option<Event> {
        self.stale = true;
        match event {
            Event::Run(on) => {
                self.running = on;
                self.set = None;
            }
            Event::Speed(x) => {
                self.speed = x.clamp(SPEEDS[0], SPEEDS[1]);
                self.set = None;
            }
            Event::Step(n) if n >= 0 => self.step(m, d, n.min(MAX_STEPS)),
            Event::Step(n) => {
                let back = usize::try_from(n.unsigned_abs()).unwrap_or(0);
                self.scrub(m, d, self.history.shown().saturating_sub(back));
            }
            Event::Reset => self.restart(m, d, None),
            Event::Key(key) if self.poses.has(key) => self.restart(m, d, Some(key)),
            Event::SetKey(key) => _ = self.poses.set(m, d, key),
            Event::Scrub(index) => self.scrub(m, d, index),
            event => {
                if !self.session.apply(m, d, &event) {
                    return Some(event);
                }
                // a paused body follows the drag at once
                if !self.running && matches!(event, Event::Drag(..)) {
                    self.session.pull(m, d, true);
                    forward(m, d);
                }
            }
        }
        None
    }

    /// Lets a policy set the controls, by the sliders of its commands; or nobody.
    pub(crate) fn set_driver(&mut self, driver: Option<Driver>) {
        self.driver = driver;
        self.session.widgets = self.driver.as_mut().map(Driver::add_sliders).unwrap_or_default();
    }

    fn step(&mut self, m: &Model, d: &mut Data, n: i32) {
        self.running = false;
        for _ in 0..n {
            self.remember(m, d);
            if let Some(driver) = &mut self.driver {
                driver.listen(&self.session.widgets);
                driver.drive(m, d);
            }
            self.session.pull(m, d, false);
            step_with(m, d, &mut Clock::new());
        }
        self.remember(m, d);
        forward(m, d);
    }

    fn restart(&mut self, m: &Model, d: &mut Data, key: Option<usize>) {
        reset_data(m, d);
        if let Some(key) = key {
            self.poses.load(m, d, key);
        }
        forward(m, d);
        self.history.clear();
        self.set = None;
    }

    fn scrub(&mut self, m: &Model, d: &mut Data, index: usize) {
        self.running = false;
        // the history is of this model, so its states fit
        if self.history.go(m, d, index).unwrap_or(false) {
            forward(m, d);
        }
    }

    fn remember(&mut self, m: &Model, d: &Data) {
        let last = self.history.span()[1];
        if self.history.len() == 0
            || d.time != last
            || self.history.shown() + 1 < self.history.len()
        {
            // the history is of this model, so its states fit
            let _ = self.history.push(m, d);
        }
    }

    /// Posts a frame of a state computed by a script, with further geoms of the script.
    pub fn post_passive(&mut self, server: &Server, m: &Model, d: &mut Data, more: &[SceneGeom]) {
        let now = Instant::now();
        self.pace.measure(now, d.time);
        let status = Status {
            running: true,
            passive: true,
            speed: 1.0,
            pace: self.pace.value,
            history: [0.0; 4],
            stages: self.profile.measure(now, d).to_vec(),
        };
        self.post_lists(server);
        self.session.post_frame(server, m, d, &status, more);
    }

    /// Posts the keyframes if they have changed.
    fn post_lists(&mut self, server: &Server) {
        let message = |keys: Value| (Slot::Keys, wire::json_message(wire::KEYS, &keys));
        if let Some(keys) = self.poses.news() {
            server.board().post(vec![message(keys)]);
        }
    }

    /// Makes the steps that are due by the clock, and times their stages.
    pub fn advance_timed(&mut self, m: &Model, d: &mut Data) {
        let mut clock = Clock::new();
        let mut driver = self.driver.take();
        if let Some(driver) = &mut driver {
            driver.listen(&self.session.widgets);
        }
        self.advance(m, d, |m, d| {
            if let Some(driver) = &mut driver {
                driver.drive(m, d);
            }
            step_with(m, d, &mut clock);
        });
        self.driver = driver;
    }

    /// Makes the steps that are due by the clock.
    pub fn advance(&mut self, m: &Model, d: &mut Data, mut step: impl FnMut(&Model, &mut Data)) {
        if !self.running {
            self.pace = Pace::default();
            return;
        }
        let begin = Instant::now();
        let (wall, start) = *self.set.get_or_insert((begin, d.time));
        let wanted = start + (begin - wall).as_secs_f64() * self.speed;
        let mut lag = wanted - d.time;
        if lag > MAX_LAG * self.speed.max(1.0) || d.time < start {
            self.set = Some((begin, d.time));
            lag = m.opt.timestep;
        }
        let end = d.time + lag;
        let mut last = d.time;
        while d.time < end && begin.elapsed() < STEP_BUDGET {
            self.session.pull(m, d, false);
            step(m, d);
            self.stale = true;

            // a bad state was reset
            if d.time <= last {
                self.set = None;
                break;
            }
            last = d.time;
        }
    }

    /// Posts a frame if a frame is due and a page is open.
    pub fn post(&mut self, server: &Server, m: &Model, d: &mut Data) {
        let now = Instant::now();
        let due = self.posted.is_none_or(|posted| now - posted >= FRAME_TIME);
        if !due || !self.stale {
            return;
        }
        self.posted = Some(now);
        self.stale = false;
        if self.running {
            self.pace.measure(now, d.time);
            self.remember(m, d);
        }
        let [first, last] = self.history.span();
        let status = Status {
            running: self.running,
            passive: false,
            speed: self.speed,
            pace: self.pace.value,
            history: [self.history.shown() as f64, self.history.len() as f64, first, last],
            stages: self.profile.measure(now, d).to_vec(),
        };
        self.post_lists(server);
        self.session.post_frame(server, m, d, &status, &[]);
    }

    /// Time until the next action is due.
    pub fn idle(&self, d: &Data) -> Duration {
        const LONG: Duration = Duration::from_millis(100);
        let frame = match (self.stale, self.posted) {
            (true, Some(posted)) => FRAME_TIME.saturating_sub(posted.elapsed()),
            (true, None) => Duration::ZERO,
            (false, _) => LONG,
        };
        let step = match self.set.filter(|_| self.running) {
            Some((wall, start)) => {
                let due = (d.time - start) / self.speed - wall.elapsed().as_secs_f64();
                Duration::from_secs_f64(due.clamp(0.0, LONG.as_secs_f64()))
            }
            None if self.running => Duration::ZERO,
            None => LONG,
        };
        frame.min(step)
    }
}

/// Simulated seconds per second, averaged over about half a second.
#[derive(Debug, Default)]
struct Pace {
    since: Option<(Instant, f64)>,
    value: f64,
}

impl Pace {
    fn measure(&mut self, now: Instant, time: f64) {
        let Some((then, before)) = self.since else {
            self.since = Some((now, time));
            return;
        };
        let elapsed = (now - then).as_secs_f64();
        if elapsed >= 0.5 || time < before {
            self.value = ((time - before) / elapsed.max(1e-9)).max(0.0);
            self.since = Some((now, time));
        }
    }
}
