//! Scratch memory of the search for contacts of flexes.

use sinew_model::{BodyId, FlexId};

/// Scratch memory, kept from step to step.
#[derive(Clone, Debug, Default)]
pub(crate) struct FlexScratch {
    /// What may touch, by signature.
    pub(crate) pairs: Vec<FlexPair>,
    /// Of the sweep over the elements of one flex.
    pub(crate) sweep: SweepScratch,
}

/// Scratch memory of a sweep.
#[derive(Clone, Debug, Default)]
pub(crate) struct SweepScratch {
    /// Ends of all boxes.
    pub(crate) ends: Vec<End>,
    /// Elements whose boxes have begun and not ended.
    pub(crate) open: Vec<u32>,
    /// Contacts while they are sorted.
    pub(crate) order: Vec<(i32, i32, u32)>,
}

/// An end of an element's box along the axis of the sweep.
#[derive(Clone, Copy, Debug)]
pub(crate) struct End {
    pub(crate) at: f32,
    pub(crate) elem: u32,
    pub(crate) upper: bool,
}

/// A flex and what it may touch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct FlexPair {
    pub(crate) partner: Partner,
    pub(crate) flex: FlexId,
    /// By which pairs are sorted, with those of bodies: flexes are numbered after all bodies.
    pub(crate) signature: u32,
}

/// What may touch a flex.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Partner {
    Body(BodyId),
    Flex(FlexId),
}
