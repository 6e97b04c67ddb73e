//! Tendon paths around spheres and cylinders.
//!
//! Both cases become a problem in a plane, of a string from one point to another. The string must
//! not cross a circle (outside wrap), or must touch it from within (inside wrap).

use core::f64::consts::PI;

use sinew_math::{MINVAL, Mat3, Vec3, scalar};

/// A point of the wrapping plane.
type Point2 = [f64; 2];

/// The solid a tendon slides over.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Obstacle {
    /// A cylinder of infinite length along local z; otherwise a sphere.
    pub cylinder: bool,
    /// Centre.
    pub pos: Vec3,
    /// Orientation.
    pub mat: Mat3,
    /// Radius.
    pub radius: f64,
}

/// Where a tendon touches an obstacle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wrap {
    /// First and last point of contact.
    pub points: [Vec3; 2],
    /// Length of the path between them.
    pub length: f64,
}

/// The path of a string from `ends[0]` to `ends[1]` over the obstacle, or none if the straight
/// line is the path. `side` is a point the path should pass near; one within the radius asks for
/// a path along the inner surface.
#[doc(alias = "mju_wrap")]
#[inline]
pub fn wrap(ends: [Vec3; 2], obstacle: &Obstacle, side: Option<Vec3>) -> Option<Wrap> {
    let Obstacle { cylinder, pos, mat, radius } = *obstacle;

    // ends in the frame of the obstacle
    let local = ends.map(|x| mat.tmul_vec(x - pos));
    if shorter(local[0], MINVAL) || shorter(local[1], MINVAL) {
        return None;
    }

    // everything in the plane of the circle
    let axes = if cylinder { [Vec3::X, Vec3::Y] } else { sphere_plane(local) };
    let flat = local.map(|p| [p.dot(axes[0]), p.dot(axes[1])]);
    let side = side.map(|x| mat.tmul_vec(x - pos));
    let planar = match side {
        Some(s) if shorter(s, radius) => within_circle(flat, radius),
        _ => {
            let toward = side.map(|s| {
                let dir = normalize2([s.dot(axes[0]), s.dot(axes[1])]);
                [dir[0] * radius, dir[1] * radius]
            });
            around_circle(flat, toward, radius)
        }
    };
    let (touch, mut length) = planar?;

    // back to space; on a cylinder the path climbs evenly with its length in the plane
    let mut points = touch.map(|t| axes[0] * t[0] + axes[1] * t[1]);
    if cylinder {
        let run = |p: Vec3, q: Vec3| ((p.x - q.x) * (p.x - q.x) + (p.y - q.y) * (p.y - q.y)).sqrt();
        let (run0, run1) = (run(local[0], points[0]), run(local[1], points[1]));
        let climb = local[1].z - local[0].z;
        let whole = run0 + length + run1;
        points[0].z = local[0].z + climb * run0 / whole;
        points[1].z = local[0].z + climb * (run0 + length) / whole;
        let height = (points[1].z - points[0].z).abs();
        length = (length * length + height * height).sqrt();
    }
    Some(Wrap { points: points.map(|p| mat * p + pos), length })
}

/// Whether `v.norm() < length`. Most often its square tells, and no root is taken; the margin is
/// many times the rounding of either.
fn shorter(v: Vec3, length: f64) -> bool {
    const MARGIN: f64 = 1.0 + 1e-12;
    let square = v.dot(v);
    square <= length * length * MARGIN && square.sqrt() < length
}

/// Axes of the plane through the centre of a sphere and both ends.
fn sphere_plane(ends: [Vec3; 2]) -> [Vec3; 2] {
    let first = ends[0].normalize().0;
    let (mut normal, sine) = ends[0].cross(ends[1]).normalize();
    if sine < MINVAL {
        // ends and centre on one line: any plane will do, and this is MuJoCo's
        let [x, y, z] = first.to_array().map(f64::abs);
        let largest = if z > x && z > y {
            2
        } else if y > x && y > z {
            1
        } else {
            0
        };
        let mut other = Vec3::new(1.0, 1.0, 1.0);
        other[largest] = 0.0;
        normal = first.cross(other).normalize().0;
    }
    [first, normal.cross(first).normalize().0]
}

/// Shortest path outside a circle about the origin: points of contact and arc length. `None` if the
/// straight segment stays clear of it (on the given side).
fn around_circle(
    ends: [Point2; 2],
    side: Option<Point2>,
    radius: f64,
) -> Option<([Point2; 2], f64)> {
    let [a, b] = ends;
    let (square0, square1) = (dot2(a, a), dot2(b, b));
    let square = radius * radius;
    if square0 < square || square1 < square || radius < MINVAL {
        return None;
    }
    let dif = [b[0] - a[0], b[1] - a[1]];
    let gap = dot2(dif, dif);
    if gap < MINVAL {
        return None;
    }

    // nearest point of the segment: clear of the circle, and not on the wrong side
    let along = scalar::clip(-dot2(dif, a) / gap, 0.0, 1.0);
    let near = [along * dif[0] + a[0], along * dif[1] + a[1]];
    if dot2(near, near) > square && side.is_none_or(|s| dot2(s, near) >= 0.0) {
        return None;
    }

    // tangent points for going round either way
    let (root0, root1) = ((square0 - square).sqrt(), (square1 - square).sqrt());
    let (p0, p1) = (radius * a[1] * root0, radius * a[0] * root0);
    let (q0, q1) = (radius * b[1] * root1, radius * b[0] * root1);
    let (a0, a1, b0, b1) = (a[0] * square, a[1] * square, b[0] * square, b[1] * square);
    let first =
        [[(a0 + p0) / square0, (a1 - p1) / square0], [(b0 - q0) / square1, (b1 + q1) / square1]];
    let second =
        [[(a0 - p0) / square0, (a1 + p1) / square0], [(b0 + q0) / square1, (b1 - q1) / square1]];

    // the better way, unless its tangents cross
    let (cross1, cross2) = (tangents_cross(ends, first), tangents_cross(ends, second));
    let good1 = if cross1 { CROSSED } else { goodness(first, side) };
    let good2 = if cross2 { CROSSED } else { goodness(second, side) };
    let turn_second = good1 <= good2 || good1.is_nan() || good2.is_nan();
    if if turn_second { cross2 } else { cross1 } {
        return None;
    }
    let touch = if turn_second { second } else { first };
    Some((touch, arc_length(touch, turn_second, radius)))
}

/// How good a way round is whose tangents cross: worse than any other.
const CROSSED: f64 = -10000.0;

/// How good a way round a circle is: how near the given side, or how short.
fn goodness([t0, t1]: [Point2; 2], side: Option<Point2>) -> f64 {
    match side {
        Some(s) => dot2(normalize2([t0[0] + t1[0], t0[1] + t1[1]]), s),
        None => {
            let chord = [t0[0] - t1[0], t0[1] - t1[1]];
            -dot2(chord, chord)
        }
    }
}

/// Length of the arc between two points of a circle, on the side the candidate goes round.
fn arc_length(touch: [Point2; 2], turn_second: bool, radius: f64) -> f64 {
    let [p, q] = touch;
    let mut angle = scalar::acos(dot2(normalize2(p), normalize2(q)));
    let cross = p[1] * q[0] - p[0] * q[1];
    if (cross > 0.0 && turn_second) || (cross < 0.0 && !turn_second) {
        angle = 2.0 * PI - angle;
    }
    radius * angle
}

/// Whether the segments from two ends to their points of contact share a point; parallel ones do
/// not.
///
/// The tangents cross if both quotients u/det and v/det are within [0, 1], which is tested without
/// division.
fn tangents_cross([a, b]: [Point2; 2], [t0, t1]: [Point2; 2]) -> bool {
    let (da, db) = (sub2(t0, a), sub2(t1, b));
    let det = db[1] * da[0] - db[0] * da[1];
    if det.abs() < MINVAL {
        return false;
    }
    let off = sub2(a, b);
    let within = |x: f64| if det > 0.0 { 0.0 <= x && x <= det } else { det <= x && x <= 0.0 };
    within(db[0] * off[1] - db[1] * off[0]) && within(da[0] * off[1] - da[1] * off[0])
}

/// Path that touches a circle from inside at one point, or none if the segment crosses it.
///
/// The point divides the angle between the ends so that the string meets the circle at equal
/// angles. Newton's method from the right solves asin(Az) + asin(Bz) - 2 asin(z) + G = 0. The
/// tolerance of 1e-6 shows in the result, so the iteration is the reference's own.
fn within_circle(ends: [Point2; 2], radius: f64) -> Option<([Point2; 2], f64)> {
    let [a, b] = ends;
    let (len0, len1) = (dot2(a, a).sqrt(), dot2(b, b).sqrt());
    let dif = sub2(b, a);
    let gap = dot2(dif, dif);
    if len0 <= radius || len1 <= radius || radius < MINVAL || len0 < MINVAL || len1 < MINVAL {
        return None;
    }
    if gap > MINVAL {
        let along = -dot2(dif, a) / gap;
        let near = [a[0] + dif[0] * along, a[1] + dif[1] * along];
        if along > 0.0 && along < 1.0 && dot2(near, near).sqrt() <= radius {
            return None;
        }
    }

    // without a solution: the middle direction
    let middle = normalize2([0.5 * (a[0] + b[0]), 0.5 * (a[1] + b[1])]);
    let fallback = [middle[0] * radius, middle[1] * radius];

    let ratio = [radius / len0, radius / len1];
    let cos_gap = (len0 * len0 + len1 * len1 - gap) / (2.0 * len0 * len1);
    if cos_gap < -1.0 + MINVAL {
        return None;
    }
    let root = if cos_gap > 1.0 - MINVAL { None } else { touch_root(ratio, scalar::acos(cos_gap)) };
    let Some(z) = root else {
        return Some(([fallback; 2], 0.0));
    };

    // turn from the end that comes first
    let (from, share) = if a[0] * b[1] - a[1] * b[0] > 0.0 { (a, ratio[0]) } else { (b, ratio[1]) };
    let angle = scalar::asin(z) - scalar::asin(share * z);
    let dir = normalize2(from);
    let (sin, cos) = (scalar::sin(angle), scalar::cos(angle));
    let touch = [radius * (cos * dir[0] - sin * dir[1]), radius * (sin * dir[0] + cos * dir[1])];
    Some(([touch; 2], 0.0))
}

/// The root z of the inside wrap, if Newton's method reaches it.
fn touch_root(ratio: [f64; 2], gap_angle: f64) -> Option<f64> {
    const MAX_ITER: usize = 20;
    const START: f64 = 1.0 - 1e-7;
    const TOLERANCE: f64 = 1e-6;
    let [ra, rb] = ratio;
    let residual =
        |z: f64| scalar::asin(ra * z) + scalar::asin(rb * z) - 2.0 * scalar::asin(z) + gap_angle;

    // start at the upper end, where the residual must be negative
    let mut z = START;
    let mut f = residual(z);
    if f > 0.0 {
        return None;
    }

    // Newton steps, all downwards
    for _ in 0..MAX_ITER {
        if f.abs() <= TOLERANCE || f.is_nan() {
            return Some(z);
        }
        let root = |x: f64| (1.0 - x).sqrt().max(MINVAL);
        let slope = ra / root(z * z * ra * ra) + rb / root(z * z * rb * rb) - 2.0 / root(z * z);
        let next = z - f / slope;
        if slope > -MINVAL || next > z {
            return None;
        }
        z = next;
        f = residual(z);
        if f > TOLERANCE {
            return None;
        }
    }
    None
}

fn dot2(a: Point2, b: Point2) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}

fn sub2(a: Point2, b: Point2) -> Point2 {
    [a[0] - b[0], a[1] - b[1]]
}

/// The unit vector; +x if there is no direction.
fn normalize2(a: Point2) -> Point2 {
    let norm = dot2(a, a).sqrt();
    if norm < MINVAL {
        return [1.0, 0.0];
    }
    let inv = 1.0 / norm;
    [a[0] * inv, a[1] * inv]
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    /// Length of the whole path from `p` to `q`; the straight line where nothing is wrapped.
    fn path_length(
        p: [f64; 3],
        q: [f64; 3],
        radius: f64,
        cylinder: bool,
        side: Option<[f64; 3]>,
    ) -> f64 {
        let (p, q) = (Vec3::from(p), Vec3::from(q));
        let obstacle = Obstacle { cylinder, pos: Vec3::ZERO, mat: Mat3::IDENTITY, radius };
        match wrap([p, q], &obstacle, side.map(Vec3::from)) {
            None => p.dist(q),
            Some(w) => p.dist(w.points[0]) + w.length + w.points[1].dist(q),
        }
    }

    #[track_caller]
    fn check(got: f64, want: f64) {
        assert!((got - want).abs() < 1e-12, "{got} instead of {want}");
    }

    // expected lengths were measured with MuJoCo 3.5.0
    #[test]
    fn paths_outside_have_the_length_of_an_arc() {
        check(path_length([-0.3, 0.05, 0.0], [0.3, 0.05, 0.0], 0.1, false, None), 0.608432629250);
        check(path_length([-0.3, 0.1, 0.2], [0.3, -0.05, -0.2], 0.08, true, None), 0.745072068094);
        // clear of the sphere
        check(path_length([-0.3, 0.2, 0.0], [0.3, 0.2, 0.0], 0.1, false, None), 0.6);
    }

    #[test]
    fn the_side_site_decides_where_the_path_goes() {
        let (p, q) = ([-0.3, 0.15, 0.0], [0.3, -0.05, 0.0]);
        check(path_length(p, q, 0.1, false, Some([0.0, 0.3, 0.0])), 0.641312096242);
        check(path_length(p, q, 0.1, false, Some([0.0, -0.3, 0.0])), 0.701011882559);
        let (p, q) = ([-0.3, 0.1, 0.2], [0.3, -0.05, -0.2]);
        check(path_length(p, q, 0.08, true, Some([0.0, 0.2, 0.0])), 0.745072068094);
        check(path_length(p, q, 0.08, true, Some([0.0, -0.2, 0.0])), 0.766329409223);
        let (p, q) = ([-0.3, 0.2, 0.0], [0.3, 0.2, 0.0]);
        check(path_length(p, q, 0.1, false, Some([0.0, -0.3, 0.0])), 0.866627824038);
        check(path_length(p, q, 0.1, false, Some([0.0, 0.3, 0.0])), 0.6);
    }

    #[test]
    fn collinear_ends_choose_a_plane() {
        let obstacle =
            Obstacle { cylinder: false, pos: Vec3::ZERO, mat: Mat3::IDENTITY, radius: 0.1 };
        let ends = [Vec3::new(-0.3, 0.0, 0.0), Vec3::new(0.3, 0.0, 0.0)];
        let w = wrap(ends, &obstacle, None).unwrap();
        for (x, p) in [(-1.0 / 30.0, w.points[0]), (1.0 / 30.0, w.points[1])] {
            assert!(p.dist(Vec3::new(x, 1.0 / 15.0, 1.0 / 15.0)) < 1e-12, "{p}");
        }
        check(ends[0].dist(w.points[0]) + w.length + w.points[1].dist(ends[1]), 0.633652806840);
    }

    #[test]
    fn a_path_inside_bends_along_the_wall() {
        let q = [0.3, 0.2, 0.0];
        let centre = Some([0.0; 3]);
        for (z, cylinder, want) in [
            (0.0, false, 0.651465670898),
            (0.07, false, 0.657087479804),
            (0.0, true, 0.651465670898),
            (0.07, true, 0.655215628903),
        ] {
            check(path_length([-0.3, 0.25, z], q, 0.1, cylinder, centre), want);
        }
    }

    #[test]
    fn a_path_that_misses_the_geom_stays_straight() {
        // an end inside, an end at the centre, both ends at one point, no radius
        let line = |p: [f64; 3], q: [f64; 3]| Vec3::from(p).dist(q.into());
        let (p, q) = ([-0.3, 0.0, 0.01], [0.05, 0.0, 0.0]);
        check(path_length(p, q, 0.1, false, None), line(p, q));
        check(path_length(p, [0.0; 3], 0.1, false, None), line(p, [0.0; 3]));
        check(path_length(p, p, 0.1, false, None), 0.0);
        check(path_length(p, q, 0.0, true, None), line(p, q));
    }
}
