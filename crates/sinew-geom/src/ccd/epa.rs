//! EPA: how deep two convex solids overlap.
//!
//! A polytope inside the Minkowski difference grows around the origin. Each step adds the support
//! point of the face nearest to the origin, until that face lies on the surface. Van den Bergen,
//! *Proximity Queries and Penetration Depth Computation on 3D Game Objects* (2001).

use sinew_math::simd::alone;
use sinew_math::{MINVAL, Mat3, Vec3, scalar};

use crate::ccd::gjk::Pair;
use crate::ccd::memory::{List, Memory, Plain};
use crate::ccd::options::Options;
use crate::ccd::simplex::{
    Foot, Simplex, Vertex, affine, det, project_at_corner, project_at_other_corner,
};

/// Faces a polytope may have for each iteration, of which at least [`MIN_ITERATIONS`] are counted.
const FACES_PER_ITERATION: usize = 6;
const MIN_ITERATIONS: usize = 170;

/// Squared distance below which the origin lies on a face.
const ON_FACE: f64 = MINVAL * MINVAL;

/// The expanding polytope.
pub(super) struct Polytope<M: Memory> {
    pub verts: M::List<Vertex>,
    /// Faces; those past `n_faces` mean nothing.
    pub(super) faces: M::List<Face>,
    n_faces: usize,
    /// Faces that may be the answer, in the order in which they are compared; those past `n_open`
    /// mean nothing.
    pub(super) open: M::List<Open>,
    n_open: usize,
    /// Edges of faces that stay, next to faces that were seen from the new vertex; those past
    /// `n_horizon` mean nothing.
    pub(super) horizon: M::List<Rim>,
    n_horizon: usize,
    /// Edges of faces seen from the new vertex, still to be looked across; the last comes first.
    pub(super) crossings: M::List<Crossing>,
    /// Whether there was no room for it to grow.
    spilled: bool,
}

/// A face that may be the answer.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Open {
    dist2: f64,
    face: u32,
}

/// A triangle of the polytope.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Face {
    /// Vertices, clockwise from outside.
    pub verts: [u32; 3],
    /// The face beyond each edge; edge `i` is from vertex `i` to the next.
    beyond: [u32; 3],
    /// The origin projected on the plane of the face.
    foot: Vec3,
    /// Squared length of `foot`.
    dist2: f64,
    /// Position in the list of open faces, or one of the two below.
    place: u32,
}

/// On the polytope, but not a candidate.
const CLOSED: u32 = u32::MAX;
/// No longer on the polytope.
const DELETED: u32 = u32::MAX - 1;

// SAFETY: numbers alone.
#[allow(unsafe_code)]
unsafe impl Plain for Vertex {}
// SAFETY: numbers alone.
#[allow(unsafe_code)]
unsafe impl Plain for Face {}
// SAFETY: numbers alone.
#[allow(unsafe_code)]
unsafe impl Plain for Open {}
// SAFETY: numbers alone.
#[allow(unsafe_code)]
unsafe impl Plain for Crossing {}
// SAFETY: numbers alone.
#[allow(unsafe_code)]
unsafe impl Plain for Rim {}

/// An edge of a face.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Crossing {
    face: u32,
    edge: u32,
}

/// An edge of a face and the vertices at its ends.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Rim {
    face: u32,
    edge: u32,
    ends: [u32; 2],
}

/// Result of EPA.
#[derive(Clone, Copy, Debug)]
pub(super) struct Depth {
    /// Minus the depth of the overlap.
    pub dist: f64,
    /// Points of the two solids that are deepest inside the other.
    pub points: [Vec3; 2],
    /// The face that holds them.
    pub face: Face,
}

impl<M: Memory> Polytope<M> {
    /// A polytope in these lists.
    pub(super) fn new(
        verts: M::List<Vertex>,
        faces: M::List<Face>,
        open: M::List<Open>,
        horizon: M::List<Rim>,
        crossings: M::List<Crossing>,
    ) -> Self {
        let counts = (0, 0, 0);
        let (n_faces, n_open, n_horizon) = counts;
        Polytope {
            verts,
            faces,
            n_faces,
            open,
            n_open,
            horizon,
            n_horizon,
            crossings,
            spilled: false,
        }
    }

    /// Whether there was no room for it to grow.
    pub(super) fn is_spilled(&self) -> bool {
        self.spilled
    }

    /// Depth of the overlap of two solids, from the simplex in which GJK ended.
    ///
    /// `Err` says that no polytope could be built; `Ok(None)` that it failed while growing.
    pub(super) fn depth(
        &mut self,
        pair: &mut Pair,
        simplex: &Simplex,
        options: &Options,
    ) -> Result<Option<Depth>, NoPolytope> {
        self.clear();
        match simplex.n {
            2 => self.around_segment(pair, simplex)?,
            3 => {
                self.verts.append((0..3).map(|i| *simplex.vertex(i)));
                self.around_triangle(pair)?;
            }
            _ => self.around_origin(pair, simplex)?,
        }
        let face = self.expand(pair, options).map(|face| self.faces[face as usize]);
        Ok(face.map(|face| self.witness(face)))
    }

    fn clear(&mut self) {
        self.verts.clear();
        self.n_faces = 0;
        self.n_open = 0;
    }

    /// Deepest points on a face.
    fn witness(&self, face: Face) -> Depth {
        let v = face.verts.map(|i| &self.verts[i as usize]);
        let weight = affine([v[0].at, v[1].at, v[2].at], face.foot);
        let point =
            |i: usize| v[0].on[i] * weight[0] + v[1].on[i] * weight[1] + v[2].on[i] * weight[2];
        Depth { dist: -scalar::sqrt(face.dist2), points: [point(0), point(1)], face }
    }
}

/// No polytope could be built around the origin: the solids only touch.
#[derive(Clone, Copy, Debug)]
pub(super) struct NoPolytope;

// the first polytope
impl<M: Memory> Polytope<M> {
    /// A hexahedron around a segment through the origin.
    fn around_segment(&mut self, pair: &mut Pair, simplex: &Simplex) -> Result<(), NoPolytope> {
        let [a, b] = [*simplex.vertex(0), *simplex.vertex(1)];
        let along = b.at - a.at;

        // three directions across it, 120 degrees apart
        let across = shortest_axis(along).cross(along);
        let turn = third_turn(along);
        let dirs = [across, turn * across, turn * (turn * across)];

        self.verts.append([a, b]);
        for dir in dirs {
            self.push_support(pair, dir, dir.norm());
        }
        for (verts, beyond) in [
            ([0, 2, 3], [1, 3, 2]),
            ([0, 4, 2], [2, 4, 0]),
            ([0, 3, 4], [0, 5, 1]),
            ([1, 3, 2], [5, 0, 4]),
            ([1, 2, 4], [3, 1, 5]),
            ([1, 4, 3], [4, 2, 3]),
        ] {
            if self.attach(verts, beyond) < ON_FACE {
                let triangle = verts.map(|i| self.verts[i as usize]);
                self.clear();
                self.verts.append(triangle);
                return self.around_triangle(pair);
            }
        }
        let [c, d, e] = [2, 3, 4].map(|i| self.verts[i].at);
        if !crosses_triangle(a.at, b.at, [c, d, e]) {
            return Err(NoPolytope);
        }
        self.open_all();
        Ok(())
    }

    /// A hexahedron on both sides of a triangle through the origin: the only vertices so far.
    fn around_triangle(&mut self, pair: &mut Pair) -> Result<(), NoPolytope> {
        // the normal of the triangle
        let triangle = [0, 1, 2].map(|i: usize| (self.verts[i].at).alone());
        let [a, b, c] = triangle;
        let normal = (b - a).cross(c - a);
        let norm = normal.norm();
        if norm < MINVAL {
            return Err(NoPolytope);
        }

        // support points on both sides of it, which must not be in it
        let below = self.push_support(pair, -normal, norm);
        let above = self.push_support(pair, normal, norm);
        if in_triangle(triangle, self.verts[above as usize].at)
            || in_triangle(triangle, self.verts[below as usize].at)
        {
            return Err(NoPolytope);
        }

        // the six sides of the bipyramid
        for (verts, beyond) in [
            ([above, 0, 1], [1, 3, 2]),
            ([above, 2, 0], [2, 4, 0]),
            ([above, 1, 2], [0, 5, 1]),
            ([below, 1, 0], [5, 0, 4]),
            ([below, 0, 2], [3, 1, 5]),
            ([below, 2, 1], [4, 2, 3]),
        ] {
            if self.attach(verts, beyond) < ON_FACE {
                return Err(NoPolytope);
            }
        }
        self.open_all();
        Ok(())
    }

    /// The tetrahedron that contains the origin.
    fn around_origin(&mut self, pair: &mut Pair, simplex: &Simplex) -> Result<(), NoPolytope> {
        // its four sides; one that the origin is on is a triangle to start from
        self.verts.append((0..4).map(|i| *simplex.vertex(i)));
        for (verts, beyond) in [
            ([0, 1, 2], [1, 3, 2]),
            ([0, 3, 1], [2, 3, 0]),
            ([0, 2, 3], [0, 3, 1]),
            ([3, 2, 1], [2, 0, 1]),
        ] {
            if self.attach(verts, beyond) < ON_FACE {
                let triangle = verts.map(|i| self.verts[i as usize]);
                self.clear();
                self.verts.append(triangle);
                return self.around_triangle(pair);
            }
        }

        // the origin must be inside
        let [a, b, c, d] = [0, 1, 2, 3].map(|i| simplex.vertex(i).at);
        let contains_origin = is_same_side([a, b, c], d)
            && is_same_side([b, c, d], a)
            && is_same_side([c, d, a], b)
            && is_same_side([d, a, b], c);
        if !contains_origin {
            return Err(NoPolytope);
        }
        self.open_all();
        Ok(())
    }

    fn open_all(&mut self) {
        let faces = &mut self.faces[..self.n_faces];
        let open = self.open.places(faces.len());
        for (i, (face, open)) in faces.iter_mut().zip(open).enumerate() {
            face.place = i as u32;
            *open = Open { dist2: face.dist2, face: i as u32 };
        }
        self.n_open = faces.len();
    }
}

// growth
impl<M: Memory> Polytope<M> {
    /// Grows until the face nearest to the origin lies on the surface, and returns that face.
    #[doc(alias = "epa")]
    fn expand(&mut self, pair: &mut Pair, options: &Options) -> Option<u32> {
        let discrete = pair.is_discrete();
        let tolerance = if discrete { MINVAL } else { options.tolerance };
        let max_faces = FACES_PER_ITERATION * options.iterations.max(MIN_ITERATIONS);
        let (mut upper, mut upper2) = (f64::MAX, f64::MAX);
        let mut face = None;
        for _ in 0..options.iterations {
            // lower bound: the nearest face; done if it is no candidate any more
            let Some((nearest, lower2)) = self.nearest_open() else { break };
            if lower2 > upper2 {
                break;
            }
            face = Some(nearest);
            if lower2 <= 0.0 {
                break;
            }

            // upper bound: how far the difference reaches beyond that face
            let lower = scalar::sqrt(lower2);
            let foot = self.faces[nearest as usize].foot;
            let new = self.verts.len();
            if new == self.verts.room() {
                self.spilled = true;
                return None;
            }
            let vertex = pair.support(unit(foot, lower));
            let (w, id) = (vertex.at, vertex.id);
            self.verts.push(vertex);
            let reach = foot.dot_alone(w) / lower;
            if reach < upper {
                upper = reach;
                upper2 = upper * upper;
            }
            let is_repeated = || self.verts[..new].iter().any(|v| v.id == id);
            if upper - lower < tolerance || (discrete && is_repeated()) {
                break;
            }

            // the faces that the new vertex sees are replaced by a fan around it
            self.find_horizon(nearest, w);
            if self.n_horizon < 3 {
                return None;
            }
            if self.n_faces + self.n_horizon > max_faces {
                break;
            }
            if self.n_faces + self.n_horizon > self.faces.room() {
                self.spilled = true;
                return None;
            }
            if !self.attach_fan(new as u32, [lower2, upper2]) {
                return None;
            }
            if self.n_open == 0 {
                break;
            }
        }
        face
    }

    /// The open face nearest to the origin and its squared distance; the first among equals.
    ///
    /// The two halves of the list side by side, without branches. The place of the least is too
    /// random to branch on, and each comparison waits for the one before.
    #[inline(always)]
    fn nearest_open(&self) -> Option<(u32, f64)> {
        let open = &self.open[..self.n_open];
        let (left, right) = open.split_at(open.len() / 2);
        let none = Open { dist2: f64::MAX, face: u32::MAX };
        let (mut low, mut high) = (none, none);
        let lesser = |a: Open, b: &Open| if b.dist2 < a.dist2 { *b } else { a };
        for (l, r) in left.iter().zip(right) {
            low = lesser(low, l);
            high = lesser(high, r);
        }
        if let Some(last) = right.get(left.len()) {
            high = lesser(high, last);
        }
        let nearest = lesser(low, &high);
        (nearest.dist2 < f64::MAX).then_some((nearest.face, nearest.dist2))
    }

    /// Adds the support point in a direction of length `norm`.
    fn push_support(&mut self, pair: &mut Pair, dir: Vec3, norm: f64) -> u32 {
        self.verts.push(pair.support(unit(dir, norm)));
        self.verts.len() as u32 - 1
    }

    /// Adds a face and returns its squared distance; zero if the face has no area.
    fn attach(&mut self, verts: [u32; 3], beyond: [u32; 3]) -> f64 {
        let [a, b, c] = verts;
        let (foot, dist2) = foot_of(&self.verts, c, b, a);
        let at = self.n_faces;
        self.faces.places(at + 1)[at] = Face { verts, beyond, foot, dist2, place: CLOSED };
        self.n_faces += 1;
        dist2
    }

    /// Deletes the faces seen from `w`, starting with one of them, and lists their outer edges.
    ///
    /// The order of the list is the order around the hole, which the fan relies on.
    #[inline(always)]
    fn find_horizon(&mut self, start: u32, w: Vec3) {
        let faces = &mut self.faces[..self.n_faces];
        let horizon = self.horizon.places(2 * faces.len());
        let crossings = self.crossings.places(2 * faces.len() + 3);
        let open = &mut self.open[..];
        let (mut n_open, mut n_horizon) = (self.n_open, 0);
        delete(start, faces, open, &mut n_open);
        for (edge, slot) in [2, 1, 0].into_iter().zip(crossings.iter_mut()) {
            *slot = Crossing { face: start, edge };
        }
        let mut n = 3;
        while n > 0 {
            n -= 1;
            let Crossing { face, edge } = crossings[n];
            let Face { verts, beyond, .. } = &faces[face as usize];
            let next = beyond[edge as usize];
            let ends = [verts[NEXT[edge as usize]], verts[edge as usize]];
            let neighbour = &faces[next as usize];
            if neighbour.place == DELETED {
                continue;
            }

            // the face beyond the edge: if the vertex sees it, its other edges follow; if not, the
            // edge is part of the horizon
            let entry = neighbour.edge_at(ends[0]);
            if neighbour.foot.dot_alone(w) - neighbour.dist2 > MINVAL {
                delete(next, faces, open, &mut n_open);
                let first = NEXT[entry as usize];
                crossings[n] = Crossing { face: next, edge: NEXT[first] as u32 };
                crossings[n + 1] = Crossing { face: next, edge: first as u32 };
                n += 2;
            } else {
                horizon[n_horizon] = Rim { face: next, edge: entry, ends };
                n_horizon += 1;
            }
        }
        (self.n_open, self.n_horizon) = (n_open, n_horizon);
    }

    /// Joins the new vertex with every edge of the horizon; false if a face has no area.
    ///
    /// Faces become candidates if their squared distance is between two bounds. To avoid a branch
    /// the entry is always written, and counted only if it is a candidate.
    #[inline(always)]
    fn attach_fan(&mut self, new: u32, [lower2, upper2]: [f64; 2]) -> bool {
        let first = self.n_faces as u32;
        let horizon = &self.horizon[..self.n_horizon];
        let faces = self.faces.places(self.n_faces + horizon.len());
        let open = self.open.places(self.n_open + horizon.len());
        let verts = &self.verts[..];
        let last = first + horizon.len() as u32 - 1;
        let mut n_open = self.n_open;
        for (face, rim) in (first..).zip(horizon) {
            let (foot, dist2) = foot_of(verts, rim.ends[0], rim.ends[1], new);
            if dist2 == 0.0 {
                return false;
            }

            // the face as a candidate
            let is_open = (dist2 >= lower2) & (dist2 <= upper2);
            open[n_open] = Open { dist2, face };

            // its neighbours: the fan on both sides, the old face beyond the horizon
            let before = if face == first { last } else { face - 1 };
            let after = if face == last { first } else { face + 1 };
            faces[rim.face as usize].beyond[rim.edge as usize] = face;
            faces[face as usize] = Face {
                verts: [new, rim.ends[1], rim.ends[0]],
                beyond: [before, rim.face, after],
                foot,
                dist2,
                place: if is_open { n_open as u32 } else { CLOSED },
            };
            n_open += usize::from(is_open);
        }
        (self.n_open, self.n_faces) = (n_open, last as usize + 1);
        true
    }
}

/// The origin projected on the plane of three vertices, and its squared distance; zero if they have
/// no area.
#[inline(always)]
fn foot_of(verts: &[Vertex], a: u32, b: u32, c: u32) -> (Vec3, f64) {
    let [at1, at2, at3] = [a, b, c].map(|i| verts[i as usize].at);
    match project_at_corner(at1, at2, at3) {
        Foot::At(foot) => (foot, foot.dot_alone(foot)),
        Foot::NoArea => (Vec3::ZERO, 0.0),
        Foot::Unknown => {
            // number by number: as a block it would be read before it is written as such
            let (foot, dist2) = foot_askew(verts, a, b, c);
            (foot.alone(), alone(dist2))
        }
    }
}

/// By vertices, so that nothing is written to memory where the second corner will do.
#[inline(never)]
fn foot_askew(verts: &[Vertex], a: u32, b: u32, c: u32) -> (Vec3, f64) {
    let [at1, at2, at3] = [a, b, c].map(|i| verts[i as usize].at);
    let foot = project_at_other_corner(at1, at2, at3).unwrap_or_default();
    (foot, foot.dot_alone(foot))
}

/// Takes a face off the polytope; the last open face takes its place in the list.
#[inline(always)]
fn delete(face: u32, faces: &mut [Face], open: &mut [Open], n_open: &mut usize) {
    let at = faces[face as usize].place;
    if at < DELETED {
        *n_open -= 1;
        let moved = open[*n_open];
        open[at as usize] = moved;
        faces[moved.face as usize].place = at;
    }
    faces[face as usize].place = DELETED;
}

/// Vertex or edge after each of a triangle.
const NEXT: [usize; 3] = [1, 2, 0];

impl Face {
    /// The edge that starts at a vertex, without a branch: which one it is cannot be predicted.
    #[inline]
    fn edge_at(&self, vertex: u32) -> u32 {
        let (not_first, not_second) = (vertex != self.verts[0], vertex != self.verts[1]);
        u32::from(not_first) + u32::from(not_first & not_second)
    }
}

/// Direction of a vector whose length is known; +x if it is too short.
#[inline]
fn unit(v: Vec3, norm: f64) -> Vec3 {
    if norm > MINVAL { Vec3::new(v.x / norm, v.y / norm, v.z / norm) } else { Vec3::X }
}

/// The axis along which `v` is shortest.
fn shortest_axis(v: Vec3) -> Vec3 {
    let mut axis = Vec3::X;
    let mut min = f64::MAX;
    for (length, candidate) in [(v.x.abs(), Vec3::X), (v.y.abs(), Vec3::Y), (v.z.abs(), Vec3::Z)] {
        if length < min {
            min = length;
            axis = candidate;
        }
    }
    axis
}

/// Rotation by 120 degrees.
fn third_turn(axis: Vec3) -> Mat3 {
    // MuJoCo writes sin 120° with eleven digits
    const SIN: f64 = 0.86602540378;
    const COS: f64 = -0.5;
    let norm = axis.norm();
    let (x, y, z) = (axis.x / norm, axis.y / norm, axis.z / norm);
    Mat3([
        [COS + x * x * (1.0 - COS), x * y * (1.0 - COS) - z * SIN, x * z * (1.0 - COS) + y * SIN],
        [y * x * (1.0 - COS) + z * SIN, COS + y * y * (1.0 - COS), y * z * (1.0 - COS) - x * SIN],
        [x * z * (1.0 - COS) - y * SIN, y * z * (1.0 - COS) + x * SIN, COS + z * z * (1.0 - COS)],
    ])
}

/// Whether the line from `a` to `b` intersects a triangle.
fn crosses_triangle(a: Vec3, b: Vec3, triangle: [Vec3; 3]) -> bool {
    let along = b - a;
    let [u, v, w] = triangle.map(|corner| corner - a);
    let volumes = [det(u, v, along), det(v, w, along), det(w, u, along)];
    volumes.iter().all(|&x| x >= 0.0) || volumes.iter().all(|&x| x <= 0.0)
}

/// Whether a point lies in a triangle.
fn in_triangle(triangle: [Vec3; 3], p: Vec3) -> bool {
    let weight = affine(triangle, p);
    if weight.iter().any(|&x| x < 0.0) {
        return false;
    }
    let [a, b, c] = triangle;
    (a * weight[0] + b * weight[1] + c * weight[2] - p).norm() < MINVAL
}

/// Whether the origin and `p` lie on the same side of a triangle.
fn is_same_side([a, b, c]: [Vec3; 3], p: Vec3) -> bool {
    let normal = (b - a).cross(c - a);
    let (of_p, of_origin) = (normal.dot(p - a), normal.dot(-a));
    (of_p > 0.0 && of_origin > 0.0) || (of_p < 0.0 && of_origin < 0.0)
}
