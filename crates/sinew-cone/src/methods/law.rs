//! The search for a point where a law holds, Coulomb's or the convex one: Newton's method.

use super::anderson::Anderson;
use super::interior::InteriorPoint;
use super::iterate::{Iterate, Point};
use super::sweep::Sweep;
use super::system::{StepKind, System};
use crate::dense::zero;
use crate::frame::{Block, Frame, Shape, WIDEST};
use crate::natural_map::{self, NaturalMap};
use crate::small;
use crate::target::Target;
use crate::tuning::{
    ENOUGH, HEAVY_LOAD, ILL_POSED, LARGEST_RISE, MARGIN, MOST_STEPS, NEWTON_STEPS, PATIENCE,
    PROGRESS, PROXIMAL, ROUNDING, SMOOTHING, STALL, SWEEPS, TRIALS,
};

/// How Newton's method behaves.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Effort {
    /// Steps within which there must be progress.
    patience: usize,
    /// Whether sweeps follow a step that was no progress.
    sweeps: bool,
    /// Whether steps by Coulomb's law are taken whole, unless they raise the merit `LARGEST_RISE`
    /// times.
    ///
    /// Where contacts barely slide, friction may have to turn a lot for velocities that hardly
    /// change. On the way the curvature of the cones unbalances forces by far more than the step
    /// gains, and the next steps restore the balance. No line search leads there.
    whole: bool,
}

/// From a point on the way of another method.
pub(crate) const NEWTON: Effort = Effort { patience: PATIENCE, sweeps: false, whole: false };

/// From impulses of a similar problem.
const WARM: Effort = Effort { patience: 2 * PATIENCE, sweeps: false, whole: true };

/// By the convex law: with sweeps, and from an interior point.
const CONVEX: Effort = Effort { patience: PATIENCE, sweeps: true, whole: false };
const CONVEX_FINISH: Effort = Effort { patience: 1, sweeps: false, whole: false };

/// A problem, when its solution will do, and the law.
pub(crate) struct Task<'a> {
    pub(crate) p: &'a mut System,
    pub(crate) target: Target,
    /// Whether the law is Coulomb's, and not the convex one.
    pub(crate) slip: bool,
}

/// The iterate, the best one so far, and all buffers.
#[derive(Clone, Debug, Default)]
pub(crate) struct LawSearch {
    /// The best point.
    pub(crate) best: Vec<f64>,
    /// Factorisations.
    pub(crate) iterations: usize,
    /// Residual over the accepted residual, at the best point.
    pub(crate) excess: f64,
    pub(crate) here: Iterate,
    /// A point that is tried.
    there: Iterate,
    step: Vec<f64>,
    /// Load of the unconstrained minimum.
    load: f64,
    /// Derivative of the map at the iterate.
    map: NaturalMap,
    /// Sweeps.
    path: Anderson,
}

impl LawSearch {
    /// Forgets the previous search.
    fn begin(&mut self, frame: &Frame) {
        zero([&mut self.best, &mut self.step], frame.stride());
        self.here.resize(frame.stride());
        self.there.resize(frame.stride());
        self.map.resize(frame);
        self.iterations = 0;
        self.excess = f64::INFINITY;
    }

    /// Searches from some impulses, or from none, where only a single contact is tried; true if
    /// that led to the answer.
    pub(crate) fn seek(&mut self, at: &mut Task<'_>, impulses: Option<&[f64]>) -> bool {
        self.begin(&at.p.frame);
        if self.enter(at, impulses) {
            return true;
        }
        if at.p.frame.blocks.len() == 1 && self.spend(at) && self.sweep(at) {
            return true;
        }
        impulses.is_some() && self.newton(at, WARM) || self.is_enough()
    }

    /// Searches for the convex law from some impulses, or from none; true if it was found. Without
    /// a start, sweeps find out which contacts separate. Where Newton's method stalls, proximal
    /// steps lead on.
    pub(crate) fn seek_convex(
        &mut self,
        at: &mut Task<'_>,
        interior: &mut InteriorPoint,
        impulses: Option<&[f64]>,
    ) -> bool {
        self.begin(&at.p.frame);
        if self.enter(at, impulses) {
            return true;
        }
        let single = at.p.frame.blocks.len() == 1;
        if single {
            self.iterations += 1;
        } else if impulses.is_some() && self.newton(at, CONVEX) {
            return true;
        }

        // sweeps find out which contacts separate
        if impulses.is_some() {
            self.enter_best(at);
        }
        if self.sweep(at) || !single && self.sweep(at) {
            return true;
        }

        // without separation the unconstrained minimum may be the answer, or a better start
        let pressed = at.p.frame.blocks.iter().all(|b| b.moves(self.here.y[b.start]));
        let mut heavy = false;
        if pressed && self.spend(at) {
            if self.release(at) {
                return true;
            }
            heavy = self.load > HEAVY_LOAD;
        }
        if !heavy {
            if self.newton(at, CONVEX) {
                return true;
            }
            let growing = !pressed && load(&at.p.frame, &self.here.y) > PROGRESS * HEAVY_LOAD;
            if growing && self.spend(at) {
                self.release(at);
                heavy = self.load > 0.0;
            }
        }
        interior.start(&at.p.frame, if heavy { &self.step } else { &self.here.y }, None);
        self.walk(at, interior)
    }

    /// Interior points of Coulomb's law from the unconstrained minimum; true if they led to the
    /// answer.
    pub(crate) fn seek_interior(
        &mut self,
        at: &mut Task<'_>,
        interior: &mut InteriorPoint,
        width: f64,
    ) -> bool {
        if !self.spend(at) || self.release(at) {
            return self.is_enough();
        }
        interior.start(&at.p.frame, &self.step, Some(width));
        self.walk(at, interior) || self.is_enough()
    }

    /// Computes the unconstrained minimum, in `step`, and its load, which is zero if it means
    /// nothing. Moves there if that is the answer or no contact would separate. True if it is the
    /// answer.
    fn release(&mut self, at: &mut Task<'_>) -> bool {
        self.map.set_all(&at.p.frame);
        self.map.delta.fill(ROUNDING);
        let fine = at.p.factor_along(&self.map);
        self.there.y.copy_from_slice(&at.p.frame.q);
        at.p.solve_along(&self.map, &self.there.y, &mut self.step);
        let load = load(&at.p.frame, &self.step);
        let means = fine && load < ILL_POSED;
        self.load = if means { load } else { 0.0 };
        self.there.y.copy_from_slice(&self.step);
        at.visit(&mut self.there);
        let presses = at.p.frame.blocks.iter().all(|b| self.there.y[b.start] != 0.0);
        if self.there.point.excess < 1.0 || means && presses {
            self.accept();
        }
        self.arrive()
    }

    /// Interior-point steps until Newton's method can take over.
    fn walk(&mut self, at: &mut Task<'_>, interior: &mut InteriorPoint) -> bool {
        let (finish, last, most) = match at.slip {
            true => (NEWTON, NEWTON, MOST_STEPS),
            false => (CONVEX_FINISH, CONVEX, usize::MAX),
        };
        let (mut tried_from, mut taken) = (f64::INFINITY, 0);
        while taken < most && self.spend(at) {
            taken += 1;
            let stepped = interior.step(at.p);
            interior.point(&mut self.here.y);
            if self.project(at) {
                return true;
            }
            if !stepped {
                return self.newton(at, last);
            }
            let excess = self.here.point.excess;
            if excess < MARGIN * PROGRESS * tried_from
                && self.is_decided(at, interior.path(&at.p.frame))
            {
                tried_from = excess;
                if self.newton(at, finish) {
                    return true;
                }
            }
        }
        false
    }

    /// Whether an interior point is close to the central path with parameter `m` and that far from
    /// all kinks.
    fn is_decided(&self, at: &Task<'_>, m: f64) -> bool {
        // on the path `y ∘ s = m²`, and |F| is about m
        self.here.point.merit < m
            && at.p.frame.blocks.iter().all(|block| {
                let mut z = [0.0; WIDEST];
                for (z, at) in z.iter_mut().zip(block.range()) {
                    *z = self.here.y[at] - self.here.corrected[at];
                }
                clearance(block, &z) > m
            })
    }

    /// Sweeps from some impulses, or from none, until the law holds or the iterations run out. An
    /// iteration is several sweeps. Returns whether the law holds. Block Gauss-Seidel with a
    /// solution for each contact, and extrapolation from the last ones: robust, and slow to gain
    /// digits.
    pub(crate) fn sweep_to_the_end(&mut self, at: &mut Task<'_>, impulses: Option<&[f64]>) -> bool {
        self.begin(&at.p.frame);
        let mut path = std::mem::take(&mut self.path);
        path.resize(at.p.frame.stride());
        let mut found = self.enter(at, impulses);
        path.state.copy_from_slice(&self.here.y);
        path.start(STALL, false);
        while !found && self.spend(at) {
            let Anderson { state, image, change, .. } = &mut path;
            natural_map::project(&at.p.frame, state);
            image.copy_from_slice(state);
            at.p.sweep(Sweep { times: SWEEPS, slip: at.slip }, image, &mut self.here.w);
            for ((change, image), state) in change.iter_mut().zip(&*image).zip(&*state) {
                *change = image - state;
            }
            if path.judge().is_some() {
                found = self.visit(at, &path.image);
                if !path.advance() {
                    path.start(STALL, true);
                    path.advance();
                }
            }
        }
        self.path = path;
        found
    }

    /// Goes to the projection of some impulses, or to none; true if that is the answer.
    pub(crate) fn enter(&mut self, at: &mut Task<'_>, impulses: Option<&[f64]>) -> bool {
        match impulses {
            Some(impulses) => at.p.frame.enter(impulses, &mut self.here.y),
            None => self.here.y.fill(0.0),
        }
        self.project(at)
    }

    /// Projects the iterate; true if that is the answer.
    fn project(&mut self, at: &mut Task<'_>) -> bool {
        at.visit(&mut self.here);
        self.arrive()
    }

    /// Goes to a feasible point; true if it is the answer.
    pub(crate) fn visit(&mut self, at: &mut Task<'_>, y: &[f64]) -> bool {
        self.here.y.copy_from_slice(y);
        self.look(at)
    }

    /// Goes back to the best point.
    pub(crate) fn enter_best(&mut self, at: &mut Task<'_>) {
        self.here.y.copy_from_slice(&self.best);
        self.look(at);
    }

    /// Whether the best point will do.
    pub(crate) fn is_enough(&self) -> bool {
        self.excess < ENOUGH
    }

    /// Counts a factorisation if one is left.
    pub(crate) fn spend(&mut self, at: &Task<'_>) -> bool {
        let left = self.iterations < at.target.max_iterations;
        self.iterations += usize::from(left);
        left
    }

    /// Sweeps; true if that leads to the answer. By Coulomb's law they may lead away, and are not
    /// taken then.
    fn sweep(&mut self, at: &mut Task<'_>) -> bool {
        let Iterate { y, w, .. } = &mut self.there;
        y.copy_from_slice(&self.here.y);
        w.copy_from_slice(&self.here.w);
        at.p.sweep(Sweep { times: SWEEPS, slip: at.slip }, y, w);
        at.judge(&mut self.there);
        if !at.slip || self.there.point.merit <= self.here.point.merit {
            self.accept();
        }
        // sweeps may update the gradient in place, which is good enough to go on but not to end
        // with
        if self.here.point.excess < 1.0 { self.look(at) } else { self.arrive() }
    }

    /// Newton's method from the iterate; true if it found the answer.
    pub(crate) fn newton(&mut self, at: &mut Task<'_>, effort: Effort) -> bool {
        // the last points, newest first
        let mut past = [Point { merit: 0.0, excess: f64::INFINITY }; PATIENCE + 1];
        let whole = effort.whole && at.slip;
        // a merit that whole steps have to halve, and steps since they have
        let (mut lowest, mut waited) = (f64::INFINITY, 0);
        for taken in 0..=NEWTON_STEPS {
            let Point { merit, excess } = self.here.point;
            if excess < 1.0 {
                return true;
            }
            past.rotate_right(1);
            past[0] = self.here.point;
            waited += 1;
            if merit < PROGRESS * lowest {
                (lowest, waited) = (merit, 0);
            }
            let patience = effort.patience.min(PATIENCE);
            let stalled = whole && (waited > effort.patience || merit > LARGEST_RISE * lowest)
                || !whole
                    && taken >= patience
                    && merit > PROGRESS * past[patience].merit
                    && (!at.slip || excess > PROGRESS * past[patience].excess);
            if stalled || taken == NEWTON_STEPS || !merit.is_finite() || !self.spend(at) {
                return false;
            }

            // the derivative is smoothed, the map itself is not
            let width = SMOOTHING * merit / (at.p.frame.blocks.len() as f64).sqrt();
            let Iterate { y, corrected, .. } = &self.here;
            natural_map::differentiate(&mut self.map, &at.p.frame, y, corrected, width);
            let kind = StepKind { proximal: PROXIMAL, slip: at.slip };
            if !at.p.step(&self.map, &self.here, kind, &mut self.step) {
                return false;
            }
            let memory = if at.slip { 1 } else { PATIENCE };
            let recent = past[..memory].iter().fold(0.0, |a: f64, b| a.max(b.merit));
            if !self.advance(at, recent, whole) {
                return false;
            }
            if !at.slip {
                self.reuse(at, merit);
            }
            if self.arrive() {
                return true;
            }
            if effort.sweeps && self.here.point.merit > PROGRESS * merit {
                self.sweep(at);
            }
        }
        false
    }

    /// Steps with the same factors, as long as that pays.
    fn reuse(&mut self, at: &mut Task<'_>, mut last: f64) {
        while self.here.point.merit < PROGRESS * last
            && self.here.point.excess >= MARGIN
            && at.p.step_again(&self.map, &self.here, &mut self.step)
        {
            last = self.here.point.merit;
            let merit = self.try_length(at, 1.0);
            if merit.is_nan() || merit >= last {
                return;
            }
            self.accept();
        }
    }

    /// Moves along the step: to its end if the step is `whole` or lowers the merit there. Otherwise
    /// the first shorter length that lowers the merit is taken, or the lowest of all. False, and no
    /// move, if that is much above the merit of the iterate.
    fn advance(&mut self, at: &mut Task<'_>, recent: f64, whole: bool) -> bool {
        let most = LARGEST_RISE * self.here.point.merit;
        let limit = (1.0 - 1e-4) * recent.min(most);
        let (mut length, mut lowest, mut best) = (1.0, f64::INFINITY, 1.0);
        for _ in 0..TRIALS {
            let merit = self.try_length(at, length);
            if merit < lowest {
                (lowest, best) = (merit, length);
            }
            if merit <= limit || whole && merit.is_finite() {
                break;
            }
            length *= 0.5;
        }
        if at.slip && !whole && lowest > most || lowest.is_infinite() {
            return false;
        }
        if best != length {
            self.try_length(at, best);
        }
        self.accept();
        true
    }

    /// Tries a length of the step; the merit there.
    fn try_length(&mut self, at: &mut Task<'_>, length: f64) -> f64 {
        for ((trial, y), d) in self.there.y.iter_mut().zip(&self.here.y).zip(&self.step) {
            *trial = y + length * d;
        }
        at.visit(&mut self.there);
        self.there.point.merit
    }

    /// Moves to the point that was tried last.
    fn accept(&mut self) {
        std::mem::swap(&mut self.here, &mut self.there);
    }

    /// Looks at the iterate; true if it is the answer.
    fn look(&mut self, at: &mut Task<'_>) -> bool {
        at.look(&mut self.here);
        self.arrive()
    }

    /// Remembers the iterate if it is the best so far; true if it is the answer.
    fn arrive(&mut self) -> bool {
        let excess = self.here.point.excess;
        if excess < self.excess {
            self.excess = excess;
            self.best.copy_from_slice(&self.here.y);
        }
        excess < 1.0
    }
}

impl Task<'_> {
    /// Projects a point, and looks at it.
    fn visit(&mut self, there: &mut Iterate) {
        natural_map::project(&self.p.frame, &mut there.y);
        self.look(there);
    }

    /// The gradient at a feasible point, and the residual of the law.
    fn look(&mut self, there: &mut Iterate) {
        self.p.gradient(&there.y, &mut there.w);
        self.judge(there);
    }

    /// The residual of the law at a point whose gradient is known.
    fn judge(&self, there: &mut Iterate) {
        let Iterate { y, w, corrected, f, point } = there;
        let frame = &self.p.frame;
        corrected.copy_from_slice(w);
        for block in frame.blocks.iter().filter(|b| self.slip && b.shape == Shape::Lorentz) {
            corrected[block.start] += small::tangent(&w[block.range()]);
        }
        let found = natural_map::evaluate(frame, y, corrected, f);
        *point = Point { merit: found.norm, excess: self.target.excess(&found) };
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
