//! Equalities: points or frames of two bodies stay together, a tendon follows a polynomial of
//! another. A joint counts as a tendon.

use sinew_math::algebra::{Quats, Vec3s};

use crate::real::Real;
use crate::rows::*;
use crate::tables::{Model, World};

/// Kinds of equalities.
pub mod kind {
    /// Two points stay together.
    pub const CONNECT: u32 = 0;
    /// Two frames stay together.
    pub const WELD: u32 = 1;
    /// A tendon follows another, or stays.
    pub const COUPLING: u32 = 2;
}

/// Numbers of a block that its rows are made of.
pub(crate) const HELD: usize = 24;

/// Where a block's violations are among its numbers, and the violation of the whole.
pub(crate) const ERROR: usize = 14;
pub(crate) const VIOLATION: usize = 20;

/// Where the slope of a polynomial is among the numbers of a block.
const SLOPE: usize = 21;

/// Finds the violation of an equality; how many rows it has.
#[inline(always)]
pub(crate) fn hold<R: Real>(m: Model<'_, R>, w: World<'_, R>, s: usize, e: usize) -> usize {
    if w.eq_active().at(m.eq_id().at(e) as usize) == R::ZERO {
        return 0;
    }
    let kind = m.eq_kind().at(e);
    if kind == kind::COUPLING {
        couple(m, w, s, e);
        return 1;
    }
    hold_frames(m, w, s, e);
    if kind == kind::CONNECT { 3 } else { 6 }
}

/// Anchors and orientations of both bodies, and how far they are apart.
#[inline(always)]
fn hold_frames<R: Real>(m: Model<'_, R>, w: World<'_, R>, s: usize, e: usize) {
    let (n, held, at) = (m.nequality() as usize, w.held(), HELD * s);
    let point = |k: usize| {
        let b = m.eq_object().at(k * n + e) as usize;
        let local = get3(m.eq_anchor(), k * n + e);
        get9(w.xmat(), b).mul_vec(local) + get3(w.xpos(), b)
    };
    let (p0, p1) = (point(0), point(1));
    put_row3(held, at, p0);
    put_row3(held, at + 3, p1);
    let lin = p0 - p1;
    put_row3(held, at + ERROR, lin);
    let mut square = lin.dot(lin);
    if m.eq_kind().at(e) == kind::WELD {
        let frame = |k: usize| {
            let b = m.eq_object().at(k * n + e) as usize;
            get4(w.xquat(), b) * get4(m.eq_turn(), k * n + e)
        };
        let (q0, q1) = (frame(0), conjugate(frame(1)));
        put_row4(held, at + 6, q0);
        put_row4(held, at + 10, q1);
        let rot = vector_part(q1 * q0).scale(m.eq_scale().at(e));
        put_row3(held, at + ERROR + 3, rot);
        square += rot.dot(rot);
    }
    held.put(at + VIOLATION, square.sqrt());
}

/// y - c0 - c1 x - c2 x² - c3 x³ - c4 x⁴
#[inline(always)]
fn couple<R: Real>(m: Model<'_, R>, w: World<'_, R>, s: usize, e: usize) {
    let n = m.nequality() as usize;
    let value = |k: usize| {
        let t = m.eq_object().at(k * n + e);
        if t == NONE {
            return R::ZERO;
        }
        w.ten_length().at(t as usize) - m.eq_ref().at(k * n + e)
    };
    let c = |k: usize| m.eq_coef().at(k * n + e);
    let (y, x) = (value(0), value(1));
    let error = y - c(0) - (c(1) * x + c(2) * x * x + c(3) * x * x * x + c(4) * x * x * x * x);
    let slope =
        c(1) + R::of(2.0) * c(2) * x + R::of(3.0) * c(3) * x * x + R::of(4.0) * c(4) * x * x * x;
    w.held().put(HELD * s + ERROR, error);
    w.held().put(HELD * s + VIOLATION, error.abs());
    w.held().put(HELD * s + SLOPE, slope);
}

/// The numbers of an equality's rows at the dof `v`.
#[inline(always)]
pub(crate) fn columns<R: Real>(
    m: Model<'_, R>,
    w: World<'_, R>,
    [s, e, v, entry]: [usize; 4],
    put: impl Fn(usize, R),
) {
    let (n, held, at) = (m.nequality() as usize, w.held(), HELD * s);
    let kind = m.eq_kind().at(e);
    if kind == kind::COUPLING {
        let part = |i: u32| if i == NONE { R::ZERO } else { w.ten_J().at(i as usize) };
        let [y, x] = [m.couple_first().at(entry), m.couple_second().at(entry)].map(part);
        return put(0, y - held.at(at + SLOPE) * x);
    }

    // motion of the first body relative to the second
    let moves = |k: usize| moves_body(m, v, m.eq_object().at(k * n + e) as usize);
    let axis = get6(w.cdof(), v).rot;
    let (mut lin, mut rot) = (zero3(), zero3());
    if moves(0) {
        lin = point_motion(m, w, v, row3(held, at));
        rot = axis;
    }
    if moves(1) {
        lin = lin - point_motion(m, w, v, row3(held, at + 3));
        rot = rot - axis;
    }
    put3_by(lin, 0, &put);
    if kind == kind::WELD {
        let turn = row4(held, at + 10) * Quats([R::ZERO, rot.x, rot.y, rot.z]);
        let by = vector_part(turn * row4(held, at + 6)).scale(R::of(0.5) * m.eq_scale().at(e));
        put3_by(by, 3, &put);
    }
}

#[inline(always)]
fn put3_by<R: Real>(v: Vec3s<R>, first: usize, put: &impl Fn(usize, R)) {
    put(first, v.x);
    put(first + 1, v.y);
    put(first + 2, v.z);
}
