//! Inverse inertia in the space of the constraint rows.
//!
//! With M = Lᵀ D L it is A = B Bᵀ, where B = J L⁻¹ D^-½. B is kept in panels of four rows, a column
//! of four numbers for each dof that moves any of them. A is made of tiles of four times four. Two
//! rows have an entry in A if they move a common tree, because rows of B reach up to the root of
//! each tree.

use core::mem::{replace, take};

use sinew_math::ldl;
use sinew_math::simd::{Lane, dispatch};
use sinew_model::enums::{SolverType, Warning};
use sinew_model::{Data, DofId, Model};

use super::dense::{DenseWork, MAX_DOFS, project_dense};
use super::lists::Lists;
use super::make::discard_rows;
use super::product::jacobian_row;
use super::row_fill::{PANEL, RowFill, panel_rows};
use crate::smooth::factor::m_rows;
use crate::work::scratch;

/// Scratch memory.
#[derive(Debug, Default)]
struct ProjectWork {
    /// 1/√D of the factor of M.
    sqrt_inv_d: Vec<f64>,
    /// Dofs of each panel of four rows.
    dofs: Lists,
    /// Numbers of the four rows for each of these dofs.
    values: Vec<[f64; PANEL]>,
    /// Trees of each panel.
    trees: Lists,
    /// Panels of each tree.
    panels: Lists,
    /// Trees of each row.
    row_trees: Lists,
    /// Rows of each tree.
    rows: Lists,
    /// One panel, by dof.
    wide: Vec<[f64; PANEL]>,
    /// For each row or panel, the last one whose neighbours include it.
    mark: Vec<usize>,
    /// Rows or panels that share a tree with the present one.
    near: Vec<u32>,
    /// The next entry to write, of each row, and one past its last.
    next: Vec<[usize; 2]>,
    /// For models with few dofs.
    dense: DenseWork,
}

/// Maximum number of entries; beyond it all rows are dropped with a warning, as by MuJoCo's full
/// arena. Entries grow with the square of the rows.
const MAX_ENTRIES: usize = 1 << 25;

/// Whether a solver of the model needs the inverse inertia of the constraint rows.
#[doc(alias = "mj_isDual")]
pub fn is_dual(m: &Model) -> bool {
    m.opt.solver == SolverType::Pgs || m.opt.noslip_iterations > 0
}

/// Computes A = J M⁻¹ Jᵀ + R for the solvers that work with it, always as sparse rows.
///
/// Reads the constraint rows, `qLD`. Writes `efc_AR` and its pattern, `nA`.
#[doc(alias = "mj_projectConstraint")]
#[inline(always)]
pub fn project_constraint(m: &Model, d: &mut Data) {
    if d.nefc != 0 || d.nA != 0 || !d.efc_AR.is_empty() {
        project_rows(m, d);
    }
}

#[inline(never)]
fn project_rows(m: &Model, d: &mut Data) {
    for list in [&mut d.efc_AR_rownnz, &mut d.efc_AR_rowadr, &mut d.efc_AR_colind] {
        list.clear();
    }
    d.nA = 0;
    if d.nefc == 0 || !is_dual(m) {
        d.efc_AR.clear();
        return;
    }

    // A = B Bᵀ + R, unless there are too many entries
    let mut work = scratch(d).project.take::<ProjectWork>();
    if m.nv <= MAX_DOFS && d.nefc * d.nefc <= MAX_ENTRIES {
        project_dense(m, d, &mut work.dense);
    } else if !project_lists(m, d, &mut work) {
        d.warn(Warning::Cnstrfull, d.nefc);
        d.efc_AR.clear();
        d.efc_AR_rownnz.clear();
        d.efc_AR_rowadr.clear();
        d.efc_AR_colind.clear();
        discard_rows(d);
    }
    scratch(d).project.put(work);
}

/// A by lists of nonzeros; false if the lists are too long.
fn project_lists(m: &Model, d: &mut Data, work: &mut ProjectWork) -> bool {
    make_panels(m, d, work);
    solve_panels(m, d, work);
    if !make_pattern(m, d, work) {
        return false;
    }
    d.efc_AR.resize(d.nA);
    fill(d, work);
    true
}

/// Columns and entries of a row of `efc_AR`; nothing where the addresses point outside.
pub fn inertia_row(d: &Data, r: usize) -> (&[i32], &[f64]) {
    let start = d.efc_AR_rowadr.get(r).map_or(0, |&adr| adr.max(0) as usize);
    let range = start..start + d.efc_AR_rownnz.get(r).map_or(0, |&n| n.max(0) as usize);
    match (d.efc_AR_colind.get(range.clone()), d.efc_AR.get(range)) {
        (Some(ind), Some(row)) => (ind, row),
        _ => (&[], &[]),
    }
}

/// The dofs that each panel needs, in rising order: those its rows move and all above them. Also
/// the trees they belong to, and the panels of each tree.
fn make_panels(m: &Model, d: &Data, work: &mut ProjectWork) {
    let ProjectWork { mark, dofs, trees, panels, .. } = work;
    let npanel = d.nefc.div_ceil(PANEL);
    mark.clear();
    mark.resize(m.nv, usize::MAX);
    dofs.clear();
    trees.clear();

    // dofs that the rows of a panel move, and those above them
    for panel in 0..npanel {
        let mut last: &[i32] = &[];
        for r in panel_rows(d.nefc, panel) {
            // rows of one constraint have the same columns
            let cols = jacobian_row(d, r).0;
            if cols == replace(&mut last, cols) {
                continue;
            }
            for &col in cols {
                let Some(dof) = usize::try_from(col).ok().filter(|&i| i < m.nv) else { continue };
                for dof in m.dof_chain(DofId::new(dof)) {
                    if mark[dof.idx()] == panel {
                        break;
                    }
                    mark[dof.idx()] = panel;
                    dofs.push(dof.idx() as u32);
                }
            }
        }

        // in rising order, with their trees
        let dofs = dofs.end_list();
        if !dofs.is_sorted() {
            dofs.sort_unstable();
        }
        for &dof in &*dofs {
            trees.push_new(m.dof_treeid[dof as usize].idx() as u32);
        }
        trees.end_list();
    }
    trees.invert(m.ntree, panels);
}

/// B = J L⁻¹ D^-½, four rows at a time.
fn solve_panels(m: &Model, d: &Data, work: &mut ProjectWork) {
    let ProjectWork { sqrt_inv_d, dofs, values, wide, .. } = work;
    sqrt_inv_d.clear();
    sqrt_inv_d.extend((0..m.nv).map(|v| {
        let diag = (m.M_rowadr[v] + m.M_rownnz[v] - 1) as usize;
        1.0 / d.qLD[diag].sqrt()
    }));
    wide.clear();
    wide.resize(m.nv, [0.0; PANEL]);
    values.clear();
    for panel in 0..dofs.len() {
        // four rows of J side by side
        for (k, r) in panel_rows(d.nefc, panel).enumerate() {
            let (ind, row) = jacobian_row(d, r);
            for (&col, &x) in ind.iter().zip(row) {
                if let Some(column) = wide.get_mut(col as usize) {
                    column[k] = x;
                }
            }
        }

        // from the leaves to the roots, then scaled and packed
        let dofs = dofs.list(panel);
        ldl::solve_transposed_on(&m_rows(m), &d.qLD, dofs, wide);
        for &v in dofs {
            let x = take(&mut wide[v as usize]);
            values.push(x.map(|x| x * sqrt_inv_d[v as usize]));
        }
    }
}

/// Nonzero rows of A: rows that move a common tree.
///
/// Writes `efc_AR_rownnz`, `efc_AR_rowadr`, `efc_AR_colind`, `nA`. False if there are more than
/// `MAX_ENTRIES`.
fn make_pattern(m: &Model, d: &mut Data, work: &mut ProjectWork) -> bool {
    // trees of each row, rows of each tree
    let ProjectWork { row_trees, rows, mark, near, .. } = work;
    row_trees.clear();
    let mut last: &[i32] = &[];
    for r in 0..d.nefc {
        let cols = jacobian_row(d, r).0;
        if r > 0 && cols == last {
            row_trees.repeat_list();
            continue;
        }
        for &col in cols {
            if let Some(tree) = m.dof_treeid.get(col as usize) {
                row_trees.push_new(tree.idx() as u32);
            }
        }
        row_trees.end_list();
        last = cols;
    }
    row_trees.invert(m.ntree, rows);

    mark.clear();
    mark.resize(d.nefc, usize::MAX);
    for r in 0..d.nefc {
        if r == 0 || row_trees.list(r) != row_trees.list(r - 1) {
            near.clear();
            neighbours(r, row_trees, rows, mark, near);
        }
        d.efc_AR_rownnz.push(near.len() as i32);
        d.efc_AR_rowadr.push(d.nA as i32);
        d.nA += near.len();
        if d.nA > MAX_ENTRIES {
            return false;
        }
        d.efc_AR_colind.extend(near.iter().map(|&c| c as i32));
    }
    true
}

/// Appends the things that share a tree with thing `i`, in rising order.
fn neighbours(i: usize, trees: &Lists, things: &Lists, mark: &mut [usize], near: &mut Vec<u32>) {
    for &tree in trees.list(i) {
        for &thing in things.list(tree as usize) {
            if mark[thing as usize] != i {
                mark[thing as usize] = i;
                near.push(thing);
            }
        }
    }
    if trees.list(i).len() > 1 {
        near.sort_unstable();
    }
}

/// Inputs and outputs of the products.
struct Fill<'a> {
    work: &'a mut ProjectWork,
    /// R of each row.
    softness: &'a [f64],
    cols: &'a [i32],
    values: &'a mut [f64],
}

/// Every row is filled from left to right: up to the diagonal with its own panel, then with later
/// panels.
fn fill(d: &mut Data, work: &mut ProjectWork) {
    work.next.clear();
    let rows = d.efc_AR_rowadr.iter().zip(d.efc_AR_rownnz.iter());
    work.next.extend(rows.map(|(&adr, &nnz)| [adr as usize, (adr + nnz) as usize]));
    let softness = d.efc_R.rows(0..d.nefc);
    fill_tiles(Fill { work, softness, cols: &d.efc_AR_colind, values: d.efc_AR.flat_mut() });
}

dispatch! {
    /// Computes the tiles of the lower triangle and puts each in its two places. Each panel in turn
    /// gets the tiles with the panels up to itself.
    fn fill_tiles(fill: Fill<'_>) = fill_kernel::<Fused>;
}

#[inline(always)]
fn fill_kernel<L: Lane>(fill: Fill<'_>) {
    let Fill { work, softness, cols, values: entries } = fill;
    let ProjectWork { dofs, values, wide, trees, panels, mark, near, next, .. } = work;
    let nefc = softness.len();
    let mut rows = RowFill { cols, entries, next };
    mark.clear();
    mark.resize(dofs.len(), usize::MAX);
    for i in 0..dofs.len() {
        // one panel by dof
        if i == 0 || trees.list(i) != trees.list(i - 1) {
            near.clear();
            neighbours(i, trees, panels, mark, near);
        }
        let own = panel_rows(nefc, i);
        for (&v, x) in dofs.list(i).iter().zip(&values[dofs.range(i)]) {
            wide[v as usize] = *x;
        }

        // its products with the panels before it
        for &j in near.iter().take_while(|&&j| (j as usize) < i) {
            let j = j as usize;
            let tile = product::<L>(dofs.list(j), &values[dofs.range(j)], wide);
            let other = panel_rows(nefc, j);
            rows.put::<L>(own.clone(), other.clone(), tile);
            rows.put::<L>(other, own.clone(), L::transpose(tile));
        }

        // and with itself, where R is added
        let mut tile = product::<L>(dofs.list(i), &values[dofs.range(i)], wide);
        for ((k, row), &softness) in tile.iter_mut().enumerate().zip(&softness[own.clone()]) {
            let mut add = [0.0; PANEL];
            add[k] = softness;
            *row = *row + L::new(add);
        }
        rows.put::<L>(own.clone(), own, tile);
        for &v in dofs.list(i) {
            wide[v as usize] = [0.0; PANEL];
        }
    }
}

/// The tile of the panel in `wide` and another one.
#[inline(always)]
fn product<L: Lane>(dofs: &[u32], values: &[[f64; PANEL]], wide: &[[f64; PANEL]]) -> [L; PANEL] {
    let mut tile = [L::splat(0.0); PANEL];
    for (&v, y) in dofs.iter().zip(values) {
        let (x, y) = (&wide[v as usize], L::load(y));
        for (sum, &x) in tile.iter_mut().zip(x) {
            *sum = sum.add_mul(L::splat(x), y);
        }
    }
    tile
}
