//! Polygons of a mesh: coplanar triangles joined, for contacts between flat sides.
//!
//! Triangles whose normals agree within a margin share a polygon group. "Agree" is not transitive,
//! so the group of a triangle depends on the path through the search tree. The tree here is a
//! red-black tree with the usual rotations, as in the ordered set of MuJoCo's compiler, so the
//! groups are the same.

use std::collections::{HashMap, HashSet};

use sinew_math::{MINVAL, Vec3};

/// Cosine above which two normals count as equal.
const SAME_NORMAL: f64 = 0.99999872;
/// Lengths below this are zero (`mjEPS`).
const EPS: f64 = 1e-14;

/// The polygons of a mesh.
#[doc(alias = "MakePolygons")]
pub(crate) fn polygons(vert: &[Vec3], faces: &[[i32; 3]]) -> Polygons {
    // triangles by normal, triangles of equal normals together
    let mut tree = Tree::default();
    let mut groups: Vec<Group> = Vec::new();
    for &face in faces {
        let normal = normal(vert, face);
        match tree.find(normal) {
            Some(group) => groups[group].insert(face),
            None => {
                if tree.insert(normal) {
                    groups.push(Group::Triangle(face));
                }
            }
        }
    }

    // a polygon for each outline, in the order of the tree
    let mut polygons = Polygons::default();
    for node in tree.in_order() {
        match &groups[node] {
            Group::Triangle(face) => polygons.push(face),
            Group::Outline(outline) => {
                outline.paths().iter().for_each(|path| polygons.push(path));
            }
        }
    }
    polygons
}

/// Vertices of polygons one after the other, and how many each has.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Polygons {
    pub(crate) vert: Vec<i32>,
    pub(crate) num: Vec<i32>,
}

impl Polygons {
    fn push(&mut self, path: &[i32]) {
        if path.len() >= 3 {
            self.vert.extend(path);
            self.num.push(path.len() as i32);
        }
    }
}

/// Normal of the plane through the first three corners; not finite if they are collinear.
#[doc(alias = "mjuu_makenormal")]
pub(crate) fn normal(vert: &[Vec3], face: [i32; 3]) -> Vec3 {
    let [a, b, c] = face.map(|i| vert[i as usize]);
    let mut normal = (b - a).cross(c - a);
    let norm = normal.norm();
    if norm < EPS {
        normal = Vec3::X;
    }
    Vec3::new(normal.x / norm, normal.y / norm, normal.z / norm)
}

/// Order of the groups; normals that agree within the margin are neither before nor after.
fn before(a: Vec3, b: Vec3) -> bool {
    if a.dot(b) > SAME_NORMAL {
        return false;
    }
    (0..3).find(|&k| (a[k] - b[k]).abs() > MINVAL).is_some_and(|k| a[k] > b[k])
}

/// Triangles with one normal.
enum Group {
    Triangle([i32; 3]),
    Outline(Box<Outline>),
}

impl Group {
    fn insert(&mut self, face: [i32; 3]) {
        match self {
            Group::Outline(outline) => outline.insert(face),
            Group::Triangle(first) => {
                let mut outline = Box::new(Outline::new(*first));
                outline.insert(face);
                *self = Group::Outline(outline);
            }
        }
    }
}

/// Maximum number of edges that are searched one by one.
const FEW: usize = 48;

/// The outline of triangles: the directed edges that no other triangle has taken back, in the
/// order in which they came. Triangles that share no edge yet are kept apart as islands.
struct Outline {
    /// Edges with the island they came with; `None` once taken back.
    edges: Vec<Option<([i32; 2], usize)>>,
    /// Places of each edge in order, once there are many: an edge of a broken mesh may occur
    /// twice.
    places: Option<HashMap<[i32; 2], Vec<usize>>>,
    /// Union-find over islands; an island's number is its smallest member.
    parent: Vec<usize>,
}

impl Outline {
    fn new(face: [i32; 3]) -> Outline {
        let edge = |k: usize| Some(([face[k], face[(k + 1) % 3]], 0));
        Outline { edges: vec![edge(0), edge(1), edge(2)], places: None, parent: vec![0] }
    }

    fn push(&mut self, edge: [i32; 2], island: usize) {
        if self.places.is_none() && self.edges.len() >= FEW {
            let mut places: HashMap<[i32; 2], Vec<usize>> = HashMap::new();
            for (place, entry) in self.edges.iter().enumerate() {
                if let Some((edge, _)) = entry {
                    places.entry(*edge).or_default().push(place);
                }
            }
            self.places = Some(places);
        }
        if let Some(places) = &mut self.places {
            places.entry(edge).or_default().push(self.edges.len());
        }
        self.edges.push(Some((edge, island)));
    }

    /// Removes the earliest edge of these ends and returns its island.
    fn take(&mut self, edge: [i32; 2]) -> Option<usize> {
        let place = match &mut self.places {
            None => self.edges.iter().position(|e| e.is_some_and(|(other, _)| other == edge))?,
            Some(places) => {
                let places = places.get_mut(&edge).filter(|places| !places.is_empty())?;
                places.remove(0)
            }
        };
        let (_, island) = self.edges[place].take()?;
        Some(self.root(island))
    }

    fn root(&mut self, mut island: usize) -> usize {
        while self.parent[island] != island {
            self.parent[island] = self.parent[self.parent[island]];
            island = self.parent[island];
        }
        island
    }

    /// Adds a triangle: edges that run against existing ones cancel them and join islands.
    fn insert(&mut self, face: [i32; 3]) {
        let mut island = None;
        let mut add = [true; 3];
        for k in 0..3 {
            let (from, to) = (face[k], face[(k + 1) % 3]);
            if let Some(other) = self.take([to, from]) {
                add[k] = false;
                let joined = island.map_or(other, |mine: usize| mine.min(other));
                if let Some(mine) = island {
                    self.parent[mine.max(other)] = joined;
                }
                island = Some(joined);
            }
        }
        let island = island.unwrap_or_else(|| {
            self.parent.push(self.parent.len());
            self.parent.len() - 1
        });
        for k in 0..3 {
            if add[k] {
                self.push([face[k], face[(k + 1) % 3]], island);
            }
        }
    }

    /// The outline of each island, as far as it closes.
    fn paths(&self) -> Vec<Vec<i32>> {
        let edges: Vec<([i32; 2], usize)> = self
            .edges
            .iter()
            .flatten()
            .map(|&(edge, mut island)| {
                while self.parent[island] != island {
                    island = self.parent[island];
                }
                (edge, island)
            })
            .collect();
        if let [(a, _), (b, _), (c, _)] = edges[..] {
            return vec![vec![a[0], b[0], c[0]]];
        }

        // the edge that leaves each vertex; the very first edge only ever starts an outline
        let mut next = HashMap::new();
        for ([from, to], island) in edges.iter().skip(1) {
            next.entry((*island, *from)).or_insert(*to);
        }
        let mut starts: Vec<(usize, [i32; 2])> = Vec::new();
        let mut seen = HashSet::new();
        for (edge, island) in &edges {
            if seen.insert(*island) {
                starts.push((*island, *edge));
            }
        }
        starts.sort_by_key(|(island, _)| *island);
        starts
            .iter()
            .filter_map(|(island, edge)| walk(*island, *edge, &next, edges.len()))
            .collect()
    }
}

/// Follows the edges of an island until they close; `None` if they do not.
fn walk(
    island: usize,
    [start, second]: [i32; 2],
    next: &HashMap<(usize, i32), i32>,
    limit: usize,
) -> Option<Vec<i32>> {
    let mut path = vec![start, second];
    let mut at = second;
    for _ in 0..limit {
        at = *next.get(&(island, at))?;
        if at == start {
            return Some(path);
        }
        path.push(at);
    }
    None
}

/// Red-black tree of groups.
#[derive(Default)]
struct Tree {
    nodes: Vec<Node>,
    root: Option<usize>,
}

struct Node {
    normal: Vec3,
    child: [Option<usize>; 2],
    parent: Option<usize>,
    black: bool,
}

impl Tree {
    /// The group a normal belongs to: the first one that is not before it, if it agrees.
    fn find(&self, normal: Vec3) -> Option<usize> {
        let (mut at, mut found) = (self.root, None);
        while let Some(node) = at {
            let right = before(self.nodes[node].normal, normal);
            if !right {
                found = at;
            }
            at = self.nodes[node].child[usize::from(right)];
        }
        found.filter(|&node| !before(normal, self.nodes[node].normal))
    }

    /// Adds a group as the last node; returns false and changes nothing if the path to its place
    /// has a normal that agrees.
    fn insert(&mut self, normal: Vec3) -> bool {
        let (mut parent, mut side) = (None, 0);
        let mut at = self.root;
        while let Some(node) = at {
            side = if before(normal, self.nodes[node].normal) {
                0
            } else if before(self.nodes[node].normal, normal) {
                1
            } else {
                return false;
            };
            parent = at;
            at = self.nodes[node].child[side];
        }
        let new = self.nodes.len();
        self.nodes.push(Node { normal, child: [None; 2], parent, black: false });
        match parent {
            Some(parent) => self.nodes[parent].child[side] = Some(new),
            None => self.root = Some(new),
        }
        self.balance(new);
        true
    }

    /// Restores the colours after an insertion (Cormen et al., *Introduction to Algorithms*, 13.3).
    fn balance(&mut self, mut x: usize) {
        while let Some(parent) = self.nodes[x].parent.filter(|&p| !self.nodes[p].black) {
            let Some(grand) = self.nodes[parent].parent else { break };
            let side = usize::from(self.nodes[grand].child[1] == Some(parent));
            let uncle = self.nodes[grand].child[1 - side];

            // a red uncle: recolour, and go on two levels up
            if let Some(uncle) = uncle.filter(|&u| !self.nodes[u].black) {
                self.nodes[parent].black = true;
                self.nodes[uncle].black = true;
                self.nodes[grand].black = false;
                x = grand;
                continue;
            }

            // a black one: one or two rotations end it
            let mut top = parent;
            if self.nodes[parent].child[1 - side] == Some(x) {
                self.rotate(parent, side);
                top = x;
            }
            self.nodes[top].black = true;
            self.nodes[grand].black = false;
            self.rotate(grand, 1 - side);
            break;
        }

        // the root is black
        if let Some(root) = self.root {
            self.nodes[root].black = true;
        }
    }

    /// Moves `node` down to `side`; its other child takes its place.
    fn rotate(&mut self, node: usize, side: usize) {
        let Some(up) = self.nodes[node].child[1 - side] else { return };
        let inner = self.nodes[up].child[side];
        self.nodes[node].child[1 - side] = inner;
        if let Some(inner) = inner {
            self.nodes[inner].parent = Some(node);
        }
        let parent = self.nodes[node].parent;
        self.nodes[up].parent = parent;
        match parent {
            None => self.root = Some(up),
            Some(p) => {
                let slot = usize::from(self.nodes[p].child[1] == Some(node));
                self.nodes[p].child[slot] = Some(up);
            }
        }
        self.nodes[up].child[side] = Some(node);
        self.nodes[node].parent = Some(up);
    }

    /// The nodes from first to last.
    fn in_order(&self) -> impl Iterator<Item = usize> {
        let mut order = Vec::with_capacity(self.nodes.len());
        let mut stack = Vec::new();
        let mut at = self.root;
        while at.is_some() || !stack.is_empty() {
            while let Some(node) = at {
                stack.push(node);
                at = self.nodes[node].child[0];
            }
            if let Some(node) = stack.pop() {
                order.push(node);
                at = self.nodes[node].child[1];
            }
        }
        order.into_iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coplanar_triangles_become_one_polygon() {
        let vert: Vec<Vec3> =
            [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0], [3.0, 0.0, 0.0]]
                .map(Vec3::from)
                .to_vec();
        let square = polygons(&vert, &[[0, 1, 2], [0, 2, 3]]);
        assert_eq!((square.vert, square.num), (vec![0, 1, 2, 3], vec![4]));
        // a third triangle elsewhere in the plane stays an island of its own
        let separate = polygons(&vert, &[[0, 1, 3], [1, 4, 2]]);
        assert_eq!((separate.vert, separate.num), (vec![0, 1, 3, 1, 4, 2], vec![3, 3]));
    }

    #[test]
    fn tree_keeps_its_order() {
        let mut tree = Tree::default();
        for i in 0..200_i32 {
            let angle = f64::from(i * 37 % 200) * 0.03;
            tree.insert(Vec3::new(angle.cos(), angle.sin(), 0.0));
        }
        let order: Vec<_> = tree.in_order().collect();
        assert_eq!(order.len(), 200);
        for pair in order.windows(2) {
            assert!(before(tree.nodes[pair[0]].normal, tree.nodes[pair[1]].normal));
        }
        let mut at = tree.root;
        let mut depth = 0;
        while let Some(node) = at {
            depth += 1;
            at = tree.nodes[node].child[0];
        }
        assert!(depth <= 16);
    }
}
