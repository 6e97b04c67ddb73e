//! Paths of tendons around spheres and cylinders, by a problem in a plane. A string from one point
//! to another must not cross a circle, or touches it from within.
//!
//! The formulas are those of `sinew-engine`'s `tendon::wrap`, for any number.

use sinew_math::algebra::{Mat3s, Vec3s};

use crate::real::Real;
use crate::rows::{direction, vec3};

/// A point of the plane.
#[derive(Clone, Copy)]
struct Flat<R> {
    x: R,
    y: R,
}

impl<R: Real> Flat<R> {
    #[inline(always)]
    fn dot(self, o: Self) -> R {
        self.x * o.x + self.y * o.y
    }

    #[inline(always)]
    fn minus(self, o: Self) -> Self {
        Flat { x: self.x - o.x, y: self.y - o.y }
    }

    #[inline(always)]
    fn scale(self, s: R) -> Self {
        Flat { x: self.x * s, y: self.y * s }
    }

    /// The unit vector; +x if there is no direction.
    #[inline(always)]
    fn unit(self) -> Self {
        let norm = self.dot(self).sqrt();
        if norm < R::of(sinew_math::MINVAL) {
            return Flat { x: R::ONE, y: R::ZERO };
        }
        self.scale(R::ONE / norm)
    }
}

/// The solid a tendon slides over.
#[derive(Clone, Copy)]
pub(crate) struct Obstacle<R> {
    /// A cylinder of endless length along local z; otherwise a sphere.
    pub(crate) cylinder: bool,
    pub(crate) pos: Vec3s<R>,
    pub(crate) mat: Mat3s<R>,
    pub(crate) radius: R,
}

/// Where a tendon touches an obstacle.
pub(crate) struct Wrap<R> {
    /// First and last point of contact.
    pub(crate) first: Vec3s<R>,
    pub(crate) last: Vec3s<R>,
    /// Length of the path between them.
    pub(crate) length: R,
}

/// A path in the plane: points of contact, and the length between them.
type Arc<R> = (Flat<R>, Flat<R>, R);

impl<R: Real> Obstacle<R> {
    #[inline(always)]
    fn local(&self, x: Vec3s<R>) -> Vec3s<R> {
        let [i, j, k] = self.mat.cols();
        let off = x - self.pos;
        vec3(i.dot(off), j.dot(off), k.dot(off))
    }

    /// The path of a string from `a` to `b`, or none if the straight line is the path. `side` is a
    /// point the path passes near; one within the radius asks for a path along the inner surface.
    #[inline(always)]
    pub(crate) fn wrap(&self, a: Vec3s<R>, b: Vec3s<R>, side: Option<Vec3s<R>>) -> Option<Wrap<R>> {
        let (a, b, tiny) = (self.local(a), self.local(b), R::of(sinew_math::MINVAL));
        if a.dot(a).sqrt() < tiny || b.dot(b).sqrt() < tiny {
            return None;
        }

        // everything in the plane of the circle
        let (x, y) = if self.cylinder {
            (vec3(R::ONE, R::ZERO, R::ZERO), vec3(R::ZERO, R::ONE, R::ZERO))
        } else {
            sphere_plane(a, b)
        };
        let flat = |p: Vec3s<R>| Flat { x: p.dot(x), y: p.dot(y) };
        let (fa, fb, side) = (flat(a), flat(b), side.map(|s| self.local(s)));
        let inside = side.is_some_and(|s| s.dot(s).sqrt() < self.radius);
        let (t0, t1, length) = if inside {
            within_circle(fa, fb, self.radius)?
        } else {
            let toward = side.map(|s| flat(s).unit().scale(self.radius));
            around_circle(fa, fb, toward, self.radius)?
        };

        // back to space; on a cylinder the path climbs evenly with its length in the plane
        let back = |t: Flat<R>| x.scale(t.x) + y.scale(t.y);
        let (mut first, mut last, mut length) = (back(t0), back(t1), length);
        if self.cylinder {
            let run = |from: Flat<R>, to: Flat<R>| from.minus(to).dot(from.minus(to)).sqrt();
            let (run0, run1) = (run(fa, t0), run(fb, t1));
            let (climb, whole) = (b.z - a.z, run0 + length + run1);
            first.z = a.z + climb * run0 / whole;
            last.z = a.z + climb * (run0 + length) / whole;
            let height = last.z - first.z;
            length = (length * length + height * height).sqrt();
        }
        let place = |p: Vec3s<R>| self.mat.mul_vec(p) + self.pos;
        Some(Wrap { first: place(first), last: place(last), length })
    }
}

/// Axes of the plane through the centre of a sphere and both ends.
#[inline(always)]
fn sphere_plane<R: Real>(a: Vec3s<R>, b: Vec3s<R>) -> (Vec3s<R>, Vec3s<R>) {
    let first = direction(a);
    let normal = a.cross(b);
    let normal = if normal.dot(normal).sqrt() < R::of(sinew_math::MINVAL) {
        // ends and centre on one line: any plane will do, and this is MuJoCo's
        let (x, y, z) = (first.x.abs(), first.y.abs(), first.z.abs());
        let (o, i) = (R::ZERO, R::ONE);
        let other = if z > x && z > y {
            vec3(i, i, o)
        } else if y > x && y > z {
            vec3(i, o, i)
        } else {
            vec3(o, i, i)
        };
        direction(first.cross(other))
    } else {
        direction(normal)
    };
    (first, direction(normal.cross(first)))
}

/// Shortest path outside a circle about the origin, or none if the straight segment stays clear of
/// it, on the given side.
#[inline(always)]
fn around_circle<R: Real>(
    a: Flat<R>,
    b: Flat<R>,
    side: Option<Flat<R>>,
    radius: R,
) -> Option<Arc<R>> {
    let (square0, square1, square) = (a.dot(a), b.dot(b), radius * radius);
    let tiny = R::of(sinew_math::MINVAL);
    let dif = b.minus(a);
    let gap = dif.dot(dif);
    if square0 < square || square1 < square || radius < tiny || gap < tiny {
        return None;
    }

    // nearest point of the segment: clear of the circle, and not on the wrong side
    let along = (-dif.dot(a) / gap).clip(R::ZERO, R::ONE);
    let near = Flat { x: along * dif.x + a.x, y: along * dif.y + a.y };
    if near.dot(near) > square && side.is_none_or(|s| s.dot(near) >= R::ZERO) {
        return None;
    }

    // tangent points for going round either way: the better, unless its tangents cross
    let (root0, root1) = ((square0 - square).sqrt(), (square1 - square).sqrt());
    let touch = |turn: R| {
        let (p, q) = (turn * radius * root0, turn * radius * root1);
        let t0 = Flat { x: a.x * square + p * a.y, y: a.y * square - p * a.x };
        let t1 = Flat { x: b.x * square - q * b.y, y: b.y * square + q * b.x };
        (t0.scale(R::ONE / square0), t1.scale(R::ONE / square1))
    };
    let (one, two) = (touch(R::ONE), touch(-R::ONE));
    let (cross1, cross2) = (tangents_cross(a, b, one), tangents_cross(a, b, two));
    let crossed = R::of(-10000.0);
    let good1 = if cross1 { crossed } else { goodness(one, side) };
    let good2 = if cross2 { crossed } else { goodness(two, side) };
    // NaN takes the second way
    let first = good1 > good2;
    if if first { cross1 } else { cross2 } {
        return None;
    }
    let (t0, t1) = if first { one } else { two };
    Some((t0, t1, arc_length(t0, t1, !first, radius)))
}

/// How good a way round a circle is: how near the given side, or how short.
#[inline(always)]
fn goodness<R: Real>((t0, t1): (Flat<R>, Flat<R>), side: Option<Flat<R>>) -> R {
    match side {
        Some(s) => Flat { x: t0.x + t1.x, y: t0.y + t1.y }.unit().dot(s),
        None => -t0.minus(t1).dot(t0.minus(t1)),
    }
}

/// Length of the arc between two points of a circle, on the side the path goes round.
#[inline(always)]
fn arc_length<R: Real>(p: Flat<R>, q: Flat<R>, second: bool, radius: R) -> R {
    let mut angle = acos(p.unit().dot(q.unit()));
    let cross = p.y * q.x - p.x * q.y;
    if cross > R::ZERO && second || cross < R::ZERO && !second {
        angle = R::of(2.0 * core::f64::consts::PI) - angle;
    }
    radius * angle
}

/// Whether the segments from two ends to their points of contact share a point; parallel ones do
/// not.
#[inline(always)]
fn tangents_cross<R: Real>(a: Flat<R>, b: Flat<R>, (t0, t1): (Flat<R>, Flat<R>)) -> bool {
    let (da, db) = (t0.minus(a), t1.minus(b));
    let det = db.y * da.x - db.x * da.y;
    if det.abs() < R::of(sinew_math::MINVAL) {
        return false;
    }
    let off = a.minus(b);
    let within = |x: R| {
        let share = x / det;
        R::ZERO <= share && share <= R::ONE
    };
    within(db.x * off.y - db.y * off.x) && within(da.x * off.y - da.y * off.x)
}

/// Path that touches a circle from inside at one point, or none if the segment crosses it.
///
/// The point divides the angle between the ends so that the string meets the circle at equal
/// angles: asin(Az) + asin(Bz) - 2 asin(z) + G = 0.
#[inline(always)]
fn within_circle<R: Real>(a: Flat<R>, b: Flat<R>, radius: R) -> Option<Arc<R>> {
    let tiny = R::of(sinew_math::MINVAL);
    let (len0, len1) = (a.dot(a).sqrt(), b.dot(b).sqrt());
    let dif = b.minus(a);
    let gap = dif.dot(dif);
    if len0 <= radius || len1 <= radius || radius < tiny || len0 < tiny || len1 < tiny {
        return None;
    }
    if gap > tiny {
        let along = -dif.dot(a) / gap;
        let near = Flat { x: a.x + dif.x * along, y: a.y + dif.y * along };
        if along > R::ZERO && along < R::ONE && near.dot(near).sqrt() <= radius {
            return None;
        }
    }

    // without a solution: the middle direction
    let half = R::of(0.5);
    let middle = Flat { x: half * (a.x + b.x), y: half * (a.y + b.y) }.unit().scale(radius);
    let (share0, share1) = (radius / len0, radius / len1);
    let cos_gap = (len0 * len0 + len1 * len1 - gap) / (R::of(2.0) * len0 * len1);
    if cos_gap < -R::ONE + tiny {
        return None;
    }
    let root =
        if cos_gap > R::ONE - tiny { None } else { touch_root(share0, share1, acos(cos_gap)) };
    let Some(z) = root else {
        return Some((middle, middle, R::ZERO));
    };

    // turn from the end that comes first
    let forward = a.x * b.y - a.y * b.x > R::ZERO;
    let (from, share) = if forward { (a, share0) } else { (b, share1) };
    let (sin, cos) = (asin(z) - asin(share * z)).sin_cos();
    let dir = from.unit();
    let touch =
        Flat { x: radius * (cos * dir.x - sin * dir.y), y: radius * (sin * dir.x + cos * dir.y) };
    Some((touch, touch, R::ZERO))
}

/// The root z of the inside wrap, if Newton's method reaches it. The tolerance of 1e-6 shows in the
/// result, so the iteration is the reference's own.
#[inline(always)]
fn touch_root<R: Real>(ra: R, rb: R, gap_angle: R) -> Option<R> {
    const MAX_ITER: usize = 20;
    let (tolerance, tiny) = (R::of(1e-6), R::of(sinew_math::MINVAL));
    let two = R::of(2.0);

    // Newton steps, all downwards, from the upper end, where the residual is negative
    let mut z = R::of(1.0 - 1e-7);
    for step in 0..=MAX_ITER {
        let f = asin(ra * z) + asin(rb * z) - two * asin(z) + gap_angle;
        if f > if step == 0 { R::ZERO } else { tolerance } {
            return None;
        }
        if step == MAX_ITER {
            return None;
        }
        // NaN ends here too
        let done = if f.abs() > tolerance { None } else { Some(z) };
        if done.is_some() {
            return done;
        }
        let root = |x: R| (R::ONE - x).sqrt().max(tiny);
        let slope = ra / root(z * z * ra * ra) + rb / root(z * z * rb * rb) - two / root(z * z);
        let next = z - f / slope;
        if slope > -tiny || next > z {
            return None;
        }
        z = next;
    }
    None
}

#[inline(always)]
fn acos<R: Real>(x: R) -> R {
    let x = x.clip(-R::ONE, R::ONE);
    ((R::ONE - x) * (R::ONE + x)).sqrt().atan2(x)
}

#[inline(always)]
fn asin<R: Real>(x: R) -> R {
    let x = x.clip(-R::ONE, R::ONE);
    x.atan2(((R::ONE - x) * (R::ONE + x)).sqrt())
}
