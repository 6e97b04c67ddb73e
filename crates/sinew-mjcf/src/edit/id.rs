//! Identities: elements are found again under any name.

use core::fmt;
use core::marker::PhantomData;

/// Which element of a model: its identity as long as it is in the model, through renaming,
/// attaching, detaching and deleting others. A copy of an element has an identity of its own.
pub struct Id<T> {
    number: u32,
    kind: PhantomData<fn() -> T>,
}

impl<T> Clone for Id<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Id<T> {}

impl<T> PartialEq for Id<T> {
    fn eq(&self, other: &Self) -> bool {
        self.number == other.number
    }
}

impl<T> Eq for Id<T> {}

impl<T> fmt::Debug for Id<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Id({})", self.number)
    }
}

impl<T> Id<T> {
    /// An identity that no element had, after the last one.
    pub(super) fn next(last: &mut u32) -> Id<T> {
        *last += 1;
        Id::of(*last)
    }

    /// The identity of an element that has a number in its head.
    pub(super) fn of(number: u32) -> Id<T> {
        Id { number, kind: PhantomData }
    }

    /// The number in the heads of elements.
    pub(super) fn number(self) -> u32 {
        self.number
    }
}
