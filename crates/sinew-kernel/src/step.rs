//! The stages of a step in order.

use crate::actuation::actuators;
use crate::constraint::{Rows, make_rows};
use crate::contact::{convex, near_pairs};
use crate::heavy;
use crate::history;
use crate::integrate::{advance, full_matrix, keep};
use crate::linear::factor_and_solve;
use crate::memory::Cells;
use crate::newton::newton;
use crate::outcome;
use crate::real::Real;
use crate::runge_kutta;
use crate::smooth::*;
use crate::tables::{Model, World};
use crate::team::Team;
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

/// One step, or without `moves` the stages before the state changes. Returns the outcome. The state
/// is written only if the step is taken. `results` is called before that, at every [`Moment`].
///
/// A team whose outcome `before` is not that all is well does nothing. Such a team still waits
/// where others of its block wait, and so does one that fails on its way.
#[inline(always)]
pub(crate) fn step<R: Real, T: Team>(
    t: T,
    m: Model<'_, R>,
    w: World<'_, R>,
    (before, moves): (u32, bool),
    mut results: impl FnMut(Moment),
) -> u32 {
    let mut outcome = before;
    if outcome == outcome::OK
        && (any_bad(t, w.qpos()) || any_bad(t, w.qvel()) || any_bad(t, w.ctrl()))
    {
        outcome = outcome::BAD_NUMBER;
    }
    let several = T::FULL && m.rk4() != 0 && moves;
    let begun = several && outcome == outcome::OK;
    if begun {
        runge_kutta::begin(t, w);
    }
    for k in 0..if several { runge_kutta::EVALUATIONS } else { 1 } {
        outcome = evaluate(t, m, w, outcome);
        if several && outcome == outcome::OK {
            if k == 0 {
                results(Moment::Start);
            }
            runge_kutta::go(t, m, w, k);
        }
    }
    if outcome != outcome::OK {
        if begun {
            runge_kutta::restore(t, w);
        }
        return outcome;
    }
    if T::FULL && m.nkeeping() > 0 {
        history::readings(t, m, w, moves);
    }
    results(if several { Moment::End } else { Moment::Whole });
    if !moves {
        return outcome::OK;
    }
    if T::FULL && m.delayed() != 0 {
        history::record_controls(t, m, w);
    }
    keep(t, m, w);
    if !several {
        advance(t, m, w, |v| w.qfrc_smooth().at(v) + w.qfrc_constraint().at(v));
    }
    outcome::OK
}

/// The acceleration of the present state; the outcome. With another outcome before, only the waits
/// for other teams.
#[inline(always)]
fn evaluate<R: Real, T: Team>(t: T, m: Model<'_, R>, w: World<'_, R>, before: u32) -> u32 {
    let mut outcome = before;
    if outcome == outcome::OK {
        place(t, m, w);
    }
    // without rows the constraints have no forces
    let mut rows = None;
    if m.constrained() != 0 {
        rows = constraints(t, m, w, outcome == outcome::OK);
        if outcome == outcome::OK && rows.is_none() {
            outcome = outcome::BEYOND_WORKSPACE;
        }
    }
    let solved = rows.filter(|rows| rows.total > 0);
    if outcome == outcome::OK {
        smooth(t, m, w, rows);
        if solved.is_none() {
            t.par(m.nv() as usize, |v| w.qfrc_constraint().put(v, R::ZERO));
        }
        if solved.is_none() || m.warm() == 0 {
            smooth_acceleration(t, m, w);
        }
    }
    if m.constrained() != 0 {
        newton(t, m, w, solved);
    }
    if outcome == outcome::OK && any_bad(t, w.qacc()) {
        outcome = outcome::BAD_NUMBER;
    }
    outcome
}

/// Forces other than those of constraints.
#[inline(always)]
fn smooth<R: Real, T: Team>(t: T, m: Model<'_, R>, w: World<'_, R>, rows: Option<Rows>) {
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
