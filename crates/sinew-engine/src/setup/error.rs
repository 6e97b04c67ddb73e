//! Why a model's constants cannot be computed.

use core::fmt;

use sinew_model::{BodyId, EqId, FlexId, TendonId, TreeId};

/// Why the constants of a model cannot be computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ConstError {
    /// A tree that is allowed to sleep is held by a tendon that must not let it.
    SleepingTendon {
        /// The tree.
        tree: TreeId,
        /// The tendon.
        tendon: TendonId,
        /// Whether the tendon spans more than two trees; otherwise it has stiffness or damping.
        spans_many: bool,
    },
    /// A moving body without mass.
    NoMass(BodyId),
    /// A connect or weld constraint between things that are neither bodies nor sites.
    EqualityObject(EqId),
    /// A flex whose vertices are to keep their strain does not lie in a horizontal plane.
    FlexNotPlanar(FlexId),
    /// The lists of a flex are longer than the model's arrays. The flex's vertices were given to
    /// other bodies, or to two flexes, after compilation.
    FlexLists(FlexId),
}

impl fmt::Display for ConstError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ConstError::SleepingTendon { tree, tendon, spans_many } => {
                let why = if *spans_many {
                    "which spans more than 2 trees"
                } else {
                    "with non-zero stiffness or damping"
                };
                let (tree, tendon) = (tree.idx(), tendon.idx());
                write!(f, "tree {tree} connected to tendon {tendon} {why}, sleeping not allowed")
            }
            ConstError::NoMass(b) => write!(f, "moving body {} has 0 mass", b.idx()),
            ConstError::EqualityObject(e) => {
                write!(f, "invalid object type in connect or weld constraint {}", e.idx())
            }
            ConstError::FlexNotPlanar(flex) => {
                write!(f, "flex vertices are not in the same plane: flex {}", flex.idx())
            }
            ConstError::FlexLists(flex) => {
                write!(f, "flex {}: edges depend on more dofs than they were made for", flex.idx())
            }
        }
    }
}

impl core::error::Error for ConstError {}
