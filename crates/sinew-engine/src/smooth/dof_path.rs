//! The dofs that move a body, and the motion of its points per unit of their velocity.
//!
//! Tendons and transmissions need rows `forceᵀ J` only, so they walk the dofs of the bodies in
//! question and never form a Jacobian.

use sinew_math::{Spatial, Vec3};
use sinew_model::{BodyId, Data, DofId, Model, SiteId, Table};

use crate::dof_chain::{ChainLink, Moves};

/// A point fixed to a body, seen from the centre of mass its motion axes refer to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Carried {
    /// The last dof that moves the body; none if nothing does.
    pub(crate) dof: Option<DofId>,
    /// From the centre of mass of the body's tree to the point.
    pub(crate) offset: Vec3,
}

impl Carried {
    /// The point `at` of a body.
    #[inline(always)]
    pub(crate) fn new(m: &Model, d: &Data, body: BodyId, at: Vec3) -> Self {
        let offset = at - d.subtree_com[m.body_rootid[body]];
        Carried { dof: last_dof(m, body), offset }
    }

    /// The origin of a site.
    #[inline]
    pub(crate) fn site(m: &Model, d: &Data, site: SiteId) -> Self {
        Carried::new(m, d, m.site_bodyid[site], d.site_xpos[site])
    }

    /// Velocity of the point when a dof with this axis moves at unit velocity.
    pub(crate) fn column(&self, cdof: Spatial) -> Vec3 {
        cdof.lin + cdof.rot.cross(self.offset)
    }
}

/// The last dof that moves a body: its own or the last dof of the nearest moving ancestor.
#[inline]
pub(crate) fn last_dof(m: &Model, body: BodyId) -> Option<DofId> {
    m.body_last_dof(body)
}

/// Velocity of `second` relative to `first` when `dof` moves at unit velocity.
// inlined so that vectors stay in registers
#[inline(always)]
pub(crate) fn relative(first: &Carried, second: &Carried, cdof: Spatial, moves: Moves) -> Vec3 {
    match moves {
        Moves::First => -first.column(cdof),
        Moves::Second => second.column(cdof),
        Moves::Both => second.column(cdof) - first.column(cdof),
    }
}

/// The columns of each dof of a chain. A column has the dof's place, the velocity of `second`
/// relative to `first`, and the bodies' relative angular velocity, per unit rate.
pub(crate) fn chain_columns<'a>(
    cdof: &'a Table<DofId, Spatial>,
    first: &'a Carried,
    second: &'a Carried,
    chain: &'a [ChainLink],
) -> impl Iterator<Item = (usize, Vec3, Vec3)> + 'a {
    chain.iter().enumerate().map(|(k, link)| {
        let cdof = cdof[link.dof];
        let rot = match link.moves {
            Moves::First => -cdof.rot,
            Moves::Second => cdof.rot,
            Moves::Both => Vec3::ZERO,
        };
        (k, relative(first, second, cdof, link.moves), rot)
    })
}
