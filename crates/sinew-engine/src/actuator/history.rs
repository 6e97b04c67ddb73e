//! History buffers: samples of a signal at increasing times, read with a delay.
//!
//! A buffer of `n` samples of `dim` numbers has one number for the user, the slot of the newest
//! sample, `n` times, `n * dim` values. Slots form a ring, oldest after newest.

use sinew_math::MINVAL;
use sinew_model::{ActuatorId, Data, Model};

/// Numbers before the times.
pub(crate) const HEADER: usize = 2;

/// A history buffer to be read.
pub(crate) struct History<'a> {
    times: &'a [f64],
    values: &'a [f64],
    dim: usize,
    newest: usize,
}

impl<'a> History<'a> {
    /// The buffer of `n` samples of `dim` numbers at the start of `buf`.
    pub(crate) fn new(buf: &'a [f64], n: usize, dim: usize) -> Self {
        let (times, rest) = buf[HEADER..].split_at(n);
        History { times, values: &rest[..n * dim], dim, newest: (buf[1] as usize).min(n - 1) }
    }

    fn len(&self) -> usize {
        self.times.len()
    }

    /// Slot of the `i`-th oldest sample.
    fn slot(&self, i: usize) -> usize {
        (self.newest + 1 + i) % self.len()
    }

    fn time(&self, i: usize) -> f64 {
        self.times[self.slot(i)]
    }

    /// Component `k` of the `i`-th oldest sample.
    fn value(&self, i: usize, k: usize) -> f64 {
        self.values[self.slot(i) * self.dim + k]
    }

    /// The oldest sample at or after `t`; the number of samples if all are earlier.
    fn first_at_or_after(&self, t: f64) -> usize {
        let n = self.len();
        if t <= self.time(0) {
            return 0;
        }
        if t > self.time(n - 1) {
            return n;
        }
        let (mut lo, mut hi) = (0, n - 1);
        while hi - lo > 1 {
            let mid = (lo + hi) / 2;
            if self.time(mid) < t {
                lo = mid;
            } else {
                hi = mid;
            }
        }
        hi
    }

    /// The signal at time `t`: held (order 0), linear (1) or cubic (2) between samples, and
    /// constant outside.
    pub(crate) fn read(&self, t: f64, order: i32, out: &mut [f64]) {
        for (k, x) in out.iter_mut().enumerate() {
            *x = self.read_component(t, order, k);
        }
    }

    fn read_component(&self, t: f64, order: i32, k: usize) -> f64 {
        let n = self.len();
        let value = |i: usize| self.value(i, k);
        if t <= self.time(0) + MINVAL {
            return value(0);
        }
        if t >= self.time(n - 1) - MINVAL {
            return value(n - 1);
        }
        let i = self.first_at_or_after(t);
        let (t0, t1) = (self.time(i - 1), self.time(i));
        let (x0, x1) = (value(i - 1), value(i));
        if (t - t1).abs() < MINVAL {
            return x1;
        }
        let dt = t1 - t0;
        let s = (t - t0) / dt;
        match order {
            0 => x0,
            1 => x0 + s * (x1 - x0),
            _ => {
                // Hermite with Catmull-Rom slopes, flat at the ends
                let slope0 =
                    if i > 1 { (x1 - value(i - 2)) / (t1 - self.time(i - 2)) } else { 0.0 };
                let slope1 =
                    if i < n - 1 { (value(i + 1) - x0) / (self.time(i + 1) - t0) } else { 0.0 };
                let (s2, s3) = (s * s, s * s * s);
                (2.0 * s3 - 3.0 * s2 + 1.0) * x0
                    + (s3 - 2.0 * s2 + s) * dt * slope0
                    + (-2.0 * s3 + 3.0 * s2) * x1
                    + (s3 - s2) * dt * slope1
            }
        }
    }
}

/// Why a history could not be set.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum HistoryError {
    /// The actuator or sensor has no history.
    None,
    /// The number of times or values differs from the history's length.
    Length {
        /// How many there are.
        found: usize,
        /// How many the history holds.
        wanted: usize,
    },
    /// A time is not after the one before it.
    Order {
        /// Index of the time.
        index: usize,
        /// This time and the next.
        times: [f64; 2],
    },
}

impl core::fmt::Display for HistoryError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            HistoryError::None => f.write_str("there is no history buffer"),
            HistoryError::Length { found, wanted } => {
                write!(f, "{found} numbers given, the history buffer holds {wanted}")
            }
            HistoryError::Order { index, times: [a, b] } => write!(
                f,
                "times must be strictly increasing, got times[{index}]={a} >= times[{}]={b}",
                index + 1
            ),
        }
    }
}

impl core::error::Error for HistoryError {}

/// Sets the history of an actuator's control, oldest sample first; without `times`, at the times
/// that are there.
#[doc(alias = "mj_initCtrlHistory")]
pub fn init_ctrl_history(
    m: &Model,
    d: &mut Data,
    u: ActuatorId,
    times: Option<&[f64]>,
    values: &[f64],
) -> Result<(), HistoryError> {
    let n = ctrl_samples(m, u).ok_or(HistoryError::None)?;
    let adr = m.actuator_historyadr[u] as usize;
    init(&mut d.history.flat_mut()[adr..adr + HEADER + 2 * n], n, times, values)
}

/// Fills a buffer of `n` samples; its user's number stays.
#[doc(alias = "mju_historyInit")]
pub(crate) fn init(
    buf: &mut [f64],
    n: usize,
    times: Option<&[f64]>,
    values: &[f64],
) -> Result<(), HistoryError> {
    let (header, rest) = buf.split_at_mut(HEADER);
    let (own_times, own_values) = rest.split_at_mut(n);
    check_times(times.unwrap_or(own_times), n)?;
    if values.len() != own_values.len() {
        return Err(HistoryError::Length { found: values.len(), wanted: own_values.len() });
    }
    header[1] = (n - 1) as f64;
    own_values.copy_from_slice(values);
    if let Some(times) = times {
        own_times.copy_from_slice(times);
    }
    Ok(())
}

/// An error unless there are `n` times, each after the one before it.
fn check_times(times: &[f64], n: usize) -> Result<(), HistoryError> {
    if times.len() != n {
        return Err(HistoryError::Length { found: times.len(), wanted: n });
    }
    for (index, pair) in times.windows(2).enumerate() {
        if pair[1] - pair[0] < MINVAL {
            return Err(HistoryError::Order { index, times: [pair[0], pair[1]] });
        }
    }
    Ok(())
}

/// Samples kept for an actuator's control; none if it has no history.
fn ctrl_samples(m: &Model, u: ActuatorId) -> Option<usize> {
    usize::try_from(m.actuator_history[u][0]).ok().filter(|&n| n > 0)
}

/// The control of an actuator as it was its delay before `time`. `interp` is the order of
/// interpolation; a negative one means the model's.
#[doc(alias = "mj_readCtrl")]
pub fn read_ctrl(m: &Model, d: &Data, u: ActuatorId, time: f64, interp: i32) -> f64 {
    let Some(n) = ctrl_samples(m, u) else {
        return d.ctrl[u];
    };
    let order = if interp < 0 { m.actuator_history[u][1] } else { interp };
    let buf = &d.history.flat()[m.actuator_historyadr[u] as usize..];
    let mut ctrl = [0.0];
    History::new(buf, n, 1).read(time - m.actuator_delay[u], order, &mut ctrl);
    ctrl[0]
}

/// Records the controls of this step in their histories.
pub fn record_ctrl(m: &Model, d: &mut Data) {
    for u in m.actuators() {
        let Some(n) = ctrl_samples(m, u) else { continue };
        let adr = m.actuator_historyadr[u] as usize;
        let buf = &mut d.history.flat_mut()[adr..adr + HEADER + 2 * n];
        let slot = insert(buf, n, 1, d.time);
        buf[HEADER + n + slot] = d.ctrl[u];
    }
}

/// Frees a slot for a sample at time `t` and returns it, with the times kept in order. The slot
/// belonged to a sample of the same time, otherwise to the oldest.
#[doc(alias = "mju_historyInsert")]
pub(crate) fn insert(buf: &mut [f64], n: usize, dim: usize, t: f64) -> usize {
    let newest = (buf[1] as usize).min(n - 1);
    let slot = |i: usize| (newest + 1 + i) % n;
    let at = {
        let view = History { times: &buf[HEADER..HEADER + n], values: &[], dim, newest };
        let at = view.first_at_or_after(t);
        if at < n && (t - view.time(at)).abs() < MINVAL {
            return view.slot(at);
        }
        at
    };

    // newer than all: the ring turns by one; otherwise older samples move down
    let free = if at == n {
        let next = (newest + 1) % n;
        buf[1] = next as f64;
        next
    } else {
        for j in 0..at.saturating_sub(1) {
            let (from, to) = (slot(j + 1), slot(j));
            buf[HEADER + to] = buf[HEADER + from];
            let values = HEADER + n;
            buf.copy_within(values + from * dim..values + (from + 1) * dim, values + to * dim);
        }
        slot(at.saturating_sub(1))
    };
    buf[HEADER + free] = t;
    free
}
