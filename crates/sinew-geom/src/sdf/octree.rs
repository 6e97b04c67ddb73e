//! Signed distances from a mesh: trilinear interpolation in the cells of an octree. MuJoCo
//! `engine_collision_sdf.c`.

use core::cell::Cell;

use sinew_math::Vec3;
use sinew_math::simd::alone;

/// Steps down an octree before giving up.
const MAX_LEVELS: usize = 100;
/// How far outside a cell a point still counts as inside.
const CELL_SLACK: f64 = 1e-8;
/// How far inside the last leaf a point is looked for in no other, as a share of its width.
const CERTAIN: f64 = 1e-6;
/// How far inside the outermost cell a point from outside is moved.
const INSET: f64 = 1e-6;
/// Step of finite differences outside.
const STEP: f64 = 1e-8;

/// Distances to a mesh, sampled at the corners of the cells of an octree, root first.
#[derive(Clone, Debug)]
pub struct Octree<'a> {
    /// Centre and half sizes of each cell.
    pub aabb: &'a [[f64; 6]],
    /// Children of each cell, -1 for none.
    pub child: &'a [[i32; 8]],
    /// Distances at the corners of each cell.
    pub coeff: &'a [[f64; 8]],
    /// The leaf that was found last, in which the next point mostly is, too; too large if none was.
    last: Cell<usize>,
}

impl<'a> Octree<'a> {
    /// The octree of these cells.
    pub fn new(aabb: &'a [[f64; 6]], child: &'a [[i32; 8]], coeff: &'a [[f64; 8]]) -> Self {
        Octree { aabb, child, coeff, last: Cell::new(usize::MAX) }
    }

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
    #[inline(always)]
    fn find(&self, p: Vec3) -> Option<(usize, [f64; 8])> {
        let (cell, coord) = self.leaf(p)?;
        let side = |j: usize, k: usize| if j & (1 << k) != 0 { coord[k] } else { 1.0 - coord[k] };
        Some((cell, core::array::from_fn(|j| side(j, 0) * side(j, 1) * side(j, 2))))
    }

    /// The leaf around a point, and where the point is in it: 0 to 1 along each axis.
    ///
    /// A point that is certainly inside the last leaf, farther from the sides than rounding of
    /// these, can be in no other.
    #[inline(always)]
    fn leaf(&self, p: Vec3) -> Option<(usize, [f64; 3])> {
        let last = self.last.get();
        if let Some(aabb) = self.aabb.get(last) {
            let coord = place(p, aabb);
            let inside = |x: f64| (CERTAIN..1.0 - CERTAIN).contains(&x);
            if inside(coord[0]) && inside(coord[1]) && inside(coord[2]) {
                return Some((last, coord));
            }
        }
        let cell = self.search(p.x, p.y, p.z);
        Some((cell, place(p, self.aabb.get(cell)?)))
    }

    /// The leaf around a point, from the root down; too large if there is none.
    ///
    /// Coordinates one by one: as a vector they would pass through the stack and be read back in
    /// another width, which defeats store forwarding.
    #[inline(never)]
    fn search(&self, x: f64, y: f64, z: f64) -> usize {
        let p = [x, y, z];
        let mut cell = 0;
        for _ in 0..MAX_LEVELS {
            let (Some(aabb), Some(child)) = (self.aabb.get(cell), self.child.get(cell)) else {
                break;
            };
            let mut octant = 0;
            for k in 0..3 {
                let (low, high) = (aabb[k] - aabb[k + 3], aabb[k] + aabb[k + 3]);
                if p[k] + CELL_SLACK < low || p[k] - CELL_SLACK > high {
                    return usize::MAX;
                }
                // the quotient of way and width is at least one half, to the last bit, if the way
                // is half the width. So only a leaf needs quotients.
                octant |= usize::from(alone(p[k] - low) >= alone(0.5 * (high - low))) << k;
            }
            let next = child[octant];
            if next == -1 && *child == [-1; 8] {
                self.last.set(cell);
                return cell;
            }
            let Ok(next) = usize::try_from(next) else { break };
            cell = next;
        }
        usize::MAX
    }
}

/// Where a point is in a cell: 0 to 1 along each axis.
#[inline(always)]
fn place(p: Vec3, aabb: &[f64; 6]) -> [f64; 3] {
    let along = |p: f64, center: f64, half: f64| {
        let (low, high) = (center - half, center + half);
        alone((p - low) / (high - low))
    };
    [along(p.x, aabb[0], aabb[3]), along(p.y, aabb[1], aabb[4]), along(p.z, aabb[2], aabb[5])]
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
        let coeff = [coeff];
        let tree = Octree::new(&[[0.0, 0.0, 0.0, 1.0, 1.0, 1.0]], &[[-1; 8]], &coeff);
        let at = |x, y, z| tree.distance(Vec3::new(x, y, z));
        assert!((at(0.1, 0.2, -0.3) - (0.1 + 0.4 - 1.2)).abs() < 1e-15);
        assert!((at(3.0, 0.0, 0.0) - (1.0 + 2.0)).abs() < 2e-6);

        // slopes in units of the cell, which is two wide
        let slope = tree.gradient(Vec3::new(0.1, 0.2, -0.3));
        assert!(slope.dist(Vec3::new(2.0, 4.0, 8.0)) < 1e-14);
        assert!(tree.gradient(Vec3::new(0.0, 3.0, 0.0)).y > 0.0);
    }
}
