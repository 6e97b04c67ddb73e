//! Inverse inertia in the space of few dofs, where every two constraint rows have an entry.
//!
//! As in `project`, A = B Bᵀ with B in panels of four rows. All rows move one common tree, so that A
//! is full and no lists are needed: a panel has a column for every dof up to the last that it
//! moves.

use core::ops::Range;

use sinew_math::ldl::TreeRows;
use sinew_math::simd::{LANES, Lane, dispatch};
use sinew_model::{Data, Model};

use super::product::jacobian_row;
use crate::smooth::factor::m_rows;

/// With more dofs, the zeros of panels cost more than lists of what is not zero.
const MAX_DOFS: usize = 64;

/// Scratch memory.
#[derive(Debug, Default)]
pub(super) struct DenseWork {
    /// B by panels, each with a column of four numbers for each dof.
    panels: Vec<[f64; LANES]>,
    /// One past the last dof that a panel moves.
    ends: Vec<usize>,
}

/// Whether all rows move a common tree, in a model that is small.
pub(super) fn is_full(m: &Model, d: &Data) -> bool {
    if m.nv > MAX_DOFS {
        return false;
    }
    let mut common = u64::MAX;
    let mut r = 0;
    while r < d.nefc && common != 0 {
        let mut trees = 0;
        for &col in jacobian_row(d, r).0 {
            if let Some(tree) = m.dof_treeid.get(col as usize) {
                trees |= 1_u64.checked_shl(tree.idx() as u32).unwrap_or(0);
            }
        }
        common &= trees;
        r += 1 + alike(d, r);
    }
    common != 0
}

/// How many rows after row `r` have its pattern.
fn alike(d: &Data, r: usize) -> usize {
    d.efc_J_rowsuper.get(r).map_or(0, |&n| n.max(0) as usize)
}

/// Writes the pattern of a full matrix: `efc_AR_rownnz`, `efc_AR_rowadr`, `efc_AR_colind`, `nA`.
pub(super) fn make_full_pattern(d: &mut Data) {
    let n = d.nefc as i32;
    d.nA = d.nefc * d.nefc;
    d.efc_AR_rownnz.extend((0..n).map(|_| n));
    d.efc_AR_rowadr.extend((0..n).map(|r| r * n));
    for _ in 0..n {
        d.efc_AR_colind.extend(0..n);
    }
}

/// What the products are made of, and where they go.
struct Fill<'a> {
    work: &'a mut DenseWork,
    rows: TreeRows<'a>,
    ld: &'a [f64],
    /// R of each row.
    softness: &'a [f64],
    entries: &'a mut [f64],
}

/// Fills `efc_AR`, which has room for all entries.
pub(super) fn fill_full(m: &Model, d: &mut Data, work: &mut DenseWork) {
    spread_rows(m, d, work);
    let softness = d.efc_R.rows(0..d.nefc);
    let entries = d.efc_AR.flat_mut();
    fill_tiles(Fill { work, rows: m_rows(m), ld: &d.qLD, softness, entries });
}

/// The rows of J, four side by side.
fn spread_rows(m: &Model, d: &Data, work: &mut DenseWork) {
    let DenseWork { panels, ends } = work;
    let npanel = d.nefc.div_ceil(LANES);
    panels.clear();
    panels.resize(npanel * m.nv, [0.0; LANES]);
    ends.clear();
    for (panel, to) in panels.chunks_exact_mut(m.nv).enumerate() {
        let own = panel * LANES..d.nefc.min((panel + 1) * LANES);
        let (cols, first) = jacobian_row(d, own.start);
        let mut end = 0;
        if own.len() == LANES && alike(d, own.start) >= LANES - 1 {
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
        } else {
            for (k, r) in own.enumerate() {
                let (cols, row) = jacobian_row(d, r);
                for (&col, &x) in cols.iter().zip(row) {
                    if let Some(column) = to.get_mut(col as usize) {
                        column[k] = x;
                        end = end.max(col as usize + 1);
                    }
                }
            }
        }
        ends.push(end);
    }
}

dispatch! {
    /// B = J L⁻¹ D^-½, then A = B Bᵀ + R.
    fn fill_tiles(fill: Fill<'_>) = fill_kernel::<Fused>;
}

#[inline(always)]
fn fill_kernel<L: Lane>(fill: Fill<'_>) {
    let Fill { work: DenseWork { panels, ends }, rows, ld, softness, entries } = fill;
    let nv = rows.dofs().len();
    for (panel, &end) in panels.chunks_exact_mut(nv.max(1)).zip(&*ends) {
        solve_panel::<L>(&rows, ld, &mut panel[..end]);
    }

    // tiles up to the diagonal, each in its two places
    let mut full = Full { n: softness.len(), entries };
    for (i, &end) in ends.iter().enumerate() {
        let own = &panels[i * nv..][..end];
        let other = |j: usize| &panels[j * nv..][..ends[j]];
        let mut j = 0;
        while j + 1 < i {
            let [first, second] = products::<L>(own, other(j), other(j + 1));
            full.put_twice::<L>(i, j, first);
            full.put_twice::<L>(i, j + 1, second);
            j += 2;
        }
        if j < i {
            full.put_twice::<L>(i, j, product::<L>(own, other(j)));
        }
        let mut tile = product::<L>(own, own);
        let softness = &softness[full.rows(i)];
        for ((k, row), &softness) in tile.iter_mut().enumerate().zip(softness) {
            let mut add = [0.0; LANES];
            add[k] = softness;
            *row = *row + L::new(add);
        }
        full.put::<L>(i, i, tile);
    }
}

/// x ← x L⁻¹ D^-½ for four rows, from the leaves to the roots.
#[inline(always)]
fn solve_panel<L: Lane>(rows: &TreeRows<'_>, ld: &[f64], x: &mut [[f64; LANES]]) {
    for v in (0..x.len()).rev() {
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
fn product<L: Lane>(x: &[[f64; LANES]], y: &[[f64; LANES]]) -> [L; LANES] {
    let mut tile = [L::splat(0.0); LANES];
    for (x, y) in x.iter().zip(y) {
        let y = L::load(y);
        for (sum, &x) in tile.iter_mut().zip(x) {
            *sum = sum.add_mul(L::splat(x), y);
        }
    }
    tile
}

/// The tiles of a panel with two others.
#[inline(always)]
fn products<L: Lane>(
    x: &[[f64; LANES]],
    y: &[[f64; LANES]],
    z: &[[f64; LANES]],
) -> [[L; LANES]; 2] {
    // as far as both go, then the longer alone
    let n = x.len().min(y.len()).min(z.len());
    let mut tiles = [[L::splat(0.0); LANES]; 2];
    for (x, (y, z)) in x[..n].iter().zip(y.iter().zip(z)) {
        let (y, z) = (L::load(y), L::load(z));
        for k in 0..LANES {
            let x = L::splat(x[k]);
            tiles[0][k] = tiles[0][k].add_mul(x, y);
            tiles[1][k] = tiles[1][k].add_mul(x, z);
        }
    }
    for (tile, other) in tiles.iter_mut().zip([y, z]) {
        for (x, y) in x[n..].iter().zip(&other[n..]) {
            for k in 0..LANES {
                tile[k] = tile[k].add_mul(L::splat(x[k]), L::load(y));
            }
        }
    }
    tiles
}

/// A full matrix of `n` rows.
struct Full<'a> {
    n: usize,
    entries: &'a mut [f64],
}

impl Full<'_> {
    /// The rows of a panel.
    #[inline(always)]
    fn rows(&self, panel: usize) -> Range<usize> {
        panel * LANES..self.n.min((panel + 1) * LANES)
    }

    /// Puts a tile below the diagonal, and turned above it.
    #[inline(always)]
    fn put_twice<L: Lane>(&mut self, i: usize, j: usize, tile: [L; LANES]) {
        self.put::<L>(i, j, tile);
        self.put::<L>(j, i, L::transpose(tile));
    }

    #[inline(always)]
    fn put<L: Lane>(&mut self, i: usize, j: usize, tile: [L; LANES]) {
        let cols = self.rows(j);
        for (r, values) in self.rows(i).zip(tile) {
            let to = &mut self.entries[r * self.n..][cols.clone()];
            match to.first_chunk_mut() {
                Some(to) => values.store(to),
                None => values.store_some(to, cols.len()),
            }
        }
    }
}
