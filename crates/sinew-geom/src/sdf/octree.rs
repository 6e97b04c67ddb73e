//! Signed distances from a mesh: trilinear interpolation in the cells of an octree. MuJoCo
//! `engine_collision_sdf.c`.

use sinew_math::Vec3;

/// Steps down an octree before giving up.
const MAX_LEVELS: usize = 100;
/// How far outside a cell a point still counts as inside.
const CELL_SLACK: f64 = 1e-8;
/// How far inside the outermost cell a point from outside is moved.
const INSET: f64 = 1e-6;
/// Step of finite differences outside.
const STEP: f64 = 1e-8;

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

    /// Direction in which the distance grows: of the interpolation inside, by finite differences
    /// outside.
    pub fn gradient(&self, point: Vec3) -> Vec3 {
        let Some(root) = self.aabb.first() else { return Vec3::ZERO };
        let (inside, way) = project(point, root);
        if way > 0.0 {
            let here = self.distance(point);
            let slope = |at: Vec3| (self.distance(at) - here) / STEP;
            let Vec3 { x, y, z } = point;
            return Vec3::new(
                slope(Vec3::new(x + STEP, y, z)),
                slope(Vec3::new(x, y + STEP, z)),
                slope(Vec3::new(x, y, z + STEP)),
            );
        }

        // the weights' derivatives, in units of the cell as in MuJoCo
        let Some((cell, coord)) = self.leaf(inside) else { return Vec3::ZERO };
        let mut sum = Vec3::ZERO;
        for (j, c) in self.coeff[cell].iter().enumerate() {
            let upper = |k: usize| j & (1 << k) != 0;
            let side = |k: usize| if upper(k) { coord[k] } else { 1.0 - coord[k] };
            let sign = |k: usize| if upper(k) { 1.0 } else { -1.0 };
            sum.x += sign(0) * side(1) * side(2) * c;
            sum.y += side(0) * sign(1) * side(2) * c;
            sum.z += side(0) * side(1) * sign(2) * c;
        }
        sum
    }

    /// The leaf around a point and the weights of its corners.
    fn find(&self, p: Vec3) -> Option<(usize, [f64; 8])> {
        let (cell, coord) = self.leaf(p)?;
        let side = |j: usize, k: usize| if j & (1 << k) != 0 { coord[k] } else { 1.0 - coord[k] };
        Some((cell, core::array::from_fn(|j| side(j, 0) * side(j, 1) * side(j, 2))))
    }

    /// The leaf around a point, and where the point is in it: 0 to 1 along each axis.
    fn leaf(&self, p: Vec3) -> Option<(usize, [f64; 3])> {
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
                return Some((cell, coord));
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

        // slopes in units of the cell, which is two wide
        let slope = tree.gradient(Vec3::new(0.1, 0.2, -0.3));
        assert!(slope.dist(Vec3::new(2.0, 4.0, 8.0)) < 1e-14);
        assert!(tree.gradient(Vec3::new(0.0, 3.0, 0.0)).y > 0.0);
    }
}
