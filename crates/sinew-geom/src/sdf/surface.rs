//! The exact signed distance from a closed surface of triangles.
//!
//! The nearest triangle is found in a tree of spheres. The sign comes from the angle-weighted
//! normal at the nearest face, edge or vertex: J. Bærentzen and H. Aanæs, *Signed distance
//! computation using the angle weighted pseudonormal* (2005). Nearest points: C. Ericson,
//! *Real-time collision detection* (2005), 5.1.5.

use std::collections::HashMap;

use sinew_math::{Vec3, scalar};

/// A surface that distances can be asked of.
pub struct Surface<'a> {
    vertices: &'a [Vec3],
    faces: &'a [[i32; 3]],
    nodes: Vec<Node>,
    face_normals: Vec<Vec3>,
    edge_normals: Vec<[Vec3; 3]>,
    vertex_normals: Vec<Vec3>,
}

/// Spheres around the two halves of some triangles, or one triangle.
enum Node {
    Leaf(usize),
    Halves([(Sphere, usize); 2]),
}

#[derive(Clone, Copy)]
struct Sphere {
    center: Vec3,
    radius: f64,
}

/// Nearest feature of a triangle.
#[derive(Clone, Copy)]
enum Feature {
    Vertex(usize),
    Edge(usize),
    Face,
}

/// The nearest point so far.
struct Nearest {
    distance: f64,
    face: usize,
    part: Feature,
    point: Vec3,
}

impl<'a> Surface<'a> {
    /// A surface of triangles, of which there is at least one and whose corners exist.
    pub fn new(vertices: &'a [Vec3], faces: &'a [[i32; 3]]) -> Option<Surface<'a>> {
        let exists = |i: &i32| usize::try_from(*i).is_ok_and(|i| i < vertices.len());
        if faces.is_empty() || !faces.iter().flatten().all(exists) {
            return None;
        }
        let mut surface = Surface {
            vertices,
            faces,
            nodes: Vec::with_capacity(2 * faces.len()),
            face_normals: Vec::with_capacity(faces.len()),
            edge_normals: Vec::with_capacity(faces.len()),
            vertex_normals: vec![Vec3::ZERO; vertices.len()],
        };
        let mut order: Vec<usize> = (0..faces.len()).collect();
        surface.build(&mut order);
        surface.weigh_normals();
        Some(surface)
    }

    fn corners(&self, face: usize) -> [Vec3; 3] {
        self.faces[face].map(|i| self.vertices[i as usize])
    }

    /// Adds the node of some triangles and returns it with its sphere.
    fn build(&mut self, order: &mut [usize]) -> (Sphere, usize) {
        let id = self.nodes.len();
        let n = order.len();
        if let [face] = *order {
            let corners = self.corners(face);
            let center = (corners[0] + corners[1] + corners[2]).each(|x| x / 3.0);
            let far = corners.map(|c| (c - center).norm());
            self.nodes.push(Node::Leaf(face));
            return (Sphere { center, radius: far[0].max(far[1]).max(far[2]) }, id);
        }

        // centre, and the longest side of the box
        let points = || order.iter().flat_map(|f| self.corners(*f));
        let mut center = Vec3::ZERO;
        let (mut low, mut high) = ([f64::MAX; 3], [f64::MIN; 3]);
        for p in points() {
            center += p;
            for k in 0..3 {
                low[k] = low[k].min(p[k]);
                high[k] = high[k].max(p[k]);
            }
        }
        let count = (3 * n) as f64;
        let center = center.each(|x| x / count);
        let side = |k: usize| high[k] - low[k];
        let longest = if side(1) > side(0) { 1 } else { 0 };
        let axis = if side(2) > side(longest) { 2 } else { longest };
        let square = points().fold(0.0, |most: f64, p| most.max((center - p).dot(center - p)));

        // halves, along that side
        let key = |f: &usize| self.vertices[self.faces[*f][0] as usize][axis];
        order.sort_by(|a, b| key(a).total_cmp(&key(b)));
        self.nodes.push(Node::Leaf(0));
        let (left, right) = order.split_at_mut(n / 2);
        let halves = [self.build(left), self.build(right)];
        self.nodes[id] = Node::Halves(halves);
        (Sphere { center, radius: square.sqrt() }, id)
    }

    /// Normals of faces, edges and vertices.
    fn weigh_normals(&mut self) {
        let edge = |a: i32, b: i32| (a.min(b), a.max(b));
        let mut of_edge: HashMap<(i32, i32), Vec3> = HashMap::new();
        for (f, &[i, j, k]) in self.faces.iter().enumerate() {
            let [a, b, c] = self.corners(f);
            let normal = unit((b - a).cross(c - a));
            self.face_normals.push(normal);
            let angle = |u: Vec3, v: Vec3| scalar::acos(unit(u).dot(unit(v)));
            let angles = [angle(b - a, c - a), angle(a - b, c - b), angle(b - c, a - c)];
            for (v, angle) in [i, j, k].into_iter().zip(angles) {
                self.vertex_normals[v as usize] += normal * angle;
            }
            for key in [edge(i, j), edge(j, k), edge(i, k)] {
                of_edge.entry(key).and_modify(|sum| *sum += normal).or_insert(normal);
            }
        }
        for normal in &mut self.vertex_normals {
            *normal = unit(*normal);
        }
        for &[i, j, k] in self.faces {
            let keys = [edge(i, j), edge(j, k), edge(i, k)];
            self.edge_normals.push(keys.map(|key| unit(of_edge[&key])));
        }
    }

    /// Signed distance of a point, negative inside.
    pub fn distance(&self, point: Vec3) -> f64 {
        let mut nearest =
            Nearest { distance: f64::MAX, face: 0, part: Feature::Face, point: Vec3::ZERO };
        self.query(0, point, &mut nearest);
        let face = nearest.face;
        let normal = match nearest.part {
            Feature::Vertex(k) => self.vertex_normals[self.faces[face][k] as usize],
            Feature::Edge(k) => self.edge_normals[face][k],
            Feature::Face => self.face_normals[face],
        };
        let outside = (point - nearest.point).dot(normal) >= 0.0;
        nearest.distance * if outside { 1.0 } else { -1.0 }
    }

    fn query(&self, node: usize, point: Vec3, best: &mut Nearest) {
        match &self.nodes[node] {
            Node::Leaf(face) => self.offer(*face, point, best),
            Node::Halves(halves) => {
                let reach = |s: &Sphere| (point - s.center).norm() - s.radius;
                let d = [reach(&halves[0].0), reach(&halves[1].0)];
                let first = usize::from(d[0] >= d[1] || d[0].is_nan());
                for half in [first, 1 - first] {
                    if d[half] < best.distance {
                        self.query(halves[half].1, point, best);
                    }
                }
            }
        }
    }

    /// Keeps a triangle if it is nearer.
    fn offer(&self, face: usize, p: Vec3, best: &mut Nearest) {
        let corners = self.corners(face);
        let (part, weights, nearest) = nearest_point(p, corners);
        let square = (p - nearest).dot(p - nearest);
        if square < best.distance * best.distance {
            let [a, b, c] = corners;
            let point = a * weights[0] + b * weights[1] + c * weights[2];
            *best = Nearest { distance: square.sqrt(), face, part, point };
        }
    }
}

/// Feature of a triangle nearest to a point, with the weights of the corners and the nearest point.
fn nearest_point(p: Vec3, [a, b, c]: [Vec3; 3]) -> (Feature, [f64; 3], Vec3) {
    // where the projections onto the edges are, from both of their ends
    let (ab, ac, bc) = (b - a, c - a, c - b);
    let (from_a, to_b) = ((p - a).dot(ab), (p - b).dot(a - b));
    let (along_ac, to_c) = ((p - a).dot(ac), (p - c).dot(a - c));
    if from_a <= 0.0 && along_ac <= 0.0 {
        return (Feature::Vertex(0), [1.0, 0.0, 0.0], a);
    }
    let (from_b, back_c) = ((p - b).dot(bc), (p - c).dot(b - c));
    if to_b <= 0.0 && from_b <= 0.0 {
        return (Feature::Vertex(1), [0.0, 1.0, 0.0], b);
    }
    if to_c <= 0.0 && back_c <= 0.0 {
        return (Feature::Vertex(2), [0.0, 0.0, 1.0], c);
    }

    // beyond an edge
    let normal = ab.cross(ac);
    let beyond_ab = normal.dot((a - p).cross(b - p));
    if beyond_ab <= 0.0 && from_a >= 0.0 && to_b >= 0.0 {
        let t = from_a / (from_a + to_b);
        let w = [1.0 - t, t, 0.0];
        return (Feature::Edge(0), w, a * w[0] + b * w[1]);
    }
    let beyond_bc = normal.dot((b - p).cross(c - p));
    if beyond_bc <= 0.0 && from_b >= 0.0 && back_c >= 0.0 {
        let t = from_b / (from_b + back_c);
        let w = [0.0, 1.0 - t, t];
        return (Feature::Edge(1), w, b * w[1] + c * w[2]);
    }
    let beyond_ac = normal.dot((c - p).cross(a - p));
    if beyond_ac <= 0.0 && along_ac >= 0.0 && to_c >= 0.0 {
        let t = along_ac / (along_ac + to_c);
        let w = [1.0 - t, 0.0, t];
        return (Feature::Edge(2), w, a * w[0] + c * w[2]);
    }

    // above the face
    let sum = beyond_bc + beyond_ac + beyond_ab;
    let (u, v) = (beyond_bc / sum, beyond_ac / sum);
    let w = [u, v, 1.0 - u - v];
    (Feature::Face, w, a * w[0] + b * w[1] + c * w[2])
}

/// A vector of unit length; NaN if it has none.
fn unit(v: Vec3) -> Vec3 {
    let norm = v.norm();
    v.each(|x| x / norm)
}

/// A function of each coordinate.
trait Each {
    fn each(self, f: impl Fn(f64) -> f64) -> Vec3;
}

impl Each for Vec3 {
    fn each(self, f: impl Fn(f64) -> f64) -> Vec3 {
        Vec3::new(f(self.x), f(self.y), f(self.z))
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn distances_from_a_cube_are_those_of_a_box() {
        let corner = |i: usize| {
            let side = |k: usize| if i & (1 << k) != 0 { 1.0 } else { -1.0 };
            Vec3::new(side(0), side(1), side(2))
        };
        let vertices: Vec<Vec3> = (0..8).map(corner).collect();
        let faces = [
            [0, 2, 1],
            [1, 2, 3],
            [4, 5, 6],
            [5, 7, 6],
            [0, 1, 4],
            [1, 5, 4],
            [2, 6, 3],
            [3, 6, 7],
            [0, 4, 2],
            [2, 4, 6],
            [1, 3, 5],
            [3, 7, 5],
        ];
        let cube = Surface::new(&vertices, &faces).unwrap();
        let at = |x, y, z| cube.distance(Vec3::new(x, y, z));
        assert!((at(3.0, 0.2, 0.1) - 2.0).abs() < 1e-15);
        assert!((at(0.5, 0.2, 0.1) + 0.5).abs() < 1e-15);
        assert!((at(4.0, 5.0, 1.0) - 5.0).abs() < 1e-15);
        assert!((at(2.0, 3.0, -3.0) - 3.0).abs() < 1e-15);
        assert!(Surface::new(&vertices, &[]).is_none());
        assert!(Surface::new(&vertices, &[[0, 1, 8]]).is_none());
    }
}
