//! Trees of axis-aligned boxes around the geoms of a body or the triangles of a mesh.
//!
//! Built top down: split at the median along the longest axis until every leaf holds one item.
//! MuJoCo `mjCBoundingVolumeHierarchy`.

use sinew_math::{Quat, Vec3};

use crate::select::select_nth;

/// Lengths below this count as equal (`mjEPS`).
const EPS: f64 = 1e-14;

/// Something to put into a tree.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BvhItem {
    /// Number stored in the leaf.
    pub id: i32,
    /// Items that can touch nothing are left out (both masks zero).
    pub collides: bool,
    /// Point that is sorted along the axes.
    pub pos: Vec3,
    /// Frame in which `center` and `half` are given, at `pos`; `None` if they are in the frame of
    /// the tree already.
    pub quat: Option<Quat>,
    /// Centre of the box.
    pub center: Vec3,
    /// Half sizes of the box.
    pub half: Vec3,
}

/// A tree: one entry per node, root first, depth first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bvh {
    /// Depth of each node; the root has 0.
    pub depth: Vec<i32>,
    /// Children of each node, -1 for none.
    pub child: Vec<[i32; 2]>,
    /// Item of each leaf, -1 for other nodes.
    pub nodeid: Vec<i32>,
    /// Centre and half sizes of each node.
    pub aabb: Vec<[f64; 6]>,
}

impl Bvh {
    /// The tree of `items` in the frame at `ipos`, `iquat` (the inertial frame of a body; the
    /// identity for a mesh).
    pub fn build(items: &[BvhItem], ipos: Vec3, iquat: Quat) -> Bvh {
        let inverse = iquat.conj();
        let mut leaves: Vec<Leaf> = items
            .iter()
            .enumerate()
            .filter(|(_, item)| item.collides)
            .map(|(order, item)| Leaf {
                pos: inverse.rotate(item.pos - ipos),
                order,
                id: item.id,
                bounds: bounds(item, ipos, inverse),
            })
            .collect();
        let mut tree = Bvh::default();
        tree.reserve(2 * leaves.len());
        tree.split(&mut leaves, 0);
        tree
    }

    /// Number of nodes.
    pub fn len(&self) -> usize {
        self.nodeid.len()
    }

    /// Whether there is no node.
    pub fn is_empty(&self) -> bool {
        self.nodeid.is_empty()
    }

    fn reserve(&mut self, nodes: usize) {
        self.depth.reserve(nodes);
        self.child.reserve(nodes);
        self.nodeid.reserve(nodes);
        self.aabb.reserve(nodes);
    }

    /// Appends the subtree of `leaves` and returns its root, -1 if there are none. The depth of
    /// the recursion is logarithmic: every split halves.
    fn split(&mut self, leaves: &mut [Leaf], depth: i32) -> i32 {
        if leaves.is_empty() {
            return -1;
        }

        // the node's box; flat boxes are inflated
        let (mut lo, mut hi) = ([f64::MAX; 3], [-f64::MAX; 3]);
        for leaf in leaves.iter() {
            for k in 0..3 {
                lo[k] = lo[k].min(leaf.bounds.0[k]);
                hi[k] = hi[k].max(leaf.bounds.1[k]);
            }
        }
        for k in 0..3 {
            if (lo[k] - hi[k]).abs() < EPS {
                lo[k] -= EPS;
                hi[k] += EPS;
            }
        }

        let index = self.nodeid.len();
        let center = |k: usize| (hi[k] + lo[k]) / 2.0;
        let half = |k: usize| (hi[k] - lo[k]) / 2.0;
        self.aabb.push([center(0), center(1), center(2), half(0), half(1), half(2)]);
        self.depth.push(depth);
        self.child.push([-1, -1]);
        if let [leaf] = leaves {
            self.nodeid.push(leaf.id);
            return index as i32;
        }
        self.nodeid.push(-1);

        // longest axis, the first one unless another is longer by a margin
        let edge = |k: usize| hi[k] - lo[k];
        let mut axis = 0;
        if edge(1) >= edge(0) + EPS {
            axis = 1;
        }
        if edge(2) >= edge(axis) + EPS {
            axis = 2;
        }

        // halves on both sides of the median
        let middle = leaves.len() / 2;
        select_nth(leaves, middle, &|a, b| a.before(b, axis));
        let (left, right) = leaves.split_at_mut(middle);
        let first = self.split(left, depth + 1);
        let second = self.split(right, depth + 1);
        self.child[index] = [first, second];
        index as i32
    }
}

/// An item in the frame of the tree.
struct Leaf {
    pos: Vec3,
    order: usize,
    id: i32,
    bounds: ([f64; 3], [f64; 3]),
}

impl Leaf {
    /// Order along an axis; items at the same place keep the order in which they came.
    fn before(&self, other: &Leaf, axis: usize) -> bool {
        let (a, b) = (self.pos[axis], other.pos[axis]);
        if (a - b).abs() > EPS { a < b } else { self.order < other.order }
    }
}

/// Smallest and largest coordinates of the corners of an item, in the frame of the tree.
fn bounds(item: &BvhItem, ipos: Vec3, inverse: Quat) -> ([f64; 3], [f64; 3]) {
    let (low, high) = (item.center - item.half, item.center + item.half);
    let (mut lo, mut hi) = ([f64::MAX; 3], [-f64::MAX; 3]);
    for corner in 0..8 {
        let pick = |k: usize| if corner & (1 << k) != 0 { high[k] } else { low[k] };
        let mut point = Vec3::new(pick(0), pick(1), pick(2));
        if let Some(quat) = item.quat {
            let turned = quat.rotate(point);
            let shift = item.pos - ipos;
            point = inverse.rotate(turned + shift);
        }
        for k in 0..3 {
            lo[k] = lo[k].min(point[k]);
            hi[k] = hi[k].max(point[k]);
        }
    }
    (lo, hi)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unit(id: i32, x: f64) -> BvhItem {
        BvhItem {
            id,
            collides: true,
            pos: Vec3::new(x, 0.0, 0.0),
            quat: None,
            center: Vec3::new(x, 0.0, 0.0),
            half: Vec3::new(0.5, 0.5, 0.5),
        }
    }

    #[test]
    fn splits_at_the_median_of_the_longest_axis() {
        let items = [unit(7, 3.0), unit(8, 0.0), unit(9, 1.0)];
        let tree = Bvh::build(&items, Vec3::ZERO, Quat::IDENTITY);
        assert_eq!(tree.nodeid, [-1, 8, -1, 9, 7]);
        assert_eq!(tree.child, [[1, 2], [-1, -1], [3, 4], [-1, -1], [-1, -1]]);
        assert_eq!(tree.depth, [0, 1, 1, 2, 2]);
        assert_eq!(tree.aabb[0], [1.5, 0.0, 0.0, 2.0, 0.5, 0.5]);
    }

    #[test]
    fn leaves_out_what_cannot_touch() {
        let mut items = [unit(0, 0.0), unit(1, 1.0)];
        items[0].collides = false;
        let tree = Bvh::build(&items, Vec3::ZERO, Quat::IDENTITY);
        assert_eq!(tree.nodeid, [1]);
        items[1].collides = false;
        assert!(Bvh::build(&items, Vec3::ZERO, Quat::IDENTITY).is_empty());
    }

    #[test]
    fn ties_keep_the_order_of_arrival() {
        let items: Vec<_> = (0..8).map(|i| unit(i, 0.0)).collect();
        let tree = Bvh::build(&items, Vec3::ZERO, Quat::IDENTITY);
        let leaves: Vec<_> = tree.nodeid.iter().filter(|&&id| id >= 0).copied().collect();
        assert_eq!(leaves, [0, 1, 2, 3, 4, 5, 6, 7]);
    }
}
