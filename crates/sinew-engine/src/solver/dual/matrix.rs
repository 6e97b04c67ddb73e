//! The matrix A of the dual solvers, by rows.

use sinew_math::simd::{LANES, Lane, dispatch};
use sinew_model::Data;

use crate::constraint::inertia_row;

/// Rows that are worked on together.
pub(crate) const BLOCK: usize = 4;

/// Smallest number on the diagonal of A without R, as in MuJoCo's `mj_solNoSlip`.
const MIN_HARD_DIAGONAL: f64 = 1e-10;

/// Where the rows of A have numbers: stretches of columns.
#[derive(Debug, Default)]
pub(crate) struct Runs {
    runs: Vec<Run>,
    rows: Vec<RunRow>,
}

/// Neighbouring columns.
#[derive(Clone, Copy, Debug)]
struct Run {
    column: u32,
    len: u32,
}

/// A row made of stretches, one after the other.
#[derive(Clone, Copy, Debug)]
struct RunRow {
    /// First number of the row in `efc_AR`.
    start: usize,
    /// First stretch of the row, and the first after it.
    runs: [u32; 2],
}

impl Runs {
    /// Finds the stretches of all rows.
    pub(crate) fn find(&mut self, d: &Data) {
        self.runs.clear();
        self.rows.clear();
        let mut last: &[i32] = &[];
        for r in 0..d.nefc {
            let cols = inertia_row(d, r).0;
            let start = d.efc_AR_rowadr.get(r).map_or(0, |&adr| adr.max(0) as usize);
            // rows of one constraint have the same columns
            let runs = match self.rows.last() {
                Some(row) if same_columns(last, cols) => row.runs,
                _ => self.append(cols, d.nefc),
            };
            last = cols;
            self.rows.push(RunRow { start, runs });
        }
    }

    /// Appends the stretches of a row; columns beyond the last row have no residual.
    fn append(&mut self, cols: &[i32], nefc: usize) -> [u32; 2] {
        let first = self.runs.len() as u32;
        let mut push = |run: &[i32]| {
            let (column, len) = (run[0] as u32, run.len() as u32);
            if column as usize + run.len() <= nefc {
                self.runs.push(Run { column, len });
            }
        };
        if is_stretch(cols) {
            push(cols);
        } else {
            cols.chunk_by(|a, b| a + 1 == *b).for_each(push);
        }
        [first, self.runs.len() as u32]
    }
}

/// Whether columns, which rise, have no gap.
#[inline]
fn is_stretch(cols: &[i32]) -> bool {
    match cols {
        [first, .., last] => last - first == cols.len() as i32 - 1,
        _ => cols.len() == 1,
    }
}

/// Whether two rows have the same columns.
#[inline]
fn same_columns(a: &[i32], b: &[i32]) -> bool {
    a.len() == b.len()
        && a.first() == b.first()
        && (is_stretch(a) && is_stretch(b) || a.last() == b.last() && a == b)
}

/// The matrix A, by its rows.
#[derive(Clone, Copy)]
pub(crate) struct Matrix<'a> {
    pub(crate) values: &'a [f64],
    pub(crate) runs: &'a Runs,
}

impl Matrix<'_> {
    /// First number and stretches of a row.
    #[inline(always)]
    fn row(&self, r: usize) -> (usize, &[Run]) {
        let RunRow { start, runs: [first, end] } = self.runs.rows[r];
        (start, &self.runs.runs[first as usize..end as usize])
    }

    /// The number in row `r` and column `c`.
    pub(crate) fn entry(&self, r: usize, c: usize) -> f64 {
        let (mut start, runs) = self.row(r);
        for run in runs {
            if let Some(k) = c.checked_sub(run.column as usize).filter(|&k| k < run.len as usize) {
                return self.values[start + k];
            }
            start += run.len as usize;
        }
        0.0
    }

    /// Appends the square of `n` rows and columns from `first` on, in rows.
    pub(crate) fn append_square(&self, first: usize, n: usize, out: &mut Vec<f64>) {
        for r in first..first + n {
            match self.part(r, first, n) {
                Some(part) => out.extend_from_slice(part),
                None => out.extend((first..first + n).map(|c| self.entry(r, c))),
            }
        }
    }

    /// The square of `n` rows and columns from `first` on; `BLOCK` at most.
    pub(crate) fn square(&self, first: usize, n: usize) -> [[f64; BLOCK]; BLOCK] {
        let mut square = [[0.0; BLOCK]; BLOCK];
        for (r, row) in (first..first + n).zip(&mut square) {
            match self.part(r, first, n) {
                Some(part) => row[..n].copy_from_slice(part),
                None => {
                    for (c, x) in (first..).zip(&mut row[..n]) {
                        *x = self.entry(r, c);
                    }
                }
            }
        }
        square
    }

    /// `n` numbers of row `r` from column `c` on, if they are in one stretch.
    #[inline]
    fn part(&self, r: usize, c: usize, n: usize) -> Option<&[f64]> {
        let (mut start, runs) = self.row(r);
        for run in runs {
            let (column, len) = (run.column as usize, run.len as usize);
            if column <= c && c + n <= column + len {
                return self.values.get(start + c - column..start + c - column + n);
            }
            start += len;
        }
        None
    }

    /// res += scale A(r, :)
    #[inline(always)]
    pub(crate) fn add_row<L: Lane>(&self, r: usize, scale: f64, res: &mut [f64]) {
        self.add::<L, 1>([r], [scale], res);
    }

    /// Whether rows have the same stretches.
    pub(crate) fn alike(&self, r: usize, o: usize) -> bool {
        self.runs.rows[r].runs == self.runs.rows[o].runs
    }

    /// Brings the residuals up to date after forces from `row` on have changed from `old`.
    #[inline(always)]
    pub(crate) fn spread<L: Lane>(&self, row: usize, force: &[f64], old: &[f64], res: &mut [f64]) {
        let mut k = 0;
        while k < force.len() {
            // rows of one contact have the same stretches
            let end = (k + BLOCK).min(force.len());
            let alike = (k + 1..end).take_while(|&o| self.alike(row + k, row + o)).count() + 1;
            let mut delta = [0.0; BLOCK];
            for (i, delta) in delta.iter_mut().enumerate().take(alike) {
                *delta = force[k + i] - old[k + i];
            }
            self.add_rows::<L>(row + k, &delta[..alike], res);
            k += alike;
        }
    }

    /// res += Σ scale A(r, :) over rows with the same stretches, from `row` on; `BLOCK` at most.
    #[inline(always)]
    pub(crate) fn add_rows<L: Lane>(&self, row: usize, scales: &[f64], res: &mut [f64]) {
        let mut rows = [0; BLOCK];
        let mut used = [0.0; BLOCK];
        let mut n = 0;
        for (k, &scale) in scales.iter().enumerate().take(BLOCK) {
            if scale != 0.0 {
                (rows[n], used[n]) = (row + k, scale);
                n += 1;
            }
        }
        let ([r0, r1, r2, r3], [s0, s1, s2, s3]) = (rows, used);
        match n {
            0 => {}
            1 => self.add::<L, 1>([r0], [s0], res),
            2 => self.add::<L, 2>([r0, r1], [s0, s1], res),
            3 => self.add::<L, 3>([r0, r1, r2], [s0, s1, s2], res),
            _ => self.add::<L, 4>([r0, r1, r2, r3], [s0, s1, s2, s3], res),
        }
    }

    #[inline(always)]
    fn add<L: Lane, const N: usize>(&self, rows: [usize; N], scales: [f64; N], res: &mut [f64]) {
        let mut starts = rows.map(|r| self.runs.rows[r].start);
        for run in self.row(rows[0]).1 {
            let len = run.len as usize;
            let values = starts.map(|start| &self.values[start..start + len]);
            add_scaled::<L, N>(&mut res[run.column as usize..][..len], values, scales);
            starts = starts.map(|start| start + len);
        }
    }
}

/// A number on the diagonal of A without R.
pub(crate) fn hard_diagonal(x: f64, softness: f64) -> f64 {
    (x - softness).max(MIN_HARD_DIAGONAL)
}

/// res += Σ scale row, one row after the other.
#[inline(always)]
fn add_scaled<L: Lane, const N: usize>(res: &mut [f64], rows: [&[f64]; N], scales: [f64; N]) {
    let lanes = scales.map(L::splat);
    let (res4, res_rest) = res.as_chunks_mut::<LANES>();
    let rows = rows.map(|row| row.as_chunks::<LANES>());
    for (i, x) in res4.iter_mut().enumerate() {
        let mut sum = L::load(x);
        for k in 0..N {
            sum = sum.add_mul(L::load(&rows[k].0[i]), lanes[k]);
        }
        sum.store(x);
    }
    for (i, x) in res_rest.iter_mut().enumerate() {
        for k in 0..N {
            *x += rows[k].1[i] * scales[k];
        }
    }
}

dispatch! {
    /// res += A f
    pub(crate) fn add_product(a: Matrix<'_>, force: &[f64], res: &mut [f64])
        = add_product_kernel::<Fused>;
}

#[inline(always)]
fn add_product_kernel<L: Lane>(a: Matrix<'_>, force: &[f64], res: &mut [f64]) {
    for (r, &force) in force.iter().enumerate() {
        if force != 0.0 {
            a.add_row::<L>(r, force, res);
        }
    }
}
