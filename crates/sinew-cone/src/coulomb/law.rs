//! The search for a point where a law holds, Coulomb's or the convex one: Newton's method.

use super::anderson::Anderson;
use super::coupling::{Coupling, Manner};
use crate::cone::Cone;
use crate::frame::{Frame, Shape};
use crate::natural_map::{self, NaturalMap};
use crate::small;
use crate::target::Target;
use crate::tuning::{
    ENOUGH, Effort, FALL, FIRST_SWEEPS, GOOD_STEP, LARGEST_RISE, LIFT, MERIT_MEMORY, MOST_SMALL,
    POLISH, PROGRESS, PROXIMAL, REUSE, REUSED, SWEEP_STALL, SWEEPS, TRIALS, WARM, WARM_LARGE,
};

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
pub(crate) struct Point {
    /// `|F|`.
    pub(crate) merit: f64,
    /// Residual over what would be accepted.
    pub(crate) excess: f64,
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
    pub(crate) here: Point,
    pub(crate) y: Vec<f64>,
    pub(crate) w: Vec<f64>,
    /// The gradient with De Saxcé's correction.
    corrected: Vec<f64>,
    pub(crate) step: Vec<f64>,
    pub(crate) trial: Vec<f64>,
    trial_w: Vec<f64>,
    trial_f: Vec<f64>,
    /// Value and derivative of the map at the iterate.
    pub(crate) map: NaturalMap,
    /// Sweeps.
    path: Anderson,
}

impl LawSearch {
    /// Forgets what was found.
    pub(crate) fn begin(&mut self, frame: &Frame) {
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
        if at.frame.blocks.len() == 1 && self.spend(at) && self.sweep(at, p, FIRST_SWEEPS) {
            return true;
        }
        let effort = if at.frame.len() > MOST_SMALL { WARM_LARGE } else { WARM };
        impulses.is_some() && self.newton(at, p, effort) || self.excess < ENOUGH
    }

    /// Sweeps from some impulses, or from none, until that is enough, or the iterations run out, each
    /// of which is some of them. Block Gauss-Seidel with a solution for each contact, and
    /// extrapolation from the last ones: robust, and slow to gain digits.
    pub(crate) fn sweep_to_the_end(
        &mut self,
        at: Place<'_>,
        p: &mut impl Coupling,
        impulses: Option<&[f64]>,
    ) {
        self.begin(at.frame);
        let mut path = std::mem::take(&mut self.path);
        path.resize(at.frame.stride());
        let mut found = self.enter(at, p, impulses);
        path.state.copy_from_slice(&self.y);
        path.start(SWEEP_STALL, false);
        while !found && self.spend(at) {
            let Anderson { state, image, change, .. } = &mut path;
            natural_map::project(at.frame, state);
            image.copy_from_slice(state);
            p.sweep(at.frame, (SWEEPS, at.slip), image, &mut self.w);
            for ((change, image), state) in change.iter_mut().zip(&*image).zip(&*state) {
                *change = image - state;
            }
            if path.judge().is_some() {
                found = self.visit(at, p, &path.image);
                if !path.advance() {
                    path.start(SWEEP_STALL, true);
                    path.advance();
                }
            }
        }
        self.path = path;
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
        self.look(at, p)
    }

    /// Goes to a point; true if it is the answer.
    pub(crate) fn visit(&mut self, at: Place<'_>, p: &mut impl Coupling, y: &[f64]) -> bool {
        self.y.copy_from_slice(y);
        self.look(at, p)
    }

    /// Goes back to the best point.
    pub(crate) fn enter_best(&mut self, at: Place<'_>, p: &mut impl Coupling) {
        self.y.copy_from_slice(&self.best);
        self.look(at, p);
    }

    /// Newton's method from the best point, in one manner after the other as long as that pays:
    /// where contacts barely slide and barely stick, each of them fails elsewhere.
    pub(crate) fn polish_best(&mut self, at: Place<'_>, p: &mut impl Coupling) -> bool {
        let mut before = f64::INFINITY;
        while self.excess < 0.5 * before && self.iterations < at.target.max_iterations {
            before = self.excess;
            for effort in POLISH {
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

    /// Sweeps; true if that leads to the answer. By Coulomb's law they may lead away, and are not
    /// taken then.
    pub(crate) fn sweep(&mut self, at: Place<'_>, p: &mut impl Coupling, times: usize) -> bool {
        self.trial.copy_from_slice(&self.y);
        self.trial_w.copy_from_slice(&self.w);
        p.sweep(at.frame, (times, at.slip), &mut self.trial, &mut self.trial_w);
        at.correct(&self.trial_w, &mut self.corrected);
        let there = at.judge(&self.trial, &self.corrected, &mut self.trial_f);
        if !at.slip || there.merit <= self.here.merit {
            self.accept(there);
        }
        // sweeps may update the gradient in place, which is good enough to go on but not to end with
        if self.here.excess < 1.0 { self.look(at, p) } else { self.arrive() }
    }

    /// Newton's method from the iterate; true if it found the answer.
    pub(crate) fn newton(&mut self, at: Place<'_>, p: &mut impl Coupling, effort: Effort) -> bool {
        // the last points, newest first
        let mut past = [Point { merit: 0.0, excess: f64::INFINITY }; MERIT_MEMORY + 1];
        let mut damping = 1.0;
        let whole = effort.whole && at.slip;
        // a merit that whole steps have to halve, and steps since they have
        let (mut lowest, mut waited) = (f64::INFINITY, 0);
        for taken in 0..=effort.steps {
            let Point { merit, excess } = self.here;
            if excess < 1.0 {
                return true;
            }
            past.rotate_right(1);
            past[0] = self.here;
            waited += 1;
            if merit < 0.5 * lowest {
                (lowest, waited) = (merit, 0);
            }
            let patience = effort.patience.min(MERIT_MEMORY);
            let stalled = whole && waited > effort.patience
                || !whole
                    && taken >= patience
                    && merit > PROGRESS * past[patience].merit
                    && (!at.slip || excess > PROGRESS * past[patience].excess);
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
            let memory = if at.slip { 1 } else { MERIT_MEMORY };
            let recent = past[..memory].iter().fold(0.0, |a: f64, b| a.max(b.merit));
            let moved = self.advance(at, p, recent, whole);
            damping = if moved { damping * FALL } else { damping * LIFT }.clamp(1.0, LIFT * LIFT);
            if !at.slip {
                self.reuse(at, p, merit);
            }
            if self.arrive() {
                return true;
            }
            if effort.sweeps > 0 && self.here.merit > GOOD_STEP * merit {
                self.sweep(at, p, effort.sweeps);
            }
        }
        false
    }

    /// Steps with the same factors, as long as that pays.
    fn reuse(&mut self, at: Place<'_>, p: &mut impl Coupling, mut last: f64) {
        while self.here.merit < REUSE * last
            && self.here.excess >= at.target.beyond
            && p.step_again(at.frame, &self.map, &mut self.step)
        {
            let there = self.try_length(at, p, 1.0);
            if there.merit.is_nan() || there.merit > REUSED * self.here.merit {
                return;
            }
            last = self.here.merit;
            self.accept(there);
        }
    }

    /// Moves along the step: to its end if it is `whole` or lowers the merit there, else to the
    /// first of shorter lengths that does, or to the lowest of all. False, and no move, if that is
    /// much above the merit of the iterate.
    fn advance(&mut self, at: Place<'_>, p: &mut impl Coupling, recent: f64, whole: bool) -> bool {
        let limit = (1.0 - 1e-4) * recent.min(LARGEST_RISE * self.here.merit);
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
        let away = at.slip && !whole && best.0 > LARGEST_RISE * self.here.merit;
        if away || best.0.is_infinite() {
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
        self.try_trial(at, p)
    }

    /// What is found at the projection of a point.
    pub(crate) fn try_point(&mut self, at: Place<'_>, p: &mut impl Coupling, y: &[f64]) -> Point {
        self.trial.copy_from_slice(y);
        self.try_trial(at, p)
    }

    fn try_trial(&mut self, at: Place<'_>, p: &mut impl Coupling) -> Point {
        natural_map::project(at.frame, &mut self.trial);
        p.gradient(at.frame, &self.trial, &mut self.trial_w);
        at.correct(&self.trial_w, &mut self.corrected);
        at.judge(&self.trial, &self.corrected, &mut self.trial_f)
    }

    /// Moves to the point that was tried last.
    pub(crate) fn accept(&mut self, there: Point) {
        self.here = there;
        std::mem::swap(&mut self.y, &mut self.trial);
        std::mem::swap(&mut self.w, &mut self.trial_w);
        std::mem::swap(&mut self.map.f, &mut self.trial_f);
    }

    /// Looks at the iterate; true if it is the answer.
    pub(crate) fn look(&mut self, at: Place<'_>, p: &mut impl Coupling) -> bool {
        p.gradient(at.frame, &self.y, &mut self.w);
        at.correct(&self.w, &mut self.corrected);
        self.here = at.judge(&self.y, &self.corrected, &mut self.map.f);
        self.arrive()
    }

    /// Remembers the iterate if it is the best so far; true if it is the answer.
    pub(crate) fn arrive(&mut self) -> bool {
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
