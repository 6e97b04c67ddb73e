//! Sparse rows, and their products with dense vectors in MuJoCo's order of sums.

use sinew_math::simd::Quad;
pub(crate) use sinew_math::sparse::dot as dot_index;
use sinew_model::DofId;
use sinew_model::pod::as_i32;

/// A sparse row: dofs in rising order and a number for each.
#[derive(Clone, Debug, Default)]
pub(crate) struct SparseRow {
    /// Dofs.
    pub(crate) ind: Vec<DofId>,
    /// Numbers.
    pub(crate) val: Vec<f64>,
}

impl SparseRow {
    /// Removes all entries.
    #[inline]
    pub(crate) fn clear(&mut self) {
        self.ind.clear();
        self.val.clear();
    }

    /// Appends an entry.
    #[inline]
    pub(crate) fn push(&mut self, dof: DofId, x: f64) {
        self.ind.push(dof);
        self.val.push(x);
    }

    /// Turns falling order into rising order.
    #[inline]
    pub(crate) fn reverse(&mut self) {
        self.ind.reverse();
        self.val.reverse();
    }

    /// Adds `x` at `dof`.
    #[inline]
    pub(crate) fn add(&mut self, dof: DofId, x: f64) {
        match self.ind.binary_search(&dof) {
            Ok(k) => self.val[k] += x,
            Err(k) => self.insert(k, dof, x),
        }
    }

    fn insert(&mut self, k: usize, dof: DofId, x: f64) {
        self.ind.insert(k, dof);
        self.val.insert(k, x);
    }

    /// self += scale * o; the entries are the union of both. `merge` is scratch.
    pub(crate) fn add_scaled(&mut self, o: &SparseRow, scale: f64, merge: &mut SparseRow) {
        // one pattern: add entry by entry
        if self.ind == o.ind {
            for (x, y) in self.val.iter_mut().zip(&o.val) {
                *x += y * scale;
            }
            return;
        }

        // union of both patterns, in rising order
        merge.clear();
        let (mut i, mut j) = (0, 0);
        while i < self.ind.len() || j < o.ind.len() {
            let (a, b) = (self.ind.get(i), o.ind.get(j));
            match (a, b) {
                (Some(&a), Some(&b)) if a == b => {
                    merge.push(a, self.val[i] + scale * o.val[j]);
                    (i, j) = (i + 1, j + 1);
                }
                (Some(&a), b) if b.is_none_or(|&b| a < b) => {
                    merge.push(a, self.val[i]);
                    i += 1;
                }
                (_, Some(&b)) => {
                    merge.push(b, scale * o.val[j]);
                    j += 1;
                }
                _ => break,
            }
        }
        core::mem::swap(self, merge);
    }
}

/// Scalar product of a sparse row and a dense vector.
#[inline]
pub(crate) fn dot(ind: &[DofId], val: &[f64], dense: &[f64]) -> f64 {
    dot_index(as_i32(ind), val, dense)
}

/// `dot_index` with the numbers of the dense vector at the columns of the row.
#[inline(always)]
pub(crate) fn dot_packed(row: &[f64], x: &[f64]) -> f64 {
    let (row4, row_rest) = row.as_chunks::<4>();
    let (x4, x_rest) = x.as_chunks::<4>();
    let mut acc = [0.0; 4];
    for (row, x) in row4.iter().zip(x4) {
        for k in 0..4 {
            acc[k] += row[k] * x[k];
        }
    }
    let mut sum = (acc[0] + acc[2]) + (acc[1] + acc[3]);
    for (row, x) in row_rest.iter().zip(x_rest) {
        sum += row * x;
    }
    sum
}

/// Scalar products of sparse rows of one pattern and a dense vector, with the sums of `vector::dot`
/// of the dense rows. Column `i` goes to running sum `i % 4`, and the last columns are summed among
/// themselves.
#[inline]
pub(crate) fn dot_as_dense<const N: usize>(
    ind: &[i32],
    rows: [&[f64]; N],
    dense: &[f64],
) -> [f64; N] {
    let n = rows.iter().fold(ind.len(), |n, row| n.min(row.len()));
    let rows = rows.map(|row| &row[..n]);
    let whole = dense.len() - dense.len() % 4;
    let mut acc = [[0.0; N]; 5];
    for (k, &i) in ind[..n].iter().enumerate() {
        let i = i as usize;
        let x = dense[i];
        let sums = &mut acc[if i < whole { i % 4 } else { 4 }];
        for (sum, row) in sums.iter_mut().zip(rows) {
            *sum += row[k] * x;
        }
    }
    core::array::from_fn(|r| (acc[0][r] + acc[2][r]) + (acc[1][r] + acc[3][r]) + acc[4][r])
}

/// `dot_as_dense` of a row whose columns follow each other. `x` is the vector at the columns in
/// whole groups of four, `x_last` at the others.
#[inline(always)]
pub(crate) fn dot_run(row: &[f64], x: &[f64], x_last: &[f64]) -> f64 {
    let (row, row_last) = row.split_at(x.len());

    // the four partial sums of `dot_as_dense`, rotated by the place of the first column, which
    // leaves their total (a + c) + (b + d) the same
    let ((rows, rest), (xs, x_rest)) = (row.as_chunks::<4>(), x.as_chunks::<4>());
    let mut acc = Quad::all(0.0);
    for (row, x) in rows.iter().zip(xs) {
        acc = acc + Quad::new(*row) * Quad::new(*x);
    }
    let mut acc = acc.to_array();
    match (rest, x_rest) {
        ([a], [x]) => acc[0] += a * x,
        ([a, b], [x, y]) => (acc[0], acc[1]) = (acc[0] + a * x, acc[1] + b * y),
        ([a, b, c], [x, y, z]) => {
            (acc[0], acc[1], acc[2]) = (acc[0] + a * x, acc[1] + b * y, acc[2] + c * z);
        }
        _ => {}
    }
    let last = match (row_last, x_last) {
        ([a], [x]) => a * x,
        ([a, b], [x, y]) => a * x + b * y,
        ([a, b, c], [x, y, z]) => a * x + b * y + c * z,
        _ => 0.0,
    };
    (acc[0] + acc[2]) + (acc[1] + acc[3]) + last
}

/// A vector with each number in its lane of four, for [`dot_spread`]; without the last ones.
#[inline]
pub(crate) fn spread(dense: &[f64], out: &mut [[f64; 4]]) {
    let whole = dense.len() - dense.len() % 4;
    for (out, x) in out.as_chunks_mut::<4>().0.iter_mut().zip(dense[..whole].as_chunks().0) {
        let [a, b, c, d]: [f64; 4] = *x;
        *out = [[a, 0.0, 0.0, 0.0], [0.0, b, 0.0, 0.0], [0.0, 0.0, c, 0.0], [0.0, 0.0, 0.0, d]];
    }
}

/// `dot_as_dense`, with the vector also `spread`: which running sum a column goes to needs no
/// decision, the others add nothing.
#[inline]
pub(crate) fn dot_spread<const N: usize>(
    ind: &[i32],
    rows: [&[f64]; N],
    dense: &[f64],
    spread: &[[f64; 4]],
) -> [f64; N] {
    let n = rows.iter().fold(ind.len(), |n, row| n.min(row.len()));
    let (ind, rows) = (&ind[..n], rows.map(|row| &row[..n]));

    // entries in whole groups of four
    let whole = dense.len() - dense.len() % 4;
    let mut n_whole = n;
    while n_whole > 0 && ind[n_whole - 1] as usize >= whole {
        n_whole -= 1;
    }

    // four sums, as the dense loop has them
    let mut acc = [[0.0; 4]; N];
    for (k, &i) in ind[..n_whole].iter().enumerate() {
        let x = &spread[i as usize];
        for (acc, row) in acc.iter_mut().zip(rows) {
            for lane in 0..4 {
                acc[lane] += row[k] * x[lane];
            }
        }
    }

    // the remaining columns
    let mut last = [0.0; N];
    for (k, &i) in ind.iter().enumerate().skip(n_whole) {
        for (last, row) in last.iter_mut().zip(rows) {
            *last += row[k] * dense[i as usize];
        }
    }
    core::array::from_fn(|r| {
        let a = acc[r];
        (a[0] + a[2]) + (a[1] + a[3]) + last[r]
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_order_gives_the_sum_of_the_dense_row() {
        for n in 1..20usize {
            let x: Vec<f64> = (0..n).map(|i| 0.1 + (i as f64).sin()).collect();
            let ind: Vec<i32> = (0..n as i32).filter(|i| i % 3 != 1).collect();
            let rows: [Vec<f64>; 3] = core::array::from_fn(|k| {
                ind.iter().map(|&i| f64::from(i * 7 + k as i32).cos()).collect()
            });
            let mut dense = vec![0.0; n];
            for (&i, v) in ind.iter().zip(&rows[0]) {
                dense[i as usize] = *v;
            }
            let want = sinew_math::vector::dot(&dense, &x);
            assert_eq!(dot_as_dense(&ind, [&rows[0]], &x), [want]);
            let mut lanes = [[0.0; 4]; 20];
            spread(&x, &mut lanes);
            let all = [&*rows[0], &*rows[1], &*rows[2]];
            assert_eq!(dot_spread(&ind, all, &x, &lanes), dot_as_dense(&ind, all, &x));
            let run = n / 3..n - n / 4;
            let columns: Vec<i32> = (run.start as i32..run.end as i32).collect();
            let numbers = &rows[0][..run.len().min(rows[0].len())];
            let columns = &columns[..numbers.len()];
            let whole = (n - n % 4).saturating_sub(run.start);
            let at = &x[run][..numbers.len()];
            let (first, last) = at.split_at(whole.min(at.len()));
            let got = dot_run(numbers, first, last);
            assert_eq!([got], dot_as_dense(columns, [numbers], &x));
            assert!((dot_index(&ind, &rows[0], &x) - want).abs() < 1e-14);
            let packed: Vec<f64> = ind.iter().map(|&i| x[i as usize]).collect();
            assert_eq!(dot_packed(&rows[0], &packed), dot_index(&ind, &rows[0], &x));
        }
    }
}
