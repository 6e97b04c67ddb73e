//! The `efc_*` lists while rows are appended to them: `nefc` and `nJ` count the written rows and
//! entries.
//!
//! The lists keep their length from the step before, and rows overwrite rows: a settled simulation
//! neither allocates nor clears anything. `prepare`, then `jacobian` and `commit` for each
//! constraint, then `finish`.

use core::ops::Range;

use sinew_math::vector;
use sinew_model::enums::ConstraintType;
use sinew_model::{Data, Row, Table};

use crate::constraint::impedance::Response;

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
    ($d:ident, $list:ident => $call:expr) => {
        each_row_list!(@ $d, $list => $call;
            efc_type efc_id efc_J_rownnz efc_J_rowadr efc_J_rowsuper efc_pos efc_margin
            efc_frictionloss efc_diagApprox efc_KBIP efc_D efc_R);
    };
    (@ $d:ident, $list:ident => $call:expr; $($name:ident)*) => {
        $({ let $list = &mut $d.$name; $call; })*
    };
}

/// Makes the lists ready for rows: one that somebody has set alone may be of another length.
#[inline(always)]
pub(crate) fn prepare(d: &mut Data) {
    let (len, nnz) = (d.efc_type.len(), d.efc_J.len());
    let mut differ = d.efc_J_colind.len() ^ nnz;
    each_row_list!(d, list => differ |= list.len() ^ len);
    if differ != 0 {
        even_out(d, len, nnz);
    }
}

/// Gives all lists the same number of rows and of entries.
#[cold]
fn even_out(d: &mut Data, len: usize, nnz: usize) {
    each_row_list!(d, list => list.resize(len));
    d.efc_J_colind.resize(nnz);
    d.efc_J.resize(nnz);
}

/// Cuts the lists to the rows written.
#[inline(always)]
pub(crate) fn finish(d: &mut Data) {
    let (len, nnz) = (d.nefc, d.nJ);
    each_row_list!(d, list => list.truncate(len));
    d.efc_J_colind.truncate(nnz);
    d.efc_J.truncate(nnz);

    // a row that has the pattern of its successor has all those that the successor has
    let mut alike = 0;
    for same in d.efc_J_rowsuper.iter_mut().rev() {
        alike = if *same != 0 { alike + 1 } else { 0 };
        *same = alike;
    }
}

/// Space for the Jacobian of the next `n` rows over some dofs, row after row: a range of `efc_J`
/// with undefined contents. The rows exist only once `commit` is called.
#[inline(never)]
pub(crate) fn jacobian(d: &mut Data, n: usize, columns: &[i32]) -> Range<usize> {
    let (row, start, width) = (d.nefc, d.nJ, columns.len());
    let end = start + n * width;
    if d.efc_type.len() < row + n || d.efc_J.len() < end {
        even_out(d, d.efc_type.len().max(row + n), d.efc_J.len().max(end));
    }

    let mut others = d.efc_J_colind.rows_mut(start..end);
    for _ in 0..n {
        let (row, rest) = others.split_at_mut(width);
        vector::copy(row, columns);
        others = rest;
    }
    let (rownnz, rowadr) = (some(&mut d.efc_J_rownnz, row, n), some(&mut d.efc_J_rowadr, row, n));
    let (mut adr, step) = (start as i32, width as i32);
    for (rownnz, rowadr) in rownnz.iter_mut().zip(rowadr) {
        (*rownnz, *rowadr) = (step, adr);
        adr += step;
    }
    start..end
}

/// Appends the `n` rows whose Jacobian was written last, with these values.
#[inline(always)]
pub(crate) fn commit(d: &mut Data, from: Origin, n: usize, values: impl Fn(usize) -> RowValues) {
    let start = begin(d, n);
    let (kind, id) = (some(&mut d.efc_type, start, n), some(&mut d.efc_id, start, n));
    let (pos, margin) = (some(&mut d.efc_pos, start, n), some(&mut d.efc_margin, start, n));
    let loss = some(&mut d.efc_frictionloss, start, n);
    let kbip = some(&mut d.efc_KBIP, start, n);
    let (r, inv_r) = (some(&mut d.efc_R, start, n), some(&mut d.efc_D, start, n));
    let diag = some(&mut d.efc_diagApprox, start, n);
    let rowsuper = some(&mut d.efc_J_rowsuper, start, n);
    for k in 0..n {
        let value = values(k);
        (kind[k], id[k]) = (from.kind, from.id as i32);
        rowsuper[k] = i32::from(k + 1 < n);
        (pos[k], margin[k], loss[k]) = (value.pos, value.margin, value.frictionloss);
        kbip[k] = value.response.kbip();
        (r[k], inv_r[k], diag[k]) = (value.r, 1.0 / value.r, value.diag());
    }
}

/// `commit` with the same values for all.
#[inline(always)]
pub(crate) fn commit_alike(d: &mut Data, from: Origin, n: usize, value: &RowValues) {
    match n {
        1 => commit_one(d, from, value),
        // as a rule the edges of a pyramid
        4 => commit_some::<4>(d, from, value),
        _ => commit(d, from, n, |_| *value),
    }
}

/// `commit` of one row.
#[inline(never)]
pub(crate) fn commit_one(d: &mut Data, from: Origin, value: &RowValues) {
    commit_some::<1>(d, from, value);
}

/// `commit_alike` of `N` rows.
#[inline(always)]
fn commit_some<const N: usize>(d: &mut Data, from: Origin, value: &RowValues) {
    let start = begin(d, N);
    fill::<_, N>(&mut d.efc_type, start, from.kind);
    fill::<_, N>(&mut d.efc_id, start, from.id as i32);
    fill::<_, N>(&mut d.efc_pos, start, value.pos);
    fill::<_, N>(&mut d.efc_margin, start, value.margin);
    fill::<_, N>(&mut d.efc_frictionloss, start, value.frictionloss);
    fill::<_, N>(&mut d.efc_KBIP, start, value.response.kbip());
    fill::<_, N>(&mut d.efc_R, start, value.r);
    fill::<_, N>(&mut d.efc_D, start, 1.0 / value.r);
    fill::<_, N>(&mut d.efc_diagApprox, start, value.diag());
    fill::<_, N>(&mut d.efc_J_rowsuper, start, 1);
    d.efc_J_rowsuper[start + N - 1] = 0;
}

/// The place of the `n` rows whose Jacobian was written last.
#[inline(always)]
fn begin(d: &mut Data, n: usize) -> usize {
    let start = d.nefc;
    if start > 0 {
        d.efc_J_rowsuper[start - 1] = i32::from(same_pattern(d, start - 1, start));
    }
    d.nJ += n * d.efc_J_rownnz[start] as usize;
    d.nefc += n;
    start
}

fn same_pattern(d: &Data, r: usize, s: usize) -> bool {
    let columns = |r: usize| {
        let start = d.efc_J_rowadr[r] as usize;
        &(*d.efc_J_colind)[start..start + d.efc_J_rownnz[r] as usize]
    };
    columns(r) == columns(s)
}

/// Sets `N` entries of a list.
#[inline(always)]
fn fill<T: Copy, const N: usize>(list: &mut Table<Row, T>, start: usize, value: T) {
    some(list, start, N).copy_from_slice(&[value; N]);
}

/// The `n` entries of a list from `start` on.
#[inline(always)]
fn some<T>(list: &mut Table<Row, T>, start: usize, n: usize) -> &mut [T] {
    &mut (**list)[start..][..n]
}
