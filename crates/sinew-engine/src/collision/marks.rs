//! Which nodes of the trees of bodies and flexes took part in the last collision.
//!
//! MuJoCo marks them while it collides. Sinew visits trees mostly where geoms touch. The nodes that
//! MuJoCo visits are therefore found on demand, by traversing the trees at the poses of the last
//! collision.

use sinew_math::{Mat3, Vec3};
use sinew_model::enums::{DisableBit, EnableBit, FlexSelf, GeomType, SleepState};
use sinew_model::{BodyId, Data, Flag, FlexId, GeomId, Model};

use crate::collision::filter::{Bits, body_filter, excluded, may_collide};
use crate::collision::flex::{boxes_separated, geom_reaches};
use crate::collision::mid::{Frames, Tree, geoms_overlap, walk};
use crate::collision::params::override_margin;
use crate::collision::sweep::{body_box, boxes_overlap, flex_box, principal_axes};
use crate::work::{MarkWork, scratch, set_aside};

/// Records that there was a collision, and which trees were awake.
pub(super) fn expire(m: &Model, d: &mut Data, work: &mut MarkWork) {
    scratch(d).ray.visited.clear();
    work.due = true;
    work.body_awake.clear();
    if m.opt.enabled(EnableBit::Sleep) && d.nbody_awake < m.nbody {
        work.body_awake.extend_from_slice(&d.body_awake);
    }
}

/// Marks nodes in `bvh_active` unless `vis.global.bvactive` is off. Nodes of bodies and flexes are
/// marked if they took part in the last collision, nodes of meshes if rays have met them since.
///
/// Reads `geom_xpos`, `geom_xmat`, `xipos`, `ximat`, `flexvert_xpos` and `bvh_aabb_dyn` of the last
/// collision. Does nothing if it has been called since.
pub fn mark_nodes(m: &Model, d: &mut Data) {
    let shown = m.vis.global.bvactive != 0 && d.bvh_active.len() == m.nbvh;
    if let Some(collision) = &mut scratch(d).collision {
        let work = core::mem::take(&mut collision.marks);
        if work.due && shown {
            mark_collision(m, d, &work);
        }
    }
    let mut visited = core::mem::take(&mut scratch(d).ray.visited);
    if visited.any && shown {
        let visited = visited.nodes.iter().zip(d.bvh_active.iter_mut()).filter(|(met, _)| **met);
        visited.for_each(|(_, active)| *active = Flag::from(true));
    }
    visited.clear();
    scratch(d).ray.visited = visited;
}

/// Marks the nodes that took part in the last collision, and no others.
fn mark_collision(m: &Model, d: &mut Data, work: &MarkWork) {
    d.bvh_active.fill(Flag::from(false));
    let off = [DisableBit::Constraint, DisableBit::Contact, DisableBit::Midphase];
    if m.nbody + m.nflex >= 2 && !off.into_iter().any(|bit| m.opt.disabled(bit)) {
        set_aside(
            d,
            |d| &mut d.bvh_active,
            |d, active| {
                let marker = Marker { m, d, axes: None, active, stack: Vec::new() };
                marker.run(&work.body_awake);
            },
        );
    }
}

/// A walk through all pairs of trees.
struct Marker<'a> {
    m: &'a Model,
    d: &'a Data,
    /// Axes of the sweep, found at their first use.
    axes: Option<Mat3>,
    active: &'a mut [Flag],
    stack: Vec<[u32; 2]>,
}

impl Marker<'_> {
    fn run(mut self, body_awake: &[SleepState]) {
        let m = self.m;
        let bodies: Vec<BodyId> = m.bodies().filter(|&b| Bits::of_body(m, b).any()).collect();
        for (i, &b1) in bodies.iter().enumerate() {
            for &b2 in &bodies[i + 1..] {
                self.bodies([b1, b2], body_awake);
            }
            for f in m.flexes() {
                self.body_and_flex(b1, f);
            }
        }
        for f1 in m.flexes() {
            self.itself(f1);
            for f2 in m.flexes().skip(f1.idx() + 1) {
                self.flexes([f1, f2]);
            }
        }
    }

    fn bodies(&mut self, bodies: [BodyId; 2], body_awake: &[SleepState]) {
        let (m, d, [b1, b2]) = (self.m, self.d, bodies);

        // filters: bits, exclusions, sleep; single geoms have no tree to mark
        let filters = bodies.map(|b| body_filter(m, b));
        let filter_parent = !m.opt.disabled(DisableBit::Filterparent);
        let asleep = |b: BodyId| body_awake.get(b.idx()) == Some(&SleepState::Asleep);
        let at_rest = |b: BodyId| asleep(b) || m.body_weldid[b] == BodyId::WORLD;
        if !may_collide(&filters[0], &filters[1], filter_parent)
            || excluded(m, b1, b2)
            || bodies.into_iter().any(asleep) && bodies.into_iter().all(at_rest)
            || bodies.into_iter().all(|b| m.body_geomnum[b] == 1)
        {
            return;
        }
        let (Some(first), Some(second)) = (Tree::of(m, b1), Tree::of(m, b2)) else { return };

        // broad phase: boxes along the principal axes of all geoms
        if !bodies.into_iter().any(|b| everywhere(m, b)) {
            let axes = self.axes();
            let [box1, box2] = bodies.map(|b| body_box(m, d, b, axes));
            if !boxes_overlap(box1, box2) {
                return;
            }
        }

        // mid phase: the nodes of both trees whose boxes overlap
        let reach = override_margin(m, m.body_margin[b1] + m.body_margin[b2]);
        let mut frames = Frames::new(d, bodies);
        self.mark(&first, &second, false, |leaves, [n1, n2]| match leaves {
            [Some(g1), Some(g2)] => geoms_overlap(m, d, GeomId::new(g1), GeomId::new(g2)),
            _ => frames.boxes_overlap(&first.aabb[n1], &second.aabb[n2], reach),
        });
    }

    fn body_and_flex(&mut self, b: BodyId, f: FlexId) {
        let (m, d) = (self.m, self.d);
        if !Bits::of_body(m, b).collides_with(Bits::of_flex(m, f)) {
            return;
        }
        let (Some(first), Some(second)) = (Tree::of(m, b), Tree::of_flex(m, d, f)) else { return };
        if !everywhere(m, b) {
            let axes = self.axes();
            if !boxes_overlap(body_box(m, d, b, axes), flex_box(m, d, f, axes)) {
                return;
            }
        }
        let reach = override_margin(m, m.body_margin[b] + m.flex_margin[f]);
        let world = (Vec3::ZERO, &Mat3::IDENTITY);
        let mut frames = Frames::between((d.xipos[b], &d.ximat[b]), world);
        self.mark(&first, &second, false, |leaves, [n1, n2]| {
            let [Some(geom), Some(_)] = leaves else {
                return frames.boxes_overlap(&first.aabb[n1], &second.aabb[n2], reach);
            };
            let geom = GeomId::new(geom);
            Bits::of_geom(m, geom).collides_with(Bits::of_flex(m, f))
                && geom_reaches(m, d, geom, f, &second.aabb[n2])
        });
    }

    fn flexes(&mut self, flexes: [FlexId; 2]) {
        let (m, d) = (self.m, self.d);
        let [bits1, bits2] = flexes.map(|f| Bits::of_flex(m, f));
        if bits1.collides_with(bits2) {
            let axes = self.axes();
            let [box1, box2] = flexes.map(|f| flex_box(m, d, f, axes));
            if boxes_overlap(box1, box2) {
                self.elements(flexes);
            }
        }
    }

    /// A flex with itself, where it enables a search through its tree.
    fn itself(&mut self, f: FlexId) {
        let m = self.m;
        let mode = FlexSelf(m.flex_selfcollide[f]);
        let by_tree = mode == FlexSelf::Bvh || mode == FlexSelf::Auto && m.flex_dim[f] == 3;
        let own = m.flex_contype[f] & m.flex_conaffinity[f] != 0 && !m.flex_rigid[f].get();
        if by_tree && own {
            self.elements([f, f]);
        }
    }

    fn elements(&mut self, [f1, f2]: [FlexId; 2]) {
        let (m, d) = (self.m, self.d);
        let trees = [f1, f2].map(|f| Tree::of_flex(m, d, f));
        let [Some(first), Some(second)] = trees else { return };
        let reach = override_margin(m, m.flex_margin[f1] + m.flex_margin[f2]);
        self.mark(&first, &second, f1 == f2, |leaves, [n1, n2]| {
            leaves.iter().all(Option::is_some)
                || !boxes_separated(&first.aabb[n1], &second.aabb[n2], reach)
        });
    }

    /// Marks the nodes of two trees that overlap.
    fn mark(
        &mut self,
        first: &Tree,
        second: &Tree,
        itself: bool,
        mut overlap: impl FnMut([Option<usize>; 2], [usize; 2]) -> bool,
    ) {
        let Self { stack, active, .. } = self;
        walk(stack, first, second, itself, |leaves, nodes| {
            let overlap = overlap(leaves, nodes);
            if overlap {
                active[first.start as usize + nodes[0]] = Flag::from(true);
                active[second.start as usize + nodes[1]] = Flag::from(true);
            }
            overlap
        });
    }

    fn axes(&mut self) -> Mat3 {
        *self.axes.get_or_insert_with(|| principal_axes(self.m, self.d))
    }
}

/// Whether MuJoCo's broad phase lets a body collide with all others, wherever it is.
fn everywhere(m: &Model, b: BodyId) -> bool {
    let mut geoms = m.body_geoms(b);
    b == BodyId::WORLD
        || m.body_weldid[b] == BodyId::WORLD && geoms.any(|g| m.geom_type[g] == GeomType::Plane)
}
