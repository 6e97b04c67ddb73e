//! Mid phase: pairs of geoms of two bodies whose boxes overlap.

use sinew_math::simd::{Lane, dispatch};
use sinew_math::{Mat3, Vec3};
use sinew_model::{BodyId, Data, FlexId, GeomId, Model};

use crate::collision::filter::{geoms_may_collide, spheres_separated};
use crate::collision::params::{margin, override_margin};
use crate::work::MidWork;

/// From this half size on a box counts as infinite (`mjMAXVAL`).
const ENDLESS: f64 = 1e10;

/// Finds the pairs of geoms of two bodies whose boxes overlap, in no particular order.
#[doc(alias = "mj_collideTree")]
pub(super) fn tree_pairs(
    m: &Model,
    d: &Data,
    [b1, b2]: [BodyId; 2],
    user_filter: bool,
    work: &mut MidWork,
) {
    let (Some(tree1), Some(tree2)) = (Tree::of(m, b1), Tree::of(m, b2)) else { return };
    let reach = override_margin(m, m.body_margin[b1] + m.body_margin[b2]);
    let mut frames = Frames::new(d, [b1, b2]);
    let MidWork { stack, pairs } = work;

    walk(stack, &tree1, &tree2, false, |leaves, [n1, n2]| {
        let [Some(g1), Some(g2)] = leaves.map(|leaf| leaf.map(GeomId::new)) else {
            return frames.boxes_overlap(&tree1.aabb[n1], &tree2.aabb[n2], reach);
        };
        let overlap = geoms_overlap(m, d, g1, g2);
        if overlap && geoms_may_collide(m, g1, g2, user_filter) {
            pairs.push([g1, g2]);
        }
        overlap
    });
}

/// Walks through two trees at once, always into the larger box. `visit` gets the nodes, with their
/// contents if they are leaves, and returns whether they overlap.
///
/// Of a tree with `itself` each pair is visited once.
pub(super) fn walk(
    stack: &mut Vec<[u32; 2]>,
    first: &Tree,
    second: &Tree,
    itself: bool,
    mut visit: impl FnMut([Option<usize>; 2], [usize; 2]) -> bool,
) {
    stack.clear();
    stack.push([0, 0]);
    while let Some([node1, node2]) = stack.pop() {
        if itself && node1 > node2 {
            continue;
        }

        // nodes whose boxes do not overlap have no overlapping children
        let nodes = [node1 as usize, node2 as usize];
        let leaves = [first.item_of_leaf(nodes[0]), second.item_of_leaf(nodes[1])];
        if !visit(leaves, nodes) {
            continue;
        }

        // descend into the larger box, or into the one that is not a leaf
        let into_first = match leaves.map(|leaf| leaf.is_some()) {
            [true, true] => continue,
            [true, _] => false,
            [_, true] => true,
            _ => larger_first(&first.aabb[nodes[0]], &second.aabb[nodes[1]]),
        };
        let children = if into_first { first.child[nodes[0]] } else { second.child[nodes[1]] };
        for child in children.into_iter().filter_map(|c| u32::try_from(c).ok()) {
            stack.push(if into_first { [child, node2] } else { [node1, child] });
        }
    }
}

/// Whether `tree_pairs` finds two geoms of two bodies, given that their spheres and boxes overlap.
/// The condition is that all boxes on the way to them overlap.
pub(super) fn trees_overlap(
    m: &Model,
    d: &Data,
    [b1, b2]: [BodyId; 2],
    [g1, g2]: [GeomId; 2],
) -> bool {
    let (Some(tree1), Some(tree2)) = (Tree::of(m, b1), Tree::of(m, b2)) else { return false };
    let (Some(path1), Some(path2)) = (tree1.path(g1), tree2.path(g2)) else { return false };

    // boxes on both paths, in the order of `tree_pairs`
    let reach = override_margin(m, m.body_margin[b1] + m.body_margin[b2]);
    let mut frames = Frames::new(d, [b1, b2]);
    let (nodes1, nodes2) = (path1.nodes(), path2.nodes());
    let (mut k1, mut k2) = (0, 0);
    loop {
        let (n1, n2) = (nodes1[k1] as usize, nodes2[k2] as usize);
        match (k1 + 1 == nodes1.len(), k2 + 1 == nodes2.len()) {
            (true, true) => return true,
            (leaf1, leaf2) => {
                if !frames.boxes_overlap(&tree1.aabb[n1], &tree2.aabb[n2], reach) {
                    return false;
                }
                let first = !leaf1 && (leaf2 || larger_first(&tree1.aabb[n1], &tree2.aabb[n2]));
                if first { k1 += 1 } else { k2 += 1 }
            }
        }
    }
}

/// Trees are at most this deep: each node splits the geoms in halves, and there are fewer than 2³¹.
const MAX_DEPTH: usize = 32;

/// Child of a leaf.
const NO_CHILD: usize = -1i32 as usize;

/// The nodes from the root of a tree to a leaf.
#[derive(Debug, PartialEq)]
struct Path {
    nodes: [u32; MAX_DEPTH],
    len: usize,
}

impl Path {
    fn nodes(&self) -> &[u32] {
        &self.nodes[..self.len]
    }
}

/// The bounding volumes of a body or flex.
pub(super) struct Tree<'a> {
    pub(super) start: u32,
    pub(super) aabb: &'a [[f64; 6]],
    pub(super) child: &'a [[i32; 2]],
    item: &'a [i32],
}

impl<'a> Tree<'a> {
    /// The tree of a body, if it has one.
    pub(super) fn of(m: &'a Model, b: BodyId) -> Option<Tree<'a>> {
        let start = usize::try_from(m.body_bvhadr[b]).ok()?;
        let nodes = start..start + usize::try_from(m.body_bvhnum[b]).ok().filter(|&n| n > 0)?;
        Some(Tree {
            start: start as u32,
            aabb: m.bvh_aabb.get(nodes.clone())?,
            child: m.bvh_child.get(nodes.clone())?,
            item: m.bvh_nodeid.get(nodes)?,
        })
    }

    /// The tree of a flex, if it has one; its boxes lie along the axes of the world.
    pub(super) fn of_flex(m: &'a Model, d: &'a Data, f: FlexId) -> Option<Tree<'a>> {
        let nodes = m.flex_bvh(f);
        let boxes = nodes.start.checked_sub(m.nbvhstatic)?..nodes.end - m.nbvhstatic;
        Some(Tree {
            start: nodes.start as u32,
            aabb: d.bvh_aabb_dyn.get(boxes).filter(|boxes| !boxes.is_empty())?,
            child: m.bvh_child.get(nodes.clone())?,
            item: m.bvh_nodeid.get(nodes)?,
        })
    }

    /// The way to a geom.
    fn path(&self, g: GeomId) -> Option<Path> {
        let leaf = self.item.iter().position(|&item| item == g.idx() as i32);
        if let Some(path) = leaf.and_then(|leaf| self.path_in_preorder(leaf)) {
            return Some(path);
        }
        let mut path = Path { nodes: [0; MAX_DEPTH], len: 0 };
        self.descend(0, g, &mut path).then_some(path)
    }

    /// The way to a leaf in preorder: each node comes before the nodes below it, directly before
    /// its first child, as the compiler numbers them.
    #[inline]
    fn path_in_preorder(&self, leaf: usize) -> Option<Path> {
        let mut path = Path { nodes: [0; MAX_DEPTH], len: 0 };
        let mut node = 0;
        while path.len < MAX_DEPTH {
            path.nodes[path.len] = node as u32;
            path.len += 1;
            let [first, second] = (*self.child.get(node)?).map(|child| child as usize);
            if node == leaf {
                return (first == NO_CHILD && second == NO_CHILD).then_some(path);
            }
            node = if second <= leaf { second } else { first };
        }
        None
    }

    /// Adds the way from a node to a geom, if the geom is there.
    fn descend(&self, node: u32, g: GeomId, path: &mut Path) -> bool {
        if path.len == MAX_DEPTH || node as usize >= self.child.len() {
            return false;
        }
        path.nodes[path.len] = node;
        path.len += 1;
        let found = match self.leaf(node as usize) {
            Some(leaf) => leaf == g,
            None => {
                let children = self.child[node as usize].into_iter();
                children.filter_map(|c| u32::try_from(c).ok()).any(|c| self.descend(c, g, path))
            }
        };
        path.len -= usize::from(!found);
        found
    }

    /// The geom of a node without children.
    fn leaf(&self, node: usize) -> Option<GeomId> {
        self.item_of_leaf(node).map(GeomId::new)
    }

    /// The geom or element of a node without children.
    pub(super) fn item_of_leaf(&self, node: usize) -> Option<usize> {
        let leaf = self.child[node] == [-1, -1];
        leaf.then(|| self.item[node].max(0) as usize)
    }
}

/// Whether the search goes on in the children of the first of two nodes.
fn larger_first(first: &[f64; 6], second: &[f64; 6]) -> bool {
    area(*first) > area(*second)
}

/// MuJoCo's measure of a box's surface, for descending into the larger box. For boxes given by
/// centre and half sizes it uses the differences of both. Any choice is as good, but another one
/// tests other boxes.
fn area([x, y, z, hx, hy, hz]: [f64; 6]) -> f64 {
    let (a, b, c) = (hx - x, hy - y, hz - z);
    a * b + b * c + c * a
}

/// Whether bounding spheres and boxes of two geoms overlap.
pub(super) fn geoms_overlap(m: &Model, d: &Data, g1: GeomId, g2: GeomId) -> bool {
    !spheres_separated(m, d, g1, g2, margin(m, g1, g2)) && geom_boxes_overlap(m, d, g1, g2)
}

/// Whether boxes of two geoms overlap.
pub(super) fn geom_boxes_overlap(m: &Model, d: &Data, g1: GeomId, g2: GeomId) -> bool {
    let margin = margin(m, g1, g2);
    let (aabb1, aabb2) = (&m.geom_aabb[g1], &m.geom_aabb[g2]);
    let axes = Tested::of(aabb1, aabb2);
    if axes == (Tested { first: false, second: false }) {
        return true;
    }
    let box1 = Turned::new(aabb1, d.geom_xpos[g1], &d.geom_xmat[g1]);
    let box2 = Turned::new(aabb2, d.geom_xpos[g2], &d.geom_xmat[g2]);
    axes.overlap(&box1, &box2, margin)
}

/// The boxes along whose axes two boxes are compared. A box is left out if the other is infinite in
/// some directions; only planes are. Boxes infinite in all directions overlap everything.
#[derive(Clone, Copy, PartialEq)]
pub(super) struct Tested {
    first: bool,
    second: bool,
}

impl Tested {
    pub(super) fn of(aabb1: &[f64; 6], aabb2: &[f64; 6]) -> Tested {
        let endless =
            |aabb: &[f64; 6]| aabb[3] >= ENDLESS || aabb[4] >= ENDLESS || aabb[5] >= ENDLESS;
        let all = |aabb: &[f64; 6]| aabb[3] >= ENDLESS && aabb[4] >= ENDLESS && aabb[5] >= ENDLESS;
        let some = !all(aabb1) && !all(aabb2);
        Tested { first: some && !endless(aabb2), second: some && !endless(aabb1) }
    }
}

impl Tested {
    /// Whether two boxes overlap along these axes.
    pub(super) fn overlap(self, box1: &Turned, box2: &Turned, margin: f64) -> bool {
        !(self.first && separated_along(box1.mat, box1, box2, margin)
            || self.second && separated_along(box2.mat, box1, box2, margin))
    }
}

/// A box in the world: its centre, its axes as columns, its half sizes.
#[derive(Debug)]
pub(super) struct Turned<'a> {
    center: Vec3,
    mat: &'a Mat3,
    half: [f64; 3],
}

impl<'a> Turned<'a> {
    #[inline(always)]
    pub(super) fn new(&[x, y, z, hx, hy, hz]: &[f64; 6], pos: Vec3, mat: &'a Mat3) -> Turned<'a> {
        Turned { center: *mat * Vec3::new(x, y, z) + pos, mat, half: [hx, hy, hz] }
    }

    /// Half widths of the box along three directions, given by their coordinates.
    #[inline(always)]
    fn radius<L: Lane>(&self, along: [L; 3]) -> L {
        let [a, b, c] = [0, 1, 2].map(|k| {
            let width = L::splat(self.half[k]) * dots(self.mat.col(k), along);
            width.abs()
        });
        a + b + c
    }
}

/// Products of a vector with three, given by their coordinates.
#[inline(always)]
fn dots<L: Lane>(v: Vec3, [x, y, z]: [L; 3]) -> L {
    L::splat(v.x) * x + L::splat(v.y) * y + L::splat(v.z) * z
}

dispatch! {
    /// Whether two boxes are apart along an axis of those given by columns.
    fn separated_along(axes: &Mat3, box1: &Turned, box2: &Turned, margin: f64) -> bool
        = separated_along_kernel::<Exact>;
}

/// The axes between edges are not tested (Gottschalk, Lin, Manocha, *OBBTree*, 1996). An axis in
/// each lane, with the sums that it would have alone; the fourth repeats the third.
#[doc(alias = "mj_collideOBB")]
#[inline(always)]
fn separated_along_kernel<L: Lane>(axes: &Mat3, box1: &Turned, box2: &Turned, margin: f64) -> bool {
    let along = axes.0.map(|[x, y, z]| L::new([x, y, z, z]));
    let distance = dots(box2.center, along) - dots(box1.center, along);
    let reach = box1.radius(along) + box2.radius(along) + L::splat(margin);
    reach.less(distance.abs()).any()
}

/// Two frames in which many pairs of boxes are tested. Quantities common to all pairs are computed
/// on demand, because most pairs are separated along the first axis.
pub(super) struct Frames<'a> {
    pose: [(Vec3, &'a Mat3); 2],
    /// Both frames along each axis of the first, then of the second.
    along: [[Along; 2]; 6],
    /// How many of these are known.
    known: [usize; 2],
}

/// A frame along an axis.
#[derive(Clone, Copy, Default)]
struct Along {
    /// Component of each of the frame's axes.
    axes: Vec3,
    /// Place of the frame's origin.
    origin: f64,
}

impl<'a> Frames<'a> {
    pub(super) fn new(d: &'a Data, bodies: [BodyId; 2]) -> Frames<'a> {
        let [first, second] = bodies.map(|b| (d.xipos[b], &d.ximat[b]));
        Frames::between(first, second)
    }

    /// Two frames, each by its origin and its axes.
    pub(super) fn between(first: (Vec3, &'a Mat3), second: (Vec3, &'a Mat3)) -> Frames<'a> {
        let pose = [first, second];
        Frames { pose, along: [[Along::default(); 2]; 6], known: [0; 2] }
    }

    pub(super) fn boxes_overlap(
        &mut self,
        aabb1: &[f64; 6],
        aabb2: &[f64; 6],
        margin: f64,
    ) -> bool {
        let axes = Tested::of(aabb1, aabb2);
        !(axes.first && self.separated_along_axes(0, aabb1, aabb2, margin)
            || axes.second && self.separated_along_axes(1, aabb1, aabb2, margin))
    }

    /// Whether two boxes are apart along an axis of frame `of`.
    fn separated_along_axes(
        &mut self,
        of: usize,
        aabb1: &[f64; 6],
        aabb2: &[f64; 6],
        margin: f64,
    ) -> bool {
        for k in 0..3 {
            if k == self.known[of] {
                self.look_along(of, k);
            }
            let [frame1, frame2] = &self.along[3 * of + k];
            let ((at1, radius1), (at2, radius2)) = (frame1.project(aabb1), frame2.project(aabb2));
            if radius1 + radius2 + margin < (at2 - at1).abs() {
                return true;
            }
        }
        false
    }

    /// Finds both frames along axis `k` of frame `of`.
    fn look_along(&mut self, of: usize, k: usize) {
        let axis = self.pose[of].1.col(k);
        for i in 0..2 {
            let (pos, mat) = &self.pose[i];
            let axes = Vec3::new(mat.col(0).dot(axis), mat.col(1).dot(axis), mat.col(2).dot(axis));
            self.along[3 * of + k][i] = Along { axes, origin: pos.dot(axis) };
        }
        self.known[of] = k + 1;
    }
}

impl Along {
    /// Place and half width of a box of the frame.
    #[inline]
    fn project(&self, &[x, y, z, hx, hy, hz]: &[f64; 6]) -> (f64, f64) {
        let p = self.axes;
        let center = x * p.x + y * p.y + z * p.z + self.origin;
        (center, (hx * p.x).abs() + (hy * p.y).abs() + (hz * p.z).abs())
    }
}

#[cfg(test)]
mod tests {
    use sinew_math::Quat;
    use sinew_testkit::Random;

    use super::*;

    #[test]
    fn axes_side_by_side_tell_what_each_alone_does() {
        let mut random = Random::new(3);
        let mut vector = |size: f64| Vec3::from([0; 3].map(|_| size * (random.unit() - 0.5)));
        let mut separated = 0;
        for _ in 0..4000 {
            let mats = [0; 2].map(|_| {
                let v = vector(2.0);
                Quat::new(vector(2.0).x, v.x, v.y, v.z).normalize().0.to_mat()
            });
            let [first, second] = mats.each_ref().map(|mat| {
                let (c, h) = (vector(0.2), vector(2.0));
                Turned::new(&[c.x, c.y, c.z, h.x, h.y, h.z], vector(3.0), mat)
            });
            let radius = |of: &Turned, axis: Vec3| {
                let part = |k: usize| (of.half[k] * of.mat.col(k).dot(axis)).abs();
                part(0) + part(1) + part(2)
            };
            for mat in &mats {
                let alone = (0..3).any(|k| {
                    let axis = mat.col(k);
                    let gap = second.center.dot(axis) - first.center.dot(axis);
                    radius(&first, axis) + radius(&second, axis) + 0.01 < gap.abs()
                });
                assert_eq!(separated_along(mat, &first, &second, 0.01), alone);
                separated += usize::from(alone);
            }
        }
        assert!((1000..7000).contains(&separated), "{separated}");
    }

    #[test]
    fn ways_to_leaves_are_those_of_a_search() {
        // geoms 3, 1, 2, 4 at the leaves, numbered as the compiler does and otherwise
        let preorder = (
            [[1, 4], [2, 3], [-1; 2], [-1; 2], [5, 6], [-1; 2], [-1; 2]],
            [-1, -1, 3, 1, -1, 2, 4],
        );
        let other = (
            [[5, 1], [2, 3], [-1; 2], [-1; 2], [-1; 2], [6, 4], [-1; 2]],
            [-1, -1, 3, 1, 2, -1, 4],
        );
        for (child, item) in [preorder, other] {
            let tree = Tree { start: 0, aabb: &[[0.0; 6]; 7], child: &child, item: &item };
            for g in (1..5).map(GeomId::new) {
                let mut searched = Path { nodes: [0; MAX_DEPTH], len: 0 };
                assert!(tree.descend(0, g, &mut searched));
                let found = tree.path(g).map(|path| path.nodes().to_vec());
                assert_eq!(found.as_deref(), Some(searched.nodes()));
            }
            assert!(tree.path(GeomId::new(0)).is_none());
        }
    }
}
