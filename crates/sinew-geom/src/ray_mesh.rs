//! Rays against triangles and trees of triangles.

use sinew_math::{MINVAL, Vec3};

use crate::ray::{Hit, Nearest, Ray, nearest_face};
use crate::shape::Pose;

/// A triangle mesh with its bounding-volume tree, as a model stores them.
#[derive(Clone, Copy, Debug)]
pub struct MeshTree<'a> {
    /// Vertices.
    pub vert: &'a [[f32; 3]],
    /// Vertices of each triangle.
    pub face: &'a [[i32; 3]],
    /// Centre and half sizes of each node of the tree.
    pub aabb: &'a [[f64; 6]],
    /// Children of each node, -1 for none.
    pub child: &'a [[i32; 2]],
    /// Triangle of each leaf, -1 for other nodes.
    pub item: &'a [i32],
}

/// Nodes waiting to be visited; a tree of more levels than this is no balanced one (MuJoCo stops
/// at 50).
const MAX_DEPTH: usize = 64;

impl MeshTree<'_> {
    /// The first hit on the mesh at `pose`; `half` are the half sizes of a box around it there.
    ///
    /// Triangles have two sides; the winding gives the normal. `visit` is told the nodes that the
    /// ray meets, of leaves those with a hit that is nearer than those before.
    #[doc(alias = "mj_rayMesh")]
    pub fn hit(
        &self,
        half: Vec3,
        pose: Pose,
        ray: Ray,
        mut visit: impl FnMut(usize),
    ) -> Option<Hit> {
        // the box around all of it, then the tree of boxes
        nearest_face(&ray.box_faces(half, pose)?)?;
        let local = ray.local(pose);
        let across = Across::new(local);
        let slabs = Slabs::new(local);
        let mut best = Nearest::none();
        let mut stack = [0; MAX_DEPTH];
        let mut waiting = usize::from(!self.item.is_empty());
        while waiting > 0 {
            waiting -= 1;
            let node: usize = stack[waiting];
            if !slabs.intersects(&self.aabb[node]) {
                continue;
            }

            // a leaf: its triangle
            if let Ok(face) = usize::try_from(self.item[node]) {
                let triangle = self.triangle(face);
                if across.hit(triangle).is_some_and(|(x, normal)| best.offer(x, normal)) {
                    visit(node);
                }
                continue;
            }

            // its children
            visit(node);
            for child in self.child[node] {
                if let (Ok(child), Some(slot)) = (usize::try_from(child), stack.get_mut(waiting)) {
                    *slot = child;
                    waiting += 1;
                }
            }
        }

        // the normal in the world
        let (dist, normal) = best.get()?;
        Some(Hit { dist, normal: pose.mat * normal.normalize().0 })
    }

    fn triangle(&self, face: usize) -> [Vec3; 3] {
        self.face[face].map(|v| Vec3::from(self.vert[v as usize].map(f64::from)))
    }
}

/// A ray and two vectors that span the plane across it.
pub struct Across {
    ray: Ray,
    axes: [Vec3; 2],
}

impl Across {
    /// Prepares a ray for triangles.
    pub fn new(ray: Ray) -> Across {
        let v = ray.dir;
        let mut start = Vec3::new(1.0, 1.0, 1.0);
        let largest = if v.x.abs() >= v.y.abs() && v.x.abs() >= v.z.abs() {
            0
        } else if v.y.abs() >= v.z.abs() {
            1
        } else {
            2
        };
        start[largest] = 0.0;
        let second = (start + v * (-v.dot(start) / v.dot(v))).normalize().0;
        let first = second.cross(v).normalize().0;
        Across { ray, axes: [first, second] }
    }

    /// Distance to the plane of a triangle that the ray goes through, which may be negative, and
    /// the normal, not scaled.
    pub fn hit(&self, triangle: [Vec3; 3]) -> Option<(f64, Vec3)> {
        // the triangle as seen along the ray, which is the origin
        let project = |v: Vec3| {
            let dif = v - self.ray.origin;
            [self.axes[0].dot(dif), self.axes[1].dot(dif)]
        };
        let [v0, v1, v2] = triangle;
        let seen = [project(v0), project(v1), project(v2)];
        for k in 0..2 {
            if seen.iter().all(|p| p[k] > 0.0) || seen.iter().all(|p| p[k] < 0.0) {
                return None;
            }
        }

        // the origin as p2 + t0 (p0 - p2) + t1 (p1 - p2)
        let [p0, p1, p2] = seen;
        let a = [p0[0] - p2[0], p1[0] - p2[0], p0[1] - p2[1], p1[1] - p2[1]];
        let b = [-p2[0], -p2[1]];
        let det = a[0] * a[3] - a[1] * a[2];
        if det.abs() < MINVAL {
            return None;
        }
        let t0 = (a[3] * b[0] - a[1] * b[1]) / det;
        let t1 = (-a[2] * b[0] + a[0] * b[1]) / det;
        if t0 < 0.0 || t1 < 0.0 || t0 + t1 > 1.0 {
            return None;
        }

        // the plane
        let normal = (v0 - v2).cross(v1 - v2);
        let speed = self.ray.dir.dot(normal);
        if speed.abs() < MINVAL {
            return None;
        }
        Some((-(self.ray.origin - v2).dot(normal) / speed, normal))
    }
}

/// A ray prepared for boxes along the axes. Ericson, *Real-Time Collision Detection* (2004),
/// §5.3.3.
struct Slabs {
    origin: [f64; 3],
    inverse: [f64; 3],
}

impl Slabs {
    fn new(ray: Ray) -> Slabs {
        let inverse = ray.dir.to_array().map(|v| 1.0 / v);
        Slabs { origin: ray.origin.to_array(), inverse }
    }

    /// Whether the ray intersects the box (slab method): the intervals between its pairs of planes
    /// overlap.
    #[doc(alias = "mju_raySlab")]
    fn intersects(&self, aabb: &[f64; 6]) -> bool {
        let (mut enter, mut leave) = (0.0, f64::INFINITY);
        for k in 0..3 {
            let (center, half) = (aabb[k], aabb[k + 3]);
            let t1 = (center - half - self.origin[k]) * self.inverse[k];
            let t2 = (center + half - self.origin[k]) * self.inverse[k];

            // comparisons and not `min`: a ray in a plane of the box gives NaN
            let (near, far) = if t1 < t2 { (t1, t2) } else { (t2, t1) };
            enter = if enter > near { enter } else { near };
            leave = if leave < far { leave } else { far };
        }
        enter < leave
    }
}

#[cfg(test)]
mod tests;
