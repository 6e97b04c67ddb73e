//! Products of the constraint Jacobian with vectors.

use sinew_model::Data;

use crate::sparse;

/// Patterns of up to this many columns are multiplied with a copy of the vector's numbers there.
const PACKED: usize = 64;

/// res = J vec: from dofs to constraint rows. Without rows `res` is left alone, as in MuJoCo.
///
/// Reads `efc_J` and its pattern.
#[doc(alias = "mj_mulJacVec")]
pub fn mul_jac_vec(d: &Data, res: &mut [f64], vec: &[f64]) {
    let mut packed = [0.0; PACKED];
    let mut r = 0;
    while r < d.nefc {
        // rows of one pattern read the indices and the vector once
        let Pattern { cols, rows, .. } = Pattern::of(d, r);
        let n = cols.len();
        if rows > 1
            && let Some(x) = packed.get_mut(..n).filter(|_| n > 0)
            && let Some(vals) = rows_alike(d, r, rows, n)
        {
            for (x, &col) in x.iter_mut().zip(cols) {
                *x = vec[col as usize];
            }
            for (res, row) in res[r..r + rows].iter_mut().zip(vals.chunks_exact(n)) {
                *res = sparse::dot_packed(row, x);
            }
        } else {
            for (k, res) in (r..).zip(&mut res[r..r + rows]) {
                let (cols, vals) = jacobian_row(d, k);
                *res = sparse::dot_index(cols, vals, vec);
            }
        }
        r += rows;
    }
}

/// `mul_jac_vec` with the sums in the order of MuJoCo's dense Jacobian: the last bits differ.
pub(crate) fn mul_jac_vec_dense(d: &Data, res: &mut [f64], vec: &[f64]) {
    // rows whose columns follow each other
    let mut others = false;
    let mut r = 0;
    while r < d.nefc {
        let pattern = Pattern::of(d, r);
        if let Some((x, vals)) = pattern.run(d, vec) {
            let (x, x_last) = x.split_at(pattern.whole(vec).min(x.len()));
            let mut rest = vals;
            for res in &mut res[r..r + pattern.rows] {
                let (row, others) = rest.split_at(pattern.cols.len());
                *res = sparse::dot_run(row, x, x_last);
                rest = others;
            }
        } else {
            others = true;
        }
        r += pattern.rows;
    }

    // models with dense Jacobians are small; unneeded entries are not cleared either
    match vec.len() {
        _ if !others => {}
        0..=12 => mul_scattered::<12>(d, res, vec),
        13..=64 => mul_scattered::<64>(d, res, vec),
        _ => mul_scattered::<0>(d, res, vec),
    }
}

/// Rows of one pattern.
struct Pattern<'a> {
    cols: &'a [i32],
    /// The first row.
    first: usize,
    /// Number of rows.
    rows: usize,
}

impl<'a> Pattern<'a> {
    /// The pattern of the rows from `r` on.
    #[inline(always)]
    fn of(d: &'a Data, r: usize) -> Self {
        let alike = d.efc_J_rowsuper.get(r).map_or(0, |&n| n.max(0) as usize);
        Pattern { cols: jacobian_row(d, r).0, first: r, rows: (alike + 1).min(d.nefc - r) }
    }

    /// The numbers of a vector at its columns and those of its rows, if both follow each other.
    #[inline(always)]
    fn run<'v>(&self, d: &'a Data, vec: &'v [f64]) -> Option<(&'v [f64], &'a [f64])> {
        let (first, last) = (*self.cols.first()? as usize, *self.cols.last()? as usize);
        let x = vec.get(first..last + 1).filter(|x| x.len() == self.cols.len())?;
        Some((x, rows_alike(d, self.first, self.rows, x.len())?))
    }

    /// How many of its columns are in whole fours of a vector, if they follow each other.
    #[inline(always)]
    fn whole(&self, vec: &[f64]) -> usize {
        let first = self.cols.first().map_or(0, |&first| first as usize);
        (vec.len() - vec.len() % 4).saturating_sub(first)
    }
}

/// The rows of `mul_jac_vec_dense` whose columns do not follow each other, with a copy of a vector
/// of at most `SMALL` numbers.
#[inline(never)]
fn mul_scattered<const SMALL: usize>(d: &Data, res: &mut [f64], vec: &[f64]) {
    let mut spread = [[0.0; 4]; SMALL];
    let small = vec.len() <= SMALL;
    if small {
        sparse::spread(vec, &mut spread);
    }

    // rows of one pattern: four at a time, then one by one
    let mut r = 0;
    while r < d.nefc {
        let pattern = Pattern::of(d, r);
        if pattern.run(d, vec).is_some() {
            r += pattern.rows;
            continue;
        }
        let row = jacobian_row(d, r).1;
        if pattern.rows > 3 {
            let rows =
                [row, jacobian_row(d, r + 1).1, jacobian_row(d, r + 2).1, jacobian_row(d, r + 3).1];
            res[r..r + 4].copy_from_slice(&match small {
                true => sparse::dot_spread(pattern.cols, rows, vec, &spread),
                false => sparse::dot_as_dense(pattern.cols, rows, vec),
            });
            r += 4;
        } else {
            [res[r]] = match small {
                true => sparse::dot_spread(pattern.cols, [row], vec, &spread),
                false => sparse::dot_as_dense(pattern.cols, [row], vec),
            };
            r += 1;
        }
    }
}

/// res = Jᵀ vec: from constraint rows to dofs. Without rows `res` is left alone, as in MuJoCo.
///
/// Reads `efc_J` and its pattern.
#[doc(alias = "mj_mulJacTVec")]
pub fn mul_jac_t_vec(d: &Data, res: &mut [f64], vec: &[f64]) {
    if d.nefc == 0 {
        return;
    }
    res.fill(0.0);
    for r in 0..d.nefc {
        let scale = vec[r];
        if scale == 0.0 {
            continue;
        }
        let (ind, row) = jacobian_row(d, r);
        for (&i, x) in ind.iter().zip(row) {
            res[i as usize] += x * scale;
        }
    }
}

/// The entries of `n` rows of `efc_J` from `r` on, which have one pattern of `width` columns; none
/// if they do not follow each other.
pub(crate) fn rows_alike(d: &Data, r: usize, n: usize, width: usize) -> Option<&[f64]> {
    let adr = |r: usize| d.efc_J_rowadr.get(r).map(|&adr| adr.max(0) as usize);
    let (first, last) = (adr(r)?, adr(r + n.checked_sub(1)?)?);
    let end = first + n * width;
    (last + width == end).then(|| d.efc_J.get(first..end))?
}

/// Columns and entries of a row of `efc_J`; nothing where the addresses point outside.
pub fn jacobian_row(d: &Data, r: usize) -> (&[i32], &[f64]) {
    let start = d.efc_J_rowadr[r].max(0) as usize;
    let range = start..start + d.efc_J_rownnz[r].max(0) as usize;
    match (d.efc_J_colind.get(range.clone()), d.efc_J.get(range)) {
        (Some(ind), Some(row)) => (ind, row),
        _ => (&[], &[]),
    }
}
