//! Scratch memory of collision.

use sinew_geom::ccd;
use sinew_geom::touch::Touch;
use sinew_model::enums::SleepState;
use sinew_model::{BodyId, GeomId};

use crate::work::private::Private;

/// Scratch memory of collision.
#[derive(Clone, Debug, Default)]
pub(crate) struct CollisionWork {
    /// Bodies and geoms that may collide.
    pub(crate) plan: CollisionPlan,
    /// Of the search for pairs of bodies.
    pub(crate) broad: BroadWork,
    /// Of the search for pairs of geoms.
    pub(crate) mid: MidWork,
    /// Contact points of two geoms.
    pub(crate) touches: Vec<Touch>,
    /// Of general convex collision.
    pub(crate) ccd: ccd::Work,
    /// Of contacts of flexes.
    pub(crate) flex: Private,
    /// Nodes not yet marked in `bvh_active`.
    pub(crate) marks: MarkWork,
}

/// Marks that the last collision would have left in `bvh_active`.
#[derive(Clone, Debug, Default)]
pub(crate) struct MarkWork {
    /// Whether they are still to be made.
    pub(crate) due: bool,
    /// Sleep states of the bodies then; empty if all were awake.
    pub(crate) body_awake: Vec<SleepState>,
}

/// Bodies and geoms that may collide by the model's filters.
#[derive(Clone, Debug, Default)]
pub(crate) struct CollisionPlan {
    /// Copy of the filters from which it was derived: users may change them between steps.
    pub(crate) source: PlanSource,
    /// Bodies with geoms that may collide, rising.
    pub(crate) bodies: Vec<BodyId>,
    /// Filter of each of them.
    pub(crate) filters: Vec<BodyFilter>,
    /// Whether each of them may touch all others, wherever it is.
    pub(crate) everywhere: Vec<bool>,
    /// Where the geoms of each of them start in `geoms`, then the end of the last.
    pub(crate) first: Vec<u32>,
    /// Geoms that may collide, by body.
    pub(crate) geoms: Vec<GeomId>,
    /// Whether a filter of the user decides, rather than the bits of geoms.
    pub(crate) user_filter: bool,
    /// The body of each of these, as a place in `bodies`.
    pub(crate) body: Vec<u32>,
    /// Geoms of later bodies that a geom may collide with: a row of bits for each of `geoms`; empty
    /// if there are many.
    pub(crate) allowed: Vec<u64>,
    /// Of these, pairs whose boxes are worth a look before their contacts.
    pub(crate) boxed: Vec<u64>,
    /// Pairs that may collide, by bodies in rising order; none where they are many.
    pub(crate) few_pairs: Option<Vec<PlannedPair>>,
}

/// The filters of a model.
#[derive(Clone, Debug, Default)]
pub(crate) struct PlanSource {
    /// `contype`, `conaffinity` and the shape of each geom.
    pub(crate) geoms: Vec<[i32; 3]>,
    /// `contype`, `conaffinity`, the body it is fixed to, its parent, and its geoms, of each body.
    pub(crate) bodies: Vec<[i32; 6]>,
    /// Signatures of pairs of bodies that never collide.
    pub(crate) excluded: Vec<i32>,
    /// Whether bodies collide with their parents; zero before a plan is made.
    pub(crate) flag: i32,
}

/// Two geoms that may collide.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PlannedPair {
    /// The geoms, as places in the plan.
    pub(crate) geoms: [u32; 2],
    /// Their bodies, as places in the plan.
    pub(crate) bodies: [u32; 2],
    /// Whether their boxes are worth a look before their contacts.
    pub(crate) boxed: bool,
}

/// Filter of a body's collisions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BodyFilter {
    /// The body it is rigidly fixed to.
    pub(crate) weld: BodyId,
    /// The body that one's parent is rigidly fixed to.
    pub(crate) parent: BodyId,
    /// Bits of the geom's own type.
    pub(crate) contype: i32,
    /// Bits of the types with which the geom collides.
    pub(crate) conaffinity: i32,
}

/// Scratch memory of the search for pairs of bodies.
#[derive(Clone, Debug, Default)]
pub(crate) struct BroadWork {
    /// Lower ends of the bodies' boxes, by axis.
    pub(crate) lo: [Vec<f32>; 3],
    /// Upper ends of the bodies' boxes, by axis.
    pub(crate) hi: [Vec<f32>; 3],
    /// Owners of these boxes, as places in the plan, if some bodies sleep: bodies that move, and
    /// bodies near them.
    pub(crate) near: Vec<u32>,
    /// Balls around the geoms, by eight, where there are few.
    pub(crate) balls: Vec<Balls>,
    /// Boxes around each eight of these, by eight.
    pub(crate) boxes: Vec<Boxes>,
    /// Boxes around geoms.
    pub(crate) world: WorldBoxes,
    /// Which geoms are of bodies that are awake and not fixed, a bit for each; empty if no body
    /// sleeps.
    pub(crate) movers: Vec<u64>,
    /// Balls that each ball of one body overlaps: a row of bits for each.
    pub(crate) rows: Vec<u64>,
    /// Of the grid, where there are many bodies.
    pub(crate) grid: GridWork,
    /// Pairs of bodies to look at, rising, as places in the plan.
    pub(crate) bodies: Vec<[u32; 2]>,
    /// Pairs of bodies whose geoms may touch, rising.
    pub(crate) pairs: Vec<BodyPair>,
    /// Pairs of geoms that may touch, as places in the plan, by bodies.
    pub(crate) geoms: Vec<[u32; 2]>,
}

/// Boxes along the axes of the world around geoms, each found on first use.
#[derive(Clone, Debug, Default)]
pub(crate) struct WorldBoxes {
    /// The boxes, in the order of the plan, in groups of a word's bits.
    pub(crate) boxes: Vec<[WorldBox; 64]>,
    /// Mask of the known ones.
    pub(crate) known: Vec<u64>,
}

/// A box along the axes of the world, by its ends. Two boxes overlap if no number in `low` of one
/// is above the number in `high` of the other.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C, align(64))]
pub(crate) struct WorldBox {
    /// Lower ends, zero, upper ends with the sign changed, zero.
    pub(crate) low: [f32; 8],
    /// Upper ends, zero, lower ends with the sign changed, zero.
    pub(crate) high: [f32; 8],
}

/// Eight balls: their centres by axis, their radii.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C, align(32))]
pub(crate) struct Balls {
    /// Centres, by axis.
    pub(crate) center: [[f32; 8]; 3],
    /// Radii.
    pub(crate) radius: [f32; 8],
}

/// Eight boxes: their ends by axis.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C, align(32))]
pub(crate) struct Boxes {
    /// Lower ends, by axis.
    pub(crate) lo: [[f32; 8]; 3],
    /// Upper ends, by axis.
    pub(crate) hi: [[f32; 8]; 3],
}

/// Two bodies whose geoms may touch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BodyPair {
    /// The bodies, as places in the plan.
    pub(crate) bodies: [u32; 2],
    /// First and last but one of their pairs in the list of geoms; none if all are to be tried.
    pub(crate) geoms: [u32; 2],
}

/// Scratch memory of a grid of boxes.
#[derive(Clone, Debug, Default)]
pub(crate) struct GridWork {
    /// Boxes that fit into a cell.
    pub(crate) small: Vec<u32>,
    /// Boxes that do not, or whose place is not known.
    pub(crate) large: Vec<u32>,
    /// Scratch for finding the usual size of a box.
    pub(crate) sizes: Vec<f32>,
    /// Column, row and layer of each small box.
    pub(crate) places: Vec<[u32; 3]>,
    /// Where each cell starts in `order`, then the end of the last.
    pub(crate) starts: Vec<u32>,
    /// Small boxes in the order of the cells.
    pub(crate) order: Vec<u32>,
    /// Column, row and layer of each of these.
    pub(crate) order_places: Vec<[u32; 3]>,
    /// Boxes in the order of the cells: lower ends, by axis.
    pub(crate) lo: [Vec<f32>; 3],
    /// Boxes in the order of the cells: upper ends, by axis.
    pub(crate) hi: [Vec<f32>; 3],
    /// Boxes that overlap a given box.
    pub(crate) overlaps: Vec<u8>,
    /// Pairs found, the smaller number first.
    pub(crate) found: Vec<[u32; 2]>,
}

/// Scratch memory of the search for pairs of geoms.
#[derive(Clone, Debug, Default)]
pub(crate) struct MidWork {
    /// Nodes of two trees still to be compared.
    pub(crate) stack: Vec<[u32; 2]>,
    /// Pairs of geoms to look at.
    pub(crate) pairs: Vec<[GeomId; 2]>,
}
