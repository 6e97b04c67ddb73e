//! LU factors with partial pivoting, for unsymmetric matrices with a symmetric profile.

use crate::simd::{Lane, dispatch, dot};

/// A matrix, overwritten by its factors.
#[derive(Clone, Debug, Default)]
pub struct Lu {
    n: usize,
    /// Entries, row by row.
    pub k: Vec<f64>,
    /// First nonzero column of each row, and the index after the last, which grows with row
    /// exchanges.
    begin: Vec<usize>,
    end: Vec<usize>,
    /// Index after the last nonzero row of each column.
    bottom: Vec<usize>,
    pivots: Vec<usize>,
}

impl Lu {
    /// Starts a zero matrix with one row per end; ends must not decrease from row to row.
    pub fn reset(&mut self, ends: &[usize]) {
        // clear the entries of the previous matrix
        let n = self.n;
        if n == ends.len() {
            for (i, (from, to)) in self.begin.iter().zip(&self.end).enumerate() {
                self.k[i * n + from..i * n + to].fill(0.0);
            }
        } else {
            self.n = ends.len();
            self.k.clear();
            self.k.resize(self.n * self.n, 0.0);
        }
        self.begin.clear();
        let mut first = 0;
        for i in 0..self.n {
            while ends[first] <= i {
                first += 1;
            }
            self.begin.push(first);
        }
        for list in [&mut self.end, &mut self.bottom] {
            list.clear();
            list.extend_from_slice(ends);
        }
    }

    /// A row to fill in.
    pub fn row(&mut self, i: usize) -> &mut [f64] {
        &mut self.k[i * self.n..(i + 1) * self.n]
    }

    /// Factors in place; returns `false` if the matrix is singular.
    pub fn factor(&mut self) -> bool {
        factor(self)
    }

    /// Solves with the factors in place.
    pub fn solve(&self, x: &mut [f64]) {
        solve(self, x);
    }
}

/// `y += a x`.
#[inline(always)]
fn axpy(a: f64, x: &[f64], y: &mut [f64]) {
    for (y, x) in y.iter_mut().zip(x) {
        *y += a * x;
    }
}

/// Number of columns eliminated before the trailing rows are updated; an entry is then read and
/// written once for all of them.
const PANEL: usize = 4;

dispatch! {
    /// Factors in place.
    pub(crate) fn factor(lu: &mut Lu) -> bool
        = factor_body;

    /// Solves with the factors in place.
    pub(crate) fn solve(lu: &Lu, x: &mut [f64])
        = solve_body::<Fused>;
}

#[inline(always)]
fn solve_body<L: Lane>(lu: &Lu, x: &mut [f64]) {
    let n = lu.n;
    for (i, row) in lu.k.chunks_exact(n.max(1)).enumerate() {
        x.swap(i, lu.pivots[i]);
        let from = lu.begin[i].min(i);
        x[i] -= dot::<L>(&row[from..i], &x[from..i]);
    }
    for (i, row) in lu.k.chunks_exact(n.max(1)).enumerate().rev() {
        let (from, to) = (i + 1, lu.end[i]);
        x[i] = (x[i] - dot::<L>(&row[from..to], &x[from..to])) / row[i];
    }
}

#[inline(always)]
fn factor_body(lu: &mut Lu) -> bool {
    let n = lu.n;
    lu.pivots.clear();
    for first in (0..n).step_by(PANEL) {
        let last = (first + PANEL).min(n);
        if !(first..last).all(|c| eliminate(lu, c, last)) {
            return false;
        }

        // the remaining columns of the panel's rows, one by one, and of the rows below
        let Lu { k, end, bottom, .. } = &mut *lu;
        let (panel, below) = k.split_at_mut(last * n);
        let panel = &mut panel[first * n..];
        for c in 1..last - first {
            let (above, row) = panel.split_at_mut(c * n);
            for (i, head) in above.chunks_exact(n).enumerate() {
                let (factor, to) = (row[first + i], end[first + i]);
                if factor != 0.0 {
                    axpy(-factor, &head[last..to.max(last)], &mut row[last..]);
                    end[first + c] = end[first + c].max(to);
                }
            }
        }
        let (ends, rest) = end.split_at_mut(last);
        let ends = &ends[first..];
        for (line, end) in below.chunks_exact_mut(n).zip(rest).take(bottom[last - 1] - last) {
            subtract_panel(panel, n, first, ends, line, end);
        }
    }
    true
}

/// Subtracts multiples of a panel's rows from a row below.
#[inline(always)]
fn subtract_panel(
    panel: &[f64],
    n: usize,
    first: usize,
    ends: &[usize],
    line: &mut [f64],
    end: &mut usize,
) {
    let last = first + ends.len();
    let used = |(k, _): &(usize, &usize)| line[first + k] != 0.0;
    let to = ends.iter().enumerate().filter(used).fold(last, |to, (_, end)| to.max(*end));
    let (heads, line) = (&panel[..PANEL * n], &mut line[..to]);
    let (factors, line) = line.split_at_mut(last);
    let [a, b, c, d] = [0, 1, 2, 3].map(|k| factors[first + k]);
    let head = |k: usize| &heads[k * n + last..k * n + to];
    let (p, q, r, s) = (head(0), head(1), head(2), head(3));
    for ((((x, p), q), r), s) in line.iter_mut().zip(p).zip(q).zip(r).zip(s) {
        *x = *x - a * p - b * q - c * r - d * s;
    }
    *end = (*end).max(to);
}

/// Finds the pivot of a column, and eliminates the column from the rows below, up to the end of its
/// panel. Returns `false` if there is no pivot.
#[inline(always)]
fn eliminate(lu: &mut Lu, c: usize, last: usize) -> bool {
    let n = lu.n;

    // partial pivoting: the largest entry of the column
    let size = |i: usize| lu.k[i * n + c].abs();
    let larger = |best: usize, i: usize| if size(i) > size(best) { i } else { best };
    let pivot = (c + 1..lu.bottom[c]).fold(c, larger);
    lu.pivots.push(pivot);

    // swap rows, with the ends of their profiles
    if pivot != c {
        let (from, to) = (lu.begin[c].min(lu.begin[pivot]), lu.end[c].max(lu.end[pivot]));
        let (a, b) = lu.k.split_at_mut(pivot * n);
        a[c * n + from..c * n + to].swap_with_slice(&mut b[from..to]);
        lu.begin.swap(c, pivot);
        lu.end.swap(c, pivot);
    }

    // eliminate the column from the rows below
    let (top, rest) = lu.k.split_at_mut((c + 1) * n);
    let head = &top[c * n..][..last];
    if head[c] == 0.0 || !head[c].is_finite() {
        return false;
    }
    let inverse = 1.0 / head[c];
    for line in rest.chunks_exact_mut(n).take(lu.bottom[c] - c - 1) {
        if line[c] != 0.0 {
            line[c] *= inverse;
            axpy(-line[c], &head[c + 1..], &mut line[c + 1..last]);
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_solves_with_and_without_a_profile() {
        for n in 0..18 {
            for width in [1, 3, n] {
                let entry = |i: usize, j: usize| {
                    let near = i.abs_diff(j) <= width;
                    if near { ((i * 7 + j * 13) % 11) as f64 / 11.0 - 0.4 } else { 0.0 }
                };
                let ends: Vec<usize> = (0..n).map(|i| (i + width + 1).min(n)).collect();
                let mut lu = Lu::default();
                lu.reset(&ends);
                let mut x: Vec<f64> = vec![0.0; n];
                for i in 0..n {
                    for j in 0..n {
                        // an empty diagonal, which requires row exchanges
                        let value = if i == j { 0.0 } else { entry(i, j) };
                        lu.row(i)[j] = value;
                        x[i] += value * (j as f64 - 3.0);
                    }
                }
                if lu.factor() {
                    lu.solve(&mut x);
                    for (j, x) in x.iter().enumerate() {
                        assert!((x - (j as f64 - 3.0)).abs() < 1e-6, "n = {n}, {width}: {x}");
                    }
                }
            }
        }
    }

    #[test]
    fn a_singular_matrix_is_refused() {
        let mut lu = Lu::default();
        lu.reset(&[2, 2]);
        assert!(!lu.factor());
    }
}
