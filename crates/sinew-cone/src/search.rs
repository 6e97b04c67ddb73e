//! The search for the optimum in the scaled frame: which method runs when.
//!
//! 1. A warm start goes straight to Newton's method; most steps of a simulation end here.
//! 2. From scratch, a few sweeps and a step to where they lead find out which contacts separate. If
//!    none does, the unconstrained minimum is computed: it may be the answer, or a better start
//!    than the sweeps.
//! 3. Newton's method with line search. A step that did well is followed by cheap ones with the
//!    same factor, one that did not by a few sweeps.
//! 4. Where it stalls, or where light bodies carry heavy ones, interior-point steps, and Newton's
//!    method again once it is clear which contacts stick, slide and separate.
//! 5. Where rounding ends the interior-point steps, Newton's method for what is left.
//!
//! An iteration is one factorisation, whichever method asked for it.

use crate::cone::Cone;
use crate::frame::{Block, Frame, Shape, WIDEST};
use crate::interior::InteriorPoint;
use crate::natural_map::{self, Merit, NaturalMap};
use crate::newton::{Care, NewtonSystem, PROXIMAL};
use crate::problem::Problem;
use crate::small::tangent;
use crate::sweep::{self, Sweeper};

/// Sweeps from scratch before two more show where they lead, and from there.
const FIRST_SWEEPS: usize = 3;
const LAST_SWEEPS: usize = 2;

/// Largest share of an error that sweeps are believed to leave.
const FARTHEST: f64 = 0.8;

/// Sweeps after each Newton step.
const SWEEPS: usize = 3;

/// Smoothing width of the derivative, relative to the merit: damps the flicker between patterns.
/// Zero would be the semismooth method proper.
const SMOOTHING: f64 = 0.1;

/// Trial lengths of a Newton step.
const TRIALS: usize = 4;

/// A step may raise the merit to its largest value in this many steps, but not tenfold.
const MEMORY: usize = 3;
const LARGEST_RISE: f64 = 10.0;

/// A step that left at most this share of the merit is followed by one with the same factor, and
/// that one by another if it left at most `REUSED`.
const REUSE: f64 = 0.2;
const REUSED: f64 = 0.5;

/// A step that left less than this share of the merit needs no sweeps after it.
const CLOSE: f64 = 0.3;

/// Share of the merit that may be left after `Effort::patience` steps. Less sends piles to interior
/// points that were on their way, more lets stacks wait for them.
const PROGRESS: f64 = 0.35;

/// Impulses of the unconstrained minimum, over the right-hand side, above which light bodies carry
/// heavy ones: Newton's method would stall there.
const HEAVY: f64 = 1e2;

/// The same ratio where Newton's method has stalled, above which the unconstrained minimum is worth
/// its factorisation: piles end at 10, equal boxes at 20, and the impulses under heavy bodies have
/// not grown to their size yet.
const GROWING: f64 = 20.0;

/// The same ratio above which the unconstrained minimum says nothing: dependent rows that
/// contradict each other.
const CONTRADICTION: f64 = 3e7;

/// Proximal weight for the unconstrained minimum, which should be just that.
const WHISKER: f64 = 1e-13;

/// Distance from the kinks of the projection, over the distance from the optimum, at which Newton's
/// method takes over from interior points: on equal boxes it then ends the search nine times in
/// ten.
const CLEAR: f64 = 4.0;

/// Newton's method is tried from an interior point that is better by this factor than the last one
/// it was tried from.
const HAND_OVER: f64 = 0.03;

/// How long Newton's method is given, and how it behaves.
#[derive(Clone, Copy)]
struct Effort {
    steps: usize,
    /// Steps within which there must be progress.
    patience: usize,
    sweeps: usize,
}

const WARM: Effort = Effort { steps: 8, patience: 3, sweeps: SWEEPS };
const COLD: Effort = Effort { steps: 20, ..WARM };
const FINISH: Effort = Effort { steps: 6, patience: 1, sweeps: 0 };

/// From the last interior point, whose impulses of statically indeterminate contacts Newton's
/// method would take too long to find. Only the absolute criterion ever needs it.
const LAST: Effort = Effort { steps: 10, patience: 3, ..FINISH };

/// Error of a contact's velocity, over the largest that is asked for, that is accepted for a
/// tolerance of one. A contact at rest under a million times its own mass takes half as many
/// iterations more with a thousand, and no more with this.
pub(crate) const VELOCITY: f64 = 1e5;

/// When to stop.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Target {
    pub(crate) tolerance: f64,
    /// Whether the tolerance is relative to the largest impulse, or to that of `b` where this is
    /// larger.
    pub(crate) relative: bool,
    /// Largest entry of `b`, and the impulse that it takes.
    pub(crate) speed: f64,
    pub(crate) unit: f64,
    pub(crate) max_iterations: usize,
    /// Steps with the same factor are so cheap that they go on to this share of what is accepted.
    pub(crate) beyond: f64,
}

impl Target {
    fn judge(&self, merit: &Merit) -> Point {
        Point { merit: merit.norm, excess: self.excess(merit) }
    }

    /// The same with a share of the iterations.
    pub(crate) fn share(&self, share: f64) -> Target {
        Target { max_iterations: (share * self.max_iterations as f64) as usize, ..*self }
    }

    /// How far a point is from what is accepted: one or less if it is.
    pub(crate) fn excess(&self, found: &Merit) -> f64 {
        let unit = if self.relative { found.largest.max(self.unit) } else { 1.0 };
        let impulses = found.residual / (self.tolerance * unit);
        let velocities = found.velocity / (VELOCITY * self.tolerance * self.speed);
        // NaN is not accepted
        if impulses > velocities || impulses.is_nan() { impulses } else { velocities }
    }
}

/// What was found at a point.
#[derive(Clone, Copy, Debug, Default)]
struct Point {
    /// `|F|`.
    merit: f64,
    /// Residual over what the target accepts.
    excess: f64,
}

/// The iterate, the best one so far, and all buffers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Search {
    pub(crate) frame: Frame,
    pub(crate) cones: Vec<Cone>,
    /// The best point.
    pub(crate) best: Vec<f64>,
    pub(crate) iterations: usize,
    /// Residual over what would be accepted, at the best point.
    excess: f64,
    here: Point,
    y: Vec<f64>,
    w: Vec<f64>,
    step: Vec<f64>,
    trial: Vec<f64>,
    trial_w: Vec<f64>,
    unconstrained: Vec<f64>,
    map: NaturalMap,
    system: NewtonSystem,
    sweeper: Sweeper,
    interior: InteriorPoint,
}

impl Search {
    /// Takes over a problem.
    pub(crate) fn set(&mut self, problem: &Problem<'_>, regularization: f64) {
        self.frame.set(problem, regularization);
        self.cones.clear();
        self.cones.extend_from_slice(problem.cones());
        let m = self.frame.stride();
        for v in [
            &mut self.best,
            &mut self.y,
            &mut self.w,
            &mut self.step,
            &mut self.trial,
            &mut self.trial_w,
            &mut self.unconstrained,
        ] {
            v.clear();
            v.resize(m, 0.0);
        }
        self.map.resize(&self.frame);
        self.sweeper.prepare(&self.frame);
    }

    /// Searches from `warm`, or from scratch; true if the target was met.
    pub(crate) fn run(&mut self, target: &Target, warm: Option<&[f64]>) -> bool {
        self.iterations = 0;
        self.excess = f64::INFINITY;
        self.y.fill(0.0);
        if let Some(impulses) = warm {
            self.frame.enter(impulses, &mut self.y);
        }
        natural_map::project(&self.frame, &mut self.y);
        self.best.copy_from_slice(&self.y);
        self.frame.gradient(&self.y, &mut self.w);
        if self.measure(target) {
            return true;
        }
        if self.frame.blocks.len() == 1 {
            self.iterations += 1;
        } else if warm.is_some() && self.newton(target, WARM) {
            return true;
        }
        self.cold_start(target)
    }

    fn cold_start(&mut self, target: &Target) -> bool {
        self.y.copy_from_slice(&self.best);
        self.frame.gradient(&self.y, &mut self.w);
        if self.frame.blocks.len() > 1 {
            self.extrapolate();
        }
        self.sweep(target, LAST_SWEEPS);
        if self.here.excess < 1.0 {
            return true;
        }

        // without separation the unconstrained minimum may be the answer
        let pressed = self.frame.blocks.iter().all(|b| b.moves(self.y[b.start]));
        let mut heavy = false;
        if pressed && self.spend(target) {
            let load = self.release();
            self.trial.copy_from_slice(&self.unconstrained);
            let there = self.try_point(target);
            let presses = self.frame.blocks.iter().all(|b| self.trial[b.start] != 0.0);
            if there.excess < 1.0 || load.is_some() && presses {
                self.accept(there);
            }
            if self.measure(target) {
                return true;
            }
            heavy = load.is_some_and(|load| load > HEAVY);
        }
        if !heavy {
            if self.newton(target, COLD) {
                return true;
            }
            let growing = !pressed && self.load_of(&self.y) > GROWING;
            heavy = growing && self.spend(target) && self.release().is_some();
        }
        let guess = if heavy { &self.unconstrained } else { &self.y };
        self.interior.start(&self.frame, guess);
        self.walk(target)
    }

    /// Sweeps, and a step to where they lead: after a few of them their error shrinks by about the
    /// same share each time.
    fn extrapolate(&mut self) {
        self.sweep_only(FIRST_SWEEPS);
        self.trial.copy_from_slice(&self.y);
        self.sweep_only(1);
        for ((step, y), last) in self.step.iter_mut().zip(&self.y).zip(&mut self.trial) {
            *step = y - *last;
            *last = *y;
        }
        self.sweep_only(1);
        let (mut along, mut square) = (0.0, 0.0);
        for ((y, last), step) in self.y.iter().zip(&self.trial).zip(&self.step) {
            along += (y - last) * step;
            square += step * step;
        }
        let share = if square > 0.0 { (along / square).clamp(0.0, FARTHEST) } else { 0.0 };
        let length = share / (1.0 - share);
        for (y, last) in self.y.iter_mut().zip(&self.trial) {
            *y += length * (*y - last);
        }
        natural_map::project(&self.frame, &mut self.y);
        self.frame.gradient(&self.y, &mut self.w);
    }

    /// Computes the unconstrained minimum; its load, or none if it means nothing.
    fn release(&mut self) -> Option<f64> {
        self.map.pretend_free(&self.frame);
        let mut point = std::mem::take(&mut self.unconstrained);
        let fine = self.system.step(&self.frame, &self.map, WHISKER, Care::Refined, &mut point);
        self.unconstrained = point;
        let load = self.load_of(&self.unconstrained);
        (fine && load < CONTRADICTION).then_some(load)
    }

    fn newton(&mut self, target: &Target, effort: Effort) -> bool {
        // merit |F| of the last steps, newest first
        let mut merits = [0.0; MEMORY + 1];
        for taken in 0..=effort.steps {
            let Point { merit, excess } = self.here;
            if excess < 1.0 {
                return true;
            }
            merits.rotate_right(1);
            merits[0] = merit;
            let p = effort.patience;
            let stalled = taken >= p && merit > PROGRESS * merits[p];
            if stalled || taken == effort.steps || !merit.is_finite() || !self.spend(target) {
                return false;
            }

            // the derivative is smoothed, the map itself is not
            let width = SMOOTHING * merit / (self.frame.blocks.len() as f64).sqrt();
            self.map.differentiate(&self.frame, &self.y, &self.w, width);
            let (frame, step) = (&self.frame, &mut self.step);
            let fine = self.system.step(frame, &self.map, PROXIMAL, Care::Plain, step);
            if !fine {
                return false;
            }
            let recent = merits[..MEMORY].iter().fold(0.0, |a: f64, b| a.max(*b));
            self.line_search(target, recent.min(LARGEST_RISE * merit));

            // the same factor again, as long as that pays
            let (mut last, mut stale) = (merit, false);
            while self.here.merit < REUSE * last && self.here.excess >= target.beyond {
                self.system.step_again(&self.frame, &self.map, &mut self.step);
                let there = self.try_length(target, 1.0);
                stale = there.merit.is_nan() || there.merit > REUSED * self.here.merit;
                if stale {
                    break;
                }
                last = self.here.merit;
                self.accept(there);
            }
            if self.here.excess >= 1.0 && self.here.merit > CLOSE * merit {
                self.sweep(target, effort.sweeps);
            } else if stale {
                self.measure(target);
            }
        }
        false
    }

    /// Moves along the step, by a length whose projected end has a merit below `limit`, or the
    /// lowest of those tried.
    fn line_search(&mut self, target: &Target, limit: f64) {
        let (mut length, mut best) = (1.0, (f64::INFINITY, 1.0));
        let mut there = Point::default();
        for _ in 0..TRIALS {
            there = self.try_length(target, length);
            if there.merit <= (1.0 - 1e-4 * length) * limit {
                best = (there.merit, length);
                break;
            }
            if there.merit < best.0 {
                best = (there.merit, length);
            }
            length *= 0.5;
        }
        if best.1 != length {
            there = self.try_length(target, best.1);
        }
        self.accept(there);
    }

    /// What is found at the projected end of the step, or of a part of it. Leaves `F` of that point
    /// in the map.
    fn try_length(&mut self, target: &Target, length: f64) -> Point {
        for ((trial, y), d) in self.trial.iter_mut().zip(&self.y).zip(&self.step) {
            *trial = y + length * d;
        }
        self.try_point(target)
    }

    /// What is found at the projection of the trial point. Leaves `F` of that point in the map.
    fn try_point(&mut self, target: &Target) -> Point {
        natural_map::project(&self.frame, &mut self.trial);
        self.frame.gradient(&self.trial, &mut self.trial_w);
        let (y, w) = (&self.trial, &self.trial_w);
        target.judge(&natural_map::evaluate(&self.frame, &self.cones, y, w, &mut self.map.f))
    }

    /// Moves to the point that was tried last.
    fn accept(&mut self, there: Point) {
        std::mem::swap(&mut self.y, &mut self.trial);
        std::mem::swap(&mut self.w, &mut self.trial_w);
        self.arrive(there);
    }

    /// Interior-point steps until Newton's method can take over.
    fn walk(&mut self, target: &Target) -> bool {
        let mut tried_from = f64::INFINITY;
        while self.spend(target) {
            let stepped = self.interior.step(&self.frame);
            self.interior.point(&mut self.y);
            natural_map::project(&self.frame, &mut self.y);
            self.frame.gradient(&self.y, &mut self.w);
            if self.measure(target) {
                return true;
            }
            if !stepped {
                return self.newton(target, LAST);
            }
            let excess = self.here.excess;
            if excess < HAND_OVER * tried_from && self.decided() {
                tried_from = excess;
                if self.newton(target, FINISH) {
                    return true;
                }
            }
        }
        false
    }

    /// Whether the interior point is close to the central path and that far from all kinks.
    fn decided(&self) -> bool {
        // on the path with parameter m, `y ∘ s = m²` and |F| is about m
        let m = self.interior.path(&self.frame);
        self.here.merit < m
            && self.frame.blocks.iter().all(|block| {
                let mut z = [0.0; WIDEST];
                for (z, at) in z.iter_mut().zip(block.range()) {
                    *z = self.y[at] - self.w[at];
                }
                clearance(block, &z) > CLEAR * m
            })
    }

    fn sweep_only(&mut self, times: usize) {
        sweep::sweep(&self.sweeper, &self.frame, &mut self.y, &mut self.w, times);
    }

    fn sweep(&mut self, target: &Target, times: usize) {
        if times > 0 {
            self.sweep_only(times);
        }

        // sweeps update the gradient in place, which is good enough to go on with but not to end
        // with
        if self.measure(target) {
            self.frame.gradient(&self.y, &mut self.w);
            self.measure(target);
        }
    }

    /// Counts an iteration if one is left.
    fn spend(&mut self, target: &Target) -> bool {
        let left = self.iterations < target.max_iterations;
        self.iterations += usize::from(left);
        left
    }

    /// Looks at the iterate; true if the target is met.
    fn measure(&mut self, target: &Target) -> bool {
        let (y, w) = (&self.y, &self.w);
        let merit = natural_map::evaluate(&self.frame, &self.cones, y, w, &mut self.map.f);
        self.arrive(target.judge(&merit));
        self.here.excess < 1.0
    }

    /// Remembers what was found at the iterate, and the best point.
    fn arrive(&mut self, here: Point) {
        self.here = here;
        if here.excess < self.excess {
            self.excess = here.excess;
            self.best.copy_from_slice(&self.y);
        }
    }

    /// Largest impulse of the best point over the right-hand side, both in the scaled frame.
    pub(crate) fn load(&self) -> f64 {
        self.load_of(&self.best)
    }

    fn load_of(&self, y: &[f64]) -> f64 {
        largest(y) / largest(&self.frame.q).max(f64::MIN_POSITIVE)
    }
}

/// Distance of a point from the nearest kink of the projection.
fn clearance(block: &Block, z: &[f64; WIDEST]) -> f64 {
    match block.shape {
        Shape::Free => f64::INFINITY,
        Shape::Interval(lower, upper) => (z[0] - lower).abs().min((z[0] - upper).abs()),
        Shape::Ray | Shape::Lorentz => (z[0].abs() - tangent(z)).abs(),
    }
}

fn largest(x: &[f64]) -> f64 {
    x.iter().fold(0.0, |a, b| a.max(b.abs()))
}
