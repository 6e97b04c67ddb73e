//! Scratch memory of the search for contacts of flexes.

use sinew_model::{BodyId, FlexId};

use crate::collision::flex::corners::Corners;

/// Scratch memory, kept from step to step.
#[derive(Clone, Debug, Default)]
pub(crate) struct FlexScratch {
    /// Candidate pairs by signature.
    pub(crate) pairs: Vec<FlexPair>,
    /// Of the sweep over the elements of one flex.
    pub(crate) sweep: SweepScratch,
}

/// Scratch memory of a sweep.
#[derive(Clone, Debug, Default)]
pub(crate) struct SweepScratch {
    /// Boxes of the elements that take part.
    pub(crate) boxes: Vec<SweepBox>,
    /// Both ends of each box along the axis, box by box: the place in the upper half, which box and
    /// which end in the lower.
    pub(crate) keys: Vec<u64>,
    /// The same in rising order; until the next sweep, the order of the last.
    pub(crate) ends: Vec<u64>,
    /// Boxes that have begun and not ended.
    pub(crate) open: OpenBoxes,
    /// Places of open boxes that overlap the one that begins.
    pub(crate) hits: Vec<u32>,
    /// Contacts while they are sorted.
    pub(crate) order: Vec<(i32, i32, u32)>,
}

/// A box in the sweep.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SweepBox {
    /// Lower and upper end along the axis of the sweep.
    pub(crate) along: [f64; 2],
    /// Lower and upper end along one axis across the sweep's axis, and along the other.
    pub(crate) across: [f64; 4],
    pub(crate) corners: Corners,
}

/// Boxes that have begun and not ended, in the order in which they began.
#[derive(Clone, Debug, Default)]
pub(crate) struct OpenBoxes {
    /// Their ends.
    pub(crate) fours: Vec<OpenFour>,
    /// Which box is at a place; `GONE` if it has ended.
    pub(crate) boxes: Vec<u32>,
    /// The place of each box.
    pub(crate) places: Vec<u32>,
    /// Number of places of ended boxes.
    pub(crate) gone: usize,
}

impl OpenBoxes {
    /// Instead of a box that has ended.
    pub(crate) const GONE: u32 = u32::MAX;
}

/// Four boxes: their ends as in [`SweepBox::across`], each of all four.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OpenFour {
    pub(crate) across: [[f64; 4]; 4],
}

impl OpenFour {
    /// Four boxes that overlap nothing.
    pub(crate) const NOTHING: OpenFour =
        OpenFour { across: [[f64::INFINITY; 4], [0.0; 4], [0.0; 4], [0.0; 4]] };
}

/// A flex and its candidate partners.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct FlexPair {
    pub(crate) partner: Partner,
    pub(crate) flex: FlexId,
    /// The sorting key of pairs, common with bodies: flexes are numbered after all bodies.
    pub(crate) signature: u32,
}

/// Candidates for contacts with a flex.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Partner {
    Body(BodyId),
    Flex(FlexId),
}
