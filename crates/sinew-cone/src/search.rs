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
use crate::coulomb::{Coupling, LawSearch, Manner, Place};
use crate::frame::{Block, Frame, Shape, WIDEST};
use crate::interior::InteriorPoint;
use crate::natural_map::{self, NaturalMap};
use crate::newton::{Care, NewtonSystem};
use crate::problem::Problem;
use crate::small::tangent;
use crate::sweep::{self, Sweeper};
use crate::target::Target;
use crate::tuning::{
    CLEARANCE, CONTRACTION, CONTRADICTORY_LOAD, CONVEX_COLD, CONVEX_FINISH, CONVEX_LAST,
    CONVEX_WARM, FIRST_SWEEPS, GROWING_LOAD, HAND_OVER, HEAVY_LOAD, LAST_SWEEPS, SINGULAR,
};

/// A problem by its matrix, and the search for its convex law.
#[derive(Clone, Debug, Default)]
pub(crate) struct Search {
    pub(crate) frame: Frame,
    pub(crate) cones: Vec<Cone>,
    pub(crate) law: LawSearch,
    dense: Dense,
    unconstrained: Vec<f64>,
    interior: InteriorPoint,
}

/// Linear systems and sweeps by a symmetric matrix.
#[derive(Clone, Debug, Default)]
struct Dense {
    system: NewtonSystem,
    sweeper: Sweeper,
}

impl Coupling for Dense {
    fn gradient(&mut self, frame: &Frame, y: &[f64], w: &mut [f64]) {
        frame.gradient(y, w);
    }

    fn sweep(&mut self, frame: &Frame, (times, _): (usize, bool), y: &mut [f64], w: &mut [f64]) {
        sweep::sweep(&self.sweeper, frame, y, w, times);
    }

    fn step(
        &mut self,
        frame: &Frame,
        map: &NaturalMap,
        _: &[f64],
        manner: Manner,
        step: &mut [f64],
    ) -> bool {
        self.system.step(frame, map, manner.proximal, Care::Plain, step)
    }

    fn step_again(&mut self, frame: &Frame, map: &NaturalMap, step: &mut [f64]) -> bool {
        self.system.step_again(frame, map, step);
        true
    }
}

impl Search {
    /// Takes over a problem.
    pub(crate) fn set(&mut self, problem: &Problem<'_>, regularization: f64) {
        self.frame.set(problem, regularization);
        self.cones.clear();
        self.cones.extend_from_slice(problem.cones());
        self.unconstrained.clear();
        self.unconstrained.resize(self.frame.stride(), 0.0);
        self.dense.sweeper.prepare(&self.frame);
    }

    /// The problem with its convex law, the search, and what solves its linear systems.
    fn parts<'a>(
        &'a mut self,
        target: &'a Target,
    ) -> (Place<'a>, &'a mut LawSearch, &'a mut Dense) {
        let Search { frame, cones, law, dense, .. } = self;
        (Place { frame, cones, target, slip: false }, law, dense)
    }

    /// Searches from `warm`, or from scratch; true if the target was met.
    pub(crate) fn run(&mut self, target: &Target, warm: Option<&[f64]>) -> bool {
        let (at, law, p) = self.parts(target);
        law.begin(at.frame);
        if law.enter(at, p, warm) {
            return true;
        }
        if at.frame.blocks.len() == 1 {
            law.iterations += 1;
        } else if warm.is_some() && law.newton(at, p, CONVEX_WARM) {
            return true;
        }
        self.cold_start(target)
    }

    fn cold_start(&mut self, target: &Target) -> bool {
        let (at, law, p) = self.parts(target);
        law.enter_best(at, p);
        if at.frame.blocks.len() > 1 {
            extrapolate(at, law, p);
        }
        if law.sweep(at, p, LAST_SWEEPS) {
            return true;
        }

        // without separation the unconstrained minimum may be the answer
        let pressed = at.frame.blocks.iter().all(|b| b.moves(law.y[b.start]));
        let mut heavy = false;
        if pressed && law.spend(at) {
            let load = self.release();
            let free = std::mem::take(&mut self.unconstrained);
            let (at, law, p) = self.parts(target);
            let there = law.try_point(at, p, &free);
            let presses = at.frame.blocks.iter().all(|b| law.trial[b.start] != 0.0);
            if there.excess < 1.0 || load.is_some() && presses {
                law.accept(there);
            }
            let found = law.arrive();
            self.unconstrained = free;
            if found {
                return true;
            }
            heavy = load.is_some_and(|load| load > HEAVY_LOAD);
        }
        let (at, law, p) = self.parts(target);
        if !heavy {
            if law.newton(at, p, CONVEX_COLD) {
                return true;
            }
            let growing = !pressed && load(at.frame, &law.y) > GROWING_LOAD;
            heavy = growing && law.spend(at) && self.release().is_some();
        }
        let guess = if heavy { &self.unconstrained } else { &self.law.y };
        self.interior.start(&self.frame, guess);
        self.walk(target)
    }

    /// Computes the unconstrained minimum; its load, or none if it means nothing.
    fn release(&mut self) -> Option<f64> {
        let Search { frame, law, dense, unconstrained, .. } = self;
        law.map.pretend_free(frame);
        let fine = dense.system.step(frame, &law.map, SINGULAR, Care::Refined, unconstrained);
        let load = load(frame, unconstrained);
        (fine && load < CONTRADICTORY_LOAD).then_some(load)
    }

    /// Interior-point steps until Newton's method can take over.
    fn walk(&mut self, target: &Target) -> bool {
        let Search { frame, cones, law, dense: p, interior, .. } = self;
        let at = Place { frame, cones, target, slip: false };
        let mut tried_from = f64::INFINITY;
        while law.spend(at) {
            let stepped = interior.step(frame);
            interior.point(&mut law.y);
            natural_map::project(frame, &mut law.y);
            if law.look(at, p) {
                return true;
            }
            if !stepped {
                return law.newton(at, p, CONVEX_LAST);
            }
            let excess = law.here.excess;
            if excess < HAND_OVER * tried_from && decided(frame, law, interior.path(frame)) {
                tried_from = excess;
                if law.newton(at, p, CONVEX_FINISH) {
                    return true;
                }
            }
        }
        false
    }

    /// Largest impulse of the best point over the right-hand side, both in the scaled frame.
    pub(crate) fn load(&self) -> f64 {
        load(&self.frame, &self.law.best)
    }
}

/// Sweeps, and a step to where they lead: after a few of them their error shrinks by about the same
/// share each time.
fn extrapolate(at: Place<'_>, law: &mut LawSearch, p: &mut Dense) {
    let LawSearch { y, w, step, trial, .. } = law;
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
    at.frame.gradient(y, w);
}

/// Whether an interior point is close to the central path with parameter `m` and that far from all
/// kinks.
fn decided(frame: &Frame, law: &LawSearch, m: f64) -> bool {
    // on the path `y ∘ s = m²`, and |F| is about m
    law.here.merit < m
        && frame.blocks.iter().all(|block| {
            let mut z = [0.0; WIDEST];
            for (z, at) in z.iter_mut().zip(block.range()) {
                *z = law.y[at] - law.w[at];
            }
            clearance(block, &z) > CLEARANCE * m
        })
}

/// Distance of a point from the nearest kink of the projection.
fn clearance(block: &Block, z: &[f64; WIDEST]) -> f64 {
    match block.shape {
        Shape::Free => f64::INFINITY,
        Shape::Interval(lower, upper) => (z[0] - lower).abs().min((z[0] - upper).abs()),
        Shape::Ray | Shape::Lorentz => (z[0].abs() - tangent(z)).abs(),
    }
}

fn load(frame: &Frame, y: &[f64]) -> f64 {
    largest(y) / largest(&frame.q).max(f64::MIN_POSITIVE)
}

fn largest(x: &[f64]) -> f64 {
    x.iter().fold(0.0, |a, b| a.max(b.abs()))
}
