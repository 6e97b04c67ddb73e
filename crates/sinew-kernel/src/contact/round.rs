//! Planes, spheres and capsules: the formulas of `sinew-geom` for any number.
//!
//! Most robots have only such contacts, and they are faster in the number of the world than in f64.

use sinew_geom::touch::Touches;
use sinew_math::algebra::Vec3s;

use super::found::Found;
use super::kind;
use crate::real::Real;
use crate::rows::*;
use crate::tables::{Model, World};

/// Finds the contacts of a pair of them.
#[inline(always)]
pub(super) fn touches<R: Real>(
    m: Model<'_, R>,
    w: World<'_, R>,
    p: usize,
    found: &mut Found<'_, R>,
) {
    let npair = m.npair() as usize;
    let (g1, g2) = (m.pair_geom().at(p) as usize, m.pair_geom().at(npair + p) as usize);
    let solid = |g: usize| Rod {
        pos: get3(w.geom_xpos(), g),
        up: get3(w.geom_axis(), g),
        radius: m.geom_size().at(3 * g),
        half_len: m.geom_size().at(3 * g + 1),
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
        if found.count() < 2 {
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
        found.add(dist, pos, [plane.up, tangent]);
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
    found.add(dist, pos, [normal, zero3()]);
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
