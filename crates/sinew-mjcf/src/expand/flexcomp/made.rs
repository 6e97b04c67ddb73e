//! The elements that a flexcomp expands to.

use crate::spec::{Child, Equality, Flex};

/// The elements that a flexcomp expands to.
#[derive(Clone, Debug)]
pub(crate) struct Made {
    /// The flex.
    pub(crate) flex: Flex,
    /// Bodies for the parent.
    pub(crate) bodies: Vec<Child>,
    /// The constraint of the edges.
    pub(crate) equality: Option<Equality>,
}
