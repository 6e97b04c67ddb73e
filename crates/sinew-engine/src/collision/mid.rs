//! Mid phase: pairs of geoms of two bodies whose boxes meet.

use sinew_math::{Mat3, Vec3};
use sinew_model::work::MidWork;
use sinew_model::{BodyId, Data, GeomId, Model};

use crate::collision::filter::{Bits, spheres_apart};
use crate::collision::params::{margin, override_margin};

/// From this half size on a box counts as endless (`mjMAXVAL`).
const ENDLESS: f64 = 1e10;

/// Finds the pairs of geoms of two bodies whose boxes meet, in no particular order, and notes the
/// nodes that met in `active`.
#[doc(alias = "mj_collideTree")]
pub(super) fn tree_pairs(
    m: &Model,
    d: &Data,
    [b1, b2]: [BodyId; 2],
    work: &mut MidWork,
    mut active: Option<&mut Vec<u32>>,
) {
    let (Some(tree1), Some(tree2)) = (Tree::of(m, b1), Tree::of(m, b2)) else { return };
    let reach = override_margin(m, m.body_margin[b1] + m.body_margin[b2]);
    let mut frames = Frames::new([(d.xipos[b1], d.ximat[b1]), (d.xipos[b2], d.ximat[b2])]);
    let MidWork { stack, pairs } = work;

    stack.clear();
    stack.push([0, 0]);
    while let Some([node1, node2]) = stack.pop() {
        let (n1, n2) = (node1 as usize, node2 as usize);
        let met = match (tree1.leaf(n1), tree2.leaf(n2)) {
            (Some(g1), Some(g2)) => {
                let met = geoms_meet(m, d, g1, g2);
                if met && Bits::of_geom(m, g1).meet(Bits::of_geom(m, g2)) {
                    pairs.push([g1, g2]);
                }
                met
            }
            (leaf1, leaf2) => {
                let met = frames.boxes_meet([tree1.aabb[n1], tree2.aabb[n2]], reach);
                if met {
                    let first = match (leaf1.is_some(), leaf2.is_some()) {
                        (true, _) => false,
                        (_, true) => true,
                        _ => area(tree1.aabb[n1]) > area(tree2.aabb[n2]),
                    };
                    let children = if first { tree1.child[n1] } else { tree2.child[n2] };
                    for child in children.into_iter().filter_map(|c| u32::try_from(c).ok()) {
                        stack.push(if first { [child, node2] } else { [node1, child] });
                    }
                }
                met
            }
        };
        if met && let Some(active) = &mut active {
            active.extend([tree1.start + node1, tree2.start + node2]);
        }
    }
}

/// The bounding volumes of a body.
struct Tree<'a> {
    start: u32,
    aabb: &'a [[f64; 6]],
    child: &'a [[i32; 2]],
    item: &'a [i32],
}

impl<'a> Tree<'a> {
    /// The tree of a body, if it has one.
    fn of(m: &'a Model, b: BodyId) -> Option<Tree<'a>> {
        let start = usize::try_from(m.body_bvhadr[b]).ok()?;
        let nodes = start..start + usize::try_from(m.body_bvhnum[b]).ok().filter(|&n| n > 0)?;
        Some(Tree {
            start: start as u32,
            aabb: m.bvh_aabb.get(nodes.clone())?,
            child: m.bvh_child.get(nodes.clone())?,
            item: m.bvh_nodeid.get(nodes)?,
        })
    }

    /// The geom of a node without children.
    fn leaf(&self, node: usize) -> Option<GeomId> {
        let leaf = self.child[node] == [-1, -1];
        leaf.then(|| GeomId::new(self.item[node].max(0) as usize))
    }
}

/// What MuJoCo takes for the surface of a box, to descend into the larger: of two boxes given by
/// centre and half sizes, the differences of both. Any choice is as good, but another one tests
/// other boxes.
fn area([x, y, z, hx, hy, hz]: [f64; 6]) -> f64 {
    let (a, b, c) = (hx - x, hy - y, hz - z);
    a * b + b * c + c * a
}

/// Whether bounding spheres and boxes of two geoms meet.
fn geoms_meet(m: &Model, d: &Data, g1: GeomId, g2: GeomId) -> bool {
    let margin = margin(m, g1, g2);
    if spheres_apart(m, d, g1, g2, margin) {
        return false;
    }
    let aabb = [m.geom_aabb[g1], m.geom_aabb[g2]];
    let pose = [(d.geom_xpos[g1], d.geom_xmat[g1]), (d.geom_xpos[g2], d.geom_xmat[g2])];
    turned_boxes_meet(aabb, pose, margin)
}

/// Whether two boxes, each in its own frame, meet along the axes of both. The axes between edges
/// are not tested (Gottschalk, Lin, Manocha, *OBBTree*, 1996).
#[doc(alias = "mj_collideOBB")]
fn turned_boxes_meet(aabb: [[f64; 6]; 2], pose: [(Vec3, Mat3); 2], margin: f64) -> bool {
    let center = [0, 1].map(|i| {
        let (pos, mat) = pose[i];
        mat * Vec3::new(aabb[i][0], aabb[i][1], aabb[i][2]) + pos
    });
    meet_along_axes(aabb, margin, |j, k| {
        let normal = pose[j].1.col(k);
        [0, 1].map(|i| {
            let (mat, [_, _, _, x, y, z]) = (pose[i].1, aabb[i]);
            let radius = (x * mat.col(0).dot(normal)).abs()
                + (y * mat.col(1).dot(normal)).abs()
                + (z * mat.col(2).dot(normal)).abs();
            (center[i].dot(normal), radius)
        })
    })
}

/// Two frames in which many pairs of boxes are tested. What is the same for all pairs is computed
/// when the first needs it; most are apart along the first axis.
struct Frames {
    pose: [(Vec3, Mat3); 2],
    /// Both frames along each axis of each frame.
    along: [[Option<[Along; 2]>; 3]; 2],
}

/// A frame along an axis.
#[derive(Clone, Copy)]
struct Along {
    /// Component of each of the frame's axes.
    axes: Vec3,
    /// Place of the frame's origin.
    origin: f64,
}

impl Frames {
    fn new(pose: [(Vec3, Mat3); 2]) -> Frames {
        Frames { pose, along: [[None; 3]; 2] }
    }

    fn boxes_meet(&mut self, aabb: [[f64; 6]; 2], margin: f64) -> bool {
        let pose = self.pose;
        let along = &mut self.along;
        meet_along_axes(aabb, margin, |j, k| {
            let axis = pose[j].1.col(k);
            let both = along[j][k].get_or_insert_with(|| {
                pose.map(|(pos, mat)| {
                    let part = |l: usize| mat.col(l).dot(axis);
                    let axes = Vec3::new(part(0), part(1), part(2));
                    Along { axes, origin: pos.dot(axis) }
                })
            });
            [0, 1].map(|i| {
                let (Along { axes: p, origin }, [x, y, z, hx, hy, hz]) = (both[i], aabb[i]);
                let center = x * p.x + y * p.y + z * p.z + origin;
                (center, (hx * p.x).abs() + (hy * p.y).abs() + (hz * p.z).abs())
            })
        })
    }
}

/// Whether two boxes meet along each axis `k` of each box `j`; `project` gives the places of both
/// along it, and their half widths. Nothing is known along the axes of the other of an endless
/// box.
fn meet_along_axes(
    aabb: [[f64; 6]; 2],
    margin: f64,
    mut project: impl FnMut(usize, usize) -> [(f64, f64); 2],
) -> bool {
    let endless = aabb.map(|aabb| [3, 4, 5].map(|k| aabb[k] >= ENDLESS));
    if endless.iter().any(|e| e.iter().all(|&e| e)) {
        return true;
    }
    for j in 0..2 {
        if endless[1 - j].contains(&true) {
            continue;
        }
        for k in 0..3 {
            let [(at1, radius1), (at2, radius2)] = project(j, k);
            if radius1 + radius2 + margin < (at2 - at1).abs() {
                return false;
            }
        }
    }
    true
}
