//! Tendons: paths, lengths, how dofs change them, springs and dampers.

use sinew_math::algebra::Vec3s;

use crate::real::Real;
use crate::rows::*;
use crate::tables::{Model, World};
use crate::team::Team;
use crate::wrap::Obstacle;

/// Numbers of a span: directions of its two straight pieces, where the first ends, where the second
/// begins, and its length.
const SPAN: usize = 16;
const SECOND: usize = 6;
const LENGTH: usize = 12;

/// Places of sites, in space.
#[inline(always)]
pub(crate) fn sites<R: Real, T: Team>(t: T, m: Model<'_, R>, w: World<'_, R>) {
    let n = m.nsite() as usize;
    t.par(n, |s| {
        let b = m.site_body().at(s) as usize;
        let local = get3(m.site_pos(), s);
        let pos = get9(w.xmat(), b).mul_vec(local) + get3(w.xpos(), b);
        put3(w.site_xpos(), s, pos);
    });
}

/// Lengths of all tendons and their derivatives by the dofs.
#[inline(always)]
pub(crate) fn tendons<R: Real, T: Team>(t: T, m: Model<'_, R>, w: World<'_, R>) {
    if T::FULL {
        t.par(m.nspan() as usize, |i| span(m, w, i));
    }
    let spans = |i: usize| match T::FULL {
        true => m.ten_span().at(i) as usize..m.ten_span().at(i + 1) as usize,
        false => 0..0,
    };

    // of fixed tendons the weights of coordinates, else the motion of the straight pieces
    let (slopes, coef) = (w.ten_J(), m.ten_coef());
    t.par(slopes.len(), |e| {
        let mut slope = coef.at(e);
        let v = m.ten_dof().at(e) as usize;
        for i in spans(m.entry_ten().at(e) as usize) {
            slope += m.span_share().at(i) * span_slope(m, w, i, v);
        }
        slopes.put(e, slope);
    });
    t.par(m.nten() as usize, |i| {
        let mut length = R::ZERO;
        for s in spans(i) {
            length += m.span_share().at(s) * w.span().at(SPAN * s + LENGTH);
        }
        for e in entries(m, i) {
            if coef.at(e) != R::ZERO {
                length += coef.at(e) * w.qpos().at(m.ten_qpos().at(e) as usize);
            }
        }
        w.ten_length().put(i, length);
    });
}

/// The way from a site to the next one: straight, or over a geom.
#[inline(always)]
fn span<R: Real>(m: Model<'_, R>, w: World<'_, R>, i: usize) {
    let to = w.span();
    let site = |s: u32| get3(w.site_xpos(), s as usize);
    let (start, end) = (site(m.span_site().at(i)), site(m.span_site().at(m.nspan() as usize + i)));
    let piece = |at: usize, from: Vec3s<R>, to_pos: Vec3s<R>| {
        let off = to_pos - from;
        put_row3(to, SPAN * i + at, direction(off));
        off.dot(off).sqrt()
    };
    let (geom, side) = (m.span_wrap().at(i), m.span_side().at(i));
    let wrap = if geom == NONE {
        None
    } else {
        let side = if side == NONE { None } else { Some(site(side)) };
        obstacle(m, w, geom as usize).wrap(start, end, side)
    };
    let (length, bends) = match wrap {
        None => (piece(0, start, end), 0),
        Some(wrap) => {
            put_row3(to, SPAN * i + 3, wrap.first);
            put_row3(to, SPAN * i + SECOND + 3, wrap.last);
            let before = piece(0, start, wrap.first);
            (before + wrap.length + piece(SECOND, wrap.last, end), 1)
        }
    };
    to.put(SPAN * i + LENGTH, length);
    w.span_bends().put(i, bends);
}

#[inline(always)]
fn obstacle<R: Real>(m: Model<'_, R>, w: World<'_, R>, g: usize) -> Obstacle<R> {
    let b = m.wrap_body().at(g) as usize;
    let mat = get9(w.xmat(), b);
    let pos = mat.mul_vec(get3(m.wrap_pos(), g)) + get3(w.xpos(), b);
    let quat = get4(w.xquat(), b) * get4(m.wrap_quat(), g);
    let cylinder = m.wrap_cylinder().at(g) != 0;
    Obstacle { cylinder, pos, mat: quat.products(), radius: m.wrap_radius().at(g) }
}

/// Derivative of a span's length by a dof: direction · (motion of the end - motion of the start) of
/// its straight pieces. A piece whose ends are on one body adds nothing. The arc moves with its
/// geom.
#[inline(always)]
fn span_slope<R: Real>(m: Model<'_, R>, w: World<'_, R>, i: usize, v: usize) -> R {
    let nspan = m.nspan() as usize;
    let sites = [0, 1].map(|k: usize| m.span_site().at(k * nspan + i) as usize);
    let bodies = sites.map(|s| m.site_body().at(s) as usize);
    let [start, end] = sites.map(|s| get3(w.site_xpos(), s));
    let piece = |at: usize, [from, to]: [usize; 2], [start, end]: [Vec3s<R>; 2]| {
        let dir = row3(w.span(), SPAN * i + at);
        let mut slope = R::ZERO;
        if from != to && moves_body(m, v, to) {
            slope += dir.dot(point_motion(m, w, v, end));
        }
        if from != to && moves_body(m, v, from) {
            slope -= dir.dot(point_motion(m, w, v, start));
        }
        slope
    };
    if w.span_bends().at(i) == 0 {
        return piece(0, bodies, [start, end]);
    }
    let body = m.wrap_body().at(m.span_wrap().at(i) as usize) as usize;
    let (first, last) = (row3(w.span(), SPAN * i + 3), row3(w.span(), SPAN * i + SECOND + 3));
    piece(0, [bodies[0], body], [start, first]) + piece(SECOND, [body, bodies[1]], [last, end])
}

/// Entries of the derivative of a tendon's length.
#[inline(always)]
pub(crate) fn entries<R: Real>(m: Model<'_, R>, i: usize) -> core::ops::Range<usize> {
    m.ten_adr().at(i) as usize..m.ten_adr().at(i + 1) as usize
}

/// Forces of the springs and dampers of tendons.
#[inline(always)]
pub(crate) fn tendon_forces<R: Real, T: Team>(t: T, m: Model<'_, R>, w: World<'_, R>) {
    let nten = m.nten() as usize;
    t.par(nten, |i| {
        let mut vel = R::ZERO;
        for e in entries(m, i) {
            vel += w.ten_J().at(e) * w.qvel().at(m.ten_dof().at(e) as usize);
        }
        let length = w.ten_length().at(i);
        let [lo, hi] = [m.ten_rest().at(i), m.ten_rest().at(nten + i)];
        let stretch = length.clip(lo, hi) - length;
        w.ten_force().put(i, m.ten_stiffness().at(i) * stretch - m.ten_damping().at(i) * vel);
    });
}

/// The force of springs and dampers of tendons on a dof.
#[inline(always)]
pub(crate) fn force_on<R: Real>(m: Model<'_, R>, w: World<'_, R>, v: usize) -> R {
    let mut sum = R::ZERO;
    for i in m.dof_ten_adr().at(v) as usize..m.dof_ten_adr().at(v + 1) as usize {
        let (tendon, entry) = (m.dof_ten().at(i) as usize, m.dof_ten_entry().at(i) as usize);
        sum += w.ten_J().at(entry) * w.ten_force().at(tendon);
    }
    sum
}
