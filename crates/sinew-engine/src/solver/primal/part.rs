//! Which dofs and rows of the `Data` a problem has: those of an island, or all.

use sinew_model::enums::ConstraintType;
use sinew_model::{Data, DofId, Model};

/// Which dofs and rows of the `Data` make up a problem.
pub(crate) struct Part<'a> {
    /// Dofs, rising.
    pub(crate) dofs: &'a [i32],
    /// Place of every dof of the model among those of its part, plus `first`.
    pub(crate) place: &'a [i32],
    pub(crate) first: usize,
    /// Rows, rising.
    pub(crate) rows: &'a [i32],
    /// How many of them are equalities.
    pub(crate) ne: usize,
    /// How many after that are dry friction.
    pub(crate) nf: usize,
}

/// All dofs and rows; `counting` has the numbers from zero on.
pub(crate) fn all_rows<'a>(m: &Model, d: &Data, counting: &'a [i32]) -> Part<'a> {
    let (dofs, rows) = (&counting[..m.nv], &counting[..d.nefc]);
    Part { dofs, place: dofs, first: 0, rows, ne: d.ne, nf: d.nf }
}

/// The dofs and rows of an island.
pub(crate) fn island_part(d: &Data, island: usize) -> Part<'_> {
    let size = |list: &[i32]| list.get(island).map_or(0, |&n| n.max(0) as usize);
    let (first, nv) = (size(&d.island_idofadr), size(&d.island_nv));
    let (row, nefc) = (size(&d.island_iefcadr), size(&d.island_nefc));
    Part {
        dofs: d.map_idof2dof.get(first..first + nv).unwrap_or_default(),
        place: &d.map_dof2idof,
        first,
        rows: d.map_iefc2efc.get(row..row + nefc).unwrap_or_default(),
        ne: size(&d.island_ne),
        nf: size(&d.island_nf),
    }
}

/// What a row is, in the order of their positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RowKind {
    Equality,
    Friction,
    OneSided,
    Conic,
}

impl Part<'_> {
    /// Place of a dof in this part; the first if it is in another, which no row mixes.
    pub(crate) fn local(&self, dof: usize) -> usize {
        let place = self.place.get(dof).map_or(0, |&p| (p as usize).wrapping_sub(self.first));
        if place < self.dofs.len() { place } else { 0 }
    }

    /// The place of the first of some dofs, if the others follow it, here and in the model.
    pub(crate) fn consecutive(&self, dofs: &[i32]) -> Option<usize> {
        let (&first, &last) = (dofs.first()?, dofs.last()?);
        let (from, to) = (self.local(first.max(0) as usize), self.local(last.max(0) as usize));
        let others = dofs.len() - 1;
        (to == from + others && last.wrapping_sub(first) as usize == others).then_some(from)
    }

    /// The first dof of the part, if the others follow it.
    pub(crate) fn run_of_dofs(&self) -> Option<usize> {
        let (&first, &last) = (self.dofs.first()?, self.dofs.last()?);
        (last.wrapping_sub(first) as usize == self.dofs.len() - 1).then_some(first as usize)
    }

    /// The dof above the one at `k` in its tree; itself at a root.
    pub(crate) fn parent(&self, m: &Model, k: usize) -> usize {
        let above = m.dof_parentid[self.dofs[k] as usize].get();
        // parents come first; otherwise there is no tree
        above.map_or(k, |above| self.local(above.idx()).min(k))
    }

    /// Whether M has nothing but the diagonal for the dof at `k`, although it has one above it.
    pub(crate) fn is_simple(&self, m: &Model, k: usize) -> bool {
        m.M_row(DofId::new(self.dofs[k] as usize)).len() == 1
    }

    /// How many rows from the one at `p` have its pattern and kind.
    pub(crate) fn run(&self, d: &Data, p: usize, kind: RowKind) -> usize {
        let first = self.rows[p] as usize;
        let alike = d.efc_J_rowsuper.get(first).map_or(0, |&n| n.max(0) as usize);
        let mut run = 1;
        while run <= alike
            && self.rows.get(p + run) == Some(&((first + run) as i32))
            && self.kind(d, p + run) == kind
        {
            run += 1;
        }
        run
    }

    pub(crate) fn kind(&self, d: &Data, p: usize) -> RowKind {
        if p < self.ne {
            RowKind::Equality
        } else if p < self.ne + self.nf {
            RowKind::Friction
        } else if d.efc_type[self.rows[p] as usize] == ConstraintType::ContactElliptic {
            RowKind::Conic
        } else {
            RowKind::OneSided
        }
    }
}
