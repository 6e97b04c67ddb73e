//! MPR: overlap of two convex solids by refining a portal, instead of GJK and EPA.
//!
//! A portal is a triangle of the Minkowski difference through which the ray from an inner point to
//! the origin leaves it. Snethen, *Xenocollide: Complex Collision Made Simple* (2008), in the form
//! of libccd, which MuJoCo uses when the flag `nativeccd` is off. The direction is the portal's,
//! not the direction of least depth, so normals of round solids are corrected afterwards.

use sinew_math::{MINVAL, Vec3};

use crate::ccd::gjk::Pair;
use crate::ccd::normal;
use crate::ccd::options::Options;
use crate::ccd::overlap::Overlap;
use crate::ccd::simplex::Vertex;
use crate::ccd::support::{Convex, Outline, along, element_support, farthest_corner, hull_vertex};
use crate::shape::Pose;
use crate::touch::Touch;

/// Numbers closer than this are equal.
const EPS: f64 = f64::EPSILON;

/// Maximum number of steps of the searches for a portal, which could go round in circles.
const MAX_STEPS: usize = 10_000;

/// The contact of two solids, if they overlap. Normals at elements are left as they are found.
pub(super) fn touch(pair: &mut Pair, margin: f64, options: &Options) -> Option<Touch> {
    let Overlap { depth, dir, pos } = overlap(pair, options)?;
    let touch = Touch { dist: margin - depth, pos, normal: dir, tangent: Vec3::ZERO };
    let is_element = |solid: &Convex| matches!(solid.outline, Outline::Element(_));
    if is_element(&pair.a) || is_element(&pair.b) {
        return Some(touch);
    }
    Some(normal::fixed(
        touch,
        [Some((&pair.a.outline, pair.a.pose)), Some((&pair.b.outline, pair.b.pose))],
    ))
}

/// The overlap of two solids; nothing if they are apart or it has no direction.
#[doc(alias = "ccdMPRPenetration")]
pub(super) fn overlap(pair: &mut Pair, options: &Options) -> Option<Overlap> {
    let found = match discover(pair)? {
        Start::Vertex => return None,
        Start::Segment(v) => {
            let (dir, depth) = (unit(v.at), v.at.norm());
            Overlap { depth, dir, pos: (v.on[0] + v.on[1]) * 0.5 }
        }
        Start::Portal(mut portal) => {
            refine(pair, &mut portal, options)?;
            penetrate(pair, portal, options)
        }
    };
    (!is_same(found.dir, Vec3::ZERO)).then_some(found)
}

/// A tetrahedron: an inner point, then the triangle it sees the origin through.
type Portal = [Vertex; 4];

#[allow(clippy::large_enum_variant)] // lives on the stack for one call
enum Start {
    /// The origin is a vertex: the solids touch.
    Vertex,
    /// The origin lies between the inner point and this vertex.
    Segment(Vertex),
    Portal(Portal),
}

/// Finds a portal; nothing if the origin is outside.
fn discover(pair: &mut Pair) -> Option<Start> {
    let mut inner = Vertex { on: pair.centers(), ..Vertex::default() };
    inner.at = inner.on[0] - inner.on[1];
    if is_same(inner.at, Vec3::ZERO) {
        inner.at.x += EPS * 10.0;
    }

    // towards the origin
    let dir = unit(-inner.at);
    let first = support(pair, dir);
    if is_not_positive(first.at.dot(dir)) {
        return None;
    }

    // across the ray
    let dir = inner.at.cross(first.at);
    if is_zero(dir.dot(dir)) {
        let touches = is_same(first.at, Vec3::ZERO);
        return Some(if touches { Start::Vertex } else { Start::Segment(first) });
    }
    let dir = unit(dir);
    let second = support(pair, dir);
    if is_not_positive(second.at.dot(dir)) {
        return None;
    }

    // across both; faces look away from the inner point
    let mut dir = unit((first.at - inner.at).cross(second.at - inner.at));
    let mut portal = [inner, first, second, inner];
    if dir.dot(inner.at) > 0.0 {
        portal.swap(1, 2);
        dir = -dir;
    }
    for _ in 0..MAX_STEPS {
        portal[3] = support(pair, dir);
        let [_, v1, v2, v3] = portal.map(|v| v.at);
        if is_not_positive(v3.dot(dir)) {
            return None;
        }

        // the last vertex replaces one beyond which the origin lies
        let outside = |normal: Vec3| {
            let side = normal.dot(inner.at);
            side < 0.0 && !is_zero(side)
        };
        if outside(v1.cross(v3)) {
            portal[2] = portal[3];
        } else if outside(v3.cross(v2)) {
            portal[1] = portal[3];
        } else {
            return Some(Start::Portal(portal));
        }
        dir = unit((portal[1].at - inner.at).cross(portal[2].at - inner.at));
    }
    None
}

/// Moves the portal out until the origin is behind it; nothing if the origin is outside.
fn refine(pair: &mut Pair, portal: &mut Portal, options: &Options) -> Option<()> {
    for _ in 0..MAX_STEPS {
        let dir = direction(portal);
        if is_not_negative(dir.dot(portal[1].at)) {
            return Some(());
        }
        let new = support(pair, dir);
        if !is_not_negative(new.at.dot(dir)) || is_reached(portal, &new, dir, options) {
            return None;
        }
        expand(portal, new);
    }
    None
}

/// Moves the portal to the surface; depth and place of the overlap there.
fn penetrate(pair: &mut Pair, mut portal: Portal, options: &Options) -> Overlap {
    let mut steps = 0;
    loop {
        let dir = direction(&portal);
        let new = support(pair, dir);
        if is_reached(&portal, &new, dir, options) || steps > options.iterations {
            break;
        }
        expand(&mut portal, new);
        steps += 1;
    }
    let nearest = nearest_on_triangle([portal[1].at, portal[2].at, portal[3].at]);
    let depth = nearest.norm();
    let dir = if is_zero(depth) { Vec3::ZERO } else { unit(nearest) };
    Overlap { depth, dir, pos: position(&portal) }
}

/// Outward normal of the portal.
fn direction(portal: &Portal) -> Vec3 {
    let [_, v1, v2, v3] = portal.map(|v| v.at);
    unit((v2 - v1).cross(v3 - v1))
}

/// Whether a new vertex is hardly outside the portal.
fn is_reached(portal: &Portal, new: &Vertex, dir: Vec3, options: &Options) -> bool {
    let height = new.at.dot(dir);
    let [_, v1, v2, v3] = portal.map(|v| height - v.at.dot(dir));
    let gain = v1.min(v2).min(v3);
    is_equal(gain, options.tolerance) || gain < options.tolerance
}

/// Replaces the vertex that keeps the ray inside the portal.
fn expand(portal: &mut Portal, new: Vertex) {
    let across = new.at.cross(portal[0].at);
    let side = |i: usize| portal[i].at.dot(across) > 0.0;
    let replaced = match side(1) {
        true if side(2) => 1,
        true => 3,
        false if side(3) => 2,
        false => 1,
    };
    portal[replaced] = new;
}

/// The place of the origin in both solids, by its weights in the portal.
fn position(portal: &Portal) -> Vec3 {
    let dir = direction(portal);
    let [v0, v1, v2, v3] = portal.map(|v| v.at);
    let mut weight =
        [v1.cross(v2).dot(v3), v3.cross(v2).dot(v0), v0.cross(v1).dot(v3), v2.cross(v1).dot(v0)];
    let mut sum = weight[0] + weight[1] + weight[2] + weight[3];
    if is_not_positive(sum) {
        weight = [0.0, v2.cross(v3).dot(dir), v3.cross(v1).dot(dir), v1.cross(v2).dot(dir)];
        sum = weight[1] + weight[2] + weight[3];
    }
    let inverse = 1.0 / sum;
    let [p1, p2] = [0, 1].map(|i| {
        let terms = portal.iter().zip(weight).map(|(v, w)| v.on[i] * w);
        terms.fold(Vec3::ZERO, |sum, term| sum + term) * inverse
    });
    (p1 + p2) * 0.5
}

// ---- support points

fn support(pair: &mut Pair, dir: Vec3) -> Vertex {
    let on = [farthest(&mut pair.a, dir), farthest(&mut pair.b, -dir)];
    Vertex { at: on[0] - on[1], on, id: [-1; 2] }
}

/// The support point, which unlike GJK's lies in the middle of a side that is across `dir`.
#[doc(alias = "mjccd_support")]
fn farthest(solid: &mut Convex, dir: Vec3) -> Vec3 {
    // the direction in the frame of the solid
    let Pose { pos, mat } = solid.pose;
    let d = mat.tmul_vec(dir);
    let sign = |x: f64| match x {
        x if x < 0.0 => -1.0,
        x if x > 0.0 => 1.0,
        _ => 0.0,
    };

    // farthest point, and ties at the middle
    let local = match solid.outline {
        Outline::Prism { corners } => return farthest_corner(corners, dir),
        Outline::Element(element) => return element_support(element, solid.margin, dir),
        Outline::Ball { radius } => d * radius,
        Outline::Capsule { radius, half_len } => {
            let ball = d * radius;
            Vec3::new(ball.x, ball.y, ball.z + sign(d.z) * half_len)
        }
        Outline::Ellipsoid { half } => d.mul_elem(half).normalize().0.mul_elem(half),
        Outline::Cylinder { radius, half_len } => {
            let across = (d.x * d.x + d.y * d.y).sqrt();
            let place = |x: f64| if across > MINVAL { x / across * radius } else { 0.0 };
            Vec3::new(place(d.x), place(d.y), sign(d.z) * half_len)
        }
        Outline::Box { half } => Vec3::new(sign(d.x), sign(d.y), sign(d.z)).mul_elem(half),
        Outline::Scan { hull, graph: Some(ref graph) } | Outline::Climb { hull, ref graph, .. } => {
            solid.graph_vertex = graph.climb_from(hull.vert, d, solid.graph_vertex);
            hull_vertex(hull.vert, graph.mesh_vertex(solid.graph_vertex))
        }
        Outline::Scan { hull, graph: None } => first_farthest(hull.vert, d),
    };

    // half of the margin beyond it, in the world
    let moved = |x: f64, d: f64| x + d * solid.margin / 2.0;
    mat * Vec3::new(moved(local.x, d.x), moved(local.y, d.y), moved(local.z, d.z)) + pos
}

fn first_farthest(vert: &[[f32; 3]], dir: Vec3) -> Vec3 {
    let mut best = usize::MAX;
    let mut max = -1e10;
    for (i, v) in vert.iter().enumerate() {
        let height = along(dir, v);
        if height > max {
            max = height;
            best = i;
        }
    }
    hull_vertex(vert, best)
}

// ---- the nearest point of a triangle

/// The point of a triangle nearest to the origin.
#[doc(alias = "ccdVec3PointTriDist2")]
fn nearest_on_triangle([a, b, c]: [Vec3; 3]) -> Vec3 {
    // a + s (b - a) + t (c - a)
    let (d1, d2) = (b - a, c - a);
    let (v, w) = (d1.dot(d1), d2.dot(d2));
    let (p, q, r) = (a.dot(d1), a.dot(d2), d1.dot(d2));
    let det = w * v - r * r;
    let (s, t) = if is_zero(det) {
        (-1.0, -1.0)
    } else {
        let s = (q * r - w * p) / det;
        (s, (-s * r - q) / w)
    };
    let at_most_one = |x: f64| is_equal(x, 1.0) || x < 1.0;
    if is_not_negative(s)
        && at_most_one(s)
        && is_not_negative(t)
        && at_most_one(t)
        && at_most_one(t + s)
    {
        return a + d1 * s + d2 * t;
    }

    // outside: on one of the edges
    let mut best = nearest_on_segment(a, b);
    for other in [nearest_on_segment(a, c), nearest_on_segment(b, c)] {
        if other.dot(other) < best.dot(best) {
            best = other;
        }
    }
    best
}

fn nearest_on_segment(a: Vec3, b: Vec3) -> Vec3 {
    let d = b - a;
    let t = -a.dot(d) / d.dot(d);
    if t < 0.0 || is_zero(t) {
        a
    } else if t > 1.0 || is_equal(t, 1.0) {
        b
    } else {
        d * t + a
    }
}

// ---- comparisons up to rounding

fn unit(v: Vec3) -> Vec3 {
    v * (1.0 / v.norm())
}

fn is_zero(x: f64) -> bool {
    x.abs() < EPS
}

fn is_not_positive(x: f64) -> bool {
    is_zero(x) || x < 0.0
}

fn is_not_negative(x: f64) -> bool {
    is_zero(x) || x > 0.0
}

fn is_equal(a: f64, b: f64) -> bool {
    let gap = (a - b).abs();
    let larger = if b.abs() > a.abs() { b.abs() } else { a.abs() };
    gap < EPS || gap < EPS * larger
}

fn is_same(a: Vec3, b: Vec3) -> bool {
    is_equal(a.x, b.x) && is_equal(a.y, b.y) && is_equal(a.z, b.z)
}
