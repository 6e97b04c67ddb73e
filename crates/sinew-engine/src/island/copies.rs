//! Copies of the solvers' inputs, sorted by island, for users.

use core::mem::take;
use core::ops::Range;

use sinew_model::{Data, Model};

use crate::constraint::jacobian_row;

/// Fills the copies that are sorted by island: `iM`, `iLD`, `iefc_J` and the other fields whose
/// names begin with `iM`, `iL`, `iacc`, `ifrc` and `iefc`, but for `iefc_state`.
///
/// No stage reads them; they are made on demand. The copies do not change where a user's numbers in
/// the lists of islands refer to nothing.
pub fn island_copies(m: &Model, d: &mut Data) {
    if d.nisland == 0 || !dofs_refer(m, d) || !rows_refer(m, d) {
        return;
    }
    copy_inertia(m, d);
    copy_rows(d);
    if m.is_sparse() {
        copy_jacobian(d);
    } else {
        copy_dense_jacobian(m, d);
    }
}

fn all_below(list: &[i32], n: usize) -> bool {
    list.iter().all(|&k| usize::try_from(k).is_ok_and(|k| k < n))
}

/// Whether the dofs of islands are dofs, and have islands.
fn dofs_refer(m: &Model, d: &Data) -> bool {
    let Some(dofs) = d.map_idof2dof.get(..d.nidof) else { return false };
    let islands = d.island_idofadr.len().min(d.island_nv.len());
    let entries = |v: &i32| m.M_rownnz[*v as usize] as usize;
    all_below(dofs, m.nv)
        && dofs.iter().all(|&v| {
            d.dof_island.get(v as usize).is_some_and(|&island| all_below(&[island], islands))
        })
        && all_below(&d.map_dof2idof, m.nv)
        && d.map_dof2idof.len() == m.nv
        && all_below(&d.island_idofadr, m.nv)
        && all_below(&d.island_nv, m.nv + 1)
        && dofs.iter().map(entries).sum::<usize>() <= m.nC
}

/// Whether the rows of islands are rows, have islands, and name dofs.
fn rows_refer(m: &Model, d: &Data) -> bool {
    let rows = &*d.map_iefc2efc;
    let count = d.efc_type.len().min(d.efc_id.len()).min(d.efc_island.len());
    let count = count.min(d.efc_J_rowadr.len()).min(d.efc_J_rownnz.len());
    if !all_below(rows, count) {
        return false;
    }
    let mut ranges = d.island_iefcadr.iter().zip(&*d.island_nefc);
    let islands = d.island_idofadr.len().min(d.island_iefcadr.len());
    ranges.all(|(&adr, &n)| {
        adr >= 0 && n >= 0 && adr.checked_add(n).is_some_and(|end| end as usize <= rows.len())
    }) && rows.iter().enumerate().all(|(i, &r)| {
        let island = d.efc_island[r as usize];
        all_below(&[island], islands)
            && d.island_iefcadr[island as usize] as usize <= i
            && all_below(jacobian_row(d, r as usize).0, m.nv)
    })
}

fn copy_inertia(m: &Model, d: &mut Data) {
    let nidof = d.nidof;
    let dofs = d.map_idof2dof.get(..nidof).unwrap_or_default();
    for (to, from) in [
        (&mut d.ifrc_smooth, &d.qfrc_smooth),
        (&mut d.iacc_smooth, &d.qacc_smooth),
        (&mut d.ifrc_constraint, &d.qfrc_constraint),
        (&mut d.iacc, &d.qacc),
        (&mut d.iLDiagInv, &d.qLDiagInv),
    ] {
        to.resize(nidof);
        for (to, &v) in to.iter_mut().zip(dofs) {
            *to = from[v as usize];
        }
    }

    // columns are counted from the first dof of the island
    d.iM_rownnz.resize(nidof);
    d.iM_rowadr.resize(nidof);
    d.iM_colind.resize(m.nC);
    d.iM.resize(m.nC);
    d.iLD.resize(m.nC);
    let (inertia, factor) = (d.iM.flat_mut(), d.iLD.flat_mut());
    let (colind, all) = (&mut *d.iM_colind, &*m.M_colind);
    let mut adr = 0;
    for (i, &v) in dofs.iter().enumerate() {
        let v = v as usize;
        let first = d.island_idofadr[d.dof_island[v] as usize];
        let from = m.M_rowadr[v] as usize..(m.M_rowadr[v] + m.M_rownnz[v]) as usize;
        let to = adr..adr + from.len();
        d.iM_rownnz[i] = from.len() as i32;
        d.iM_rowadr[i] = adr as i32;
        for (to, col) in colind[to.clone()].iter_mut().zip(&all[from.clone()]) {
            *to = d.map_dof2idof[*col] - first;
        }
        inertia[to.clone()].copy_from_slice(&d.M.flat()[from.clone()]);
        factor[to.clone()].copy_from_slice(&d.qLD.flat()[from]);
        adr = to.end;
    }
}

fn copy_rows(d: &mut Data) {
    let rows = &*d.map_iefc2efc;
    d.iefc_type.resize(rows.len());
    for (to, &r) in d.iefc_type.iter_mut().zip(rows) {
        *to = d.efc_type[r as usize];
    }
    d.iefc_id.resize(rows.len());
    for (to, &r) in d.iefc_id.iter_mut().zip(rows) {
        *to = d.efc_id[r as usize];
    }
    for (to, from) in [
        (&mut d.iefc_frictionloss, &d.efc_frictionloss),
        (&mut d.iefc_D, &d.efc_D),
        (&mut d.iefc_R, &d.efc_R),
        (&mut d.iefc_aref, &d.efc_aref),
        (&mut d.iefc_force, &d.efc_force),
    ] {
        to.resize(rows.len());
        for (to, &r) in to.iter_mut().zip(rows) {
            *to = from.get(r as usize).copied().unwrap_or(0.0);
        }
    }
}

fn copy_jacobian(d: &mut Data) {
    let nefc = d.map_iefc2efc.len();
    let (mut rownnz, mut rowadr) = (take(&mut d.iefc_J_rownnz), take(&mut d.iefc_J_rowadr));
    let (mut colind, mut jac) = (take(&mut d.iefc_J_colind), take(&mut d.iefc_J));
    rownnz.clear();
    rowadr.clear();
    colind.clear();
    jac.clear();
    for &r in d.map_iefc2efc.iter() {
        let (ind, row) = jacobian_row(d, r as usize);
        let first = d.island_idofadr[d.efc_island[r as usize] as usize];
        rownnz.push(ind.len() as i32);
        rowadr.push(jac.len() as i32);
        for (&col, &x) in ind.iter().zip(row) {
            colind.push(d.map_dof2idof[col as usize] - first);
            jac.push(x);
        }
    }

    // rows of one pattern, counted from the last row of each island
    d.iefc_J_rowsuper.resize(nefc);
    let columns = |r: usize| colind.get(rowadr[r] as usize..).map(|c| &c[..rownnz[r] as usize]);
    for island in island_ranges(&d.island_iefcadr, &d.island_nefc) {
        let mut alike = 0;
        for r in island.clone().rev() {
            alike = if r + 1 < island.end && columns(r) == columns(r + 1) { alike + 1 } else { 0 };
            d.iefc_J_rowsuper[r] = alike;
        }
    }
    (d.iefc_J_rownnz, d.iefc_J_rowadr) = (rownnz, rowadr);
    (d.iefc_J_colind, d.iefc_J) = (colind, jac);
}

/// The places of the rows of each island.
fn island_ranges(adr: &[i32], count: &[i32]) -> impl Iterator<Item = Range<usize>> {
    adr.iter().zip(count).map(|(&adr, &n)| adr as usize..(adr + n) as usize)
}

/// A full matrix for each island, as wide as the island, at the place its rows have in a matrix of
/// width `nidof`.
fn copy_dense_jacobian(m: &Model, d: &mut Data) {
    let nefc = d.map_iefc2efc.len();
    d.iefc_J_rownnz.clear();
    d.iefc_J_rowadr.clear();
    d.iefc_J_rowsuper.clear();
    d.iefc_J_colind.clear();
    let mut jac = take(&mut d.iefc_J);
    jac.clear();
    jac.resize(nefc * m.nv);
    for (i, &r) in d.map_iefc2efc.iter().enumerate() {
        let (ind, row) = jacobian_row(d, r as usize);
        let island = d.efc_island[r as usize] as usize;
        let (first, nv) = (d.island_idofadr[island], d.island_nv[island] as usize);
        let start = d.island_iefcadr[island] as usize;
        let adr = d.nidof * start + (i - start) * nv;
        for (&col, &x) in ind.iter().zip(row) {
            let place = d.map_dof2idof[col as usize] - first;
            if let Some(to) = jac.get_mut(adr.wrapping_add_signed(place as isize)) {
                *to = x;
            }
        }
    }
    d.iefc_J = jac;
}
