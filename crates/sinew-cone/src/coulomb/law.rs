//! The search for a point where a law holds, Coulomb's or the convex one: Newton's method.

use super::anderson::Anderson;
use super::interior::InteriorPoint;
use super::system::{Manner, System};
use crate::cone::Cone;
use crate::frame::{Block, Frame, Shape, WIDEST};
use crate::natural_map::{self, NaturalMap};
use crate::small;
use crate::target::Target;
use crate::tuning::{
    CLEARANCE, CONTRACTION, CONTRADICTORY_LOAD, CONVEX_COLD, CONVEX_FINISH, CONVEX_LAST,
    CONVEX_WARM, ENOUGH, Effort, FALL, FAR, FIRST_SWEEPS, FREE_WEIGHT, GOOD_STEP, GROWING_LOAD,
    HAND_OVER, HEAVY_LOAD, LARGEST_RISE, LAST_SWEEPS, LIFT, MERIT_MEMORY, MOST_SMALL, PROGRESS,
    PROXIMAL, REUSE, REUSED, SWEEP_STALL, SWEEPS, TRIALS, WARM, WARM_LARGE, WARM_SWEEPS,
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
    /// Load of the unconstrained minimum.
    load: f64,
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
    /// that led to the answer. Of many rows that are far from it, sweeps come first, and Newton's method
    /// only if they lead near.
    pub(crate) fn seek(&mut self, at: Place<'_>, p: &mut System, impulses: Option<&[f64]>) -> bool {
        self.begin(at.frame);
        if self.enter(at, p, impulses) {
            return true;
        }
        if at.frame.blocks.len() == 1 && self.spend(at) && self.sweep(at, p, FIRST_SWEEPS) {
            return true;
        }
        let small = at.frame.len() <= MOST_SMALL;
        let far = |excess: f64| !small && excess * at.target.tolerance > FAR;
        if impulses.is_some() && far(self.excess) && self.sweep(at, p, WARM_SWEEPS) {
            return true;
        }
        let effort = if small { WARM } else { WARM_LARGE };
        let near = impulses.is_some() && !far(self.excess);
        near && self.newton(at, p, effort) || self.excess < ENOUGH
    }

    /// Searches for the convex law from some impulses, or from none; true if it was found. Without
    /// a start, sweeps find out which contacts separate. Where Newton's method stalls, proximal
    /// steps lead on.
    pub(crate) fn seek_convex(
        &mut self,
        at: Place<'_>,
        p: &mut System,
        interior: &mut InteriorPoint,
        impulses: Option<&[f64]>,
    ) -> bool {
        self.begin(at.frame);
        if self.enter(at, p, impulses) {
            return true;
        }
        let single = at.frame.blocks.len() == 1;
        if single {
            self.iterations += 1;
        } else if impulses.is_some() && self.newton(at, p, CONVEX_WARM) {
            return true;
        }

        // sweeps find out which contacts separate
        if impulses.is_some() {
            self.enter_best(at, p);
        }
        if !single {
            self.extrapolate(at, p);
        }
        if self.sweep(at, p, LAST_SWEEPS) {
            return true;
        }

        // without separation the unconstrained minimum may be the answer, or a better start
        let pressed = at.frame.blocks.iter().all(|b| b.moves(self.y[b.start]));
        let mut heavy = false;
        if pressed && self.spend(at) {
            if self.release(at, p) {
                return true;
            }
            heavy = self.load > HEAVY_LOAD;
        }
        if !heavy {
            if self.newton(at, p, CONVEX_COLD) {
                return true;
            }
            let growing = !pressed && load(at.frame, &self.y) > GROWING_LOAD;
            if growing && self.spend(at) {
                self.release(at, p);
                heavy = self.load > 0.0;
            }
        }
        interior.start(at.frame, if heavy { &self.step } else { &self.y });
        self.walk(at, p, interior)
    }

    /// Computes the unconstrained minimum, in `step`, and its load, zero if it means nothing; goes
    /// there if that is the answer or no contact would separate. True if it is the answer.
    fn release(&mut self, at: Place<'_>, p: &mut System) -> bool {
        self.map.set_all(at.frame);
        self.map.delta.fill(FREE_WEIGHT);
        let fine = p.factor_along(at.frame, &self.map);
        p.solve_along(at.frame, &self.map, &at.frame.q, &mut self.step);
        let load = load(at.frame, &self.step);
        let means = fine && load < CONTRADICTORY_LOAD;
        self.load = if means { load } else { 0.0 };
        self.trial.copy_from_slice(&self.step);
        let there = self.try_trial(at, p);
        let presses = at.frame.blocks.iter().all(|b| self.trial[b.start] != 0.0);
        if there.excess < 1.0 || means && presses {
            self.accept(there);
        }
        self.arrive()
    }

    /// Interior-point steps until Newton's method can take over.
    fn walk(&mut self, at: Place<'_>, p: &mut System, interior: &mut InteriorPoint) -> bool {
        let mut tried_from = f64::INFINITY;
        while self.spend(at) {
            let stepped = interior.step(at.frame, p);
            interior.point(&mut self.y);
            natural_map::project(at.frame, &mut self.y);
            if self.look(at, p) {
                return true;
            }
            if !stepped {
                return self.newton(at, p, CONVEX_LAST);
            }
            let excess = self.here.excess;
            if excess < HAND_OVER * tried_from && self.is_decided(at, interior.path(at.frame)) {
                tried_from = excess;
                if self.newton(at, p, CONVEX_FINISH) {
                    return true;
                }
            }
        }
        false
    }

    /// Whether an interior point is close to the central path with parameter `m` and that far from
    /// all kinks.
    fn is_decided(&self, at: Place<'_>, m: f64) -> bool {
        // on the path `y ∘ s = m²`, and |F| is about m
        self.here.merit < m
            && at.frame.blocks.iter().all(|block| {
                let mut z = [0.0; WIDEST];
                for (z, at) in z.iter_mut().zip(block.range()) {
                    *z = self.y[at] - self.w[at];
                }
                clearance(block, &z) > CLEARANCE * m
            })
    }

    /// Sweeps, and a step to where they lead: after a few of them their error shrinks by about the
    /// same share each time.
    fn extrapolate(&mut self, at: Place<'_>, p: &mut System) {
        let LawSearch { y, w, step, trial, .. } = self;
        p.sweep(at.frame, (FIRST_SWEEPS, false), y, w);
        trial.copy_from_slice(y);
        p.sweep(at.frame, (1, false), y, w);
        for ((step, y), last) in step.iter_mut().zip(&*y).zip(&mut *trial) {
            *step = y - *last;
            *last = *y;
        }
        p.sweep(at.frame, (1, false), y, w);
        let (mut along, mut square) = (0.0, 0.0);
        for ((y, last), step) in y.iter().zip(&*trial).zip(&*step) {
            along += (y - last) * step;
            square += step * step;
        }
        let share = if square > 0.0 { (along / square).clamp(0.0, CONTRACTION) } else { 0.0 };
        let length = share / (1.0 - share);
        for (y, last) in y.iter_mut().zip(&*trial) {
            *y += length * (*y - last);
        }
        natural_map::project(at.frame, y);
        p.gradient(at.frame, y, w);
    }

    /// Sweeps from some impulses, or from none, until that is enough, or the iterations run out, each
    /// of which is some of them; true if it is enough. Block Gauss-Seidel with a solution for each
    /// contact, and extrapolation from the last ones: robust, and slow to gain digits.
    pub(crate) fn sweep_to_the_end(
        &mut self,
        at: Place<'_>,
        p: &mut System,
        impulses: Option<&[f64]>,
    ) -> bool {
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
        found
    }

    /// Goes to the projection of some impulses, or to none; true if that is the answer.
    pub(crate) fn enter(
        &mut self,
        at: Place<'_>,
        p: &mut System,
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
    pub(crate) fn visit(&mut self, at: Place<'_>, p: &mut System, y: &[f64]) -> bool {
        self.y.copy_from_slice(y);
        self.look(at, p)
    }

    /// Goes back to the best point.
    pub(crate) fn enter_best(&mut self, at: Place<'_>, p: &mut System) {
        self.y.copy_from_slice(&self.best);
        self.look(at, p);
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
    pub(crate) fn sweep(&mut self, at: Place<'_>, p: &mut System, times: usize) -> bool {
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
    pub(crate) fn newton(&mut self, at: Place<'_>, p: &mut System, effort: Effort) -> bool {
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
            let stalled = whole && (waited > effort.patience || merit > effort.rise * lowest)
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
    fn reuse(&mut self, at: Place<'_>, p: &mut System, mut last: f64) {
        while self.here.merit < REUSE * last
            && self.here.excess >= at.target.beyond
            && p.step_again(at.frame, &self.map, &self.w, &mut self.step)
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
    fn advance(&mut self, at: Place<'_>, p: &mut System, recent: f64, whole: bool) -> bool {
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

    fn try_length(&mut self, at: Place<'_>, p: &mut System, length: f64) -> Point {
        for ((trial, y), d) in self.trial.iter_mut().zip(&self.y).zip(&self.step) {
            *trial = y + length * d;
        }
        self.try_trial(at, p)
    }

    fn try_trial(&mut self, at: Place<'_>, p: &mut System) -> Point {
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
    pub(crate) fn look(&mut self, at: Place<'_>, p: &mut System) -> bool {
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

/// Distance of a point from the nearest kink of the projection.
fn clearance(block: &Block, z: &[f64; WIDEST]) -> f64 {
    match block.shape {
        Shape::Interval(lower, upper) => (z[0] - lower).abs().min((z[0] - upper).abs()),
        Shape::Lorentz => (z[0].abs() - small::tangent(z)).abs(),
    }
}

/// Largest impulse over the right-hand side, both in the scaled frame.
pub(crate) fn load(frame: &Frame, y: &[f64]) -> f64 {
    let largest = |x: &[f64]| x.iter().fold(0.0, |a: f64, x| a.max(x.abs()));
    largest(y) / largest(&frame.q).max(f64::MIN_POSITIVE)
}
