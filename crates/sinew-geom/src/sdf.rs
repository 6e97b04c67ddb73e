//! Signed distances: how far a point is outside a surface, negative inside.
//!
//! Primitives: I. Quilez, *Distance functions*. Meshes: trilinear interpolation in the cells of an
//! octree. MuJoCo `engine_collision_sdf.c`.

use sinew_math::{Vec3, scalar};

use crate::shape::Shape;

/// Steps down an octree before giving up.
const MAX_LEVELS: usize = 100;
/// How far outside a cell a point still counts as inside.
const CELL_SLACK: f64 = 1e-8;
/// How far inside the outermost cell a point from outside is moved.
const INSET: f64 = 1e-6;

/// Signed distance of a point from a shape, in the frame of the shape.
///
/// Inside a box it is measured along a field that turns from radial to the normals of the faces;
/// for an ellipsoid it is a bound.
pub fn distance(shape: Shape, x: Vec3) -> f64 {
    match shape {
        Shape::Plane { .. } => x.z,
        Shape::Sphere { radius } => x.norm() - radius,
        Shape::Capsule { radius, half_len } => {
            let z = x.z - scalar::clip(x.z, -half_len, half_len);
            Vec3::new(x.x, x.y, z).norm() - radius
        }
        Shape::Ellipsoid { half } => {
            let a = Vec3::new(x.x / half.x, x.y / half.y, x.z / half.z);
            let b = Vec3::new(a.x / half.x, a.y / half.y, a.z / half.z);
            let (k0, k1) = (a.norm(), b.norm());
            k0 * (k0 - 1.0) / k1
        }
        Shape::Cylinder { radius, half_len } => {
            let a = [(x.x * x.x + x.y * x.y).sqrt() - radius, x.z.abs() - half_len];
            let b = [a[0].max(0.0), a[1].max(0.0)];
            a[0].max(a[1]).min(0.0) + (b[0] * b[0] + b[1] * b[1]).sqrt()
        }
        Shape::Box { half } => box_distance(half, x),
    }
}

fn box_distance(half: Vec3, x: Vec3) -> f64 {
    let a = Vec3::new(x.x.abs() - half.x, x.y.abs() - half.y, x.z.abs() - half.z);
    if a.x >= 0.0 || a.y >= 0.0 || a.z >= 0.0 {
        let outside = Vec3::new(a.x.max(0.0), a.y.max(0.0), a.z.max(0.0));
        return outside.norm() + a.x.max(a.y.max(a.z)).min(0.0);
    }
    // inside: along the field to the nearest face
    let field = Vec3::new(-half.x / a.x, -half.y / a.y, -half.z / a.z).normalize().0;
    let steps = [0, 1, 2].map(|k| -a[k] / field[k].abs());
    -steps[0].min(steps[1].min(steps[2])) * field.norm()
}

/// Distances to a mesh, sampled at the corners of the cells of an octree, root first.
#[derive(Clone, Copy, Debug)]
pub struct Octree<'a> {
    /// Centre and half sizes of each cell.
    pub aabb: &'a [[f64; 6]],
    /// Children of each cell, -1 for none.
    pub child: &'a [[i32; 8]],
    /// Distances at the corners of each cell.
    pub coeff: &'a [[f64; 8]],
}

impl Octree<'_> {
    /// Signed distance of a point; outside the octree, of the nearest point in it plus the way.
    pub fn distance(&self, point: Vec3) -> f64 {
        let Some(root) = self.aabb.first() else { return 0.0 };
        let (inside, way) = project(point, root);
        let Some((cell, weights)) = self.find(inside) else { return 0.0 };
        let mut dist = 0.0;
        for (w, c) in weights.iter().zip(&self.coeff[cell]) {
            dist += w * c;
        }
        if way > 0.0 { dist + way } else { dist }
    }

    /// The leaf around a point and the weights of its corners.
    fn find(&self, p: Vec3) -> Option<(usize, [f64; 8])> {
        let mut cell = 0;
        for _ in 0..MAX_LEVELS {
            let aabb = self.aabb.get(cell)?;
            let low = |k: usize| aabb[k] - aabb[k + 3];
            let high = |k: usize| aabb[k] + aabb[k + 3];
            if (0..3).any(|k| p[k] + CELL_SLACK < low(k) || p[k] - CELL_SLACK > high(k)) {
                return None;
            }
            let coord = [0, 1, 2].map(|k| (p[k] - low(k)) / (high(k) - low(k)));
            if self.child[cell].iter().all(|&c| c == -1) {
                let side =
                    |j: usize, k: usize| if j & (1 << k) != 0 { coord[k] } else { 1.0 - coord[k] };
                return Some((
                    cell,
                    core::array::from_fn(|j| side(j, 0) * side(j, 1) * side(j, 2)),
                ));
            }
            let octant = coord.map(|c| usize::from(c >= 0.5));
            let next = self.child[cell][4 * octant[2] + 2 * octant[1] + octant[0]];
            cell = usize::try_from(next).ok()?;
        }
        None
    }
}

/// The point moved just inside the box, and the distance it was outside; not positive if inside.
fn project(point: Vec3, aabb: &[f64; 6]) -> (Vec3, f64) {
    let r = [0, 1, 2].map(|k| point[k] - aabb[k]);
    let q = [0, 1, 2].map(|k| r[k].abs() - aabb[k + 3]);
    if q.iter().all(|&q| q <= 0.0) {
        return (point, q[0].max(q[1].max(q[2])));
    }
    let (mut inside, mut square) = (point, 0.0);
    for k in 0..3 {
        if q[k] >= 0.0 {
            square += q[k] * q[k];
            inside[k] -= if r[k] > 0.0 { q[k] + INSET } else { -(q[k] + INSET) };
        }
    }
    (inside, square.sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_on_surfaces_have_no_distance() {
        let cases = [
            (Shape::Plane { half: [0.0; 2] }, Vec3::new(3.0, 4.0, 0.0)),
            (Shape::Sphere { radius: 2.0 }, Vec3::new(0.0, 2.0, 0.0)),
            (Shape::Capsule { radius: 0.5, half_len: 1.0 }, Vec3::new(0.0, 0.0, -1.5)),
            (Shape::Ellipsoid { half: Vec3::new(1.0, 2.0, 3.0) }, Vec3::new(0.0, 0.0, 3.0)),
            (Shape::Cylinder { radius: 0.5, half_len: 1.0 }, Vec3::new(0.5, 0.0, 0.3)),
            (Shape::Box { half: Vec3::new(1.0, 2.0, 3.0) }, Vec3::new(1.0, 0.0, 1.0)),
        ];
        for (shape, on) in cases {
            assert!(distance(shape, on).abs() < 1e-15, "{shape:?}");
            assert!(distance(shape, on + Vec3::Z * 10.0) > 0.0, "{shape:?}");
        }
        let inside = distance(Shape::Box { half: Vec3::new(1.0, 1.0, 1.0) }, Vec3::ZERO);
        assert!((inside + 3f64.sqrt()).abs() < 1e-15);
    }

    #[test]
    fn an_octree_interpolates_and_extends() {
        // one cell that holds x + 2 y + 4 z in [-1, 1]³
        let corner = |j: usize, k: usize| if j & (1 << k) != 0 { 1.0 } else { -1.0 };
        let coeff =
            core::array::from_fn(|j| corner(j, 0) + 2.0 * corner(j, 1) + 4.0 * corner(j, 2));
        let tree =
            Octree { aabb: &[[0.0, 0.0, 0.0, 1.0, 1.0, 1.0]], child: &[[-1; 8]], coeff: &[coeff] };
        let at = |x, y, z| tree.distance(Vec3::new(x, y, z));
        assert!((at(0.1, 0.2, -0.3) - (0.1 + 0.4 - 1.2)).abs() < 1e-15);
        assert!((at(3.0, 0.0, 0.0) - (1.0 + 2.0)).abs() < 2e-6);
    }
}
