//! An octree around a mesh, finer where the surface is, with a distance at every corner.
//!
//! Neighbouring leaves differ by one level at most. A corner in the middle of a coarser neighbour's
//! face or edge has the mean of that neighbour's corners. So the interpolation has no jumps. MuJoCo
//! `mjCOctree`.

use std::collections::{HashMap, VecDeque};

use sinew_math::Vec3;

/// Levels below the root, at most.
const MAX_LEVEL: i32 = 6;
/// How much larger than the mesh the root is.
const ENLARGED: f64 = 1.1;
/// Coordinates nearer than this are equal.
const SAME: f64 = 1e-9;

/// The cells of an octree, root first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cells {
    /// Centre and half sizes of each cell.
    pub aabb: Vec<[f64; 6]>,
    /// Children of each cell, -1 for none.
    pub child: Vec<[i32; 8]>,
    /// Level of each cell; the root is at 0.
    pub depth: Vec<i32>,
    /// Distances at the corners of each cell.
    pub coeff: Vec<[f64; 8]>,
}

/// The octree of a mesh within the bounds `aamm` (smallest, then largest coordinates), with
/// `distance` at its corners; zeros without. None if a corner depends on one that has no distance.
pub fn grow(
    faces: &[[Vec3; 3]],
    aamm: [f64; 6],
    distance: Option<&dyn Fn(Vec3) -> f64>,
) -> Option<Cells> {
    // cells, and distances at their corners
    let mut tree = Tree::default();
    tree.plant(faces, aamm);
    tree.balance();
    let hanging = tree.hanging();
    let coeff = match distance {
        Some(distance) => tree.sample(&hanging, distance)?,
        None => vec![0.0; tree.corners.len()],
    };

    // in the layout of the model: centres and half sizes, children, depths, distances
    let mut cells = Cells::default();
    for node in &tree.nodes {
        let b = node.bounds;
        cells.aabb.push(core::array::from_fn(|k| match k {
            0..3 => (b[k] + b[k + 3]) / 2.0,
            _ => (b[k] - b[k - 3]) / 2.0,
        }));
        cells.child.push(node.child.map(|c| c.map_or(-1, |c| c as i32)));
        cells.depth.push(node.level);
        cells.coeff.push(node.corner.map(|c| coeff[c]));
    }
    Some(cells)
}

/// A cell while the tree grows.
struct Node {
    level: i32,
    parent: Option<usize>,
    /// Index among its parent's children.
    slot: usize,
    child: [Option<usize>; 8],
    /// Corners of the cell, by number.
    corner: [usize; 8],
    /// Smallest, then largest coordinates.
    bounds: [f64; 6],
}

#[derive(Default)]
struct Tree {
    nodes: Vec<Node>,
    corners: Vec<Vec3>,
    /// Corners by the bits of their coordinates: neighbours compute them alike.
    numbers: HashMap<[u64; 3], usize>,
}

impl Tree {
    /// Divides cells that the surface goes through, level by level.
    fn plant(&mut self, faces: &[[Vec3; 3]], aamm: [f64; 6]) {
        let middle = |k: usize| (aamm[k] + aamm[k + 3]) / 2.0;
        let half = |k: usize| (aamm[k + 3] - aamm[k]) / 2.0;
        let bounds = core::array::from_fn(|k| match k {
            0..3 => middle(k) - ENLARGED * half(k),
            _ => middle(k - 3) + ENLARGED * half(k - 3),
        });
        self.add(bounds, 0, None, 0);
        let mut queue = VecDeque::from([(0, (0..faces.len() as u32).collect::<Vec<u32>>())]);
        while let Some((cell, inside)) = queue.pop_front() {
            let Node { bounds, level, .. } = self.nodes[cell];
            let cuts = |f: &u32| cuts(&faces[*f as usize], &bounds);
            let inside: Vec<u32> = inside.into_iter().filter(cuts).collect();
            if !inside.is_empty() && level < MAX_LEVEL {
                let first = self.divide(cell);
                queue.extend((first..first + 8).map(|child| (child, inside.clone())));
            }
        }
    }

    fn add(&mut self, bounds: [f64; 6], level: i32, parent: Option<usize>, slot: usize) {
        let corner = core::array::from_fn(|i| {
            let side = |k: usize| if i & (1 << k) != 0 { bounds[k + 3] } else { bounds[k] };
            self.corner(Vec3::new(side(0), side(1), side(2)))
        });
        self.nodes.push(Node { level, parent, slot, child: [None; 8], corner, bounds });
    }

    /// The number of a corner.
    fn corner(&mut self, at: Vec3) -> usize {
        // zeros of both signs are one
        let key = at.to_array().map(|x| (x + 0.0).to_bits());
        let corners = &mut self.corners;
        *self.numbers.entry(key).or_insert_with(|| {
            corners.push(at);
            corners.len() - 1
        })
    }

    /// Gives a cell eight children and returns the first.
    fn divide(&mut self, cell: usize) -> usize {
        let (b, level) = (self.nodes[cell].bounds, self.nodes[cell].level);
        let first = self.nodes.len();
        for slot in 0..8 {
            let upper = |k: usize| slot & (1 << k) != 0;
            let bounds = core::array::from_fn(|k| match k {
                0..3 if upper(k) => (b[k + 3] + b[k]) / 2.0,
                3.. if !upper(k - 3) => (b[k - 3] + b[k]) / 2.0,
                _ => b[k],
            });
            self.add(bounds, level + 1, Some(cell), slot);
            self.nodes[cell].child[slot] = Some(first + slot);
        }
        first
    }

    fn is_leaf(&self, cell: usize) -> bool {
        self.nodes[cell].child[0].is_none()
    }

    fn leaves(&self) -> Vec<usize> {
        (0..self.nodes.len()).filter(|cell| self.is_leaf(*cell)).collect()
    }

    /// Divides leaves until neighbours differ by one level at most.
    fn balance(&mut self) {
        loop {
            // leaves two or more levels above a neighbour
            let mut coarse = Vec::new();
            for leaf in self.leaves() {
                for towards in Towards::ALL {
                    let Some(other) = self.neighbour(leaf, towards) else { continue };
                    let (own, others) = (self.nodes[leaf].level, self.nodes[other].level);
                    if others > own + 1 {
                        coarse.push(leaf);
                    }
                    if own > others + 1 {
                        coarse.push(other);
                    }
                }
            }
            if coarse.is_empty() {
                return;
            }

            // divided once; their children may be too coarse in turn
            for cell in coarse {
                if self.is_leaf(cell) {
                    self.divide(cell);
                }
            }
        }
    }

    /// The leaf beside a leaf.
    fn neighbour(&self, leaf: usize, towards: Towards) -> Option<usize> {
        // up to the first ancestor with a sibling there
        let bit = 1 << towards.axis;
        let mut cell = leaf;
        let mut found = loop {
            let node = &self.nodes[cell];
            let parent = node.parent?;
            if towards.up != (node.slot & bit != 0) {
                break self.nodes[parent].child[node.slot ^ bit]?;
            }
            cell = parent;
        };

        // down on the near side, where the leaf's centre is
        let center = |cell: usize, k: usize| {
            let b = self.nodes[cell].bounds;
            (b[k] + b[k + 3]) / 2.0
        };
        while !self.is_leaf(found) {
            let mut slot = 0;
            for k in 0..3 {
                let upper = match k == towards.axis {
                    true => !towards.up,
                    false => center(leaf, k) > center(found, k),
                };
                slot |= usize::from(upper) << k;
            }
            found = self.nodes[found].child[slot]?;
        }
        Some(found)
    }

    /// For each corner the corners whose mean it has; none if it has a distance of its own.
    fn hanging(&self) -> Vec<Vec<usize>> {
        let mut hanging = vec![Vec::new(); self.corners.len()];
        for leaf in self.leaves() {
            for towards in Towards::ALL {
                let Some(other) = self.neighbour(leaf, towards) else { continue };
                if self.nodes[other].level >= self.nodes[leaf].level {
                    continue;
                }
                for i in 0..4 {
                    let axes = [(towards.axis + 1) % 3, (towards.axis + 2) % 3];
                    let side = usize::from(towards.up) << towards.axis;
                    let on_face = side | (i & 1) << axes[0] | (i >> 1) << axes[1];
                    let corner = self.nodes[leaf].corner[on_face];
                    if hanging[corner].is_empty() {
                        hanging[corner] = self.supports(other, self.corners[corner]);
                    }
                }
            }
        }
        hanging
    }

    /// The corners of a cell around a point in the middle of one of its edges or faces.
    fn supports(&self, cell: usize, at: Vec3) -> Vec<usize> {
        let Node { bounds, corner, .. } = &self.nodes[cell];
        let low: [bool; 3] = core::array::from_fn(|k| (at[k] - bounds[k]).abs() < SAME);
        let high: [bool; 3] = core::array::from_fn(|k| (at[k] - bounds[k + 3]).abs() < SAME);
        let on = |k: usize| low[k] || high[k];
        let fixed = |k: usize| usize::from(high[k]) << k;
        match (0..3).filter(|k| on(*k)).count() {
            2 => {
                let free = (0..3).find(|k| !on(*k)).unwrap_or(0);
                let edge = fixed((free + 1) % 3) | fixed((free + 2) % 3);
                vec![corner[edge], corner[edge | 1 << free]]
            }
            1 => {
                let axis = (0..3).find(|k| on(*k)).unwrap_or(0);
                let axes = [(axis + 1) % 3, (axis + 2) % 3];
                let at = |j: usize| fixed(axis) | (j & 1) << axes[0] | (j >> 1) << axes[1];
                (0..4).map(|j| corner[at(j)]).collect()
            }
            _ => Vec::new(),
        }
    }

    /// A distance for every corner, coarse cells first.
    fn sample(&self, hanging: &[Vec<usize>], distance: &dyn Fn(Vec3) -> f64) -> Option<Vec<f64>> {
        let mut values: Vec<Option<f64>> = vec![None; self.corners.len()];
        let mut queue = VecDeque::from([0]);
        while let Some(cell) = queue.pop_front() {
            let node = &self.nodes[cell];
            for &corner in &node.corner {
                if values[corner].is_some() {
                    continue;
                }
                let supports = &hanging[corner];
                values[corner] = Some(if supports.is_empty() {
                    distance(self.corners[corner])
                } else {
                    let mut sum = 0.0;
                    for &support in supports {
                        sum += values[support]?;
                    }
                    sum / supports.len() as f64
                });
            }
            queue.extend(node.child.iter().flatten());
        }
        Some(values.into_iter().map(|value| value.unwrap_or(0.0)).collect())
    }
}

/// A direction along an axis.
#[derive(Clone, Copy)]
struct Towards {
    axis: usize,
    up: bool,
}

impl Towards {
    const ALL: [Towards; 6] = [
        Towards { axis: 0, up: false },
        Towards { axis: 0, up: true },
        Towards { axis: 1, up: false },
        Towards { axis: 1, up: true },
        Towards { axis: 2, up: false },
        Towards { axis: 2, up: true },
    ];
}

/// Whether a triangle goes through a box: M. Schwarz and H.-P. Seidel, *Fast parallel surface and
/// solid voxelization on GPUs* (2010).
fn cuts(v: &[Vec3; 3], aamm: &[f64; 6]) -> bool {
    // boxes
    for k in 0..3 {
        if v.iter().all(|p| p[k] < aamm[k]) || v.iter().all(|p| p[k] > aamm[k + 3]) {
            return false;
        }
    }

    // the plane of the triangle between the farthest corners
    let edge = [v[1] - v[0], v[2] - v[1], v[0] - v[2]];
    let n = edge[0].cross(edge[1]);
    let low = Vec3::from_slice(aamm);
    let size = Vec3::new(aamm[3] - aamm[0], aamm[4] - aamm[1], aamm[5] - aamm[2]);
    let towards = |k: usize| if n[k] > 0.0 { size[k] } else { 0.0 };
    let far = Vec3::new(towards(0), towards(1), towards(2));
    let (d1, d2) = (n.dot(far - v[0]), n.dot(size - far - v[0]));
    if (n.dot(low) + d1) * (n.dot(low) + d2) > 0.0 {
        return false;
    }

    // projections along the axes
    for a in 0..3 {
        let (b, c) = ((a + 1) % 3, (a + 2) % 3);
        let sign = if n[a] >= 0.0 { 1.0 } else { -1.0 };
        for (e, p) in edge.iter().zip(v) {
            let across = [-e[c] * sign, e[b] * sign];
            let reach =
                [size[b] * across[0], size[c] * across[1]].map(|x| if 0.0 >= x { 0.0 } else { x });
            let d = -(across[0] * p[b] + across[1] * p[c]) + reach[0] + reach[1];
            if across[0] * aamm[b] + across[1] * aamm[c] + d < 0.0 {
                return false;
            }
        }
    }
    true
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::sdf::octree::Octree;

    /// Triangles of an octahedron of radius 1.
    fn octahedron() -> Vec<[Vec3; 3]> {
        let mut faces = Vec::new();
        for i in 0..8 {
            let sign = |k: usize| if i & (1 << k) != 0 { -1.0 } else { 1.0 };
            faces.push([Vec3::X * sign(0), Vec3::Y * sign(1), Vec3::Z * sign(2)]);
        }
        faces
    }

    #[test]
    fn an_octree_has_no_jumps_and_is_fine_at_the_surface() {
        let faces = octahedron();
        let exact = |p: Vec3| (p.x.abs() + p.y.abs() + p.z.abs() - 1.0) / 3f64.sqrt();
        let cells = grow(&faces, [-1.0, -1.0, -1.0, 1.0, 1.0, 1.0], Some(&exact)).unwrap();
        assert_eq!(cells.depth.iter().max(), Some(&MAX_LEVEL));
        let tree = Octree::new(&cells.aabb, &cells.child, &cells.coeff);
        for i in 0..2000 {
            let t = f64::from(i) / 2000.0;
            let p = Vec3::new(2.0 * t - 1.0, 0.3 - t, 0.7 * t);
            let q = p + Vec3::new(1e-9, 1e-9, -1e-9);
            assert!((tree.distance(p) - tree.distance(q)).abs() < 1e-7);

            // an earlier search leaves no trace in the result
            let fresh = Octree::new(&cells.aabb, &cells.child, &cells.coeff);
            assert_eq!(tree.distance(q).to_bits(), fresh.distance(q).to_bits());
        }
        let on = Vec3::new(0.2, 0.3, 0.5);
        assert!(tree.distance(on).abs() < 0.01);
        assert!(tree.distance(Vec3::ZERO) < -0.3);
    }

    #[test]
    fn a_tree_of_nothing_is_one_cell() {
        let cells = grow(&[], [-1.0, -1.0, -1.0, 1.0, 1.0, 1.0], None).unwrap();
        assert_eq!(cells.depth, [0]);
        assert_eq!(cells.coeff, [[0.0; 8]]);
    }
}
