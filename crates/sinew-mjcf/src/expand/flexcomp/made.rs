//! What a flexcomp stands for.

use crate::spec::{Child, Equality, Flex};

/// What a flexcomp stands for.
#[derive(Clone, Debug)]
pub(crate) struct Made {
    /// The flex.
    pub(crate) flex: Flex,
    /// Bodies for the parent.
    pub(crate) bodies: Vec<Child>,
    /// What holds the edges.
    pub(crate) equality: Option<Equality>,
}
