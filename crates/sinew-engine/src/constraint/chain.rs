//! The dofs that move two bodies, and how two points move apart with them.

use sinew_math::Vec3;
use sinew_model::work::ChainLink;
use sinew_model::{Data, DofId, Model};

use crate::smooth::dof_path::{Carried, Moves, merged};

/// The dofs above `first` or `second` (both included), in rising order.
pub(crate) fn merge(
    m: &Model,
    first: Option<DofId>,
    second: Option<DofId>,
    chain: &mut Vec<ChainLink>,
) {
    chain.clear();
    chain.extend(merged(m, first, second).map(|(dof, moves)| ChainLink {
        dof,
        first: moves != Moves::Second,
        second: moves != Moves::First,
    }));
    chain.reverse();
}

/// For each dof of a chain its place, the velocity of `second` relative to `first` and the angular
/// velocity of the second body relative to the first, per unit rate.
pub(crate) fn columns<'a>(
    d: &'a Data,
    first: &'a Carried,
    second: &'a Carried,
    chain: &'a [ChainLink],
) -> impl Iterator<Item = (usize, Vec3, Vec3)> + 'a {
    chain.iter().enumerate().map(|(k, link)| {
        let cdof = d.cdof[link.dof];
        let (pos, rot) = match (link.first, link.second) {
            (true, true) => (second.column(cdof) - first.column(cdof), Vec3::ZERO),
            (true, false) => (-first.column(cdof), -cdof.rot),
            _ => (second.column(cdof), cdof.rot),
        };
        (k, pos, rot)
    })
}
