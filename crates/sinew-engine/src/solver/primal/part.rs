//! The dofs and rows of the `Data` in a problem: dofs and rows of an island, or all.

use sinew_model::enums::{ConeType, ConstraintType};
use sinew_model::{Data, DofId, Model};

/// Which dofs and rows of the `Data` make up a problem.
pub(crate) struct Part<'a> {
    /// Dofs, rising.
    pub(crate) dofs: &'a [i32],
    /// Place of every dof of the model among the dofs of its part, plus `first`.
    pub(crate) place: &'a [i32],
    pub(crate) first: usize,
    /// Rows, rising.
    pub(crate) rows: &'a [i32],
    /// How many of them are equalities.
    pub(crate) ne: usize,
    /// How many after that are dry friction.
    pub(crate) nf: usize,
    /// Whether those after that may be of elliptic contacts.
    pub(crate) conic: bool,
}

/// All dofs and rows; `counting` has the numbers from zero on.
pub(crate) fn all_rows<'a>(m: &Model, d: &Data, counting: &'a [i32]) -> Part<'a> {
    let (dofs, rows) = (&counting[..m.nv], &counting[..d.nefc]);
    Part { dofs, place: dofs, first: 0, rows, ne: d.ne, nf: d.nf, conic: may_be_conic(m, d) }
}

/// The dofs and rows of an island.
pub(crate) fn island_part<'a>(m: &Model, d: &'a Data, island: usize) -> Part<'a> {
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
        conic: may_be_conic(m, d),
    }
}

fn may_be_conic(m: &Model, d: &Data) -> bool {
    m.cone() == ConeType::Elliptic && !d.contact.is_empty()
}

/// Kinds of rows, in the order of their positions.
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

    /// How many rows from the one at `p` follow each other in the data and are of its kind.
    #[inline(always)]
    pub(crate) fn segment(&self, d: &Data, p: usize, kind: RowKind) -> usize {
        self.follow(d, p, kind, self.rows.len())
    }

    /// How many rows from the one at `p` have its pattern, too.
    #[inline(always)]
    pub(crate) fn run(&self, d: &Data, p: usize, kind: RowKind) -> usize {
        let alike = d.efc_J_rowsuper.get(self.rows[p] as usize).map_or(0, |&n| n.max(0) as usize);
        self.follow(d, p, kind, (p + alike + 1).min(self.rows.len()))
    }

    /// `segment` up to the row at `end`.
    #[inline(always)]
    fn follow(&self, d: &Data, p: usize, kind: RowKind, end: usize) -> usize {
        let (end, several) = match kind {
            RowKind::Equality => (end.min(self.ne), false),
            RowKind::Friction => (end.min(self.ne + self.nf), false),
            RowKind::OneSided | RowKind::Conic => (end, self.conic),
        };
        let first = self.rows[p];
        let n = end - p;
        // rows rise
        if !several && self.rows[end - 1].wrapping_sub(first) as usize == n - 1 {
            return n;
        }
        let follows = |k: usize| self.rows[p + k] == first + k as i32;
        let alike = |k: &usize| follows(*k) && (!several || self.kind(d, p + k) == kind);
        1 + (1..n).take_while(alike).count()
    }

    #[inline(always)]
    pub(crate) fn kind(&self, d: &Data, p: usize) -> RowKind {
        if p < self.ne {
            RowKind::Equality
        } else if p < self.ne + self.nf {
            RowKind::Friction
        } else if self.conic && d.efc_type[self.rows[p] as usize] == ConstraintType::ContactElliptic
        {
            RowKind::Conic
        } else {
            RowKind::OneSided
        }
    }
}
