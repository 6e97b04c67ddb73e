//! The lists of constraint rows, while they are filled.

use core::mem::{forget, replace, take};

use sinew_model::enums::ConstraintType;
use sinew_model::table::Table;
use sinew_model::{Data, Row};

use crate::constraint::impedance::Response;
use crate::sparse::copy_row;

/// The `efc_*` lists, taken out of `Data` so that rows can be written while the rest is read.
///
/// The lists keep their length from the step before, and rows overwrite rows: a settled simulation
/// neither allocates nor clears anything.
#[derive(Debug)]
pub(crate) struct Rows {
    /// Rows written.
    len: usize,
    /// Jacobian entries written.
    nnz: usize,
    kind: Table<Row, ConstraintType>,
    id: Table<Row, i32>,
    rownnz: Table<Row, i32>,
    rowadr: Table<Row, i32>,
    rowsuper: Table<Row, i32>,
    colind: Table<Row, i32>,
    jac: Table<Row, f64>,
    pos: Table<Row, f64>,
    margin: Table<Row, f64>,
    frictionloss: Table<Row, f64>,
    diag: Table<Row, f64>,
    kbip: Table<Row, [f64; 4]>,
    d: Table<Row, f64>,
    r: Table<Row, f64>,
}

/// Where rows come from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Origin {
    /// Kind of the rows.
    pub(crate) kind: ConstraintType,
    /// The object they belong to.
    pub(crate) id: usize,
}

/// The numbers of one row besides its Jacobian.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RowValues {
    /// Violation.
    pub(crate) pos: f64,
    /// Margin within which the row is active.
    pub(crate) margin: f64,
    /// Bound of dry friction.
    pub(crate) frictionloss: f64,
    /// Answer to the violation.
    pub(crate) response: Response,
    /// Regularisation.
    pub(crate) r: f64,
}

impl RowValues {
    /// `diagApprox`: such that R = (1 - imp) / imp diagApprox.
    #[inline(always)]
    fn diag(&self) -> f64 {
        let imp = self.response.imp;
        self.r * imp / (1.0 - imp)
    }
}

/// Calls a method of every list with one entry per row.
macro_rules! each_row_list {
    ($rows:ident, $list:ident => $call:expr) => {{
        let Rows {
            kind, id, rownnz, rowadr, rowsuper, pos, margin, frictionloss, diag, kbip, d, r, ..
        } = $rows;
        each_row_list!(@ $list => $call;
            kind id rownnz rowadr rowsuper pos margin frictionloss diag kbip d r);
    }};
    (@ $list:ident => $call:expr; $($name:ident)*) => {
        $({ let $list = $name; $call; })*
    };
}

/// Gives a list back.
#[inline(always)]
fn put<T>(place: &mut Table<Row, T>, list: &mut Table<Row, T>) {
    // what is there since `take` has no memory to give back
    forget(replace(place, take(list)));
}

impl Rows {
    /// Takes the lists; `put_back` returns them.
    #[inline(always)]
    pub(crate) fn take(data: &mut Data) -> Self {
        Rows {
            len: 0,
            nnz: 0,
            kind: take(&mut data.efc_type),
            id: take(&mut data.efc_id),
            rownnz: take(&mut data.efc_J_rownnz),
            rowadr: take(&mut data.efc_J_rowadr),
            rowsuper: take(&mut data.efc_J_rowsuper),
            colind: take(&mut data.efc_J_colind),
            jac: take(&mut data.efc_J),
            pos: take(&mut data.efc_pos),
            margin: take(&mut data.efc_margin),
            frictionloss: take(&mut data.efc_frictionloss),
            diag: take(&mut data.efc_diagApprox),
            kbip: take(&mut data.efc_KBIP),
            d: take(&mut data.efc_D),
            r: take(&mut data.efc_R),
        }
    }

    /// Makes the lists ready for rows: one that somebody has set alone may be of another length.
    #[inline(always)]
    pub(crate) fn prepare(&mut self) {
        let (len, nnz) = (self.kind.len(), self.jac.len());
        let mut differ = self.colind.len() ^ nnz;
        let all = &*self;
        each_row_list!(all, list => differ |= list.len() ^ len);
        if differ != 0 {
            self.even_out(len, nnz);
        }
    }

    /// Gives all lists the same number of rows and of entries.
    #[cold]
    fn even_out(&mut self, len: usize, nnz: usize) {
        each_row_list!(self, list => list.resize(len));
        self.colind.resize(nnz);
        self.jac.resize(nnz);
    }

    /// Gives the lists back, cut to the rows written, with `nefc` and `nJ`.
    #[inline(always)]
    pub(crate) fn put_back(&mut self, data: &mut Data) {
        // a row that has the pattern of its successor has all those that the successor has
        for r in (1..self.len).rev() {
            if self.rowsuper[r - 1] != 0 {
                self.rowsuper[r - 1] += self.rowsuper[r];
            }
        }

        let (len, nnz) = (self.len, self.nnz);
        each_row_list!(self, list => list.truncate(len));
        self.colind.truncate(nnz);
        self.jac.truncate(nnz);
        (data.nefc, data.nJ) = (len, nnz);
        put(&mut data.efc_type, &mut self.kind);
        put(&mut data.efc_id, &mut self.id);
        put(&mut data.efc_J_rownnz, &mut self.rownnz);
        put(&mut data.efc_J_rowadr, &mut self.rowadr);
        put(&mut data.efc_J_rowsuper, &mut self.rowsuper);
        put(&mut data.efc_J_colind, &mut self.colind);
        put(&mut data.efc_J, &mut self.jac);
        put(&mut data.efc_pos, &mut self.pos);
        put(&mut data.efc_margin, &mut self.margin);
        put(&mut data.efc_frictionloss, &mut self.frictionloss);
        put(&mut data.efc_diagApprox, &mut self.diag);
        put(&mut data.efc_KBIP, &mut self.kbip);
        put(&mut data.efc_D, &mut self.d);
        put(&mut data.efc_R, &mut self.r);
    }

    /// Rows written so far.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Room for the Jacobian of the next `n` rows over a chain of dofs, row after row; its contents
    /// are left over from before. The rows exist only once `commit` is called.
    pub(crate) fn jacobian(
        &mut self,
        n: usize,
        chain: impl ExactSizeIterator<Item = i32>,
    ) -> &mut [f64] {
        let (row, width) = (self.len, chain.len());
        let end = self.nnz + n * width;
        if self.kind.len() < row + n || self.jac.len() < end {
            self.even_out(self.kind.len().max(row + n), self.jac.len().max(end));
        }

        // every row has the columns of the chain
        let (first, mut others) = (*self.colind)[self.nnz..end].split_at_mut(width);
        for (column, dof) in first.iter_mut().zip(chain) {
            *column = dof;
        }
        for _ in 1..n {
            let (copy, rest) = others.split_at_mut(width);
            copy_row(copy, first);
            others = rest;
        }
        let (rownnz, rowadr) = (some(&mut self.rownnz, row, n), some(&mut self.rowadr, row, n));
        let (mut adr, step) = (self.nnz as i32, width as i32);
        for (rownnz, rowadr) in rownnz.iter_mut().zip(rowadr) {
            (*rownnz, *rowadr) = (step, adr);
            adr += step;
        }
        &mut (*self.jac)[self.nnz..end]
    }

    /// Appends the `n` rows whose Jacobian was written last, with these values.
    #[inline(always)]
    pub(crate) fn commit(&mut self, from: Origin, n: usize, values: impl Fn(usize) -> RowValues) {
        let start = self.begin(n);
        let (kind, id) = (some(&mut self.kind, start, n), some(&mut self.id, start, n));
        let (pos, margin) = (some(&mut self.pos, start, n), some(&mut self.margin, start, n));
        let (kbip, loss) = (some(&mut self.kbip, start, n), some(&mut self.frictionloss, start, n));
        let (r, d) = (some(&mut self.r, start, n), some(&mut self.d, start, n));
        let (diag, rowsuper) = (some(&mut self.diag, start, n), some(&mut self.rowsuper, start, n));
        for k in 0..n {
            let value = values(k);
            (kind[k], id[k]) = (from.kind, from.id as i32);
            rowsuper[k] = i32::from(k + 1 < n);
            (pos[k], margin[k], loss[k]) = (value.pos, value.margin, value.frictionloss);
            kbip[k] = value.response.kbip();
            (r[k], d[k], diag[k]) = (value.r, 1.0 / value.r, value.diag());
        }
    }

    /// `commit` with the same values for all.
    #[inline(always)]
    pub(crate) fn commit_alike(&mut self, from: Origin, n: usize, value: &RowValues) {
        if n != 4 {
            self.commit(from, n, |_| *value);
            return;
        }
        // as a rule four edges of a pyramid
        let start = self.begin(n);
        fill(&mut self.kind, start, from.kind);
        fill(&mut self.id, start, from.id as i32);
        fill(&mut self.pos, start, value.pos);
        fill(&mut self.margin, start, value.margin);
        fill(&mut self.frictionloss, start, value.frictionloss);
        fill(&mut self.kbip, start, value.response.kbip());
        fill(&mut self.r, start, value.r);
        fill(&mut self.d, start, 1.0 / value.r);
        fill(&mut self.diag, start, value.diag());
        some(&mut self.rowsuper, start, 4).copy_from_slice(&[1, 1, 1, 0]);
    }

    /// The place of the `n` rows whose Jacobian was written last.
    #[inline(always)]
    fn begin(&mut self, n: usize) -> usize {
        let start = self.len;
        if start > 0 {
            self.rowsuper[start - 1] = i32::from(self.same_pattern(start - 1, start));
        }
        self.nnz += n * self.rownnz[start] as usize;
        self.len += n;
        start
    }

    fn same_pattern(&self, r: usize, s: usize) -> bool {
        let columns = |r: usize| {
            let start = self.rowadr[r] as usize;
            &(*self.colind)[start..start + self.rownnz[r] as usize]
        };
        columns(r) == columns(s)
    }
}

/// Sets four entries of a list.
#[inline(always)]
fn fill<T: Copy>(list: &mut Table<Row, T>, start: usize, value: T) {
    some(list, start, 4).copy_from_slice(&[value; 4]);
}

/// The `n` entries of a list from `start` on.
#[inline(always)]
fn some<T>(list: &mut Table<Row, T>, start: usize, n: usize) -> &mut [T] {
    &mut (**list)[start..][..n]
}
