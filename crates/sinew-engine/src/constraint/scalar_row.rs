//! Rows that hold one number: a joint coordinate or the length of a tendon.

use sinew_model::pod::as_i32;
use sinew_model::{Data, Model, TendonId};

use crate::constraint::rows::{Origin, RowValues, commit_one, jacobian};
use crate::sparse::SparseRow;
use crate::tendon::jacobian_row;

/// The Jacobian of a tendon's length.
pub(crate) fn tendon_row(m: &Model, d: &Data, t: TendonId, row: &mut SparseRow) {
    row.clear();
    if m.is_sparse() {
        let (ind, val) = jacobian_row(d, t);
        row.ind.extend_from_slice(ind);
        row.val.extend_from_slice(val);
    } else {
        for (v, &x) in m.dofs().zip(&d.ten_J[t]) {
            if x != 0.0 {
                row.push(v, x);
            }
        }
    }
}

/// Appends a row, unless nothing can move it.
pub(crate) fn append_row(
    m: &Model,
    d: &mut Data,
    row: &SparseRow,
    from: Origin,
    values: RowValues,
) {
    let entries = jacobian(d, 1, as_i32(&row.ind));
    let out = d.efc_J.rows_mut(entries);
    out.copy_from_slice(&row.val);
    if can_move(m, out) {
        commit_one(d, from, &values);
    }
}

/// Whether the rows with this Jacobian are kept. With sparse Jacobians MuJoCo tests whether there
/// are dofs, with dense ones whether any entry differs from zero.
pub(crate) fn can_move(m: &Model, jacobian: &[f64]) -> bool {
    if m.is_sparse() { !jacobian.is_empty() } else { jacobian.iter().any(|&x| x != 0.0) }
}
