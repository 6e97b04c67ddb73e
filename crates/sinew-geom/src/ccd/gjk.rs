//! GJK: distance of two convex solids, or whether they overlap.
//!
//! Both searches work in the Minkowski difference. The solids overlap if it contains the origin;
//! otherwise their distance is its distance from the origin. Gilbert, Johnson & Keerthi (1988);
//! with the Frank-Wolfe duality gap as the end, Montaut et al., *Collision Detection Accelerated:
//! An Optimization Perspective* (2022).

use sinew_math::{MINVAL, Vec3, scalar};

use crate::ccd::options::Options;
use crate::ccd::simplex::{Simplex, Vertex, same_point};
use crate::ccd::support::Convex;

/// Two convex solids.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pair<'a> {
    pub a: Convex<'a>,
    pub b: Convex<'a>,
}

impl Pair<'_> {
    /// The point of the Minkowski difference farthest in the unit direction `dir`.
    #[inline(always)]
    pub(super) fn support(&mut self, dir: Vec3) -> Vertex {
        let dir = dir.alone();
        let on1 = self.a.support(dir).alone();
        let on2 = self.b.support(-dir).alone();
        Vertex { at: (on1 - on2).alone(), on: [on1, on2], id: [self.a.vertex, self.b.vertex] }
    }

    /// Whether the difference is a polytope, so that searches end without a tolerance.
    pub(super) fn is_discrete(&self) -> bool {
        self.a.is_discrete() && self.b.is_discrete()
    }

    /// A point inside each solid.
    #[inline(always)]
    pub(super) fn centers(&self) -> [Vec3; 2] {
        [self.a.center(), self.b.center()]
    }
}

/// How a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// The solids are too far apart: the axis that is left in the simplex separates them.
    Separated,
    /// The solids are too far apart, and no axis is known.
    Far,
    /// The solids overlap.
    Overlap,
    /// The simplex has the nearest points.
    Nearest,
}

/// The nearest points of two solids whose search ended with them.
#[inline(always)]
pub(super) fn nearest_points(pair: &Pair, simplex: &Simplex) -> [Vec3; 2] {
    if simplex.n == 0 { pair.centers() } else { simplex.combine_on() }
}

/// The distance of two solids no farther apart than `cutoff`; zero if they overlap, the largest
/// number if they are too far apart.
///
/// A cutoff of zero asks only whether the solids overlap, which is found without distances. The
/// vertices around the nearest point are left in `simplex`, or an axis that separates the solids.
pub(super) fn gjk(
    pair: &mut Pair,
    cutoff: f64,
    options: &Options,
    simplex: &mut Simplex,
) -> (f64, End) {
    let wants_dist = cutoff > 0.0;
    let mut tries_overlap = !wants_dist;
    let gap = if pair.is_discrete() { 0.0 } else { 0.5 * options.tolerance * options.tolerance };

    simplex.clear();
    let [center1, center2] = pair.centers();
    let mut x = center1 - center2;
    let mut dist = 0.0;
    let mut k = 0;
    while k < options.iterations {
        dist = x.dot_alone(x);
        if dist < MINVAL * MINVAL {
            break;
        }
        dist = scalar::sqrt(dist);
        let dir = -(x * (1.0 / dist));
        let vertex = pair.support(dir);
        simplex.set(simplex.n, vertex);

        // done if the duality gap is closed, or the solids are known to be too far apart
        if x.dot_alone(x - vertex.at) < gap {
            if k == 0 {
                simplex.n = 1;
            }
            break;
        }
        if is_beyond(x, vertex.at, cutoff) {
            simplex.axis = dir;
            return (f64::MAX, End::Separated);
        }

        // a tetrahedron: continue with the cheaper search if no distance is needed
        if simplex.n == 3 && tries_overlap {
            tries_overlap = false;
            match overlap(pair, simplex, k, options.iterations) {
                Overlap::No => return (f64::MAX, End::Separated),
                Overlap::Yes => return (0.0, End::Overlap),
                Overlap::Unknown(steps) => k = steps,
            }
        }

        // the nearest point of the simplex, and the vertices it needs
        simplex.n += 1;
        let next = simplex.advance().alone();
        if simplex.n == 0 {
            return (f64::MAX, End::Far);
        }
        if same_point(next, x) {
            break;
        }
        x = next;
        if simplex.n == 4 {
            dist = 0.0;
            break;
        }
        k += 1;
    }

    (dist, End::Nearest)
}

/// Whether the plane through `s` across `x` shows that the solids are farther apart than `cutoff`.
#[inline]
fn is_beyond(x: Vec3, s: Vec3, cutoff: f64) -> bool {
    let along = x.dot_alone(s);
    if cutoff <= 0.0 {
        return along > 0.0;
    }
    cutoff < f64::MAX && along > 0.0 && along * along / x.dot(x) >= cutoff * cutoff
}

enum Overlap {
    Yes,
    /// An axis separates them.
    No,
    /// Not decided after this number of steps.
    Unknown(usize),
}

/// Whether solids overlap: moves a tetrahedron until it contains the origin or a face shows that
/// the origin is outside. The tetrahedron, or the normal of the face, is left in `simplex`.
#[doc(alias = "gjkIntersect")]
fn overlap(pair: &mut Pair, simplex: &mut Simplex, steps: usize, max_steps: usize) -> Overlap {
    let mut order = [0usize, 1, 2, 3];
    for k in steps..max_steps {
        let at = |i: usize| simplex.point_at(order[i]);
        let (a, b, c, d) = (at(0), at(1), at(2), at(3));
        let faces = [plane(c, b, d), plane(a, c, d), plane(b, a, d), plane(a, b, c)];
        let dist = [faces[0].0, faces[1].0, faces[2].0, faces[3].0];
        if dist[3] == 0.0 || dist[2] == 0.0 || dist[1] == 0.0 || dist[0] == 0.0 {
            return Overlap::Unknown(k);
        }

        // the face that the origin is farthest beyond
        let i = if dist[0] < dist[1] { 0 } else { 1 };
        let j = if dist[2] < dist[3] { 2 } else { 3 };
        let worst = if dist[i] < dist[j] { i } else { j };
        if dist[worst] > 0.0 {
            simplex.set_order(order);
            return Overlap::Yes;
        }

        // its opposite vertex is replaced; two others change places to keep the orientation
        let normal = faces[worst].1;
        let vertex = pair.support(normal);
        order[worst] = 4 + order[worst] % 4;
        simplex.set(order[worst], vertex);
        if normal.dot(vertex.at) < 0.0 {
            simplex.axis = normal;
            return Overlap::No;
        }
        order.swap((worst + 1) & 3, (worst + 2) & 3);
    }
    Overlap::Unknown(max_steps.max(steps))
}

/// Distance of a triangle's plane from the origin, and its normal.
///
/// A triangle without a normal is put infinitely far away and is never chosen.
#[inline]
fn plane(a: Vec3, b: Vec3, c: Vec3) -> (f64, Vec3) {
    let normal = (c - a).cross(b - a);
    let norm2 = normal.dot(normal);
    if norm2 > MINVAL * MINVAL && norm2 < MAXVAL * MAXVAL {
        let normal = normal * (1.0 / scalar::sqrt(norm2));
        return (normal.dot(a), normal);
    }
    (f64::MAX, normal)
}

/// `mjMAXVAL`
const MAXVAL: f64 = 1e10;
