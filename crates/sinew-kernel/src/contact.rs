//! Contacts: pairs of geoms that are near, where they touch, and the frames there.

mod boxes;
pub(crate) mod convex;
mod found;
pub mod kind;
mod round;
mod scratch;
mod shaped;

pub use sinew_geom::ccd::Rooms;
use sinew_geom::collide::collide_shapes;
use sinew_geom::shape::Placed;
use sinew_geom::touch::{Touch, Touches};
use sinew_math::algebra::Vec3s;

use self::found::{Found, SLOT};
use crate::real::Real;
use crate::rows::*;
use crate::tables::{Model, World};
use crate::team::Team;

/// Lists the pairs that are near, and finds the contacts of those with a formula. Returns the
/// number of pairs, or nothing if the workspace has no room for their contacts.
#[inline(always)]
pub(crate) fn near_pairs<R: Real, T: Team>(
    t: T,
    m: Model<'_, R>,
    w: World<'_, R>,
) -> Option<usize> {
    let (ngeom, npair) = (m.ngeom() as usize, m.npair() as usize);
    if npair == 0 {
        return Some(0);
    }

    // places and z axes of geoms
    let (xpos, axis) = (w.geom_xpos(), w.geom_axis());
    t.par(ngeom, |g| {
        let b = m.geom_body().at(g) as usize;
        let mat = get9(w.xmat(), b);
        let pos = get3(w.xpos(), b) + mat.mul_vec(get3(m.geom_pos(), g));
        put3(xpos, g, pos);
        let up = turn(get4(m.geom_quat(), g), vec3(R::ZERO, R::ZERO, R::ONE));
        put3(axis, g, mat.mul_vec(up));
    });

    // pairs that are near, by balls around them
    let (near, geoms) = (w.near(), m.pair_geom());
    let is_near = |p: usize| {
        let (g1, g2) = (geoms.at(p) as usize, geoms.at(npair + p) as usize);
        let (offset, reach) = (get3(xpos, g2) - get3(xpos, g1), m.pair_reach().at(p));
        if m.pair_kind().at(p) <= kind::PLANE_SHAPE {
            offset.dot(get3(axis, g1)) <= reach
        } else {
            offset.dot(offset) <= reach * reach
        }
    };
    let nnear = t.scan(
        npair,
        |p| is_near(p) as usize,
        |p, at| {
            if is_near(p) {
                near.put(at, p as u32);
            }
        },
    );

    // of pairs that are dear, those whose boxes overlap; the rest has no contacts
    if T::FULL {
        t.par(nnear, |i| {
            let p = near.at(i) as usize;
            let dear = kind::has_boxes(m.pair_kind().at(p));
            w.pair_count().put(i, (!dear || boxes::overlap(m, w, p)) as u32);
        });
    }
    let is_apart = |i: usize| T::FULL && w.pair_count().at(i) == 0;

    // places for the maximum number of contacts of each
    let near_slot = w.near_slot();
    let most = |i: usize| {
        if is_apart(i) { 0 } else { m.pair_most().at(near.at(i) as usize) as usize }
    };
    let places = t.scan(nnear, most, |i, at| near_slot.put(i, at as u32));
    if places > m.nslot() as usize {
        return None;
    }

    // contacts of each
    t.par(nnear, |i| {
        let p = near.at(i) as usize;
        if is_apart(i) || T::FULL && m.pair_kind().at(p) >= kind::CONVEX {
            return;
        }
        let mut found = Found::new(w, near_slot.at(i) as usize, most(i));
        let is_round = kind::is_round(m.pair_kind().at(p));
        if T::FULL && !is_round {
            shaped::touches(m, w, p, &mut found);
        } else {
            round::touches(m, w, p, &mut found);
        }
        // within the gap a contact has no rows
        found.keep_below(m.pair_include().at(p));
        w.pair_count().put(i, found.count as u32);
    });
    Some(nnear)
}

/// Makes a list of the contacts of all near pairs, with their frames; how many, or none if the
/// workspace has no room for them.
#[inline(always)]
pub(crate) fn list<R: Real, T: Team>(
    t: T,
    m: Model<'_, R>,
    w: World<'_, R>,
    nnear: usize,
) -> Option<usize> {
    let near_slot = w.near_slot();
    let count = |i: usize| w.pair_count().at(i) as usize;
    let ncon = t.scan(nnear, count, |i, at| near_slot.put(nnear + i, at as u32));
    if ncon > m.ncontact() as usize {
        return None;
    }
    let (con_pair, con_slot) = (w.con_pair(), w.con_slot());
    t.par(nnear, |i| {
        for k in 0..count(i) {
            let at = near_slot.at(nnear + i) as usize + k;
            con_pair.put(at, w.near().at(i));
            con_slot.put(at, near_slot.at(i) + k as u32);
        }
    });
    t.par(ncon, |c| frame(w, c));
    Some(ncon)
}

/// Normal and tangents of a contact (`mju_makeFrame`).
#[inline(always)]
fn frame<R: Real>(w: World<'_, R>, c: usize) {
    let at = SLOT * w.con_slot().at(c) as usize;
    let normal = row3(w.slot(), at + 4);
    let mut tangent = row3(w.slot(), at + 7);
    let half = R::of(0.5);
    if tangent.dot(tangent) < half * half {
        let upright = normal.y < half && normal.y > -half;
        let (y, z) = if upright { (R::ONE, R::ZERO) } else { (R::ZERO, R::ONE) };
        tangent = vec3(R::ZERO, y, z);
    }
    let tangent = direction(tangent - normal.scale(normal.dot(tangent)));
    for (k, v) in [normal, tangent, normal.cross(tangent)].into_iter().enumerate() {
        w.frame().put(9 * c + 3 * k, v.x);
        w.frame().put(9 * c + 3 * k + 1, v.y);
        w.frame().put(9 * c + 3 * k + 2, v.z);
    }
}

/// Rows of a contact of a pair: the edges of its pyramid, or the axes of its elliptic cone.
#[inline(always)]
pub(crate) fn rows_of<R: Real, T: Team>(m: Model<'_, R>, pair: usize) -> usize {
    let dim = m.pair_dim().at(pair) as usize;
    if dim == 1 || T::FULL && m.elliptic() != 0 { dim } else { 2 * (dim - 1) }
}

/// Distance of a contact.
#[inline(always)]
pub(crate) fn distance<R: Real>(w: World<'_, R>, c: usize) -> R {
    w.slot().at(SLOT * w.con_slot().at(c) as usize)
}

/// Place of a contact.
#[inline(always)]
pub(crate) fn place<R: Real>(w: World<'_, R>, c: usize) -> Vec3s<R> {
    row3(w.slot(), SLOT * w.con_slot().at(c) as usize + 1)
}

/// The numbers of a contact's rows at the dof `k` of its pattern.
#[inline(always)]
pub(crate) fn write_rows<R: Real, T: Team>(m: Model<'_, R>, w: World<'_, R>, c: usize, k: usize) {
    let (npair, width) = (m.npair() as usize, m.width() as usize);
    let p = w.con_pair().at(c) as usize;
    let at = m.pattern_adr().at(p) as usize + k;
    if at >= m.pattern_adr().at(p + 1) as usize {
        return;
    }

    // motion of the second body relative to the first, at the contact
    let v = m.pattern_dof().at(at) as usize;
    let sign = if m.pattern_sign().at(at) == 0 { -R::ONE } else { R::ONE };
    let pos = row3(w.slot(), SLOT * w.con_slot().at(c) as usize + 1);
    let lin = point_motion(m, w, v, pos).scale(sign);
    let rot = get6(w.cdof(), v).rot;
    let axis = |i: usize| row3(w.frame(), 9 * c + 3 * i);
    let normal = axis(0).dot(lin);

    // along the axes of the cone, or along the edges of the pyramid
    let (first, dim) = (w.con_row().at(c) as usize, m.pair_dim().at(p) as usize);
    let put = |row: usize, x: R| w.J().put((first + row) * width + k, x);
    let elliptic = T::FULL && m.elliptic() != 0;
    if dim == 1 || elliptic {
        put(0, normal);
    }
    for i in 1..dim {
        let along = if i < 3 { axis(i).dot(lin) } else { axis(i - 3).dot(rot.scale(sign)) };
        if elliptic {
            put(i, along);
            continue;
        }
        let along = along * m.pair_friction().at((i - 1) * npair + p);
        put(2 * i - 2, normal + along);
        put(2 * i - 1, normal - along);
    }
}

/// Places that the contacts of two shapes with a formula take, at most.
pub const MOST_TOUCHES: usize = 8;

/// The nearest contact of two shapes with a formula that are nearer than a distance, found in
/// places of the workspace.
#[inline(never)]
pub(crate) fn nearest_touch<R: Real>(
    w: World<'_, R>,
    first_place: usize,
    [a, b]: [Placed<'_>; 2],
    most: f64,
) -> Option<Touch> {
    let mut found = Found::new(w, first_place, MOST_TOUCHES);
    collide_shapes(a, b, most, &mut found);
    let mut best: Option<Touch> = None;
    for i in 0..found.count {
        let touch = found.touch(i);
        if touch.dist < best.map_or(most, |best| best.dist) {
            best = Some(touch);
        }
    }
    best
}
