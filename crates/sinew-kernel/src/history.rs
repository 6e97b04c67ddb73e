//! Delays: samples of controls and readings at rising times, in rings.
//!
//! A ring of n samples begins with the time of a sensor's last tick and the slot of the newest
//! sample. Then follow n times, and the numbers of the samples. Slots go round: the oldest follows
//! the newest.

use crate::memory::Cells;
use crate::real::Real;
use crate::result;
use crate::rows::NONE;
use crate::tables::{Model, World};
use crate::team::Team;

/// Numbers before the times.
const HEADER: usize = 2;

/// A ring of samples.
#[derive(Clone, Copy)]
struct Ring<'a, R> {
    cells: Cells<'a, R>,
    at: usize,
    n: usize,
    dim: usize,
}

/// Times that are nearer are the same. Single precision rounds them.
#[inline(always)]
fn tie<R: Real>(t: R) -> R {
    rounding(t).max(R::of(sinew_math::MINVAL))
}

/// Rounding of a time beyond that of double precision.
#[inline(always)]
fn rounding<R: Real>(t: R) -> R {
    (R::EPSILON - R::of(f64::EPSILON)) * R::of(2.0) * t.abs()
}

impl<R: Real> Ring<'_, R> {
    /// Slot of the `i`-th oldest sample.
    #[inline(always)]
    fn slot(self, i: usize) -> usize {
        let newest = self.cells.at(self.at + 1).to_f64() as usize;
        let newest = if newest < self.n { newest } else { self.n - 1 };
        (newest + 1 + i) % self.n
    }

    #[inline(always)]
    fn time(self, i: usize) -> R {
        self.cells.at(self.at + HEADER + self.slot(i))
    }

    /// Where number `k` of a slot is.
    #[inline(always)]
    fn number(self, slot: usize, k: usize) -> usize {
        self.at + HEADER + self.n + slot * self.dim + k
    }

    #[inline(always)]
    fn value(self, i: usize, k: usize) -> R {
        self.cells.at(self.number(self.slot(i), k))
    }

    /// The oldest sample at or after `t`; the number of samples if all are earlier.
    #[inline(always)]
    fn first_at_or_after(self, t: R) -> usize {
        let mut i = 0;
        while i < self.n && self.time(i) < t {
            i += 1;
        }
        i
    }

    /// Number `k` of the signal at a time: held (order 0), linear (1) or cubic (2) between samples,
    /// and constant outside.
    // out of line: few models have delays
    #[inline(never)]
    fn read(self, t: R, order: u32, k: usize) -> R {
        let last = self.n - 1;
        let value = |i: usize| self.value(i, k);
        if t <= self.time(0) + tie(t) {
            return value(0);
        }
        if t >= self.time(last) - tie(t) {
            return value(last);
        }
        let i = self.first_at_or_after(t);
        if i == 0 || i > last {
            // no times that compare
            return value(if i == 0 { 0 } else { last });
        }
        let (t0, t1, x0, x1) = (self.time(i - 1), self.time(i), value(i - 1), value(i));
        if (t - t1).abs() < tie(t) {
            return x1;
        }
        let dt = t1 - t0;
        let s = (t - t0) / dt;
        if order == 0 {
            return x0;
        }
        if order == 1 {
            return x0 + s * (x1 - x0);
        }

        // Hermite with Catmull-Rom slopes, flat at the ends
        let slope0 = if i > 1 { (x1 - value(i - 2)) / (t1 - self.time(i - 2)) } else { R::ZERO };
        let slope1 = if i < last { (value(i + 1) - x0) / (self.time(i + 1) - t0) } else { R::ZERO };
        let (two, three, s2, s3) = (R::of(2.0), R::of(3.0), s * s, s * s * s);
        (two * s3 - three * s2 + R::ONE) * x0
            + (s3 - two * s2 + s) * dt * slope0
            + (three * s2 - two * s3) * x1
            + (s3 - s2) * dt * slope1
    }

    /// Frees a slot for a sample at a time, with the times kept in order. The slot belonged to a
    /// sample of the same time, otherwise to the oldest.
    #[inline(never)]
    fn insert(self, t: R) -> usize {
        let i = self.first_at_or_after(t);
        if i < self.n && (t - self.time(i)).abs() < R::of(sinew_math::MINVAL) {
            return self.slot(i);
        }
        let free = if i == self.n {
            // newer than all: the ring turns by one
            let next = self.slot(0);
            self.cells.put(self.at + 1, R::of(next as f64));
            next
        } else {
            // older samples move down
            for j in 1..i {
                let (from, to) = (self.slot(j), self.slot(j - 1));
                self.cells.put(self.at + HEADER + to, self.time(j));
                for k in 0..self.dim {
                    let x = self.cells.at(self.number(from, k));
                    self.cells.put(self.number(to, k), x);
                }
            }
            self.slot(if i > 0 { i - 1 } else { 0 })
        };
        self.cells.put(self.at + HEADER + free, t);
        free
    }
}

#[inline(always)]
fn of_actuator<'a, R: Real>(m: Model<'a, R>, w: World<'a, R>, u: usize) -> Option<Ring<'a, R>> {
    let at = m.act_ring().at(u);
    let n = m.act_samples().at(u) as usize;
    if at == NONE { None } else { Some(Ring { cells: w.history(), at: at as usize, n, dim: 1 }) }
}

/// The control of an actuator as it was its delay ago.
#[inline(never)]
pub(crate) fn control<R: Real>(m: Model<'_, R>, w: World<'_, R>, u: usize) -> R {
    let delay = m.act_delay().at(u);
    match of_actuator(m, w, u) {
        Some(ring) if delay != R::ZERO => ring.read(w.time().at(0) - delay, m.act_order().at(u), 0),
        _ => w.ctrl().at(u),
    }
}

/// Records the controls of a step.
#[inline(never)]
pub(crate) fn record_controls<R: Real, T: Team>(t: T, m: Model<'_, R>, w: World<'_, R>) {
    t.par(m.nu() as usize, |u| {
        if let Some(ring) = of_actuator(m, w, u) {
            let slot = ring.insert(w.time().at(0));
            ring.cells.put(ring.number(slot, 0), w.ctrl().at(u));
        }
    });
}

/// Computes all readings, shows those with a delay or between ticks as they were, and, if the state
/// moves, records the new ones.
#[inline(never)]
pub(crate) fn readings<R: Real, T: Team>(t: T, m: Model<'_, R>, w: World<'_, R>, moves: bool) {
    result::compute(t, m, w, result::PLACES | result::ACCELERATIONS | result::SENSORS);
    t.par(m.nsensor() as usize, |s| {
        if m.sensor_ring().at(s) != NONE {
            earlier(m, w, s, moves);
        }
    });
}

#[inline(always)]
fn earlier<R: Real>(m: Model<'_, R>, w: World<'_, R>, s: usize, moves: bool) {
    let (adr, dim) = (m.sensor_adr().at(s) as usize, m.sensor_dim().at(s) as usize);
    let (at, n) = (m.sensor_ring().at(s) as usize, m.sensor_samples().at(s) as usize);
    let ring = Ring { cells: w.history(), at, n, dim };
    let (time, delay, interval) =
        (w.time().at(0), m.sensor_delay().at(s), m.sensor_interval().at(s));
    let ticks = interval > R::ZERO;
    let due = ring.cells.at(at) + interval <= time + rounding(time);
    let (now, shown) = (w.sensordata(), w.sensor_shown());
    let old = delay > R::ZERO || ticks && !due;
    if old {
        for k in 0..dim {
            shown.put(adr + k, ring.read(time - delay, m.sensor_order().at(s), k));
        }
    }
    if moves && (!ticks || due) {
        if ticks {
            // ticks are exact intervals apart
            ring.cells.put(at, ring.cells.at(at) + interval);
        }
        let slot = ring.insert(time);
        for k in 0..dim {
            ring.cells.put(ring.number(slot, k), now.at(adr + k));
        }
    }
    if old {
        for k in 0..dim {
            now.put(adr + k, shown.at(adr + k));
        }
    }
}
