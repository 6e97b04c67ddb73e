//! The dofs that move two bodies, merged into one chain.

use sinew_model::{DofId, Model};

/// The bodies, of two, that a dof moves.
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

/// `merged` as lists, in rising order.
#[derive(Clone, Debug, Default)]
pub(crate) struct RisingChain {
    // filled from the back, because the dofs are found in falling order
    links: Vec<ChainLink>,
    columns: Vec<i32>,
    start: usize,
}

impl RisingChain {
    /// Finds the dofs above `first` or `second`.
    pub(crate) fn merge(&mut self, m: &Model, first: Option<DofId>, second: Option<DofId>) {
        if self.links.len() != m.nv {
            self.links.resize(m.nv, ChainLink { dof: DofId::new(0), moves: Moves::Both });
            self.columns.resize(m.nv, 0);
        }
        let (links, columns) = (&mut self.links[..m.nv], &mut self.columns[..m.nv]);
        let mut start = m.nv;
        for link in merged(m, first, second) {
            start -= 1;
            links[start] = link;
            columns[start] = link.dof.idx() as i32;
        }
        self.start = start;
    }

    /// The dofs, with the bodies that each of them moves.
    pub(crate) fn links(&self) -> &[ChainLink] {
        &self.links[self.start..]
    }

    /// The dofs alone, as the columns of a sparse row.
    pub(crate) fn columns(&self) -> &[i32] {
        &self.columns[self.start..]
    }
}
