//! The stages of a step in order.
//!
//! Worlds need different numbers of iterations. A team waits for the others of its block only until
//! most of them are at the same stage, and is then steps ahead of some.

use crate::actuation::actuators;
use crate::constraint::{Rows, make_rows};
use crate::contact::{convex, near_pairs};
use crate::heavy;
use crate::history;
use crate::integrate::{advance, full_matrix, keep};
use crate::linear::factor_and_solve;
use crate::memory::Cells;
use crate::newton::{self, Progress, iterate};
use crate::outcome;
use crate::real::Real;
use crate::runge_kutta;
use crate::smooth::*;
use crate::tables::{Model, World};
use crate::team::{Team, Turn};
use crate::tendon::{sites, tendons};

/// When results are asked for. Readings are those of the start of a step.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Moment {
    /// After the first of several evaluations.
    Start,
    /// After the last of several evaluations.
    End,
    /// After the only evaluation.
    Whole,
}

/// A world on its way through the steps of a launch.
pub(crate) struct Course<R> {
    /// How many steps it takes; 0 to find results alone.
    steps: u32,
    /// Steps taken.
    pub(crate) done: u32,
    /// The outcome so far.
    pub(crate) outcome: u32,
    /// Evaluations of the acceleration that the present step has had.
    evaluations: usize,
    /// Whether an evaluation has begun. Without a solver only its end is left.
    is_begun: bool,
    /// The solver of that evaluation, until it is done.
    solver: Option<Progress<R>>,
}

impl<R: Real> Course<R> {
    /// The start of a launch of this many steps.
    pub(crate) fn new(steps: u32) -> Self {
        Course {
            steps,
            done: 0,
            outcome: outcome::OK,
            evaluations: 0,
            is_begun: false,
            solver: None,
        }
    }

    /// Whether nothing is left to do.
    #[inline(always)]
    pub(crate) fn is_over(&self) -> bool {
        self.outcome != outcome::OK || self.done >= self.steps.max(1)
    }

    /// What it does next.
    #[inline(always)]
    pub(crate) fn next(&self) -> Turn {
        if self.solver.is_some() { Turn::Solve } else { Turn::Step }
    }

    /// Whether the next end of a step is the last one.
    #[inline(always)]
    pub(crate) fn is_last(&self) -> bool {
        self.done + 1 >= self.steps
    }

    /// An iteration of the solver.
    #[inline(always)]
    pub(crate) fn solve<T: Team>(&mut self, t: T, m: Model<'_, R>, w: World<'_, R>) {
        self.solver = self.solver.and_then(|solver| iterate(t, m, w, solver));
    }

    /// Starts an evaluation, up to the solver. The teams of a block search for contacts together;
    /// one that does not take part only waits for them.
    #[inline(always)]
    pub(crate) fn begin<T: Team>(
        &mut self,
        t: T,
        m: Model<'_, R>,
        w: World<'_, R>,
        takes_part: bool,
    ) {
        if takes_part && self.evaluations == 0 {
            if any_bad(t, w.qpos()) || any_bad(t, w.qvel()) || any_bad(t, w.ctrl()) {
                self.outcome = outcome::BAD_NUMBER;
            } else if self.has_several::<T>(m) {
                runge_kutta::begin(t, w);
            }
        }
        let active = takes_part && self.outcome == outcome::OK;
        if active {
            self.is_begun = true;
            place(t, m, w);
        }
        // without rows the constraints have no forces
        let mut rows = None;
        if m.constrained() != 0 {
            rows = constraints(t, m, w, active);
            if active && rows.is_none() {
                return self.fail::<T>(t, m, w, outcome::BEYOND_WORKSPACE);
            }
        }
        if active {
            self.solver = forces(t, m, w, rows);
        }
    }

    /// Ends an evaluation whose solver is done, and with the last one a step. The state is written
    /// only then. `results` is called before that, at every [`Moment`].
    #[inline(always)]
    pub(crate) fn end<T: Team>(
        &mut self,
        t: T,
        m: Model<'_, R>,
        w: World<'_, R>,
        mut results: impl FnMut(Moment),
    ) {
        self.is_begun = false;
        if any_bad(t, w.qacc()) {
            return self.fail::<T>(t, m, w, outcome::BAD_NUMBER);
        }
        let (moves, several) = (self.steps > 0, self.has_several::<T>(m));
        if several {
            if self.evaluations == 0 {
                results(Moment::Start);
            }
            runge_kutta::go(t, m, w, self.evaluations);
            self.evaluations += 1;
            if self.evaluations < runge_kutta::EVALUATIONS {
                return;
            }
            self.evaluations = 0;
        }
        if T::FULL && m.nkeeping() > 0 {
            history::readings(t, m, w, moves);
        }
        results(if several { Moment::End } else { Moment::Whole });
        self.done += 1;
        if !moves {
            return;
        }
        if T::FULL && m.delayed() != 0 {
            history::record_controls(t, m, w);
        }
        keep(t, m, w);
        if !several {
            advance(t, m, w, |v| w.qfrc_smooth().at(v) + w.qfrc_constraint().at(v));
        }
    }

    /// Whether an evaluation has begun, and its solver is done.
    #[inline(always)]
    pub(crate) fn is_evaluated(&self) -> bool {
        self.is_begun && self.solver.is_none()
    }

    /// Whether a step evaluates the acceleration several times.
    #[inline(always)]
    fn has_several<T: Team>(&self, m: Model<'_, R>) -> bool {
        T::FULL && m.rk4() != 0 && self.steps > 0
    }

    /// Stops with this outcome, and the state at the start of the step.
    #[inline(always)]
    fn fail<T: Team>(&mut self, t: T, m: Model<'_, R>, w: World<'_, R>, outcome: u32) {
        self.outcome = outcome;
        if self.has_several::<T>(m) {
            runge_kutta::restore(t, w);
        }
    }
}

/// Forces other than those of constraints; the start of the solver if there are rows.
#[inline(always)]
fn forces<R: Real, T: Team>(
    t: T,
    m: Model<'_, R>,
    w: World<'_, R>,
    rows: Option<Rows>,
) -> Option<Progress<R>> {
    if T::FULL && m.nrare() > 0 {
        // sensors of contacts read these rows
        t.par(2, |k| {
            let of = |rows: Rows| if k == 0 { rows.limits } else { rows.contacts };
            w.solved_rows().put(k, rows.map_or(0, of) as u32);
        });
    }
    if m.nu() > 0 {
        actuators(t, m, w, rows.map_or(0, |rows| rows.contacts));
    }
    smooth_forces(t, m, w);
    let rows = rows.filter(|rows| rows.total > 0);
    if rows.is_none() || m.warm() == 0 {
        smooth_acceleration(t, m, w);
    }
    match rows {
        Some(rows) => Some(newton::begin(t, m, w, rows)),
        None => {
            t.par(m.nv() as usize, |v| w.qfrc_constraint().put(v, R::ZERO));
            None
        }
    }
}

/// Places of everything, and inertia.
#[inline(always)]
fn place<R: Real, T: Team>(t: T, m: Model<'_, R>, w: World<'_, R>) {
    frames(t, m, w);
    motion_axes(t, m, w);
    rigid_bodies(t, m, w);
    inertia_matrix(t, m, w);
    if T::FULL && m.nsite() > 0 {
        sites(t, m, w);
    }
    if m.nten() > 0 {
        tendons(t, m, w);
    }
    if T::FULL && m.nheavy() != 0 {
        heavy::add_inertia(t, m, w);
    }
}

/// Finds the contacts and makes all rows; none if the workspace has no room for them, or if a team
/// only waits. The teams of a block search together.
#[inline(always)]
fn constraints<R: Real, T: Team>(
    t: T,
    m: Model<'_, R>,
    w: World<'_, R>,
    active: bool,
) -> Option<Rows> {
    let mut near = if active { near_pairs(t, m, w) } else { None };
    if T::FULL && m.nlane() > 0 {
        t.lockstep();
        near = near.filter(|&near| convex::contacts(t, m, w, near));
        t.lockstep();
    }
    make_rows(t, m, w, near?)
}

#[inline(never)]
fn any_bad<R: Real, T: Team>(t: T, x: Cells<'_, R>) -> bool {
    t.any(x.len(), |i| x.at(i).is_bad())
}

/// q̈ = M⁻¹ f
#[inline(always)]
fn smooth_acceleration<R: Real, T: Team>(t: T, m: Model<'_, R>, w: World<'_, R>) {
    let (nv, qacc) = (m.nv() as usize, w.qacc());
    full_matrix(t, m, w.M(), w.matrix());
    t.par(nv, |v| qacc.put(v, w.qfrc_smooth().at(v)));
    factor_and_solve(t, nv, w.matrix(), w.matrix_inv(), qacc);
}
