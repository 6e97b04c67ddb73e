//! The pattern of `qDeriv`: a row per dof with its ancestors and descendants (`D_colind`).

use sinew_model::{DofId, Model};

/// deriv += slope · rowᵀ row for a sparse row.
pub(super) fn add_outer(m: &Model, deriv: &mut [f64], ind: &[DofId], val: &[f64], slope: f64) {
    for (&v, &x) in ind.iter().zip(val) {
        let scale = x * slope;
        for_common(m, v, ind, |adr, k| deriv[adr] += scale * val[k]);
    }
}

/// Calls `f` for each dof that row `v` of the derivative shares with `ind`, with its address in the
/// row and its index in `ind`. Both lists are in rising order.
pub(super) fn for_common(m: &Model, v: DofId, ind: &[DofId], mut f: impl FnMut(usize, usize)) {
    let start = m.D_rowadr[v] as usize;
    let cols = &m.D_colind.split_at(start).1[..m.D_rownnz[v] as usize];
    let (mut a, mut b) = (0, 0);
    while a < cols.len() && b < ind.len() {
        match cols[a].cmp(&ind[b]) {
            core::cmp::Ordering::Less => a += 1,
            core::cmp::Ordering::Greater => b += 1,
            core::cmp::Ordering::Equal => {
                f(start + a, b);
                a += 1;
                b += 1;
            }
        }
    }
}
