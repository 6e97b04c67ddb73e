//! The point of a simplex nearest to the origin, as weights of its vertices.
//!
//! Montanari, Petrinic & Barbieri, *Improving the GJK Algorithm for Faster and More Reliable
//! Distance Queries Between Convex Objects* (2017): weights are ratios of signed volumes, and a
//! face is looked at only if its opposite vertex has a volume of the wrong sign.

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

/// Up to four vertices.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Simplex {
    /// The vertices; those past `n` mean nothing.
    verts: [Vertex; 4],
    /// Where they are.
    points: Points,
    /// How many there are.
    pub n: usize,
}

/// Four points by their coordinates. Side by side, the coordinates of a point would be computed in
/// pairs, and every sum over them would wait for a register to be taken apart.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Points {
    x: [f64; 4],
    y: [f64; 4],
    z: [f64; 4],
}

impl Points {
    /// Point `i`, which is less than four.
    #[inline(always)]
    pub(super) fn at(&self, i: usize) -> Vec3 {
        Vec3::new(self.x[i & 3], self.y[i & 3], self.z[i & 3])
    }

    #[inline(always)]
    pub(super) fn set(&mut self, i: usize, point: Vec3) {
        (self.x[i & 3], self.y[i & 3], self.z[i & 3]) = (point.x, point.y, point.z);
    }
}

impl Simplex {
    /// The vertices; those past `n` mean nothing.
    pub(super) fn verts(&self) -> &[Vertex; 4] {
        &self.verts
    }

    /// Where the vertices are.
    pub(super) fn points(&self) -> &Points {
        &self.points
    }

    /// Sets vertex `i`, which is less than four.
    #[inline(always)]
    pub(super) fn set(&mut self, i: usize, vertex: Vertex) {
        self.points.set(i, vertex.at);
        self.verts[i & 3] = vertex;
    }

    /// Sets all vertices.
    pub(super) fn set_all(&mut self, verts: [Vertex; 4]) {
        for (i, vertex) in verts.into_iter().enumerate() {
            self.set(i, vertex);
        }
        self.n = 4;
    }

    /// Weights of the point nearest to the origin; zero for vertices it does not need.
    pub(super) fn nearest(&self) -> [f64; 4] {
        match self.n {
            4 => tetrahedron(&self.points),
            3 => {
                let [u, v, w] = triangle(&self.points, [0, 1, 2]);
                [u, v, w, 0.0]
            }
            2 => {
                let [u, v] = segment(&self.points, [0, 1]);
                [u, v, 0.0, 0.0]
            }
            _ => [1.0, 0.0, 0.0, 0.0],
        }
    }

    /// Drops the vertices of weight zero, and their weights.
    #[inline]
    pub(super) fn reduce(&mut self, weights: &mut [f64; 4]) {
        // most often all are needed
        let needed = weights.map(|weight| usize::from(weight != 0.0));
        if needed[0] + needed[1] + needed[2] + needed[3] == self.n {
            return;
        }
        self.n = 0;
        for i in 0..4 {
            if weights[i] != 0.0 {
                if self.n != i {
                    self.verts[self.n] = self.verts[i];
                    self.points.set(self.n, self.points.at(i));
                    weights[self.n] = weights[i];
                }
                self.n += 1;
            }
        }
    }

    /// Weighted sum of the vertices; there must be one.
    #[inline]
    pub(super) fn combine(&self, weights: &[f64; 4]) -> Vec3 {
        self.sum(weights, |i| self.points.at(i))
    }

    /// Weighted sums of the points of the two solids; there must be one.
    #[inline]
    pub(super) fn combine_on(&self, weights: &[f64; 4]) -> [Vec3; 2] {
        [0, 1].map(|side| self.sum(weights, |i| self.verts[i].on[side]))
    }

    #[inline(always)]
    fn sum(&self, weights: &[f64; 4], point: impl Fn(usize) -> Vec3) -> Vec3 {
        let term = |i: usize| point(i) * weights[i];
        let mut sum = term(0);
        for i in 1..self.n.min(4) {
            sum += term(i);
        }
        sum
    }
}

fn tetrahedron(s: &Points) -> [f64; 4] {
    let (a, b, c, d) = (s.at(0), s.at(1), s.at(2), s.at(3));

    // cofactors of the last row of [s; 1 1 1 1], six times the signed volumes with the origin
    let cofactor = [-det(b, c, d), det(a, c, d), -det(a, b, d), det(a, b, c)];
    let volume = cofactor[0] + cofactor[1] + cofactor[2] + cofactor[3];
    let inside = cofactor.map(|x| same_sign(volume, x));
    if inside == [true; 4] {
        return cofactor.map(|x| x / volume);
    }

    // the nearest of the faces that the origin lies beyond
    let mut best = [0.0; 4];
    let mut min = f64::MAX;
    for (skip, [i, j, k]) in [[1, 2, 3], [0, 2, 3], [0, 1, 3], [0, 1, 2]].into_iter().enumerate() {
        if inside[skip] {
            continue;
        }
        let [u, v, w] = triangle(s, [i, j, k]);
        let x = s.at(i) * u + s.at(j) * v + s.at(k) * w;
        let dist2 = x.dot(x);
        if skip == 0 || dist2 < min {
            // The last face leaves the fourth weight as it is, as MuJoCo does. The weights then
            // add up to more than one, and GJK takes solids that are apart for touching: about
            // one distance of polytopes in a hundred is reported as zero.
            if skip < 3 {
                best[skip] = 0.0;
            }
            (best[i], best[j], best[k]) = (u, v, w);
            min = dist2;
        }
    }
    best
}

fn triangle(s: &Points, corners: [usize; 3]) -> [f64; 3] {
    let [a, b, c] = corners.map(|i| s.at(i));
    let Some(origin) = project_on_plane(a, b, c) else {
        let [u, v] = segment(s, [corners[0], corners[1]]);
        return [u, v, 0.0];
    };
    let (area, parts) = areas([a, b, c], origin);
    let inside = parts.map(|x| same_sign(area, x));
    if inside == [true; 3] {
        return parts.map(|x| x / area);
    }

    // the nearest of the edges that the origin lies beyond
    let mut best = [0.0; 3];
    let mut min = f64::MAX;
    for (skip, [i, j]) in [[1, 2], [0, 2], [0, 1]].into_iter().enumerate() {
        if inside[skip] {
            continue;
        }
        let [u, v] = segment(s, [corners[i], corners[j]]);
        let x = s.at(corners[i]) * u + s.at(corners[j]) * v;
        let dist2 = x.dot(x);
        if skip == 0 || dist2 < min {
            best = [0.0; 3];
            (best[i], best[j]) = (u, v);
            min = dist2;
        }
    }
    best
}

fn segment(s: &Points, ends: [usize; 2]) -> [f64; 2] {
    let (a, b) = (s.at(ends[0]), s.at(ends[1]));

    // the origin on the line
    let along = b - a;
    let p = b + along * -(b.dot(along) / along.dot(along));

    // barycentric coordinates on the coordinate axis along which the segment is longest
    let shadow = a - b;
    let (mut length, mut from_b, mut to_a) = (shadow.x, p.x - b.x, a.x - p.x);
    if shadow.y.abs() >= length.abs() {
        (length, from_b, to_a) = (shadow.y, p.y - b.y, a.y - p.y);
    }
    if shadow.z.abs() >= length.abs() {
        (length, from_b, to_a) = (shadow.z, p.z - b.z, a.z - p.z);
    }
    if same_sign(length, from_b) && same_sign(length, to_a) {
        [from_b / length, to_a / length]
    } else {
        [0.0, 1.0]
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
    let [x, y, z] =
        [minor(yz(a), yz(b), yz(c)), minor(xz(a), xz(b), xz(c)), minor(xy(a), xy(b), xy(c))];
    let flat = |f: fn(Vec3) -> [f64; 2]| {
        let (a, b, c, p) = (f(a), f(b), f(c), f(p));
        [area(p, b, c), area(p, c, a), area(p, a, b)]
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

/// The origin projected on the plane of a triangle; nothing if the triangle has no area.
///
/// The corner at which the normal is taken changes until the projection is not zero.
#[inline]
pub(super) fn project_on_plane(a: Vec3, b: Vec3, c: Vec3) -> Option<Vec3> {
    let (ab, bc) = (b - a, c - b);
    let n = bc.cross(ab);
    let (height, norm2) = (n.dot(b), n.dot(n));
    if height != 0.0 && norm2 > MINVAL {
        return Some(n * (height / norm2));
    }
    if norm2 == 0.0 { None } else { project_at_other_corner(a, ab, c, bc) }
}

#[cold]
fn project_at_other_corner(a: Vec3, ab: Vec3, c: Vec3, bc: Vec3) -> Option<Vec3> {
    let ac = c - a;
    let n = ab.cross(ac);
    let (height, norm2) = (n.dot(a), n.dot(n));
    if norm2 == 0.0 {
        return None;
    }
    if height != 0.0 && norm2 > MINVAL {
        return Some(n * (height / norm2));
    }
    let n = ac.cross(bc);
    Some(n * (n.dot(c) / n.dot(n)))
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
