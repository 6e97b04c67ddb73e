//! The search for a point where the law holds: Newton's method, with sweeps between its steps.

use super::coupling::{Coupling, Manner};
use crate::cone::Cone;
use crate::frame::{Frame, Shape};
use crate::natural_map::{self, NaturalMap};
use crate::newton::PROXIMAL;
use crate::search::Target;
use crate::small;

/// Tolerance of the search over that of the law. A last step gains many digits; where it gains
/// none, the tolerance itself is enough.
pub(crate) const MARGIN: f64 = 0.1;

/// Excess that is enough, with room for the roundings of the certificate.
pub(crate) const ENOUGH: f64 = 0.9 / MARGIN;

/// Sweeps over a single contact, each to the end, and over all contacts between looks at them.
const SWEEPS_ALONE: usize = 3;
const SWEEPS: usize = 10;

/// Merit over right-hand side from which on steps are refined, and from which on there are no
/// sweeps: they would only move impulses about that change no velocity.
const NEAR: f64 = 1e-3;
const ARRIVED: f64 = 1e-9;

/// Steps with the last factors, and the excess from which on there are none.
const POLISH: usize = 2;
const POLISHED: f64 = 0.02;

/// Trial lengths of a step, besides that to the nearest surface.
const TRIALS: usize = 6;

/// A step may raise the merit to its largest value in this many steps, but not more than tenfold.
const MEMORY: usize = 3;
const LARGEST_RISE: f64 = 10.0;

/// Progress that is enough to go on, over `PATIENCE` steps.
const PATIENCE: usize = 3;
const PROGRESS: f64 = 0.3;

/// Steps of an excursion, after which it must have led below this share of the merit it began with;
/// steps before the next one; merit over right-hand side from which on there are any.
const EXCURSION: usize = 12;
const GAIN: f64 = 0.9;
const REST: usize = 2;
const CLOSE: f64 = 1e-2;

/// How Newton's method behaves.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Effort {
    pub(crate) steps: usize,
    pub(crate) sweeps: usize,
    /// Smoothing width of the derivative, relative to the merit.
    pub(crate) smoothing: f64,
    /// Whether there are excursions.
    pub(crate) excursions: bool,
}

/// Newton's method from impulses of a similar problem.
const WARM: Effort = Effort { steps: 24, sweeps: 3, smoothing: 0.1, excursions: true };

/// Newton's method for the last digits: of twelve steps of `models/pile.xml` that the first-order
/// method leaves above 1e-10, the first manner ends seven, the others three each of what is left.
const LAST: [Effort; 4] = [
    Effort { steps: 12, sweeps: 0, smoothing: 0.0, excursions: true },
    Effort { steps: 12, sweeps: 0, smoothing: 1.0, excursions: true },
    Effort { steps: 24, sweeps: 3, smoothing: 0.1, excursions: true },
    Effort { steps: 12, sweeps: 1, smoothing: 0.0, excursions: true },
];

/// What a step that fails does to the proximal weight, and one that does not.
const LIFT: f64 = 1e4;
const FALL: f64 = 1e-2;
const HEAVIEST: f64 = 1e8;

/// A problem in its frame, and what is asked of the solution.
#[derive(Clone, Copy)]
pub(crate) struct Place<'a> {
    pub(crate) frame: &'a Frame,
    pub(crate) cones: &'a [Cone],
    pub(crate) target: &'a Target,
    /// Whether the law is Coulomb's, and not the convex one.
    pub(crate) slip: bool,
}

/// What the law says about a point.
#[derive(Clone, Copy, Debug, Default)]
struct Point {
    /// `|F|`.
    merit: f64,
    /// Residual over what would be accepted.
    excess: f64,
}

/// Steps that are taken whatever they do to the merit, and where they began.
///
/// Where contacts barely slide, friction may have to turn a lot for velocities that hardly change.
/// On the way the curvature of the cones throws forces off balance by far more than is to be
/// gained, and the next steps restore it: no line search leads there.
#[derive(Clone, Debug, Default)]
struct Excursion {
    /// Steps left; none outside of an excursion.
    left: usize,
    /// Steps before another one may begin.
    rest: usize,
    from: Point,
    y: Vec<f64>,
    w: Vec<f64>,
    f: Vec<f64>,
}

/// The iterate, the best one so far, and all buffers.
#[derive(Clone, Debug, Default)]
pub(crate) struct LawSearch {
    /// The best point.
    pub(crate) best: Vec<f64>,
    /// Factorisations.
    pub(crate) iterations: usize,
    /// Residual over what would be accepted, at the best point.
    pub(crate) excess: f64,
    here: Point,
    y: Vec<f64>,
    w: Vec<f64>,
    /// The gradient with De Saxcé's correction.
    corrected: Vec<f64>,
    step: Vec<f64>,
    trial: Vec<f64>,
    trial_w: Vec<f64>,
    trial_f: Vec<f64>,
    excursion: Excursion,
    /// Value and derivative of the map at the iterate.
    map: NaturalMap,
}

impl LawSearch {
    /// Forgets what was found.
    fn begin(&mut self, frame: &Frame) {
        for v in [
            &mut self.best,
            &mut self.y,
            &mut self.w,
            &mut self.corrected,
            &mut self.step,
            &mut self.trial,
            &mut self.trial_w,
            &mut self.trial_f,
            &mut self.excursion.y,
            &mut self.excursion.w,
            &mut self.excursion.f,
        ] {
            v.clear();
            v.resize(frame.stride(), 0.0);
        }
        self.map.resize(frame);
        self.iterations = 0;
        self.excess = f64::INFINITY;
    }

    /// Searches from some impulses, or from none, where only a single contact is tried; true if
    /// that led to the answer. As many factorisations are `spent` already.
    pub(crate) fn seek(
        &mut self,
        at: Place<'_>,
        p: &mut impl Coupling,
        impulses: Option<&[f64]>,
        spent: usize,
    ) -> bool {
        self.begin(at.frame);
        self.iterations = spent;
        if self.enter(at, p, impulses) {
            return true;
        }
        if at.frame.blocks.len() == 1 && self.spend(at) && self.sweep(at, p) {
            return true;
        }
        impulses.is_some() && self.newton(at, p, WARM) || self.excess < ENOUGH
    }

    /// Sweeps from some impulses, or from none, until that is enough or the iterations run out, each
    /// of which is `SWEEPS` of them. Block Gauss-Seidel with a solution for each contact: robust,
    /// and slow to gain digits.
    pub(crate) fn sweep_to_the_end(
        &mut self,
        at: Place<'_>,
        p: &mut impl Coupling,
        impulses: Option<&[f64]>,
    ) {
        self.begin(at.frame);
        let mut found = self.enter(at, p, impulses);
        while !found && self.spend(at) {
            p.sweep(at.frame, (SWEEPS, at.slip), &mut self.y, &mut self.w);
            self.look(at);
            found = self.arrive();
        }
    }

    /// Goes to the projection of some impulses, or to none; true if that is the answer.
    pub(crate) fn enter(
        &mut self,
        at: Place<'_>,
        p: &mut impl Coupling,
        impulses: Option<&[f64]>,
    ) -> bool {
        match impulses {
            Some(impulses) => at.frame.enter(impulses, &mut self.y),
            None => self.y.fill(0.0),
        }
        natural_map::project(at.frame, &mut self.y);
        p.gradient(at.frame, &self.y, &mut self.w);
        self.look(at);
        self.arrive()
    }

    /// Goes to a point; true if it is the answer.
    pub(crate) fn visit(&mut self, at: Place<'_>, p: &mut impl Coupling, y: &[f64]) -> bool {
        self.y.copy_from_slice(y);
        p.gradient(at.frame, &self.y, &mut self.w);
        self.look(at);
        self.arrive()
    }

    /// Goes back to the best point.
    pub(crate) fn enter_best(&mut self, at: Place<'_>, p: &mut impl Coupling) {
        self.y.copy_from_slice(&self.best);
        p.gradient(at.frame, &self.y, &mut self.w);
        self.look(at);
    }

    /// Newton's method from the best point, in one manner after the other as long as that pays:
    /// where contacts barely slide and barely stick, each of them fails elsewhere.
    pub(crate) fn polish_best(&mut self, at: Place<'_>, p: &mut impl Coupling) -> bool {
        let mut before = f64::INFINITY;
        while self.excess < 0.5 * before && self.iterations < at.target.max_iterations {
            before = self.excess;
            for effort in LAST {
                self.enter_best(at, p);
                if self.newton(at, p, effort) || self.is_enough() {
                    return true;
                }
            }
        }
        false
    }

    /// Whether the best point will do.
    pub(crate) fn is_enough(&self) -> bool {
        self.excess < ENOUGH
    }

    /// The iterate, and its corrected gradient.
    pub(crate) fn iterate(&self) -> (&[f64], &[f64]) {
        (&self.y, &self.corrected)
    }

    /// Counts a factorisation if one is left.
    pub(crate) fn spend(&mut self, at: Place<'_>) -> bool {
        let left = self.iterations < at.target.max_iterations;
        self.iterations += usize::from(left);
        left
    }

    /// Sweeps; true if that leads to the answer.
    fn sweep(&mut self, at: Place<'_>, p: &mut impl Coupling) -> bool {
        self.sweep_on(at, p, SWEEPS_ALONE);
        self.arrive()
    }

    /// Newton's method from the iterate; true if it found the answer.
    pub(crate) fn newton(&mut self, at: Place<'_>, p: &mut impl Coupling, effort: Effort) -> bool {
        // the last points, newest first
        let mut past = [Point { merit: 0.0, excess: f64::INFINITY }; PATIENCE + 1];
        let size = at.frame.q.iter().fold(0.0_f64, |a, b| a.max(b.abs()));
        let mut damping = 1.0;
        (self.excursion.left, self.excursion.rest) = (0, 0);
        for taken in 0..=effort.steps {
            let Point { merit, excess } = self.here;
            if excess < 1.0 {
                return true;
            }
            past.rotate_right(1);
            past[0] = self.here;
            let stalled = self.excursion.left == 0
                && taken >= PATIENCE
                && merit > PROGRESS * past[PATIENCE].merit
                && excess > PROGRESS * past[PATIENCE].excess;
            if stalled || taken == effort.steps || !merit.is_finite() || !self.spend(at) {
                return false;
            }

            // the derivative is smoothed, the map itself is not
            let width = effort.smoothing * merit / (at.frame.blocks.len() as f64).sqrt();
            at.correct(&self.w, &mut self.corrected);
            self.map.differentiate(at.frame, &self.y, &self.corrected, width);
            let refined = merit < NEAR * size;
            let manner = Manner { proximal: PROXIMAL * damping, refined, slip: at.slip };
            if !p.step(at.frame, &self.map, &self.w, manner, &mut self.step) {
                return false;
            }
            let recent = past[..MEMORY].iter().fold(0.0, |a: f64, b| a.max(b.merit));
            let close = effort.excursions && merit < CLOSE * size;
            let moved = self.advance(at, p, recent, close);
            damping = if moved { damping * FALL } else { damping * LIFT }.clamp(1.0, HEAVIEST);
            if self.arrive() {
                self.polish(at, p);
                return true;
            }
            if self.excursion.left == 0 && effort.sweeps > 0 && merit > ARRIVED * size {
                self.sweep_on(at, p, effort.sweeps);
                self.arrive();
            }
        }
        false
    }

    /// Steps with the last factors, which cost next to nothing: they take out what the proximal
    /// term and rounding have left.
    fn polish(&mut self, at: Place<'_>, p: &mut impl Coupling) {
        for _ in 0..POLISH {
            if self.here.excess < POLISHED {
                return;
            }
            if !p.step_again(at.frame, &self.map, &self.w, &mut self.step) {
                return;
            }
            let there = self.try_length(at, p, 1.0);
            self.accept(there);
            self.arrive();
        }
    }

    /// Moves along the step: to its end, by less of it, or on an excursion if the point is `close`.
    /// False, and no move, if there is nothing to be gained.
    fn advance(&mut self, at: Place<'_>, p: &mut impl Coupling, recent: f64, close: bool) -> bool {
        let there = self.try_length(at, p, 1.0);
        if self.excursion.left > 0 {
            self.accept(there);
            self.excursion.left -= 1;
            if there.merit < GAIN * self.excursion.from.merit {
                self.excursion.left = 0;
            } else if self.excursion.left == 0 || !there.merit.is_finite() {
                self.return_from_excursion();
            }
            return true;
        }
        let limit = recent.min(LARGEST_RISE * self.here.merit);
        if there.merit <= limit * (1.0 - 1e-4) {
            self.accept(there);
        } else if close && self.excursion.rest == 0 && there.merit.is_finite() {
            let Excursion { left, from, y, w, f, .. } = &mut self.excursion;
            (*left, *from) = (EXCURSION, self.here);
            y.clone_from(&self.y);
            w.clone_from(&self.w);
            f.clone_from(&self.map.f);
            self.accept(there);
        } else {
            self.excursion.rest = self.excursion.rest.saturating_sub(1);
            return self.line_search(at, p, limit, there);
        }
        self.excursion.rest = self.excursion.rest.saturating_sub(1);
        true
    }

    fn return_from_excursion(&mut self) {
        let Excursion { left, rest, from, y, w, f } = &mut self.excursion;
        (*left, *rest, self.here) = (0, REST, *from);
        std::mem::swap(y, &mut self.y);
        std::mem::swap(w, &mut self.w);
        std::mem::swap(f, &mut self.map.f);
    }

    /// Moves along the step, by a length whose projected end has a merit below `limit`, or the
    /// lowest of those tried; false, and no move, if all of them are much above that of the
    /// iterate. `full` is what is found at the end of the whole step.
    fn line_search(
        &mut self,
        at: Place<'_>,
        p: &mut impl Coupling,
        limit: f64,
        full: Point,
    ) -> bool {
        let most = LARGEST_RISE * self.here.merit;
        let mut best = (if full.merit.is_nan() { f64::INFINITY } else { full.merit }, 1.0);
        let (mut there, mut last) = (full, 1.0);
        for trial in 1..=TRIALS {
            // first the one to the nearest surface, where the pattern changes
            let (length, limit) = match trial {
                1 => (self.to_surface(at.frame), limit * (1.0 + 1e-3)),
                _ => (0.5_f64.powi(trial as i32 - 1), limit * (1.0 - 1e-4)),
            };
            if length > 1.0 {
                continue;
            }
            (there, last) = (self.try_length(at, p, length), length);
            if there.merit <= limit {
                best = (there.merit, length);
                break;
            }
            if there.merit < best.0 && trial != 1 {
                best = (there.merit, length);
            }
        }
        if best.0 > most {
            return false;
        }
        if best.1 != last {
            there = self.try_length(at, p, best.1);
        }
        self.accept(there);
        true
    }

    fn try_length(&mut self, at: Place<'_>, p: &mut impl Coupling, length: f64) -> Point {
        for ((trial, y), d) in self.trial.iter_mut().zip(&self.y).zip(&self.step) {
            *trial = y + length * d;
        }
        natural_map::project(at.frame, &mut self.trial);
        p.gradient(at.frame, &self.trial, &mut self.trial_w);
        at.correct(&self.trial_w, &mut self.corrected);
        at.judge(&self.trial, &self.corrected, &mut self.trial_f)
    }

    /// Moves to the point that was tried last.
    fn accept(&mut self, there: Point) {
        self.here = there;
        std::mem::swap(&mut self.y, &mut self.trial);
        std::mem::swap(&mut self.w, &mut self.trial_w);
        std::mem::swap(&mut self.map.f, &mut self.trial_f);
    }

    /// Length at which the step takes a first contact from within its cone to the surface.
    fn to_surface(&self, frame: &Frame) -> f64 {
        let form = |a: &[f64], b: &[f64]| {
            a[0] * b[0] - a[1..].iter().zip(&b[1..]).map(|(a, b)| a * b).sum::<f64>()
        };
        let mut least = f64::INFINITY;
        for block in frame.blocks.iter().filter(|b| b.shape == Shape::Lorentz) {
            let (y, d) = (&self.y[block.range()], &self.step[block.range()]);

            // the smaller positive root of a t² + 2 b t + c, where c is how far inside the point is
            let (a, b, c) = (form(d, d), form(y, d), form(y, y));
            let root = (b * b - a * c).sqrt();
            let length = if b < 0.0 { c / (root - b) } else { (-b - root) / a };
            if c > 1e-13 * y[0] * y[0] && length > 0.0 && (b < 0.0 || a < 0.0) {
                least = least.min(length);
            }
        }
        least
    }

    /// Sweeps, unless they lead away.
    fn sweep_on(&mut self, at: Place<'_>, p: &mut impl Coupling, times: usize) {
        self.trial.copy_from_slice(&self.y);
        self.trial_w.copy_from_slice(&self.w);
        p.sweep(at.frame, (times, at.slip), &mut self.trial, &mut self.trial_w);
        at.correct(&self.trial_w, &mut self.corrected);
        let there = at.judge(&self.trial, &self.corrected, &mut self.trial_f);
        if there.merit <= self.here.merit {
            self.accept(there);
        }
    }

    /// Evaluates the law at the iterate.
    fn look(&mut self, at: Place<'_>) {
        at.correct(&self.w, &mut self.corrected);
        self.here = at.judge(&self.y, &self.corrected, &mut self.map.f);
    }

    /// Remembers the iterate if it is the best so far; true if it is the answer.
    fn arrive(&mut self) -> bool {
        if self.here.excess < self.excess {
            self.excess = self.here.excess;
            self.best.copy_from_slice(&self.y);
        }
        self.here.excess < 1.0
    }
}

impl Place<'_> {
    /// Writes the map at a point with corrected gradient, and what it says.
    fn judge(&self, y: &[f64], corrected: &[f64], f: &mut [f64]) -> Point {
        let found = natural_map::evaluate(self.frame, self.cones, y, corrected, f);
        Point { merit: found.norm, excess: self.target.excess(&found) }
    }

    /// Writes `w + |w_t| e_n`, or `w` for the convex law.
    fn correct(&self, w: &[f64], out: &mut [f64]) {
        out.copy_from_slice(w);
        for block in self.frame.blocks.iter().filter(|b| self.slip && b.shape == Shape::Lorentz) {
            out[block.start] += small::tangent(&w[block.range()]);
        }
    }
}
