//! Solids somewhere in the world: primitive shapes, convex hulls, terrains, elements.

use sinew_math::Vec3;

use crate::shape::{Pose, Shape};

/// A solid somewhere in the world.
#[derive(Clone, Copy, Debug)]
pub struct Solid<'a> {
    /// Position and orientation.
    pub pose: Pose,
    /// Form of the solid.
    pub form: Form<'a>,
}

/// The form of a solid.
#[derive(Clone, Copy, Debug)]
pub enum Form<'a> {
    /// A primitive shape.
    Shape(Shape),
    /// The convex hull of a mesh.
    Hull(Hull<'a>),
    /// A terrain.
    HeightField(HeightField<'a>),
    /// An element or a vertex of a flexible object; the position of the solid is its middle.
    Element(Element),
}

/// Up to four points and everything within a radius of their hull: a vertex, an edge, a triangle or
/// a tetrahedron of a flexible object.
#[derive(Clone, Copy, Debug)]
pub struct Element {
    corners: [Vec3; 4],
    count: usize,
    radius: f64,
}

impl Element {
    /// The element with these corners, of which the first four count.
    pub fn new(corners: impl IntoIterator<Item = Vec3>, radius: f64) -> Element {
        let mut element = Element { corners: [Vec3::ZERO; 4], count: 0, radius };
        for (slot, corner) in element.corners.iter_mut().zip(corners) {
            *slot = corner;
            element.count += 1;
        }
        element
    }

    /// The corners.
    pub fn corners(&self) -> &[Vec3] {
        &self.corners[..self.count]
    }

    /// How far it reaches beyond its corners.
    pub fn radius(&self) -> f64 {
        self.radius
    }

    /// The corner farthest in a direction, the first of equals.
    #[inline]
    pub(crate) fn farthest_corner(&self, dir: Vec3) -> Vec3 {
        let mut best = self.corners[0];
        let mut max = best.dot(dir);
        for &corner in self.corners().iter().skip(1) {
            let height = corner.dot(dir);
            if height > max {
                (best, max) = (corner, height);
            }
        }
        best
    }

    /// The element as seen from a frame.
    pub(crate) fn seen_from(&self, frame: &Pose) -> Element {
        let corners = self.corners.map(|corner| frame.mat.tmul_vec(corner - frame.pos));
        Element { corners, ..*self }
    }
}

/// A height field, as a model stores it: a terrain over a box.
#[derive(Clone, Copy, Debug)]
pub struct HeightField<'a> {
    /// Half widths in x and y, height at 1, depth of the box below 0.
    pub size: [f64; 4],
    /// Rows, along y.
    pub nrow: usize,
    /// Columns, along x.
    pub ncol: usize,
    /// Heights in [0, 1], by rows.
    pub data: &'a [f32],
}

/// The convex hull of a mesh, as the tables of a model hold it.
#[derive(Clone, Copy, Debug)]
pub struct Hull<'a> {
    /// Radius of a ball around the mesh's centre that holds it (`geom_rbound`).
    pub rbound: f64,
    /// Vertices of the mesh.
    pub vert: &'a [[f32; 3]],
    /// Hull graph: sizes, edges of each vertex, faces; empty if there is none.
    pub graph: &'a [i32],
    /// Neighbours in the graph with their places, as [`Link::of_graph`] makes them; empty to read
    /// the graph.
    pub links: &'a [Link],
    /// Normal of each polygon.
    pub poly_normal: &'a [Vec3],
    /// First entry of `poly_vert` of each polygon.
    pub poly_vert_adr: &'a [i32],
    /// Number of vertices of each polygon.
    pub poly_vert_num: &'a [i32],
    /// Vertices of the polygons, counted from the mesh's first.
    pub poly_vert: &'a [i32],
    /// First entry of `poly_map` of each vertex.
    pub poly_map_adr: &'a [i32],
    /// Number of polygons at each vertex.
    pub poly_map_num: &'a [i32],
    /// Polygons at each vertex, counted from the mesh's first.
    pub poly_map: &'a [i32],
}

/// A neighbour of a vertex of a hull.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C, align(16))]
pub struct Link {
    /// Place of the vertex.
    pub at: [f32; 3],
    /// Number of the vertex in the graph; negative where the list of a vertex ends.
    pub vertex: i32,
}

impl Link {
    /// The neighbours of all vertices in a hull's graph, as its lists of edges have them.
    #[cfg(not(target_arch = "nvptx64"))]
    pub fn of_graph(hull: &Hull<'_>) -> Vec<Link> {
        let &[nvert, nface, ref rest @ ..] = hull.graph else { return Vec::new() };
        let [nvert, nface] = [nvert, nface].map(|n| usize::try_from(n).unwrap_or(0));
        let Some((_, rest)) = rest.split_at_checked(nvert) else { return Vec::new() };
        let Some((in_mesh, edges)) = rest.split_at_checked(nvert) else { return Vec::new() };
        let link = |&vertex: &i32| {
            let in_mesh = usize::try_from(vertex).ok().and_then(|v| in_mesh.get(v));
            let at = in_mesh.and_then(|&v| hull.vert.get(usize::try_from(v).ok()?));
            // a search reads no further than a vertex that is nowhere
            at.map_or(Link { at: [0.0; 3], vertex: -1 }, |&at| Link { at, vertex })
        };
        edges.iter().take(nvert + 3 * nface).map(link).collect()
    }
}
