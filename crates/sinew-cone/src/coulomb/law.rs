//! The search for a point where the law holds: Newton's method.

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
const ENOUGH: f64 = 0.9 / MARGIN;

/// Sweeps over a single contact, each to the end, and over all contacts between looks at them.
const SWEEPS_ALONE: usize = 3;
const SWEEPS: usize = 10;

/// Trial lengths of a step.
const TRIALS: usize = 6;

/// A step that lowers the merit nowhere may raise it tenfold; beyond that it is not taken.
const LARGEST_RISE: f64 = 10.0;

/// Progress that is enough to go on, over `PATIENCE` steps.
const PATIENCE: usize = 3;
const PROGRESS: f64 = 0.3;

/// How Newton's method behaves.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Effort {
    pub(crate) steps: usize,
    /// Smoothing width of the derivative, relative to the merit.
    pub(crate) smoothing: f64,
    /// Whether steps are taken whole, whatever they do to the merit.
    ///
    /// Where contacts barely slide, friction may have to turn a lot for velocities that hardly
    /// change. On the way the curvature of the cones throws forces off balance by far more than is
    /// to be gained, and the next steps restore it: no line search leads there.
    pub(crate) whole: bool,
}

/// Newton's method from impulses of a similar problem. Without smoothing a warm start takes a third
/// more time in the median of all families; with a line search a third more of the problems of
/// `models/pile.xml` end above 1e-10.
const WARM: Effort = Effort { steps: 24, smoothing: 0.1, whole: true };

/// Newton's method for the last digits, one manner after the other. Of 40000 problems of
/// `models/pile.xml` 8 are left above 1e-10, and 30 with twelve steps each.
const LAST: [Effort; 2] = [
    Effort { steps: 48, smoothing: 0.1, whole: true },
    Effort { steps: 48, smoothing: 0.01, whole: true },
];

/// What a step that fails does to the proximal weight, and one that does not.
const LIFT: f64 = 1e4;
const FALL: f64 = 0.1;
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

    /// Sweeps, unless they lead away; true if that leads to the answer.
    fn sweep(&mut self, at: Place<'_>, p: &mut impl Coupling) -> bool {
        self.trial.copy_from_slice(&self.y);
        self.trial_w.copy_from_slice(&self.w);
        p.sweep(at.frame, (SWEEPS_ALONE, at.slip), &mut self.trial, &mut self.trial_w);
        at.correct(&self.trial_w, &mut self.corrected);
        let there = at.judge(&self.trial, &self.corrected, &mut self.trial_f);
        if there.merit <= self.here.merit {
            self.accept(there);
        }
        self.arrive()
    }

    /// Newton's method from the iterate; true if it found the answer.
    pub(crate) fn newton(&mut self, at: Place<'_>, p: &mut impl Coupling, effort: Effort) -> bool {
        // the last points, newest first
        let mut past = [Point { merit: 0.0, excess: f64::INFINITY }; PATIENCE + 1];
        let mut damping = 1.0;
        for taken in 0..=effort.steps {
            let Point { merit, excess } = self.here;
            if excess < 1.0 {
                return true;
            }
            past.rotate_right(1);
            past[0] = self.here;
            let stalled = !effort.whole
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
            let manner = Manner { proximal: PROXIMAL * damping, slip: at.slip };
            if !p.step(at.frame, &self.map, &self.w, manner, &mut self.step) {
                return false;
            }
            let moved = self.advance(at, p, effort.whole);
            damping = if moved { damping * FALL } else { damping * LIFT }.clamp(1.0, HEAVIEST);
            if self.arrive() {
                return true;
            }
        }
        false
    }

    /// Moves along the step: to its end if it is `whole` or lowers the merit there, else to the
    /// first of shorter lengths that does, or to the lowest of all. False, and no move, if that is
    /// much above the merit of the iterate.
    fn advance(&mut self, at: Place<'_>, p: &mut impl Coupling, whole: bool) -> bool {
        let limit = (1.0 - 1e-4) * self.here.merit;
        let (mut length, mut best) = (1.0, (f64::INFINITY, 1.0));
        let mut there = Point::default();
        for _ in 0..TRIALS {
            there = self.try_length(at, p, length);
            if there.merit < best.0 {
                best = (there.merit, length);
            }
            if there.merit <= limit || whole && there.merit.is_finite() {
                break;
            }
            length *= 0.5;
        }
        if !whole && best.0 > LARGEST_RISE * self.here.merit || best.0.is_infinite() {
            return false;
        }
        if best.1 != length {
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
