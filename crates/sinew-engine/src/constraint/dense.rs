//! Inverse inertia in the space of the constraint rows, for models with few dofs.
//!
//! As in `project`, A = B Bᵀ with B in panels of four rows, but a panel has a column for every dof.
//! The trees that a row moves are the bits of a number, so no lists are needed.

use core::ops::Range;

use sinew_math::ldl::TreeRows;
use sinew_math::simd::{Lane, dispatch};
use sinew_model::{Data, Model};

use super::product::jacobian_row;
use super::row_fill::{PANEL, RowFill, panel_rows};
use crate::smooth::factor::m_rows;

/// With more dofs, the zeros of panels cost more than lists of nonzeros, and the word has no bits
/// left for trees.
pub(super) const MAX_DOFS: usize = u64::BITS as usize;

/// Scratch memory.
#[derive(Debug, Default)]
pub(super) struct DenseWork {
    /// Neighbouring rows that move the same trees.
    segments: Vec<Segment>,
    /// B by panels, each with a column of four numbers for each dof.
    columns: Vec<[f64; PANEL]>,
    /// Trees and dofs of each panel.
    panels: Vec<Panel>,
    /// Columns of one row of A.
    near: Vec<i32>,
    /// The next entry to write, of each row, and one past its last.
    next: Vec<[usize; 2]>,
}

/// Neighbouring rows that move the same trees.
#[derive(Clone, Copy, Debug)]
struct Segment {
    /// One past the last row.
    end: usize,
    /// A bit for each tree.
    trees: u64,
}

/// Trees and dofs that a panel moves.
#[derive(Clone, Copy, Debug)]
struct Panel {
    /// A bit for each tree.
    trees: u64,
    /// The root of its first tree, and one past the last dof.
    dofs: [usize; 2],
}

/// Computes A = J M⁻¹ Jᵀ + R.
///
/// Writes `efc_AR` and its pattern, `nA`.
pub(super) fn project_dense(m: &Model, d: &mut Data, work: &mut DenseWork) {
    find_segments(m, d, work);
    make_pattern(d, work);
    spread_rows(m, d, work);

    // every row is filled from left to right
    d.efc_AR.resize(d.nA);
    let rows = d.efc_AR_rowadr.iter().zip(d.efc_AR_rownnz.iter());
    work.next.clear();
    work.next.extend(rows.map(|(&adr, &nnz)| [adr as usize, (adr + nnz) as usize]));
    fill_tiles(Fill {
        work,
        rows: m_rows(m),
        ld: &d.qLD,
        softness: d.efc_R.rows(0..d.nefc),
        cols: &d.efc_AR_colind,
        entries: d.efc_AR.flat_mut(),
    });
}

/// How many rows after row `r` have its pattern.
fn alike(d: &Data, r: usize) -> usize {
    d.efc_J_rowsuper.get(r).map_or(0, |&n| n.max(0) as usize)
}

fn find_segments(m: &Model, d: &Data, work: &mut DenseWork) {
    work.segments.clear();
    let mut r = 0;
    while r < d.nefc {
        let mut trees = 0;
        for &col in jacobian_row(d, r).0 {
            if let Some(tree) = m.dof_treeid.get(col as usize) {
                trees |= 1_u64.checked_shl(tree.idx() as u32).unwrap_or(0);
            }
        }
        r = d.nefc.min(r + 1 + alike(d, r));
        match work.segments.last_mut() {
            Some(last) if last.trees == trees => last.end = r,
            _ => work.segments.push(Segment { end: r, trees }),
        }
    }
}

/// Rows have an entry in A if they move a common tree.
///
/// Writes `efc_AR_rownnz`, `efc_AR_rowadr`, `efc_AR_colind`, `nA`.
fn make_pattern(d: &mut Data, work: &mut DenseWork) {
    let DenseWork { segments, near, .. } = work;
    let mut row = 0;
    for own in &*segments {
        // columns of all rows of the segment
        near.clear();
        let mut start = 0;
        for other in &*segments {
            if own.trees & other.trees != 0 {
                near.extend(start as i32..other.end as i32);
            }
            start = other.end;
        }
        for _ in row..own.end {
            d.efc_AR_rownnz.push(near.len() as i32);
            d.efc_AR_rowadr.push(d.nA as i32);
            d.efc_AR_colind.extend(near.iter().copied());
            d.nA += near.len();
        }
        row = own.end;
    }
}

/// The rows of J, four side by side, and the trees that they move.
fn spread_rows(m: &Model, d: &Data, work: &mut DenseWork) {
    let DenseWork { segments, columns, panels, .. } = work;
    let npanel = d.nefc.div_ceil(PANEL);
    columns.clear();
    columns.resize(npanel * m.nv, [0.0; PANEL]);
    panels.clear();
    let mut segments = segments.iter().peekable();
    for (panel, to) in columns.chunks_exact_mut(m.nv).enumerate() {
        let own = panel_rows(d.nefc, panel);
        let mut trees = 0;
        while let Some(segment) = segments.peek() {
            trees |= segment.trees;
            if segment.end > own.end {
                break;
            }
            segments.next();
        }
        let first = m.tree_dofadr.get(trees.trailing_zeros() as usize).map_or(0, |dof| dof.idx());
        let end = spread_panel(d, own, to);
        panels.push(Panel { trees, dofs: [first.min(end), end] });
    }
}

/// The rows of one panel; one past the last dof that they move.
fn spread_panel(d: &Data, own: Range<usize>, to: &mut [[f64; PANEL]]) -> usize {
    let (cols, first) = jacobian_row(d, own.start);
    let mut end = 0;
    if own.len() == PANEL && alike(d, own.start) >= PANEL - 1 {
        // one pattern: column by column
        let rest = [1, 2, 3].map(|k| jacobian_row(d, own.start + k).1);
        let n = rest.iter().fold(first.len(), |n, row| n.min(row.len()));
        let [second, third, fourth] = rest.map(|row| &row[..n]);
        for (k, &col) in cols[..n].iter().enumerate() {
            if let Some(column) = to.get_mut(col as usize) {
                *column = [first[k], second[k], third[k], fourth[k]];
                end = end.max(col as usize + 1);
            }
        }
        return end;
    }
    for (k, r) in own.enumerate() {
        let (cols, row) = jacobian_row(d, r);
        for (&col, &x) in cols.iter().zip(row) {
            if let Some(column) = to.get_mut(col as usize) {
                column[k] = x;
                end = end.max(col as usize + 1);
            }
        }
    }
    end
}

/// Inputs and outputs of the products.
struct Fill<'a> {
    work: &'a mut DenseWork,
    rows: TreeRows<'a>,
    ld: &'a [f64],
    /// R of each row.
    softness: &'a [f64],
    cols: &'a [i32],
    entries: &'a mut [f64],
}

dispatch! {
    /// B = J L⁻¹ D^-½, then A = B Bᵀ + R.
    fn fill_tiles(fill: Fill<'_>) = fill_kernel::<Fused>;
}

#[inline(always)]
fn fill_kernel<L: Lane>(fill: Fill<'_>) {
    let Fill { work, rows, ld, softness, cols, entries } = fill;
    let DenseWork { columns, panels, next, .. } = work;
    let (nv, nefc) = (rows.dofs().len(), softness.len());
    for (columns, panel) in columns.chunks_exact_mut(nv.max(1)).zip(&*panels) {
        solve_panel::<L>(&rows, ld, columns, panel.dofs);
    }

    // tiles up to the diagonal, each in its two places
    let mut rows = RowFill { cols, entries, next };
    let dofs = |panel: usize, [first, end]: [usize; 2]| &columns[panel * nv..][first..end];
    for (i, panel) in panels.iter().enumerate() {
        let own = panel_rows(nefc, i);
        for (j, other) in panels[..i].iter().enumerate() {
            if panel.trees & other.trees == 0 {
                continue;
            }
            let first = panel.dofs[0].max(other.dofs[0]);
            let common = [first, panel.dofs[1].min(other.dofs[1]).max(first)];
            let tile = product::<L>(dofs(i, common), dofs(j, common));
            let other = panel_rows(nefc, j);
            rows.put::<L>(own.clone(), other.clone(), tile);
            rows.put::<L>(other, own.clone(), L::transpose(tile));
        }
        let mut tile = product::<L>(dofs(i, panel.dofs), dofs(i, panel.dofs));
        for ((k, row), &softness) in tile.iter_mut().enumerate().zip(&softness[own.clone()]) {
            let mut add = [0.0; PANEL];
            add[k] = softness;
            *row = *row + L::new(add);
        }
        rows.put::<L>(own.clone(), own, tile);
    }
}

/// x ← x L⁻¹ D^-½ for four rows, from the leaves to the roots.
#[inline(always)]
fn solve_panel<L: Lane>(
    rows: &TreeRows<'_>,
    ld: &[f64],
    x: &mut [[f64; PANEL]],
    [first, end]: [usize; 2],
) {
    for v in (first..end).rev() {
        let x_v = L::load(&x[v]);
        let start = rows.adr[v] as usize;
        let diag = start + rows.nnz[v] as usize - 1;
        for (&l, &up) in ld[start..diag].iter().zip(&rows.cols[start..diag]) {
            let to = &mut x[up as usize];
            (L::load(to) - L::splat(l) * x_v).store(to);
        }
        let scale = 1.0 / ld[diag].sqrt();
        (x_v * L::splat(scale)).store(&mut x[v]);
    }
}

/// The tile of two panels.
#[inline(always)]
fn product<L: Lane>(x: &[[f64; PANEL]], y: &[[f64; PANEL]]) -> [L; PANEL] {
    let mut tile = [L::splat(0.0); PANEL];
    for (x, y) in x.iter().zip(y) {
        let y = L::load(y);
        for (sum, &x) in tile.iter_mut().zip(x) {
            *sum = sum.add_mul(L::splat(x), y);
        }
    }
    tile
}
