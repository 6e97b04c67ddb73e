//! Coulomb's law: the plan of methods, and the driver that walks it.

use super::{Given, Solver};
use crate::methods::{NEWTON, Task, load};
use crate::solution::Status;
use crate::target::Target;
use crate::tuning::{HEAVY_LOAD, MOST_SMALL, SOFTNESS, STEPS};
use Method::{Interior, Newton, Split};
use Origin::{Best, Convex, Scratch, Start};
use When::{Always, Heavy, Large, Small, Warm};

/// A stage of the plan: a method from a point, in which problems, and with the share of the
/// factorisations that it may end with.
#[derive(Clone, Copy)]
struct Stage {
    method: Method,
    from: Origin,
    when: When,
    share: f64,
}

/// The method of a search.
#[derive(Clone, Copy, PartialEq)]
enum Method {
    /// Newton's method, after a look at the point, and sweeps where it is far from the law.
    Newton,
    /// The first-order method, with Newton's method from points on its way.
    Split,
    /// Interior points, with the width of the corner of the sliding speed over the parameter of
    /// the path.
    Interior(f64),
}

/// Where a stage begins.
#[derive(Clone, Copy, PartialEq)]
enum Origin {
    /// The impulses of a similar problem, or none.
    Start,
    /// The best point that was found.
    Best,
    /// No impulses.
    Scratch,
    /// The solution of the convex problem, which is found once.
    Convex,
}

/// In which problems a stage takes part.
#[derive(Clone, Copy)]
enum When {
    Always,
    /// There was a start, which has failed.
    Warm,
    /// Up to `MOST_SMALL` rows; or more.
    Small,
    Large,
    /// Small ones in which light bodies carry heavy ones.
    Heavy,
}

/// The plan. The first stage ends nearly all steps of a simulation. From the third stage on a
/// search with a start is a search from scratch, with the same share of the remaining iterations.
///
/// Where light bodies carry heavy ones, interior points of Coulomb's law begin far from the convex
/// answer. Each width fails with other problems, so two are tried.
const PLAN: [Stage; 8] = [
    stage(Newton, Start, Always, 1.0),
    stage(Split, Best, Warm, 0.25),
    stage(Split, Scratch, Large, 0.5),
    stage(Newton, Convex, Always, 1.0),
    stage(Interior(0.01), Scratch, Heavy, 1.0),
    stage(Interior(0.003), Scratch, Heavy, 1.0),
    stage(Split, Convex, Always, 0.8),
    stage(Interior(0.03), Scratch, Small, 1.0),
];

const fn stage(method: Method, from: Origin, when: When, share: f64) -> Stage {
    Stage { method, from, when, share }
}

impl Solver {
    /// Solves a problem by Coulomb's law: the stages of the plan, until one finds the answer.
    pub(super) fn solve_coulomb(&mut self, given: Given<'_>, warm: Option<&[f64]>) {
        self.other.clear();
        let (mut found, mut spent) = (false, 0);
        for stage in &PLAN {
            if found || !self.applies(given, stage.when, warm) {
                continue;
            }
            found = self.run(given, *stage, warm, spent);
            if matches!(stage.from, Origin::Start | Origin::Best) {
                spent = self.law.iterations;
            }
        }
        self.take_best(given);
        self.solution.outer_iterations = usize::from(!self.other.is_empty());
        if !found && self.solution.status == Some(Status::NotConverged) {
            self.settle_for_less(given);
        }
    }

    fn applies(&self, given: Given<'_>, when: When, warm: Option<&[f64]>) -> bool {
        let small = given.b().len() <= MOST_SMALL;
        match when {
            When::Always => true,
            When::Warm => warm.is_some(),
            When::Small => small,
            When::Large => !small,
            When::Heavy => small && load(&self.system.frame, &self.relaxed.best) > HEAVY_LOAD,
        }
    }

    /// A stage of the plan, with a share of the iterations that are left of those not `spent`; true
    /// if it found the answer.
    fn run(&mut self, given: Given<'_>, stage: Stage, warm: Option<&[f64]>, spent: usize) -> bool {
        let most = self.target().max_iterations;
        let left = (stage.share * (most - spent) as f64) as usize;
        let target = Target { max_iterations: spent + left, ..self.target() };
        let small = given.b().len() <= MOST_SMALL;
        if small && matches!(stage.from, Origin::Scratch | Origin::Convex) {
            self.make_matrix(given);
        }
        if stage.from == Origin::Convex && self.other.is_empty() {
            // the convex point may be the final answer of a step: without softness
            let soft = if small && warm.is_none() { SOFTNESS } else { 0.0 };
            self.relax(given, soft);
        }
        let Solver { law, system, interior, splitting, other, .. } = self;
        let mut at = Task { p: system, target, slip: true };
        let there = match stage.from {
            Origin::Start => return law.seek(&mut at, warm),
            Origin::Best => {
                law.enter_best(&mut at);
                law.is_enough()
            }
            Origin::Scratch => law.enter(&mut at, None),
            Origin::Convex => law.enter(&mut at, Some(other)),
        };
        there
            || match stage.method {
                Method::Newton => law.newton(&mut at, NEWTON) || law.is_enough(),
                Method::Interior(width) => law.seek_interior(&mut at, interior, width),
                Method::Split => splitting.seek(&mut at, law, STEPS * left),
            }
    }
}
