//! Blocks of rows that stand in the model: limits of balls, limits of tendons, equalities, dry
//! friction of tendons; in this order. These rows follow the contacts.

use crate::equality::{self, ERROR, HELD, VIOLATION};
use crate::real::Real;
use crate::rows::*;
use crate::smooth::rotation_vector;
use crate::tables::{Model, World};
use crate::team::Team;

/// The kind of a block.
pub(crate) enum Kind {
    /// The limit of a ball.
    Ball,
    /// The limits of a tendon.
    Tendon,
    Equality(usize),
    /// The dry friction of a tendon, by its place among all dry friction.
    Friction(usize),
}

impl Kind {
    #[inline(always)]
    pub(crate) fn of<R: Real>(m: Model<'_, R>, s: usize) -> Kind {
        let balls = m.nball() as usize;
        let limits = balls + m.ntenlimit() as usize;
        let equal = limits + m.nequality() as usize;
        if s < balls {
            Kind::Ball
        } else if s < limits {
            Kind::Tendon
        } else if s < equal {
            Kind::Equality(s - limits)
        } else {
            Kind::Friction(m.nfriction() as usize + s - equal)
        }
    }
}

/// Finds violations, and the number of rows of each block.
#[inline(always)]
pub(crate) fn hold<R: Real, T: Team>(t: T, m: Model<'_, R>, w: World<'_, R>) {
    t.par(m.nstanding() as usize, |s| {
        let rows = match Kind::of(m, s) {
            Kind::Ball => ball(m, w, s),
            Kind::Tendon => tendon(m, w, s),
            Kind::Equality(e) => equality::hold(m, w, s, e),
            Kind::Friction(_) => 1,
        };
        w.held_rows().put(s, rows as u32);
    });
}

/// A ball turns up to an angle.
#[inline(always)]
fn ball<R: Real>(m: Model<'_, R>, w: World<'_, R>, s: usize) -> usize {
    let j = m.standing_object().at(s) as usize;
    let turned = rotation_vector(unit_row4(w.qpos(), m.jnt_qposadr().at(j) as usize));
    let angle = turned.dot(turned).sqrt();
    let axis = if angle < R::of(sinew_math::MINVAL) {
        vec3(R::ONE, R::ZERO, R::ZERO)
    } else {
        turned.scale(R::ONE / angle)
    };
    let dist = m.standing_range().at(s) - angle;
    put_row3(w.held(), HELD * s, axis);
    w.held().put(HELD * s + ERROR, dist);
    (dist < m.standing_margin().at(s)) as usize
}

/// Distances of a tendon from both ends of its range.
#[inline(always)]
fn tendon<R: Real>(m: Model<'_, R>, w: World<'_, R>, s: usize) -> usize {
    let length = w.ten_length().at(m.standing_object().at(s) as usize);
    let margin = m.standing_margin().at(s);
    let lower = length - m.standing_range().at(s);
    let upper = m.standing_range().at(m.nstanding() as usize + s) - length;
    w.held().put(HELD * s + ERROR, lower);
    w.held().put(HELD * s + ERROR + 1, upper);
    (lower < margin) as usize + (upper < margin) as usize
}

/// Whether the row `k` of a tendon's limit is that of the upper end.
#[inline(always)]
fn is_upper<R: Real>(m: Model<'_, R>, w: World<'_, R>, s: usize, k: usize) -> bool {
    k > 0 || w.held().at(HELD * s + ERROR) >= m.standing_margin().at(s)
}

/// The numbers of a block's rows at the dof `k` of its pattern.
#[inline(always)]
pub(crate) fn write_rows<R: Real>(m: Model<'_, R>, w: World<'_, R>, [s, first, k]: [usize; 3]) {
    let (npair, width) = (m.npair() as usize, m.width() as usize);
    let at = m.pattern_adr().at(npair + s) as usize + k;
    if at >= m.pattern_adr().at(npair + s + 1) as usize {
        return;
    }
    let put = |row: usize, x: R| w.J().put((first + row) * width + k, x);
    let entry = at - m.pattern_adr().at(npair) as usize;
    let slope = || w.ten_J().at(m.couple_first().at(entry) as usize);
    match Kind::of(m, s) {
        Kind::Ball => {
            if w.held_rows().at(s) > 0 {
                put(0, -w.held().at(HELD * s + k));
            }
        }
        Kind::Tendon => {
            for row in 0..w.held_rows().at(s) as usize {
                put(row, if is_upper(m, w, s, row) { -slope() } else { slope() });
            }
        }
        Kind::Equality(e) => {
            if w.held_rows().at(s) > 0 {
                let v = m.pattern_dof().at(at) as usize;
                equality::columns(m, w, [s, e, v, entry], put);
            }
        }
        Kind::Friction(_) => put(0, slope()),
    }
}

/// Violation of the row `k` of a block, by which its impedance goes, and by which it is corrected.
#[inline(always)]
pub(crate) fn violations<R: Real>(m: Model<'_, R>, w: World<'_, R>, s: usize, k: usize) -> [R; 2] {
    let held = |i: usize| w.held().at(HELD * s + i);
    if let Kind::Equality(_) = Kind::of(m, s) {
        return [held(VIOLATION), held(ERROR + k)];
    }
    let upper = (s >= m.nball() as usize && is_upper(m, w, s, k)) as usize;
    let dist = held(ERROR + upper) - m.standing_margin().at(s);
    [dist, dist]
}
