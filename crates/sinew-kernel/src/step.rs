//! The stages of a step in order.

use crate::actuation::actuators;
use crate::constraint::{Rows, make_rows};
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
#[inline(always)]
pub(crate) fn step<R: Real, T: Team>(
    t: T,
    m: Model<'_, R>,
    w: World<'_, R>,
    moves: bool,
    mut results: impl FnMut(Moment),
) -> u32 {
    if any_bad(t, w.qpos()) || any_bad(t, w.qvel()) || any_bad(t, w.ctrl()) {
        return outcome::BAD_NUMBER;
    }
    let several = T::FULL && m.rk4() != 0 && moves;
    if several {
        runge_kutta::begin(t, w);
    }
    for k in 0..if several { runge_kutta::EVALUATIONS } else { 1 } {
        let outcome = evaluate(t, m, w);
        if outcome != outcome::OK {
            if several {
                runge_kutta::restore(t, w);
            }
            return outcome;
        }
        if several {
            if k == 0 {
                results(Moment::Start);
            }
            runge_kutta::go(t, m, w, k);
        }
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

/// The acceleration of the present state; the outcome.
#[inline(always)]
fn evaluate<R: Real, T: Team>(t: T, m: Model<'_, R>, w: World<'_, R>) -> u32 {
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
    // without rows the constraints have no forces
    let mut rows = None;
    if m.constrained() != 0 {
        rows = make_rows(t, m, w);
        if rows.is_none() {
            return outcome::BEYOND_WORKSPACE;
        }
    }
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
        Some(rows) => newton(t, m, w, rows),
        None => t.par(m.nv() as usize, |v| w.qfrc_constraint().put(v, R::ZERO)),
    }
    if any_bad(t, w.qacc()) {
        return outcome::BAD_NUMBER;
    }
    outcome::OK
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
