//! Contacts: pairs of geoms that are near, where they touch, and the frames there.
//!
//! The formulas are those of `sinew-geom` for planes, spheres and capsules, for any number.

use sinew_math::algebra::Vec3s;

use crate::real::Real;
use crate::rows::*;
use crate::tables::{Model, World};
use crate::team::Team;

/// Pairs of shapes; the first is the plane, or the rounder.
pub mod kind {
    /// A plane and a sphere.
    pub const PLANE_SPHERE: u32 = 0;
    /// A plane and a capsule.
    pub const PLANE_CAPSULE: u32 = 1;
    /// Two spheres.
    pub const SPHERE_SPHERE: u32 = 2;
    /// A sphere and a capsule.
    pub const SPHERE_CAPSULE: u32 = 3;
    /// Two capsules.
    pub const CAPSULE_CAPSULE: u32 = 4;
}

/// Numbers of a place for a contact.
const SLOT: usize = 10;

/// Finds all contacts that have rows, with their frames; how many.
#[inline(always)]
pub(crate) fn contacts<R: Real, T: Team>(t: T, m: Model<'_, R>, w: World<'_, R>) -> usize {
    let (ngeom, npair, nbody) = (m.ngeom as usize, m.npair as usize, m.nbody as usize);
    if npair == 0 {
        return 0;
    }

    // places and z axes of geoms
    let (xpos, axis) = (w.geom_xpos(), w.geom_axis());
    t.par(ngeom, |g| {
        let b = m.geom_body().at(g) as usize;
        let mat = get9(w.xmat(), nbody, b);
        let pos = get3(w.xpos(), nbody, b) + mat.mul_vec(get3(m.geom_pos(), ngeom, g));
        put3(xpos, ngeom, g, pos);
        let up = turn(get4(m.geom_quat(), ngeom, g), vec3(R::ZERO, R::ZERO, R::ONE));
        put3(axis, ngeom, g, mat.mul_vec(up));
    });

    // pairs that are near, by balls around them
    let (near, geoms) = (w.near(), m.pair_geom());
    let is_near = |p: usize| {
        let (g1, g2) = (geoms.at(p) as usize, geoms.at(npair + p) as usize);
        let (offset, reach) = (get3(xpos, ngeom, g2) - get3(xpos, ngeom, g1), m.pair_reach().at(p));
        if m.pair_kind().at(p) <= kind::PLANE_CAPSULE {
            offset.dot(get3(axis, ngeom, g1)) <= reach
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

    // contacts of each, then all in a list
    t.par(nnear, |i| {
        let p = near.at(i) as usize;
        let mut found = Found { w, p, first: m.pair_slot().at(p) as usize, count: 0 };
        touches(m, w, p, &mut found);
        w.pair_count().put(i, found.count as u32);
    });
    let (con_pair, con_slot) = (w.con_pair(), w.con_slot());
    let ncon = t.scan(
        nnear,
        |i| w.pair_count().at(i) as usize,
        |i, at| {
            let p = near.at(i) as usize;
            for k in 0..w.pair_count().at(i) as usize {
                con_pair.put(at + k, p as u32);
                con_slot.put(at + k, m.pair_slot().at(p) + k as u32);
            }
        },
    );
    t.par(ncon, |c| frame(w, c));
    ncon
}

/// The contacts of a pair.
struct Found<'a, R> {
    w: World<'a, R>,
    p: usize,
    first: usize,
    count: usize,
}

impl<R: Real> Found<'_, R> {
    #[inline(always)]
    fn push(&mut self, m: Model<'_, R>, dist: R, pos: Vec3s<R>, [normal, tangent]: [Vec3s<R>; 2]) {
        // within the gap a contact has no rows
        if dist >= m.pair_include().at(self.p) {
            return;
        }
        let (slot, at) = (self.w.slot(), SLOT * (self.first + self.count));
        slot.put(at, dist);
        for (k, v) in [pos, normal, tangent].into_iter().enumerate() {
            slot.put(at + 3 * k + 1, v.x);
            slot.put(at + 3 * k + 2, v.y);
            slot.put(at + 3 * k + 3, v.z);
        }
        self.count += 1;
    }
}

#[inline(always)]
fn touches<R: Real>(m: Model<'_, R>, w: World<'_, R>, p: usize, found: &mut Found<'_, R>) {
    let (ngeom, npair) = (m.ngeom as usize, m.npair as usize);
    let (g1, g2) = (m.pair_geom().at(p) as usize, m.pair_geom().at(npair + p) as usize);
    let solid = |g: usize| Rod {
        pos: get3(w.geom_xpos(), ngeom, g),
        up: get3(w.geom_axis(), ngeom, g),
        radius: m.geom_size().at(g),
        half_len: m.geom_size().at(ngeom + g),
    };
    let (a, b) = (solid(g1), solid(g2));
    let kind = m.pair_kind().at(p);
    if kind <= kind::PLANE_CAPSULE {
        let (ends, tangent) = if kind == kind::PLANE_SPHERE { (1, zero3()) } else { (2, b.up) };
        let mut half = b.up.scale(b.half_len);
        for _ in 0..ends {
            plane_ball(m, p, &a, b.pos + half, &b, tangent, found);
            half = half.scale(-R::ONE);
        }
        return;
    }
    let line = nearest(&a, &b);
    for end in 0..line.ends {
        let [x1, x2] = line.at(end);
        if found.count < 2 {
            balls(m, p, [a.pos + a.up.scale(x1), b.pos + b.up.scale(x2)], [&a, &b], found);
        }
    }
}

/// A sphere or capsule, or a plane whose normal is `up`.
struct Rod<R> {
    pos: Vec3s<R>,
    up: Vec3s<R>,
    radius: R,
    half_len: R,
}

/// A plane and a ball of a round solid.
#[inline(always)]
fn plane_ball<R: Real>(
    m: Model<'_, R>,
    p: usize,
    plane: &Rod<R>,
    center: Vec3s<R>,
    of: &Rod<R>,
    tangent: Vec3s<R>,
    found: &mut Found<'_, R>,
) {
    let dist = (center - plane.pos).dot(plane.up) - of.radius;
    if dist <= m.pair_margin().at(p) {
        let pos = center - plane.up.scale(dist * R::of(0.5) + of.radius);
        found.push(m, dist, pos, [plane.up, tangent]);
    }
}

/// Two balls of round solids. Where the centres coincide, the normal is across both axes.
#[inline(always)]
fn balls<R: Real>(
    m: Model<'_, R>,
    p: usize,
    [a, b]: [Vec3s<R>; 2],
    [of_a, of_b]: [&Rod<R>; 2],
    found: &mut Found<'_, R>,
) {
    let offset = b - a;
    let sqr = offset.dot(offset);
    let reach = m.pair_margin().at(p) + of_a.radius + of_b.radius;
    if sqr > reach * reach {
        return;
    }
    let length = sqr.sqrt();
    let normal = if length < R::of(sinew_math::MINVAL) {
        direction(of_a.up.cross(of_b.up))
    } else {
        offset.scale(R::ONE / length)
    };
    let dist = length - of_a.radius - of_b.radius;
    let pos = normal.scale(of_a.radius + dist * R::of(0.5)) + a;
    found.push(m, dist, pos, [normal, zero3()]);
}

/// The normal equations of the nearest points of two axes.
struct Nearest<R> {
    /// Half lengths.
    half: [R; 2],
    /// Squares of the halves, and minus their product.
    square: [R; 2],
    cross: R,
    /// Right sides.
    right: [R; 2],
    /// Where the axes are nearest, in halves.
    best: [R; 2],
    /// Places to try: one, or the four ends of parallel axes.
    ends: usize,
}

/// Minimum of |a(x1) - b(x2)|²:  [ma mb; mb mc] [x1; x2] = [u; v]. A sphere is a capsule without
/// length.
#[inline(always)]
fn nearest<R: Real>(a: &Rod<R>, b: &Rod<R>) -> Nearest<R> {
    let (half_a, half_b) = (a.up.scale(a.half_len), b.up.scale(b.half_len));
    let offset = a.pos - b.pos;
    let (ma, mb, mc) = (half_a.dot(half_a), -half_a.dot(half_b), half_b.dot(half_b));
    let (u, v) = (-half_a.dot(offset), half_b.dot(offset));
    let det = ma * mc - mb * mb;
    let one = R::ONE;
    let (mut best, mut ends) = ([R::ZERO; 2], 1);
    if a.half_len == R::ZERO {
        best[1] = share(v, mc);
    } else if det.abs() >= R::of(sinew_math::MINVAL) {
        let (mut x1, mut x2) = ((mc * u - mb * v) / det, (ma * v - mb * u) / det);
        if x1 > one || x1 < -one {
            x1 = x1.clip(-one, one);
            x2 = (v - mb * x1) / mc;
        }
        if x2 > one || x2 < -one {
            x2 = x2.clip(-one, one);
            x1 = ((u - mb * x2) / ma).clip(-one, one);
        }
        best = [x1, x2];
    } else {
        ends = 4;
    }
    let half = [a.half_len, b.half_len];
    Nearest { half, square: [ma, mc], cross: mb, right: [u, v], best, ends }
}

impl<R: Real> Nearest<R> {
    /// Distances along the axes of a place to try: of parallel axes the ends of the first, then of
    /// the second.
    #[inline(always)]
    fn at(&self, end: usize) -> [R; 2] {
        let side = if end & 1 == 0 { R::ONE } else { -R::ONE };
        let [x1, x2] = if self.ends == 1 {
            self.best
        } else if end < 2 {
            [side, share(self.right[1] - side * self.cross, self.square[1])]
        } else {
            [share(self.right[0] - side * self.cross, self.square[0]), side]
        };
        [x1 * self.half[0], x2 * self.half[1]]
    }
}

/// A quotient in [-1, 1]; 0 on a segment without length.
#[inline(always)]
fn share<R: Real>(x: R, of: R) -> R {
    if of == R::ZERO { R::ZERO } else { (x / of).clip(-R::ONE, R::ONE) }
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
pub(crate) fn rows_of<R: Real>(m: Model<'_, R>, pair: usize) -> usize {
    let dim = m.pair_dim().at(pair) as usize;
    if dim == 1 || m.elliptic != 0 { dim } else { 2 * (dim - 1) }
}

/// Distance of a contact.
#[inline(always)]
pub(crate) fn distance<R: Real>(w: World<'_, R>, c: usize) -> R {
    w.slot().at(SLOT * w.con_slot().at(c) as usize)
}

/// The numbers of a contact's rows at the dof `k` of its pattern.
#[inline(always)]
pub(crate) fn write_rows<R: Real>(m: Model<'_, R>, w: World<'_, R>, c: usize, k: usize) {
    let (npair, width) = (m.npair as usize, m.width as usize);
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
    let rot = get6(w.cdof(), m.nv as usize, v).rot;
    let axis = |i: usize| row3(w.frame(), 9 * c + 3 * i);
    let normal = axis(0).dot(lin);

    // along the axes of the cone, or along the edges of the pyramid
    let (first, dim) = (w.con_row().at(c) as usize, m.pair_dim().at(p) as usize);
    let put = |row: usize, x: R| w.J().put((first + row) * width + k, x);
    let elliptic = m.elliptic != 0;
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
