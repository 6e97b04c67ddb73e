//! The point of a simplex nearest to the origin, as weights of its vertices.
//!
//! Montanari, Petrinic & Barbieri, *Improving the GJK Algorithm for Faster and More Reliable
//! Distance Queries Between Convex Objects* (2017). Weights are ratios of signed volumes, and a
//! face is examined only if its opposite vertex has a volume of the wrong sign.

use sinew_math::simd::alone;
use sinew_math::{MINVAL, Vec3};

/// A point of the Minkowski difference and the points of the two solids it comes from.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Vertex {
    /// `on[0] - on[1]`
    pub at: Vec3,
    /// Support points.
    pub on: [Vec3; 2],
    /// Their vertices, -1 where a solid has none.
    pub id: [i32; 2],
}

/// Up to four vertices, and the weights of the point that GJK is at.
///
/// There are four places more, for the vertices that a search for an overlap puts in their stead.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Simplex {
    /// Support points and their vertices.
    verts: [Vertex; PLACES],
    /// Where the vertices are, once more.
    points: Points,
    /// Weights of the vertices.
    weights: [f64; 4],
    /// Places of the vertices of the simplex; those past `n` mean nothing.
    order: [usize; 4],
    /// How many there are.
    pub n: usize,
    /// An axis that separates the solids, from the first to the second, if the search ended with
    /// one.
    pub axis: Vec3,
}

const PLACES: usize = 8;

/// Points by their coordinates. Side by side, the coordinates of a point would be computed in
/// pairs. Every sum over them would then wait for the extraction of a register's parts.
#[derive(Clone, Copy, Debug, Default)]
struct Points {
    x: [f64; PLACES],
    y: [f64; PLACES],
    z: [f64; PLACES],
}

impl Points {
    /// The point at a place.
    #[inline(always)]
    fn at(&self, i: usize) -> Vec3 {
        let i = i % PLACES;
        Vec3::new(self.x[i], self.y[i], self.z[i])
    }

    #[inline(always)]
    fn set(&mut self, i: usize, point: Vec3) {
        let i = i % PLACES;
        (self.x[i], self.y[i], self.z[i]) = (point.x, point.y, point.z);
    }
}

impl Simplex {
    /// Starts without vertices.
    #[inline]
    pub(super) fn clear(&mut self) {
        self.n = 0;
        self.order = [0, 1, 2, 3];
    }

    /// Vertex `i` of the simplex, if there are that many.
    #[inline]
    pub(super) fn vertex(&self, i: usize) -> &Vertex {
        &self.verts[self.order[i & 3] % PLACES]
    }

    /// The point at a place.
    #[inline(always)]
    pub(super) fn point_at(&self, place: usize) -> Vec3 {
        self.points.at(place)
    }

    /// Puts a vertex in a place.
    #[inline(always)]
    pub(super) fn set(&mut self, place: usize, vertex: Vertex) {
        self.points.set(place, vertex.at);
        self.verts[place % PLACES] = vertex;
    }

    /// Makes a tetrahedron of the vertices at four places.
    #[inline]
    pub(super) fn set_order(&mut self, order: [usize; 4]) {
        self.order = order;
        self.n = 4;
    }

    /// The point nearest to the origin. Vertices that it does not need are dropped.
    ///
    /// Most often all are needed: then the sum is taken at once. Weights are written and read one
    /// by one, since a read of several would wait until all are written.
    #[inline(always)]
    pub(super) fn advance(&mut self) -> Vec3 {
        let s = &self.points;

        // barycentric weights of the nearest point
        match self.n {
            2 => {
                let (a, b) = (s.at(0), s.at(1));
                let (u, v) = segment(a, b);
                self.weights = [alone(u), alone(v), 0.0, 0.0];
                if u != 0.0 && v != 0.0 {
                    return a * u + b * v;
                }
            }
            3 => {
                let [u, v, w] = triangle(s, 0, 1, 2);
                self.weights = [alone(u), alone(v), alone(w), 0.0];
                if u != 0.0 && v != 0.0 && w != 0.0 {
                    return s.at(0) * u + s.at(1) * v + s.at(2) * w;
                }
            }
            4 => tetrahedron(s, &mut self.weights),
            _ => {
                self.weights = [1.0, 0.0, 0.0, 0.0];
                return s.at(0) * 1.0;
            }
        }

        // some are zero: their vertices are dropped
        self.reduce();
        self.combine()
    }

    /// Drops the vertices of weight zero, and their weights.
    fn reduce(&mut self) {
        self.n = 0;
        for i in 0..4 {
            let weight = alone(self.weights[i]);
            if weight != 0.0 {
                if self.n != i {
                    self.verts[self.n] = self.verts[i];
                    self.points.set(self.n, self.points.at(i));
                    self.weights[self.n] = weight;
                }
                self.n += 1;
            }
        }
    }

    /// Weighted sum of the vertices.
    #[inline(always)]
    fn combine(&self) -> Vec3 {
        self.sum(|i| self.points.at(i))
    }

    /// Weighted sums of the points of the two solids; there must be one.
    #[inline(always)]
    pub(super) fn combine_on(&self) -> [Vec3; 2] {
        [self.sum(|i| self.verts[i].on[0]), self.sum(|i| self.verts[i].on[1])]
    }

    #[inline(always)]
    fn sum(&self, point: impl Fn(usize) -> Vec3) -> Vec3 {
        let term = |i: usize| (point(i) * alone(self.weights[i])).alone();
        let mut sum = term(0);
        for i in 1..self.n.min(4) {
            sum = (sum + term(i)).alone();
        }
        sum
    }
}

fn tetrahedron(s: &Points, weights: &mut [f64; 4]) {
    let (a, b, c, d) = (s.at(0), s.at(1), s.at(2), s.at(3));

    // cofactors of the last row of [s; 1 1 1 1], six times the signed volumes with the origin
    let cofactor =
        [alone(-det(b, c, d)), alone(det(a, c, d)), alone(-det(a, b, d)), alone(det(a, b, c))];
    let volume = cofactor[0] + cofactor[1] + cofactor[2] + cofactor[3];
    let inside = cofactor.map(|x| same_sign(volume, x));
    if inside[0] && inside[1] && inside[2] && inside[3] {
        *weights = cofactor.map(|x| alone(x / volume));
        return;
    }

    // the nearest of the faces that the origin lies beyond
    *weights = [0.0; 4];
    let mut min = f64::MAX;
    for (skip, [i, j, k]) in [[1, 2, 3], [0, 2, 3], [0, 1, 3], [0, 1, 2]].into_iter().enumerate() {
        if inside[skip] {
            continue;
        }
        let [u, v, w] = triangle_at(s, i, j, k).map(alone);
        let x = s.at(i) * u + s.at(j) * v + s.at(k) * w;
        let dist2 = x.dot(x);
        if skip == 0 || dist2 < min {
            // The last face leaves the fourth weight as it is, as MuJoCo does. The weights then add
            // up to more than one, and GJK reports a contact of separate solids. About one distance
            // of polytopes in a hundred is reported as zero.
            if skip < 3 {
                weights[skip] = 0.0;
            }
            (weights[i], weights[j], weights[k]) = (alone(u), alone(v), alone(w));
            min = dist2;
        }
    }
}

#[inline(never)]
fn triangle_at(s: &Points, i: usize, j: usize, k: usize) -> [f64; 3] {
    triangle(s, i, j, k)
}

/// Weights of the corners of the triangle at three places.
#[inline(always)]
fn triangle(s: &Points, i: usize, j: usize, k: usize) -> [f64; 3] {
    let corners = [s.at(i), s.at(j), s.at(k)];
    match project_at_corner(corners[0], corners[1], corners[2]) {
        Foot::At(origin) => triangle_weights(s, [i, j, k], corners, origin),
        // by places, so that nothing is written to memory where the second corner will do
        Foot::NoArea => triangle_thin(s, i, j).map(alone),
        Foot::Unknown => triangle_askew(s, i, j, k).map(alone),
    }
}

/// Weights of the corners of a triangle whose second corner gives no projection.
#[inline(never)]
fn triangle_askew(s: &Points, i: usize, j: usize, k: usize) -> [f64; 3] {
    let corners = [s.at(i), s.at(j), s.at(k)];
    match project_at_other_corner(corners[0], corners[1], corners[2]) {
        Some(origin) => triangle_weights(s, [i, j, k], corners, origin),
        None => triangle_thin(s, i, j),
    }
}

/// Weights of the corners of a triangle without an area.
#[inline(never)]
fn triangle_thin(s: &Points, i: usize, j: usize) -> [f64; 3] {
    let (u, v) = segment(s.at(i), s.at(j));
    [u, v, 0.0]
}

/// Weights of the corners of a triangle, with the origin projected on its plane.
#[inline(always)]
fn triangle_weights(s: &Points, at: [usize; 3], corners: [Vec3; 3], origin: Vec3) -> [f64; 3] {
    let (area, parts) = areas(corners, origin.alone());
    let inside = parts.map(|x| same_sign(area, x));
    if inside[0] && inside[1] && inside[2] {
        return parts.map(|x| alone(x / area));
    }

    // the nearest of the edges that the origin lies beyond
    let [i, j, k] = at;
    let mut best = [0.0; 3];
    let mut min = f64::MAX;
    if !inside[0] {
        let (u, v, dist2) = edge(s, j, k);
        (best, min) = ([0.0, u, v], dist2);
    }
    if !inside[1] {
        let (u, v, dist2) = edge(s, i, k);
        if dist2 < min {
            (best, min) = ([u, 0.0, v], dist2);
        }
    }
    if !inside[2] {
        let (u, v, dist2) = edge(s, i, j);
        if dist2 < min {
            best = [u, v, 0.0];
        }
    }
    best
}

/// Weights of the ends of the segment between two places, and its squared distance.
#[inline(never)]
fn edge(s: &Points, i: usize, j: usize) -> (f64, f64, f64) {
    let (a, b) = (s.at(i), s.at(j));
    let (u, v) = segment(a, b);
    let x = (a * u + b * v).alone();
    (u, v, x.dot(x))
}

#[inline(always)]
fn segment(a: Vec3, b: Vec3) -> (f64, f64) {
    // the origin on the line
    let along = (b - a).alone();
    let p = (b + along * -(b.dot(along) / along.dot(along))).alone();

    // barycentric coordinates on the coordinate axis along which the segment is longest
    let shadow = (a - b).alone();
    let (mut length, mut from_b, mut to_a) = (shadow.x, p.x - b.x, a.x - p.x);
    if shadow.y.abs() >= length.abs() {
        (length, from_b, to_a) = (shadow.y, p.y - b.y, a.y - p.y);
    }
    if shadow.z.abs() >= length.abs() {
        (length, from_b, to_a) = (shadow.z, p.z - b.z, a.z - p.z);
    }
    if same_sign(length, from_b) && same_sign(length, to_a) {
        (alone(from_b / length), alone(to_a / length))
    } else {
        (0.0, 1.0)
    }
}

/// Weights that give the point `p` of the plane of a triangle.
pub(super) fn affine(s: [Vec3; 3], p: Vec3) -> [f64; 3] {
    let (area, parts) = areas(s, p);
    parts.map(|x| x / area)
}

/// Signed area of a triangle and of the three that `p` divides it into, all without the axis
/// along which the triangle looks largest.
#[inline(always)]
fn areas([a, b, c]: [Vec3; 3], p: Vec3) -> (f64, [f64; 3]) {
    let yz = |v: Vec3| [v.y, v.z];
    let xz = |v: Vec3| [v.x, v.z];
    let xy = |v: Vec3| [v.x, v.y];
    let x = alone(minor(yz(a), yz(b), yz(c)));
    let y = alone(minor(xz(a), xz(b), xz(c)));
    let z = alone(minor(xy(a), xy(b), xy(c)));
    let flat = |f: fn(Vec3) -> [f64; 2]| {
        let (a, b, c, p) = (f(a), f(b), f(c), f(p));
        [alone(area(p, b, c)), alone(area(p, c, a)), alone(area(p, a, b))]
    };
    let (mx, my, mz) = (x.abs(), y.abs(), z.abs());
    if mx >= my && mx >= mz {
        (x, flat(yz))
    } else if my >= mz {
        (y, flat(xz))
    } else {
        (z, flat(xy))
    }
}

/// Twice the signed area of a triangle, summed as the minor of a 4x4 determinant.
#[inline]
fn minor(a: [f64; 2], b: [f64; 2], c: [f64; 2]) -> f64 {
    b[0] * c[1] - b[1] * c[0] - a[0] * c[1] + a[1] * c[0] + a[0] * b[1] - a[1] * b[0]
}

/// Twice the signed area of a triangle, summed as a 3x3 determinant.
#[inline]
fn area(p: [f64; 2], u: [f64; 2], v: [f64; 2]) -> f64 {
    p[0] * u[1] + p[1] * v[0] + u[0] * v[1] - p[0] * v[1] - p[1] * u[0] - v[0] * u[1]
}

/// The origin projected on the plane of a triangle.
#[derive(Clone, Copy, Debug)]
pub(super) enum Foot {
    /// There.
    At(Vec3),
    /// The triangle has no area.
    NoArea,
    /// Zero, or the triangle is thin: another corner must be tried.
    Unknown,
}

/// The origin projected on the plane of a triangle, with the normal at the second corner.
///
/// The corner at which the normal is taken changes until the projection is not zero.
#[inline(always)]
pub(super) fn project_at_corner(a: Vec3, b: Vec3, c: Vec3) -> Foot {
    let (ab, bc) = ((b - a).alone(), (c - b).alone());
    let n = bc.cross(ab).alone();
    let (height, norm2) = (n.dot_alone(b), n.dot_alone(n));
    if height != 0.0 && norm2 > MINVAL {
        Foot::At((n * (height / norm2)).alone())
    } else if norm2 == 0.0 {
        Foot::NoArea
    } else {
        Foot::Unknown
    }
}

/// The same with the normals at the first corner and the third; nothing if the triangle has no
/// area.
#[inline(always)]
pub(super) fn project_at_other_corner(a: Vec3, b: Vec3, c: Vec3) -> Option<Vec3> {
    let (ab, ac) = ((b - a).alone(), (c - a).alone());
    let n = ab.cross(ac).alone();
    let (height, norm2) = (n.dot_alone(a), n.dot_alone(n));
    if norm2 == 0.0 {
        return None;
    }
    if height != 0.0 && norm2 > MINVAL {
        return Some((n * (height / norm2)).alone());
    }
    let n = ac.cross(c - b).alone();
    Some((n * (n.dot_alone(c) / n.dot_alone(n))).alone())
}

/// Determinant of the matrix with these columns.
#[inline]
pub(super) fn det(a: Vec3, b: Vec3, c: Vec3) -> f64 {
    a.dot(b.cross(c))
}

#[inline]
fn same_sign(a: f64, b: f64) -> bool {
    (a > 0.0 && b > 0.0) || (a < 0.0 && b < 0.0)
}

/// Whether two points agree to the last digits.
#[inline]
pub(super) fn same_point(a: Vec3, b: Vec3) -> bool {
    let gap = a - b;
    gap.x.abs() < MINVAL && gap.y.abs() < MINVAL && gap.z.abs() < MINVAL
}
