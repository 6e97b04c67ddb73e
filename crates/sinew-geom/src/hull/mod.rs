//! Convex hulls of points in space.
//!
//! The construction has Qhull's steps for its options `Qt` (triangulated output) and `TAn` (at most
//! n vertices more than a simplex). The initial simplex, the order of points, the tolerances and
//! the merges are the same. So the order of vertices and faces is the one that MuJoCo stores, and
//! not only the set. Rounding may make the polytope invalid in a way that Qhull repairs by further
//! kinds of merges (a horizon that touches itself, pinched vertices). Here the points are then
//! moved by a tiny amount, and the construction starts again.

mod build;
mod cycle;
mod error;
mod merge;
mod partition;
mod plane;
mod polytope;
mod reduce;
mod simplex;
mod tolerance;
mod triangulate;

use sinew_math::Vec3;

use crate::hull::polytope::Polytope;
use crate::hull::tolerance::measure;

pub use error::HullError;

/// Times that points are moved before the hull is given up.
const MAX_JOGGLES: u32 = 12;

/// A triangulated convex hull.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Hull {
    /// The points that are corners.
    pub vertices: Vec<u32>,
    /// The triangles at each corner, as indices into `triangles`.
    pub triangles_at: Vec<Vec<u32>>,
    /// The triangles.
    pub triangles: Vec<HullTriangle>,
}

/// A triangle of a hull.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HullTriangle {
    /// Points of the ridge, newest first.
    pub points: [u32; 3],
    /// Whether the points turn clockwise when seen from outside.
    pub clockwise: bool,
}

impl HullTriangle {
    /// The points, counterclockwise when seen from outside.
    pub fn face(&self) -> [u32; 3] {
        let [a, b, c] = self.points;
        if self.clockwise { [b, a, c] } else { [a, b, c] }
    }
}

impl Hull {
    /// The triangles, counterclockwise when seen from outside.
    pub fn faces(&self) -> impl Iterator<Item = [u32; 3]> + '_ {
        self.triangles.iter().map(HullTriangle::face)
    }

    /// The hull in the format of `mesh_graph`: numbers of vertices and faces; for each vertex the
    /// start of its edges, and its point. The other ends of each vertex's edges follow, ended by
    /// -1, then the points of each face.
    #[doc(alias = "mesh_graph")]
    pub fn graph(&self) -> Vec<i32> {
        let (nvert, nface) = (self.vertices.len(), self.triangles.len());
        let points = self.vertices.iter().max().map_or(0, |p| *p as usize + 1);
        let mut local = vec![-1; points];
        for (i, &point) in self.vertices.iter().enumerate() {
            local[point as usize] = i as i32;
        }

        // edges in the order in which the triangles at a vertex show them
        let mut start = Vec::with_capacity(nvert);
        let mut edges = Vec::with_capacity(nvert + 3 * nface);
        for (&point, triangles) in self.vertices.iter().zip(&self.triangles_at) {
            let first = edges.len();
            start.push(first as i32);
            for &triangle in triangles {
                for other in self.triangles[triangle as usize].points {
                    let end = local[other as usize];
                    if other != point && !edges[first..].contains(&end) {
                        edges.push(end);
                    }
                }
            }
            edges.push(-1);
        }

        let mut graph = vec![nvert as i32, nface as i32];
        graph.extend(start);
        graph.extend(self.vertices.iter().map(|p| *p as i32));
        graph.extend(edges);
        graph.extend(self.faces().flatten().map(|p| p as i32));
        graph
    }
}

/// The convex hull of `points`, with at most `limit` vertices (but at least four).
pub fn convex_hull(points: &[Vec3], limit: Option<usize>) -> Result<Hull, HullError> {
    if points.iter().any(|p| !p.is_finite()) {
        return Err(HullError::NotFinite);
    }
    if points.len() < 4 {
        return Err(HullError::Flat);
    }
    match build(points, limit) {
        Err(HullError::Pinched) => joggled(points, limit),
        result => result,
    }
}

fn build(points: &[Vec3], limit: Option<usize>) -> Result<Hull, HullError> {
    let (tolerance, extremes) = measure(points);
    let corners = simplex::choose(points, &tolerance, extremes)?;
    let mut polytope = Polytope::new(points, tolerance);
    polytope.start(&corners)?;
    polytope.partition_all(&corners)?;
    polytope.grow(limit)?;
    polytope.triangulate()?;
    polytope.hull()
}

/// The hull of points moved at random, so little at first that it does not show.
fn joggled(points: &[Vec3], limit: Option<usize>) -> Result<Hull, HullError> {
    let (tolerance, _) = measure(points);
    let mut amount = 3e4 * tolerance.dist_round;
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut random = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    };
    for _ in 0..MAX_JOGGLES {
        let moved: Vec<Vec3> =
            points.iter().map(|p| *p + Vec3::new(random(), random(), random()) * amount).collect();
        match build(&moved, limit) {
            Err(HullError::Pinched) => amount *= 10.0,
            result => return result,
        }
        if amount > 1e-2 * tolerance.max_abs {
            break;
        }
    }
    Err(HullError::Pinched)
}

impl Polytope<'_> {
    /// The finished hull, in the order of the lists.
    fn hull(&self) -> Result<Hull, HullError> {
        let mut number = vec![u32::MAX; self.facets.len()];
        let mut hull = Hull::default();
        for facet in self.facets_from(self.facet_list) {
            let f = &self.facets[facet];
            let [a, b, c] = f.vertices[..] else { return Err(HullError::Precision) };
            number[facet] = hull.triangles.len() as u32;
            hull.triangles.push(HullTriangle {
                points: [a, b, c].map(|v| self.vertices[v].point as u32),
                clockwise: f.toporient,
            });
        }
        for vertex in self.vertices_from(self.vertex_list) {
            let v = &self.vertices[vertex];
            hull.vertices.push(v.point as u32);
            hull.triangles_at.push(v.neighbors.iter().map(|&f| number[f]).collect());
        }
        // Euler's formula for triangulated spheres; more would not fit the graph
        let fits = hull.triangles.len() + 4 == 2 * hull.vertices.len();
        let listed: usize = hull.triangles_at.iter().map(Vec::len).sum();
        if !fits || listed != 3 * hull.triangles.len() {
            return Err(HullError::Pinched);
        }
        Ok(hull)
    }
}

#[cfg(test)]
mod tests;
