//! Sparse patterns, which must agree with the tree.

use core::ops::Range;

use super::{Check, Fault, Requirement, check, exactly};
use crate::ids::{BodyId, DofId};
use crate::model::Model;

/// Description of a row: its index, its first entry, and its number of entries.
struct Row {
    at: usize,
    adr: i32,
    nnz: i32,
}

/// A row of a pattern that starts at the end of the previous row and is within `total`.
fn pattern_row(
    field: &'static str,
    row: Row,
    start: usize,
    total: usize,
) -> Result<Range<usize>, Fault> {
    let Row { at, adr, nnz } = row;
    let end = usize::try_from(nnz).ok().and_then(|n| start.checked_add(n));
    exactly(i64::from(adr), start, field, at)?;
    match end.filter(|end| *end <= total) {
        Some(end) => Ok(start..end),
        None => {
            Err(Fault { field, at, wanted: Requirement::Such("the start of a row that is there") })
        }
    }
}

impl Model {
    /// `M`, its symmetric form, and the dofs that move each body.
    pub(super) fn check_patterns(&self) -> Check {
        self.check_inertia_pattern()?;
        self.check_symmetric_pattern()?;
        self.check_body_pattern()
    }

    /// Rows of `M` have the ancestors and the dof itself; a simple dof has itself alone.
    fn check_inertia_pattern(&self) -> Check {
        let mut end = 0;
        for v in self.dofs() {
            // a simple dof has no descendants
            let parent = self.dof_parentid[v].get();
            let simple = self.dof_simplenum[v] != 0;
            let above_simple = !simple && parent.is_some_and(|p| self.dof_simplenum[p] != 0);
            let above = parent.map_or(0, DofId::idx);
            check(!above_simple, "dof_simplenum", above, Requirement::Exactly(0))?;
            let mut chain = self.dof_chain(v).take(if simple { 1 } else { self.nv });
            let head = Row { at: v.idx(), adr: self.M_rowadr[v], nnz: self.M_rownnz[v] };
            let row = pattern_row("M_rowadr", head, end, self.nC)?;
            end = row.end;
            let same = row.clone().rev().all(|k| chain.next() == Some(self.M_colind[k]));
            let whole = same && chain.next().is_none();
            check(
                whole,
                "M_colind",
                row.start,
                Requirement::Such("the dof's ancestors and itself"),
            )?;
        }
        exactly(self.nC as i64, end, "nC", 0)
    }

    /// Rows of the symmetric pattern have ancestors, the dof itself and descendants.
    fn check_symmetric_pattern(&self) -> Check {
        let related = |v: DofId, c: DofId| {
            self.dof_chain(v.max(c)).take_while(|&a| a >= v.min(c)).any(|a| a == v.min(c))
        };
        let words = Requirement::Such("the dof's ancestors, itself and descendants, in order");
        let mut end = 0;
        for v in self.dofs() {
            let head = Row { at: v.idx(), adr: self.D_rowadr[v], nnz: self.D_rownnz[v] };
            let row = pattern_row("D_rowadr", head, end, self.nD)?;
            end = row.end;
            let cols = self.D_colind.rows(row.clone());
            let rising = cols.windows(2).all(|w| w[0] < w[1]);
            check(rising && cols.iter().all(|&c| related(v, c)), "D_colind", row.start, words)?;
            let diag = usize::try_from(self.D_diag[v]).ok().and_then(|k| cols.get(k));
            check(
                diag == Some(&v),
                "D_diag",
                v.idx(),
                Requirement::Such("where the row has itself"),
            )?;
        }
        let pairs: usize = self.dofs().map(|v| self.dof_chain(v).count() - 1).sum();
        exactly(self.nD as i64, self.nv + 2 * pairs, "nD", 0)?;
        exactly(self.nD as i64, end, "nD", 0)
    }

    /// Rows of bodies have the dofs of ancestors, body and subtree.
    fn check_body_pattern(&self) -> Check {
        let in_subtree = |b: BodyId, mut of: BodyId| {
            while of > b {
                of = self.body_parentid[of];
            }
            of == b
        };

        // dofs of each subtree
        let mut subtree_dofs: Vec<usize> =
            self.bodies().map(|b| self.body_dof_range(b).len()).collect();
        for b in self.bodies().skip(1).rev() {
            let own = subtree_dofs[b.idx()];
            subtree_dofs[self.body_parentid[b].idx()] += own;
        }

        // consecutive rows with the right dofs in ascending order
        let words = Requirement::Such("the dofs that move the body and its subtree, in order");
        let mut end = 0;
        for b in self.bodies() {
            let head = Row { at: b.idx(), adr: self.B_rowadr[b], nnz: self.B_rownnz[b] };
            let row = pattern_row("B_rowadr", head, end, self.nB)?;
            end = row.end;
            if b == BodyId::WORLD {
                continue; // never read
            }
            let cols = self.B_colind.rows(row.clone());
            let above = self.body_chain(self.body_parentid[b]).count();
            let complete = row.len() == above + subtree_dofs[b.idx()];
            let rising = cols.windows(2).all(|w| w[0] < w[1]);
            let known = |(k, v): (usize, &DofId)| k < above || in_subtree(b, self.dof_bodyid[*v]);
            let fits = complete && rising && cols.iter().enumerate().all(known);
            check(fits, "B_colind", row.start, words)?;
        }
        exactly(self.nB as i64, end, "nB", 0)
    }
}
