//! The dofs that move a body, and the motion of its points per unit of their velocity.
//!
//! Tendons and transmissions need rows `forceᵀ J` only, so they walk the dofs of the bodies at hand
//! and never form a Jacobian.

use sinew_math::{Spatial, Vec3};
use sinew_model::{BodyId, Data, DofId, Model, SiteId};

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
    #[inline]
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
    #[inline(always)]
    pub(crate) fn column(&self, cdof: Spatial) -> Vec3 {
        cdof.lin + cdof.rot.cross(self.offset)
    }
}

/// The last dof that moves a body: its own or that of the nearest moving ancestor.
#[inline]
pub(crate) fn last_dof(m: &Model, body: BodyId) -> Option<DofId> {
    m.body_last_dof(body)
}

/// Which of two bodies a dof moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Moves {
    First,
    Second,
    Both,
}

/// The dofs above `first` or `second` (both included), in falling order.
#[inline]
pub(crate) fn merged(
    m: &Model,
    first: Option<DofId>,
    second: Option<DofId>,
) -> impl Iterator<Item = (DofId, Moves)> + '_ {
    // plain numbers, -1 for none: these loops are short and often entered
    let number = |dof: Option<DofId>| dof.map_or(-1, |v| v.idx() as i32);
    let (mut first, mut second) = (number(first), number(second));
    core::iter::from_fn(move || {
        let dof = DofId::new(usize::try_from(first.max(second)).ok()?);
        let up = number(m.dof_parentid[dof].get());
        if first == second {
            (first, second) = (up, up);
            Some((dof, Moves::Both))
        } else if first > second {
            first = up;
            Some((dof, Moves::First))
        } else {
            second = up;
            Some((dof, Moves::Second))
        }
    })
}

/// Velocity of `second` minus that of `first` when `dof` moves at unit velocity.
// always inlined: vectors that go through memory take longer than all of this
#[inline(always)]
pub(crate) fn relative(first: &Carried, second: &Carried, cdof: Spatial, moves: Moves) -> Vec3 {
    match moves {
        Moves::First => -first.column(cdof),
        Moves::Second => second.column(cdof),
        Moves::Both => second.column(cdof) - first.column(cdof),
    }
}
