//! Problems given by the sparse rows of `B`, where `A = B Bᵀ`.
//!
//! With `M = Lᵀ D L` the rows are those of `J L⁻¹ D^-½`, as sparse as the chains of bodies that a
//! contact moves.

use crate::cone::Cone;
use crate::dense;
use crate::problem::{self, Error, ErrorKind};

/// Sparse rows, one after the other.
#[derive(Clone, Debug, Default)]
pub struct SparseRows {
    ends: Vec<usize>,
    columns: Vec<u32>,
    values: Vec<f64>,
}

impl SparseRows {
    /// Forgets all rows; the memory is kept.
    pub fn clear(&mut self) {
        self.ends.clear();
        self.columns.clear();
        self.values.clear();
    }

    /// Adds a row.
    pub fn push(&mut self, entries: impl IntoIterator<Item = (u32, f64)>) {
        for (column, value) in entries {
            self.columns.push(column);
            self.values.push(value);
        }
        self.ends.push(self.columns.len());
    }

    /// Adds a row by its columns and their values.
    pub fn push_slices(&mut self, columns: &[u32], values: &[f64]) {
        let n = columns.len().min(values.len());
        self.columns.extend_from_slice(&columns[..n]);
        self.values.extend_from_slice(&values[..n]);
        self.ends.push(self.columns.len());
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Number of entries of all rows.
    pub fn entries(&self) -> usize {
        self.values.len()
    }

    /// Columns of all rows.
    pub(crate) fn columns(&self) -> &[u32] {
        &self.columns
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Columns and values of a row.
    pub fn row(&self, i: usize) -> (&[u32], &[f64]) {
        let range = self.range(i);
        (&self.columns[range.clone()], &self.values[range])
    }

    /// Multiplies a row by a factor.
    pub fn scale_row(&mut self, i: usize, factor: f64) {
        let range = self.range(i);
        self.values[range].iter_mut().for_each(|x| *x *= factor);
    }

    fn range(&self, i: usize) -> std::ops::Range<usize> {
        let start = if i == 0 { 0 } else { self.ends[i - 1] };
        start..self.ends[i]
    }

    /// A row times a vector.
    pub fn dot(&self, i: usize, x: &[f64]) -> f64 {
        let (columns, values) = self.row(i);
        columns.iter().zip(values).map(|(&c, v)| v * x[c as usize]).sum()
    }

    /// The product of two rows; fastest if they have the same columns.
    pub(crate) fn product(&self, i: usize, j: usize) -> f64 {
        let ((columns, values), (others, weights)) = (self.row(i), self.row(j));
        if columns == others {
            return dense::dot(values, weights);
        }
        let matching = |(c, v): (&u32, &f64)| {
            let at = others.iter().position(|other| other == c)?;
            Some(v * weights[at])
        };
        columns.iter().zip(values).filter_map(matching).sum()
    }

    /// Adds a multiple of a row to a vector.
    pub fn add_to(&self, i: usize, factor: f64, x: &mut [f64]) {
        let (columns, values) = self.row(i);
        for (&c, v) in columns.iter().zip(values) {
            x[c as usize] += factor * v;
        }
    }
}

/// Minimise `½ λᵀ B Bᵀ λ - bᵀ λ` over a product of cones. Borrowed and checked.
#[derive(Clone, Copy, Debug)]
pub struct SparseProblem<'a> {
    rows: &'a SparseRows,
    width: usize,
    b: &'a [f64],
    cones: &'a [Cone],
}

impl<'a> SparseProblem<'a> {
    /// A problem from the rows of `B`, which has `width` columns.
    ///
    /// # Errors
    /// As [`Problem::new`](crate::Problem::new).
    pub fn new(
        rows: &'a SparseRows,
        width: usize,
        b: &'a [f64],
        cones: &'a [Cone],
    ) -> Result<SparseProblem<'a>, Error> {
        let n: usize = cones.iter().map(Cone::dim).sum();
        if n != b.len() || n != rows.len() {
            return Err(Error::new(ErrorKind::RowCount { cones: n, b: b.len() }));
        }
        problem::check_cones(cones)?;
        for row in 0..n {
            let (columns, values) = rows.row(row);
            let column = columns.iter().fold(0, |a, c| a.max(*c)) as usize;
            if column >= width && !columns.is_empty() {
                return Err(Error::new(ErrorKind::Column { row, column }));
            }
            // fast and without answers: which entry it was is asked only if there is one
            if values.iter().map(|x| 0.0 * x).sum::<f64>() != 0.0 {
                let col = values.iter().position(|x| !x.is_finite()).unwrap_or(0);
                return Err(Error::new(ErrorKind::NotFinite { what: "B", row, col }));
            }
            if !b[row].is_finite() {
                return Err(Error::new(ErrorKind::NotFinite { what: "b", row, col: 0 }));
            }
        }
        Ok(SparseProblem { rows, width, b, cones })
    }

    pub(crate) fn rows(&self) -> &'a SparseRows {
        self.rows
    }

    /// Number of columns.
    pub(crate) fn width(&self) -> usize {
        self.width
    }

    pub(crate) fn b(&self) -> &'a [f64] {
        self.b
    }

    pub(crate) fn cones(&self) -> &'a [Cone] {
        self.cones
    }
    /// Writes `A`, exactly symmetric. `line` is scratch.
    pub(crate) fn multiply_out(&self, line: &mut Vec<f64>, matrix: &mut Vec<f64>) {
        let (n, rows) = (self.b.len(), self.rows);
        dense::zero([&mut *matrix], n * n);
        dense::zero([&mut *line], self.width);
        for i in 0..n {
            rows.add_to(i, 1.0, line);
            let (columns, _) = rows.row(i);
            let (first, last) = (columns.iter().min(), columns.iter().max());
            for j in 0..=i {
                let (others, _) = rows.row(j);
                if others.last() < first || others.first() > last {
                    continue;
                }
                let entry = rows.dot(j, line);
                matrix[i * n + j] = entry;
                matrix[j * n + i] = entry;
            }
            columns.iter().for_each(|&c| line[c as usize] = 0.0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_outside_are_refused() {
        let mut rows = SparseRows::default();
        rows.push([(1, 1.0), (20, 0.5)]);
        let error =
            SparseProblem::new(&rows, 20, &[1.0], &[Cone::HalfLine]).expect_err("too narrow");
        assert!(matches!(error.kind(), ErrorKind::Column { .. }), "{error}");
    }
}
