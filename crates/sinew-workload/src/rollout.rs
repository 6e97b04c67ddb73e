//! A simulation under pseudo-random controls.

use std::path::Path;
use std::time::Instant;

use sinew::model::enums::Timer;
use sinew::{ActuatorId, Data, KeyId, Model, Transition, TransitionError};

/// Parameters of a rollout.
#[derive(Clone, Copy, Debug)]
pub struct Load {
    /// Initial keyframe; `None` for the initial state.
    pub key: Option<usize>,
    /// Seed of the controls.
    pub seed: u64,
    /// Amplitude of the controls relative to half their range.
    pub scale: f64,
}

/// A simulation with pseudo-random controls.
#[derive(Debug)]
pub struct Rollout {
    /// The model.
    pub model: Model,
    /// The state.
    pub data: Data,
    load: Load,
    /// Number of steps since the last reset.
    step: u64,
}

/// Reasons why a rollout cannot start.
#[derive(Debug)]
pub enum RolloutError {
    /// The model does not load.
    Load(sinew::Error),
    /// The keyframe does not exist.
    Key(usize),
}

/// Sums over some steps.
#[derive(Clone, Debug, Default)]
pub struct StepTotals {
    /// CPU time of this thread, seconds.
    pub cpu: f64,
    /// Wall time, seconds.
    pub wall: f64,
    /// Number of contacts.
    pub contacts: f64,
    /// Number of constraint rows.
    pub rows: f64,
    /// Number of solver iterations, averaged over islands.
    pub iterations: f64,
    /// Number of islands.
    pub islands: f64,
    /// Number of warnings since the last reset.
    pub warnings: f64,
    /// Seconds in each stage, indexed by `Timer`; zero unless requested.
    pub stages: [f64; Timer::Count.0 as usize],
}

/// Stages in reports, with their names; stages do not overlap.
const STAGES: [(Timer, &str); 9] = [
    (Timer::PosKinematics, "kinematics"),
    (Timer::PosInertia, "inertia"),
    (Timer::PosCollision, "collision"),
    (Timer::PosMake, "constraint rows"),
    (Timer::PosProject, "row inertia"),
    (Timer::Velocity, "velocity"),
    (Timer::Actuation, "actuation"),
    (Timer::Constraint, "solver"),
    (Timer::Advance, "integration"),
];

/// Hooks that read a clock.
struct Clock;

impl sinew::Hooks for Clock {
    fn time(&mut self) -> f64 {
        seconds()
    }
}

impl Rollout {
    /// Loads a model file.
    pub fn open(path: &Path, load: Load) -> Result<Rollout, RolloutError> {
        let model = sinew::load(path).map_err(RolloutError::Load)?;
        Rollout::new(model, load)
    }

    /// Creates a rollout of a model.
    pub fn new(model: Model, load: Load) -> Result<Rollout, RolloutError> {
        if let Some(key) = load.key.filter(|&key| key >= model.nkey) {
            return Err(RolloutError::Key(key));
        }
        let data = Data::new(&model);
        let mut rollout = Rollout { model, data, load, step: 0 };
        rollout.reset();
        Ok(rollout)
    }

    /// Resets the state.
    pub fn reset(&mut self) {
        match self.load.key {
            Some(key) => sinew::reset_data_keyframe(&self.model, &mut self.data, key),
            None => sinew::reset_data(&self.model, &mut self.data),
        }
        self.step = 0;
    }

    /// Makes some steps. Timing the stages slows them slightly.
    pub fn run(&mut self, steps: usize, time_stages: bool) -> StepTotals {
        let mut work = StepTotals::default();
        self.data.timer = Default::default();
        let (cpu, wall) = (thread_seconds(), Instant::now());
        for _ in 0..steps {
            self.set_controls();
            if time_stages {
                sinew::step_with(&self.model, &mut self.data, &mut Clock);
            } else {
                sinew::step(&self.model, &mut self.data);
            }
            work.count(&self.data);
        }
        work.stages = self.data.timer.map(|t| t.duration);
        work.cpu = thread_seconds() - cpu;
        work.wall = wall.elapsed().as_secs_f64();
        work.warnings = self.data.warning.iter().map(|w| f64::from(w.number)).sum();
        work
    }

    /// Numbers of the matrices A and B of a step.
    pub fn transition_len(&self) -> [usize; 2] {
        let n = 2 * self.model.nv + self.model.na;
        [n * n, n * self.model.nu]
    }

    /// Fills the matrices A and B of a step some times; returns the mean CPU time in seconds.
    pub fn transition(
        &mut self,
        times: usize,
        a: &mut [f64],
        b: &mut [f64],
    ) -> Result<f64, TransitionError> {
        let cpu = thread_seconds();
        for _ in 0..times {
            let out = Transition { a: Some(a), b: Some(b), ..Transition::default() };
            sinew::transition(&self.model, &mut self.data, out)?;
        }
        Ok((thread_seconds() - cpu) / times.max(1) as f64)
    }

    /// A checksum of the positions.
    pub fn checksum(&self) -> f64 {
        let weighted = |(i, q): (usize, &f64)| q * (1.0 + (i % 17) as f64);
        self.data.qpos.iter().enumerate().map(weighted).sum()
    }

    fn set_controls(&mut self) {
        let (m, load) = (&self.model, self.load);
        for u in (0..m.nu).map(ActuatorId::new) {
            let limited = m.actuator_ctrllimited[u].get();
            let [lo, hi] = m.actuator_ctrlrange[u];
            let base = match load.key {
                Some(key) => m.key_ctrl[KeyId::new(key)][u.idx()],
                None if limited => 0.5 * (lo + hi),
                None => 0.0,
            };
            let half = if limited { 0.5 * (hi - lo) } else { 1.0 };
            let wanted = base + load.scale * half * noise(load.seed, self.step, u.idx() as u64);
            self.data.ctrl[u] = if limited { wanted.max(lo).min(hi) } else { wanted };
        }
        self.step += 1;
    }
}

impl StepTotals {
    /// Names and seconds of the timed stages.
    pub fn named_stages(&self) -> impl Iterator<Item = (&'static str, f64)> {
        STAGES.iter().map(|&(timer, name)| (name, self.stages[timer.0 as usize]))
    }

    /// Seconds of whole steps with timed stages, including the time between stages.
    pub fn step_seconds(&self) -> f64 {
        self.stages[Timer::Step.0 as usize]
    }

    fn count(&mut self, d: &Data) {
        self.contacts += d.ncon as f64;
        self.rows += d.nefc as f64;
        self.islands += d.nisland as f64;
        let solved = d.nisland.clamp(1, d.solver_niter.len());
        let iterations: i32 = d.solver_niter[..solved].iter().sum();
        self.iterations += f64::from(iterations) / solved as f64;
    }
}

/// A pseudo-random number in [-1, 1) for a step and an actuator.
fn noise(seed: u64, step: u64, actuator: u64) -> f64 {
    let bits = mix(mix(seed) ^ (step << 20) ^ actuator) >> 11;
    2.0 * (bits as f64 * (0.5_f64).powi(53)) - 1.0
}

/// The finaliser of SplitMix64.
fn mix(x: u64) -> u64 {
    let z = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Seconds since an arbitrary time. Timing stages reads the clock so often that the arithmetic of
/// `Instant` would be measurable.
#[cfg(unix)]
fn seconds() -> f64 {
    clock(libc::CLOCK_MONOTONIC)
}

/// CPU seconds of this thread; wall seconds on other systems.
#[cfg(unix)]
pub fn thread_seconds() -> f64 {
    clock(libc::CLOCK_THREAD_CPUTIME_ID)
}

/// CPU seconds of all threads of this process; wall seconds on other systems.
#[cfg(unix)]
pub fn process_seconds() -> f64 {
    clock(libc::CLOCK_PROCESS_CPUTIME_ID)
}

#[cfg(unix)]
#[allow(unsafe_code)]
fn clock(id: libc::clockid_t) -> f64 {
    let mut t = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: `t` is a valid pointer for the result.
    unsafe { libc::clock_gettime(id, &raw mut t) };
    t.tv_sec as f64 + t.tv_nsec as f64 * 1e-9
}

/// Seconds since an arbitrary time.
#[cfg(not(unix))]
fn seconds() -> f64 {
    thread_seconds()
}

/// Wall seconds, because this system has no CPU time of threads.
#[cfg(not(unix))]
pub fn thread_seconds() -> f64 {
    use std::sync::OnceLock;
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed().as_secs_f64()
}

/// Wall seconds, because this system has no CPU time of processes.
#[cfg(not(unix))]
pub fn process_seconds() -> f64 {
    thread_seconds()
}

impl core::fmt::Display for RolloutError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            RolloutError::Load(error) => error.fmt(f),
            RolloutError::Key(key) => write!(f, "no keyframe {key}"),
        }
    }
}

impl core::error::Error for RolloutError {}
