//! The joints and the dofs of the first bodies, as ranges of rows.
//!
//! A stage that visits one body after another takes the columns of the tables once. So no visit
//! checks again whether the tables are long enough.

use core::ops::Range;

use sinew_model::{DofId, Id, JointId, Maybe, Model};

/// Rows of `I` that belong to each of the first bodies.
pub(crate) struct BodyRows<'a, I> {
    first: &'a [Maybe<I>],
    count: &'a [i32],
}

/// The dofs of the first bodies.
pub(crate) type BodyDofs<'a> = BodyRows<'a, DofId>;

/// The joints of the first bodies.
pub(crate) type BodyJoints<'a> = BodyRows<'a, JointId>;

impl<'a> BodyDofs<'a> {
    /// The dofs of the bodies before `end`.
    #[inline(always)]
    pub(crate) fn of(m: &'a Model, end: usize) -> Self {
        BodyRows { first: m.body_dofadr.rows(0..end), count: m.body_dofnum.rows(0..end) }
    }
}

impl<'a> BodyJoints<'a> {
    /// The joints of the bodies before `end`.
    #[inline(always)]
    pub(crate) fn of(m: &'a Model, end: usize) -> Self {
        BodyRows { first: m.body_jntadr.rows(0..end), count: m.body_jntnum.rows(0..end) }
    }
}

impl<I: Id> BodyRows<'_, I> {
    /// The rows of body `b`; without any they begin at zero.
    #[inline(always)]
    pub(crate) fn range(&self, b: usize) -> Range<usize> {
        let first = self.first[b].get().map_or(0, I::idx);
        first..first + self.count[b].max(0) as usize
    }
}
