//! Support points: the point of a convex solid that lies farthest in a direction.
//!
//! Ties matter: which of two equally far vertices is returned decides the simplex, and with it
//! the last bits of every result. Hulls therefore search in MuJoCo's order, starting from the
//! vertex of the search before.

use core::cell::Cell;

use sinew_math::simd::alone;
use sinew_math::{MINVAL, Vec3, scalar};

#[cfg(not(target_arch = "nvptx64"))]
use crate::ccd::hints::{Hints, Library};
use crate::shape::{Pose, Shape};
use crate::solid::{Element, Form, Hull, Link, Solid};

/// A GPU remembers nothing of hulls.
#[cfg(target_arch = "nvptx64")]
#[derive(Default)]
pub(super) struct Library;

/// A GPU keeps no hints of a hull.
#[cfg(target_arch = "nvptx64")]
#[derive(Clone, Copy, Debug)]
pub(super) enum Hints {}

#[cfg(target_arch = "nvptx64")]
impl Library {
    pub(super) fn find(&self, _: &[i32]) -> Option<&Hints> {
        None
    }
}

/// Hulls with fewer vertices are searched in full (`mjMESH_HILLCLIMB_MIN`).
const CLIMB_MIN: usize = 10;

/// A vertex is the farthest for certain if it is farther than its neighbours by this share of its
/// distance. Rounding of the distances, and of the hull's convexity, is a million times smaller.
const CERTAIN: f64 = 1e-7;

/// Height of a start that is not measured: lower than any vertex.
const UNMEASURED: f64 = -(f32::MAX as f64);

/// More vertices than this that are as far as the farthest, but for rounding, are not looked at.
const MAX_NEAR: usize = 8;

/// A convex solid during a search.
#[derive(Clone, Copy, Debug)]
pub(super) struct Convex<'a> {
    /// Position and orientation.
    pub pose: Pose,
    /// Shape.
    pub outline: Outline<'a>,
    /// The surface is moved outwards by half of this.
    pub margin: f64,
    /// Whether a ball is searched as its centre and a capsule as its axis, without a margin.
    pub core: bool,
    /// Vertex of the last support point: a corner of a box, a vertex of a hull; -1 if none.
    pub vertex: i32,
    /// Vertex of the hull graph where climbing starts.
    pub graph_vertex: usize,
}

/// The surface of a convex solid.
#[derive(Clone, Copy, Debug)]
pub(super) enum Outline<'a> {
    /// A ball.
    Ball { radius: f64 },
    /// A cylinder with half balls at its ends.
    Capsule { radius: f64, half_len: f64 },
    /// An ellipsoid.
    Ellipsoid { half: Vec3 },
    /// A cylinder.
    Cylinder { radius: f64, half_len: f64 },
    /// A box.
    Box { half: Vec3 },
    /// A hull whose vertices are all looked at.
    Scan { hull: &'a Hull<'a>, graph: Option<Graph<'a>> },
    /// A hull that is climbed along its edges.
    Climb { hull: &'a Hull<'a>, graph: Graph<'a>, hints: Option<&'a Hints> },
    /// A piece of terrain: the lower triangle, then the upper.
    Prism { corners: &'a [Cell<Vec3>; 6] },
    /// An element of a flexible object, whose corners are given in the world.
    Element(&'a Element),
}

/// Edges of a hull.
#[derive(Clone, Copy, Debug)]
pub(super) struct Graph<'a> {
    /// Place in `edges` of the neighbours of each vertex.
    first: &'a [i32],
    /// Mesh vertex of each vertex of the hull.
    mesh_vertices: &'a [i32],
    /// Neighbours, each list ended by a negative number.
    edges: &'a [i32],
    /// The same with their places; empty if the hull does not have them.
    links: &'a [Link],
}

/// Where the searches of a hull ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct SearchMark {
    vertex: i32,
    graph_vertex: usize,
}

impl<'a> Convex<'a> {
    /// The solid for a search; nothing if it is not convex.
    #[doc(alias = "mjc_initCCDObj")]
    #[inline(always)]
    pub(super) fn new(solid: &'a Solid<'a>, margin: f64, library: &'a Library) -> Option<Self> {
        let outline = match &solid.form {
            &Form::Shape(Shape::Sphere { radius }) => Outline::Ball { radius },
            &Form::Shape(Shape::Capsule { radius, half_len }) => {
                Outline::Capsule { radius, half_len }
            }
            &Form::Shape(Shape::Ellipsoid { half }) => Outline::Ellipsoid { half },
            &Form::Shape(Shape::Cylinder { radius, half_len }) => {
                Outline::Cylinder { radius, half_len }
            }
            &Form::Shape(Shape::Box { half }) => Outline::Box { half },
            Form::Element(element) => Outline::Element(element),
            Form::Shape(Shape::Plane { .. }) | Form::HeightField(_) => return None,
            Form::Hull(hull) => match Graph::new(hull) {
                Some(graph) if hull.vert.len() >= CLIMB_MIN => {
                    Outline::Climb { hull, graph, hints: library.find(hull.graph) }
                }
                graph => Outline::Scan { hull, graph },
            },
        };
        Some(Convex { pose: solid.pose, outline, margin, core: false, vertex: -1, graph_vertex: 0 })
    }

    /// A piece of terrain.
    pub(super) fn prism(corners: &'a [Cell<Vec3>; 6]) -> Self {
        let pose = Pose { pos: Vec3::ZERO, mat: sinew_math::Mat3::IDENTITY };
        let outline = Outline::Prism { corners };
        Convex { pose, outline, margin: 0.0, core: false, vertex: -1, graph_vertex: 0 }
    }

    /// A point inside.
    #[inline(always)]
    pub(super) fn center(&self) -> Vec3 {
        match &self.outline {
            Outline::Prism { corners } => {
                corners.iter().fold(Vec3::ZERO, |sum, c| sum + c.get()) * (1.0 / 6.0)
            }
            _ => self.pose.pos,
        }
    }

    /// Whether the surface has finitely many support points, so that searches end by themselves.
    pub(super) fn is_discrete(&self) -> bool {
        self.is_flat() && self.margin == 0.0
    }

    /// Whether all sides are flat.
    pub(super) fn is_flat(&self) -> bool {
        matches!(
            self.outline,
            Outline::Box { .. }
                | Outline::Scan { .. }
                | Outline::Climb { .. }
                | Outline::Prism { .. }
        )
    }

    /// Where the searches of a hull ended, to be restored after others.
    pub(super) fn mark(&self) -> SearchMark {
        SearchMark { vertex: self.vertex, graph_vertex: self.graph_vertex }
    }

    /// Goes back to where the searches had ended.
    pub(super) fn restore(&mut self, mark: SearchMark) {
        (self.vertex, self.graph_vertex) = (mark.vertex, mark.graph_vertex);
    }

    /// Starts the next search of a hull at a vertex of its graph, if there is such a vertex.
    pub(super) fn start_at(&mut self, graph_vertex: u32) {
        if let Outline::Climb { graph, .. } = &self.outline
            && (graph_vertex as usize) < graph.first.len()
        {
            self.graph_vertex = graph_vertex as usize;
        }
    }

    /// Distance between the surface, with the margin, and the core; nothing if there is no core.
    pub(super) fn core_depth(&self) -> Option<f64> {
        match self.outline {
            Outline::Ball { radius } | Outline::Capsule { radius, .. } => {
                Some(radius + 0.5 * self.margin)
            }
            _ => None,
        }
    }

    /// The point farthest in the unit direction `dir`, with the margin; notes its vertex.
    #[doc(alias = "mjc_support")]
    #[inline(always)]
    pub(super) fn support(&mut self, dir: Vec3) -> Vec3 {
        self.farthest(dir, if self.core { 0.0 } else { self.margin })
    }

    /// The point farthest in the unit direction `dir`, without the margin; notes its vertex.
    #[inline(always)]
    pub(super) fn surface(&mut self, dir: Vec3) -> Vec3 {
        self.farthest(dir, 0.0)
    }

    /// The point farthest in the unit direction `dir`, moved outwards by half of `margin`.
    ///
    /// Inlined so that points stay in registers: written to memory by components and read back in
    /// pairs, they would stall the searches.
    #[inline(always)]
    fn farthest(&mut self, dir: Vec3, margin: f64) -> Vec3 {
        let Convex { pose: Pose { pos, mat }, outline, core, vertex, graph_vertex, .. } = self;
        let moved = |point: Vec3| {
            if margin > 0.0 { point + dir * (0.5 * margin) } else { point }
        };

        // cores, and solids whose points are known in the world, return at once
        let local = match outline {
            Outline::Ball { .. } if *core => return moved(*pos),
            Outline::Ball { radius } => return moved(dir * *radius + *pos),
            Outline::Capsule { half_len, .. } if *core => {
                let axis = mat.col(2);
                let end = if axis.dot(dir) >= 0.0 { *half_len } else { -*half_len };
                return moved(axis * end + *pos);
            }
            Outline::Prism { corners } => return moved(farthest_corner(corners, dir)),
            Outline::Element(element) => return element_support(element, margin, dir),
            Outline::Capsule { radius, half_len } => {
                let d = mat.tmul_vec(dir).alone();
                let z = d.z * *radius + if d.z >= 0.0 { *half_len } else { -*half_len };
                Vec3::new(d.x * *radius, d.y * *radius, z)
            }
            Outline::Ellipsoid { half } => ellipsoid(*half, mat.tmul_vec(dir).alone()),
            Outline::Cylinder { radius, half_len } => {
                let d = mat.tmul_vec(dir).alone();
                let across2 = d.x * d.x + d.y * d.y;
                let scale =
                    if across2 >= MINVAL * MINVAL { *radius / scalar::sqrt(across2) } else { 0.0 };
                let z = if d.z >= 0.0 { *half_len } else { -*half_len };
                Vec3::new(scale * d.x, scale * d.y, z)
            }
            Outline::Box { half } => {
                let corner = box_corner(*half, mat.tmul_vec(dir).alone());
                *vertex = (corner.x > 0.0) as i32
                    | ((corner.y > 0.0) as i32) << 1
                    | ((corner.z > 0.0) as i32) << 2;
                corner
            }
            Outline::Scan { hull, .. } => {
                let best = scan(hull.vert, mat.tmul_vec(dir).alone(), *vertex);
                *vertex = best as i32;
                hull_vertex(hull.vert, best)
            }
            Outline::Climb { hull, graph, hints } => {
                let d = mat.tmul_vec(dir).alone();
                let start = *graph_vertex;
                *graph_vertex = match hints {
                    #[cfg(not(target_arch = "nvptx64"))]
                    Some(hints) => graph
                        .climb_hinted(hints, hull.vert, d.x, d.y, d.z, start)
                        .unwrap_or_else(|| graph.climb_guessing(hints, hull.vert, d, start)),
                    _ if graph.links.is_empty() => graph.climb(hull.vert, d, start),
                    _ => graph.climb_links(d, start),
                };
                let best = graph.mesh_vertex(*graph_vertex);
                *vertex = best as i32;
                hull_vertex(hull.vert, best)
            }
        };
        moved(*mat * local + *pos)
    }
}

impl<'a> Graph<'a> {
    /// The edges in a mesh's graph; nothing if the mesh has none.
    fn new(hull: &Hull<'a>) -> Option<Self> {
        let n = usize::try_from(*hull.graph.first()?).ok()?;
        let (first, rest) = hull.graph.get(2..)?.split_at_checked(n)?;
        let (mesh_vertices, edges) = rest.split_at_checked(n)?;
        Some(Graph { first, mesh_vertices, edges, links: hull.links })
    }

    /// The vertex farthest in `dir`: from `start`, on to the best neighbour until none is better.
    ///
    /// The start itself is not measured, so a first step is always taken, even a step down.
    fn climb(&self, vert: &[[f32; 3]], dir: Vec3, start: usize) -> usize {
        self.climb_above(vert, dir, start, UNMEASURED)
    }

    /// The result of `climb`, by neighbours that are stored with their places: a step reads one
    /// list, not three tables one after the other.
    fn climb_links(&self, dir: Vec3, start: usize) -> usize {
        let (mut from, mut max) = (start, UNMEASURED);
        loop {
            let first = self.first.get(from).copied().unwrap_or(i32::MAX);
            let links = self.links.get(first as usize..).unwrap_or(&[]);
            let mut best = from;
            for link in links {
                if link.vertex < 0 {
                    break;
                }
                let height = along(dir, &link.at);
                let is_higher = height > max;
                max = if is_higher { height } else { max };
                best = if is_higher { link.vertex as usize } else { best };
            }
            if best == from {
                return best;
            }
            from = best;
        }
    }

    /// The result of `climb`, with a guess of every step.
    ///
    /// A step needs the place of the vertex, its list, the neighbours in it and their coordinates,
    /// one after the other. With a guess that is foreseen to be right the processor goes on before
    /// the heights are known, and the steps overlap.
    #[cfg(not(target_arch = "nvptx64"))]
    #[inline(never)]
    fn climb_guessing(&self, hints: &Hints, vert: &[[f32; 3]], dir: Vec3, start: usize) -> usize {
        let steps = hints.steps(dir);
        let (mut from, mut max) = (start, UNMEASURED);
        loop {
            let guess = steps.from(from);
            let (best, height) = self.higher(vert, dir, from, max);
            if best == from {
                return best;
            }
            max = height;
            from = if guess.is(best) { guess.vertex() } else { guess.correct(best) };
        }
    }

    /// The vertex farthest in `dir`, as `climb`, but with the start measured too.
    #[cfg(not(target_arch = "nvptx64"))]
    pub(super) fn climb_from(&self, vert: &[[f32; 3]], dir: Vec3, start: usize) -> usize {
        let height = vert.get(self.mesh_vertex(start)).map_or(f64::MIN, |v| along(dir, v));
        self.climb_above(vert, dir, start, height)
    }

    fn climb_above(&self, vert: &[[f32; 3]], dir: Vec3, start: usize, height: f64) -> usize {
        let (mut from, mut max) = (start, height);
        loop {
            let (best, height) = self.higher(vert, dir, from, max);
            if best == from {
                return best;
            }
            (from, max) = (best, height);
        }
    }

    /// The highest neighbour of a vertex, the first of equals, and its height; the vertex itself if
    /// none is higher than `max`.
    #[inline(always)]
    fn higher(&self, vert: &[[f32; 3]], dir: Vec3, from: usize, max: f64) -> (usize, f64) {
        let (mut best, mut max) = (from, max);
        for &next in self.around(from) {
            if next < 0 {
                break;
            }
            let Some(v) = vert.get(self.mesh_vertex(next as usize)) else { break };
            // without a branch: where the highest comes is too random to predict
            let height = along(dir, v);
            let is_higher = height > max;
            max = if is_higher { height } else { max };
            best = if is_higher { next as usize } else { best };
        }
        (best, max)
    }

    /// The result of `climb` from a better start, or `None` unless it is certain.
    ///
    /// The result is certain if the vertex is farther than all its neighbours by more than
    /// rounding. On a convex hull every climb then ends there. So it does where others are as far
    /// but for rounding, if each of them has a neighbour that is farther.
    ///
    /// Coordinates one by one. As a vector they would pass through the stack and be read back in
    /// another width, which defeats store forwarding.
    #[cfg(not(target_arch = "nvptx64"))]
    fn climb_hinted(
        &self,
        hints: &Hints,
        vert: &[[f32; 3]],
        x: f64,
        y: f64,
        z: f64,
        start: usize,
    ) -> Option<usize> {
        let dir = Vec3::new(x, y, z);
        let height_of = |i: usize| vert.get(self.mesh_vertex(i)).map(|v| along(dir, v));

        // start from the hint if it is higher
        let mut best = start;
        let mut max = height_of(start)?;
        let hint = hints.get(dir);
        if let Some(hint) = hint
            && let Some(height) = height_of(hint)
            && height > max
        {
            (best, max) = (hint, height);
        }

        // climb until no neighbour is higher, noting the second highest
        let mut second;
        loop {
            let from = best;
            second = f64::MIN;
            for &next in self.around(from) {
                if next < 0 {
                    break;
                }
                let height = height_of(next as usize)?;
                let is_higher = height > max;
                second = if height > second { height } else { second };
                max = if is_higher { height } else { max };
                best = if is_higher { next as usize } else { best };
            }
            if best == from {
                break;
            }
        }

        // certain only if no other vertex comes near, or all that do lead here
        if hint != Some(best) {
            hints.set(dir, best);
        }
        let low = max - CERTAIN * max.abs();
        let is_certain = second < low || second < max && self.is_only_peak(vert, dir, best, low);
        is_certain.then_some(best)
    }

    /// Whether every climb that comes above `low` ends at `peak`, which no neighbour exceeds. All
    /// other vertices above `low`, of which a few are examined, must have a higher neighbour.
    #[cfg(not(target_arch = "nvptx64"))]
    fn is_only_peak(&self, vert: &[[f32; 3]], dir: Vec3, peak: usize, low: f64) -> bool {
        let mut near = [(peak as i32, f64::MIN); MAX_NEAR];
        let (mut n, mut k) = (1, 0);
        while k < n {
            let (vertex, own) = near[k];
            let mut max = f64::MIN;

            // the highest neighbour; neighbours above `low` are looked at in turn
            for &next in self.around(vertex as usize) {
                if next < 0 {
                    break;
                }
                let Some(v) = vert.get(self.mesh_vertex(next as usize)) else { return false };
                let height = along(dir, v);
                max = if height > max { height } else { max };
                if height >= low && near[..n].iter().all(|&(i, _)| i != next) {
                    let Some(slot) = near.get_mut(n) else { return false };
                    *slot = (next, height);
                    n += 1;
                }
            }

            // another local maximum
            if max <= own {
                return false;
            }
            k += 1;
        }
        true
    }

    /// Neighbours of a vertex of the graph, ended by a negative number.
    #[inline]
    fn around(&self, i: usize) -> &'a [i32] {
        // branches, which are predicted; with conditional moves the load of the list would depend
        // on both comparisons
        let Some(&first) = self.first.get(i) else { return nothing() };
        let Some(list) = self.edges.get(first as usize..) else { return nothing() };
        list
    }

    /// Mesh vertex of a vertex of the graph.
    #[inline]
    pub(super) fn mesh_vertex(&self, i: usize) -> usize {
        self.mesh_vertices.get(i).map_or(usize::MAX, |&v| v as usize)
    }
}

#[cold]
fn nothing<'a>() -> &'a [i32] {
    &[]
}

/// The vertex farthest in `dir`; among equals the one of the search before, else the first.
fn scan(vert: &[[f32; 3]], dir: Vec3, before: i32) -> usize {
    let mut best = 0;
    let mut max = f64::from(-f32::MAX);
    if let Some(v) = usize::try_from(before).ok().and_then(|b| vert.get(b)) {
        best = before as usize;
        max = along(dir, v);
    }
    for (i, v) in vert.iter().enumerate() {
        let height = along(dir, v);
        if height > max {
            max = height;
            best = i;
        }
    }
    best
}

#[inline]
pub(super) fn along(dir: Vec3, v: &[f32; 3]) -> f64 {
    dir.x * f64::from(v[0]) + dir.y * f64::from(v[1]) + dir.z * f64::from(v[2])
}

pub(super) fn hull_vertex(vert: &[[f32; 3]], i: usize) -> Vec3 {
    vert.get(i).map_or(Vec3::ZERO, |v| Vec3::new(v[0].into(), v[1].into(), v[2].into()))
}

fn ellipsoid(half: Vec3, dir: Vec3) -> Vec3 {
    let scaled = dir.mul_elem(half);
    let norm2 = scaled.dot(scaled);
    if norm2 < MINVAL * MINVAL {
        return Vec3::new(half.x, 0.0, 0.0);
    }
    let inverse = 1.0 / scalar::sqrt(norm2);
    scaled.mul_elem(half * inverse)
}

fn box_corner(half: Vec3, dir: Vec3) -> Vec3 {
    let pick = |d: f64, h: f64| if d >= 0.0 { h } else { -h };
    Vec3::new(pick(dir.x, half.x), pick(dir.y, half.y), pick(dir.z, half.z))
}

/// The farthest point of an element with its radius and half the margin.
#[doc(alias = "mjc_flexSupport")]
#[inline]
pub(super) fn element_support(element: &Element, margin: f64, dir: Vec3) -> Vec3 {
    element.farthest_corner(dir) + dir * (element.radius() + 0.5 * margin)
}

/// The triangle is chosen by the vertical direction alone, which is enough for upright prisms.
pub(super) fn farthest_corner(corners: &[Cell<Vec3>; 6], dir: Vec3) -> Vec3 {
    let triangle = if dir.z < 0.0 { &corners[..3] } else { &corners[3..] };
    let mut best = &triangle[0];
    let mut max = best.get().dot_alone(dir);
    for corner in &triangle[1..] {
        let height = alone(corner.get().dot_alone(dir));
        if height > max {
            max = height;
            best = corner;
        }
    }
    best.get()
}
