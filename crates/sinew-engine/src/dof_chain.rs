//! The dofs that move two bodies, merged into one chain.

use sinew_model::{DofId, Model};

/// Which of two bodies a dof moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Moves {
    First,
    Second,
    Both,
}

/// A dof that moves one of two bodies, or both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ChainLink {
    pub(crate) dof: DofId,
    pub(crate) moves: Moves,
}

/// The dofs above `first` or `second` (both included), in falling order.
#[inline]
pub(crate) fn merged(
    m: &Model,
    first: Option<DofId>,
    second: Option<DofId>,
) -> impl Iterator<Item = ChainLink> + '_ {
    // plain numbers, -1 for none: these loops are short and often entered
    let number = |dof: Option<DofId>| dof.map_or(-1, |v| v.idx() as i32);
    let (mut first, mut second) = (number(first), number(second));
    core::iter::from_fn(move || {
        let dof = DofId::new(usize::try_from(first.max(second)).ok()?);
        let up = number(m.dof_parentid[dof].get());
        if first == second {
            (first, second) = (up, up);
            Some(ChainLink { dof, moves: Moves::Both })
        } else if first > second {
            first = up;
            Some(ChainLink { dof, moves: Moves::First })
        } else {
            second = up;
            Some(ChainLink { dof, moves: Moves::Second })
        }
    })
}

/// `merged` as a list, in rising order.
pub(crate) fn merge_rising(
    m: &Model,
    first: Option<DofId>,
    second: Option<DofId>,
    chain: &mut Vec<ChainLink>,
) {
    chain.clear();
    chain.extend(merged(m, first, second));
    chain.reverse();
}
